import {describe, expect, test} from 'vitest'
import {numbers, results, tensor, vector, whole} from '../../../helpers/formula-results.ts'

const x = tensor([2, 3], [1, -2, 3, 4, 5, -6])

describe('over axes', () => {
  test.each<[operator: string, axes: number[], y: number[]]>([
    ['ReduceSum', [1], [2, 3]],
    ['ReduceSum', [0], [5, 3, -3]],
    ['ReduceSum', [], [5]],
    ['ReduceMean', [1], [0.666667, 1]],
    ['ReduceMax', [-1], [3, 5]],
    ['ReduceMin', [0], [1, -2, -6]],
    ['ReduceProd', [1], [-6, -120]],
    ['ReduceAny', [1], [1, 1]],
  ])('%s %j', (operator, axes, y) => expect(numbers(operator, [x], {axes, keep_dims: false})).toEqual(y))

  test('kept as ones, and told by an input', () => {
    expect(results('ReduceSum', [x, whole(1)], {keep_dims: true})?.[0]).toMatchObject({shape: [2, 1], scale: 15})
    expect(results('ReduceSum', [x, whole(2)], {keep_dims: true})).toBeUndefined()
    expect(results('ReduceSum', [x, whole(0)], {axes: [1]})).toBeUndefined()
  })
})

test('no axes are all, or none where the definition says so', () => {
  const none = tensor([0], [], 'int32')
  expect(numbers('ReduceSum', [x, none], {keep_dims: false, noop_with_empty_axes: false})).toEqual([5])
  const kept = results('ReduceSum', [x, none], {keep_dims: false, noop_with_empty_axes: true})?.[0]
  expect([kept?.shape, [...(kept?.data ?? [])]]).toEqual([
    [2, 3],
    [1, -2, 3, 4, 5, -6],
  ])
  expect(numbers('ReduceMax', [x, whole(1)], {keep_dims: false, noop_with_empty_axes: true})).toEqual([3, 5])
})

test('a deviation loses as many degrees of freedom as it is told', () => {
  const rows = tensor([2, 3], [1, 2, 3, 0, 3, 3])
  const all = results('ReduceStdV2', [rows], {dim: [-1], correction: 1, keepdim: true, is_mean_out: true})
  expect(all?.map(({shape, data}) => [shape, [...data].map((one) => one.toFixed(4))])).toEqual([
    [
      [2, 1],
      ['1.0000', '1.7321'],
    ],
    [
      [2, 1],
      ['2.0000', '2.0000'],
    ],
  ])
  // Distances to 2: 1, 0, 1, 4, 1 and 1 squared are 8, of six numbers.
  const whole = {dim: [], correction: 0, keepdim: false, is_mean_out: true}
  expect(numbers('ReduceStdV2', [rows], whole)).toEqual([1.1547])
})

test('the place of an extreme is the first of equal ones', () => {
  const all = results('ArgMaxWithValue', [tensor([2, 3], [1, 7, 7, 4, 5, 3])], {dimension: 1, keep_dims: false})
  expect(all?.map(({data}) => [...data])).toEqual([
    [1, 1],
    [7, 5],
  ])
  expect(numbers('ArgMinWithValue', [x], {dimension: 0})).toEqual([0, 0, 1])
})

test('running totals', () => {
  expect(numbers('Cumsum', [x, whole(1)])).toEqual([1, -1, 2, 4, 9, 3])
  expect(numbers('Cumsum', [x], {axis: 0})).toEqual([1, -2, 3, 5, 3, -3])
  expect(numbers('Cumprod', [x, whole(1)])).toEqual([1, -2, -6, 4, 20, -120])
  expect(numbers('Cumsum', [x, whole(1)], {exclusive: true})).toBeUndefined()
})

test('sums of products, of squares and of a diagonal', () => {
  expect(numbers('DotV2', [vector(1, 2, 3), vector(4, 5, 6)])).toEqual([32])
  expect(numbers('L2Loss', [vector(3, 4)])).toEqual([12.5])
  expect(numbers('TraceV2', [tensor([2, 3], [1, 2, 3, 4, 5, 6])])).toEqual([6])
  expect(results('SquareSumAll', [vector(3, 4), vector(1)])?.map(({data}) => data[0])).toEqual([25, 1])
  expect(numbers('Pdist', [tensor([3, 2], [0, 0, 3, 4, 6, 8])], {p: 2})).toEqual([5, 10, 5])
})

test('sums between two places, as exponents below the diagonal', () => {
  expect(numbers('Segsum', [tensor([1, 3], [9, Math.log(2), Math.log(3)])])).toEqual([1, 0, 0, 2, 1, 0, 6, 3, 1])
})
