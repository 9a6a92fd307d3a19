import {randomUUID} from 'node:crypto'
import {hostname} from 'node:os'
import {isAlive} from '../process-table.ts'
import type {SqliteDatabase} from '../sqlite.ts'
import type {Usage} from './model.ts'

/** What an attempt cost, and which account pays. */
export interface Charge {
  account: string
  usage: Usage
  cost: number
}

/**
 * Open requests of all processes that have the cache file open. Each row keeps the others from sending the same request
 * and records what it may cost, so that the cost of a killed process is still charged. All methods run inside the
 * caller's transaction.
 */
export interface Claims {
  /** False while another process is asking. Books what the request may cost, replacing our earlier booking. */
  take(key: string, most: Charge): boolean
  /** Keeps the key but clears the booking. */
  unbook(key: string): void
  release(key: string): void
  isTakenByOther(key: string): boolean
  /** What open requests of all processes may cost an account. */
  booked(account: string): {tokens: number; cost: number}
  /** Charges the bookings that dead processes left behind. */
  collect(): void
  /** Records that this process is still alive. */
  stayAlive(): void
  /** Charges for the requests of this process that were never answered. */
  leave(): void
}

export const claimsSchema = `
  CREATE TABLE asker (id TEXT PRIMARY KEY, host TEXT NOT NULL, process INTEGER NOT NULL,
    seen INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE request (key TEXT PRIMARY KEY, asker TEXT NOT NULL, account TEXT NOT NULL,
    prompt_tokens INTEGER NOT NULL, completion_tokens INTEGER NOT NULL, cost REAL NOT NULL) WITHOUT ROWID;`

/** How often a process reports that it is alive, and how long a silent one is believed if its process id is in use. */
export const aliveMilliseconds = 20_000
const leaseMilliseconds = 300_000

interface Asker {
  id: string
  host: string
  process: number
  seen: number
}

/** The askers of this process: after a container restart, the previous process had the same process id. */
const ownAskers = new Set<string>()

export function openClaims(database: SqliteDatabase, charge: (charge: Charge) => void, now: () => number): Claims {
  const me: Asker = {id: randomUUID(), host: hostname(), process: process.pid, seen: 0}
  const findOwner = database.prepare(
    'SELECT asker.* FROM request LEFT JOIN asker ON asker.id = request.asker WHERE key = ?',
  )
  const findAskers = database.prepare('SELECT * FROM asker')
  const putAsker = database.prepare('INSERT OR REPLACE INTO asker (id, host, process, seen) VALUES (?, ?, ?, ?)')
  const dropAsker = database.prepare('DELETE FROM asker WHERE id = ?')
  const putRequest = database.prepare(`INSERT OR REPLACE INTO request
    (key, asker, account, prompt_tokens, completion_tokens, cost) VALUES (?, ?, ?, ?, ?, ?)`)
  const clearRequest = database.prepare(
    'UPDATE request SET prompt_tokens = 0, completion_tokens = 0, cost = 0 WHERE key = ? AND asker = ?',
  )
  const dropRequest = database.prepare('DELETE FROM request WHERE key = ? AND asker = ?')
  const findLeft = database.prepare(
    'SELECT account, prompt_tokens, completion_tokens, cost FROM request WHERE asker = ?',
  )
  const dropLeft = database.prepare('DELETE FROM request WHERE asker = ?')
  const sum = database.prepare(`SELECT coalesce(sum(prompt_tokens + completion_tokens), 0) AS tokens,
    coalesce(sum(cost), 0) AS cost FROM request WHERE account = ?`)
  ownAskers.add(me.id)

  function works({id, host, process: number, seen}: Asker): boolean {
    if (ownAskers.has(id)) return true
    if (now() - seen > leaseMilliseconds) return false
    // Process ids mean nothing across machines; so for other machines only the lease decides.
    return host !== me.host || (number !== me.process && isAlive(number))
  }

  function settleAccounts(id: string): void {
    for (const row of findLeft.all(id) as LeftRow[]) {
      const {account, prompt_tokens: promptTokens, completion_tokens: completionTokens, cost} = row
      if (promptTokens + completionTokens > 0) charge({account, usage: {promptTokens, completionTokens}, cost})
    }
    dropLeft.run(id)
    dropAsker.run(id)
  }

  function ownerOf(key: string): Asker | undefined {
    const owner = findOwner.get(key) as Asker | undefined
    return owner && owner.id !== me.id && owner.id !== null ? owner : undefined
  }

  const stayAlive = () => void putAsker.run(me.id, me.host, me.process, (me.seen = now()))

  return {
    take(key, {account, usage, cost}) {
      const owner = ownerOf(key)
      if (owner && works(owner)) return false
      if (owner) settleAccounts(owner.id)
      if (now() - me.seen > aliveMilliseconds) stayAlive()
      putRequest.run(key, me.id, account, usage.promptTokens, usage.completionTokens, cost)
      return true
    },
    unbook: (key) => void clearRequest.run(key, me.id),
    release: (key) => void dropRequest.run(key, me.id),
    isTakenByOther(key) {
      const owner = ownerOf(key)
      return owner !== undefined && works(owner)
    },
    booked(account) {
      // The driver adds a field of its own.
      const {tokens, cost} = sum.get(account) as {tokens: number; cost: number}
      return {tokens, cost}
    },
    collect() {
      for (const asker of findAskers.all() as Asker[]) if (!works(asker)) settleAccounts(asker.id)
    },
    stayAlive: () => {
      if (me.seen !== 0) stayAlive()
    },
    leave() {
      settleAccounts(me.id)
      ownAskers.delete(me.id)
    },
  }
}

interface LeftRow {
  account: string
  prompt_tokens: number
  completion_tokens: number
  cost: number
}
