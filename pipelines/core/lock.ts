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
    writeFileSync(file, String(process.pid), {flag: 'wx'})
  } catch (error) {
    if (!isSystemError(error, 'EEXIST')) throw asOutputError(error, file)
    const owner = Number(readFileSync(file, 'utf8'))
    if (owner !== process.pid && isAlive(owner)) {
      throw new PipelineError('run-locked', `${directory} is in use by process ${owner}.`, {
        fix: 'Wait for it, stop it, or choose another folder with --out.', scope: 'run', evidence: {directory, owner},
      })
    }
    writeFileSync(file, String(process.pid))
  }
  return () => rmSync(file, {force: true})
}

/** Whether a living process works in a run directory. */
export function isLocked(directory: string): boolean {
  try {
    return isAlive(Number(readFileSync(join(directory, 'lock'), 'utf8')))
  } catch {
    return false
  }
}

/** Whether a process of this machine lives. */
export function isAlive(processId: number): boolean {
  if (!Number.isInteger(processId) || processId <= 0) return false
  try {
    process.kill(processId, 0)
    return true
  } catch (error) {
    return isSystemError(error, 'EPERM')
  }
}
