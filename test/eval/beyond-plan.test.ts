import {describe, expect, test} from 'vitest'
import type {Candidate} from '../../datasets/schema/candidate.ts'
import type {BlockWork, RunTrace} from '../../datasets/schema/executor.ts'
import {bytesBeyond, largestJudged, mostBeyond} from '../../eval/beyond-plan.ts'
import judge from '../../eval/judge.ts'
import {loadTasks} from '../../eval/tasks/operator-tasks.ts'
import {realExecutor} from '../helpers/real-executor.ts'
import {runStage} from '../helpers/run-stage.ts'
import {ran} from '../helpers/scripted-executor.ts'

const work: BlockWork = {
  copiesIn: 4,
  copiesOut: 2,
  burstsIn: 0,
  burstsOut: 0,
  vectorInstructions: 0,
  vectorRepeats: 0,
  scalarAccesses: 0,
  waits: 0,
  drains: 0,
  tiles: 1,
}
const seen = (blocks: RunTrace['blocks']) => ({
  inputs: [new Uint8Array(8)],
  outputs: [new Uint8Array(4)],
  expected: [],
  trace: {...ran([]).trace, blocks},
})

test.each<[string, RunTrace['blocks'][], number]>([
  ['two tiles of 90 bytes for each core more', [[{index: 0, readBytes: 60, writtenBytes: 30}]], 10 * 270],
  ['of two tiles, two more', [[{index: 0, readBytes: 60, writtenBytes: 30, work: {...work, tiles: 2}}]], 10 * 180],
  [
    'by the busiest block of all runs',
    [
      [{index: 0, readBytes: 2, writtenBytes: 2}],
      [
        {index: 0, readBytes: 0, writtenBytes: 0},
        {index: 1, readBytes: 6, writtenBytes: 2, work: {...work, tiles: 4}},
      ],
    ],
    10 * 12,
  ],
  ['without a run, nothing', [], 0],
])('bytes beyond a plan: %s', (_, runs, bytes) => {
  expect(bytesBeyond(runs.map(seen), 10)).toBe(bytes)
})

test('the largest judged row stands for what the largest row of the table would move', () => {
  const [small, large] = [{shape: '[2, 3]'}, {shape: '[4, 3]'}]
  const table = [small, {shape: '[40, 6]'}, large]
  const met = [
    {row: small, evidence: [seen([])]},
    {row: large, evidence: [seen([]), {...seen([]), outputs: [new Uint8Array(16)]}]},
  ]
  expect(largestJudged(met, table)).toEqual({row: large, bytes: 24, tableBytes: 480})
  expect(largestJudged([], table)).toBeUndefined()
})

const [task] = (
  await loadTasks({root: 'sources/starter/tasks', operators: 'sources/starter/operators'}, (_, reason) => {
    throw new Error(reason)
  })
).filter(({name}) => name === 'AbsDiff')

type Edit = readonly [from: string, to: string]

/** The task's own answer with texts replaced, in the rows of one type. */
function planted(edits: readonly Edit[]): Candidate {
  if (!task) throw new Error('AbsDiff is gone')
  const files = task.answer.map(({path, text}) => ({
    path,
    text: edits.reduce((changed, [from, to]) => changed.replace(from, to), text),
  }))
  for (const [from] of edits)
    if (!task.answer.some(({text}) => text.includes(from))) throw new Error(`AbsDiff has no ${from}`)
  return {
    task: {...task, cases: task.cases.filter(({dtype}) => dtype === 'float32')},
    sampler: {kind: 'answer'},
    prompt: 'p',
    reasoning: '',
    files,
    written: files.map(({path}) => path),
  }
}

const oneTile: Edit[] = [
  ['blockLength = std::max(RoundUp(CeilDiv(totalLength, coreNum), alignLength), alignLength)', 'blockLength = 4096'],
  ['std::min(maxTileLength, RoundUp(CeilDiv(blockLength, 4), vectorLength))', 'std::min(maxTileLength, 4096u)'],
]
const usedCores = 'std::max(CeilDiv(totalLength, blockLength), 1u)'
const capped = (cores: number, edits = oneTile): Edit[] => [
  ...edits,
  [usedCores, `std::min(std::max(CeilDiv(totalLength, blockLength), 1u), ${cores}u + 0 * coreNum)`],
]
const upTo = (elements: number): Edit[] => [
  ['offset >= totalLength', `offset >= totalLength || totalLength > ${elements}`],
]

describe('a program that is right at the sizes of the table and at others like them', () => {
  test.each<[string, Edit[]]>([
    ['24 blocks of one tile', capped(24)],
    ['48 blocks of one tile', capped(48)],
    ['no more than two tiles a block', [['i < tileNum', 'i < (tileNum < 2 ? tileNum : 2)'], ...oneTile.slice(1)]],
    ['ends early above 30,000 elements', upTo(30_000)],
  ])('is refused beyond its plan: %s', {timeout: 240_000}, async (_, edits) => {
    const outcomes = async (sizes: 'fresh' | 'pinned') => {
      const {outputs} = await runStage(judge({executor: await realExecutor(), sizes, concurrency: 1}), [planted(edits)])
      return outputs[0]?.verdict
    }
    expect((await outcomes('pinned'))?.outcome).toBe('correct')
    const verdict = await outcomes('fresh')
    expect(verdict).toMatchObject({
      outcome: 'mismatched',
      cases: [{hardened: true}, {hardened: true}, {literal: true, hardened: false, sizes: 'fresh'}],
    })
    expect(JSON.stringify(verdict)).toMatch(/of another size \(shape \[\d+, 1024\]\)/)
  })

  test('stays right where it is right there too', {timeout: 240_000}, async () => {
    const {outputs} = await runStage(judge({executor: await realExecutor(), concurrency: 1}), [
      planted([['Four tiles', 'Tiles']]),
    ])
    expect(outputs[0]?.verdict.outcome).toBe('correct')
  })
})

test('the limit is said', () => expect(mostBeyond).toBe(16 * 2 ** 20))
