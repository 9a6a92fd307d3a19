import {describe, expect, test} from 'vitest'
import {readPageResult, type Stated} from '../../../../pipelines/documentation/example-run/page-result.ts'
import {departure, filled, isFarFrom, wholeOf} from '../../../../pipelines/documentation/example-run/stated-values.ts'

const stated = (values: string): Stated => readPageResult(`输出数据dst: ${values}`)![0]!
const found = (...values: number[]) => Float64Array.from(values)

describe('wholeOf', () => {
  test.each([
    ['[3 1 4]', undefined, [3, 1, 4]],
    ['[1 2 3 ... 6]', undefined, [1, 2, 3, 4, 5, 6]],
    ['[8 6 ... 0]', undefined, [8, 6, 4, 2, 0]],
    ['[1 2 ... 4 5 ... 7]', undefined, [1, 2, 3, 4, 5, 6, 7]],
    ['[7 7 ... 7]', 5, [7, 7, 7, 7, 7]],
  ])('%s', (text, count, whole) => {
    expect(wholeOf(stated(text), count)).toEqual(whole)
  })

  test('takes one value before the gap for no constant', () => {
    expect(wholeOf(stated('[7 ... 7]'), 5)).toBeUndefined()
  })

  test('keeps steps of fractions', () => {
    const whole = wholeOf(stated('[-0.02 -0.01 ... 0.02]'), undefined)
    expect(whole?.map((value) => value.toFixed(4))).toEqual(['-0.0200', '-0.0100', '0.0000', '0.0100', '0.0200'])
  })

  test.each([
    ['[7 7 ... 7]', 'a constant of unknown length'],
    ['[1 2 4 ... 16]', 'steps that grow'],
    ['[1 ... 9]', 'one value before the gap'],
    ['[1 2 3 ...]', 'no end'],
    ['[1 3 ... 8]', 'an end beside the way'],
    ['[1 2 ... 5 7]', 'a run with other steps'],
    ['[1 2 ... 0]', 'an end behind the beginning'],
    ['[5.1 -2.2 ... 3.3]', 'no order'],
  ])('%s: %s does not follow', (text) => {
    expect(wholeOf(stated(text), undefined)).toBeUndefined()
  })
})

describe('filled', () => {
  test('keeps what is given at both ends and fills the gap with given values, in two ways', () => {
    const one = filled(stated('[5 -2 ... 9]'), 6, 0)
    const other = filled(stated('[5 -2 ... 9]'), 6, 1)
    for (const values of [one, other]) {
      expect(values).toHaveLength(6)
      expect([values[0], values[1], values[5]]).toEqual([5, -2, 9])
      expect(values.every((value) => [5, -2, 9].includes(value))).toBe(true)
    }
    const longer = [filled(stated('[5 -2 4 1 ... 9]'), 12, 0), filled(stated('[5 -2 4 1 ... 9]'), 12, 1)]
    expect(longer[0]).not.toEqual(longer[1])
  })

  test('fills the room behind what is given', () => {
    expect(filled(stated('[1 2 ... 4]'), 6, 0).slice(0, 4)).toEqual([1, 2, 3, 4])
    expect(filled(stated('[1 2]'), 4, 0)).toHaveLength(4)
  })
})

describe('departure', () => {
  test('is undefined where every given value is found', () => {
    expect(departure(found(1, 2, 3, 4, 99), stated('[1 2 ... 4]'), 'int32')).toBeUndefined()
    expect(departure(found(5, -2, 8, 8, 9, 0), stated('[5 -2 ... 9]'), 'int32')).toBeUndefined()
    expect(departure(found(NaN, Infinity), stated('[-nan inf]'), 'float32')).toBeUndefined()
  })

  test('is the first place that differs, in a gap that follows too', () => {
    expect(departure(found(1, 2, 7, 4), stated('[1 2 ... 4]'), 'int32')).toBe(2)
    expect(departure(found(1, 2), stated('[1 2 ... 4]'), 'int32')).toBe(2)
    expect(departure(found(0, Infinity), stated('[-nan inf]'), 'float32')).toBe(0)
  })

  test('is -1 where the end is nowhere', () => {
    expect(departure(found(5, -2, 8, 8), stated('[5 -2 ... 9]'), 'int32')).toBe(-1)
    expect(departure(found(5, -2), stated('[5 -2 ... 5 -2]'), 'int32')).toBe(-1)
  })

  test('allows what the writing leaves out and the last places of a type, no more', () => {
    expect(departure(found(2.7185), stated('[2.719]'), 'float32')).toBeUndefined()
    expect(departure(found(2.7165), stated('[2.719]'), 'float32')).toBe(0)
    expect(departure(found(1026), stated('[1024.]'), 'float16')).toBeUndefined()
    expect(departure(found(1027), stated('[1024.]'), 'float16')).toBe(0)
    expect(departure(found(11), stated('[10]'), 'int16')).toBe(0)
  })
})

test('isFarFrom takes no other way to compute a function for another result', () => {
  const written = (text: string) => stated(text).runs[0]![0]!
  expect(isFarFrom(-0.01294, written('[-0.01295471]'))).toBe(false)
  expect(isFarFrom(11, written('[10]'))).toBe(true)
  expect(isFarFrom(NaN, written('[10]'))).toBe(true)
  expect(isFarFrom(NaN, written('[nan]'))).toBe(false)
})

describe('values at their limits', () => {
  test('a progression has 65,536 steps at the most, and goes one way', () => {
    expect(wholeOf(stated('[0 1 ... 65535]'), undefined)).toHaveLength(65_536)
    expect(wholeOf(stated('[0 1 ... 65536]'), undefined)).toBeUndefined()
    expect(wholeOf(stated('[3 3 ... 4]'), undefined)).toBeUndefined()
    expect(wholeOf(stated('[1 2 ... 1]'), undefined)).toBeUndefined()
    expect(wholeOf(stated('[1 2 ... 2 3]'), undefined)).toBeUndefined()
    expect(wholeOf(stated('[1 2 ... 4 6 ... 8]'), undefined)).toBeUndefined()
    expect(wholeOf(stated('[10 20 ... 30.0001 ... 50]'), undefined)).toBeUndefined()
    expect(wholeOf(stated('[0 1000000 ... 2000000.5 ... 4000000]'), undefined)).toEqual([0, 1e6, 2e6, 3e6, 4e6])
    expect(wholeOf(stated('[7 7 ... 7]'), 3)).toEqual([7, 7, 7])
    expect(wholeOf(stated('[7 7 ... 7]'), 2)).toEqual([7, 7, 7])
    expect(wholeOf(stated('[7 7 ...]'), 5)).toBeUndefined()
  })

  test('what is filled in comes from the given values in turn, other ones each way', () => {
    expect(filled(stated('[5 -2 4 ... 9]'), 8, 0)).toEqual([5, -2, 4, 5, -2, 4, 9, 9])
    expect(filled(stated('[5 -2 4 ... 9]'), 8, 1)).toEqual([5, -2, 4, 9, 5, -2, 4, 9])
    expect(filled(stated('[5 -2 4 ...]'), 6, 0)).toEqual([5, -2, 4, -2, 4, 5])
    expect(filled(stated('[5 -2 ... 1 ... 9 3]'), 8, 0).slice(-2)).toEqual([9, 3])
    expect(filled(stated('[1 2 3]'), 3, 0)).toEqual([1, 2, 3])
    expect(filled(stated('[1 2 3]'), 5, 0)).toEqual([1, 2, 3, 2, 3])
    expect(filled(stated('[7 7 ... 7]'), 4, 1)).toEqual([7, 7, 7, 7])
  })

  test('what is found departs at the first place that differs', () => {
    const at = (values: string, ...result: number[]) => departure(found(...result), stated(values), 'float32')
    expect([at('[1 2 3]', 1, 2, 3), at('[1 2 3]', 1, 5, 3), at('[1 2 3]', 1, 2), at('[1 2 3]', 1, 2, 3, 4)]).toEqual([
      undefined,
      1,
      2,
      undefined,
    ])
    expect([
      at('[5 -2 ... 9]', 5, -2, 1, 9),
      at('[5 -2 ... 9]', 5, -2, 9),
      at('[5 -2 ... 9]', 5, -2, 1),
      at('[5 -2 ... 9 8]', 5, -2, 9, 1, 9, 8),
    ]).toEqual([undefined, undefined, -1, undefined])
    expect([at('[5 -2 ...]', 5, -2), at('[5 -2 ... 9]', 9, -2, 9)]).toEqual([undefined, 0])
    expect([at('[1 2 ... 4]', 1, 2, 3, 4), at('[1 2 ... 4]', 1, 2, 4, 4)]).toEqual([undefined, 2])
    expect([at('[nan inf]', NaN, Infinity), at('[nan inf]', 1, Infinity), at('[nan inf]', NaN, -Infinity)]).toEqual([
      undefined,
      0,
      1,
    ])
    // What its writing leaves out, and a ten-thousandth of it.
    expect([
      at('[100.5]', 100.6),
      at('[100.5]', 100.4),
      at('[100.5]', 100.62),
      at('[10000]', 10_001),
      at('[10000]', 10_001.1),
      at('[10000]', 9999),
    ]).toEqual([undefined, undefined, 0, undefined, 0, undefined])
    // A unit in the last place of 2048 is 2 in half precision.
    expect([2052, 2053, 2044, 2043].map((value) => departure(found(value), stated('[2048]'), 'float16'))).toEqual([
      undefined,
      0,
      undefined,
      0,
    ])
  })

  test('a value is far off by a fiftieth of it and a unit of its writing', () => {
    const isFar = (value: number, text: string) => isFarFrom(value, stated(`[${text}]`).runs[0]![0]!)
    expect([
      isFar(102, '100'),
      isFar(102.1, '100'),
      isFar(98, '100'),
      isFar(97.9, '100'),
      isFar(102.6, '100.5'),
      isFar(102.7, '100.5'),
    ]).toEqual([false, true, false, true, false, true])
    expect([
      isFar(NaN, 'nan'),
      isFar(1, 'nan'),
      isFar(Infinity, 'inf'),
      isFar(-Infinity, 'inf'),
      isFar(NaN, '1'),
    ]).toEqual([false, true, false, true, true])
  })
})
