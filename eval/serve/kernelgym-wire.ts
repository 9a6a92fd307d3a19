import {z} from 'zod'
import {ScoredItem} from './score-wire.ts'

/**
 * Requests and replies of KernelGYM (hkust-nlp/KernelGYM, kernelgym/server/api/models.py at 3a84417), so that trainers
 * written for it can ask here. Fields that concern GPUs and their timing are taken and have no effect.
 */
export const EvaluationRequest = z.object({
  /** Of this request; asked for again by `/status` and `/results`. */
  task_id: z.string().min(1).max(100),
  /** In the form of `GET /v1/tasks`, mode `operator`, or the mode that `workflow` names. */
  kernel_code: z.string().min(10).max(100_000),
  /** Not read: the reference is that of the task that `entry_point` names. */
  reference_code: z.string().nullish(),
  /** A task of `GET /v1/tasks`. */
  entry_point: z.string().min(1).max(200),
  workflow: z.string().nullish(),
  /** So many draws of inputs, each with all cases and families of the judge; the first that fails ends them. */
  num_correct_trials: z.int().min(1).max(20).default(1),
  timeout: z.int().min(10).max(3600).default(300),
  priority: z.enum(['low', 'normal', 'high']).default('normal'),
  force_refresh: z.boolean().default(false),
})
export type EvaluationRequest = z.infer<typeof EvaluationRequest>

export const BatchRequest = z.strictObject({
  batch_id: z.string().min(1).max(100),
  tasks: z.array(EvaluationRequest).min(1).max(100),
})
export type BatchRequest = z.infer<typeof BatchRequest>

const Status = z.enum(['pending', 'processing', 'completed', 'failed', 'timeout'])

const ErrorCode = z.enum([
  'VALIDATION_ERROR',
  'COMPILATION_ERROR',
  'RUNTIME_ERROR',
  'CORRECTNESS_ERROR',
  'TIMEOUT_ERROR',
  'SYSTEM_ERROR',
])
export type ErrorCode = z.infer<typeof ErrorCode>

export const EvaluationReply = z.strictObject({
  task_id: z.string(),
  /** `failed`: nothing was found out about the kernel. A kernel that fails is `completed`. */
  status: Status,
  compiled: z.boolean().nullable(),
  correctness: z.boolean().nullable(),
  decoy_kernel: z.boolean().nullable(),
  /** No executor here measures time. */
  speedup: z.null(),
  error_code: ErrorCode.nullable(),
  error_message: z.string().nullable(),
  /** What `POST /v1/score` says of it, the draws of inputs and the executor; empty while there is no verdict. */
  metadata: ScoredItem.omit({id: true, wall_ms: true, decoy: true, error_class: true})
    .extend({trials: z.int(), executor: z.string()})
    .partial(),
  /** Seconds. */
  processing_time: z.number(),
})
export type EvaluationReply = z.infer<typeof EvaluationReply>

export const BatchReply = z.strictObject({
  batch_id: z.string(),
  total_tasks: z.int(),
  completed_tasks: z.int(),
  failed_tasks: z.int(),
  results: z.array(EvaluationReply),
  batch_status: Status,
})

export const StatusReply = z.strictObject({task_id: z.string(), status: Status})
