import {describe, expect, test} from 'vitest'
import {
  anything,
  constantOf,
  exactly,
  rangeOf,
  unionOf,
} from '../../../../pipelines/ascendcraft/language/check/ranges.ts'
import {expressionOf} from '../../../helpers/tile-expression.ts'

const inf = Number.POSITIVE_INFINITY
/** What the names of the expressions may be. */
const known: Record<string, [number, number]> = {
  a: [2, 5],
  b: [3, 7],
  n: [-4, 6],
  m: [-6, -2],
  z: [0, 3],
  u: [0, inf],
  p: [1, inf],
  h: [0.5, 2.5],
}

const range = (text: string) =>
  rangeOf(expressionOf(text), (leaf) => {
    const ends = leaf.kind === 'name' ? known[leaf.name] : undefined
    return ends ? {low: ends[0], high: ends[1]} : anything
  })

describe('between which values a number lies', () => {
  test.each<[string, number, number]>([
    ['7', 7, 7],
    ['a', 2, 5],
    ['-a', -5, -2],
    ['-n', -6, 4],
    ['not a < b', 0, 1],
    ['a < b', 0, 1],
    ['a == b and n > 0', 0, 1],
    ['a + b', 5, 12],
    ['a - b', -5, 2],
    ['a * b', 6, 35],
    ['a * n', -20, 30],
    ['m * n', -36, 24],
    ['z * u', 0, inf],
    ['0 * u', 0, 0],
    ['u * -1', -inf, 0],
    ['b / a', 0.6, 3.5],
    ['a / m', -2.5, -1 / 3],
    ['a / n', -inf, inf],
    ['a / z', -inf, inf],
    ['a / 1', 2, 5],
    ['b // a', 0, 3],
    ['a // m', -3, -1],
    ['n // a', -2, 3],
    ['a // z', -inf, inf],
    ['a // (m + 2)', -inf, inf],
    ['a // (m + 1)', -5, -1],
    ['7 % 3', 1, 1],
    ['-7 % 3', 2, 2],
    ['7 % -3', -2, -2],
    ['7 % 0', -inf, inf],
    ['a % b', 0, 6],
    ['7 % b', 0, 6],
    ['a % 3', 0, 2],
    ['a % 1', 0, 0],
    ['a % z', -inf, inf],
    ['a % m', -inf, inf],
    ['2 ** 3', 8, 8],
    ['a ** 2', -inf, inf],
    ['2 ** a', -inf, inf],
    ['a if n > 0 else m', -6, 5],
    ['min(a, b)', 2, 5],
    ['min(a, n, 4)', -4, 4],
    ['max(a, b)', 3, 7],
    ['max(n, z)', 0, 6],
    ['tl.cdiv(b, a)', 1, 4],
    ['tl.cdiv(n, 4)', -1, 2],
    ['tl.cdiv(a, z)', -inf, inf],
    ['tl.cdiv(7, 1)', 7, 7],
    ['tl.align(a, 8)', 8, 8],
    ['tl.align(b, 4)', 4, 8],
    ['tl.align(a, b)', 2, 11],
    ['tl.align(a, z)', -inf, inf],
    ['abs(a)', 2, 5],
    ['abs(m)', 2, 6],
    ['abs(n)', 0, 6],
    ['abs(-n - 1)', 0, 7],
    ['abs(z)', 0, 3],
    ['abs(-z)', 0, 3],
    ['int(h)', 0, 2],
    ['int(-h)', -2, 0],
    ['float(a)', 2, 5],
    ['tl.sqrt(a)', 0, inf],
    ['tl.item_bytes(tl.float16)', 2, 2],
    ['tl.item_bytes(tl.int64)', 8, 8],
    ['tl.item_bytes(a)', 1, 8],
    ['tl.program_id(0)', -inf, inf],
    ['a + unknown', -inf, inf],
    ['min(a, unknown)', -inf, 5],
    ['max(a, unknown)', 2, inf],
  ])('%s', (text, low, high) => {
    const found = range(text)
    // 0 and -0 are one number.
    expect([found.low + 0, found.high + 0]).toEqual([low, high])
  })

  test('ranges are put together, and one of a single value is a constant', () => {
    expect(unionOf([exactly(3), {low: -1, high: 2}])).toEqual({low: -1, high: 3})
    expect(unionOf([])).toEqual(anything)
    expect([constantOf(exactly(0)), constantOf({low: 0, high: 1}), constantOf(anything)]).toEqual([
      0,
      undefined,
      undefined,
    ])
  })
})
