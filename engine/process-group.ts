import type {ChildProcess} from 'node:child_process'
import {rmSync} from 'node:fs'

const running = new Set<ChildProcess>()
const unfinished = new Set<string>()
let isWatching = false

/**
 * Ends a program that leads a process group when this process ends, unless by SIGKILL: a terminal's Ctrl-C does not
 * reach a separate group.
 */
export function endsWithUs<T extends ChildProcess>(leader: T): T {
  running.add(leader)
  leader.once('close', () => running.delete(leader))
  watch()
  return leader
}

/**
 * Removes a temporary file or folder when this process ends before `work` does: under load, cleaning up takes longer
 * than a Ctrl-C waits.
 */
export async function goingWithUs<T>(path: string, work: () => Promise<T>): Promise<T> {
  unfinished.add(path)
  watch()
  try {
    return await work()
  } finally {
    unfinished.delete(path)
  }
}

function watch(): void {
  if (isWatching) return
  isWatching = true
  process.on('exit', () => {
    for (const one of running) killGroup(one)
    // A program that was killed may go on writing for a moment.
    for (const path of unfinished) rmSync(path, {recursive: true, force: true, maxRetries: 10, retryDelay: 20})
  })
}

export function killGroup({pid}: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // The group is gone already.
  }
}
