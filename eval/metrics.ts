import type {Rate} from '../datasets/schema/score.ts'

/** The attempts at one task: `n` judged, `c` of them correct. */
export interface Attempts {
  n: number
  c: number
}

/**
 * Unbiased pass@k from n candidates of one task, c of them correct: 1 − C(n−c, k) / C(n, k). Computed as a product:
 * C(200, 100) ≈ 9e58 far exceeds the integers that a double represents exactly. Undefined when n < k: too few
 * candidates is unknown, not 0. Source: Chen et al. 2021, arXiv:2107.03374, eq. 1.
 */
export function passAtK({n, c}: Attempts, k: number): number | undefined {
  if (!Number.isInteger(k) || k < 1 || c < 0 || c > n)
    throw new RangeError(`passAtK: n = ${n}, c = ${c}, k = ${k}; expected 0 ≤ c ≤ n and k ≥ 1`)
  if (n < k) return undefined
  if (n - c < k) return 1
  let missAll = 1
  for (let i = n - c + 1; i <= n; i += 1) missAll *= 1 - k / i
  return 1 - missAll
}

/**
 * Mean pass@k over tasks; tasks with fewer than k candidates are excluded and counted. Undefined when none remains. The
 * interval is Wilson's with tasks as trials, at 95 %: a task's rate is in [0, 1], so its variance is at most that of
 * a coin with the same mean, and the interval is never too narrow for it; at 0 and 1, where resampling gives no width,
 * it still has one.
 */
export function meanPassAtK(tasks: readonly Attempts[], k: number): Rate | undefined {
  const known = tasks.map((task) => passAtK(task, k)).filter((rate) => rate !== undefined)
  if (known.length === 0) return undefined
  const value = known.reduce((sum, rate) => sum + rate, 0) / known.length
  return {
    k,
    value,
    ...wilsonInterval(value, known.length),
    tasks: known.length,
    unknownTasks: tasks.length - known.length,
  }
}

/** The k of a table for which at least one task has enough candidates. */
export function ratesAt(tasks: readonly Attempts[], ks: readonly number[]): Rate[] {
  return ks.map((k) => meanPassAtK(tasks, k)).filter((rate) => rate !== undefined)
}

const z95 = 1.959963984540054

/** Wilson score interval of a share seen in `trials` trials. Source: Wilson 1927, JASA 22(158). */
export function wilsonInterval(share: number, trials: number): {low: number; high: number} {
  if (trials <= 0) throw new RangeError(`wilsonInterval: ${trials} trials; expected at least 1`)
  const squared = z95 * z95
  const centre = (share + squared / (2 * trials)) / (1 + squared / trials)
  const half =
    (z95 / (1 + squared / trials)) * Math.sqrt((share * (1 - share)) / trials + squared / (4 * trials * trials))
  return {low: share === 0 ? 0 : Math.max(0, centre - half), high: share === 1 ? 1 : Math.min(1, centre + half)}
}
