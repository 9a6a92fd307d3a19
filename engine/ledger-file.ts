import {PipelineError} from './errors.ts'
import {upgradeLedger} from './ledger-upgrade.ts'
import {guarded, openSqlite, transaction, type SqliteDatabase} from './sqlite.ts'

/** Goes up when older programs could not read the file; kept in its `user_version`. */
const format = 2

/** `ASCT`: says in the file's header whose it is. */
const applicationId = 0x41534354

/**
 * record: each record once; `rest` is null where only the id is known. outcome: what became of a record in a stage;
 * records are named by number, `outputs` is a JSON list. emitted: outputs of the last stage, in order.
 */
const schema = `
  CREATE TABLE stage (id INTEGER PRIMARY KEY, name TEXT NOT NULL, key TEXT NOT NULL, UNIQUE (name, key));
  CREATE TABLE record (number INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE,
    base INTEGER, head INTEGER, tail INTEGER, rest);
  CREATE TABLE outcome (stage INTEGER NOT NULL, input INTEGER NOT NULL, outputs TEXT NOT NULL, drops TEXT, failure TEXT,
    PRIMARY KEY (stage, input)) WITHOUT ROWID;
  CREATE TABLE emitted (position INTEGER PRIMARY KEY, record INTEGER NOT NULL);
  PRAGMA application_id = ${applicationId};
  PRAGMA user_version = ${format};`

/**
 * Opens the file of a ledger; makes it when it is not there, brings it up to date when it is of an older format.
 * @throws PipelineError `input-invalid` when it is anything else
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
        if (stateOf(database) !== 'current') bringUpToDate(database)
        return database
      } catch (error) {
        database.close()
        throw error
      }
    },
    (error) => unfit(file, error instanceof Error ? error.message : String(error), error),
  )
}

function refuseUnfit(database: SqliteDatabase, file: string): void {
  const state = stateOf(database)
  if (state === 'foreign') throw unfit(file, 'it is the database of another program')
  if (state === 'newer') throw unfit(file, 'it was written by a newer version of ascend-cot')
}

function bringUpToDate(database: SqliteDatabase): void {
  let upgraded = false
  transaction(database, () => {
    // Another process may have been faster.
    const state = stateOf(database)
    if (state === 'empty') database.exec(schema)
    if (state === 'first') upgradeLedger(database, schema)
    upgraded = state === 'first'
  })
  if (upgraded) database.exec('VACUUM')
}

type State = 'empty' | 'current' | 'first' | 'newer' | 'foreign'

function stateOf(database: SqliteDatabase): State {
  const tables = database.prepare('SELECT name FROM sqlite_master WHERE type = ? ORDER BY name').all('table')
  const names = (tables as {name: string}[]).map(({name}) => name).join(' ')
  if (names === '') return 'empty'
  const number = (name: string) => Number(Object.values(database.prepare(`PRAGMA ${name}`).get() as object)[0])
  // The first format had no mark of its own.
  if (number('application_id') !== applicationId) return names === 'emitted outcome stage' ? 'first' : 'foreign'
  return number('user_version') > format ? 'newer' : 'current'
}

function unfit(file: string, problem: string, cause?: unknown): PipelineError {
  return new PipelineError('input-invalid', `${file} is not a run ledger: ${problem}.`, {
    fix: 'Move that file away, or choose another folder with --out.',
    scope: 'run',
    cause,
    evidence: {file},
  })
}
