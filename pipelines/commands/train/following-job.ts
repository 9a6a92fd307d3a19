import type {JobRecord} from '../../../datasets/schema/job.ts'
import {PipelineError} from '../../../engine/errors.ts'
import {lastCheckpoint, readRecord, recordOf} from '../../../trainers/job-folder.ts'
import {isOpen, refreshed} from '../../../trainers/job-state.ts'
import {followingSpec} from '../../../trainers/read-spec.ts'
import type {JobSpec} from '../../../trainers/spec.ts'
import type {World} from '../world.ts'
import {resumeJob} from './change-job.ts'
import {measureModels} from './measure-models.ts'
import {launch, startJob, type StartRequest} from './start-job.ts'
import type {CheckedPlan, TrainRooms} from './train-rooms.ts'
import {watchJob} from './watch-job.ts'
import {writeModel} from './write-model.ts'

interface Chain {
  request: StartRequest & {out: string; cache: string}
  rooms: TrainRooms
  world: World
}

/**
 * `ascend-cot train <spec>`. If a specification names a `next` job or something to measure, the same command continues
 * with whatever is left: it watches a running job, resumes a stopped one, starts the next, measures and writes the
 * card.
 */
export async function train(request: Chain['request'], rooms: TrainRooms, world: World): Promise<number> {
  const spec = await rooms.readSpec(request.spec, request.set)
  if (spec.next === undefined && spec.measure === undefined) return startJob(request, rooms, world)
  const chain = {request, rooms, world}
  const ahead = await lookAhead(spec, chain)
  if (ahead !== 0 || request.dryRun) return ahead
  const first = await throughJob(spec, chain)
  if (typeof first === 'number') return first
  const next = followingSpec(spec, `job:${first.id}`)
  const last = next === undefined ? first : await throughJob(next, chain)
  if (typeof last === 'number') return last
  if (spec.measure) await measureModels({...request, jobs: [first, last], spec, measure: spec.measure}, world)
  const {folder: model} = await writeModel(request.out, last)
  world.terminal.print(request.json ? JSON.stringify({job: last.id, model}) : `model with its card: ${model}`)
  world.terminal.say(`  → \`ascend-cot publish <owner>/<name> --model job:${last.id}\` shows what would be published.`)
  return 0
}

/** Both jobs as planned; the second from the first one's base model, because its own does not exist yet. */
async function lookAhead(spec: JobSpec, {request, rooms, world}: Chain): Promise<number> {
  const {terminal} = world
  if (request.dryRun) {
    const shown = await launch(...(await planned(spec, rooms)), request, rooms, world)
    if (shown !== 0) return shown
  }
  const next = followingSpec(spec, spec.model.name.value)
  if (next === undefined) return 0
  if (request.dryRun && !request.json) terminal.say(`\nThen (planned here from the first job's base model):\n`)
  const [checked, record] = await planned(next, rooms)
  const stopped = checked.findings.some(({severity}) => severity === 'error')
  return request.dryRun || stopped ? launch(checked, record, {...request, dryRun: true}, rooms, world) : 0
}

async function planned(spec: JobSpec, rooms: TrainRooms): Promise<[CheckedPlan, JobRecord]> {
  const checked = await rooms.check(spec, null)
  return [checked, recordOf(checked.plan, checked.parent)]
}

/** @returns the record of a job that succeeded, or the exit code of what stopped it */
async function throughJob(spec: JobSpec, {request, rooms, world}: Chain): Promise<JobRecord | number> {
  const [checked, fresh] = await planned(spec, rooms)
  const {folder, id} = checked.plan
  const before = await recordIn(folder)
  const record = before && (await refreshed(before, folder, rooms.backend(before.backend)))
  const state = record?.attempts.at(-1)?.state
  const every = spec.checkpoints.every
  if (record && state === 'succeeded') {
    world.terminal.say(`${id} has finished`)
    return record
  }
  const code = await goOn()
  if (code !== 0) return code
  const after = await readRecord(folder)
  if (after.attempts.at(-1)?.state === 'succeeded') return after
  world.terminal.say('  → Run the same command again to continue with the next step.')
  return 0

  async function goOn(): Promise<number> {
    if (record && state !== undefined && isOpen(state)) return watchJob({record, folder, every}, rooms, world)
    const left = record ? await lastCheckpoint(record.output, rooms.engine(record.engine)) : null
    if (left === null) return launch(checked, record ?? fresh, request, rooms, world)
    const {environment, backend} = spec
    const set = {environment: JSON.stringify(environment), backend: JSON.stringify(backend)}
    return resumeJob({...request, id, set}, rooms, world)
  }
}

async function recordIn(folder: string): Promise<JobRecord | undefined> {
  return readRecord(folder).catch((error: unknown) => {
    if (error instanceof PipelineError && error.code === 'job-missing') return undefined
    throw error
  })
}
