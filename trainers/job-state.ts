import type {JobRecord, JobState} from '../datasets/schema/job.ts'
import type {Backend} from './backends/backend.ts'
import {attemptFolder, writeRecord} from './job-folder.ts'

/** Final states. */
const final: readonly JobState[] = ['succeeded', 'failed', 'cancelled']

const isFinal = (state: JobState) => final.includes(state)

/** Whether it may still be running. */
export const isOpen = (state: JobState) => state === 'queued' || state === 'running'

/**
 * Queries the backend for the last attempt's state, and records it.
 * @returns the updated record
 */
export async function refreshed(record: JobRecord, folder: string, backend: Backend): Promise<JobRecord> {
  const last = record.attempts.at(-1)
  if (!last || isFinal(last.state)) return record
  const {state, detail} =
    last.handle === null
      ? unnamed(record, last.number)
      : await backend.state(last.handle, attemptFolder(folder, last.number))
  if (state === last.state && detail === last.detail) return record
  const after = {...record, attempts: [...record.attempts.slice(0, -1), {...last, state, detail}]}
  await writeRecord(folder, after)
  return after
}

function unnamed({id, backend}: JobRecord, number: number): {state: JobState; detail: string} {
  const look: Record<string, string> = {
    local: `look for it with \`ps -ef | grep ${id}\``,
    slurm: `look for it with \`squeue --name=${id}-${number}\``,
    kubernetes: `look for it with \`kubectl get pods -A | grep ${id}\``,
  }
  const detail = `the submitting process ended before it received the job's id; ${look[backend] ?? ''}`
  return {state: 'lost', detail}
}
