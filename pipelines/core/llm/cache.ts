import {mkdirSync} from 'node:fs'
import {dirname} from 'node:path'
import {z} from 'zod'
import {PipelineError} from '../errors.ts'
import {contentId} from '../ids.ts'
import {guarded, openSqlite, type SqliteDatabase} from '../sqlite.ts'
import type {ChatReply, ChatRequest, Usage} from './model.ts'

/** What an attempt cost, and on whose account. */
export interface Charge {
  account: string
  usage: Usage
  cost: number
}

/** Replies that were paid for, and what was paid, in one file that outlives runs and may be open in several processes. */
export interface ReplyCache {
  find(key: string): ChatReply | undefined
  /** On disk when it returns. The first reply under a key stays. */
  keep(key: string, reply: ChatReply, charge: Charge): void
  /** For attempts that cost something and gave no reply. */
  charge(charge: Charge): void
  /** What an account was charged with so far, by all processes. */
  spent(account: string): {tokens: number; cost: number}
  close(): void
}

const Reply = z.strictObject({
  text: z.string(), reasoning: z.string(), finishReason: z.string(), model: z.string(),
  usage: z.strictObject({promptTokens: z.number(), completionTokens: z.number()}),
})

/** "ACRC": marks the file as ours, so that no other SQLite file is written into. */
const applicationId = 0x41435243
const schemaVersion = 1
const schema = `
  CREATE TABLE reply (key TEXT PRIMARY KEY, model TEXT NOT NULL, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE account (name TEXT PRIMARY KEY, prompt_tokens INTEGER NOT NULL, completion_tokens INTEGER NOT NULL, cost REAL NOT NULL) WITHOUT ROWID;
  PRAGMA application_id = ${applicationId};
  PRAGMA user_version = ${schemaVersion};`

/** Hash of everything that shaped a reply: the profile's fingerprint and the whole request. */
export function replyKey(fingerprint: string, {messages, sample = 0, temperature, maxTokens}: ChatRequest): string {
  return contentId({fingerprint, messages, sample, temperature, maxTokens})
}

/** @throws PipelineError `input-invalid` when the file is damaged or another program's, `disk-full`, `output-unwritable` */
export function openReplyCache(file: string): ReplyCache {
  const database = openDatabase(file)
  const findReply = database.prepare('SELECT value FROM reply WHERE key = ?')
  const insertReply = database.prepare('INSERT OR IGNORE INTO reply (key, model, value) VALUES (?, ?, ?)')
  const addCharge = database.prepare(`INSERT INTO account (name, prompt_tokens, completion_tokens, cost) VALUES (?, ?, ?, ?)
    ON CONFLICT (name) DO UPDATE SET prompt_tokens = prompt_tokens + excluded.prompt_tokens,
      completion_tokens = completion_tokens + excluded.completion_tokens, cost = cost + excluded.cost`)
  const findAccount = database.prepare('SELECT prompt_tokens + completion_tokens AS tokens, cost FROM account WHERE name = ?')
  const charge = ({account, usage, cost}: Charge) => void addCharge.run(account, usage.promptTokens, usage.completionTokens, cost)
  const keep = database.transaction((key: string, reply: ChatReply, paid: Charge) => {
    insertReply.run(key, reply.model, JSON.stringify(reply))
    charge(paid)
  })
  return {
    find(key) {
      const row = guard(file, () => findReply.get(key)) as {value: string} | undefined
      return row === undefined ? undefined : parseReply(file, key, row.value)
    },
    keep: (key, reply, paid) => guard(file, () => keep.immediate(key, reply, paid)),
    charge: (paid) => guard(file, () => charge(paid)),
    spent(account) {
      const {tokens = 0, cost = 0} = (guard(file, () => findAccount.get(account)) ?? {}) as {tokens?: number; cost?: number}
      return {tokens, cost}
    },
    close() {
      // Leaves everything in the one file, so that copying it copies the replies. In vain while another process reads.
      guard(file, () => database.pragma('wal_checkpoint(TRUNCATE)'))
      database.close()
    },
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
  if (tables === 0) database.exec(schema)
  else if (number('application_id') !== applicationId) throw unfit(file, 'it is another program\'s database')
  else if (number('user_version') !== schemaVersion) throw unfit(file, `its version is ${number('user_version')}, expected ${schemaVersion}`)
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
    fix: 'Move that file away, or choose another folder for the cache; replies in it that cannot be read must be paid for again.',
    scope: 'run', cause, evidence: {file, problem},
  })
}
