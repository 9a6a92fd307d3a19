import {rmSync} from 'node:fs'
import {mkdir, open, rm} from 'node:fs/promises'
import {join} from 'node:path'
import {asOutputError} from '../../engine/files.ts'
import {envelopeOf} from '../../engine/ids.ts'
import {readLines} from '../../engine/lines.ts'
import {openSqlite, type SqliteDatabase} from '../../engine/sqlite.ts'

/** Kilobytes of pages that a scratch database keeps in memory: twice as many make it no faster. */
const cacheKilobytes = 4_000

/**
 * Records kept on disk until all have been seen, and a database of facts about them. Both are in the stage's folder and
 * deleted after `use`; leftovers of a killed run are overwritten.
 */
export async function* waiting<T, Out>(
  directory: string,
  records: AsyncIterable<T>,
  use: {
    /** Called with each record, its number from 0 and its id. */
    note(record: T, number: number, id: string): void
    /** Called when all are stored. */
    choose(records: AsyncIterable<T>): AsyncIterable<Out>
  },
): AsyncIterable<Out> {
  const path = await stored(directory, records, use.note)
  yield* use.choose(readAgain(path))
  await rm(path)
}

/** @returns the file with all records, for `readAgain` */
export async function stored<T>(
  directory: string,
  records: AsyncIterable<T>,
  note: (record: T, number: number, id: string) => void,
): Promise<string> {
  const path = join(directory, 'waiting.jsonl')
  const failed = (error: unknown) => Promise.reject(asOutputError(error, path))
  await mkdir(directory, {recursive: true}).catch(failed)
  const file = await open(path, 'w').catch(failed)
  try {
    let number = 0
    let lines: string[] = []
    for await (const record of records) {
      const {id, json} = envelopeOf(record)
      note(record, number, id)
      number += 1
      lines.push(json, '\n')
      if (lines.length < 200) continue
      await file.write(lines.join('')).catch(failed)
      lines = []
    }
    await file.write(lines.join('')).catch(failed)
  } finally {
    await file.close()
  }
  return path
}

export async function* readAgain<T>(path: string): AsyncIterable<T> {
  for await (const line of readLines(path)) yield JSON.parse(line) as T
}

/** An empty private database, deleted by `close`. */
export function scratchDatabase(file: string): SqliteDatabase & {remove(): void} {
  const clean = () => {
    for (const end of ['', '-wal', '-shm', '-journal']) rmSync(`${file}${end}`, {force: true})
  }
  clean()
  const database = openSqlite(file)
  database.pragma('journal_mode = OFF')
  database.pragma('synchronous = OFF')
  // The driver's SQLite sorts in memory by default.
  database.pragma('temp_store = FILE')
  database.pragma(`cache_size = -${cacheKilobytes}`)
  const remove = () => {
    database.close()
    clean()
  }
  return Object.assign(database, {remove})
}
