import type {Envelope} from './ids.ts'
import type {Drop, Outcome, Sighting} from './ledger-records.ts'
import {emptyRows, rowReader, rowWriter} from './ledger-rows.ts'
import {guarded, transaction, type SqliteDatabase, openSqlite} from './sqlite.ts'
import {PipelineError} from './errors.ts'

export interface Ledger {
  /** Opens a stage's part. Outcomes under another key (options, version, model …) stay on disk and are not seen. */
  stage(name: string, key: string): StageLedger
  /** Notes the `position`-th output of the last stage; written in order and read back by `emitted`. */
  emit(position: number, record: Envelope): void
  clearEmitted(): void
  emitted(): IterableIterator<Envelope>
  sightings(idPrefix: string): Sighting[]
  failures(): Sighting[]
  flush(): void
  close(): void
}

export interface StageLedger {
  find(input: string): Outcome | undefined
  /** The same, and what was put since the ledger was opened: `find` spares fresh runs a look into the file. */
  kept(input: string): Outcome | undefined
  put(input: Envelope, outcome: Outcome): void
  /** What the stage dropped, whole records or parts, ordered by id. */
  dropped(): IterableIterator<{input: Envelope; drops: Drop[]}>
}

/**
 * Rows wait for at most this long, this many or this much text (UTF-16 code units): a kill loses no more, and paid
 * replies are in the reply cache.
 */
const batchRows = 4096
const batchUnits = 4_000_000
const batchMilliseconds = 100

/**
 * The memory of a run: what became of every record in every stage, in one SQLite file. It has a write-ahead log, so a
 * kill at any instant leaves a consistent file.
 * @throws PipelineError `input-invalid` when the file is not a ledger, `disk-full` or `output-unwritable` on writing
 */
export function openLedger(file: string): Ledger {
  const database = openLedgerFile(file)
  const batch = openBatch(database, file)
  const reader = rowReader(database)

  function stage(name: string, key: string): StageLedger {
    guarded(file, () => database.prepare('INSERT OR IGNORE INTO stage (name, key) VALUES (?, ?)').run(name, key))
    const {id} = database.prepare('SELECT id FROM stage WHERE name = ? AND key = ?').get(name, key) as {id: number}
    const known = database.prepare('SELECT 1 FROM outcome WHERE stage = ? LIMIT 1').get(id) !== undefined
    return {
      find: (input) => batch.waiting(id, input) ?? (known ? reader.outcome(id, input) : undefined),
      kept: (input) => batch.waiting(id, input) ?? reader.outcome(id, input),
      put: (input, outcome) => batch.outcome(id, input, outcome),
      dropped: () => flushed(() => reader.dropped(id)),
    }
  }

  /** Readers see what was written before them. */
  function flushed<T>(read: () => T): T {
    batch.flush()
    return read()
  }

  return {
    stage,
    emit: batch.emission,
    clearEmitted: () => flushed(() => guarded(file, () => void database.exec('DELETE FROM emitted'))),
    emitted: () => flushed(reader.emitted),
    sightings: (idPrefix) => flushed(() => reader.sightings(idPrefix)),
    failures: () => flushed(reader.failures),
    flush: batch.flush,
    close() {
      try {
        batch.flush()
      } finally {
        database.close()
      }
    },
  }
}

interface Batch {
  outcome(stage: number, input: Envelope, outcome: Outcome): void
  emission(position: number, record: Envelope): void
  /** An outcome that was put but not written yet. */
  waiting(stage: number, input: string): Outcome | undefined
  flush(): void
}

/**
 * Writes rows together, one transaction at a time. Rows that could not be written are discarded; the next call reports
 * why.
 */
function openBatch(database: SqliteDatabase, file: string): Batch {
  let rows = emptyRows()
  let units = 0
  let timer: NodeJS.Timeout | undefined
  let failure: unknown
  const write = rowWriter(database)

  function flush(): void {
    clearTimeout(timer)
    timer = undefined
    if (failure !== undefined) throw failure
    const full = rows
    if (full.outcomes.size + full.emissions.length === 0) return
    rows = emptyRows()
    units = 0
    try {
      guarded(file, () => transaction(database, () => write(full)))
    } catch (error) {
      failure = error
      throw error
    }
  }

  function record({id, json}: Envelope): void {
    rows.records.set(id, json)
    units += json.length
  }

  function schedule(): void {
    if (failure !== undefined) throw failure
    if (rows.outcomes.size + rows.emissions.length >= batchRows || units >= batchUnits) flush()
    else timer ??= setTimeout(flushLater, batchMilliseconds)
  }

  function flushLater(): void {
    try {
      flush()
    } catch {
      // Kept in `failure`: errors of a timer cannot be caught.
    }
  }

  return {
    outcome(stage, input, outcome) {
      rows.outcomes.set(`${stage} ${input.id}`, {stage, input: input.id, outcome})
      outcome.outputs.forEach(record)
      // A record that is dropped here need not be the output of any stage.
      if (outcome.drops.length > 0) record(input)
      schedule()
    },
    emission(position, output) {
      rows.emissions.push([position, output.id])
      record(output)
      schedule()
    },
    waiting: (stage, input) => rows.outcomes.get(`${stage} ${input}`)?.outcome,
    flush,
  }
}

/** Raised when the tables change; kept in the file's `user_version`. */
const format = 3

/** `ASCT`: marks the file as ours in its header. */
const applicationId = 0x41534354

/**
 * record: each record once. outcome: what became of a record in a stage; `outputs` is a JSON list of ids, `drops` and
 * `failure` are null when there are none. emitted: outputs of the last stage, in order.
 */
const schema = `
  CREATE TABLE stage (id INTEGER PRIMARY KEY, name TEXT NOT NULL, key TEXT NOT NULL, UNIQUE (name, key));
  CREATE TABLE record (id TEXT PRIMARY KEY, json NOT NULL);
  CREATE TABLE outcome (stage INTEGER NOT NULL, input TEXT NOT NULL, outputs TEXT NOT NULL, drops TEXT, failure TEXT,
    PRIMARY KEY (stage, input)) WITHOUT ROWID;
  CREATE TABLE emitted (position INTEGER PRIMARY KEY, record TEXT NOT NULL);
  PRAGMA application_id = ${applicationId};
  PRAGMA user_version = ${format};`

/**
 * Opens the file of a ledger; creates it when missing.
 * @throws PipelineError `input-invalid` when it is anything else, or a ledger of another format
 */
function openLedgerFile(file: string): SqliteDatabase {
  return guarded(
    file,
    () => {
      const database = openSqlite(file, (opened) => refuseUnfit(opened, file))
      try {
        // Fewer, larger checkpoints: with the default of 1,000 pages, half of a fast run's time went into them.
        database.pragma('wal_autocheckpoint = 4000')
        database.pragma('cache_size = -8000')
        transaction(database, () => {
          if (isEmpty(database)) database.exec(schema)
        })
        return database
      } catch (error) {
        database.close()
        throw error
      }
    },
    (error) =>
      unfit(file, `not a run ledger: ${error instanceof Error ? error.message : String(error)}`, {cause: error}),
  )
}

const isEmpty = (database: SqliteDatabase) => database.prepare('SELECT 1 FROM sqlite_master').get() === undefined

function refuseUnfit(database: SqliteDatabase, file: string): void {
  if (isEmpty(database)) return
  const number = (name: string) => Number(Object.values(database.prepare(`PRAGMA ${name}`).get() as object)[0])
  if (number('application_id') !== applicationId)
    throw unfit(file, 'not a run ledger: it is the database of another program')
  const found = number('user_version')
  if (found === format) return
  throw unfit(file, `a run ledger of format ${found}; this version of ascend-cot reads format ${format}`, {
    fix:
      "Move that run's folder away and run its recipe again (model replies are cached and cost nothing), " +
      'or continue with the version that wrote it.',
  })
}

const otherPlace = 'Move that file away, or choose another folder with --out.'

function unfit(file: string, what: string, {fix = otherPlace, cause}: {fix?: string; cause?: unknown} = {}) {
  return new PipelineError('input-invalid', `${file} is ${what}.`, {fix, cause, evidence: {file}})
}
