import {z} from 'zod'
import {LabelledCandidate} from './candidate.ts'
import {ErrorClass} from './error-class.ts'

/** Build failures with one cause, whatever their names, places and element types. */
export const ErrorCluster = z.strictObject({
  /** The message with a placeholder for all that a candidate chose, and why overloads refuse the call. */
  signature: z.string().min(1),
  /** The name of the interface that it is about; '' where there is none. */
  api: z.string(),
  class: ErrorClass,
  /** How many candidates failed in this way, kept or not. */
  size: z.int().positive(),
})
export type ErrorCluster = z.infer<typeof ErrorCluster>

/** The error that decides a build failure, and where in the candidate it stands. */
export const FirstError = z.strictObject({
  message: z.string(),
  /** '' and 0 where the error has no place in the candidate's files. */
  file: z.string(),
  line: z.int().nonnegative(),
  column: z.int().nonnegative(),
  /** That line of the candidate. */
  code: z.string(),
})
export type FirstError = z.infer<typeof FirstError>

/** One of the candidates that are kept of a cluster. */
export const ClusteredError = z.strictObject({
  candidate: LabelledCandidate,
  error: FirstError,
  cluster: ErrorCluster,
})
export type ClusteredError = z.infer<typeof ClusteredError>
