import {describe, expect, test} from 'vitest'
import {meanPassAtK, passAtK, ratesAt, wilsonInterval} from '../../eval/metrics.ts'

/** Binomials of small numbers, as the formula of the paper has them. */
function byFormula(n: number, c: number, k: number): number {
  const choose = (from: number, of: number): number => (of === 0 ? 1 : (choose(from - 1, of - 1) * from) / of)
  return n - c < k ? 1 : 1 - choose(n - c, k) / choose(n, k)
}

test('pass@k is that of the formula for all small numbers', () => {
  for (let n = 1; n <= 8; n += 1)
    for (let c = 0; c <= n; c += 1)
      for (let k = 1; k <= n; k += 1) expect(passAtK({n, c}, k), `${n} ${c} ${k}`).toBeCloseTo(byFormula(n, c, k), 12)
})

test('too few candidates are unknown, and none that cannot be is taken', () => {
  expect(passAtK({n: 3, c: 3}, 4)).toBeUndefined()
  expect(passAtK({n: 4, c: 4}, 4)).toBe(1)
  expect(passAtK({n: 0, c: 0}, 1)).toBeUndefined()
  for (const [n, c, k] of [
    [3, 4, 1],
    [3, -1, 1],
    [3, 1, 0],
    [3, 1, 1.5],
  ] as const)
    expect(() => passAtK({n, c}, k)).toThrow(`passAtK: n = ${n}, c = ${c}, k = ${k}; expected 0 ≤ c ≤ n and k ≥ 1`)
})

describe('the interval', () => {
  // R: prop.test(x, n, correct = FALSE)$conf.int
  test.each([
    [0.5, 10, 0.2365931, 0.7634069],
    [0.1, 10, 0.0178762, 0.40415],
    [0.9, 10, 0.59585, 0.9821238],
    [0.25, 100, 0.175452, 0.3430452],
  ])('of a share of %f in %d trials', (share, trials, low, high) => {
    const interval = wilsonInterval(share, trials)
    expect(interval.low).toBeCloseTo(low, 5)
    expect(interval.high).toBeCloseTo(high, 5)
  })
  test('ends at 0 and 1 where all are alike, and has a width there', () => {
    expect(wilsonInterval(0, 10)).toEqual({low: 0, high: expect.closeTo(0.2775328, 6) as number})
    expect(wilsonInterval(1, 10)).toEqual({low: expect.closeTo(0.7224672, 6) as number, high: 1})
    expect(wilsonInterval(1, 1).low).toBeCloseTo(0.2065493, 6)
    expect(() => wilsonInterval(0.5, 0)).toThrow('wilsonInterval: 0 trials; expected at least 1')
  })
})

test('a mean is over the tasks that are known', () => {
  const tasks = [
    {n: 4, c: 1},
    {n: 4, c: 4},
    {n: 1, c: 1},
  ]
  expect(meanPassAtK(tasks, 2)).toEqual({k: 2, value: 0.75, ...wilsonInterval(0.75, 2), tasks: 2, unknownTasks: 1})
  expect(meanPassAtK(tasks, 1)?.value).toBeCloseTo((0.25 + 1 + 1) / 3, 12)
  expect(meanPassAtK(tasks, 5)).toBeUndefined()
  expect(ratesAt(tasks, [1, 4, 5, 2]).map(({k, tasks: known}) => [k, known])).toEqual([
    [1, 3],
    [4, 2],
    [2, 2],
  ])
})
