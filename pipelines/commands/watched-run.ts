import type {Config} from '../workspace/config.ts'
import type {FindHands} from '../../engine/elsewhere/hands.ts'
import type {Teachers, Spending} from '../../engine/llm/connect.ts'
import type {Pipeline} from '../../engine/pipeline.ts'
import type {RunRecord} from '../../engine/run.ts'
import {runPipeline, type RunRequest} from '../../engine/runner.ts'
import {writeRejected} from '../workspace/rejected.ts'
import {runDirectory} from '../workspace/workspace.ts'
import {forecast} from './forecast.ts'
import {terminalLog, type Terminal} from './terminal.ts'
import {endInOrder, type World} from './world.ts'
import {clock} from '../../engine/counted.ts'
import type {StageCounts} from '../../engine/progress.ts'
import type {Display} from './display.ts'
import {
  describeSpending,
  estimates,
  stageInWords,
  stageLine,
  tallyLine,
  workforceLine,
  type StageLine,
} from './stage-line.ts'
import {wrapped, wrappedItems} from './text-table.ts'

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

/** Shows the progress of one recipe after another. */
interface ProgressView {
  /** The counts are live. Replaces a recipe that is still shown. */
  start(recipe: string, counts: readonly StageCounts[]): void
  /**
   * Ends the current recipe's display; `failed` marks the stages that did not finish. Does nothing when none was
   * started.
   */
  stop(how: {failed: boolean}): void
}

interface Shown {
  recipe: string
  counts: readonly StageCounts[]
  started: number
}

interface Form {
  everyMilliseconds: number
  during(shown: Shown): void
  end(shown: Shown, how: {failed: boolean}): void
}

/**
 * Bars on a terminal, plain lines when piped. Counts are polled, so that drawing costs the engine nothing.
 * @param ahead returns what follows the recipe that is shown
 */
export function progressView(
  terminal: Terminal,
  now: () => number,
  spending: () => Readonly<Spending>,
  ahead: () => string = () => '',
): ProgressView {
  const form = terminal.display ? bars(terminal.display, {now, spending, ahead}) : lines(terminal, now, spending)
  let shown: Shown | undefined
  let timer: NodeJS.Timeout | undefined
  return {
    start(recipe, counts) {
      clearInterval(timer)
      const current = {recipe, counts, started: now()}
      shown = current
      timer = setInterval(() => form.during(current), form.everyMilliseconds)
      timer.unref()
    },
    stop(how) {
      clearInterval(timer)
      if (shown) form.end(shown, how)
      shown = undefined
    },
  }
}

const signs = {running: '●', finished: '✓', stopped: '✗'}

interface Told {
  now(): number
  spending(): Readonly<Spending>
  /** What follows the recipe that is shown. */
  ahead(): string
}

function bars(display: Display, {now, spending, ahead}: Told): Form {
  const frame = ({recipe, counts, started}: Shown, state: StageLine['state']) => {
    const seconds = (now() - started) / 1000
    const nameWidth = Math.max(...counts.map(({stage}) => stage.length))
    const totals = estimates(counts)
    const {width} = display
    const stages = counts.flatMap((count, index) => {
      const [upstream, estimate] = [counts[index - 1], totals[index]]
      const below = [tallyLine(count, seconds), workforceLine(count)].filter((text) => text !== '')
      const line = stageLine({count, upstream, estimate, seconds, state, nameWidth, width})
      return [...line, ...below.flatMap((text) => wrappedItems(text, 6, width).split('\n'))]
    })
    const asked = describeSpending(spending())
    const told = asked === '' ? [] : wrapped(`    ${asked}`, 6, width).split('\n')
    return [`${signs[state]} ${recipe}  ${clock(seconds)}`, ...stages, ...told].map((line) => line.slice(0, width))
  }
  return {
    everyMilliseconds: 200,
    during(shown) {
      const next = ahead()
      const told = next === '' ? [] : wrapped(`  ${next}`, 2, display.width).split('\n')
      display.draw([...frame(shown, 'running'), ...told])
    },
    end(shown, {failed}) {
      display.draw(frame(shown, failed ? 'stopped' : 'finished'))
      display.settle()
    },
  }
}

function lines(terminal: Terminal, now: () => number, spending: () => Readonly<Spending>): Form {
  const write = ({recipe, counts, started}: Shown) => {
    // A run that goes on collects what its array finished before it reads anything.
    const stages = counts.filter(({read, workforce}) => read > 0 || workforce).map(stageInWords)
    const parts = [...stages, describeSpending(spending())].filter((part) => part !== '')
    terminal.say(`${recipe} ${((now() - started) / 1000).toFixed(1)}s: ${parts.join(' | ') || 'nothing read yet'}`)
  }
  return {everyMilliseconds: 10_000, during: write, end: write}
}
