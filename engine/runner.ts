import {askedName, openAskedFile, type AskedFile} from './asked-file.ts'
import {join} from 'node:path'
import {setImmediate} from 'node:timers/promises'
import {asInterrupted, interrupted, PipelineError} from './errors.ts'
import {asDiskError, makeFolder} from './files.ts'
import {openLedger, type Ledger} from './ledger.ts'
import type {FindHands, Hands, Wanted} from './elsewhere/hands.ts'
import type {LanguageModel} from './llm/model.ts'
import {lockDirectory} from './lock.ts'
import {eventLog, openEventFile, type EventFile, type Log} from './log.ts'
import {isOwnFault, ownFault} from './own-module.ts'
import type {AnyStage, Pipeline} from './pipeline.ts'
import {stageKey} from './stage-key.ts'
import {startCounting, type Progress, type StageCounts} from './progress.ts'
import {
  carriedOver,
  FinishedRun,
  isoTime,
  keepSaving,
  ledgerFile,
  saveRecord,
  type RunRecord,
  type Spent,
} from './run.ts'
import {perRecord, type Context} from './stage.ts'
import {supervise} from './supervise.ts'
import {asItem, type Item} from './work-record.ts'

export interface RunRequest {
  pipeline: Pipeline<unknown>
  /** The run directory; made when missing, continued when it exists. */
  directory: string
  model: (profile: string) => LanguageModel | undefined
  seed: string
  config?: unknown
  /** Process only the first records of the first stage, evenly from all origins. */
  limit?: number | undefined
  /** Each stage that has a model processes only the first records that reach it. */
  few?: number
  /** Who works on the records of a stage, where that is not this process. */
  hands?: FindHands | undefined
  now: () => number
  signal: AbortSignal
  log: Log
  /** What this run has asked of its teachers so far. */
  spent?: () => Spent
  /** Called whenever a stage is set up; the counts are live and can be polled. */
  onStart?: (counts: readonly StageCounts[]) => void
}

/**
 * Moves records through a pipeline, from its origins to the end of its last stage. Whatever was decided before, in this
 * run directory and under the same keys, is not decided again; failed records are tried again.
 * @throws PipelineError the first failure that concerns the whole run; `run.json` then says `stopped`
 */
export async function runPipeline(request: RunRequest): Promise<RunRecord> {
  makeFolder(request.directory)
  const unlock = lockDirectory(request.directory)
  try {
    const ledger = openLedger(ledgerFile(request.directory))
    try {
      return await runWith(ledger, request)
    } finally {
      ledger.close()
    }
  } finally {
    unlock()
  }
}

async function runWith(ledger: Ledger, request: RunRequest): Promise<RunRecord> {
  const {pipeline, directory, now} = request
  const progress = pipeline.stages.map((stage) => startCounting(stage.name))
  const record: RunRecord = {
    recipe: pipeline.name,
    state: 'running',
    seed: request.seed,
    config: request.config ?? null,
    startedAt: isoTime(now()),
    stages: pipeline.stages.map((stage) => describe(stage, request)),
    ...(pipeline.stages[0]?.readsRuns && {reads: pipeline.origins.map((origin) => FinishedRun.parse(origin))}),
    counts: progress.map(({counts}) => counts),
    ...(await carriedOver(directory)),
  }
  await saveRecord(directory, record)
  request.onStart?.(record.counts)
  const stop = new AbortController()
  const saving = keepSaving(directory, record, request)
  try {
    const events = openEventFile(join(directory, 'events.jsonl'), (error) => stop.abort(error))
    const asked = openAskedFile(join(directory, askedName))
    try {
      await drain(assemble(request, ledger, progress, record, {stop, events, asked}), ledger)
    } finally {
      events.close()
      asked.close()
    }
    stop.signal.throwIfAborted()
    ledger.flush()
    return await saving.end({state: 'finished'})
  } catch (error) {
    // Records in progress fail because of the abort, and may be reported before the one that caused it.
    const first = asInterrupted(stop.signal.aborted ? stop.signal.reason : error, request.signal)
    const cause = asDiskError(first, directory)
    // If the record cannot be written either, the missing lock shows that no process works here any more.
    await saving.end({state: 'stopped', error: asRunError(cause)}).catch(() => undefined)
    throw cause
  }
}

/** Everything besides the input that shaped a stage's outcomes: the key under which they are stored. */
function describe(stage: AnyStage, {model, seed}: RunRequest): RunRecord['stages'][number] {
  const teacher = stage.teacher === undefined ? undefined : model(stage.teacher)
  return {name: stage.name, version: stage.version, key: stageKey(stage, seed, teacher?.fingerprint)}
}

interface Beside {
  stop: AbortController
  events: EventFile
  asked: AskedFile
}

function assemble(
  request: RunRequest,
  ledger: Ledger,
  progress: Progress[],
  record: RunRecord,
  {stop, events, asked}: Beside,
): AsyncIterable<Item> {
  const {pipeline, directory, log, model, now, seed} = request
  const signal = AbortSignal.any([request.signal, stop.signal])
  let stream = originItems(pipeline.origins)
  let previous: AnyStage | undefined
  for (const [index, stage] of pipeline.stages.entries()) {
    const {key} = record.stages[index] as {key: string}
    const limited = index === 0 && request.limit !== undefined
    if (limited) progress[index]?.expect(request.limit ?? 0)
    const context: Context = {
      llm: stage.teacher === undefined ? undefined : model(stage.teacher),
      drop() {
        throw new TypeError('drop was called outside a record')
      },
      log: eventLog(log, events, {stage: stage.name}, now),
      seed,
      now,
      signal,
      ...(!limited && {expect: (outputs) => progress[index]?.expect(outputs)}),
      stages: {[stage.name]: stage.version},
      directory: join(directory, stageFolder(index, stage.name)),
    }
    if (request.few !== undefined && context.llm) stream = firstOf(stream, request.few)
    const supervision = {
      stage,
      context,
      ledger: ledger.stage(stage.name, key),
      progress: progress[index] as Progress,
      asked,
      hands: context.llm
        ? undefined
        : handsFor(request, {
            ...{stage, index, key, log: context.log, signal},
            seen: (workforce) => progress[index]?.workforce(workforce),
          }),
      trusted: previous !== undefined && previous.output === stage.input,
      source: index === 0 && !stage.readsRuns,
      abort: (reason: unknown) => stop.abort(reason),
    }
    const through = (items: AsyncIterable<Item>) => supervise(items, supervision)
    stream = limited ? evenly(pipeline.origins, request.limit ?? 0, through) : through(stream)
    if (index === 0) stream = interruptible(stream, request.signal)
    previous = stage
  }
  return stream
}

/** A stage that asks a model stays here, with its budget; so does one that reads all records at once. */
function handsFor({hands, directory}: RunRequest, asked: Omit<Wanted, 'folder'>): Hands | undefined {
  const {stage, index} = asked
  if (!(perRecord in stage.run)) return undefined
  return hands?.({...asked, folder: join(directory, 'shares', stageFolder(index, stage.name))})
}

const stageFolder = (index: number, name: string) => `${String(index + 1).padStart(2, '0')}-${name}`

async function* firstOf(items: AsyncIterable<Item>, count: number): AsyncIterable<Item> {
  let taken = 0
  for await (const item of items) {
    yield item
    taken += 1
    if (taken >= count) return
  }
}

/** This many records from all origins, each giving an equal share of the rest: later origins make up for short ones. */
async function* evenly(
  origins: readonly unknown[],
  count: number,
  through: (items: AsyncIterable<Item>) => AsyncIterable<Item>,
): AsyncIterable<Item> {
  let left = count
  for (const [at, origin] of origins.entries()) {
    const share = Math.ceil(left / (origins.length - at))
    if (share === 0) return
    for await (const item of firstOf(through(originItems([origin])), share)) {
      left -= 1
      yield item
    }
  }
}

async function* originItems(origins: readonly unknown[]): AsyncIterable<Item> {
  for (const origin of origins) yield asItem(origin)
}

/** Stages that never wait would starve signals, timers and the release of memory outside the heap. */
const longestTurn = 50

async function* interruptible(items: AsyncIterable<Item>, signal: AbortSignal): AsyncIterable<Item> {
  let turned = performance.now()
  for await (const item of items) {
    if (performance.now() - turned > longestTurn) {
      await setImmediate()
      turned = performance.now()
    }
    if (signal.aborted) throw interrupted()
    yield item
  }
}

async function drain(items: AsyncIterable<Item>, ledger: Ledger): Promise<void> {
  ledger.clearEmitted()
  let position = 0
  for await (const {id, json} of items) {
    ledger.emit(position, {id, json})
    position += 1
  }
}

function asRunError(thrown: unknown): NonNullable<RunRecord['error']> {
  // A fault in a user's stage is the user's to fix.
  const error = isOwnFault(thrown) ? ownFault(undefined, thrown) : thrown
  if (error instanceof PipelineError) return {code: error.code, message: error.message, fix: error.fix}
  return {
    code: 'internal',
    message: error instanceof Error ? error.message : String(error),
    fix: 'This is a bug in ascend-cot. Please report it, with events.jsonl of the run.',
  }
}
