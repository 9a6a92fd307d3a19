import type {ChildProcess} from 'node:child_process'
import {rmSync} from 'node:fs'

const running = new Set<ChildProcess>()
const unfinished = new Set<string>()
let isWatching = false

/**
 * Makes a program that leads a process group end with this process, however that ends, short of a SIGKILL: no Ctrl-C of
 * the terminal reaches a group of its own.
 */
export function endsWithUs<T extends ChildProcess>(leader: T): T {
  running.add(leader)
  leader.once('close', () => running.delete(leader))
  watch()
  return leader
}

/**
 * Makes a file or folder that is of use to nobody else go with this process where its end comes before `work`'s: a
 * machine under load takes longer to clear up than a Ctrl-C waits.
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
