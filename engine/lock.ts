import {readFileSync, rmSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {setTimeout as sleep} from 'node:timers/promises'
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
        evidence: {directory, owner},
      })
    }
    writeFileSync(file, mine)
  }
}

const turns = new Map<string, Promise<unknown>>()

/**
 * Guards work on a file that is made once per machine: one process at a time does it, and the others then check whether
 * anything is left to do. A process that cannot see another's (in another container) does not wait.
 * @param onWait called once if another process is working on it
 * @throws what `work` throws, and the signal's reason
 */
export function inTurn<T>(
  file: string,
  work: () => Promise<T>,
  {signal, onWait}: {signal?: AbortSignal | undefined; onWait?: (() => void) | undefined} = {},
): Promise<T> {
  const turn = async () => {
    const unlock = await lockWhenFree(`${file}.lock`, {signal, onWait})
    try {
      return await work()
    } finally {
      unlock()
    }
  }
  const mine = (turns.get(file) ?? Promise.resolve()).then(turn, turn)
  const settled = mine.catch(() => undefined).finally(() => turns.get(file) === settled && turns.delete(file))
  turns.set(file, settled)
  return mine
}

async function lockWhenFree(
  file: string,
  {signal, onWait}: {signal: AbortSignal | undefined; onWait: (() => void) | undefined},
): Promise<() => void> {
  for (let asked = 0; ; asked += 1) {
    try {
      takeLock(file, file)
      return () => rmSync(file, {force: true})
    } catch (error) {
      const isTaken = error instanceof PipelineError && error.code === 'run-locked'
      // Released between the two checks.
      if (!isTaken && !isSystemError(error, 'ENOENT')) throw asOutputError(error, file)
      if (asked === 1) onWait?.()
      await sleep(100, undefined, {signal})
    }
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
