import {describe, expect, test} from 'vitest'
import {numbers, results, tensor, vector, whole} from '../../../helpers/formula-results.ts'

const x = tensor([2, 3], [1, 2, 3, 4, 5, 6])
const shown = (all: ReturnType<typeof results>) => all?.map(({shape, data}) => [shape, [...data]])

describe('where elements go', () => {
  test('turned, rolled, repeated', () => {
    expect(shown(results('Transpose', [x, whole(1, 0)]))).toEqual([
      [
        [3, 2],
        [1, 4, 2, 5, 3, 6],
      ],
    ])
    expect(numbers('Roll', [x], {shifts: [1], dims: [1]})).toEqual([3, 1, 2, 6, 4, 5])
    expect(numbers('Roll', [x], {shifts: [2], dims: []})).toEqual([5, 6, 1, 2, 3, 4])
    expect(shown(results('Tile', [vector(1, 2), whole(2, 2)]))).toEqual([
      [
        [2, 4],
        [1, 2, 1, 2, 1, 2, 1, 2],
      ],
    ])
    expect(shown(results('Expandv', [tensor([2, 1], [1, 2])], {shape: [2, 2]}))).toEqual([
      [
        [2, 2],
        [1, 1, 2, 2],
      ],
    ])
    expect(results('Transpose', [x, whole(0, 0)])).toBeUndefined()
  })

  test('joined and cut', () => {
    const y = tensor([2, 1], [7, 8])
    expect(numbers('ConcatD', [[x, y]], {concat_dim: 1, N: 2})).toEqual([1, 2, 3, 7, 4, 5, 6, 8])
    expect(results('ConcatD', [[x, y]], {concat_dim: 0})).toBeUndefined()
    expect(shown(results('SplitV', [x, whole(1, 2), whole(1)], {num_split: 2}))).toEqual([
      [
        [2, 1],
        [1, 4],
      ],
      [
        [2, 2],
        [2, 3, 5, 6],
      ],
    ])
    expect(shown(results('Split', [x], {indices_or_sections: [2], axis: 0}))?.[1]).toEqual([
      [1, 3],
      [4, 5, 6],
    ])
    expect(numbers('SliceV3', [x, whole(0, 1), whole(2, 2)])).toEqual([2, 3, 5, 6])
    expect(results('SliceV3', [x, whole(0, 2), whole(2, 2)])).toBeUndefined()
    expect(shown(results('PackV2', [vector(1, 2), vector(3, 4)], {d: 1}))).toEqual([
      [
        [2, 2],
        [1, 3, 2, 4],
      ],
    ])
    expect(numbers('ChunkCat', [[tensor([3], [1, 2, 3]), tensor([2], [7, 8])]], {dim: 0, num_chunks: 2})).toEqual([
      1, 2, 7, 3, 0, 8,
    ])
  })

  test('diagonals and triangles', () => {
    expect(numbers('DiagV2', [x], {diagonal: 1})).toEqual([2, 6])
    expect(numbers('DiagFlat', [vector(1, 2)], {diagonal: 0})).toEqual([1, 0, 0, 2])
    expect(numbers('Tril', [x], {diagonal: 0})).toEqual([1, 0, 0, 4, 5, 0])
    expect(numbers('Triu', [x], {diagonal: 1})).toEqual([0, 2, 3, 0, 0, 6])
    expect(numbers('FillDiagonalV2', [x, vector(9)], {wrap: false})).toEqual([9, 2, 3, 4, 9, 6])
    expect(results('Tril', [vector(1)], {diagonal: 0})).toBeUndefined()
  })

  test('numbers in a row', () => {
    expect(numbers('Range', [vector(1), vector(2), vector(0.25)])).toEqual([1, 1.25, 1.5, 1.75])
    expect(numbers('LinSpace', [vector(0), vector(1), whole(5)])).toEqual([0, 0.25, 0.5, 0.75, 1])
    expect(numbers('EyeV2', [undefined], {rows: 2, cols: 3})).toEqual([1, 0, 0, 0, 1, 0])
    expect(numbers('Fill', [whole(2, 1), vector(7)])).toEqual([7, 7])
    expect(numbers('LogSpace', [], {start: 0, end: 2, steps: 3, base: 10})).toEqual([1, 10, 100])
    expect(numbers('FillV2', [x, vector(3)], {}, x)).toEqual([3, 3, 3, 3, 3, 3])
  })

  test('borders, and what goes back from them', () => {
    expect(numbers('CircularPad', [tensor([3], [1, 2, 3]), whole(2, 1)])).toEqual([2, 3, 1, 2, 3, 1])
    const dy = tensor([5], [1, 2, 3, 4, 5])
    expect(numbers('CircularPadGrad', [dy, whole(1, 1)])).toEqual([7, 3, 5])
    expect(numbers('PadV3GradReplicate', [dy, whole(1, 1)], {mode: 'edge', paddings_contiguous: true})).toEqual([
      3, 3, 9,
    ])
    expect(numbers('PadV4Grad', [dy, whole(1, 1)], {mode: 'reflect', paddings_contiguous: true})).toEqual([2, 9, 4])
    expect(results('PadV4Grad', [dy, whole(1)], {mode: 'reflect'})).toBeUndefined()
    expect(results('PadV4Grad', [dy, whole(1, 1)], {mode: 'constant'})).toBeUndefined()
  })
})

describe('indices', () => {
  test('read', () => {
    expect(numbers('GatherElements', [x, tensor([2, 1], [2, -1], 'int32')], {dim: 1})).toEqual([3, 6])
    expect(numbers('MaskedSelectV3', [x, tensor([2, 3], [1, 0, 0, 0, 1, 1], 'bool')])).toEqual([1, 5, 6])
    expect(numbers('AsStrided', [x, whole(2, 2), whole(1, 2)])).toEqual([1, 3, 2, 4])
    expect(numbers('Onehot', [whole(1, 3, -1)], {depth: 2})).toEqual([0, 1, 0, 0, 0, 0])
    expect(results('GatherElements', [x, tensor([1, 1], [3], 'int32')], {dim: 1})).toBeUndefined()
  })

  test('written; where two meet only a sum is sure', () => {
    const index = tensor([1, 2], [1, 1], 'int32')
    const updates = tensor([1, 2], [10, 20])
    const given = [tensor([2, 2], [1, 2, 3, 4]), index, updates]
    expect(numbers('ScatterElements', given, {axis: 0, reduction: 'none'})).toEqual([1, 2, 10, 20])
    expect(numbers('ScatterElements', given, {axis: 1, reduction: 'add'})).toEqual([1, 32, 3, 4])
    expect(results('ScatterElements', given, {axis: 1, reduction: 'none'})).toBeUndefined()
    expect(numbers('IndexFill', [x, whole(0, -1), vector(0)], {dim: 1})).toEqual([0, 2, 0, 0, 5, 0])
    expect(numbers('MaskedScatter', [vector(1, 2, 3), vector(1, 0, 1), vector(7, 8)])).toEqual([7, 2, 8])
    expect(numbers('ScatterNdUpdate', [x, tensor([1, 1], [1], 'int32'), tensor([1, 3], [7, 8, 9])])).toEqual([
      1, 2, 3, 7, 8, 9,
    ])
  })
})

test('types: real numbers are cut off where they become whole', () => {
  expect(numbers('Cast', [vector(-1.7, 2.5)], {dst_type: 3}, whole(0, 0))).toEqual([-1, 2])
  expect(numbers('Cast', [vector(0, 0.5)], {dst_type: 12}, tensor([2], [0, 0], 'bool'))).toEqual([0, 1])
  expect(numbers('Cast', [whole(3)], {dst_type: 0}, vector(0))).toEqual([3])
})
