import {spawn} from 'node:child_process'
import {closeSync, openSync} from 'node:fs'
import {asOutputError} from './files.ts'
import {realSleep} from './llm/clock.ts'
import {bootId, groupMembers, isAlive, processStatus} from './process-table.ts'
import {startFailure} from './subprocess.ts'

interface Start {
  cwd: string
  /** The whole environment. */
  env: Readonly<Record<string, string | undefined>>
  /** The program's output is appended to this file. */
  log: string
}

/**
 * Starts a program that outlives this process, in a session of its own: no Ctrl-C and no closed terminal reaches it.
 * @returns its name from now on: process id, start and boot, so that a later process with its id is never taken for it
 * @throws PipelineError `toolchain-missing` when the program does not exist
 */
export function startDetached(program: string, args: readonly string[], {cwd, env, log}: Start): Promise<string> {
  let descriptor: number
  try {
    descriptor = openSync(log, 'a')
  } catch (error) {
    throw asOutputError(error, log)
  }
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {cwd, env, detached: true, stdio: ['ignore', descriptor, descriptor]})
    child.once('error', (error) => reject(startFailure(program, error)))
    child.once('spawn', () => {
      child.unref()
      const {pid = 0} = child
      resolve([pid, processStatus(pid)?.started ?? '', bootId()].join(':'))
    })
    closeSync(descriptor)
  })
}

/** What still runs of a detached program. */
interface Remains {
  alive: boolean
  /** Live processes in its group, its own included. */
  members: readonly number[]
}

export function remainsOf(handle: string): Remains {
  const {processId, started, boot} = partsOf(handle)
  if (!Number.isInteger(processId) || processId <= 1 || boot !== bootId()) return {alive: false, members: []}
  const now = processStatus(processId)
  // The id belongs to another program. Ids of live groups are not reused, so the old group is gone too.
  if (now && now.started !== started) return {alive: false, members: []}
  return {alive: isAlive(processId), members: groupMembers(processId)}
}

const step = 50
/** A process that the kernel holds, in the driver of a device say, ends later or never. */
const patienceAfterKill = 10_000

/**
 * Asks the whole group to end, and kills it after `patience` milliseconds.
 * @returns the processes that did not end
 */
export async function endDetached(handle: string, patience: number): Promise<readonly number[]> {
  for (const [signal, wait] of [
    ['SIGTERM', patience],
    ['SIGKILL', patienceAfterKill],
  ] as const) {
    signalGroup(handle, signal)
    for (let waited = 0; waited < wait && remainsOf(handle).members.length > 0; waited += step) await realSleep(step)
  }
  return remainsOf(handle).members
}

function signalGroup(handle: string, signal: NodeJS.Signals): void {
  if (remainsOf(handle).members.length === 0) return
  try {
    process.kill(-partsOf(handle).processId, signal)
  } catch {
    // It ended just now.
  }
}

function partsOf(handle: string): {processId: number; started: string; boot: string} {
  const [id = '', started = '', boot = ''] = handle.split(':')
  return {processId: Number(id), started, boot}
}
