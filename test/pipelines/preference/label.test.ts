import {expect, test} from 'vitest'
import type {JudgedCandidate} from '../../../datasets/schema/candidate.ts'
import type {Label} from '../../../datasets/schema/label.ts'
import type {Verdict} from '../../../datasets/schema/verdict.ts'
import label from '../../../pipelines/preference/label.ts'
import {runStage} from '../../helpers/run-stage.ts'
import {judged, executor} from './records.ts'

const violation = {rule: 'queue-state', block: 0, api: 'EnQue', tensor: 'x', message: 'm', fix: 'f'}
const results = [{case: '0', literal: true, hardened: false, worstAbsolute: 1, worstRelative: 1, reason: 'y'}]

const colours: [Verdict, Label][] = [
  [{outcome: 'correct', cases: [], executor}, 'green'],
  [{outcome: 'mismatched', cases: results, executor}, 'orange'],
  [{outcome: 'violated', case: '0', violation, executor}, 'orange'],
  [{outcome: 'crashed', case: '0', cause: 'SIGSEGV', log: '', executor}, 'orange'],
  [{outcome: 'timed-out', case: '0', limitSeconds: 1, executor}, 'orange'],
  [{outcome: 'launch-failed', case: '0', message: 'm', executor}, 'orange'],
  [{outcome: 'cheated', rule: 'not-computed', detail: 'constant', literal: true, executor}, 'orange'],
  [{outcome: 'compile-failed', diagnostics: [], log: '', executor}, 'purple'],
  [{outcome: 'link-failed', log: '', executor}, 'purple'],
]

test.each(colours.map(([verdict, colour]) => [verdict.outcome, colour, verdict] as const))(
  '%s is %s',
  async (_, colour, verdict) => {
    const record: JudgedCandidate = judged({verdict})
    expect(await runStage(label(), [record])).toEqual({outputs: [{...record, label: colour}], dropped: []})
  },
)

test('what the executor does not cover has no colour, and the missing names are kept', async () => {
  const record = judged({verdict: {outcome: 'not-covered', missing: ['Sort32', 'MrgSort'], executor}})
  expect(await runStage(label(), [record])).toEqual({
    outputs: [],
    dropped: [{reason: 'not-covered', detail: 'scripted lacks Sort32, MrgSort'}],
  })
})

test('code that was only compiled has no colour', async () => {
  const {dropped} = await runStage(label(), [judged({verdict: {outcome: 'compiled', executor}})])
  expect(dropped.map(({reason}) => reason)).toEqual(['not-run'])
})
