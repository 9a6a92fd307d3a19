import {PipelineError} from './errors.ts'
import {guarded, openSqlite, transaction, type SqliteDatabase} from './sqlite.ts'

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
export function openLedgerFile(file: string): SqliteDatabase {
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
