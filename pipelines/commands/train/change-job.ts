import {PipelineError} from '../../../engine/errors.ts'
import type {JobRecord} from '../../../datasets/schema/job.ts'
import {againCommand, attemptFolder, findJob, lastCheckpoint, specPath} from '../../../trainers/job-folder.ts'
import {isOpen, refreshed} from '../../../trainers/job-state.ts'
import type {Backend} from '../../../trainers/backends/backend.ts'
import {realSleep} from '../../../engine/llm/clock.ts'
import type {World} from '../world.ts'
import {folderOf, storedSpec} from './look-at-jobs.ts'
import {launch, type StartRequest} from './start-job.ts'
import type {TrainRooms} from './train-rooms.ts'

/** `ascend-cot train cancel <id>`. Exit code 1 when it had already ended. */
export async function cancelJob(
  {id, out}: {id: string; out: string},
  rooms: TrainRooms,
  world: World,
): Promise<number> {
  const found = await findJob(out, id)
  const folder = folderOf(out, found)
  const backend = rooms.backend(found.backend)
  const record = await refreshed(found, folder, backend)
  const last = record.attempts.at(-1)
  // A lost job may still have live processes.
  if (!last || last.handle === null || !(isOpen(last.state) || last.state === 'lost')) {
    world.terminal.say(`${record.id} is not running: ${last?.state ?? 'it was never started'}.`)
    return 1
  }
  await backend.cancel(last.handle, attemptFolder(folder, last.number))
  const after = await endedSoon(record, folder, backend)
  world.terminal.print(`${after.id} ${after.attempts.at(-1)?.state}`)
  const checkpoint = await lastCheckpoint(after.output, rooms.engine(after.engine))
  if (checkpoint !== null)
    world.terminal.say(`  → \`ascend-cot train resume ${after.id}\` continues from ${checkpoint}.`)
  return 0
}

/** A scheduler takes a moment to end a job, and continues after this wait times out. */
async function endedSoon(record: JobRecord, folder: string, backend: Backend): Promise<JobRecord> {
  let now = await refreshed(record, folder, backend)
  for (let waited = 0; waited < patienceSeconds && isOpen(now.attempts.at(-1)?.state ?? 'lost'); waited += 1) {
    await realSleep(1000)
    now = await refreshed(now, folder, backend)
  }
  return now
}

const patienceSeconds = 15

interface ResumeRequest extends Pick<StartRequest, 'set' | 'dryRun' | 'detach' | 'json'> {
  id: string
  out: string
}

/**
 * `ascend-cot train resume <id>`: a new attempt at the same job, from its last checkpoint. What the losses depend on
 * stays unchanged; place, time and environment may be changed.
 */
export async function resumeJob(request: ResumeRequest, rooms: TrainRooms, world: World): Promise<number> {
  const {id, out, set} = request
  const found = await findJob(out, id)
  const folder = folderOf(out, found)
  const record = await refreshed(found, folder, rooms.backend(found.backend))
  const state = record.attempts.at(-1)?.state ?? 'failed'
  if (isOpen(state) || state === 'succeeded') throw nothingToResume(record, state)
  const checkpoint = await lastCheckpoint(record.output, rooms.engine(record.engine))
  if (checkpoint === null) throw noCheckpoint(record, folder)
  const {base, data, arithmetic, output} = record
  const before = {spec: storedSpec(folder), data: {...data, files: []}, arithmetic}
  const {path, adapter} = base
  const resumed = {id: record.id, folder, output, checkpoint, base: {path, adapter}, before}
  const checked = await rooms.check(await rooms.readSpec(specPath(folder), set), resumed)
  const {backend} = checked.plan.spec
  return launch(checked, {...record, backend: backend.kind}, request, rooms, world)
}

function nothingToResume({id}: JobRecord, state: string): PipelineError {
  const fix =
    state === 'succeeded'
      ? `To train it further, start a job from it: --set model.name=job:${id}.`
      : `Watch it with \`ascend-cot train logs ${id} --follow\`, or stop it with \`ascend-cot train cancel ${id}\`.`
  return new PipelineError('run-locked', `There is nothing to resume: the job ${id} is ${state}.`, {fix})
}

function noCheckpoint({id, output}: JobRecord, folder: string): PipelineError {
  return new PipelineError('input-missing', `The job ${id} left no complete checkpoint in ${output}.`, {
    fix: `Start it again from the beginning with the original command: \`${againCommand(folder)}\`.`,
  })
}
