import {PipelineError} from './errors.ts'
import {guarded, openSqlite, transaction, type SqliteDatabase} from './sqlite.ts'

/** A record on its way: its id, and its canonical JSON is what the id is the hash of. */
export interface Envelope {
  id: string
  json: string
}

export interface Drop {
  reason: string
  detail: string
}

export interface Failure {
  code: string
  message: string
  fix: string
}

/** What became of one record in one stage. A record may yield outputs and still have parts of it dropped. */
export interface Outcome {
  outputs: Envelope[]
  drops: Drop[]
  failure?: Failure
}

/** Where an id was met: as the input of a stage, or among a stage's outputs. */
export interface Sighting extends Outcome {
  stage: string
  input: string
}

export interface Ledger {
  /** Opens a stage's part. Outcomes under another key (options, version, model …) stay on disk and are not seen. */
  stage(name: string, key: string): StageLedger
  /** Notes the `position`-th output of the last stage; written in order, read back by `emitted`. */
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
  put(input: Envelope, outcome: Outcome): void
}

const schema = `
  CREATE TABLE IF NOT EXISTS stage (id INTEGER PRIMARY KEY, name TEXT NOT NULL, key TEXT NOT NULL, UNIQUE (name, key));
  CREATE TABLE IF NOT EXISTS outcome (row INTEGER PRIMARY KEY, stage INTEGER NOT NULL, input TEXT NOT NULL, record TEXT,
    output_ids TEXT NOT NULL, outputs TEXT NOT NULL, drops TEXT NOT NULL, failure TEXT);
  CREATE UNIQUE INDEX IF NOT EXISTS outcome_of ON outcome (stage, input);
  CREATE TABLE IF NOT EXISTS emitted (position INTEGER PRIMARY KEY, id TEXT NOT NULL, json TEXT NOT NULL);`

/** Rows wait here for at most this long or this many: a kill loses no more than that, and paid replies are in the reply cache. */
const batchRows = 2048
const batchMilliseconds = 100

interface PendingRow {
  stage: number
  input: Envelope
  outcome: Outcome
}

/**
 * The memory of a run: what became of every record in every stage, in one SQLite file (write-ahead log, so a kill at any
 * instant leaves a consistent file).
 * @throws PipelineError `input-invalid` when the file is not a ledger, `disk-full` or `output-unwritable` on writing
 */
export function openLedger(file: string): Ledger {
  const database = openDatabase(file)
  const batch = openBatch(database, file)
  const findOutcome = database.prepare('SELECT output_ids, outputs, drops, failure FROM outcome WHERE stage = ? AND input = ?')

  function stage(name: string, key: string): StageLedger {
    guarded(file, () => database.prepare('INSERT OR IGNORE INTO stage (name, key) VALUES (?, ?)').run(name, key))
    const {id} = database.prepare('SELECT id FROM stage WHERE name = ? AND key = ?').get(name, key) as {id: number}
    const known = database.prepare('SELECT 1 FROM outcome WHERE stage = ? LIMIT 1').get(id) !== undefined
    return {
      find(input) {
        const waiting = batch.waiting(id, input)
        if (waiting) return waiting
        return known ? asOutcome(findOutcome.get(id, input) as OutcomeRow | undefined) : undefined
      },
      put: (input, outcome) => batch.outcome(id, input, outcome),
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
    emitted: () => flushed(() => emittedRows(database)),
    sightings: (idPrefix) => flushed(() => sightingsWhere(database, 'input LIKE ? OR (\' \' || output_ids) LIKE ?', `${idPrefix}%`, `% ${idPrefix}%`)),
    failures: () => flushed(() => sightingsWhere(database, 'failure IS NOT NULL')),
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
  /** An outcome that was put and not written yet. */
  waiting(stage: number, input: string): Outcome | undefined
  flush(): void
}

/** Collects rows and writes them in one transaction at a time. What could not be written once is given up, and the next call says why. */
function openBatch(database: SqliteDatabase, file: string): Batch {
  let rows = emptyRows()
  let timer: NodeJS.Timeout | undefined
  let failure: unknown
  const write = rowWriter(database)

  function flush(): void {
    clearTimeout(timer)
    timer = undefined
    if (failure !== undefined) throw failure
    const {outcomes, emissions} = rows
    if (outcomes.size + emissions.length === 0) return
    rows = emptyRows()
    try {
      guarded(file, () => transaction(database, () => write({outcomes, emissions})))
    } catch (error) {
      failure = error
      throw error
    }
  }

  function schedule(): void {
    if (failure !== undefined) throw failure
    if (rows.outcomes.size + rows.emissions.length >= batchRows) flush()
    else timer ??= setTimeout(flushLater, batchMilliseconds)
  }

  function flushLater(): void {
    try {
      flush()
    } catch {
      // Kept in `failure`: nobody listens to a timer.
    }
  }

  return {
    outcome(stage, input, outcome) {
      rows.outcomes.set(`${stage} ${input.id}`, {stage, input, outcome})
      schedule()
    },
    emission(position, record) {
      rows.emissions.push([position, record])
      schedule()
    },
    waiting: (stage, input) => rows.outcomes.get(`${stage} ${input}`)?.outcome,
    flush,
  }
}

interface Rows {
  outcomes: Map<string, PendingRow>
  emissions: [position: number, record: Envelope][]
}

const emptyRows = (): Rows => ({outcomes: new Map(), emissions: []})

function rowWriter(database: SqliteDatabase): (rows: Rows) => void {
  const insertOutcome = database.prepare(
    'INSERT OR REPLACE INTO outcome (stage, input, record, output_ids, outputs, drops, failure) VALUES (?, ?, ?, ?, ?, ?, ?)')
  const insertEmitted = database.prepare('INSERT OR REPLACE INTO emitted (position, id, json) VALUES (?, ?, ?)')
  return ({outcomes, emissions}) => {
    for (const {stage, input, outcome: {outputs, drops, failure}} of outcomes.values()) {
      insertOutcome.run(stage, input.id, outputs.length === 0 ? input.json : null, outputs.map(({id}) => id).join(' '),
        `[${outputs.map(({json}) => json).join(',')}]`, JSON.stringify(drops), failure ? JSON.stringify(failure) : null)
    }
    for (const [position, {id, json}] of emissions) insertEmitted.run(position, id, json)
  }
}

const emittedPage = 1000

function* emittedRows(database: SqliteDatabase): IterableIterator<Envelope> {
  const page = database.prepare('SELECT position, id, json FROM emitted WHERE position > ? ORDER BY position LIMIT ?')
  let last = -1
  for (;;) {
    const rows = page.all(last, emittedPage) as {position: number; id: string; json: string}[]
    for (const {id, json} of rows) yield {id, json}
    const end = rows.at(-1)
    if (!end) return
    last = end.position
  }
}

function openDatabase(file: string): SqliteDatabase {
  return guarded(file, () => {
    const database = openSqlite(file)
    // Fewer, larger checkpoints: with the default of 1,000 pages, half of a fast run's time went into them.
    database.pragma('wal_autocheckpoint = 4000')
    database.pragma('cache_size = -16000')
    database.exec(schema)
    return database
  }, (error) => new PipelineError('input-invalid', `${file} is not a run ledger: ${error instanceof Error ? error.message : String(error)}`, {
    fix: 'Move that file away, or choose another folder with --out.', scope: 'run', cause: error, evidence: {file},
  }))
}

interface OutcomeRow {
  output_ids: string
  outputs: string
  drops: string
  failure: string | null
}

function asOutcome(row: OutcomeRow | undefined): Outcome | undefined {
  if (!row) return undefined
  const values = JSON.parse(row.outputs) as unknown[]
  const ids = row.output_ids === '' ? [] : row.output_ids.split(' ')
  const outputs = ids.map((id, index) => ({id, json: JSON.stringify(values[index])}))
  return {outputs, drops: JSON.parse(row.drops) as Drop[], ...(row.failure === null ? {} : {failure: JSON.parse(row.failure) as Failure})}
}

function sightingsWhere(database: SqliteDatabase, condition: string, ...values: string[]): Sighting[] {
  const rows = database.prepare(
    `SELECT stage.name AS stage, input, output_ids, outputs, drops, failure FROM outcome JOIN stage ON stage.id = outcome.stage WHERE ${condition} ORDER BY row`,
  ).all(...values) as (OutcomeRow & {stage: string; input: string})[]
  return rows.map((row) => ({stage: row.stage, input: row.input, ...(asOutcome(row) as Outcome)}))
}
