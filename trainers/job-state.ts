import type {JobRecord, JobState} from '../datasets/schema/job.ts'
import type {Backend} from './backends/backend.ts'
import {attemptFolder, writeRecord} from './job-folder.ts'

/** States that no asking changes any more. */
const final: readonly JobState[] = ['succeeded', 'failed', 'cancelled']

const isFinal = (state: JobState) => final.includes(state)

/** Whether something of it may still be running. */
export const isOpen = (state: JobState) => state === 'queued' || state === 'running'

/**
 * Asks the backend how the last attempt is, and notes what it says.
 * @returns the record as it is now
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
  const detail = `whoever submitted it was ended before it heard what the job is called; ${look[backend] ?? ''}`
  return {state: 'lost', detail}
}
