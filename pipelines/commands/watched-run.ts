import type {Config} from '../workspace/config.ts'
import type {Teachers} from '../../engine/llm/connect.ts'
import type {Pipeline} from '../../engine/pipeline.ts'
import type {RunRecord} from '../../engine/run.ts'
import {runPipeline, type RunRequest} from '../../engine/runner.ts'
import {writeRejected} from '../workspace/rejected.ts'
import {runDirectory} from '../workspace/workspace.ts'
import {forecast} from './forecast.ts'
import {progressView} from './progress-view.ts'
import {terminalLog} from './terminal.ts'
import {endInOrder, type World} from './world.ts'

interface Watched {
  /** Names the teachers and the budget. */
  config: Config
  /** What `run.json` stores, for `resume`; default `config`. */
  given?: Config
  world: World
  teachers: Teachers
  /** Start even if the forecast exceeds the budget; the budget itself still holds. */
  startAnyway: boolean
  /** Take only the first records that the first stage yields. */
  limit?: number | undefined
  /** What takes a while and would be for nothing where the forecast refuses. */
  prepare?: (() => Promise<void>) | undefined
}

/**
 * Says what a pipeline would ask, and shows the first requests as they would be sent; sends none.
 * @throws PipelineError `budget-exceeded` like a run
 */
export function foresee(
  pipeline: Pipeline<unknown>,
  watched: Watched,
  shown: {show: number; json: boolean},
): Promise<void> {
  return forecast(requestOf(pipeline, watched), watched.config, watched.world, {
    startAnyway: watched.startAnyway,
    ...shown,
  })
}

function requestOf(pipeline: Pipeline<unknown>, watched: Watched): RunRequest {
  const {config, given = config, world, teachers, limit} = watched
  return {
    pipeline,
    directory: runDirectory(config, pipeline.name),
    model: teachers,
    seed: config.seed,
    config: given,
    limit,
    now: world.now,
    signal: world.signal,
    log: terminalLog(world.terminal),
  }
}

/** Runs a pipeline in its run directory and shows what it will cost, how far it is, and how it ended. */
export async function watchedRun(pipeline: Pipeline<unknown>, watched: Watched): Promise<RunRecord> {
  const {config, world, teachers, startAnyway, prepare} = watched
  const view = progressView(world.terminal, world.now, teachers.spending)
  const request: RunRequest = {
    ...requestOf(pipeline, watched),
    onStart: (counts) => view.start(pipeline.name, counts),
  }
  let failed = true
  const before = {...world.interrupted}
  endInOrder(world)
  try {
    await forecast(request, config, world, {startAnyway})
    Object.assign(world.interrupted, before)
    await prepare?.()
    endInOrder(world)
    const record = await runPipeline(request)
    await writeRejected(config, record)
    failed = false
    return record
  } finally {
    Object.assign(world.interrupted, before)
    view.stop({failed})
  }
}
