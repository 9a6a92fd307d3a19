import {PipelineError} from '../../../engine/errors.ts'
import type {JobRecord} from '../../../datasets/schema/job.ts'
import {readRecord, recordOf} from '../../../trainers/job-folder.ts'
import {isOpen, refreshed} from '../../../trainers/job-state.ts'
import type {SweepJob} from '../../../trainers/sweep/read-sweep.ts'
import {launch} from '../train/start-job.ts'
import type {CheckedPlan, TrainRooms} from '../train/train-rooms.ts'
import type {World} from '../world.ts'

/** Current state of a job of a sweep. */
export interface SweptJob {
  row: string
  seed: number
  /** null when it could not be planned. */
  id: string | null
  state: string
  /** What blocks it, or how its last attempt ended; '' if nothing. */
  detail: string
  plan: CheckedPlan['plan'] | null
  cost: CheckedPlan['cost'] | null
  /** In whole sentences, each with its fix. */
  hindrance: readonly string[]
}

interface Sweeping {
  rooms: TrainRooms
  world: World
  /** Plan and check; start nothing. */
  dryRun: boolean
}

/**
 * Starts every job that has not been started, one after another. A job on this machine is watched until it ends before
 * the next one starts; on a cluster it is submitted. A job that starts from another waits until that one has succeeded.
 */
export async function sweepJobs(jobs: readonly SweepJob[], sweeping: Sweeping): Promise<SweptJob[]> {
  const swept: SweptJob[] = []
  for (const job of jobs) {
    if (sweeping.world.signal.aborted) break
    swept.push(await sweepJob(job, sweeping))
  }
  return swept
}

async function sweepJob({row, seed, spec, set}: SweepJob, sweeping: Sweeping): Promise<SweptJob> {
  const {rooms} = sweeping
  const read = await rooms.readSpec(spec, set)
  const checked = await planned(() => rooms.check(read, null))
  if (checked instanceof PipelineError) {
    const state = checked.code === 'input-missing' ? 'waiting' : 'refused'
    const hindrance = [`${checked.message} ${checked.fix}`.trim()]
    return {row, seed, id: null, state, detail: '', plan: null, cost: null, hindrance}
  }
  const {plan, cost, findings} = checked
  const {state, detail} = await brought(checked, sweeping)
  const errors = state === 'refused' ? findings.filter(({severity}) => severity === 'error') : []
  return {
    row,
    seed,
    id: plan.id,
    state,
    detail,
    plan,
    cost,
    hindrance: errors.map(({message, fix}) => `${message} ${fix}`),
  }
}

/**
 * A missing input may be made by an earlier row of the same table; a row that a trainer refuses does not stop the
 * others.
 */
async function planned(plan: () => Promise<CheckedPlan>): Promise<CheckedPlan | PipelineError> {
  try {
    return await plan()
  } catch (error) {
    if (error instanceof PipelineError && ['input-missing', 'config-invalid'].includes(error.code)) return error
    throw error
  }
}

async function brought(checked: CheckedPlan, sweeping: Sweeping): Promise<{state: string; detail: string}> {
  const {rooms, world, dryRun} = sweeping
  const {plan, findings} = checked
  const before = await recordIn(plan.folder, rooms)
  if (before) return stateOf(before)
  const errors = findings.filter(({severity}) => severity === 'error')
  if (errors.length > 0) return {state: 'refused', detail: errors.map(({code}) => code).join(', ')}
  if (dryRun) return {state: 'planned', detail: ''}
  const detach = plan.spec.backend.kind !== 'local'
  await launch(checked, recordOf(plan, checked.parent), {dryRun: false, detach, json: false}, rooms, world)
  const after = await recordIn(plan.folder, rooms)
  return after ? stateOf(after) : {state: 'failed', detail: 'it was not started'}
}

async function recordIn(folder: string, rooms: TrainRooms): Promise<JobRecord | undefined> {
  try {
    const record = await readRecord(folder)
    return await refreshed(record, folder, rooms.backend(record.backend))
  } catch (error) {
    if (error instanceof PipelineError && error.code === 'job-missing') return undefined
    throw error
  }
}

function stateOf({attempts, id}: JobRecord): {state: string; detail: string} {
  const last = attempts.at(-1)
  if (!last) return {state: 'planned', detail: ''}
  const {state, detail} = last
  if (isOpen(state) || state === 'succeeded') return {state, detail}
  return {state, detail: `${detail}; \`ascend-cot train status ${id}\` shows it`}
}
