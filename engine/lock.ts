import {readFileSync, rmSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {isSystemError, PipelineError} from './errors.ts'
import {asOutputError} from './files.ts'
import {isAlive, processStatus} from './process-table.ts'

/**
 * Reserves a run directory for one process. The lock of a dead process is taken over.
 * @returns the function that releases the directory
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
  const mine = `${process.pid} ${processStatus(process.pid)?.started ?? ''}`
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

/** Whether a live process is working in a run directory. */
export function isLocked(directory: string): boolean {
  try {
    return ownerOf(join(directory, 'lock')) !== undefined
  } catch {
    return false
  }
}

/** The live process that made a lock. A later process with the same id started at another time. */
function ownerOf(file: string): number | undefined {
  const [number, started] = readFileSync(file, 'utf8').split(' ')
  const owner = Number(number)
  if (!isAlive(owner)) return undefined
  const now = processStatus(owner)?.started
  return started && now && started !== now ? undefined : owner
}
