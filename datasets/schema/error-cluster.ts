import {z} from 'zod'
import {Failure} from './correction.ts'
import {ErrorClass} from './error-class.ts'

/** Failures with one cause, whatever their names, places and element types. */
export const ErrorCluster = z.strictObject({
  /**
   * Of a build: the message with a placeholder for all that a candidate chose, and why overloads refuse the call. Of a
   * run: the rule that was broken, or how it failed and by what fault.
   */
  signature: z.string().min(1),
  /** The name of the interface that it is about; '' where there is none. */
  api: z.string(),
  class: ErrorClass,
  /** How many candidates failed in this way, kept or not. */
  size: z.int().positive(),
})
export type ErrorCluster = z.infer<typeof ErrorCluster>

/** The error that decides a failure, and where in the candidate it stands. */
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
  candidate: Failure,
  error: FirstError,
  cluster: ErrorCluster,
})
export type ClusteredError = z.infer<typeof ClusteredError>
