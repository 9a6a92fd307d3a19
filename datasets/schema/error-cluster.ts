import {z} from 'zod'
import {Failure} from './correction.ts'
import {ErrorClass} from './error-class.ts'

/** Failures with the same cause, whatever their names, places and element types. */
export const ErrorCluster = z.strictObject({
  /**
   * For a build: the message with placeholders for everything that a candidate chose, and why overloads refuse the
   * call. For a run: the broken rule, or how it failed and with which fault.
   */
  signature: z.string().min(1),
  /** The name of the interface that it is about; '' if there is none. */
  api: z.string(),
  class: ErrorClass,
  /** How many candidates failed in this way, kept or not. */
  size: z.int().positive(),
})
export type ErrorCluster = z.infer<typeof ErrorCluster>

/** The error that decides a failure, and its place in the candidate. */
export const FirstError = z.strictObject({
  message: z.string(),
  /** '' and 0 if the error has no place in the candidate's files. */
  file: z.string(),
  line: z.int().nonnegative(),
  column: z.int().nonnegative(),
  /** The candidate's line. */
  code: z.string(),
})
export type FirstError = z.infer<typeof FirstError>

/** A kept candidate of a cluster. */
export const ClusteredError = z.strictObject({
  candidate: Failure,
  error: FirstError,
  cluster: ErrorCluster,
})
export type ClusteredError = z.infer<typeof ClusteredError>
