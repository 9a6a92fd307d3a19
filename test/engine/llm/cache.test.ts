import {copyFile, writeFile} from 'node:fs/promises'
import {join} from 'node:path'
import Database from 'libsql'
import {expect, test} from 'vitest'
import {openReplyCache, replyKey} from '../../../engine/llm/cache.ts'
import type {ChatRequest} from '../../../engine/llm/model.ts'
import {startAsking} from '../../helpers/asking.ts'
import type {ProfileFields} from '../../helpers/teacher.ts'
import {ask, chatServer, rejection, teacherAt} from '../../helpers/teacher.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'

const cacheFileIn = async () => join(await temporaryFolder(), 'deeper', 'replies.db')
const reply = {
  text: 'Answer.',
  reasoning: '',
  finishReason: 'stop',
  model: 'm',
  usage: {promptTokens: 1, completionTokens: 2},
}
const charge = {account: 'a', usage: reply.usage, cost: 0.5}

test('after a restart a known request sends nothing and gets the same reply', async () => {
  const server = await chatServer()
  const cacheFile = await cacheFileIn()
  const first = await teacherAt(server, {}, {cacheFile})
  const paid = await first.model.complete(ask('hello', {sample: 3}))
  first.teachers.close()
  const second = await teacherAt(server, {concurrency: 1, maxAttempts: 1}, {cacheFile})
  expect(await second.model.complete(ask('hello', {sample: 3}))).toEqual(paid)
  expect(server.served).toHaveLength(1)
  expect(second.teachers.spending()).toMatchObject({requests: 0, cachedReplies: 1, tokens: 0})
})

test.each([
  [{systemPrompt: 'Be brief.'}, {}],
  [{temperature: 1}, {}],
  [{topP: 0.5}, {}],
  [{model: 'other'}, {}],
  [{maxTokens: 50}, {}],
  [{extraBody: {seed: 1}}, {}],
  [{}, {sample: 1}],
  [{}, {temperature: 0.1}],
  [{}, {maxTokens: 49}],
] satisfies [ProfileFields, Partial<ChatRequest>][])(
  'profile %o with request %o is another request',
  async (fields, more) => {
    const server = await chatServer()
    const cacheFile = await cacheFileIn()
    await (await teacherAt(server, {}, {cacheFile})).model.complete(ask('hello'))
    await (await teacherAt(server, fields, {cacheFile})).model.complete(ask('hello', more))
    expect(server.served).toHaveLength(2)
  },
)

test('another base URL is another request', async () => {
  const cacheFile = await cacheFileIn()
  const servers = [await chatServer(), await chatServer()]
  for (const server of servers) await (await teacherAt(server, {}, {cacheFile})).model.complete(ask('hello'))
  expect(servers.map(({served}) => served.length)).toEqual([1, 1])
})

test('sample 0 is the same as none', () => {
  expect(replyKey('f', ask('hello', {sample: 0}))).toBe(replyKey('f', ask('hello')))
})

test('a reply cut off by the network is not kept, one cut off by its own limit is', async () => {
  const server = await chatServer([{kind: 'cut'}])
  const cacheFile = await cacheFileIn()
  const first = await teacherAt(server, {maxAttempts: 1, maxTokens: 5}, {cacheFile})
  await rejection(first.model.complete(ask('hello')))
  expect(await first.model.complete(ask('hello'))).toMatchObject({finishReason: 'length'})
  await first.model.complete(ask('hello'))
  expect(server.served).toHaveLength(2)
})

test('a reply that was on its way when the run was called off is awaited and kept', async () => {
  const server = await chatServer([], {latency: [100, 100]})
  const cacheFile = await cacheFileIn()
  const controller = new AbortController()
  const first = await teacherAt(server, {concurrency: 2}, {cacheFile, signal: controller.signal})
  const asked = [0, 1, 2, 3].map((index) => first.model.complete(ask(`hello ${index}`)))
  setTimeout(() => controller.abort(), 50)
  const outcomes = await Promise.allSettled(asked)
  expect(outcomes.map(({status}) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'rejected'])
  expect((outcomes[2] as PromiseRejectedResult).reason).toMatchObject({code: 'interrupted', scope: 'run'})
  first.teachers.close()
  const second = await teacherAt(server, {}, {cacheFile})
  await second.model.complete(ask('hello 0'))
  await second.model.complete(ask('hello 1'))
  expect(server.served).toHaveLength(2)
})

test('a killed process has every reply on disk that it was given', async () => {
  const server = await chatServer()
  const cacheFile = await cacheFileIn()
  const asking = startAsking({url: server.url, cacheFile})
  await asking.said(100)
  await asking.kill()
  const served = server.served.length
  const {model} = await teacherAt(server, {}, {cacheFile})
  for (const content of asking.given) await model.complete(ask(content))
  expect(asking.given.length).toBeGreaterThanOrEqual(99)
  expect(server.served).toHaveLength(served)
})

test('several processes share one file, and their charges add up', async () => {
  const file = await cacheFileIn()
  const [one, other] = [openReplyCache(file), openReplyCache(file)]
  one.keep('key', reply, charge)
  expect(other.find('key')).toEqual(reply)
  other.keep('key', {...reply, text: 'Later.'}, charge)
  other.charge('another key', charge)
  expect(one.find('key')).toEqual(reply)
  expect(one.spent('a')).toEqual({tokens: 9, cost: 1.5})
  one.close()
  other.close()
})

test.each([
  [
    'a file that is no database',
    (file: string) => writeFile(file, 'this is not a database, and it is long enough to have a header'.repeat(20)),
  ],
  [
    'a damaged file',
    async (file: string) => {
      openReplyCache(file).close()
      await writeFile(file, Buffer.alloc(3000, 7), {flag: 'r+'}) // What a failing disk leaves.
    },
  ],
  [
    "another program's database",
    async (file: string) => {
      const database = new Database(file)
      database.exec('CREATE TABLE theirs (x)')
      database.close()
    },
  ],
  [
    'a cache of another version',
    async (file: string) => {
      openReplyCache(file).close()
      const database = new Database(file)
      database.pragma('user_version = 99')
      database.close()
    },
  ],
])('%s is refused and left alone', async (_, make) => {
  const file = join(await temporaryFolder(), 'replies.db')
  await make(file)
  const error = await rejection((async () => openReplyCache(file))())
  expect(error).toMatchObject({code: 'input-invalid', scope: 'run', evidence: {file}})
  expect(error['fix']).toContain('Move that file away')
})

test('a cache of version 1 is brought up to date, and its replies stay paid for', async () => {
  const file = join(await temporaryFolder(), 'replies.db')
  const old = new Database(file)
  old.exec(`
    CREATE TABLE reply (key TEXT PRIMARY KEY, model TEXT NOT NULL, value TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE account (name TEXT PRIMARY KEY, prompt_tokens INTEGER NOT NULL, completion_tokens INTEGER NOT NULL,
      cost REAL NOT NULL) WITHOUT ROWID;
    PRAGMA application_id = ${0x41435243};
    PRAGMA user_version = 1;`)
  const keep = old.prepare('INSERT INTO reply (key, model, value) VALUES (?, ?, ?)')
  keep.run('key', 'm', JSON.stringify(reply))
  keep.run('withheld', 'm', JSON.stringify({...reply, finishReason: 'content_filter'}))
  const add = old.prepare('INSERT INTO account VALUES (?, ?, ?, ?)')
  add.run('honest', 10, 20, 0.5)
  add.run('cheated', -36_000_180, 2.5, -1)
  old.close()
  const cache = openReplyCache(file)
  expect(cache.find('key')).toEqual(reply)
  expect(cache.find('withheld')).toBeUndefined()
  expect(cache.spent('honest')).toEqual({tokens: 30, cost: 0.5})
  expect(cache.spent('cheated')).toEqual({tokens: 2, cost: 0})
  expect(cache.claim('new', charge)).toBe('ours')
  cache.close()
  openReplyCache(file).close()
})

test.each([
  ['stop', 'stop'],
  ['end_turn', 'stop'],
  ['MAX_TOKENS', 'length'],
  ['length', 'length'],
  ['abort', undefined],
  ['content_filter', undefined],
  ['tired', undefined],
])('a reply of version 2 that ended in %s is kept as %s', async (finishReason, kept) => {
  const file = join(await temporaryFolder(), 'replies.db')
  const made = openReplyCache(file)
  made.keep('key', {...reply, finishReason}, charge)
  made.close()
  const old = new Database(file)
  old.pragma('user_version = 2')
  old.close()
  const cache = openReplyCache(file)
  expect(cache.find('key')?.finishReason).toBe(kept)
  expect(cache.spent(charge.account).tokens).toBe(charge.usage.promptTokens + charge.usage.completionTokens)
  cache.close()
})

test('the one file holds all replies after closing', async () => {
  const folder = await temporaryFolder()
  const cache = openReplyCache(join(folder, 'replies.db'))
  cache.keep('key', reply, charge)
  cache.close()
  await copyFile(join(folder, 'replies.db'), join(folder, 'copy.db'))
  const copy = openReplyCache(join(folder, 'copy.db'))
  expect(copy.find('key')).toEqual(reply)
  copy.close()
})

test('a reply that cannot be read is reported, not asked for again', async () => {
  const file = join(await temporaryFolder(), 'replies.db')
  const cache = openReplyCache(file)
  cache.keep('key', {...reply, text: 5 as unknown as string}, charge)
  expect(await rejection((async () => cache.find('key'))())).toMatchObject({code: 'input-invalid'})
  cache.close()
})
