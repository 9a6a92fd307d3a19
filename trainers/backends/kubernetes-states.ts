import {z} from 'zod'
import type {JobState} from '../../datasets/schema/job.ts'
import type {JobStatus} from './backend.ts'

const Condition = z.object({
  type: z.string(),
  status: z.string(),
  reason: z.string().optional(),
  message: z.string().optional(),
})

/** States reported by Volcano (`state`) and by Kubeflow-style operators (`conditions`). */
const Job = z.object({
  status: z
    .object({
      state: z
        .object({phase: z.string().default(''), reason: z.string().default(''), message: z.string().default('')})
        .optional(),
      conditions: z.array(Condition).nullish(),
      retryCount: z.int().default(0),
    })
    .optional(),
})

/** `Aborted` and `Terminated` by a policy: a job cancelled by a person is deleted. */
const phases: Readonly<Record<string, JobState>> = {
  Pending: 'queued',
  Restarting: 'queued',
  Running: 'running',
  Completing: 'running',
  Completed: 'succeeded',
  Aborting: 'running',
  Terminating: 'running',
  Aborted: 'failed',
  Terminated: 'failed',
  Failed: 'failed',
}

const types: Readonly<Record<string, JobState>> = {
  Created: 'queued',
  Queued: 'queued',
  Suspended: 'queued',
  Restarting: 'queued',
  Running: 'running',
  Succeeded: 'succeeded',
  Failed: 'failed',
}

export function jobStatusOf(object: unknown): JobStatus {
  const {status} = Job.parse(object)
  const phase = status?.state?.phase ?? ''
  if (status?.state && phases[phase] !== undefined) {
    const {reason, message} = status.state
    const again = status.retryCount > 0 ? `restarted ${status.retryCount} times` : ''
    return {
      state: phases[phase],
      detail: [phases[phase] === 'running' ? '' : said(reason, message), again].filter(Boolean).join(', '),
    }
  }
  // The newest comes last; outdated ones stay in the list.
  const last = status?.conditions?.findLast((one) => one.status === 'True' && types[one.type] !== undefined)
  if (!last) return {state: 'queued', detail: ''}
  const state = types[last.type] ?? 'queued'
  return {state, detail: state === 'running' || state === 'succeeded' ? '' : said(last.reason, last.message)}
}

function said(reason = '', message = ''): string {
  if (message === '' || message === reason) return reason
  return reason === '' ? message : `${reason}: ${message}`
}

const Pods = z.object({
  items: z.array(
    z.object({
      metadata: z.object({name: z.string()}),
      status: z
        .object({
          conditions: z.array(Condition).nullish(),
          containerStatuses: z
            .array(
              z.object({
                state: z
                  .object({
                    waiting: z.object({reason: z.string().default(''), message: z.string().default('')}).optional(),
                  })
                  .optional(),
              }),
            )
            .nullish(),
        })
        .optional(),
    }),
  ),
})

/** Why pods are not running yet: no node, no image. */
export function waitingPods(list: unknown): string[] {
  return Pods.parse(list).items.flatMap(({metadata, status}) => {
    const unscheduled = status?.conditions?.find((one) => one.type === 'PodScheduled' && one.status === 'False')
    const waiting = status?.containerStatuses?.flatMap(({state}) => state?.waiting ?? []) ?? []
    const why = [
      ...(unscheduled ? [said(unscheduled.reason, unscheduled.message)] : []),
      ...waiting.map((one) => said(one.reason, one.message)),
    ]
    return why.filter((one) => one !== '' && one !== 'ContainerCreating').map((one) => `${metadata.name}: ${one}`)
  })
}
