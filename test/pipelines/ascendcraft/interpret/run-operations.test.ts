import {describe, expect, test} from 'vitest'
import type {ElementType} from '../../../../pipelines/ascendcraft/language/dtypes.ts'
import type {Local, View} from '../../../../pipelines/ascendcraft/interpret/core-memory.ts'
import {erf} from '../../../../datasets/special-functions.ts'
import {maskUnit, operations} from '../../../../pipelines/ascendcraft/interpret/run-operations.ts'

/** A buffer that begins with two elements that do not belong to the operand. */
function operand(values: readonly number[], type: ElementType = 'float32', size = values.length): View {
  const local: Local = {
    name: 'b',
    type,
    values: new Float64Array(size + 3).fill(99),
    written: new Uint8Array(size + 3).fill(1),
  }
  local.values.set(values, 2)
  return {local, start: 2}
}

interface Given {
  type?: ElementType
  scalar?: number
  index?: number
  count?: number
  mode?: string
  round?: string
  /** What stands in the destination before. */
  before?: readonly number[]
  /** Types of the operands where they differ. */
  types?: readonly ElementType[]
}

/** What an operation leaves in its destination, the elements before and behind included. */
function run(name: keyof typeof operations, sources: readonly (readonly number[])[], given: Given = {}): number[] {
  const {type = 'float32', scalar = 0, index = 0, mode, round, types = []} = given
  const count = given.count ?? sources[0]?.length ?? 1
  const before = given.before ?? new Array(count).fill(0)
  const views = [before, ...sources].map((values, at) => operand(values, types[at] ?? type))
  operations[name]({views, scalar, index, count, mode, round})
  const [dst] = views
  const all = [...dst!.local.values]
  expect(all.slice(0, 2), 'before the destination').toEqual([99, 99])
  expect(all.at(-1), 'behind the destination').toBe(99)
  return all.slice(2, -1)
}

describe('an operation of one source', () => {
  test.each<[keyof typeof operations, number[], number[], Given?]>([
    ['exp', [0, 1], [1, Math.fround(Math.E)]],
    ['ln', [1, 2], [0, Math.fround(Math.LN2)]],
    ['sqrt', [9, 2], [3, Math.fround(Math.SQRT2)]],
    ['abs', [-2, 3], [2, 3]],
    ['reciprocal', [4, -3], [0.25, Math.fround(-1 / 3)]],
    ['relu', [-1, 0, 2], [0, 0, 2]],
    ['tanh', [0, 1], [0, Math.fround(Math.tanh(1))]],
    ['erf', [0, 1], [0, Math.fround(0.8427007929497149)]],
    ['sigmoid', [0, 1, -1], [0.5, Math.fround(0.7310585786300049), Math.fround(0.2689414213699951)]],
    ['copy', [1.5, -2], [1.5, -2]],
    ['adds', [1, 2], [1.5, 2.5], {scalar: 0.5}],
    ['subs', [1, 2], [0.5, 1.5], {scalar: 0.5}],
    ['muls', [1, 2], [3, 6], {scalar: 3}],
    // Times the reciprocal, which is rounded first.
    ['divs', [9, 5], [Math.fround(9 * Math.fround(1 / 3)), Math.fround(5 * Math.fround(1 / 3))], {scalar: 3}],
    ['divs', [11], [0.99951171875], {scalar: 11, type: 'float16'}],
    ['maxs', [1, 5], [3, 5], {scalar: 3}],
    ['mins', [1, 5], [1, 3], {scalar: 3}],
    ['leaky_relu', [-2, 0, 2], [-0.5, 0, 2], {scalar: 0.25}],
    ['axpy', [1, 2], [13, 26], {scalar: 3, before: [10, 20]}],
    // Rounded to the type of the destination, once.
    ['adds', [2048], [2048], {scalar: 1, type: 'float16'}],
    ['adds', [2 ** 31 - 1], [-(2 ** 31)], {scalar: 1, type: 'int32'}],
    ['adds', [32_767], [-32_768], {scalar: 1, type: 'int16'}],
    ['axpy', [1], [2048], {scalar: 1, before: [2048], type: 'float16'}],
    ['muls', [1, 2, 3], [2, 4, 0], {scalar: 2, count: 2, before: [0, 0, 0]}],
    ['cast', [1.5, 2.5, -2.5], [2, 2, -2], {types: ['int32', 'float32']}],
    ['cast', [1.5, 2.5, -2.5], [1, 2, -3], {types: ['int32', 'float32'], round: 'floor'}],
  ])('%s %j', (name, source, result, given) => {
    expect(run(name, [source], given)).toEqual(result)
  })
})

describe('an operation of two sources', () => {
  test.each<[keyof typeof operations, number[], number[], number[], Given?]>([
    ['add', [1, 2], [10, 20], [11, 22]],
    ['sub', [1, 2], [10, 20], [-9, -18]],
    ['mul', [1, 2], [10, 20], [10, 40]],
    ['div', [1, 2], [10, 8], [Math.fround(0.1), 0.25]],
    ['max', [1, 20], [10, 2], [10, 20]],
    ['min', [1, 20], [10, 2], [1, 2]],
    ['mul_add', [1, 2], [10, 20], [15, 46], {before: [5, 6]}],
    ['add', [2 ** 24], [1], [2 ** 24]],
    // The low 32 bits of a product that a double does not hold.
    ['mul', [2 ** 31 - 1], [2 ** 31 - 1], [1], {type: 'int32'}],
    ['mul', [300], [300], [24_464], {type: 'int16'}],
    ['mul', [300], [300], [90_000], {type: 'float32'}],
    ['add', [1, 2, 3], [1, 1, 1], [2, 3, 0], {count: 2, before: [0, 0, 0]}],
    ['gather', [1, 2, 3], [8, 0, 4], [3, 1, 2], {types: ['float32', 'float32', 'int32']}],
    ['gather', [1, 2, 3], [4, 2, 0], [3, 2, 1], {types: ['float16', 'float16', 'int32']}],
  ])('%s %j %j', (name, a, b, result, given) => expect(run(name, [a, b], given)).toEqual(result))
})

describe('comparisons give a bit an element, and the mask of a whole repeat is written', () => {
  const a = [1, 2, 3, 1, 2, 3, 1, 2, 3]
  const b = [2, 2, 2, 2, 2, 2, 2, 2, 2]
  const mask = {before: new Array(8).fill(7), types: ['uint8'] as const, count: 9}
  test.each<[string, number, number]>([
    ['lt', 0b01001001, 0],
    ['le', 0b11011011, 0],
    ['gt', 0b00100100, 1],
    ['ge', 0b10110110, 1],
    ['eq', 0b10010010, 0],
    ['ne', 0b01101101, 1],
  ])('%s', (mode, first, second) => {
    const bytes = [first, second, 0, 0, 0, 0, 0, 0]
    expect(run('compare', [a, b], {...mask, mode})).toEqual(bytes)
    expect(run('compares', [a], {...mask, mode, scalar: 2})).toEqual(bytes)
  })

  test('a repeat is 256 bytes', () => {
    expect((['float32', 'float16', 'int16', 'int64'] as const).map(maskUnit)).toEqual([64, 128, 128, 32])
    const long = new Array(65).fill(1)
    const bytes = run('compares', [long], {...mask, before: new Array(17).fill(7), count: 65, mode: 'gt', scalar: 0})
    expect(bytes).toEqual([...new Array(8).fill(255), 1, 0, 0, 0, 0, 0, 0, 0, 7])
  })
})

test('a selection takes the first where the bit is set', () => {
  const bits = [0b00000101, 0b1]
  const a = [1, 2, 3, 4, 5, 6, 7, 8, 9]
  const b = a.map((value) => -value)
  const types = ['float32', 'uint8', 'float32', 'float32'] as const
  const chosen = [1, -2, 3, -4, -5, -6, -7, -8, 9]
  expect(run('select', [bits, a, b], {types, count: 9})).toEqual(chosen)
  expect(run('selects', [bits, a], {types, count: 9, scalar: 0})).toEqual([1, 0, 3, 0, 0, 0, 0, 0, 9])
})

describe('a reduction', () => {
  test.each<[keyof typeof operations, number[], number, Given?]>([
    ['reduce_sum', [1, 2, 3, 4, 5], 15],
    ['reduce_max', [1, 5, 3], 5],
    ['reduce_min', [4, 5, 3], 3],
    ['reduce_sum', [7], 7],
    // Neighbours first: 2048 + 1 is 2048 in float16, but 1 + 1 is 2.
    ['reduce_sum', [2048, 0, 1, 1], 2050, {type: 'float16'}],
    ['reduce_sum', [2048, 1, 0, 1], 2048, {type: 'float16'}],
    ['reduce_sum', [1, 2, 3], 3, {count: 2}],
  ])('%s %j', (name, source, result, given) => {
    const before = source.map(() => -1)
    expect(run(name, [source], {count: source.length, ...given, before})).toEqual([result, ...before.slice(1)])
  })

  test('goes from one repeat of 256 bytes to the next', () => {
    // 64 elements of float32 are a repeat: the sum of the second is 2, and what is added then is not lost.
    const source = [2 ** 24, ...new Array(63).fill(0), 1, 1]
    expect(run('reduce_sum', [source], {before: [0]})).toEqual([2 ** 24 + 2])
    // In one repeat with the large one each of them is lost.
    expect(run('reduce_sum', [[2 ** 24, 1, 1, 0]], {before: [0]})).toEqual([2 ** 24])
    const halves = [2048, ...new Array(127).fill(0), 1, 1]
    expect(run('reduce_sum', [halves], {before: [0], type: 'float16'})).toEqual([2050])
  })
})

test('what makes its elements itself', () => {
  expect(run('duplicate', [], {scalar: 3, count: 2, before: [0, 0, 0]})).toEqual([3, 3, 0])
  expect(run('arange', [], {scalar: 3, count: 3, before: [0, 0, 0, 0], type: 'int32'})).toEqual([3, 4, 5, 0])
  expect(run('arange', [], {scalar: 2 ** 24, count: 2, before: [0, 0]})).toEqual([2 ** 24, 2 ** 24])
  expect(run('set', [], {scalar: 3, index: 1, before: [0, 0, 0]})).toEqual([0, 3, 0])
})

test('the error function, as tables have it', () => {
  const known: [number, number][] = [
    [0, 0],
    [0.01, 0.011283415555849616],
    [0.5, 0.5204998778130465],
    [1, 0.8427007929497149],
    [2, 0.9953222650189527],
    [2.4, 0.999311486103355],
    [2.499, 0.9995908642442554],
    [2.5, 0.999593047982555],
    [3, 0.9999779095030014],
    [5, 0.9999999999984626],
    [5.5, 0.9999999999999927],
    [6.5, 1],
    [Infinity, 1],
  ]
  for (const [x, value] of known) {
    expect(Math.abs(erf(x) - value), `erf(${x})`).toBeLessThanOrEqual(3e-15 * value)
    expect(erf(-x)).toBe(-erf(x))
  }
  expect(erf(Number.NaN)).toBeNaN()
  // Where its two formulas meet they agree.
  expect(Math.abs(erf(2.5 - 1e-12) - erf(2.5 + 1e-12))).toBeLessThan(1e-14)
})
