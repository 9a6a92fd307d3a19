import {readFileSync, rmSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {isSystemError, PipelineError} from './errors.ts'
import {asOutputError} from './files.ts'

/**
 * Keeps a run directory to one process. The lock of a process that no longer lives is taken over.
 * @returns the function that gives the directory back
 * @throws PipelineError `run-locked` when another process works there
 */
export function lockDirectory(directory: string): () => void {
  const file = join(directory, 'lock')
  try {
    takeLock(file, directory)
  } catch (error) {
    throw asOutputError(error, file)
  }
  return () => rmSync(file, {force: true})
}

function takeLock(file: string, directory: string): void {
  const mine = `${process.pid} ${statusOf(process.pid)?.started ?? ''}`
  try {
    writeFileSync(file, mine, {flag: 'wx'})
  } catch (error) {
    if (!isSystemError(error, 'EEXIST')) throw error
    const owner = ownerOf(file)
    if (owner !== undefined && owner !== process.pid) {
      throw new PipelineError('run-locked', `${directory} is in use by process ${owner}.`, {
        fix: 'Wait until that process ends, stop it, or choose another folder with --out.',
        scope: 'run',
        evidence: {directory, owner},
      })
    }
    writeFileSync(file, mine)
  }
}

/** Whether a living process works in a run directory. */
export function isLocked(directory: string): boolean {
  try {
    return ownerOf(join(directory, 'lock')) !== undefined
  } catch {
    return false
  }
}

/** The living process that a lock was made by. Another one that got the same number later began at another time. */
function ownerOf(file: string): number | undefined {
  const [number, started] = readFileSync(file, 'utf8').split(' ')
  const owner = Number(number)
  if (!isAlive(owner)) return undefined
  const now = statusOf(owner)?.started
  return started && now && started !== now ? undefined : owner
}

/** Whether a process of this machine lives. One that ended and that its parent has not asked about does not. */
export function isAlive(processId: number): boolean {
  if (!Number.isInteger(processId) || processId <= 0) return false
  try {
    process.kill(processId, 0)
  } catch (error) {
    return isSystemError(error, 'EPERM')
  }
  return statusOf(processId)?.state !== 'Z'
}

/** What Linux tells of a process: its state and when it began, in ticks since the machine started. See `man 5 proc`. */
function statusOf(processId: number): {state: string | undefined; started: string | undefined} | undefined {
  try {
    const text = readFileSync(`/proc/${processId}/stat`, 'utf8')
    // The name of the program stands in parentheses before these, and may hold spaces and parentheses itself.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return {state: fields[0], started: fields[19]}
  } catch {
    return undefined
  }
}
