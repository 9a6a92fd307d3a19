import type {JobState} from '../../datasets/schema/job.ts'
import type {JobStatus} from './backend.ts'

/** The job's own states; Slurm's suffixes (`CANCELLED by 1000`, `RUNNING+`) are removed. */
const states: Readonly<Record<string, JobState>> = {
  PENDING: 'queued',
  CONFIGURING: 'queued',
  REQUEUED: 'queued',
  REQUEUE_FED: 'queued',
  REQUEUE_HOLD: 'queued',
  RESV_DEL_HOLD: 'queued',
  SPECIAL_EXIT: 'queued',
  RUNNING: 'running',
  COMPLETING: 'running',
  RESIZING: 'running',
  SIGNALING: 'running',
  STAGE_OUT: 'running',
  STOPPED: 'running',
  SUSPENDED: 'queued',
  COMPLETED: 'succeeded',
  CANCELLED: 'cancelled',
  FAILED: 'failed',
  TIMEOUT: 'failed',
  OUT_OF_MEMORY: 'failed',
  NODE_FAIL: 'failed',
  BOOT_FAIL: 'failed',
  DEADLINE: 'failed',
  PREEMPTED: 'failed',
  REVOKED: 'failed',
}

const meanings: Readonly<Record<string, string>> = {
  TIMEOUT: 'the time limit was reached; raise backend.time, or resume the job',
  OUT_OF_MEMORY: 'out of memory',
  NODE_FAIL: 'a node failed',
  BOOT_FAIL: 'a node did not start',
  PREEMPTED: 'it was preempted by another job',
  SUSPENDED: 'suspended',
}

/** A job's state from Slurm's fields; undefined if they are unknown. */
export function slurmStatus(
  {JobState = '', Reason = '', ExitCode = '', Restarts = '0'}: Readonly<Record<string, string>>,
  weCancelled: boolean,
): JobStatus | undefined {
  const name = JobState.match(/^[A-Z_]+/)?.[0] ?? ''
  const state = states[name]
  if (state === undefined) return undefined
  // A cancelled job may exit with its own code before Slurm records the cancellation.
  if (state === 'failed' && weCancelled) return {state: 'cancelled', detail: ''}
  const [, code = '0', signal = '0'] = /^(\d+):(\d+)/.exec(ExitCode) ?? []
  const parts = [
    meanings[name] ?? '',
    state === 'queued' ? waiting(Reason) : '',
    state === 'failed' && code !== '0' ? `exit code ${code}` : '',
    state === 'failed' && signal !== '0' ? `signal ${signal}` : '',
    Restarts === '0' ? '' : `started again ${Restarts} time${Restarts === '1' ? '' : 's'}`,
  ]
  return {state, detail: parts.filter((part) => part !== '').join(', ')}
}

function waiting(reason: string): string {
  if (reason === '' || reason === 'None') return ''
  if (/held/i.test(reason)) return `held (${reason}): release it with \`scontrol release\``
  return `waits for ${reason}`
}
