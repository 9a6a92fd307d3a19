import type {ChildProcess} from 'node:child_process'

const running = new Set<ChildProcess>()
let isWatching = false

/**
 * Makes a program that leads a process group end with this process, however that ends, short of a SIGKILL: no Ctrl-C of
 * the terminal reaches a group of its own.
 */
export function endsWithUs<T extends ChildProcess>(leader: T): T {
  running.add(leader)
  leader.once('close', () => running.delete(leader))
  if (!isWatching)
    process.on('exit', () => {
      for (const one of running) killGroup(one)
    })
  isWatching = true
  return leader
}

export function killGroup({pid}: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // The group is gone already.
  }
}
