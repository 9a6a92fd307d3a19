import {describe, expect, test} from 'vitest'
import {compareHardened, compareLiteral, oddBool} from '../../eval/compare.ts'
import {encode, roundTo} from '../../datasets/dtype.ts'
import type {Dtype} from '../../datasets/schema/tensor.ts'

const f64 = (...values: number[]) => Float64Array.from(values)

describe("the benchmark's literal rule", () => {
  test('passes an element when only one of both errors is past its limit', () => {
    expect(compareLiteral(f64(1000), f64(1000.5)).ok).toBe(true) // abs 0.5, rel 5e-4
    expect(compareLiteral(f64(1e-5), f64(5e-4)).ok).toBe(true) // abs 4.9e-4, rel 48
    expect(compareLiteral(f64(1), f64(1.01)).ok).toBe(false)
  })
  test('fails any value that is not finite, even where the reference agrees', () => {
    expect(compareLiteral(f64(Infinity, 1), f64(Infinity, 1)).ok).toBe(false)
    expect(compareLiteral(f64(1, 2), f64(1, NaN)).ok).toBe(false)
  })
  test('looks only at as many elements as both sides have', () => {
    expect(compareLiteral(f64(1, 2, 3), f64(1, 2)).ok).toBe(true)
  })
  test('names the worst element', () => {
    expect(compareLiteral(f64(1, 1, 1), f64(1, 2, 1.5))).toMatchObject({
      ok: false,
      worstAbsolute: 1,
      worst: {index: 1, seen: 2, expected: 1},
      reason: 'element 1 is 2, expected 1 (abs > 0.001 and rel > 0.001)',
    })
  })
})

describe('the hardened rule', () => {
  const compare = (dtype: Dtype, expected: number[], seen: number[]) =>
    compareHardened({name: 'y', dtype, shape: [expected.length]}, roundTo(expected, dtype), encode(seen, dtype))

  test('accepts NaN and infinities exactly where they are expected', () => {
    expect(compare('float32', [NaN, Infinity, 1], [NaN, Infinity, 1]).ok).toBe(true)
    expect(compare('float32', [NaN, 1], [1, NaN]).ok).toBe(false)
    expect(compare('float32', [Infinity], [-Infinity]).ok).toBe(false)
    expect(compare('float32', [1, 2], [1, NaN])).toMatchObject({ok: false, worst: {index: 1}, worstAbsolute: null})
  })
  test('float32 values that were rounded to float16 on the way are told, which the literal rule lets pass', () => {
    for (const size of [1e-2, 1, 100]) {
      const right = Array.from({length: 64}, (_, at) => size * Math.sin(1 + at))
      const rounded = roundTo(right, 'float16')
      expect(compare('float32', right, [...rounded]).ok, String(size)).toBe(false)
      expect(compare('float32', right, [...roundTo(right, 'float32')]).ok).toBe(true)
      expect(compareLiteral(f64(...right), rounded).ok).toBe(true)
    }
  })
  test('an expected infinity loosens no limit of the values beside it', () => {
    // 5e-5 is past 1e-4 of the largest finite value, 1e-3, and past 1e-4 of the value itself.
    expect(compare('float32', [1e-3], [1.05e-3]).ok).toBe(false)
    for (const infinite of [Infinity, -Infinity])
      expect(compare('float32', [infinite, 1e-3], [infinite, 1.05e-3]).ok, String(infinite)).toBe(false)
  })
  test('takes a value past the largest one for infinite within the tolerance, and no smaller one', () => {
    expect(compare('float16', [65504, 1], [Infinity, 1]).ok).toBe(true)
    expect(compare('float16', [Infinity], [65504]).ok).toBe(true)
    expect(compare('float16', [-65440], [-Infinity]).ok).toBe(true)
    expect(compare('float16', [-65504], [Infinity]).ok).toBe(false)
    expect(compare('float16', [64000], [Infinity]).ok).toBe(false)
    expect(compare('float32', [3e38], [Infinity]).ok).toBe(false)
  })
  test('takes zero for what is below the smallest normal number, but not in float16', () => {
    expect(compare('float32', [1e-39, -3e-40], [0, 0]).ok).toBe(true)
    expect(compare('bfloat16', [1e-39], [0]).ok).toBe(true)
    expect(compare('float32', [1e-37], [0]).ok).toBe(false)
    expect(compare('float32', [1e-39], [1e-37]).ok).toBe(false)
    expect(compare('float16', [4e-5], [0]).ok).toBe(false)
  })
  test('refutes zeros where all outputs are small, which the literal rule lets pass', () => {
    const expected = [4e-6, 2e-6, 1e-6]
    expect(compareLiteral(f64(...expected), f64(0, 0, 0)).ok).toBe(true)
    expect(compare('float32', expected, [0, 0, 0]).ok).toBe(false)
  })
  test('allows one unit in the last place of the dtype and not an error of two percent', () => {
    expect(compare('bfloat16', [1], [1 + 2 ** -7]).ok).toBe(true)
    expect(compare('bfloat16', [1], [1.03]).ok).toBe(false)
    expect(compare('float16', [6e-8], [1.2e-7]).ok).toBe(true)
  })
  test('names the bool that is neither 0 nor 1', () => {
    expect(oddBool({name: 'y', dtype: 'bool', shape: [3]}, Uint8Array.from([0, 1, 254]))).toBe(
      'y: element 2 is 254, a bool that is neither 0 nor 1',
    )
    expect(oddBool({name: 'y', dtype: 'bool', shape: [2]}, Uint8Array.from([0, 1]))).toBeUndefined()
    expect(oddBool({name: 'y', dtype: 'uint8', shape: [1]}, Uint8Array.from([254]))).toBeUndefined()
  })
  test('asks for equality of integers and for a bool of 0 or 1', () => {
    expect(compare('int32', [1000000], [1000001]).ok).toBe(false)
    expect(compare('int32', [7, -7], [7, -7]).ok).toBe(true)
    const seen = new Uint8Array([1, 254])
    expect(compareHardened({name: 'y', dtype: 'bool', shape: [2]}, f64(1, 1), seen).reason).toContain('neither 0 nor 1')
  })
  test('asks for the exact length', () => {
    const result = compareHardened({name: 'y', dtype: 'float32', shape: [3]}, f64(1, 2, 3), encode([1, 2], 'float32'))
    expect(result).toMatchObject({ok: false, reason: '2 elements where 3 are expected'})
  })
  test('takes a stated tolerance as it stands', () => {
    const spec = {name: 'y', dtype: 'float32' as const, shape: [1]}
    const stated = {absolute: 0.1, relative: 0.1}
    expect(compareHardened(spec, f64(0.01), encode([0.05], 'float32'), stated).ok).toBe(true)
    expect(compareHardened(spec, f64(1), encode([1.2], 'float32'), stated).ok).toBe(false)
  })
  test('passes an empty output', () => {
    expect(compareHardened({name: 'y', dtype: 'float32', shape: [0]}, f64(), new Uint8Array()).ok).toBe(true)
  })
})

describe('the limits of the hardened rule, to the last step', () => {
  const compare = (dtype: Dtype, expected: number[], seen: number[], stated?: {absolute: number; relative: number}) =>
    compareHardened(
      {name: 'y', dtype, shape: [dtype === 'complex64' ? expected.length / 2 : expected.length]},
      Float64Array.from(expected),
      encode(seen, dtype),
      stated,
    )

  test.each<[Dtype, relative: number, absolute: number]>([
    ['float16', 2e-3, 1e-3],
    ['bfloat16', 1.6e-2, 4e-3],
    ['float32', 1e-4, 1e-4],
    ['float64', 1e-9, 1e-9],
    ['complex64', 1e-4, 1e-4],
  ])('%s: relative %f, absolute %f of the largest expected magnitude', (dtype, relative, absolute) => {
    // Beside a value of 0.5 the absolute limit is half of what it is beside 1 or more.
    const beside = (largest: number, share: number) => {
      const small = absolute / 64
      return compare(dtype, [largest, small], [largest, small + share * absolute]).ok
    }
    expect(beside(1, 0.9)).toBe(true)
    expect(beside(1, 1.1)).toBe(false)
    expect(beside(4, 0.9)).toBe(true)
    expect(beside(4, 1.1)).toBe(false)
    expect(beside(0.5, 0.45)).toBe(true)
    expect(beside(0.5, 0.55)).toBe(false)
    expect(compare(dtype, [256, 1], [256 * (1 + 0.7 * relative), 1]).ok).toBe(true)
    expect(compare(dtype, [256, 1], [256 * (1 + 1.6 * relative), 1]).ok).toBe(false)
  })
  test('an error of exactly the limit passes, the next value does not', () => {
    const stated = {absolute: 0.5, relative: 0.25}
    expect(compare('float32', [1], [1.5], stated).ok).toBe(true)
    expect(compare('float32', [1], [1.5 + 2 ** -20], stated).ok).toBe(false)
    expect(compare('float32', [8], [10], stated).ok).toBe(true)
    expect(compare('float32', [8], [10 + 2 ** -20], stated).ok).toBe(false)
    expect(compareLiteral(f64(1), f64(1.5), stated).ok).toBe(true)
    expect(compareLiteral(f64(1), f64(1.5 + 2 ** -20), stated).ok).toBe(false)
  })
  test('integers may differ where a tolerance is stated, and only there', () => {
    expect(compare('int32', [100], [101]).ok).toBe(false)
    expect(compare('int32', [100], [101], {absolute: 1, relative: 0}).ok).toBe(true)
    expect(compare('int32', [100], [102], {absolute: 1, relative: 0}).ok).toBe(false)
    expect(compare('int32', [100], [102]).reason).toBe('element 0 is 102, expected 100 (integers must be equal)')
  })
  test('the smallest normal number is not below itself', () => {
    const smallest = 2 ** -126
    expect(compare('float32', [smallest], [0]).ok).toBe(false)
    expect(compare('float32', [0], [smallest]).ok).toBe(false)
    expect(compare('float32', [smallest / 2], [0]).ok).toBe(true)
    expect(compare('float32', [0], [smallest / 2]).ok).toBe(true)
    expect(compare('float32', [2 * smallest], [2.5 * smallest]).ok).toBe(false)
  })
  test('infinity is taken from where the largest value is within the tolerance', () => {
    const stated = {absolute: 1e-3, relative: 1}
    expect(compare('float16', [32752], [Infinity], stated).ok).toBe(true)
    expect(compare('float16', [32736], [Infinity], stated).ok).toBe(false)
  })
  test('says what is wrong with a value that is not finite', () => {
    const reason = (expected: number, seen: number) => compare('float32', [1, expected], [1, seen]).reason
    const nan = 'NaN (computed, or left by an output that was never written)'
    expect(reason(2, NaN)).toBe(`element 1 is NaN, expected 2 (${nan})`)
    expect(reason(NaN, 2)).toBe('element 1 is 2, expected NaN (infinity or NaN in the wrong place)')
    expect(reason(Infinity, 2)).toBe('element 1 is 2, expected Infinity (infinity or NaN in the wrong place)')
    expect(reason(2, -Infinity)).toBe('element 1 is -Infinity, expected 2 (infinity or NaN in the wrong place)')
    expect(compareLiteral(f64(1, NaN), f64(1, 2)).reason).toBe('element 1 is 2, expected NaN (not finite)')
  })
  test('a bool is 0 or 1, and the one that is expected', () => {
    const bool = (expected: number[], seen: number[]) =>
      compareHardened({name: 'y', dtype: 'bool', shape: [seen.length]}, f64(...expected), Uint8Array.from(seen))
    expect(bool([0, 1], [0, 1])).toEqual({
      ok: true,
      worstAbsolute: 0,
      worstRelative: 0,
      worst: {index: 0, seen: 0, expected: 0},
      reason: '',
    })
    expect(bool([0, 1], [0, 0]).reason).toBe('element 1 is 0, expected 1 (integers must be equal)')
    expect(bool([1, 0], [2, 0]).reason).toBe('element 0 is 2, expected 1 (a bool that is neither 0 nor 1)')
    expect(oddBool({name: 'mask', dtype: 'bool', shape: [1]}, Uint8Array.from([2]))).toBe(
      'mask: element 0 is 2, a bool that is neither 0 nor 1',
    )
  })
  test('tells the worst errors of all elements, and the first of the equally bad', () => {
    expect(compareLiteral(f64(1, 4, 2, 0), f64(1, 5, 3, 0))).toEqual({
      ok: false,
      worstAbsolute: 1,
      worstRelative: 1 / (2 + 1e-7),
      worst: {index: 2, seen: 3, expected: 2},
      first: {index: 1, seen: 5, expected: 4},
      reason: 'element 2 is 3, expected 2 (abs > 0.001 and rel > 0.001)',
    })
    expect(compareLiteral(f64(1, 2, 2), f64(1, 1, 1)).worst?.index).toBe(1)
    expect(compareLiteral(f64(0), f64(5e-4)).worstRelative).toBeCloseTo(5000)
    expect(compareLiteral(f64(), f64())).toEqual({ok: true, worstAbsolute: 0, worstRelative: 0, reason: ''})
    expect(compare('float32', [0.5], [0.75]).reason).toBe(
      'element 0 is 0.75, expected 0.5 (abs > 5.0e-5 and rel > 0.0001)',
    )
  })
  test('a complex output has two values an element', () => {
    expect(compare('complex64', [1, 2, 3, 4], [1, 2, 3, 4]).ok).toBe(true)
    expect(compare('complex64', [1, 2, 3, 4], [1, 2, 3, 5]).worst).toEqual({index: 3, seen: 5, expected: 4})
    expect(() => compareHardened({name: 'y', dtype: 'complex64', shape: [2]}, f64(1, 2), new Uint8Array(16))).toThrow(
      'the reference gives 2 values for y [2]',
    )
  })
})
