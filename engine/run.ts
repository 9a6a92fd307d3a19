import {mkdirSync} from 'node:fs'
import {readFile} from 'node:fs/promises'
import {join} from 'node:path'
import {z} from 'zod'
import {interrupted, isSystemError, PipelineError} from './errors.ts'
import {asDiskError, asOutputError, writeWhole, writeWholeSync} from './files.ts'
import {contentId} from './ids.ts'
import {openLedger, type Ledger} from './ledger.ts'
import type {LanguageModel} from './llm/model.ts'
import {isLocked, lockDirectory} from './lock.ts'
import {eventLog, openEventFile, type EventFile, type Log} from './log.ts'
import type {AnyStage, Pipeline} from './pipeline.ts'
import {StageCounts, startCounting, type Progress} from './progress.ts'
import type {Context} from './stage.ts'
import {asItem, supervise, type Item} from './supervise.ts'

/** `run.json`: what a run directory says about itself. */
export const RunRecord = z.strictObject({
  recipe: z.string(),
  /** Stopped runs say why; interrupted ones ended with their process. */
  state: z.enum(['running', 'finished', 'stopped', 'interrupted']),
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
  makeDirectory(request.directory)
  const unlock = lockDirectory(request.directory)
  try {
    const ledger = openLedger(join(request.directory, 'ledger.db'))
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
    counts: progress.map(({counts}) => counts),
  }
  await saveRecord(directory, record)
  request.onStart?.(record.counts)
  const stop = new AbortController()
  const saving = keepSaving(directory, record, now)
  try {
    const events = openEventFile(join(directory, 'events.jsonl'), (error) => stop.abort(error))
    try {
      await drain(assemble(request, ledger, progress, record, stop, events), ledger)
    } finally {
      events.close()
    }
    stop.signal.throwIfAborted()
    ledger.flush()
    return await saving.end({state: 'finished'})
  } catch (error) {
    // Records in progress fail because of the abort, and may be met before the one that caused it.
    const cause = asDiskError(stop.signal.aborted ? stop.signal.reason : error, directory)
    // Where the record cannot be written either, the missing lock tells that nobody works here any more.
    await saving.end({state: 'stopped', error: asRunError(cause)}).catch(() => undefined)
    throw cause
  }
}

/** Brings `run.json` up to date every two seconds, and last by `end`; a process that ends before that says so. */
function keepSaving(directory: string, record: RunRecord, now: () => number) {
  // One after another: a slow early save must not land on top of the last one.
  let saved = Promise.resolve()
  const save = () => {
    saved = saved.then(() => saveRecord(directory, record)).catch(() => undefined)
  }
  const timer = setInterval(save, saveMilliseconds)
  const onExit = () => {
    const cut: RunRecord = {...record, state: 'interrupted', endedAt: isoTime(now())}
    try {
      writeWholeSync(recordFile(directory), recordText(cut))
    } catch {
      // The lock of a process that is gone tells the same.
    }
  }
  process.once('exit', onExit)
  return {
    async end(how: Pick<RunRecord, 'state' | 'error'>): Promise<RunRecord> {
      clearInterval(timer)
      await saved
      try {
        await saveRecord(directory, Object.assign(record, how, {endedAt: isoTime(now())}))
      } finally {
        process.off('exit', onExit)
      }
      return record
    },
  }
}

/** Everything that shaped a stage's outcomes, besides the input: the key under which they are kept. */
function describe(stage: AnyStage, {model, seed}: RunRequest): RunRecord['stages'][number] {
  const teacher = stage.teacher === undefined ? undefined : model(stage.teacher)
  const key = contentId({
    name: stage.name,
    version: stage.version,
    options: stage.options ?? null,
    teacher: teacher?.fingerprint ?? 'offline',
    seed,
  })
  return {name: stage.name, version: stage.version, key}
}

function assemble(
  request: RunRequest,
  ledger: Ledger,
  progress: Progress[],
  record: RunRecord,
  stop: AbortController,
  events: EventFile,
): AsyncIterable<Item> {
  const {pipeline, directory, log, model, now, seed} = request
  const signal = AbortSignal.any([request.signal, stop.signal])
  let stream = interruptible(originItems(pipeline.origins), request.signal)
  let previous: AnyStage | undefined
  for (const [index, stage] of pipeline.stages.entries()) {
    const {key} = record.stages[index] as {key: string}
    const context: Context = {
      llm: stage.teacher === undefined ? undefined : model(stage.teacher),
      drop() {
        throw new TypeError('drop was called outside of a record')
      },
      log: eventLog(log, events, {stage: stage.name}, now),
      seed,
      now,
      signal,
      directory: join(directory, `${String(index + 1).padStart(2, '0')}-${stage.name}`),
    }
    stream = supervise(stream, {
      stage,
      context,
      ledger: ledger.stage(stage.name, key),
      progress: progress[index] as Progress,
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
  return {
    code: 'internal',
    message: error instanceof Error ? error.message : String(error),
    fix: 'This is a fault of ascend-cot: please report it with events.jsonl.',
  }
}

function makeDirectory(directory: string): void {
  try {
    mkdirSync(directory, {recursive: true})
  } catch (error) {
    throw asOutputError(error, directory)
  }
}

async function saveRecord(directory: string, record: RunRecord): Promise<void> {
  await writeWhole(recordFile(directory), recordText(record))
}

const recordFile = (directory: string) => join(directory, 'run.json')
const recordText = (record: RunRecord) => `${JSON.stringify(record, null, 2)}\n`

/**
 * Reads `run.json`; undefined when the directory holds no run. A run that says `running` while no process works in it
 * was killed: it is `interrupted`.
 * @throws PipelineError `input-invalid` when it is not what a run wrote
 */
export async function readRunRecord(directory: string): Promise<RunRecord | undefined> {
  const record = await savedRecord(directory)
  if (record?.state !== 'running' || isLocked(directory)) return record
  // It may have ended between the two looks.
  const later = await savedRecord(directory)
  return later?.state === 'running' ? {...later, state: 'interrupted'} : later
}

async function savedRecord(directory: string): Promise<RunRecord | undefined> {
  const file = recordFile(directory)
  try {
    return RunRecord.parse(JSON.parse(await readFile(file, 'utf8')))
  } catch (error) {
    if (isSystemError(error, 'ENOENT') || isSystemError(error, 'ENOTDIR')) return undefined
    const problem = error instanceof z.ZodError ? z.prettifyError(error) : String(error)
    throw new PipelineError('input-invalid', `${file} is not the record of a run: ${problem}`, {
      fix: 'Move that folder away, or choose another one with --out.',
      scope: 'run',
      cause: error,
      evidence: {file, problem},
    })
  }
}

const isoTime = (milliseconds: number) => new Date(milliseconds).toISOString()
