import {existsSync} from 'node:fs'
import {readFile} from 'node:fs/promises'
import {join} from 'node:path'
import {z} from 'zod'
import {isSystemError, PipelineError} from './errors.ts'
import {writeWhole, writeWholeSync} from './files.ts'
import {openLedger, type Ledger, type StageLedger} from './ledger.ts'
import {isLocked} from './lock.ts'
import {StageCounts} from './progress.ts'

/** A finished run to read from. */
export const FinishedRun = z.strictObject({
  directory: z.string(),
  /** Changes when the recipe is run again. */
  ended: z.string().optional(),
  /** The version of every stage behind its records, by name: its own stages, and those of the runs that it read. */
  stages: z.record(z.string(), z.int()).optional(),
})
export type FinishedRun = z.infer<typeof FinishedRun>

/** What a run has asked of its teachers so far, before it was interrupted too. */
export const Spent = z.strictObject({
  requests: z.int(),
  cachedReplies: z.int(),
  tokens: z.int(),
  cost: z.number(),
  /** '' when no teacher has a price. */
  currency: z.string(),
})
export type Spent = z.infer<typeof Spent>

/** Outputs by the stages' names for them, such as labels, by seconds that the run has worked. */
const Moment = z.strictObject({seconds: z.number(), tallies: z.record(z.string(), z.int())})

/** `run.json`: the description of a run directory. */
export const RunRecord = z.strictObject({
  recipe: z.string(),
  /** Stopped runs record why; interrupted ones ended with their process. */
  state: z.enum(['running', 'finished', 'stopped', 'interrupted']),
  seed: z.string(),
  /** The configuration that the recipe was made from, so that `resume` needs no flags. */
  config: z.unknown(),
  startedAt: z.iso.datetime(),
  endedAt: z.iso.datetime().optional(),
  stages: z.array(z.strictObject({name: z.string(), version: z.int(), key: z.string()})),
  /** The runs that it read; absent when its records came from elsewhere. */
  reads: z.array(FinishedRun).optional(),
  counts: z.array(StageCounts),
  /** Absent when nothing was asked. */
  spent: Spent.optional(),
  /** Grows while the run goes on; absent when no stage names its outputs, or when the run was short. */
  history: z.array(Moment).optional(),
  /** Why a stopped run stopped. */
  error: z.strictObject({code: z.string(), message: z.string(), fix: z.string()}).optional(),
})
export type RunRecord = z.infer<typeof RunRecord>

/** A run as later ones see it: with every stage that its records went through, earlier runs included. */
export function asFinished(directory: string, record: RunRecord | undefined): FinishedRun {
  if (!record) return {directory}
  const {stages, reads = [], endedAt} = record
  // The stage that reads finished runs made nothing itself.
  const own = stages.slice(reads.length > 0 ? 1 : 0).map(({name, version}) => [name, version] as const)
  const behind = Object.assign({}, ...reads.map((read) => read.stages ?? {}), Object.fromEntries(own)) as Stages
  return {directory, ...(endedAt === undefined ? {} : {ended: endedAt}), stages: behind}
}

type Stages = NonNullable<FinishedRun['stages']>

/** A run opened for reading: its record and its ledger. */
export interface OpenRun extends Pick<Ledger, 'emitted' | 'sightings' | 'failures' | 'close'> {
  readonly directory: string
  readonly record: RunRecord
  /** Each record's outcome in a stage, under the options and version of this run. */
  stage(name: string): Pick<StageLedger, 'find' | 'dropped'> | undefined
}

/**
 * Opens a run for reading; undefined when the directory holds none. Close it afterwards.
 * @throws PipelineError `input-invalid` when its record or its ledger is not what a run wrote
 */
export async function openRun(directory: string): Promise<OpenRun | undefined> {
  const record = await readRunRecord(directory)
  if (!record || !existsSync(ledgerFile(directory))) return undefined
  const ledger = openLedger(ledgerFile(directory))
  const names = new Set(record.stages.map(({name}) => name))
  return {
    directory,
    record,
    stage(name) {
      const key = record.stages.find((stage) => stage.name === name)?.key
      return key === undefined ? undefined : ledger.stage(name, key)
    },
    emitted: () => ledger.emitted(),
    sightings: (idPrefix) => ledger.sightings(idPrefix),
    // Stages that the recipe once had stay in the ledger.
    failures: () => ledger.failures().filter(({stage}) => names.has(stage)),
    close: () => ledger.close(),
  }
}

/** The ledger in a run directory. */
export const ledgerFile = (directory: string) => join(directory, 'ledger.db')

/**
 * Reads `run.json`; undefined when the directory holds no run. A run that says `running` while no process works in it
 * was killed: it is `interrupted`.
 * @throws PipelineError `input-invalid` when it is not what a run wrote
 */
export async function readRunRecord(directory: string): Promise<RunRecord | undefined> {
  const record = await savedRecord(directory)
  if (record?.state !== 'running' || isLocked(directory)) return record
  // It may have ended between the two checks.
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
      cause: error,
      evidence: {file, problem},
    })
  }
}

/** How often `run.json` is brought up to date during a run, for `status` in another terminal. */
const saveMilliseconds = 2000

/** More points than a picture of them shows. */
const mostMoments = 240

type Tallies = Readonly<Record<string, number>>

const sumOf = (tallies: Tallies = {}) => Object.values(tallies).reduce((sum, count) => sum + count, 0)

/** Adds the present tallies to the history, if they have changed; a resumed run first counts what was there before. */
function noteMoment(record: RunRecord, seconds: number): void {
  const tallies: Record<string, number> = {}
  for (const {tallies: own} of record.counts)
    for (const [name, count] of Object.entries(own)) tallies[name] = (tallies[name] ?? 0) + count
  const {history = []} = record
  const last = history.at(-1)?.tallies ?? {}
  if (JSON.stringify(tallies) === JSON.stringify(last) || sumOf(tallies) < sumOf(last)) return
  history.push({seconds, tallies})
  record.history = history.length > mostMoments ? history.filter((_, at) => at % 2 === 0) : history
}

/** What a run that did not end leaves to the one that goes on with it; a record that cannot be read leaves nothing. */
export async function carriedOver(directory: string): Promise<Pick<RunRecord, 'spent' | 'history'>> {
  const before = await savedRecord(directory).catch(() => undefined)
  if (!before || before.state === 'finished') return {}
  const {spent, history} = before
  return {...(spent && {spent}), ...(history && {history})}
}

const added = (one: Spent, other: Spent | undefined): Spent => ({
  requests: one.requests + (other?.requests ?? 0),
  cachedReplies: one.cachedReplies + (other?.cachedReplies ?? 0),
  tokens: one.tokens + (other?.tokens ?? 0),
  cost: one.cost + (other?.cost ?? 0),
  currency: one.currency || (other?.currency ?? ''),
})

/** Brings `run.json` up to date every two seconds, and a last time in `end`. */
export function keepSaving(
  directory: string,
  record: RunRecord,
  {now, spent = () => undefined}: {now: () => number; spent?: (() => Spent | undefined) | undefined},
) {
  // One after another: a slow early save must not land on top of the last one.
  let saved = Promise.resolve()
  const before = record.spent
  const worked = record.history?.at(-1)?.seconds ?? 0
  const seconds = () => worked + (now() - Date.parse(record.startedAt)) / 1000
  const bringUp = () => {
    const asked = spent()
    if (asked && asked.requests + asked.cachedReplies > 0) record.spent = added(asked, before)
  }
  const save = () => {
    bringUp()
    noteMoment(record, seconds())
    saved = saved.then(() => saveRecord(directory, record)).catch(() => undefined)
  }
  const timer = setInterval(save, saveMilliseconds)
  const onExit = () => {
    const cut: RunRecord = {...record, state: 'interrupted', endedAt: isoTime(now())}
    try {
      writeWholeSync(recordFile(directory), recordText(cut))
    } catch {
      // A lock left by a dead process has the same meaning.
    }
  }
  process.once('exit', onExit)
  return {
    async end(how: Pick<RunRecord, 'state' | 'error'>): Promise<RunRecord> {
      clearInterval(timer)
      await saved
      bringUp()
      if (record.history) noteMoment(record, seconds())
      try {
        await saveRecord(directory, Object.assign(record, how, {endedAt: isoTime(now())}))
      } finally {
        process.off('exit', onExit)
      }
      return record
    },
  }
}

export async function saveRecord(directory: string, record: RunRecord): Promise<void> {
  await writeWhole(recordFile(directory), recordText(record))
}

const recordFile = (directory: string) => join(directory, 'run.json')
const recordText = (record: RunRecord) => `${JSON.stringify(record, null, 2)}\n`

export const isoTime = (milliseconds: number) => new Date(milliseconds).toISOString()
