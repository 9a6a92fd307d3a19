import fc from '../../../helpers/properties.ts'
import {describe, expect, test} from 'vitest'
import {decode, encode} from '../../../../datasets/dtype.ts'
import {erf} from '../../../../datasets/special-functions.ts'
import {conversion, roundings} from '../../../../pipelines/ascendcraft/interpret/rounding.ts'
import type {ElementType} from '../../../../pipelines/ascendcraft/language/dtypes.ts'

const floats = ['float32', 'float16', 'bfloat16'] as const
const throughBytes = (value: number, type: (typeof floats)[number]) => decode(encode([value], type), type)[0] as number

/** Values of every size, many of them half-way between two neighbours or at an end of a type. */
const values = fc.oneof(
  fc.double({noNaN: true}),
  fc.float({noNaN: true}),
  fc.double({min: -70_000, max: 70_000, noNaN: true}),
  fc.tuple(fc.integer({min: -4096, max: 4096}), fc.integer({min: -30, max: 20})).map(([n, power]) => n * 2 ** power),
  fc.constantFrom(0, -0, 65_504, 65_519, 65_520, -65_520, 2 ** -24, 2 ** -25, 2 ** -14, 2 ** -126, Infinity, -Infinity),
)

describe.each(floats)('%s', (type) => {
  test('a number becomes what its bytes say', () => {
    fc.assert(
      fc.property(values, (value) => Object.is(roundings[type](value), throughBytes(value, type))),
      {
        numRuns: 2000,
      },
    )
  })

  test('a directed rounding gives the neighbour on its side', () => {
    fc.assert(
      fc.property(values.filter(Number.isFinite), (value) => {
        const from = type === 'float32' ? 'float16' : 'float32'
        const [down, up, cut] = ['floor', 'ceil', 'trunc'].map((mode) => conversion(from, type, mode)(value)) as [
          number,
          number,
          number,
        ]
        expect(down).toBeLessThanOrEqual(value)
        expect(up).toBeGreaterThanOrEqual(value)
        expect(Math.abs(cut)).toBeLessThanOrEqual(Math.abs(value))
        expect(cut === down || cut === up).toBe(true)
        // Nothing of the type lies between the two.
        const nearest = roundings[type](value)
        expect([down, up]).toContain(nearest)
        if (down === up) expect(down).toBe(value)
        else if (Number.isFinite(down) && Number.isFinite(up)) {
          const middle = roundings[type]((down + up) / 2)
          expect(middle === down || middle === up).toBe(true)
        }
      }),
      {numRuns: 2000},
    )
  })

  test('the largest value is where rounding towards zero ends', () => {
    const largest = {float32: (2 - 2 ** -23) * 2 ** 127, float16: 65_504, bfloat16: (2 - 2 ** -7) * 2 ** 127}[type]
    const from = type === 'float32' ? 'float16' : 'float32'
    expect(conversion(from, type, 'trunc')(1e300)).toBe(largest)
    expect(conversion(from, type, 'floor')(1e300)).toBe(largest)
    expect(conversion(from, type, 'ceil')(1e300)).toBe(Infinity)
    expect(conversion(from, type, 'ceil')(-1e300)).toBe(-largest)
    expect(conversion(from, type, 'rint')(-1e300)).toBe(-Infinity)
  })
})

describe('whole numbers', () => {
  const ends = {int32: [-(2 ** 31), 2 ** 31 - 1], int16: [-32_768, 32_767], int8: [-128, 127], uint8: [0, 255]} as const
  test.each(Object.entries(ends))(
    '%s wraps when it is computed with, and stops at its ends when it is cast to',
    (name, [low, high]) => {
      const type = name as keyof typeof ends
      expect([low, high].map(roundings[type])).toEqual([low, high])
      expect(roundings[type](high + 1)).toBe(low)
      expect(roundings[type](low - 1)).toBe(high)
      const cast = conversion('float32', type, 'rint')
      expect([low, high, low - 1, high + 1, -1e20, 1e20].map(cast)).toEqual([low, high, low, high, low, high])
      expect(Object.is(cast(-0), 0)).toBe(true)
      expect(cast(Number.NaN)).toBe(0)
    },
  )

  test.each<[string, number[]]>([
    ['rint', [-2, -2, -1, 0, 0, 0, 1, 2, 2, 3]],
    ['floor', [-3, -2, -2, -1, 0, 0, 0, 1, 2, 2]],
    ['ceil', [-2, -1, -1, 0, 0, 1, 1, 2, 3, 3]],
    ['trunc', [-2, -1, -1, 0, 0, 0, 0, 1, 2, 2]],
  ])('are found by %s', (mode, expected) => {
    const given = [-2.5, -1.6, -1.2, -0.5, 0, 0.5, 0.7, 1.5, 2.5, 2.6]
    expect(given.map(conversion('float32', 'int32', mode))).toEqual(expected)
    // A rounding that is asked for of the same type is one to whole numbers.
    expect(given.map((value) => conversion('float32', 'float32', mode)(value) + 0)).toEqual(expected)
  })

  test('equal types copy', () => {
    expect([0.5, -1.25].map(conversion('float32', 'float32', undefined))).toEqual([0.5, -1.25])
    expect([0.5, -1.25].map(conversion('float32', 'float32', 'none'))).toEqual([0.5, -1.25])
  })

  test('bool is whether there is anything', () => {
    expect([0, -0, 1, 2, -1].map(roundings.bool)).toEqual([0, 0, 1, 1, 1])
    expect([2 ** 40, -3].map(roundings.int64)).toEqual([2 ** 40, -3])
  })
})

test('the error function has the values of its table, and is odd', () => {
  // Abramowitz and Stegun, table 7.1, and beyond.
  const known: [number, number][] = [
    [0, 0],
    [0.1, 0.112462916018285],
    [0.5, 0.520499877813047],
    [1, 0.842700792949715],
    [1.5, 0.966105146475311],
    [2, 0.995322265018953],
    [2.4, 0.999311486103355],
    [2.5, 0.999593047982555],
    [2.6, 0.999763965583471],
    [3, 0.999977909503001],
    [4, 0.999999984582742],
    [5.9, 1],
    [6, 1],
    [7, 1],
    [Infinity, 1],
  ]
  for (const [x, value] of known) {
    expect(erf(x)).toBeCloseTo(value, 13)
    expect(erf(-x)).toBeCloseTo(-value, 13)
  }
  expect(erf(Number.NaN)).toBeNaN()
  // Both ways of computing it meet.
  expect(erf(2.5 - 1e-12)).toBeCloseTo(erf(2.5), 12)
})

describe('conversions, one by one', () => {
  test.each<[ElementType, ElementType, string | undefined, number, number]>([
    // Without a mode: the first that the conversion has.
    ['float32', 'int32', undefined, 2.5, 2],
    ['float32', 'int32', 'rint', 3.5, 4],
    ['float32', 'int32', 'rint', -2.5, -2],
    ['float32', 'int32', 'rint', 2.4, 2],
    ['float32', 'int32', 'rint', 2.6, 3],
    ['float32', 'int32', 'floor', -2.5, -3],
    ['float32', 'int32', 'ceil', 2.1, 3],
    ['float32', 'int32', 'trunc', -2.9, -2],
    // Beyond the ends of a type stand its ends.
    ['float32', 'int32', 'rint', 3e9, 2 ** 31 - 1],
    ['float32', 'int32', 'rint', -3e9, -(2 ** 31)],
    ['float32', 'int16', 'rint', 40_000, 32_767],
    ['float32', 'int16', 'rint', -40_000, -32_768],
    ['float16', 'int8', 'rint', 200, 127],
    ['float16', 'int8', 'rint', -200, -128],
    ['float16', 'uint8', 'rint', 300, 255],
    ['float16', 'uint8', 'rint', -1, 0],
    ['float32', 'int64', 'rint', 1e30, 2 ** 63],
    ['float32', 'int64', 'rint', -1e30, -(2 ** 63)],
    ['float32', 'int32', 'rint', Number.NaN, 0],
    ['float32', 'int32', 'rint', -0.25, 0],
    // Equal types copy, and a mode that is asked for rounds to whole numbers.
    ['float32', 'float32', undefined, 2.5, 2.5],
    ['float32', 'float32', 'none', 2.5, 2.5],
    ['float32', 'float32', 'rint', 2.5, 2],
    ['float32', 'float32', 'ceil', 2.5, 3],
    ['int32', 'int32', undefined, 7, 7],
    // Between floats: to nearest, ties to even, or the neighbour on one side.
    ['float32', 'float16', undefined, 2049, 2048],
    ['float32', 'float16', 'none', 2051, 2052],
    ['float32', 'float16', 'rint', 2051, 2052],
    ['float32', 'float16', 'floor', 2049, 2048],
    ['float32', 'float16', 'ceil', 2049, 2050],
    ['float32', 'float16', 'floor', -2049, -2050],
    ['float32', 'float16', 'ceil', -2049, -2048],
    ['float32', 'float16', 'trunc', 2051, 2050],
    ['float32', 'float16', 'trunc', -2051, -2050],
    ['float32', 'float16', 'floor', 2050, 2050],
    ['float32', 'float16', 'ceil', 65_505, Infinity],
    ['float32', 'float16', 'floor', 65_519, 65_504],
    ['float32', 'float16', 'floor', -65_505, -Infinity],
    ['float32', 'float16', 'trunc', 1e6, 65_504],
    ['float32', 'float16', 'trunc', -1e6, -65_504],
    // Below a power of two the steps are half as large: here below 4, and at the smallest normal value they are not.
    ['float32', 'float16', 'floor', 4 - 2 ** -11, 4 - 2 ** -9],
    ['float32', 'float16', 'trunc', 4 - 2 ** -11, 4 - 2 ** -9],
    ['float32', 'float16', 'ceil', -4 + 2 ** -11, -4 + 2 ** -9],
    ['float32', 'float16', 'floor', 2 ** -14 - 2 ** -26, 2 ** -14 - 2 ** -24],
    ['float32', 'float16', 'ceil', 2 ** -30, 2 ** -24],
    ['float32', 'float16', 'floor', -(2 ** -30), -(2 ** -24)],
    ['float32', 'float16', 'floor', 2 ** -30, 0],
    ['float32', 'float16', 'trunc', 2 ** -25 * 1.5, 0],
    ['float32', 'bfloat16', undefined, 257, 256],
    ['float32', 'bfloat16', 'ceil', 257, 258],
    ['float32', 'bfloat16', 'floor', 259, 258],
    ['int32', 'float32', undefined, 2 ** 24 + 1, 2 ** 24],
    ['int32', 'float32', 'ceil', 2 ** 24 + 1, 2 ** 24 + 2],
    ['int32', 'float32', 'floor', 2 ** 24 + 3, 2 ** 24 + 2],
  ])('%s to %s, %s: %d', (from, to, mode, value, result) => {
    expect(conversion(from, to, mode)(value)).toBe(result)
  })

  test.each<[ElementType, number, number]>([
    ['int32', 2 ** 31, -(2 ** 31)],
    ['int16', 32_768, -32_768],
    ['int16', -32_769, 32_767],
    ['int8', 128, -128],
    ['int8', -129, 127],
    ['int8', 127, 127],
    ['uint8', 256, 0],
    ['uint8', -1, 255],
    ['bool', 0, 0],
    ['bool', -3, 1],
    ['int64', 2 ** 53, 2 ** 53],
    ['float16', 65_519, 65_504],
    ['float16', 65_520, Infinity],
    ['float16', -65_520, -Infinity],
    ['float16', 2 ** -25, 0],
    ['float16', 2 ** -25 * 1.5, 2 ** -24],
    ['float16', 1e300, Infinity],
    ['float16', -1e300, -Infinity],
    ['bfloat16', 1 + 2 ** -8, 1],
    ['bfloat16', 1 + 3 * 2 ** -8, 1 + 2 ** -6],
    ['float32', 16_777_217, 16_777_216],
  ])('an element of %s that is given %d', (type, value, result) => {
    expect(roundings[type](value)).toBe(result)
  })
})
