import {describe, expect, test} from 'vitest'
import type {TaskCase} from '../../../datasets/schema/task.ts'
import type {Dtype} from '../../../datasets/schema/tensor.ts'
import {randomFrom} from '../../../engine/random.ts'
import type {Argument} from '../../../eval/reference/call.ts'
import {callShape, freshRow} from '../../../eval/reference/pytorch.ts'

const tensor = (slot: number, shape: number[], dtype: Dtype = 'float32'): Argument & {kind: 'tensor'} => ({
  kind: 'tensor',
  slot,
  dtype,
  shape,
  returned: false,
})

describe('the shape of a call', () => {
  test('has its tensors by their slots, members of lists one by one', () => {
    const list: Argument = {kind: 'tensors', items: [tensor(1, [2]), tensor(2, [], 'int8')]}
    expect(callShape([tensor(0, [3, 4]), list]).tensors).toEqual([
      {name: 'slot 0', dtype: 'float32', shape: [3, 4]},
      {name: 'slot 1', dtype: 'float32', shape: [2]},
      {name: 'slot 2', dtype: 'int8', shape: []},
    ])
  })

  test.each<[Argument, unknown]>([
    [{kind: 'integers', value: [1, 2]}, [1, 2]],
    [{kind: 'plain', value: 3}, 3],
    [{kind: 'plain', value: -0}, -0],
    [{kind: 'plain', value: 0.5}, 'plain'],
    [{kind: 'plain', value: Infinity}, 'plain'],
    [{kind: 'plain', value: 'mean'}, 'mean'],
    [{kind: 'plain', value: false}, false],
    [{kind: 'scalar', value: 3}, 'scalar'],
    [{kind: 'scalars', value: [3]}, 'scalars'],
    [{kind: 'absent'}, 'absent'],
    [tensor(0, [1]), 'tensor'],
    [{kind: 'filled', count: 2, value: 1}, 'filled'],
  ])('%j is the value %j, which says nothing of numbers that may be drawn', (argument, value) => {
    expect(callShape([argument]).values).toEqual({0: value})
  })

  test('has values by their places', () => {
    expect(callShape([tensor(0, [1]), {kind: 'plain', value: 7}]).values).toEqual({0: 'tensor', 1: 7})
  })
})

describe('a row of other sizes', () => {
  const row = {case_id: '7', shape: '[3, 700]'}
  const given = [tensor(0, [3, 700])]
  const refused = {unusable: 'inputs-failed'} as const

  /** Draws with a task that computes the trials of these numbers, the first being 1. */
  async function drawn(
    computed: readonly number[],
    of: (shape: number[]) => Argument[] = (shape) => [tensor(0, shape)],
  ) {
    const asked: {index: number; cells: TaskCase}[] = []
    const how = {index: 4, shape: callShape(given), table: [], random: randomFrom('seed')}
    const found = await freshRow(row, how, async (index, cells) => {
      asked.push({index, cells})
      if (!computed.includes(asked.length)) return refused
      return {call: {operator: 'Op', arguments: of(JSON.parse(cells['shape'] ?? '') as number[]) as never}}
    })
    return {asked, found}
  }

  test('is the first that the task computes', async () => {
    const {asked, found} = await drawn([1, 2])
    expect(asked).toEqual([{index: 4, cells: found}])
    expect(found).toEqual({case_id: '7', shape: expect.stringMatching(/^\[\d+, \d+\]$/)})
    expect(found?.['shape']).not.toBe(row.shape)
  })

  test.each([
    [7, 7],
    [8, 8],
    [9, undefined],
  ])('may be the trial number %d: found as %s', async (number, found) => {
    const result = await drawn([number])
    expect(result.asked).toHaveLength(Math.min(number, 8))
    expect(result.found).toEqual(found === undefined ? undefined : result.asked.at(-1)?.cells)
  })

  test('is none after eight that the task refuses, each another', async () => {
    const {asked, found} = await drawn([])
    expect(found).toBe(undefined)
    expect(new Set(asked.map(({cells}) => cells['shape'])).size).toBe(8)
  })

  test.each<[string, (shape: number[]) => Argument[]]>([
    ['the very same sizes', () => given],
    ['another type', (shape) => [tensor(0, shape, 'float16')]],
    ['another slot', (shape) => [tensor(1, shape)]],
    ['another number of axes', (shape) => [tensor(0, [...shape, 1])]],
    ['one tensor more', (shape) => [tensor(0, shape), tensor(1, shape)]],
  ])('is not one whose call has %s', async (_, of) => {
    const {asked, found} = await drawn([1, 2, 3, 4, 5, 6, 7, 8], of)
    expect([asked.length, found]).toEqual([8, undefined])
  })

  test('is not drawn for a row that names no size', async () => {
    const how = {index: 0, shape: callShape(given), table: [], random: randomFrom('seed')}
    const none = {case_id: '7', axis: '1'}
    expect(await freshRow(none, how, () => Promise.reject(new Error('nothing is asked')))).toBe(undefined)
  })
})
