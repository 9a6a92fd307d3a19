import {z} from 'zod'
import {ErrorClass} from './error-class.ts'
import {ExecutorIdentity} from './verdict.ts'

/**
 * Mean pass@k over tasks, in [0, 1], with a 95 % interval. `unknownTasks` had fewer than k judged candidates and are
 * excluded from the mean.
 */
export const Rate = z.strictObject({
  k: z.int().positive(),
  value: z.number(),
  low: z.number(),
  high: z.number(),
  tasks: z.int().positive(),
  unknownTasks: z.int().nonnegative(),
})
export type Rate = z.infer<typeof Rate>

/** The scope of a score: `name` is `1` for a level, `1/Math` for a category, a path for a task, '' for all. */
export const Scope = z.strictObject({by: z.enum(['all', 'level', 'category', 'task']), name: z.string()})
export type Scope = z.infer<typeof Scope>

const shared = {
  /** The model's name; `answer` or `mutation` for candidates that no model wrote. */
  author: z.string().min(1),
  executor: ExecutorIdentity,
  /** Judged again what that one found correct, and had the last word; absent without such candidates. */
  confirmedBy: ExecutorIdentity.optional(),
  scope: Scope,
}

/** One line of a score table: rates by scope, or failures by class. */
export const Score = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('rates'),
    ...shared,
    tasks: z.int().positive(),
    /** Candidates that the executor could judge, then those that compiled, then the fully correct ones. */
    judged: z.int().nonnegative(),
    compiled: z.int().nonnegative(),
    correct: z.int().nonnegative(),
    /** Candidates that the benchmark's own rule accepts, whatever the hardened check says. */
    literal: z.int().nonnegative(),
    /** Candidates that the executor cannot judge; excluded from all rates. */
    notCovered: z.int().nonnegative(),
    /** Candidates that were compiled by an executor that runs nothing: no rate of execution is known. */
    unrun: z.int().positive().optional(),
    compilation: z.array(Rate),
    execution: z.array(Rate),
    /** As `execution`, by the benchmark's own rule. */
    literalExecution: z.array(Rate),
    /** Geometric mean over correct candidates. Absent unless an executor measured time. */
    speedup: z.strictObject({value: z.number().positive(), candidates: z.int().positive()}).optional(),
    /** Shares of judged candidates that are correct and at least `least` times as fast as the task's own answer. */
    fast: z.array(z.strictObject({least: z.number().positive(), share: z.number()})).optional(),
  }),
  z.strictObject({
    kind: z.literal('failures'),
    ...shared,
    class: ErrorClass,
    /** Which rule or cheat, if any; otherwise ''. */
    rule: z.string(),
    count: z.int().positive(),
    /** Share among all failed candidates of the scope. */
    share: z.number(),
  }),
])
export type Score = z.infer<typeof Score>
export type RateScore = Extract<Score, {kind: 'rates'}>
export type FailureScore = Extract<Score, {kind: 'failures'}>
