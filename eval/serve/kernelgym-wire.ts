import {z} from 'zod'
import {ScoredItem} from './score-wire.ts'

/**
 * Requests and replies of KernelGYM (hkust-nlp/KernelGYM, kernelgym/server/api/models.py at 3a84417), so that trainers
 * written for it can use this service. Fields about GPUs and their timing are accepted without effect.
 */
export const EvaluationRequest = z.object({
  /** Of this request; used by `/status` and `/results`. */
  task_id: z.string().min(1).max(100),
  /** In the form of `GET /v1/tasks`, mode `operator`, or the mode that `workflow` names. */
  kernel_code: z.string().min(10).max(100_000),
  /** Not read: the reference is that of the task that `entry_point` names. */
  reference_code: z.string().nullish(),
  /** A task of `GET /v1/tasks`. */
  entry_point: z.string().min(1).max(200),
  /** A mode of `GET /v1/tasks`; `kernelbench`, null and nothing mean `operator`. */
  workflow: z.string().nullish(),
  /** Number of input draws, each with all cases and families of the judge; the first failure ends them. */
  num_correct_trials: z.int().min(1).max(20).default(1),
  /** Seconds to wait for the verdict; it is judged to the end in any case. */
  timeout: z.int().min(10).max(3600).default(300),
  /** Whether it is judged before or after other requests. */
  priority: z.enum(['low', 'normal', 'high']).default('normal'),
  /** Judges again what has a verdict already. */
  force_refresh: z.boolean().default(false),
})
export type EvaluationRequest = z.infer<typeof EvaluationRequest>

export const BatchRequest = z.strictObject({
  /** Comes back in the reply. */
  batch_id: z.string().min(1).max(100),
  /** Each is judged as by `/evaluate`. */
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
  /** That of the request. */
  task_id: z.string(),
  /** `failed`: the kernel was not judged. A kernel that fails is `completed`. */
  status: Status,
  /** null, as in the next two fields, where nothing was found out. */
  compiled: z.boolean().nullable(),
  /** Whether all cases are right. */
  correctness: z.boolean().nullable(),
  /** Whether it goes round the task. */
  decoy_kernel: z.boolean().nullable(),
  /** No executor here measures time. */
  speedup: z.null(),
  /** null for a correct kernel. */
  error_code: ErrorCode.nullable(),
  /** The first error in a line. */
  error_message: z.string().nullable(),
  /** The result of `POST /v1/score`, the draws of inputs and the executor; empty while pending. */
  metadata: ScoredItem.omit({id: true, wall_ms: true, decoy: true, error_class: true})
    .extend({
      /** Draws of inputs that were judged. */
      trials: z.int(),
      /** Who judged. */
      executor: z.string(),
    })
    .partial(),
  /** Seconds. */
  processing_time: z.number(),
})
export type EvaluationReply = z.infer<typeof EvaluationReply>

export const BatchReply = z.strictObject({
  /** That of the request. */
  batch_id: z.string(),
  /** Kernels of the request. */
  total_tasks: z.int(),
  /** Kernels with a verdict. */
  completed_tasks: z.int(),
  /** Kernels of which nothing was found out. */
  failed_tasks: z.int(),
  /** In the order of the request. */
  results: z.array(EvaluationReply),
  /** `completed` where all are. */
  batch_status: Status,
})

export const StatusReply = z.strictObject({
  /** That of the request. */
  task_id: z.string(),
  /** `processing` until there is a verdict. */
  status: Status,
})
