import {f16round} from '@petamoriken/float16'
import {describe, expect, test} from 'vitest'
import {
  decode,
  encode,
  exponentRange,
  isInteger,
  largestOf,
  roundTo,
  unitInLastPlace,
  valueRange,
} from '../../datasets/dtype.ts'
import {randomFrom} from '../../engine/random.ts'
import type {Dtype} from '../../datasets/schema/tensor.ts'

const bits16 = (values: number[], dtype: 'float16' | 'bfloat16') => [...new Uint16Array(encode(values, dtype).buffer)]

describe('float16', () => {
  test('rounds ties to even and overflows to infinity', () => {
    expect([...roundTo([2049, 2051, 65519.99, 65520, -65520, 2 ** -24, 2 ** -25, 1.5 * 2 ** -25], 'float16')]).toEqual([
      2048,
      2052,
      65504,
      Infinity,
      -Infinity,
      2 ** -24,
      0,
      2 ** -24,
    ])
  })
  test('does not round twice', () => {
    // Just above the tie between 1 and 1 + 2^-10: float32 would hide the excess and the tie would go to even.
    expect(roundTo([1 + 2 ** -11 + 2 ** -40], 'float16')[0]).toBe(1 + 2 ** -10)
  })
})

describe('float16, against the library', () => {
  test('rounds doubles of all magnitudes, and both neighbours of every tie, as f16round does', () => {
    const random = randomFrom('float16')
    const values = Array.from({length: 100_000}, () => (random.unit() - 0.5) * 2 ** random.integer(-30, 18))
    const halves = decode(new Uint8Array(Uint16Array.from({length: 0x7bff}, (_, bits) => bits).buffer), 'float16')
    for (const [index, value] of halves.entries()) {
      const tie = (value + (halves[index + 1] ?? 65504)) / 2
      values.push(value, -value, tie, -tie, tie * (1 + 2 ** -50), tie * (1 - 2 ** -50))
    }
    const rounded = roundTo(values, 'float16')
    expect(values.filter((value, index) => !Object.is(rounded[index], f16round(value)))).toEqual([])
  })
})

describe('bfloat16', () => {
  test('rounds ties to even', () => {
    expect(bits16([1, 1 + 2 ** -8, 1 + 3 * 2 ** -8, -1 - 2 ** -8], 'bfloat16')).toEqual([
      0x3f80, 0x3f80, 0x3f82, 0xbf80,
    ])
  })
  test('does not round twice', () => {
    expect(bits16([1 + 2 ** -8 + 2 ** -40, 1 + 2 ** -8 - 2 ** -40], 'bfloat16')).toEqual([0x3f81, 0x3f80])
  })
  test('keeps zeros, infinities and NaN apart', () => {
    expect(bits16([0, -0, Infinity, -Infinity, NaN, 3.4e38, 1e39, 2 ** -133], 'bfloat16')).toEqual([
      0, 0x8000, 0x7f80, 0xff80, 0x7fc0, 0x7f80, 0x7f80, 1,
    ])
  })
  test('survives a round trip over all finite bit patterns', () => {
    const all = Uint16Array.from({length: 65536}, (_, index) => index).filter((bits) => (bits & 0x7f80) !== 0x7f80)
    const values = decode(new Uint8Array(all.buffer), 'bfloat16')
    expect(bits16([...values], 'bfloat16')).toEqual([...all])
  })
})

test('int64 is exact up to 2^53', () => {
  const values = [2 ** 53, -(2 ** 53), 2 ** 53 - 1, -1]
  expect([...roundTo(values, 'int64')]).toEqual(values)
  expect(encode([-1], 'int64')).toEqual(new Uint8Array(8).fill(255))
})

test('an integer dtype refuses fractions and overflow instead of wrapping', () => {
  expect(() => encode([0.5], 'int32')).toThrow('element 0: 0.5 is not a int32')
  expect(() => encode([0, 256], 'uint8')).toThrow('element 1: 256 is not a uint8 (an integer in [0, 255])')
})

test('complex64 is two float32 an element', () => {
  expect([...decode(encode([1.5, -2], 'complex64'), 'complex64')]).toEqual([1.5, -2])
  expect(encode([1, 2], 'complex64').length).toBe(8)
})

test('reads elements at an odd offset of a larger buffer', () => {
  const bytes = new Uint8Array([9, ...encode([1.5, 2.5], 'float32')])
  expect([...decode(bytes.subarray(1), 'float32')]).toEqual([1.5, 2.5])
})

test('unitInLastPlace follows the exponent and stops at subnormals', () => {
  expect(unitInLastPlace(1, 'float16')).toBe(2 ** -10)
  expect(unitInLastPlace(-3, 'bfloat16')).toBe(2 ** -6)
  expect(unitInLastPlace(0, 'float16')).toBe(2 ** -24)
  expect(unitInLastPlace(1e-7, 'float16')).toBe(2 ** -24)
  expect(unitInLastPlace(5, 'int32')).toBe(0)
})

test.each<[Dtype, low: number, high: number, next: number]>([
  ['int8', -128, 127, 1],
  ['uint8', 0, 255, 1],
  ['int16', -32768, 32767, 1],
  ['uint16', 0, 65535, 1],
  ['int32', -2147483648, 2147483647, 1],
  ['uint32', 0, 4294967295, 1],
  ['int64', -9007199254740992, 9007199254740992, 2],
  ['uint64', 0, 9007199254740992, 2],
  ['bool', 0, 1, 1],
])('%s holds every integer from %d to %d, and no further one', (dtype, low, high, next) => {
  expect(isInteger(dtype)).toBe(true)
  expect(valueRange(dtype)).toEqual([low, high])
  expect([...roundTo([low, high, 1], dtype)]).toEqual([low, high, 1])
  expect(() => encode([low - next], dtype)).toThrow(`is not a ${dtype} (an integer in [${low}, ${high}])`)
  expect(() => encode([high + next], dtype)).toThrow(`is not a ${dtype} (an integer in [${low}, ${high}])`)
  expect(unitInLastPlace(1, dtype)).toBe(0)
})

test('elements are little-endian', () => {
  const bytes = (value: number, dtype: Dtype) => [...encode([value], dtype)]
  expect(bytes(1.5, 'float16')).toEqual([0, 0x3e])
  expect(bytes(1.5, 'bfloat16')).toEqual([0xc0, 0x3f])
  expect(bytes(1.5, 'float32')).toEqual([0, 0, 0xc0, 0x3f])
  expect(bytes(1.5, 'complex64')).toEqual([0, 0, 0xc0, 0x3f])
  expect(bytes(1.5, 'float64')).toEqual([0, 0, 0, 0, 0, 0, 0xf8, 0x3f])
  expect(bytes(-2, 'int16')).toEqual([0xfe, 0xff])
  expect(bytes(258, 'uint16')).toEqual([2, 1])
  expect(bytes(258, 'int32')).toEqual([2, 1, 0, 0])
  expect(bytes(258, 'uint32')).toEqual([2, 1, 0, 0])
  expect(bytes(258, 'int64')).toEqual([2, 1, 0, 0, 0, 0, 0, 0])
  expect(bytes(258, 'uint64')).toEqual([2, 1, 0, 0, 0, 0, 0, 0])
  for (const dtype of ['float16', 'bfloat16', 'float32', 'float64', 'int16', 'uint16', 'int32', 'uint32'] as const)
    expect([...roundTo([3, 258], dtype)], dtype).toEqual([3, 258])
})

test.each<[Dtype, largest: number, smallest: number, highest: number, step: number]>([
  ['float16', 65504, -14, 15, 2 ** -10],
  ['bfloat16', 3.3895313892515355e38, -126, 127, 2 ** -7],
  ['float32', 3.4028234663852886e38, -126, 127, 2 ** -23],
  ['float64', Number.MAX_VALUE, -1022, 1023, Number.EPSILON],
  ['complex64', 3.4028234663852886e38, -126, 127, 2 ** -23],
])('%s ends at %d; its exponents go from %d to %d; next to one it steps by %d', (dtype, largest, low, high, step) => {
  expect(isInteger(dtype)).toBe(false)
  expect(valueRange(dtype)).toEqual([-Infinity, Infinity])
  expect(largestOf(dtype)).toBe(largest)
  expect(exponentRange(dtype)).toEqual([low, high])
  expect(unitInLastPlace(1, dtype)).toBe(step)
  expect(unitInLastPlace(-1.99, dtype)).toBe(step)
  expect(unitInLastPlace(2, dtype)).toBe(2 * step)
  expect(unitInLastPlace(0, dtype)).toBe(2 ** low * step)
  expect(unitInLastPlace(2 ** low, dtype)).toBe(2 ** low * step)
  expect(unitInLastPlace(2 ** (low + 1), dtype)).toBe(2 ** (low + 1) * step)
  expect(unitInLastPlace(Infinity, dtype)).toBe(0)
  expect(unitInLastPlace(NaN, dtype)).toBe(0)
})

test('a buffer that ends inside an element holds as many as are whole', () => {
  expect([...decode(new Uint8Array([0, 0, 0xc0, 0x3f, 1, 2]), 'float32')]).toEqual([1.5])
})

test('the largest float16 is not infinite, and half a step past it is', () => {
  expect(bits16([65504, 65519, 65520, 1e6, -1e300], 'float16')).toEqual([0x7bff, 0x7bff, 0x7c00, 0x7c00, 0xfc00])
  expect(bits16([NaN, 2 ** -14, 2 ** -14 - 2 ** -25, 0, -0], 'float16')).toEqual([0x7e00, 0x400, 0x400, 0, 0x8000])
})
