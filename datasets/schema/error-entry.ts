import {z} from 'zod'
import {Sampler} from './candidate.ts'
import {ErrorClass} from './error-class.ts'
import {FirstError} from './error-cluster.ts'
import {Label} from './label.ts'
import {Origin} from './origin.ts'
import {StageVersions} from './sample.ts'
import {ExecutorIdentity} from './verdict.ts'

/** How one candidate failed. */
export const ErrorEntry = z.strictObject({
  /** Content id of the labelled candidate. */
  candidate: z.string().min(1),
  task: z.string().min(1),
  sampler: Sampler,
  label: Label,
  /** Outcome of the verdict. */
  outcome: z.string().min(1),
  class: ErrorClass,
  /** The hardware rule that was broken, or the cheat; '' for every other class. */
  rule: z.string(),
  /** For build failures, see `ErrorCluster`; '' for others. */
  signature: z.string(),
  api: z.string(),
  /** First message of compiler, device or judge; only compile errors have a place. */
  error: FirstError,
  executor: ExecutorIdentity,
  /** Of the task. */
  origin: Origin,
  stages: StageVersions,
})
export type ErrorEntry = z.infer<typeof ErrorEntry>
