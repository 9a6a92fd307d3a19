import type {Verdict} from './schema/verdict.ts'

/** Geometric mean over cases of how many times faster than the answer; undefined where nobody measured both. */
export function speedupOf(verdict: Verdict | undefined): number | undefined {
  if (verdict?.outcome !== 'correct') return undefined
  const ratios = verdict.cases.flatMap(({time}) =>
    time?.answer === undefined ? [] : [time.answer / time.microseconds],
  )
  return ratios.length === 0 ? undefined : geometricMean(ratios)
}

export const geometricMean = (values: readonly number[]) =>
  Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length)
