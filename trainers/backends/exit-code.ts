import {existsSync, readFileSync, statSync} from 'node:fs'
import {join} from 'node:path'
import {writeWhole} from '../../engine/files.ts'
import {logName, type JobStatus} from './backend.ts'

/** File that the job's script leaves in the attempt's folder at its end. */
export const exitCodeName = 'exit-code'
const cancelledName = 'cancelled'

/** Written before the job is cancelled, so that it is neither reported as failed nor restarted. */
export async function markCancelled(folder: string): Promise<void> {
  await writeWhole(join(folder, cancelledName), '')
}

export function wasCancelled(folder: string): boolean {
  return existsSync(join(folder, cancelledName))
}

/** Bash that leaves the exit code of `$code`, atomically. */
export function leaveExitCode(folder: string): string {
  const file = `'${join(folder, exitCodeName).replaceAll("'", "'\\''")}'`
  return [
    `printf '\\n[ascend-cot] ended with exit code %s\\n' "$code"`,
    `printf '%s\\n' "$code" > ${file}.tmp && mv ${file}.tmp ${file}`,
  ].join('\n')
}

/**
 * When an attempt ended, in milliseconds: from its script's last message, or from its last output; otherwise undefined.
 */
export function endedAt(folder: string): number | undefined {
  const [end, log] = [exitCodeName, logName].map((name) => statSync(join(folder, name), {throwIfNoEntry: false}))
  return (end ?? log)?.mtimeMs
}

/** The exit code that the job's script left; undefined before it ended. */
export function recordedEnd(folder: string): JobStatus | undefined {
  const file = join(folder, exitCodeName)
  if (!existsSync(file)) return undefined
  const code = Number(readFileSync(file, 'utf8'))
  if (code === 0) return {state: 'succeeded', detail: ''}
  if (wasCancelled(folder)) return {state: 'cancelled', detail: ''}
  return {state: 'failed', detail: describeCode(code)}
}

const signals: Record<number, string> = {
  2: 'SIGINT',
  6: 'SIGABRT',
  7: 'SIGBUS',
  9: 'SIGKILL, typical of a machine out of memory',
  11: 'SIGSEGV',
  15: 'SIGTERM',
}

function describeCode(code: number): string {
  if (code <= 128) return `exit code ${code}`
  return `exit code ${code}: ended by ${signals[code - 128] ?? `signal ${code - 128}`}`
}
