import {readFileSync} from 'node:fs'
import {counted} from '../counted.ts'
import type {Wanted} from './hands.ts'
import {nameOf, named, TaskState, type ShareFolder} from './share-folder.ts'
import type {WorkerSeen} from './worker-seen.ts'
import {isPresent} from './workforce.ts'

interface Watch {
  wanted: Wanted
  now(): number
}

/** A warning names a task that began this many times the usual time ago. */
const straggling = 4

/** What tasks say of themselves: machines with what they hold, and each share that takes far longer than the others. */
export function shareWatch(folder: ShareFolder, {wanted, now}: Watch) {
  const took: number[] = []
  const told = new Set<number>()
  const finished: TaskState[] = []
  const stateOf = (share: number): TaskState | undefined => {
    try {
      return TaskState.parse(JSON.parse(readFileSync(folder.state(share), 'utf8')))
    } catch {
      return undefined // Not begun, or half visible on a network.
    }
  }
  function warnOf(states: readonly TaskState[]): void {
    if (took.length < 3) return
    const usual = took.toSorted((a, b) => a - b)[Math.floor(took.length / 2)]!
    for (const {share, by, startedAt} of states) {
      if (told.has(share) || now() - startedAt < Math.max(60_000, straggling * usual)) continue
      told.add(share)
      wanted.log.warn('a share takes much longer than the others', {share: nameOf(share), on: named(by)})
    }
  }
  return {
    finished(share: number): void {
      const state = stateOf(share)
      if (!state) return
      took.push(state.seenAt - state.startedAt)
      finished.push(state)
    },
    look(open: Iterable<number>): void {
      const shares = [...open]
      const held = shares.flatMap((share) => stateOf(share) ?? [])
      warnOf(held)
      const working = held.filter((one) => isPresent({silentSeconds: silence(one, now())})).length
      const workers = machines(finished, held, now())
      wanted.seen({unit: 'share', waiting: shares.length - working, working, workers})
    },
  }
}

/** The clocks of machines differ by a little. */
const silence = ({seenAt}: TaskState, now: number) => Math.max(0, Math.round((now - seenAt) / 1000))

/** All tasks of a user on a machine together: an array has thousands. */
function machines(finished: readonly TaskState[], held: readonly TaskState[], now: number): WorkerSeen[] {
  const found = new Map<string, {one: WorkerSeen; shares: number}>()
  const noteOf = (state: TaskState) => {
    const {by: whose, capability, done} = state
    const by = `${whose.user}@${whose.host}`
    const fresh = {id: by, by, capability, records: 0, rate: 0, holds: '', fit: [], silentSeconds: Infinity}
    const note = found.get(by) ?? {one: fresh, shares: 0}
    found.set(by, note)
    note.one.records += done
    note.one.silentSeconds = Math.min(note.one.silentSeconds, silence(state, now))
    return note
  }
  for (const state of finished) noteOf(state)
  for (const state of held) {
    const note = noteOf(state)
    if (!isPresent({silentSeconds: silence(state, now)})) continue
    note.one.rate += (state.done * 1000) / Math.max(1, state.seenAt - state.startedAt)
    note.shares += 1
  }
  return [...found.values()].map(({one, shares}) => ({
    ...one,
    rate: Number(one.rate.toFixed(1)),
    holds: shares === 0 ? '' : counted(shares, 'share'),
  }))
}
