import {PipelineError} from '../../../engine/errors.ts'
import type {JobRecord} from '../../../datasets/schema/job.ts'
import {attemptOf, submitAttempt} from '../../../trainers/submit-attempt.ts'
import {lastCheckpoint, readRecord, recordOf} from '../../../trainers/job-folder.ts'
import {isOpen, refreshed} from '../../../trainers/job-state.ts'
import type {World} from '../world.ts'
import {jobPage} from './job-page.ts'
import type {CheckedPlan, TrainRooms} from './train-rooms.ts'
import {watchJob} from './watch-job.ts'

export interface StartRequest {
  /** A bundled specification, or a YAML file. */
  spec: string
  set: Readonly<Record<string, string>>
  /** Render and check, and start nothing. */
  dryRun: boolean
  /** Start it without watching. */
  detach: boolean
  json: boolean
}

const usualWidth = 100

/**
 * `ascend-cot train <spec>`: plan, check, render, submit, watch. Exit code 2 when the check stops it: then nothing was
 * started.
 */
export async function startJob(request: StartRequest, rooms: TrainRooms, world: World): Promise<number> {
  const checked = await rooms.check(await rooms.readSpec(request.spec, request.set), null)
  const fresh = recordOf(checked.plan, checked.parent)
  try {
    return await launch(checked, (await beforeOf(checked, rooms)) ?? fresh, request, rooms, world)
  } catch (error) {
    if (!request.dryRun || !(error instanceof PipelineError) || error.code !== 'run-locked') throw error
    // Its size and cost can still be shown.
    await launch(checked, fresh, request, rooms, world)
    if (!request.json) world.terminal.say(`It would not be started: ${error.message}\n  → ${error.fix}`)
    return 2
  }
}

/** Shows a checked plan's size and cost, and starts an attempt at it. */
export async function launch(
  checked: CheckedPlan,
  record: JobRecord,
  {dryRun, detach, json}: Pick<StartRequest, 'dryRun' | 'detach' | 'json'>,
  rooms: TrainRooms,
  world: World,
): Promise<number> {
  const {plan, findings} = checked
  const {terminal} = world
  const width = terminal.width ?? usualWidth
  const backend = rooms.backend(plan.spec.backend.kind)
  const trainer = rooms.engine(plan.spec.engine)
  const number = (record.attempts.at(-1)?.number ?? 0) + 1
  const attempt = await attemptOf(plan, number, {render: rooms.render, engine: trainer, backend})
  const scripts = backend.render(attempt)
  const stopped = findings.some(({severity}) => severity === 'error')
  if (json && (dryRun || stopped)) {
    terminal.print(JSON.stringify({plan, findings, rendering: attempt.rendering, scripts}))
  } else if (!json) {
    terminal.print(jobPage(plan, attempt.rendering, width, checked.cost))
    terminal.print(`\n${checked.page(width)}`)
  }
  if (stopped) {
    if (!json) terminal.say('Nothing was started. Fix the errors above, or allow their codes with --set allow=[…].')
    return 2
  }
  if (dryRun) {
    if (!json) terminal.say('Dry run: nothing was written or started.')
    return 0
  }
  await checked.writeRows()
  const started = await submitAttempt({record, attempt, backend, now: new Date(world.now()).toISOString()})
  if (json) terminal.print(JSON.stringify(started))
  terminal.say(`${plan.id}, attempt ${number}: submitted, ${plan.folder}`)
  if (detach) {
    terminal.say(`  → Watch it with \`ascend-cot train logs ${plan.id} --follow\`.`)
    return 0
  }
  return watchJob({record: started, folder: plan.folder, every: plan.spec.checkpoints.every}, rooms, world)
}

/**
 * The same job if it was started before and left nothing to resume from; undefined if it is new.
 * @throws PipelineError when it is still running, or left a checkpoint
 */
async function beforeOf({plan}: CheckedPlan, rooms: TrainRooms): Promise<JobRecord | undefined> {
  const found = await readRecord(plan.folder).catch((error: unknown) => {
    if (error instanceof PipelineError && error.code === 'job-missing') return undefined
    throw error
  })
  if (!found) return undefined
  const record = await refreshed(found, plan.folder, rooms.backend(found.backend))
  const state = record.attempts.at(-1)?.state ?? 'failed'
  const details = {scope: 'run' as const, evidence: {id: record.id, state}}
  if (isOpen(state)) {
    const [watch, end] = [`ascend-cot train logs ${record.id} --follow`, `ascend-cot train cancel ${record.id}`]
    const fix = `Watch it with \`${watch}\`, or stop it with \`${end}\`.`
    throw new PipelineError('run-locked', `The job ${record.id} is ${state} already.`, {fix, ...details})
  }
  const checkpoint = await lastCheckpoint(record.output, rooms.engine(record.engine))
  if (state !== 'succeeded' && checkpoint === null) return record
  throw new PipelineError('run-locked', `The job ${record.id} has already run: it ${state}${left(checkpoint)}.`, {
    fix: `Start it under another name (--set name=${record.name}-2)${again(state, record.id)}.`,
    ...details,
  })
}

const left = (checkpoint: string | null) => (checkpoint === null ? '' : `, and left ${checkpoint}`)
const again = (state: string, id: string) =>
  state === 'succeeded' ? '' : `, or resume it: \`ascend-cot train resume ${id}\``
