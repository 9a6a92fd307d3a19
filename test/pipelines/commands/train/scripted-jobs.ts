import {mkdir, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import {stringify} from 'yaml'
import type {JobRecord} from '../../../../datasets/schema/job.ts'
import type {TrainRooms} from '../../../../pipelines/commands/train/train-rooms.ts'
import type {Backend, JobStatus} from '../../../../trainers/backends/backend.ts'
import {recordOf, writeRecord} from '../../../../trainers/job-folder.ts'
import {planOf, specOf} from '../../../helpers/job-attempt.ts'
import {standInEngine, standInRooms} from '../../../helpers/stand-in-rooms.ts'
import {recordedWorld} from '../../../helpers/world.ts'

export type JobAttempt = JobRecord['attempts'][number]

export const attempt = (number: number, more: Partial<JobAttempt> = {}): JobAttempt => ({
  number,
  handle: 'job:1',
  submitted: '2026-01-01T00:00:00.000Z',
  state: 'running',
  detail: '',
  resumedFrom: null,
  ...more,
})

/** Writes a job as it was left by whoever started it. */
export async function leftJob(out: string, more: Partial<JobRecord> = {}): Promise<JobRecord> {
  const id = more.id ?? 'tiny-0123abcd'
  const folder = join(out, 'jobs', id)
  const record = {...recordOf(planOf(folder), null), ...more}
  await mkdir(folder, {recursive: true})
  await writeFile(join(folder, 'spec.yaml'), stringify(specOf()))
  await writeRecord(folder, record)
  return record
}

/** A checkpoint as the stand-in trainer leaves it. */
export async function leftCheckpoint({output}: JobRecord, step: number): Promise<string> {
  const folder = join(output, `checkpoint-${step}`)
  await mkdir(folder, {recursive: true})
  await writeFile(join(folder, 'trainer_state.json'), '{}')
  return folder
}

/** What the stand-in trainer says after a step. */
export const stepLine = (step: number, loss: string) => `{'loss': '${loss}', 'epoch': '${step}'}`

interface Script {
  /** What the backend answers when it is asked, one after the other; the last one again and again. */
  states?: readonly JobStatus[]
  /** Lines of every attempt's log; a backend hands over two at most. */
  log?: readonly string[]
}

/** Rooms whose backend answers what is written down for it. */
export function scriptedRooms(out: string, {states = [], log = []}: Script = {}) {
  const done: string[] = []
  const left = [...states]
  const backend: Backend = {
    name: 'local',
    render: () => [],
    async submit({number}) {
      done.push(`submit ${number}`)
      return `job:${number}`
    },
    async state(handle) {
      done.push(`state ${handle}`)
      const [next = {state: 'running', detail: ''}] = left.length > 1 ? left.splice(0, 1) : left
      return next
    },
    async log(_handle, _folder, from) {
      return log.slice(from, from + 2).map((text, at) => ({text, end: from + at + 1}))
    },
    async cancel(handle) {
      done.push(`cancel ${handle}`)
    },
  }
  const rooms: TrainRooms = {...standInRooms({out}), engine: () => standInEngine, backend: () => backend}
  return {rooms, done}
}

/** A world at a time after the first attempt was submitted. */
export const worldAfter = (seconds: number) => {
  const at = Date.parse('2026-01-01T00:00:00.000Z') + seconds * 1000
  return {...recordedWorld(), now: () => at}
}
