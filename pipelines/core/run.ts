import {mkdirSync} from 'node:fs'
import {readFile} from 'node:fs/promises'
import {join} from 'node:path'
import {z} from 'zod'
import {interrupted, PipelineError} from './errors.ts'
import {asOutputError, writeWhole} from './files.ts'
import {contentId} from './ids.ts'
import {openLedger, type Ledger} from './ledger.ts'
import type {LanguageModel} from './llm/model.ts'
import {lockDirectory} from './lock.ts'
import {eventLog, type Log} from './log.ts'
import type {AnyStage, Pipeline} from './pipeline.ts'
import {StageCounts, startCounting, type Progress} from './progress.ts'
import type {Context} from './stage.ts'
import {asItem, supervise, type Item} from './supervise.ts'

/** `run.json`: what a run directory says about itself. */
export const RunRecord = z.strictObject({
  recipe: z.string(),
  state: z.enum(['running', 'finished', 'stopped']),
  seed: z.string(),
  /** The configuration that the recipe was made from, so that `resume` needs no flags. */
  config: z.unknown(),
  startedAt: z.iso.datetime(),
  endedAt: z.iso.datetime().optional(),
  stages: z.array(z.strictObject({name: z.string(), version: z.int(), key: z.string()})),
  counts: z.array(StageCounts),
  /** Why a stopped run stopped. */
  error: z.strictObject({code: z.string(), message: z.string(), fix: z.string()}).optional(),
})
export type RunRecord = z.infer<typeof RunRecord>

export interface RunRequest {
  pipeline: Pipeline<unknown>
  /** The run directory; made when missing, continued when it exists. */
  directory: string
  model: (profile: string) => LanguageModel | undefined
  seed: string
  config?: unknown
  /** Take only the first records that the first stage yields. */
  limit?: number | undefined
  now: () => number
  signal: AbortSignal
  log: Log
  /** Called whenever a stage is set up, and left to poll: the counts are live. */
  onStart?: (counts: readonly StageCounts[]) => void
}

/** How often `run.json` is brought up to date while a run goes on, for `status` in another terminal. */
const saveMilliseconds = 2000

/**
 * Moves records through a pipeline, from its origins to the end of its last stage. Whatever was decided before, in this run
 * directory and under the same keys, is not decided again; failed records are tried again.
 * @throws PipelineError the first failure that concerns the whole run; `run.json` then says `stopped`
 */
export async function runPipeline(request: RunRequest): Promise<RunRecord> {
  const {pipeline, directory} = request
  makeDirectory(directory)
  const unlock = lockDirectory(directory)
  try {
    const ledger = openLedger(join(directory, 'ledger.db'))
    try {
      return await runIn(request, ledger)
    } finally {
      ledger.close()
    }
  } finally {
    unlock()
  }
  async function runIn(current: RunRequest, ledger: Ledger): Promise<RunRecord> {
    const progress = pipeline.stages.map((stage) => startCounting(stage.name))
    const counts = progress.map((one) => one.counts)
    const record: RunRecord = {
      recipe: pipeline.name, state: 'running', seed: current.seed, config: current.config ?? null,
      startedAt: isoTime(current.now()), stages: pipeline.stages.map((stage) => describe(stage, current)), counts,
    }
    await saveRecord(directory, record)
    current.onStart?.(counts)
    const stop = new AbortController()
    // One after another: a slow early save must not land on top of the last one.
    let saved = Promise.resolve()
    const saving = setInterval(() => { saved = saved.then(() => saveRecord(directory, record)).catch(() => undefined) }, saveMilliseconds)
    try {
      await drain(assemble(current, ledger, progress, record, stop), ledger)
      record.state = 'finished'
    } catch (error) {
      // Records in progress fail because of the abort, and may be met before the one that caused it.
      const cause: unknown = stop.signal.aborted ? stop.signal.reason : error
      record.state = 'stopped'
      record.error = asRunError(cause)
      throw cause
    } finally {
      clearInterval(saving)
      await saved
      ledger.flush()
      await saveRecord(directory, {...record, endedAt: isoTime(current.now())})
    }
    return record
  }
}

/** Everything that shaped a stage's outcomes, besides the input: the key under which they are kept. */
function describe(stage: AnyStage, {model, seed}: RunRequest): RunRecord['stages'][number] {
  const teacher = stage.teacher === undefined ? undefined : model(stage.teacher)
  const key = contentId({name: stage.name, version: stage.version, options: stage.options ?? null, teacher: teacher?.fingerprint ?? 'offline', seed})
  return {name: stage.name, version: stage.version, key}
}

function assemble(request: RunRequest, ledger: Ledger, progress: Progress[], record: RunRecord, stop: AbortController): AsyncIterable<Item> {
  const {pipeline, directory, log, model, now, seed} = request
  const signal = AbortSignal.any([request.signal, stop.signal])
  let stream = interruptible(originItems(pipeline.origins), request.signal)
  let previous: AnyStage | undefined
  for (const [index, stage] of pipeline.stages.entries()) {
    const {key} = record.stages[index] as {key: string}
    const context: Context = {
      llm: stage.teacher === undefined ? undefined : model(stage.teacher),
      drop() { throw new TypeError('drop was called outside of a record') },
      log: eventLog(log, join(directory, 'events.jsonl'), {stage: stage.name}, now),
      seed, now, signal,
      directory: join(directory, `${String(index + 1).padStart(2, '0')}-${stage.name}`),
    }
    stream = supervise(stream, {
      stage, context, ledger: ledger.stage(stage.name, key), progress: progress[index] as Progress,
      trusted: previous !== undefined && previous.output === stage.input,
      source: index === 0 && stage.name !== 'from-run',
      abort: (reason) => stop.abort(reason),
    })
    if (index === 0 && request.limit !== undefined) stream = firstOf(stream, request.limit)
    previous = stage
  }
  return stream
}

async function* firstOf(items: AsyncIterable<Item>, count: number): AsyncIterable<Item> {
  let taken = 0
  for await (const item of items) {
    yield item
    taken += 1
    if (taken >= count) return
  }
}

async function* originItems(origins: readonly unknown[]): AsyncIterable<Item> {
  for (const origin of origins) yield asItem(origin)
}

async function* interruptible(items: AsyncIterable<Item>, signal: AbortSignal): AsyncIterable<Item> {
  for await (const item of items) {
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

function asRunError(error: unknown): NonNullable<RunRecord['error']> {
  if (error instanceof PipelineError) return {code: error.code, message: error.message, fix: error.fix}
  return {code: 'internal', message: error instanceof Error ? error.message : String(error), fix: 'This is a fault of ascend-cot: please report it with events.jsonl.'}
}

function makeDirectory(directory: string): void {
  try {
    mkdirSync(directory, {recursive: true})
  } catch (error) {
    throw asOutputError(error, directory)
  }
}

async function saveRecord(directory: string, record: RunRecord): Promise<void> {
  await writeWhole(join(directory, 'run.json'), `${JSON.stringify(record, null, 2)}\n`)
}

/** Reads `run.json`; undefined when the directory holds no run. */
export async function readRunRecord(directory: string): Promise<RunRecord | undefined> {
  let text: string
  try {
    text = await readFile(join(directory, 'run.json'), 'utf8')
  } catch {
    return undefined
  }
  return RunRecord.parse(JSON.parse(text))
}

const isoTime = (milliseconds: number) => new Date(milliseconds).toISOString()
