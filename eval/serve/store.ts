import {mkdirSync} from 'node:fs'
import {join} from 'node:path'
import {guarded, openSqlite} from '../../engine/sqlite.ts'
import type {Finding} from './verdicts.ts'

/** An accepted named request: it is judged whether or not its client waits. */
interface Accepted {
  id: string
  /** JSON of the request, as parsed by its route. */
  request: string
  /** JSON of the reply; undefined while pending. */
  reply: string | undefined
}

/**
 * Persistent storage: findings by key, and named requests with their replies. A killed process loses nothing that was
 * committed.
 */
export interface Store {
  finding(key: string): Finding | undefined
  keep(key: string, finding: Finding): void
  accepted(id: string): Accepted | undefined
  /** Returns an existing request with that name, unless `again`; then the new one replaces it. */
  accept(id: string, request: string, again: boolean): Accepted | undefined
  finish(id: string, reply: string): void
  /** In order of acceptance. */
  unfinished(): Accepted[]
  /** Number of stored findings and named requests. */
  counts(): {findings: number; requests: number}
  close(): void
}

/** Rows beyond these are deleted, oldest first, so that a long-running service does not fill the disk. */
const mostFindings = 1_000_000
const mostRequests = 200_000
/** Old rows are deleted once every this many writes. */
const sweepEvery = 1000

/** @throws PipelineError `output-unwritable` or `disk-full` */
export function openStore(directory: string): Store {
  const file = join(directory, 'judged.sqlite')
  const database = guarded(file, () => {
    mkdirSync(directory, {recursive: true})
    return openSqlite(file)
  })
  guarded(file, () =>
    database.exec(`
      CREATE TABLE IF NOT EXISTS finding (number INTEGER PRIMARY KEY, key TEXT UNIQUE NOT NULL, json TEXT NOT NULL);
      CREATE TABLE IF NOT EXISTS request
        (number INTEGER PRIMARY KEY, id TEXT UNIQUE NOT NULL, json TEXT NOT NULL, reply TEXT);
      CREATE INDEX IF NOT EXISTS open_request ON request (number) WHERE reply IS NULL;`),
  )
  const one = (sql: string) => database.prepare(sql)
  const findFinding = one('SELECT json FROM finding WHERE key = ?')
  const addFinding = one('INSERT OR IGNORE INTO finding (key, json) VALUES (?, ?)')
  const findRequest = one('SELECT id, json AS request, reply FROM request WHERE id = ?')
  // A replacement gets its own number, and no reply.
  const takeOn = one('INSERT OR REPLACE INTO request (id, json) VALUES (?, ?)')
  const endRequest = one('UPDATE request SET reply = ? WHERE id = ?')
  const openRequests = one('SELECT id, json AS request, reply FROM request WHERE reply IS NULL ORDER BY number')
  const oldFindings = one('DELETE FROM finding WHERE number <= (SELECT max(number) FROM finding) - ?')
  const oldRequests = one(
    'DELETE FROM request WHERE reply IS NOT NULL AND number <= (SELECT max(number) FROM request) - ?',
  )
  let writes = 0
  const write = (work: () => void) =>
    guarded(file, () => {
      work()
      writes += 1
      if (writes % sweepEvery !== 0) return
      oldFindings.run(mostFindings)
      oldRequests.run(mostRequests)
    })
  const asAccepted = (row: unknown): Accepted => {
    const {id, request, reply} = row as {id: string; request: string; reply: string | null}
    return {id, request, reply: reply ?? undefined}
  }
  const accepted = (id: string) => {
    const row = guarded(file, () => findRequest.get(id))
    return row === undefined ? undefined : asAccepted(row)
  }
  return {
    finding(key) {
      const row = guarded(file, () => findFinding.get(key)) as {json: string} | undefined
      return row && (JSON.parse(row.json) as Finding)
    },
    keep: (key, finding) => write(() => addFinding.run(key, JSON.stringify(finding))),
    accepted,
    accept(id, request, again) {
      const before = accepted(id)
      if (before && !again) return before
      write(() => takeOn.run(id, request))
      return undefined
    },
    finish: (id, reply) => write(() => endRequest.run(reply, id)),
    unfinished: () => guarded(file, () => openRequests.all()).map(asAccepted),
    counts() {
      const count = (table: string) => (one(`SELECT count(*) AS n FROM ${table}`).get() as {n: number}).n
      return {findings: count('finding'), requests: count('request')}
    },
    close: () => void database.close(),
  }
}
