import {z} from 'zod'
import type {CaseResult, Verdict} from '../datasets/schema/verdict.ts'
import {canonicalJson} from '../engine/ids.ts'

/**
 * Which candidates are judged a second time, so that no label depends on chance: `failed`, those that ran and failed;
 * `all`, those that passed as well. What does not compile is never asked twice: compilers do not depend on chance.
 */
export const Recheck = z.enum(['none', 'failed', 'all'])
export type Recheck = z.infer<typeof Recheck>

/** Why a candidate has no verdict: its two runs did not end alike. */
export interface Flaky {
  flaky: string
}

const runs: readonly Verdict['outcome'][] = ['launch-failed', 'crashed', 'violated', 'mismatched']

/**
 * The verdict of `judging`, where a second time gives the same. Both are whole: built in a folder and started in a
 * sandbox of their own, so that addresses differ as they do between any two processes.
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
  // What used up its CPU time would do so again; the clock alone also runs out where the machine had other work.
  if (verdict.outcome === 'timed-out') return verdict.byClock === true
  return recheck === 'all' && verdict.outcome === 'correct'
}

/**
 * What a verdict says of the candidate: label, place, rule and numbers. Words that an operator printed are left out;
 * they may hold an address of a run that was right.
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

/** `violated in case 2, queue-state in EnQue`, for a person who asks why. */
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
