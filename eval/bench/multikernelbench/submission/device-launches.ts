import {z} from 'zod'
import type {RunTrace} from '../../../../datasets/schema/executor.ts'
import {Violation} from '../../../../datasets/schema/verdict.ts'
import {PipelineError} from '../../../../engine/errors.ts'
import {Launch, launchTrace, signalMeaning} from '../../../executors/run-report.ts'
import type {Failure} from './operator-runs.ts'

/** What a process says of the kernels that a call launched out of it. */
export const DeviceSaid = z.object({
  launches: z.array(z.object({blockDim: z.int(), launch: Launch})),
  /** The first launch that did not come to its end, and how it ended. */
  failure: z
    .union([
      z.object({violation: Violation}),
      z.object({signal: z.int()}),
      z.object({exit: z.int()}),
      // What kept the machine from running it.
      z.object({fault: z.string()}),
    ])
    .optional(),
  /** The call that took values of a tensor to the host. */
  hostRead: z.string().optional(),
})
export type DeviceSaid = z.infer<typeof DeviceSaid>

export function tracesOf({launches}: DeviceSaid): RunTrace[] {
  return launches.map(({blockDim, launch}) => launchTrace(launch, blockDim))
}

/**
 * What a call did that no kernel's result can make good.
 * @throws PipelineError `executor-failed` where a launch failed for want of a process or memory
 */
export function launchFailure({failure, hostRead}: DeviceSaid): Failure | undefined {
  if (hostRead !== undefined) {
    const why = `reads-tensors-on-the-host: the binding takes values from the device with ${hostRead}`
    return {outcome: 'failed', kind: 'cheated', why}
  }
  if (!failure) return undefined
  if ('fault' in failure)
    throw new PipelineError('executor-failed', `A kernel could not be run: ${failure.fault}.`, {
      fix: 'Free memory, or run fewer at once (executor.concurrency), then run `ascend-cot resume`.',
      evidence: {fault: failure.fault},
    })
  if ('violation' in failure) return brokenRule(failure.violation)
  if ('exit' in failure)
    return {outcome: 'failed', kind: 'crashed', why: `the kernel's process ended with status ${failure.exit}`}
  const {name, means} = signalMeaning(failure.signal)
  // Each launch has its own limit, and the kernel may catch neither.
  if (name === 'SIGXCPU' || name === 'SIGKILL')
    return {outcome: 'failed', kind: 'timed-out', why: `the kernel ran on: ${name}`}
  return {outcome: 'failed', kind: 'crashed', why: `${name} (${means})`}
}

export function brokenRule({rule, message, fix}: Violation): Failure {
  return {outcome: 'failed', kind: 'violated', why: `${rule}: ${message} ${fix}`}
}
