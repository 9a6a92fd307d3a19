import {describe, expect, test} from 'vitest'
import type {Candidate} from '../../datasets/schema/candidate.ts'
import judge, {bytesBeyond} from '../../eval/judge.ts'
import {loadTasks} from '../../eval/tasks/operator-tasks.ts'
import {realExecutor} from '../helpers/real-executor.ts'
import {runStage} from '../helpers/run-stage.ts'

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
    ['ends early above 1,000,000 elements', upTo(1_000_000)],
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

test('the limit is said', () => expect(bytesBeyond).toBe(16 * 2 ** 20))
