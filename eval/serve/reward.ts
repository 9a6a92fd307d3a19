import {z} from 'zod'
import {labelOf} from '../../datasets/schema/label.ts'
import type {Verdict} from '../../datasets/schema/verdict.ts'

/**
 * From verdict to reward. Text length never counts. A finding that says nothing about the candidate (a tool failed, the
 * twin lacks an interface) has no reward: trainers should skip such completions, not punish them.
 */
export const RewardRule = z.strictObject({
  /**
   * `labels`: one number per colour (paper, section 4.2.2). `graded`: between those of purple and green by the stage
   * reached and the share of cases that both rules pass.
   */
  kind: z.enum(['labels', 'graded']).default('labels'),
  /** Reward of green. */
  green: z.number().default(1),
  /** Reward of orange. */
  orange: z.number().default(0.3),
  /** Reward of purple. */
  purple: z.number().default(0),
  /** Reward of a completion without the required files. */
  unreadable: z.number().default(-0.1),
  /** Reward of a candidate that bypasses the task: never above that of one that does not compile. */
  decoy: z.number().default(-0.1),
  /**
   * Added to green: this much for half the modelled time of the task's own answer, subtracted for twice its time, and
   * proportional in between. 0 disables it.
   */
  speed: z.number().nonnegative().default(0),
})
export type RewardRule = z.infer<typeof RewardRule>

/** Partial credit from purple to orange and from orange to green, in order of progress. */
const compiledShare = 0.5

interface Times {
  /** Modelled microseconds of the candidate and of the task's own answer. */
  candidate: number
  answer: number
}

/** undefined if the verdict says nothing about the candidate. */
export function rewardOf(verdict: Verdict, rule: RewardRule, times?: Times): number | undefined {
  if (verdict.outcome === 'cheated') return Math.min(rule.decoy, rule.purple)
  const label = labelOf(verdict)
  if (label === undefined) return undefined
  if (label === 'green') return rule.green + rule.speed * speedup(times)
  if (rule.kind === 'labels' || label === 'purple') return rule[label]
  return graded(verdict, rule)
}

/** Code that never ran gets half of orange; code that ran gets the rest, plus its share of cases towards green. */
function graded(verdict: Verdict, {purple, orange, green}: RewardRule): number {
  if (verdict.outcome !== 'mismatched') return purple + compiledShare * (orange - purple)
  const passed = verdict.cases.filter(({literal, hardened}) => literal && hardened).length
  return orange + (green - orange) * (passed / (verdict.cases.length + 1))
}

/** Doublings of speed relative to the task's own answer, at most one either way. */
function speedup(times: Times | undefined): number {
  if (!times) return 0
  return Math.max(-1, Math.min(1, Math.log2(times.answer / times.candidate)))
}
