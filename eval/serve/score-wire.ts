import {z} from 'zod'
import {SourceFile} from '../../datasets/schema/operator.ts'
import {ExecutorIdentity} from '../../datasets/schema/verdict.ts'
import {Evidence, Stages} from './evidence.ts'
import {priorities} from './waiting-line.ts'

const name = z.string().min(1).max(200)
/** A completion of 32,768 tokens holds some 130 KB. */
const completion = z.string().max(1_000_000)

export const ScoreItem = z
  .strictObject({
    id: name,
    /** One of `GET /v1/tasks`. */
    task_id: name,
    /** What the model wrote, reasoning included. */
    completion: completion.optional(),
    /** In place of a completion: the files themselves. */
    files: z.array(SourceFile).min(1).max(16).optional(),
    /** The form in which the task was put; default `operator`. */
    mode: name.optional(),
    /** Of the inputs; default 0. All completions of a group should meet the same. */
    seed: z.int().min(0).max(1_000_000).optional(),
    target: z.strictObject({soc: z.string().optional(), cann: z.string().optional()}).optional(),
  })
  .refine((item) => (item.completion === undefined) !== (item.files === undefined), {
    message: 'expected either completion or files',
  })
export type ScoreItem = z.infer<typeof ScoreItem>

export const ScoreRequest = z.strictObject({
  run_id: name.optional(),
  policy_step: z.int().nonnegative().optional(),
  items: z.array(ScoreItem).min(1).max(1024),
  priority: z.enum(priorities).optional(),
  deadline_ms: z.int().positive().max(3_600_000).optional(),
})
export type ScoreRequest = z.infer<typeof ScoreRequest>

/**
 * `invalid`: the completion holds no code in the form that was asked for. `not_covered`: the executor lacks an
 * interface that the code uses. `infra_error`: a tool failed, or time ran out; both say nothing of the candidate.
 */
const ScoreLabel = z.enum(['green', 'orange', 'purple', 'invalid', 'not_covered', 'infra_error'])

export const ScoredItem = z.strictObject({
  id: z.string(),
  label: ScoreLabel,
  /** null where nothing is known of the candidate: leave it out, do not punish it. */
  reward: z.number().nullable(),
  stages: Stages,
  /** Whether it goes round the task; then `evidence.rule` says how. */
  decoy: z.boolean(),
  error_class: z.string().nullable(),
  evidence: Evidence,
  metrics: z.strictObject({
    max_abs_err: z.number().nullable(),
    /** Modelled from what the run did and the vendor's published rates; never measured. */
    modelled_us: z.number().nullable(),
  }),
  /** `stored`: known from before. `shared`: judged once for several that asked at the same time. */
  cached: z.enum(['no', 'shared', 'stored']),
  wall_ms: z.int(),
})
export type ScoredItem = z.infer<typeof ScoredItem>

export const ScoreReply = z.strictObject({items: z.array(ScoredItem), validator: ExecutorIdentity})
export type ScoreReply = z.infer<typeof ScoreReply>

export const TaskList = z.strictObject({
  tasks: z.array(
    z.strictObject({
      task_id: z.string(),
      operator: z.string(),
      level: z.int(),
      category: z.string(),
      /** What to ask a model, by mode. */
      prompts: z.record(z.string(), z.string()),
    }),
  ),
})

/** Every refusal of the service. */
export const Refused = z.strictObject({
  error: z.strictObject({code: z.string(), message: z.string(), fix: z.string()}),
})
