import {existsSync, readdirSync, readFileSync} from 'node:fs'
import {isSystemError} from './errors.ts'

/** Whether a process of this machine is alive. A zombie, which has ended and waits for its parent to ask, is not. */
export function isAlive(processId: number): boolean {
  if (!Number.isInteger(processId) || processId <= 0) return false
  return answers(processId) && processStatus(processId)?.state !== 'Z'
}

function answers(processId: number): boolean {
  try {
    return process.kill(processId, 0)
  } catch (error) {
    return isSystemError(error, 'EPERM')
  }
}

interface ProcessStatus {
  state: string | undefined
  group: string | undefined
  /** In ticks since the machine booted. */
  started: string | undefined
}

/** What Linux reports about a process; undefined without that process, or without Linux. See `man 5 proc`. */
export function processStatus(processId: number): ProcessStatus | undefined {
  try {
    const text = readFileSync(`/proc/${processId}/stat`, 'utf8')
    // Before these fields comes the program's name in parentheses, which may contain spaces and parentheses itself.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return {state: fields[0], group: fields[2], started: fields[19]}
  } catch {
    return undefined
  }
}

/** The live processes of a group; where the system does not list processes, the group leader represents all. */
export function groupMembers(group: number): number[] {
  if (!existsSync('/proc/self/stat')) return answers(-group) ? [group] : []
  const numbers = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return numbers.map(Number).filter((processId) => {
    const status = processStatus(processId)
    return status?.group === String(group) && status.state !== 'Z'
  })
}

/** A different value after every boot; '' when unknown. */
export function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  } catch {
    return ''
  }
}
