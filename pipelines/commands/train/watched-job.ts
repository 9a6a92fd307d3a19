import {statSync} from 'node:fs'
import {join} from 'node:path'
import type {JobRecord, MetricsLine} from '../../../datasets/schema/job.ts'
import {alarmsOf, type Alarm} from '../../../trainers/alarms.ts'
import {logName, type LogLine} from '../../../trainers/backends/backend.ts'
import {attemptFolder, lastCheckpoint} from '../../../trainers/job-folder.ts'
import {curveOf, readMetrics, takeMetrics} from '../../../trainers/job-metrics.ts'
import {isOpen, refreshed} from '../../../trainers/job-state.ts'
import type {TrainRooms} from './train-rooms.ts'

/** A launcher may write dozens of lines after the error that ended its program. */
const mostLines = 200

/** A job's current state, from its backend and its log. */
export interface LookedAt {
  record: JobRecord
  curve: MetricsLine[]
  alarms: Alarm[]
  /** Its last checkpoint; null without one. */
  checkpoint: string | null
  /** The last line of its log that was read; '' for none. */
  said: string
}

/** Looks at a job again and again; the last lines of its log are kept in case it fails. */
export function jobLooker(folder: string, every: number, rooms: TrainRooms, now: () => number) {
  const said: string[] = []
  const kept = (lines: readonly LogLine[]) => {
    said.push(...lines.map(({text}) => text).filter((text) => text !== ''))
    said.splice(0, said.length - mostLines)
    return lines
  }
  return {
    /** The last lines of the log that were read. */
    said,
    async look(before: JobRecord): Promise<LookedAt> {
      const backend = rooms.backend(before.backend)
      const engine = rooms.engine(before.engine)
      // Read the state first: what a job wrote before it ended is then in the log.
      const record = await refreshed(before, folder, backend)
      const last = record.attempts.at(-1)
      const {handle, number = 1} = last ?? {}
      const place = attemptFolder(folder, number)
      const lines =
        typeof handle === 'string'
          ? await takeMetrics({
              folder,
              attempt: number,
              engine,
              log: async (from) => kept(await backend.log(handle, place, from)),
            })
          : readMetrics(folder)
      const curve = curveOf(lines)
      const checkpoint = await lastCheckpoint(record.output, engine)
      const step = checkpoint === null ? null : Number(/(\d+)$/.exec(checkpoint)?.[1] ?? 0)
      const silence = last?.state === 'running' ? silenceOf(place, last.submitted, now()) : null
      const checkpoints = {every, last: step}
      return {
        record,
        curve,
        checkpoint,
        said: said.at(-1) ?? '',
        alarms: alarmsOf({method: record.method, curve, silence, checkpoints}),
      }
    },
  }
}

/** Whether the job has ended. */
export const hasEnded = ({attempts}: JobRecord) => !isOpen(attempts.at(-1)?.state ?? 'queued')

function silenceOf(place: string, submitted: string, now: number): {seconds: number; runs: number} {
  const begun = Date.parse(submitted)
  const changed = statSync(join(place, logName), {throwIfNoEntry: false})?.mtimeMs ?? begun
  return {seconds: (now - Math.max(changed, begun)) / 1000, runs: (now - begun) / 1000}
}
