import {mkdirSync} from 'node:fs'
import {dirname} from 'node:path'
import {z} from 'zod'
import {PipelineError} from '../errors.ts'
import {contentId} from '../ids.ts'
import {guarded, openSqlite, transaction, type SqliteDatabase} from '../sqlite.ts'
import {aliveMilliseconds, claimsSchema, openClaims, type Charge, type Claims} from './claims.ts'
import {endWords} from './ends.ts'
import type {ChatReply, ChatRequest} from './model.ts'

/** Paid replies and what they cost, in one file that outlives runs and may be open in several processes. */
export interface ReplyCache {
  find(key: string): ChatReply | undefined
  /**
   * Called right before every attempt: books what the request may cost, and keeps other processes from sending the
   * same. Not `ours` if a reply exists by now or another process is asking. What a killed process had booked is
   * charged.
   */
  claim(key: string, most: Charge): Claim
  isAskedElsewhere(key: string): boolean
  /** Replaces the booking; on disk when it returns. The first reply under a key stays. */
  keep(key: string, reply: ChatReply, charge: Charge): void
  /** For an attempt that got no reply: replaces the booking with its cost. The key stays claimed. */
  charge(key: string, charge: Charge | undefined): void
  /** Lets other processes ask: this process makes no more attempts. `close` releases everything. */
  release(key: string): void
  /** What an account was charged so far plus what is booked for open requests, over all processes. */
  spent(account: string): {tokens: number; cost: number}
  /** Charges for the requests of this process that are still unanswered. */
  close(): void
}

export type Claim = 'ours' | 'answered' | 'asked-elsewhere'

const Reply = z.strictObject({
  text: z.string(),
  reasoning: z.string(),
  finishReason: z.string(),
  model: z.string(),
  usage: z.strictObject({promptTokens: z.number(), completionTokens: z.number()}),
  promptLogprobs: z.strictObject({tokens: z.number(), sum: z.number()}).exactOptional(),
})

/** "ACRC": marks the file as ours, so that we never write to another program's SQLite file. */
const applicationId = 0x41435243
const schemaVersion = 3
const schema = `
  CREATE TABLE reply (key TEXT PRIMARY KEY, model TEXT NOT NULL, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE account (name TEXT PRIMARY KEY, prompt_tokens INTEGER NOT NULL, completion_tokens INTEGER NOT NULL,
    cost REAL NOT NULL) WITHOUT ROWID;
  ${claimsSchema}
  PRAGMA application_id = ${applicationId};`
const quoted = (words: readonly string[]) => words.map((word) => `'${word}'`).join(', ')
const oldEnd = "lower(json_extract(value, '$.finishReason'))"
/** Version 2 stored the server's own finish reason, and with it truncated replies. */
const upgradeFromVersion2 = `
  DELETE FROM reply WHERE ${oldEnd} NOT IN (${quoted([...endWords.finished, ...endWords.length])});
  UPDATE reply SET value = json_set(value, '$.finishReason',
    CASE WHEN ${oldEnd} IN (${quoted(endWords.length)}) THEN 'length' ELSE 'stop' END);`
/** Version 1 trusted any reported usage. */
const upgradeFromVersion1 = `
  ${claimsSchema}
  UPDATE account SET cost = max(0, cost), prompt_tokens = max(0, CAST(prompt_tokens AS INTEGER)),
    completion_tokens = max(0, CAST(completion_tokens AS INTEGER));
  ${upgradeFromVersion2}`

/** Hash of everything that shaped a reply: the profile's fingerprint and the whole request. */
export function replyKey(fingerprint: string, {messages, sample = 0, temperature, maxTokens}: ChatRequest): string {
  return contentId({fingerprint, messages, sample, temperature, maxTokens})
}

/**
 * `now`: the wall clock, which tells processes whether the others are still alive.
 * @throws PipelineError `input-invalid` when the file is damaged or another program's, `disk-full`, `output-unwritable`
 */
export function openReplyCache(file: string, now: () => number = Date.now): ReplyCache {
  const database = openDatabase(file)
  const within = <T>(work: () => T): T =>
    guard(file, () => {
      let result: T | undefined
      transaction(database, () => {
        result = work()
      })
      return result as T
    })
  const accounts = openAccounts(database)
  const claims = openClaims(database, accounts.charge, now)
  const findReply = database.prepare('SELECT value FROM reply WHERE key = ?')
  const insertReply = database.prepare('INSERT OR IGNORE INTO reply (key, model, value) VALUES (?, ?, ?)')
  within(claims.collect)
  const alive = setInterval(() => beat(within, claims), aliveMilliseconds).unref()
  return {
    find(key) {
      const row = guard(file, () => findReply.get(key)) as {value: string} | undefined
      return row === undefined ? undefined : parseReply(file, key, row.value)
    },
    claim: (key, most) =>
      within((): Claim => {
        if (findReply.get(key) !== undefined) return 'answered'
        return claims.take(key, most) ? 'ours' : 'asked-elsewhere'
      }),
    isAskedElsewhere: (key) => guard(file, () => claims.isTakenByOther(key)),
    keep: (key, reply, charge) =>
      within(() => {
        insertReply.run(key, reply.model, JSON.stringify(reply))
        accounts.charge(charge)
        claims.release(key)
      }),
    charge: (key, charge) =>
      within(() => {
        if (charge) accounts.charge(charge)
        claims.unbook(key)
      }),
    release(key) {
      if (database.open) within(() => claims.release(key))
    },
    spent: (account) =>
      guard(file, () => {
        const [paid, booked] = [accounts.paid(account), claims.booked(account)]
        return {tokens: paid.tokens + booked.tokens, cost: paid.cost + booked.cost}
      }),
    close() {
      clearInterval(alive)
      within(claims.leave)
      // Moves everything into the one file, so that copying it copies the replies. Has no effect while another process
      // reads.
      guard(file, () => database.pragma('wal_checkpoint(TRUNCATE)'))
      database.close()
    },
  }
}

function beat(within: <T>(work: () => T) => T, claims: Claims): void {
  try {
    within(claims.stayAlive)
  } catch {
    // Errors of a timer cannot be caught; the next `claim` or `keep` meets the same problem and reports it.
  }
}

interface Accounts {
  charge(charge: Charge): void
  paid(account: string): {tokens: number; cost: number}
}

function openAccounts(database: SqliteDatabase): Accounts {
  const add = database.prepare(`INSERT INTO account (name, prompt_tokens, completion_tokens, cost) VALUES (?, ?, ?, ?)
    ON CONFLICT (name) DO UPDATE SET prompt_tokens = prompt_tokens + excluded.prompt_tokens,
      completion_tokens = completion_tokens + excluded.completion_tokens, cost = cost + excluded.cost`)
  const find = database.prepare('SELECT prompt_tokens + completion_tokens AS tokens, cost FROM account WHERE name = ?')
  return {
    charge: ({account, usage, cost}) => void add.run(account, usage.promptTokens, usage.completionTokens, cost),
    paid: (account) => (find.get(account) ?? {tokens: 0, cost: 0}) as {tokens: number; cost: number},
  }
}

function openDatabase(file: string): SqliteDatabase {
  return guard(file, () => {
    if (file !== ':memory:') mkdirSync(dirname(file), {recursive: true})
    const database = openSqlite(file)
    database.transaction(() => prepareSchema(database, file)).immediate()
    return database
  })
}

function prepareSchema(database: SqliteDatabase, file: string): void {
  const {tables} = database.prepare('SELECT count(*) AS tables FROM sqlite_master').get() as {tables: number}
  const number = (name: string) => Object.values(database.prepare(`PRAGMA ${name}`).get() as Record<string, number>)[0]
  if (tables > 0 && number('application_id') !== applicationId) throw unfit(file, "it is another program's database")
  const version = tables === 0 ? 0 : number('user_version')
  if (version === schemaVersion) return
  if (version === 0) database.exec(schema)
  else if (version === 1) database.exec(upgradeFromVersion1)
  else if (version === 2) database.exec(upgradeFromVersion2)
  else throw unfit(file, `its version is ${version}, expected ${schemaVersion}`)
  database.exec(`PRAGMA user_version = ${schemaVersion}`)
}

function parseReply(file: string, key: string, value: string): ChatReply {
  try {
    return Reply.parse(JSON.parse(value))
  } catch (error) {
    throw unfit(file, `reply ${key} cannot be read`, error)
  }
}

function guard<T>(file: string, work: () => T): T {
  return guarded(file, work, (error) => unfit(file, error instanceof Error ? error.message : String(error), error))
}

function unfit(file: string, problem: string, cause?: unknown): PipelineError {
  return new PipelineError('input-invalid', `${file} is not a usable reply cache: ${problem}.`, {
    fix:
      'Move that file away, or choose another folder with --set cache=…. ' +
      'Replies that can no longer be read must be paid for again.',
    cause,
    evidence: {file, problem},
  })
}
