import {describe, expect, test} from 'vitest'
import type {LabelledCandidate} from '../../../datasets/schema/candidate.ts'
import type {Verdict} from '../../../datasets/schema/verdict.ts'
import {contentId} from '../../../engine/ids.ts'
import {classifyCandidate} from '../../../eval/taxonomy.ts'
import errorEntries from '../../../pipelines/correction/error-entries.ts'
import {runStage} from '../../helpers/run-stage.ts'
import {executor, labelled} from '../preference/records.ts'

const at = {case: '3', executor}
const violation = {rule: 'deque-empty', block: 0, api: 'DeQue', tensor: 'q', message: 'nothing in it', fix: 'EnQue'}
const passed = {case: '1', literal: true, hardened: true, worstAbsolute: 0, worstRelative: 0, reason: ''}

const entriesOf = async (...candidates: LabelledCandidate[]) => {
  const {outputs, dropped} = await runStage(errorEntries({names: ['Add'], classify: classifyCandidate}), candidates)
  expect(outputs.length + dropped.length).toBe(candidates.length)
  return outputs
}

const orange = (verdict: Verdict) => labelled('orange', 'o', undefined, {verdict})

describe('errorEntries', () => {
  test.each<[Verdict, object, string]>([
    [
      {outcome: 'violated', violation, ...at},
      {class: 'rule-violation', rule: 'deque-empty', api: 'DeQue'},
      'nothing in it',
    ],
    [
      {outcome: 'mismatched', cases: [passed, {...passed, reason: 'y: element 0 is 1'}], executor},
      {class: 'accuracy', rule: ''},
      'y: element 0 is 1',
    ],
    [{outcome: 'crashed', cause: 'SIGSEGV', log: '', ...at}, {class: 'crash'}, 'SIGSEGV'],
    [{outcome: 'launch-failed', message: 'tiling returned 1', ...at}, {class: 'launch'}, 'tiling returned 1'],
    [{outcome: 'timed-out', limitSeconds: 20, ...at}, {class: 'timeout'}, 'still running after 20 s'],
    [
      {outcome: 'cheated', rule: 'forbidden-include', detail: 'line 1', literal: true, executor},
      {class: 'cheat', rule: 'forbidden-include'},
      'line 1',
    ],
  ])('$outcome', async (verdict, expected, message) => {
    const [entry] = await entriesOf(orange(verdict))
    expect(entry).toMatchObject({...expected, outcome: verdict.outcome, label: 'orange', signature: ''})
    expect(entry?.error).toEqual({message, file: '', line: 0, column: 0, code: ''})
  })

  test('a compile error has a signature and a place', async () => {
    const diagnostics = [
      {
        severity: 'error' as const,
        file: 'op_kernel/k.cpp',
        line: 2,
        column: 3,
        message: "no matching function for call to 'Add'",
      },
    ]
    const candidate = labelled(
      'purple',
      'p',
      {kind: 'model', model: 'm', sample: 2},
      {
        files: [{path: 'op_kernel/k.cpp', text: '\n  Add(x);\n'}],
        verdict: {outcome: 'compile-failed', diagnostics, log: '', executor},
      },
    )
    expect(await entriesOf(candidate)).toEqual([
      {
        candidate: contentId(candidate),
        task: candidate.task.name,
        sampler: {kind: 'model', model: 'm', sample: 2},
        label: 'purple',
        outcome: 'compile-failed',
        class: 'api-signature-and-overload',
        rule: '',
        signature: "no matching function for call to 'Add'",
        api: 'Add',
        error: {message: diagnostics[0]?.message, file: 'op_kernel/k.cpp', line: 2, column: 3, code: '  Add(x);'},
        executor,
        origin: candidate.task.origin,
        stages: {'error-entries': 2},
      },
    ])
  })

  test('a reply without code says so, and a correct candidate has no entry', async () => {
    const unreadable = labelled('purple', 'p', undefined, {unreadable: 'no banner for op_kernel/a.cpp'})
    const entries = await entriesOf(labelled('green', 'g'), unreadable)
    expect(entries).toHaveLength(1)
    expect(entries[0]).toMatchObject({
      class: 'no-answer',
      signature: '',
      error: {message: 'no banner for op_kernel/a.cpp', file: ''},
    })
  })
})
