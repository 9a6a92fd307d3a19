import {describe, expect, test} from 'vitest'
import {numbers, results, tensor, vector, whole, sixDigits} from '../../../helpers/formula-results.ts'

describe('one tensor', () => {
  test.each<[operator: string, x: number[], y: number[]]>([
    ['Abs', [-2, 3], [2, 3]],
    ['Acos', [0.5], [1.0472]],
    ['Asinh', [-1], [-0.881374]],
    ['Atanh', [0.5], [0.549306]],
    ['Ceil', [-1.5, 1.2], [-1, 2]],
    ['Cosh', [1], [1.54308]],
    ['Erf', [0.5, -2, 3, 0], [0.5205, -0.995322, 0.999978, 0]],
    ['Erfc', [0.5, 3], [0.4795, 0.0000220905]],
    ['ErfInv', [0.5204998778130465, -0.5], [0.5, -0.476936]],
    ['Expm1', [1], [1.71828]],
    ['Floor', [-1.5], [-2]],
    ['IsFinite', [1, Infinity, NaN], [1, 0, 0]],
    ['IsNegInf', [-Infinity, Infinity], [1, 0]],
    ['LogicalNot', [0, 2], [1, 0]],
    ['Log1p', [1], [sixDigits(Math.LN2)]],
    ['Reciprocal', [4], [0.25]],
    ['Rint', [0.5, 1.5, 2.5, -0.5, -1.2], [0, 2, 2, 0, -1]],
    ['Rsqrt', [4], [0.5]],
    ['Sign', [-3, 0, 2], [-1, 0, 1]],
    ['Sinc', [0, 0.5], [1, 0.63662]],
    ['Tan', [1], [1.55741]],
    ['Trunc', [-1.7], [-1]],
    ['OnesLike', [7], [1]],
  ])('%s', (operator, x, y) => expect(numbers(operator, [vector(...x)])).toEqual(y))

  test('with numbers that say how', () => {
    expect(numbers('Exp', [vector(0, 1)], {base: -1, scale: 1, shift: 0})).toEqual([1, sixDigits(Math.E)])
    expect(numbers('Exp', [vector(3)], {base: 2, scale: 2, shift: 1})).toEqual([128])
    expect(numbers('Log', [vector(8)], {base: 2, scale: 1, shift: 0})).toEqual([3])
    expect(numbers('Round', [vector(1.25, 1.35, -0.5)], {decimals: 1})).toEqual([1.2, 1.4, -0.5])
    expect(numbers('Muls', [vector(3)], {value: -2})).toEqual([-6])
    expect(numbers('NanToNum', [vector(NaN, Infinity, -Infinity, 2)], {nan: 0, posinf: 9, neginf: -9})).toEqual([
      0, 9, -9, 2,
    ])
  })
})

describe('tensors that are broadcast', () => {
  test.each<[operator: string, x: number, y: number, z: number]>([
    ['Atan2', 1, -1, 2.35619],
    ['Div', 7, 2, 3.5],
    ['FloorDiv', -7, 2, -4],
    ['FloorMod', -7, 3, 2],
    ['FloorMod', 7, -3, -2],
    ['Gcd', 12, -18, 6],
    ['Greater', 2, 2, 0],
    ['GreaterEqual', 2, 2, 1],
    ['LogAddExp', 0, 0, sixDigits(Math.LN2)],
    ['LogicalOr', 0, 3, 1],
    ['Maximum', -1, -2, -1],
    ['Mod', -7, 3, -1],
    ['NotEqual', 1, 2, 1],
    ['Pow', 2, 10, 1024],
    ['Pows', 3, 2, 9],
    ['SquaredDifference', 1, 4, 9],
    ['TruncateDiv', -7, 2, -3],
    ['TruncateMod', -7, 2, -1],
    ['Xlogy', 0, 0, 0],
  ])('%s of %d and %d', (operator, x, y, z) => expect(numbers(operator, [whole(x), whole(y)])).toEqual([z]))

  test('a row, a column and a number', () => {
    const [row, column] = [tensor([1, 2], [1, 2]), tensor([2, 1], [10, 20])]
    expect(results('Add', [row, column])?.[0]).toMatchObject({shape: [2, 2], data: Float64Array.of(11, 12, 21, 22)})
    expect(numbers('Sub', [row, vector(1)])).toEqual([0, 1])
    expect(results('Add', [tensor([2], [1, 2]), tensor([3], [1, 2, 3])])).toBeUndefined()
  })

  test('what cancels out is remembered at its own size', () => {
    expect(results('Sub', [vector(100, 1), vector(100, 1)])?.[0]).toMatchObject({scale: 200})
    expect(results('Addcmul', [vector(8), vector(2), vector(4), vector(-1)])?.[0]).toMatchObject({
      data: Float64Array.of(0),
      scale: 16,
    })
  })
})

test('bits of whole numbers', () => {
  const byte = (value: number) => tensor([1], [value], 'int8')
  expect(numbers('BitwiseNot', [byte(5)])).toEqual([-6])
  expect(numbers('Invert', [tensor([1], [5], 'uint8')])).toEqual([250])
  expect(numbers('BitwiseAnd', [byte(-1), byte(6)])).toEqual([6])
  expect(numbers('BitwiseXor', [byte(5), byte(3)])).toEqual([6])
  expect(numbers('RightShift', [byte(-8), byte(1)])).toEqual([-4])
  expect(numbers('LeftShift', [byte(64), byte(1)])).toEqual([-128])
  expect(numbers('PopulationCount', [tensor([2], [7, 255], 'uint8')])).toEqual([3, 8])
  expect(numbers('PopulationCount', [tensor([3], [-1, -2, 5], 'int16')])).toEqual([16, 15, 2])
  expect(numbers('BitwiseNot', [vector(1)])).toBeUndefined()
})

test('three tensors and more', () => {
  expect(numbers('Select', [vector(1, 0), vector(2, 3), vector(4, 5)])).toEqual([2, 5])
  expect(numbers('ClipByValueV2', [vector(-5, 0, 5), vector(-1), vector(1)])).toEqual([-1, 0, 1])
  expect(numbers('Lerp', [vector(10), vector(20), vector(0.25)])).toEqual([12.5])
  expect(numbers('Addcdiv', [vector(1), vector(6), vector(3), vector(10)])).toEqual([21])
  expect(numbers('FusedMulAdd', [vector(2), vector(3), vector(4)])).toEqual([10])
  expect(numbers('FusedMulAddN', [vector(2, 5), vector(3, 4), vector(4)])).toEqual([11, 24])
  expect(numbers('MaskedFill', [vector(1, 2), vector(0, 1), vector(9)])).toEqual([1, 9])
  expect(numbers('AddN', [[vector(1), vector(2), vector(4)]])).toEqual([7])
  expect(numbers('BiasAdd', [tensor([2, 2], [1, 2, 3, 4]), vector(10, 20)])).toEqual([11, 22, 13, 24])
  expect(numbers('AxpyV2', [vector(1), vector(2), vector(3)])).toEqual([7])
  expect(numbers('IsClose', [vector(1, 1), vector(1.1, 1.01)], {rtol: 0, atol: 0.05, equal_nan: false})).toEqual([0, 1])
  const odd = [vector(1, Infinity, NaN), vector(Infinity, Infinity, NaN)]
  expect(numbers('IsClose', odd, {rtol: 0.1, atol: 0.05, equal_nan: false})).toEqual([0, 1, 0])
})

test('lists: the n-th tensors belong together, and a number may be one for all or one for each', () => {
  const lists = [
    [vector(1), vector(2, 3)],
    [vector(10), vector(20, 30)],
  ]
  const flat = (operator: string, given: Parameters<typeof results>[1]) =>
    results(operator, given)?.map(({data}) => [...data])
  expect(flat('ForeachMulList', lists)).toEqual([[10], [40, 90]])
  expect(flat('ForeachAddList', [...lists, vector(2)])).toEqual([[21], [42, 63]])
  expect(flat('ForeachSubScalar', [lists[0], vector(1)])).toEqual([[0], [1, 2]])
  expect(flat('ForeachMulScalarList', [lists[0], vector(2, 3)])).toEqual([[2], [6, 9]])
  expect(flat('ForeachNeg', [lists[0]])).toEqual([[-1], [-2, -3]])
  expect(flat('ForeachAddcmulScalar', [...lists, lists[0], vector(2)])).toEqual([[21], [82, 183]])
  expect(flat('ForeachLerpScalar', [...lists, vector(0.5)])).toEqual([[5.5], [11, 16.5]])
  expect(flat('ForeachPowScalarAndTensor', [vector(2), lists[0]])).toEqual([[2], [4, 8]])
  expect(flat('ForeachNorm', [[vector(3, 4)], vector(2)])).toEqual([[5]])
  expect(flat('ForeachMulList', [[vector(1)], [vector(1), vector(2)]])).toBeUndefined()
})
