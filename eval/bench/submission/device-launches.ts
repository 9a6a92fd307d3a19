import {z} from 'zod'
import {Violation} from '../../../datasets/schema/verdict.ts'
import {Launch, signalMeaning} from '../../executors/run-report.ts'
import type {Failure} from './submission.ts'

/** How one launch ended: what it did, the rule that it broke, or how its process ended without a report. */
export const LaunchEnd = z.union([
  z.object({blockDim: z.int(), launch: Launch}),
  z.object({violation: Violation}),
  z.object({signal: z.int()}),
  z.object({exit: z.int()}),
])
export type LaunchEnd = z.infer<typeof LaunchEnd>

/** What an unfinished launch says about the submission. */
export function launchFailure(end: Exclude<LaunchEnd, {launch: unknown}>): Failure {
  if ('violation' in end) return brokenRule(end.violation)
  if ('exit' in end)
    return {outcome: 'failed', kind: 'crashed', why: `the kernel's process ended with status ${end.exit}`}
  const {name, means} = signalMeaning(end.signal)
  // Each launch has its own limit, and the kernel may catch neither.
  if (name === 'SIGXCPU' || name === 'SIGKILL')
    return {outcome: 'failed', kind: 'timed-out', why: `the kernel ran on: ${name}`}
  return {outcome: 'failed', kind: 'crashed', why: `${name} (${means})`}
}

export function brokenRule({rule, message, fix}: Violation): Failure {
  return {outcome: 'failed', kind: 'violated', why: `${rule}: ${message} ${fix}`}
}
