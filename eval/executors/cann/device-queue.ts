import {join} from 'node:path'
import {makeFolder} from '../../../engine/files.ts'
import {inTurn} from '../../../engine/lock.ts'
import {cannFailure} from './cann-tools.ts'

export interface DeviceQueue {
  /** Tests every device. @throws PipelineError `executor-failed` of scope `run` when none works */
  open(signal?: AbortSignal): Promise<void>
  /** Work on a device that nobody else has: no other work of this process, and none of another one of this machine. */
  use<T>(work: (device: number) => Promise<T>, signal?: AbortSignal): Promise<T>
  /**
   * Tests a device on which something went wrong, before anybody else has it. One that fails twice in a row is taken
   * out, and that is said.
   * @returns whether it is still used
   */
  suspect(device: number, why: string, signal?: AbortSignal): Promise<boolean>
}

/** What work on a board came to: a fault is the board's own, and after a suspicion it is only tested. */
export type Tried<T> = {fault: string} | (T & {suspicion?: string})

/**
 * Work on a board, which is tested after what it may have suffered from. After a fault it is done once more, on that or
 * another.
 * @throws PipelineError `executor-failed` after a second fault
 */
export async function onHealthy<T>(
  queue: DeviceQueue,
  work: (device: number) => Promise<Tried<T>>,
  signal: AbortSignal | undefined,
  left = 1,
): Promise<T> {
  const end = await queue.use(async (device) => {
    const tried = await work(device)
    const why = 'fault' in tried ? tried.fault : tried.suspicion
    if (why !== undefined) await queue.suspect(device, why, signal)
    return tried
  }, signal)
  if (!('fault' in end)) return end
  if (left > 0) return onHealthy(queue, work, signal, left - 1)
  throw cannFailure(end.fault)
}

interface QueueOptions {
  devices: readonly number[]
  /** For the names of lock files: boards of another host are others. */
  place: string
  /** Where locks lie, shared by all processes. */
  lockDirectory: string
  /** @returns what was seen of a device on which the known operator does not come out right */
  test(device: number, signal?: AbortSignal): Promise<string | undefined>
  /** Told to the user. */
  say(text: string): void
}

const tries = 2

/** @throws PipelineError, in `use`, `executor-failed` of scope `run` when no device is left */
export function deviceQueue({devices, place, lockDirectory, test, say}: QueueOptions): DeviceQueue {
  makeFolder(lockDirectory)
  const healthy = new Set(devices)
  const waiting = new Map<number, number>(devices.map((device) => [device, 0]))
  const file = (device: number) => join(lockDirectory, `${place.replaceAll(/[^\w.-]/g, '-')}-${device}`)
  const suspect: DeviceQueue['suspect'] = async (device, why, signal) => {
    let seen = why
    for (let attempt = 0; attempt < tries; attempt += 1) {
      const fault = await test(device, signal)
      if (fault === undefined) return true
      seen = fault
    }
    if (healthy.delete(device)) say(`board ${device} of ${place} stays sick and is not used any more: ${seen}`)
    return false
  }
  const noneLeft = () => cannFailure(`no board of ${place} is left that works`, {scope: 'run'})
  return {
    suspect,
    async open(signal) {
      for (const device of devices) await inTurn(file(device), () => suspect(device, '', signal), {signal})
      if (healthy.size === 0) throw noneLeft()
    },
    async use(work, signal) {
      const [device] = [...healthy].sort((a, b) => (waiting.get(a) ?? 0) - (waiting.get(b) ?? 0))
      if (device === undefined) throw noneLeft()
      waiting.set(device, (waiting.get(device) ?? 0) + 1)
      try {
        return await inTurn(file(device), () => work(device), {signal})
      } finally {
        waiting.set(device, (waiting.get(device) ?? 0) - 1)
      }
    },
  }
}
