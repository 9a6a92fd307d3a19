import {mkdtemp, readFile, rm} from 'node:fs/promises'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterEach, beforeEach, describe, expect, test} from 'vitest'
import card from '../../datasets/card/card.ts'
import {cells} from '../../datasets/parquet/columns.ts'
import decontaminate from '../../datasets/contamination/decontaminate.ts'
import dedup from '../../datasets/dedup/dedup.ts'
import exportGate from '../../datasets/gates/export-gate.ts'
import licenceGate from '../../datasets/gates/licence-gate.ts'
import parquet from '../../datasets/parquet/parquet.ts'
import type {SplitRow} from '../../datasets/schema/export.ts'
import split from '../../datasets/split.ts'
import type {Stage} from '../../engine/stage.ts'
import {runStage} from '../helpers/run-stage.ts'
import {
  collect,
  kernelSample,
  optimisationPair,
  optimisationRow,
  pair,
  recordingContext,
  sftRow,
  stream,
  unpairedReply,
  unpairedRow,
} from './rows.ts'

async function reasons<T>(stage: Stage<T, unknown>, ...records: T[]): Promise<string[]> {
  const {outputs, dropped} = await runStage(stage, records)
  expect(outputs.length + dropped.length).toBe(records.length)
  return dropped.map(({reason}) => reason)
}

const mark = {answer: 'a </think> b'}
const foreign = {...pair().origin, licence: 'NOASSERTION'}
const told = 'adds up all elements of every row with float accumulation and writes the sums in half precision'
const reference = [{name: 'level1/Sum', operator: 'Sum', texts: [told]}]
const failed = {label: 'orange', verdict: pair().rejected.verdict} as const

describe('an unpaired reply', () => {
  const config = 'kto'

  test('says which it is in the names of trainers, with the colour beside it', () => {
    expect(cells(unpairedRow(unpairedReply({reasoning: 'because'})))).toMatchObject({
      prompt: [{role: 'user', content: 'Write the kernel of ScaleCustom: y = 2x.'}],
      completion: [
        {role: 'assistant', content: expect.stringMatching(/^<think>\nbecause\n<\/think>\n\n```/) as string},
      ],
      label: true,
      colour: 'green',
      task: 'ScaleCustom',
      sampler: 'answer',
      outcome: 'correct',
      executor: 'twin',
    })
    for (const label of ['orange', 'purple'] as const)
      expect(cells(unpairedRow(unpairedReply({label})))).toMatchObject({label: false, colour: label})
  })

  test('passes the gates that a pair passes, and no others', async () => {
    const unproven = unpairedReply({
      verdict: {outcome: 'correct', cases: [], executor: unpairedReply().verdict.executor},
    })
    expect(await reasons(exportGate({config}), unpairedReply(), unpairedReply(failed), unproven)).toEqual([
      'unproven-code',
    ])
    expect(await reasons(exportGate({config}), unpairedReply(mark))).toEqual(['template-mark'])
    expect(await reasons(exportGate({config, maxTokens: 20}), unpairedReply())).toEqual(['too-long'])
    expect(await reasons(licenceGate({config}), unpairedReply({origin: foreign}))).toEqual(['licence-not-allowed'])
    expect(await reasons(decontaminate({config, reference}), unpairedReply({reasoning: told}))).toEqual([
      'contaminated',
    ])
    const other = unpairedReply({answer: 'another'})
    expect(await reasons(dedup({config}), unpairedReply(), unpairedReply({label: 'orange'}), other)).toEqual([
      'duplicate',
    ])
  })
})

describe('a pair of a faster and a slower operator', () => {
  const config = 'optimisation'
  const {chosen, rejected} = optimisationPair()

  test('tells modelled costs of both sides', () => {
    expect(cells(optimisationRow(optimisationPair()))).toMatchObject({
      chosen_modelled_us: 4,
      rejected_modelled_us: 10,
      margin: 2.5,
      step: 'one-core',
      chosen_bottleneck: 'MTE2',
      rejected_sampler_detail: '{"kind":"rewound","steps":["one-core"]}',
      chosen_outcome: 'correct',
      rejected_outcome: 'correct',
    })
  })

  test('is refused where a side is not correct, or they are one, or a text may not be passed on', async () => {
    const refused = async (over: Parameters<typeof optimisationPair>[0]) =>
      reasons(exportGate({config}), optimisationPair(over))
    expect(await refused({})).toEqual([])
    expect(await refused({rejected: {...rejected, label: 'orange'}})).toEqual(['no-preference'])
    expect(await refused({rejected: {...rejected, verdict: failed.verdict}})).toEqual(['unproven-code'])
    expect(await refused({rejected: {...rejected, files: chosen.files}})).toEqual(['same-sides'])
    expect(await refused({chosen: {...chosen, ...mark}})).toEqual(['template-mark'])
    expect(await refused({rejected: {...rejected, ...mark}})).toEqual(['template-mark'])
    const leak = optimisationPair({rejected: {...rejected, answer: told}})
    expect(await reasons(decontaminate({config, reference}), leak)).toEqual(['contaminated'])
    expect(await reasons(licenceGate({config}), optimisationPair({origin: foreign}))).toEqual(['licence-not-allowed'])
    expect(await reasons(dedup({config}), optimisationPair(), optimisationPair({sizes: 'b'}))).toEqual(['duplicate'])
  })
})

test('all that was judged of an operator stands in one split', async () => {
  const tasks = Array.from({length: 40}, (_, at) => `Operator${at}`)
  const sides = async (config: 'dpo' | 'kto' | 'optimisation', records: readonly {task: string}[]) =>
    (await runStage(split({config, testFraction: 0.5}) as Stage<unknown, SplitRow>, records)).outputs.map(
      (row) => row.split,
    )
  const pairs = await sides(
    'dpo',
    tasks.map((task) => pair({task})),
  )
  expect(new Set(pairs).size).toBe(2)
  const replies = tasks.map((task) => unpairedReply({task}))
  expect(await sides('kto', replies)).toEqual(pairs)
  const steps = tasks.map((task) => optimisationPair({task}))
  expect(await sides('optimisation', steps)).toEqual(pairs)
})

test('a step of optimisation is a sample that tells its modelled times', () => {
  const modelledMicroseconds = {before: 10, after: 4}
  const optimised = {step: 'one-core', sizes: 'shape [8]', modelledMicroseconds}
  const told = {kind: 'optimisation', step: 'one-core', modelled_us_before: 10, modelled_us_after: 4}
  expect(cells(sftRow(kernelSample({kind: 'optimisation', optimised})))).toMatchObject(told)
  expect(cells(sftRow(kernelSample()))).toMatchObject({step: null, modelled_us_before: null, modelled_us_after: null})
})

describe('the card', () => {
  let directory: string
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'judged-'))
  })
  afterEach(() => rm(directory, {recursive: true, force: true}))

  test('counts replies by colour and steps by name, and says what is modelled', async () => {
    const context = recordingContext()
    const replies = [unpairedReply(), unpairedReply(failed), unpairedReply({...failed, answer: 'b'})]
    const kto = parquet({config: 'kto', directory}).run(stream(replies.map(unpairedRow)), context)
    const steps = parquet({config: 'optimisation', directory}).run(
      stream([optimisationRow(optimisationPair())]),
      context,
    )
    const artifacts = [...(await collect(kto)), ...(await collect(steps))]
    await collect(card({directory, regenerate: []}).run(stream(artifacts), context))
    const readme = await readFile(join(directory, 'README.md'), 'utf8')
    expect(readme).toContain('`label` is true for 1 and false for 2')
    expect(readme).toContain('| orange | 2 |\n| green | 1 |')
    expect(readme).toContain('| one-core | 1 |')
    expect(readme).toContain('Times are modelled, never measured on hardware.')
    expect(readme).toContain('| kto | twin · clang-15 · Ascend910B1 · f00d | 3 |')
    expect(readme).toContain('| optimisation, chosen | twin · f00d | 1 |')
  })
})
