import {counted} from '../../../engine/counted.ts'
import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {parse} from 'yaml'
import type {JobRecord} from '../../../datasets/schema/job.ts'
import {PipelineError} from '../../../engine/errors.ts'
import {realSleep} from '../../../engine/llm/clock.ts'
import {endedAt} from '../../../trainers/backends/exit-code.ts'
import {attemptFolder, findJob, findJobs, jobsFolder, specPath} from '../../../trainers/job-folder.ts'
import {isOpen, refreshed} from '../../../trainers/job-state.ts'
import {lineageOf, type Lineage} from '../../../trainers/lineage.ts'
import {JobSpec} from '../../../trainers/spec.ts'
import {table} from '../text-table.ts'
import {interruptedCode, type World} from '../world.ts'
import {shortNumber} from './curve-chart.ts'
import {jobFrame, type JobView} from './job-lines.ts'
import type {TrainRooms} from './train-rooms.ts'
import {jobLooker, type LookedAt} from './watched-job.ts'

/** Of a job by its id; its folder follows from its id. */
export const folderOf = (out: string, {id}: JobRecord) => join(jobsFolder(out), id)

/** The specification that a job was started with, all values in it. */
export function storedSpec(folder: string): JobSpec {
  const result = JobSpec.safeParse(parse(readFileSync(specPath(folder), 'utf8')))
  if (result.success) return result.data
  const [issue] = result.error.issues
  throw new PipelineError('record-invalid', `${specPath(folder)}: ${issue?.path.join('.')}: ${issue?.message}`, {
    fix: 'It was changed, or written by another version: start the job again under another name.',
    cause: result.error,
  })
}

interface StatusRequest {
  /** '' shows all jobs. */
  id: string
  out: string
  json: boolean
}

/** `ascend-cot train status [id]`. */
export async function jobStatus({id, out, json}: StatusRequest, rooms: TrainRooms, world: World): Promise<number> {
  if (id !== '') return oneJob(await findJob(out, id), {out, json}, rooms, world)
  const jobs = await findJobs(out)
  const looked: LookedAt[] = []
  for (const record of jobs) looked.push(await lookedAt(record, out, rooms, world))
  if (json)
    world.terminal.print(JSON.stringify(looked.map(({record, curve}) => ({...record, last: curve.at(-1) ?? null}))))
  else if (jobs.length === 0)
    world.terminal.say(`There is no job in ${jobsFolder(out)}. Start one: \`ascend-cot train <spec>\`.`)
  else
    world.terminal.print(
      table(['job', 'state', 'step', 'loss', 'attempts', ''], looked.map(rowOf), world.terminal.width),
    )
  return 0
}

async function lookedAt(record: JobRecord, out: string, rooms: TrainRooms, world: World): Promise<LookedAt> {
  const folder = folderOf(out, record)
  return jobLooker(folder, storedSpec(folder).checkpoints.every, rooms, world.now).look(record)
}

function rowOf({record, curve}: LookedAt): (string | number)[] {
  const last = record.attempts.at(-1)
  const point = curve.at(-1)
  return [
    record.id,
    last?.state ?? 'queued',
    `${point?.step ?? 0}/${record.arithmetic.steps}`,
    point === undefined || point.loss === null ? '' : shortNumber(point.loss),
    record.attempts.length,
    last?.detail ?? '',
  ]
}

async function oneJob(
  given: JobRecord,
  {out, json}: Omit<StatusRequest, 'id'>,
  rooms: TrainRooms,
  world: World,
): Promise<number> {
  const seen = await lookedAt(given, out, rooms, world)
  const {record, curve, alarms, checkpoint} = seen
  const find = async (id: string) => (await findJobs(out)).find((one) => one.id === id)
  const lineage = await lineageOf(record, find)
  const {terminal} = world
  if (json) {
    terminal.print(JSON.stringify({...record, last: curve.at(-1) ?? null, checkpoint, alarms, lineage}))
    return 0
  }
  const seconds = secondsOf(record, folderOf(out, record), world.now())
  const view: JobView = {...seen, seconds, stepsPerSecond: undefined}
  const attempts = record.attempts.map(({number, state, handle, submitted, resumedFrom, detail}) => [
    number,
    state,
    submitted.slice(0, 19).replace('T', ' '),
    (handle ?? '').split(':')[0] ?? '',
    [detail, resumedFrom === null ? '' : `from ${resumedFrom}`].filter(Boolean).join('; '),
  ])
  terminal.print(
    [
      jobFrame({...view, alarms: []}, terminal.width ?? 100).join('\n'),
      ...alarms.map(({says, fix}) => `! ${says}\n  → ${fix}`),
      table(['attempt', 'state', 'submitted', 'called', ''], attempts, terminal.width),
      `checkpoint  ${checkpoint ?? 'none yet'}\nfolder      ${folderOf(out, record)}`,
      lineageLines(lineage).join('\n'),
    ].join('\n\n'),
  )
  return 0
}

/** Since the last attempt was submitted, up to its end. */
function secondsOf({attempts}: JobRecord, folder: string, now: number): number {
  const last = attempts.at(-1)
  if (last === undefined) return 0
  const begun = Date.parse(last.submitted)
  const end = isOpen(last.state) ? now : (endedAt(attemptFolder(folder, last.number)) ?? begun)
  return Math.max(0, end - begun) / 1000
}

/** From the job back to its sources, one step per line. */
function lineageLines({job, method, base, data}: Lineage, depth = 0): string[] {
  const indent = '  '.repeat(depth)
  const changed = data.unchanged === false ? ', which has changed since' : ''
  const sources = data.sources
    .slice(0, 8)
    .map(
      ({repository, revision, licence, rows}) =>
        `${indent}    ${counted(rows, 'row')} of ${repository}@${revision} (${licence})`,
    )
  const rest = data.sources.length > 8 ? [`${indent}    and ${counted(data.sources.length - 8, 'more source')}`] : []
  const part = `${data.config}/${data.split}, ${data.sha256.slice(0, 12)}…`
  const own = [
    `${indent}made by ${job} (${method})`,
    `${indent}  on ${counted(data.rows, 'row')} of ${data.source} ${part}${changed}`,
    ...(data.countedRows === null ? [] : [`${indent}    part of the split's ${counted(data.countedRows, 'row')}:`]),
    ...sources,
    ...rest,
  ]
  if ('job' in base) return [...own, `${indent}  from`, ...lineageLines(base, depth + 2)]
  return [...own, `${indent}  from ${base.name}${base.revision === null ? '' : `@${base.revision}`}`]
}

interface LogsRequest {
  id: string
  out: string
  follow: boolean
  /** Default: the last one. */
  attempt: number | undefined
  /** One line each, with the attempt and the byte offset after it. */
  json?: boolean
}

const betweenLooks = 500

/** `ascend-cot train logs <id>`: an attempt's log, in whole lines. */
export async function jobLogs(request: LogsRequest, rooms: TrainRooms, world: World): Promise<number> {
  const {id, out, follow, json = false} = request
  let record = await findJob(out, id)
  const folder = folderOf(out, record)
  const backend = rooms.backend(record.backend)
  const number = request.attempt ?? record.attempts.at(-1)?.number ?? 1
  const attempt = record.attempts.find((one) => one.number === number)
  if (!attempt) throw noAttempt(record, number)
  const says = `detached; the job keeps running. Watch it with \`ascend-cot train logs ${record.id} --follow\``
  Object.assign(world.interrupted, {says, inOrder: false})
  for (let from = 0; ; ) {
    // Read the state first, so that everything written before the end is read.
    if (follow) record = await refreshed(record, folder, backend)
    const over = !isOpen(record.attempts.find((one) => one.number === number)?.state ?? 'lost')
    for (;;) {
      const lines = await backend.log(attempt.handle ?? '', attemptFolder(folder, number), from)
      for (const line of lines) world.terminal.print(json ? JSON.stringify({attempt: number, ...line}) : line.text)
      if (lines.length === 0) break
      from = lines.at(-1)?.end ?? from
    }
    if (!follow || over) return 0
    if (world.signal.aborted) return interruptedCode(world.interrupted)
    await realSleep(betweenLooks, world.signal)
  }
}

function noAttempt({id, attempts}: JobRecord, number: number): PipelineError {
  const known = attempts.map((one) => one.number).join(', ') || 'none'
  return new PipelineError('job-missing', `The job ${id} has no attempt ${number}.`, {
    fix: `Its attempts: ${known}.`,
  })
}
