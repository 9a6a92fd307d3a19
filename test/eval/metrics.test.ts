import {describe, expect, test} from 'vitest'
import {meanPassAtK, passAtK, ratesAt, wilsonInterval} from '../../eval/metrics.ts'

/** By definition: the share of all k-subsets of n candidates that hold a good one. */
function byEnumeration(n: number, c: number, k: number): number {
  let subsets = 0
  let passing = 0
  for (let bits = 0; bits < 2 ** n; bits += 1) {
    if ([...bits.toString(2)].filter((bit) => bit === '1').length !== k) continue
    subsets += 1
    if ((bits & (2 ** c - 1)) !== 0) passing += 1
  }
  return passing / subsets
}

describe('pass@k', () => {
  test('is the share of k-subsets that hold a good candidate', () => {
    for (const [n, c, k] of [
      [1, 0, 1],
      [1, 1, 1],
      [5, 2, 1],
      [5, 2, 3],
      [8, 3, 4],
      [8, 1, 8],
      [10, 4, 6],
    ] as const) {
      expect(passAtK({n, c}, k)).toBeCloseTo(byEnumeration(n, c, k), 12)
    }
  })
  test('is c / n for k = 1', () => {
    expect(passAtK({n: 200, c: 37}, 1)).toBeCloseTo(37 / 200, 14)
  })
  test('is not the biased 1 − (1 − c/n)^k', () => {
    expect(passAtK({n: 10, c: 2}, 5)).toBeCloseTo(1 - 56 / 252, 12)
  })
  test('holds for numbers whose binomials pass 2^53', () => {
    expect(passAtK({n: 200, c: 1}, 100)).toBeCloseTo(0.5, 12)
    expect(passAtK({n: 10_000, c: 10}, 100)).toBeCloseTo(0.0956, 3)
  })
  test('is unknown with fewer than k candidates, and never 0 for it', () => {
    expect(passAtK({n: 9, c: 9}, 10)).toBeUndefined()
    expect(passAtK({n: 0, c: 0}, 1)).toBeUndefined()
  })
  test('is 1 when too few bad candidates are left to fill k', () => {
    expect(passAtK({n: 10, c: 6}, 5)).toBe(1)
  })
  test('refuses more good candidates than there are', () => {
    expect(() => passAtK({n: 3, c: 4}, 1)).toThrow(/c = 4/)
  })
})

describe('the mean over tasks', () => {
  test('weighs tasks alike, however many candidates they have', () => {
    expect(
      meanPassAtK(
        [
          {n: 10, c: 10},
          {n: 2, c: 0},
        ],
        1,
      )?.value,
    ).toBe(0.5)
  })
  test('leaves tasks with too few candidates out and counts them', () => {
    expect(
      meanPassAtK(
        [
          {n: 10, c: 5},
          {n: 2, c: 0},
        ],
        5,
      ),
    ).toMatchObject({k: 5, tasks: 1, unknownTasks: 1})
    expect(meanPassAtK([{n: 2, c: 0}], 5)).toBeUndefined()
  })
  test('is given only for the k that some task reaches', () => {
    expect(ratesAt([{n: 10, c: 1}], [1, 10, 100]).map(({k}) => k)).toEqual([1, 10])
  })
})

describe('the interval', () => {
  // Published values for 8 of 10 and 0 of 20 at 95 %.
  test('is that of Wilson', () => {
    expect(wilsonInterval(0.8, 10).low).toBeCloseTo(0.4902, 4)
    expect(wilsonInterval(0.8, 10).high).toBeCloseTo(0.9433, 4)
    expect(wilsonInterval(0, 20).low).toBe(0)
    expect(wilsonInterval(0, 20).high).toBeCloseTo(0.1611, 4)
  })
  test('has a width where every task passes', () => {
    const rate = meanPassAtK(
      [
        {n: 1, c: 1},
        {n: 1, c: 1},
      ],
      1,
    )
    expect(rate?.high).toBe(1)
    expect(rate?.low).toBeLessThan(0.4)
  })
  test('narrows with more tasks and holds the mean', () => {
    const few = wilsonInterval(0.3, 10)
    const many = wilsonInterval(0.3, 1000)
    expect(many.high - many.low).toBeLessThan((few.high - few.low) / 5)
    expect(few.low < 0.3 && few.high > 0.3).toBe(true)
  })
})

test('numbers that no attempts can have are refused at their limits', () => {
  for (const [n, c, k] of [
    [3, -1, 1],
    [3, 4, 1],
    [3, 1, 0],
    [3, 1, 1.5],
  ] as const)
    expect(() => passAtK({n, c}, k), `${n} ${c} ${k}`).toThrow(RangeError)
  expect(passAtK({n: 3, c: 0}, 3)).toBe(0)
  expect(passAtK({n: 3, c: 3}, 3)).toBe(1)
  expect(() => wilsonInterval(0.5, 0)).toThrow(RangeError)
  expect(() => wilsonInterval(0.5, 1)).not.toThrow()
})

test('the interval stays within 0 and 1, and reaches them only at a share of 0 and 1', () => {
  for (const trials of [1, 2, 3, 10])
    for (const share of [0.01, 0.5, 0.99]) {
      const {low, high} = wilsonInterval(share, trials)
      expect(low).toBeGreaterThan(0)
      expect(high).toBeLessThan(1)
    }
  expect(wilsonInterval(1, 5).high).toBe(1)
})
