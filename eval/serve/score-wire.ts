import {z} from 'zod'
import {SourceFile} from '../../datasets/schema/operator.ts'
import {ExecutorIdentity} from '../../datasets/schema/verdict.ts'
import {Evidence, Stages} from './evidence.ts'
import {priorities} from './waiting-line.ts'

const name = z.string().min(1).max(200)
/** A completion of 32,768 tokens has about 130 KB. */
const completion = z.string().max(1_000_000)

export const ScoreItem = z
  .strictObject({
    /** Names the item in the reply. */
    id: name,
    /** A task of `GET /v1/tasks`. */
    task_id: name,
    /** What the model wrote, reasoning included. */
    completion: completion.optional(),
    /** Instead of a completion: the files themselves. */
    files: z.array(SourceFile).min(1).max(16).optional(),
    /** The form of the task's prompt; default `operator`. */
    mode: name.optional(),
    /** Seed of the inputs; default 0. All completions of a group should use the same. */
    seed: z.int().min(0).max(1_000_000).optional(),
    target: z
      .strictObject({
        /** The chip to judge for; refused unless it is the service's own. */
        soc: z.string().optional(),
        /** The version of CANN; recorded by clients, has no effect. */
        cann: z.string().optional(),
      })
      .optional(),
  })
  .refine((item) => (item.completion === undefined) !== (item.files === undefined), {
    message: 'expected either completion or files',
  })
export type ScoreItem = z.infer<typeof ScoreItem>

export const ScoreRequest = z.strictObject({
  /** The client's training run; has no effect. */
  run_id: name.optional(),
  /** The client's training step; has no effect. */
  policy_step: z.int().nonnegative().optional(),
  /** The completions to judge. */
  items: z.array(ScoreItem).min(1).max(1024),
  /** Whether they are judged before or after those of other requests. Default `normal`. */
  priority: z.enum(priorities).optional(),
  /** Milliseconds after which what is not judged yet is given up. */
  deadline_ms: z.int().positive().max(3_600_000).optional(),
})
export type ScoreRequest = z.infer<typeof ScoreRequest>

/**
 * `invalid`: the completion has no code in the required form. `not_covered`: the executor lacks an interface that the
 * code uses. `infra_error`: a tool failed, or time ran out; both say nothing about the candidate.
 */
const ScoreLabel = z.enum(['green', 'orange', 'purple', 'invalid', 'not_covered', 'infra_error'])

export const ScoredItem = z.strictObject({
  /** That of the request's item. */
  id: z.string(),
  /** `green`: correct; `orange`: runs, but is wrong; `purple`: does not compile; the others say nothing of the code. */
  label: ScoreLabel,
  /** null if the candidate was not judged: skip it, do not punish it. */
  reward: z.number().nullable(),
  /** How far the candidate came. */
  stages: Stages,
  /** Whether it bypasses the task; then `evidence.rule` says how. */
  decoy: z.boolean(),
  /** The kind of the failure, as in the data set; null if there is none. */
  error_class: z.string().nullable(),
  /** What the verdict shows. */
  evidence: Evidence,
  metrics: z.strictObject({
    /** The worst absolute error over all cases and elements. */
    max_abs_err: z.number().nullable(),
    /** Modelled from the run's counts and the vendor's published rates; never measured. */
    modelled_us: z.number().nullable(),
  }),
  /** `stored`: from an earlier request. `shared`: judged once for several concurrent requests. */
  cached: z.enum(['no', 'shared', 'stored']),
  /** Milliseconds from the request to the verdict. */
  wall_ms: z.int(),
})
export type ScoredItem = z.infer<typeof ScoredItem>

export const ScoreReply = z.strictObject({
  /** In the order of the request. */
  items: z.array(ScoredItem),
  /** Who judged. */
  validator: ExecutorIdentity,
})
export type ScoreReply = z.infer<typeof ScoreReply>

export const TaskList = z.strictObject({
  /** All tasks of the service. */
  tasks: z.array(
    z.strictObject({
      /** Names the task in requests. */
      task_id: z.string(),
      /** The operator to write. */
      operator: z.string(),
      /** Level of difficulty that the task names. */
      level: z.int(),
      /** Kind of operator that the task names. */
      category: z.string(),
      /** Prompts for a model, by mode. */
      prompts: z.record(z.string(), z.string()),
    }),
  ),
})

/** The form of all refusals of the service. */
export const Refused = z.strictObject({
  error: z.strictObject({
    /** One of the codes below. */
    code: z.string(),
    /** What happened. */
    message: z.string(),
    /** What to do about it. */
    fix: z.string(),
  }),
})
