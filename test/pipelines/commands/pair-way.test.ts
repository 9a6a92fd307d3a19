import {join} from 'node:path'
import {describe, expect, onTestFinished, test} from 'vitest'
import type {z} from 'zod'
import {LabelledCandidate} from '../../../datasets/schema/candidate.ts'
import {PreferencePair, type PreferenceSide} from '../../../datasets/schema/sample.ts'
import {contentId} from '../../../engine/ids.ts'
import {silentLog} from '../../../engine/log.ts'
import {Pipeline} from '../../../engine/pipeline.ts'
import {runPipeline} from '../../../engine/runner.ts'
import {each} from '../../../engine/stage.ts'
import {pairSteps} from '../../../pipelines/commands/pair-way.ts'
import {openRuns, saveSequence} from '../../../pipelines/workspace/runs.ts'
import {pair} from '../../datasets/rows.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'
import {labelled} from '../preference/records.ts'

const right = labelled('green', 'right', {kind: 'answer'})
const wrong = labelled('purple', 'wrong')
/** Of the same code, and of another sampler: no side of the pair. */
const other = labelled('purple', 'wrong', {kind: 'mutation', mutation: 'another', detail: ''})

const sideOf = ({files, label, sampler, verdict}: LabelledCandidate): PreferenceSide => ({
  ...{reasoning: '', answer: 'code', files, label, sampler, verdict},
})
const made = (chosen: LabelledCandidate, rejected: LabelledCandidate): PreferencePair =>
  PreferencePair.parse(
    pair({
      ...{task: chosen.task.name, prompt: chosen.prompt, origin: chosen.task.origin},
      ...{chosen: sideOf(chosen), rejected: sideOf(rejected)},
    }),
  )
const ours = made(right, wrong)
/** A pair whose candidates are not here any more. */
const orphan = made(labelled('green', 'gone', {kind: 'answer'}), labelled('purple', 'gone too'))

async function steps() {
  const out = await temporaryFolder()
  const run = <T>(recipe: string, name: string, schema: z.ZodType<T>, records: readonly T[]) =>
    runPipeline({
      pipeline: Pipeline.from(recipe, records, {
        ...{name, version: 1, input: schema, output: schema},
        run: each((record: T) => [record]),
      }),
      directory: join(out, recipe),
      model: () => undefined,
      seed: 's',
      now: () => 0,
      signal: new AbortController().signal,
      log: silentLog,
    })
  await run('candidates', 'label', LabelledCandidate, [other, right, wrong])
  await run('preference', 'pair', PreferencePair, [orphan, ours])
  await saveSequence(out, [{name: 'candidates'}, {name: 'preference'}])
  const runs = await openRuns(out)
  onTestFinished(() => {
    for (const one of runs) one.close()
  })
  return pairSteps(runs)
}

const idOf = (record: unknown) => contentId(record)
const step = (as: 'chosen' | 'rejected', candidate: LabelledCandidate) => ({
  ...{recipe: 'preference', stage: 'pair', as, input: idOf(LabelledCandidate.parse(candidate)), drops: []},
  outputs: [{id: idOf(ours), json: expect.stringContaining(ours.prompt) as string}],
})
const both = [step('chosen', right), step('rejected', wrong)]

describe('the two candidates of a pair', () => {
  test('are found by what it holds of them', async () => {
    const ways = await steps()
    expect(ways.named(idOf(ours).slice(0, 10))).toEqual(both)
    expect(ways.named(idOf(orphan))).toEqual([])
    expect(ways.named('none')).toEqual([])
  })

  test('lead into the first of some ids that is a pair', async () => {
    const ways = await steps()
    expect(ways.into(new Set(['x', idOf(ours)]))).toEqual(both)
    expect(ways.into(new Set(['x']))).toEqual([])
  })

  test('lead to it from either', async () => {
    const ways = await steps()
    const from = (...records: LabelledCandidate[]) =>
      ways.from(new Set(records.map((record) => idOf(LabelledCandidate.parse(record)))))
    expect(from(right)).toEqual([both[0]])
    expect(from(wrong)).toEqual([both[1]])
    expect(from(wrong, right)).toEqual(both)
    expect(from(other)).toEqual([])
    expect(from()).toEqual([])
  })
})
