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
