import {z} from 'zod'
import type {CaseResult, Verdict} from '../datasets/schema/verdict.ts'
import {canonicalJson} from '../engine/ids.ts'

/**
 * Which candidates are judged a second time, so that no label depends on chance: `failed`, those that ran and failed;
 * `all`, also those that passed. What does not compile is never judged twice: compilers are deterministic.
 */
export const Recheck = z.enum(['none', 'failed', 'all'])
export type Recheck = z.infer<typeof Recheck>

/** Why a candidate has no verdict: its two runs ended differently. */
export interface Flaky {
  flaky: string
}

const runs: readonly Verdict['outcome'][] = ['launch-failed', 'crashed', 'violated', 'mismatched']

/**
 * The verdict of `judging`, if a second run agrees. Both are complete: built in their own folder and sandbox, so that
 * addresses differ as between any two processes.
 */
export async function settled(judging: () => Promise<Verdict>, recheck: Recheck): Promise<Verdict | Flaky> {
  const first = await judging()
  if (recheck === 'none' || !(runs.includes(first.outcome) || ranOtherwise(first, recheck))) return first
  const second = await judging()
  if (canonicalJson(observed(first)) === canonicalJson(observed(second))) return first
  return {flaky: `the first run said: ${told(first)}; the second, of the same files and inputs: ${told(second)}`}
}

function ranOtherwise(verdict: Verdict, recheck: Recheck): boolean {
  // A text that bypasses the task was never run.
  if (verdict.outcome === 'cheated') return verdict.literal
  // A run that used up its CPU time would do so again; wall-clock time also runs out on a busy machine.
  if (verdict.outcome === 'timed-out') return verdict.byClock === true
  return recheck === 'all' && verdict.outcome === 'correct'
}

/**
 * The stable content of a verdict: label, place, rule and numbers. An operator's own output is excluded; it may contain
 * addresses of a run.
 */
function observed(verdict: Verdict): unknown {
  switch (verdict.outcome) {
    case 'violated':
      return [verdict.outcome, verdict.case, verdict.violation.rule, verdict.violation.api, verdict.violation.block]
    case 'crashed':
      return [verdict.outcome, verdict.case, verdict.cause]
    case 'launch-failed':
    case 'timed-out':
      return [verdict.outcome, verdict.case]
    case 'mismatched':
    case 'correct':
      return [verdict.outcome, verdict.cases.map(resultOf)]
    case 'cheated':
      return [verdict.outcome, verdict.rule]
    default:
      return [verdict.outcome]
  }
}

const resultOf = (one: CaseResult) => [one.case, one.literal, one.hardened, one.worstAbsolute, one.worstRelative]

/** `violated in case 2, queue-state in EnQue`, for a human reader. */
function told(verdict: Verdict): string {
  switch (verdict.outcome) {
    case 'violated':
      return `violated in case ${verdict.case}, ${verdict.violation.rule} in ${verdict.violation.api}`
    case 'crashed':
      return `crashed in case ${verdict.case}, ${verdict.cause}`
    case 'launch-failed':
    case 'timed-out':
      return `${verdict.outcome} in case ${verdict.case}`
    case 'mismatched': {
      const wrong = verdict.cases.filter(({literal, hardened}) => !(literal && hardened))
      return `mismatched in case ${wrong.map((one) => one.case).join(', ')} (${wrong[0]?.reason})`
    }
    default:
      return verdict.outcome
  }
}
