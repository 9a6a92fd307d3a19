import type {Config} from '../workspace/config.ts'
import type {FindHands} from '../../engine/elsewhere/hands.ts'
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

export interface Watched {
  /** Defines the teachers and the budget. */
  config: Config
  /** What `run.json` stores, for `resume`; default `config`. */
  given?: Config
  world: World
  teachers: Teachers
  /** Start even if the forecast exceeds the budget; the budget itself still applies. */
  startAnyway: boolean
  /** Process only the first records of the first stage. */
  limit?: number | undefined
  /** Who works on its costly stages, where that is not this process. */
  hands?: FindHands | undefined
  /** Slow preparation, done only after the forecast has passed. */
  prepare?: (() => Promise<void>) | undefined
  /** Returns what follows this pipeline. */
  ahead?: (() => string) | undefined
}

/**
 * Forecasts a pipeline's requests, and shows the first ones as they would be sent; sends none.
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
  const {config, given = config, world, teachers, limit, hands} = watched
  const {requests, cachedReplies, tokens, cost} = teachers.spending()
  return {
    spent() {
      const now = teachers.spending()
      return {
        ...{requests: now.requests - requests, cachedReplies: now.cachedReplies - cachedReplies},
        ...{tokens: now.tokens - tokens, cost: now.cost - cost, currency: now.currency},
      }
    },
    pipeline,
    directory: runDirectory(config, pipeline.name),
    model: teachers,
    seed: config.seed,
    config: given,
    limit,
    hands,
    now: world.now,
    signal: world.signal,
    log: terminalLog(world.terminal),
  }
}

/** Runs a pipeline in its run directory and shows its cost, progress and outcome. */
export function watchedRun(pipeline: Pipeline<unknown>, watched: Watched): Promise<RunRecord> {
  const {config, world, startAnyway} = watched
  const request = requestOf(pipeline, watched)
  return shown(request, watched, {
    before: (started) => forecast(started, config, world, {startAnyway}),
    after: (record) => writeRejected(config, record),
  })
}

/** Runs a pipeline in a separate directory with the first few records that reach each teacher. */
export async function fewRun(
  pipeline: Pipeline<unknown>,
  watched: Watched,
  few: {directory: string; few: number},
): Promise<RunRecord> {
  const nothing = () => Promise.resolve()
  return shown({...requestOf(pipeline, watched), ...few}, watched, {before: nothing, after: nothing})
}

interface Around {
  before(request: RunRequest): Promise<void>
  after(record: RunRecord): Promise<unknown>
}

async function shown(given: RunRequest, {world, teachers, prepare, ahead}: Watched, {before, after}: Around) {
  const view = progressView(world.terminal, world.now, teachers.spending, ahead)
  const request: RunRequest = {...given, onStart: (counts) => view.start(given.pipeline.name, counts)}
  let failed = true
  const interrupted = {...world.interrupted}
  endInOrder(world)
  try {
    await before(request)
    Object.assign(world.interrupted, interrupted)
    await prepare?.()
    endInOrder(world)
    const record = await runPipeline(request)
    await after(record)
    failed = false
    return record
  } finally {
    Object.assign(world.interrupted, interrupted)
    view.stop({failed})
  }
}
