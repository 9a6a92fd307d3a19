import {expect, test} from 'vitest'
import type {RunTrace} from '../../../../datasets/schema/executor.ts'
import {workTrouble} from '../../../../eval/bench/multikernelbench/judge-tiers.ts'

const elements = 1 << 16
const inputs = [{shape: [256, 256], dtype: 'float32', bytes: 4 * elements}]

interface Block {
  read?: number
  written?: number
  vector?: number
  scalar?: number
}

function traceOf(blocks: Block[]): RunTrace {
  return {
    blockDim: blocks.length,
    tilingKey: 0,
    workspaceBytes: 0,
    tiling: {},
    buffers: [],
    ubPeakBytes: 0,
    calls: {},
    blocks: blocks.map(({read = 2 * elements, written = 2 * elements, vector = 4, scalar = 0}, index) => ({
      index,
      readBytes: read,
      writtenBytes: written,
      work: {
        copiesIn: 1,
        copiesOut: 1,
        burstsIn: 1,
        burstsOut: 1,
        vectorInstructions: vector,
        vectorRepeats: vector,
        scalarAccesses: scalar,
        waits: 0,
        drains: 0,
        tiles: 1,
      },
    })),
  }
}

const half = 2 * elements

test.each<[string, Block[], string | undefined]>([
  ['all read and written by two cores', [{}, {}], undefined],
  ['nine tenths of the input, as a pooling may', [{read: half}, {read: Math.ceil(0.8 * half)}], undefined],
  ['less than that', [{read: half}, {read: Math.floor(0.8 * half) - 8}], 'of 262144 that the inputs have'],
  ['one byte too few written', [{}, {written: half - 1}], 'wrote 262143 bytes of 262144'],
  ['no vector instruction', [{vector: 0}, {vector: 0}], 'no vector instruction'],
  ['vector instructions on one core', [{vector: 1}, {vector: 0}], undefined],
  ['half as many scalars as elements', [{scalar: elements / 4}, {scalar: elements / 4}], undefined],
  ['one more', [{scalar: elements / 4}, {scalar: elements / 4 + 1}], 'single values'],
  [
    'a second core that does nothing',
    [
      {read: 2 * half, written: 2 * half},
      {read: 0, written: 0},
    ],
    'one core did all',
  ],
])('%s', (_, blocks, expected) => {
  const found = workTrouble([traceOf(blocks)], {inputs, outputBytes: 4 * elements})
  if (expected === undefined) expect(found).toBeUndefined()
  else expect(found).toContain(expected)
})

test('what is small may be done by one core', () => {
  const small = [{shape: [elements - 1], dtype: 'float32', bytes: 4}]
  expect(workTrouble([traceOf([{read: 0, written: 0}])], {inputs: small, outputBytes: 4})).toBeUndefined()
})

test('a model that launches nothing has done nothing, however small', () => {
  expect(workTrouble([], {inputs: [], outputBytes: 0})).toBe('no kernel was launched')
})

test('launches count together', () => {
  const [one, other] = [traceOf([{}, {written: 0}]), traceOf([{read: 0}, {read: 0, written: 0}])]
  expect(workTrouble([one, other], {inputs, outputBytes: 4 * elements})).toBeUndefined()
})
