import {readdirSync, readFileSync} from 'node:fs'

/** Watches the total memory of this process and its descendants. */
interface MemoryWatch {
  /**
   * The peak, in bytes: resident pages, with shared pages counted in every process. 0 if the system does not report it.
   */
  stop(): number
}

const everyMilliseconds = 500

export function watchMemory(): MemoryWatch {
  let most = 0
  const look = () => {
    most = Math.max(most, residentBytes())
  }
  look()
  const timer = setInterval(look, everyMilliseconds)
  timer.unref()
  return {
    stop() {
      clearInterval(timer)
      look()
      return most
    },
  }
}

interface Process {
  parent: number
  bytes: number
}

/** Resident memory of this process and its descendants, from /proc. */
export function residentBytes(root = process.pid): number {
  const processes = new Map<number, Process>()
  for (const name of listed()) {
    const found = /^\d+$/.test(name) && readProcess(name)
    if (found) processes.set(Number(name), found)
  }
  let together = 0
  for (const [id, {bytes}] of processes) if (descends(id, root, processes)) together += bytes
  return together
}

function listed(): string[] {
  try {
    return readdirSync('/proc')
  } catch {
    return []
  }
}

/** Undefined for a process that has ended, or that is not the user's; a zombie holds nothing. */
function readProcess(id: string): Process | undefined {
  try {
    const status = readFileSync(`/proc/${id}/status`, 'latin1')
    const number = (key: string) => Number(new RegExp(`^${key}:\\s*(\\d+)`, 'm').exec(status)?.[1] ?? 0)
    return {parent: number('PPid'), bytes: number('VmRSS') * 1024}
  } catch {
    return undefined
  }
}

function descends(id: number, root: number, processes: ReadonlyMap<number, Process>): boolean {
  for (let at: number | undefined = id; at !== undefined && at > 0; at = processes.get(at)?.parent)
    if (at === root) return true
  return false
}
