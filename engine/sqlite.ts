import Database from 'libsql'
import {PipelineError} from './errors.ts'
import {asOutputError} from './files.ts'

export type SqliteDatabase = Database.Database

/** How long a write waits for that of another process. */
const busyMilliseconds = 30_000

/**
 * Opens a database in write-ahead-log mode. With `synchronous = NORMAL` a killed process loses nothing that was
 * committed; a power cut may take the last commits.
 * @param check runs before the file is changed; if it throws, the database is closed again
 */
export function openSqlite(file: string, check: (database: SqliteDatabase) => void = () => {}): SqliteDatabase {
  const database = new Database(file, {timeout: busyMilliseconds})
  try {
    check(database)
    database.pragma('journal_mode = WAL')
    database.pragma('synchronous = NORMAL')
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/**
 * All of `work` or none of it. libsql's own wrapper loses the cause if SQLite itself has rolled back, as it does on a
 * full disk.
 */
export function transaction(database: SqliteDatabase, work: () => void): void {
  database.exec('BEGIN IMMEDIATE')
  try {
    work()
    database.exec('COMMIT')
  } catch (error) {
    if (database.inTransaction) database.exec('ROLLBACK')
    throw error
  }
}

/**
 * Works with a database; a full or read-only disk becomes a PipelineError, any other error what `otherwise` returns.
 */
export function guarded<T>(file: string, work: () => T, otherwise: (error: unknown) => unknown = (error) => error): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof PipelineError) throw error
    const known = asOutputError(asSystemError(error), file)
    throw known instanceof PipelineError ? known : otherwise(error)
  }
}

/** SQLite has its own names for system failures. SHM is the memory that readers and writers share, also a file. */
const systemCodes: Record<string, string> = {
  SQLITE_FULL: 'ENOSPC',
  SQLITE_READONLY: 'EROFS',
  SQLITE_CANTOPEN: 'EACCES',
  SQLITE_PERM: 'EPERM',
  SQLITE_IOERR_SHMSIZE: 'ENOSPC',
  SQLITE_IOERR_SHMMAP: 'ENOSPC',
  SQLITE_IOERR: 'EIO',
}

/** The extended name of a failure begins with its general name: `SQLITE_READONLY_DIRECTORY`. */
function asSystemError(error: unknown): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error
  const name = String(error.code)
  const code = systemCodes[name] ?? systemCodes[name.split('_').slice(0, 2).join('_')]
  return code === undefined ? error : Object.assign(new Error(name, {cause: error}), {code})
}
