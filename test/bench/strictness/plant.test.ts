import {describe, expect, test} from 'vitest'
import type {SourceFile} from '../../../datasets/schema/operator.ts'
import type {RunTrace} from '../../../datasets/schema/executor.ts'
import {randomFrom} from '../../../engine/random.ts'
import type {Mutation} from '../../../pipelines/preference/mutations/mutation.ts'
import {mutationFamilies} from '../../../pipelines/preference/mutations.ts'
import {addCase, addLength, asFloats, fixtureProgram, floats} from '../../helpers/operators.ts'
import {realExecutor} from '../../helpers/real-executor.ts'
import {bakedInShape, halfPrecision} from './degradations.ts'
import {kinds} from './kinds.ts'
import {writers} from './writers.ts'

const dtypes = {x: 'float32', y: 'float32', z: 'float32'} as const
const add = fixtureProgram('add', 'AddDemo', dtypes)

async function outputOf(mutation: Mutation | undefined, operatorCase = addCase()): Promise<number[]> {
  const files = mutation?.apply(add.files, randomFrom('a'))?.files
  if (!files) throw new Error('no place in AddDemo')
  const executor = await realExecutor()
  const attempt = await executor.build({...add, files})
  if (!attempt.ok) throw new Error(JSON.stringify(attempt.verdict))
  const end = await executor.execute(attempt.build, operatorCase)
  await attempt.build.dispose()
  if (end.outcome !== 'ran') throw new Error(JSON.stringify(end))
  return asFloats(end.outputs[0] ?? new Uint8Array())
}

const writer = (name: string) => writers.find((one) => one.name === name)

describe('an output that the kernel did not compute', () => {
  test.each([
    ['nan-writer', NaN],
    ['zero-writer', 0],
    ['one-writer', 1],
  ])('%s', async (name, value) => {
    expect(new Set(await outputOf(writer(name)))).toEqual(new Set([value]))
  })

  test('input-copy', async () => {
    const index = Array.from({length: 1024}, (_, at) => at)
    const copies = [index, index.map(() => 0.5)]
    expect(copies).toContainEqual(await outputOf(writer('input-copy')))
  })
})

test('half precision drops what half cannot hold, and little else', async () => {
  const x = Float32Array.from({length: addLength}, (_, index) => 1 + index / 700)
  const plain = addCase()
  const seen = await outputOf(halfPrecision, {
    ...plain,
    inputs: plain.inputs.map((input) => (input.name === 'x' ? {...input, data: floats([...x])} : input)),
  })
  const errors = seen.map((value, index) => 1 - value / ((x[index] ?? 0) + 0.5))
  expect(Math.max(...errors)).toBeGreaterThan(2 ** -11)
  expect(Math.max(...errors)).toBeLessThan(2 ** -9)
  expect(Math.min(...errors)).toBeGreaterThan(-(2 ** -23))
})

describe('a shape baked in', () => {
  const trace = (tiling: RunTrace['tiling']): RunTrace => ({
    blockDim: 1,
    tilingKey: 0,
    workspaceBytes: 0,
    tiling,
    buffers: [],
    ubPeakBytes: 0,
    calls: {},
    blocks: [],
  })
  const kernel: SourceFile[] = [
    {
      path: 'op_kernel/a.cpp',
      text: 'length = tilingData->length; tiles = tiling.tiles; tilingData->length = 3; n = tiling.get(1);',
    },
  ]

  test('is a value that differs between two runs, where the kernel reads it', () => {
    const mutant = bakedInShape([trace({length: 7, tiles: 2}), trace({length: 9, tiles: 2})])?.apply(
      kernel,
      randomFrom('a'),
    )
    expect(mutant?.files[0]?.text).toBe('length = 7; tiles = tiling.tiles; tilingData->length = 3; n = tiling.get(1);')
  })
  test('is not to be had from runs with the same tiling, or from one', () => {
    expect(bakedInShape([trace({length: 7}), trace({length: 7})])).toBeUndefined()
    expect(bakedInShape([trace({length: 7})])).toBeUndefined()
  })
})

test('each kind names mutations that there are, and none is in two', () => {
  const names = Object.values(kinds).flat()
  const known = new Set(
    [...mutationFamilies.flat(), ...writers, halfPrecision].map(({name}) => name).concat('baked-in-shape'),
  )
  expect(names.filter((name) => !known.has(name))).toEqual([])
  expect(new Set(names).size).toBe(names.length)
})
