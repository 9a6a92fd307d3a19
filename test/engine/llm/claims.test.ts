import {hostname} from 'node:os'
import {join} from 'node:path'
import Database from 'libsql'
import {expect, test} from 'vitest'
import {openReplyCache} from '../../../engine/llm/cache.ts'
import {startAsking} from '../../helpers/asking.ts'
import {ask, chatServer, rejection, teacherAt} from '../../helpers/teacher.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'

const reply = {
  text: 'Answer.',
  reasoning: '',
  finishReason: 'stop',
  model: 'm',
  usage: {promptTokens: 1, completionTokens: 2},
}
const most = {account: 'a', usage: {promptTokens: 100, completionTokens: 200}, cost: 0.5}
const came = {account: 'a', usage: reply.usage, cost: 0.1}
/** Only a hang should meet the limit. */
const until = <T>(value: () => T) => expect.poll(value, {timeout: 60_000})
const cacheFileIn = async () => join(await temporaryFolder(), 'replies.db')

test('two processes that ask the same send each request once', async () => {
  const server = await chatServer([], {latency: [20, 120]})
  const cacheFile = await cacheFileIn()
  const both = [0, 1].map(() => startAsking({url: server.url, cacheFile, count: 72}))
  expect(await Promise.all(both.map(({ended}) => ended))).toEqual([0, 0])
  expect(both.map(({given}) => given.length)).toEqual([72, 72])
  expect(server.stats).toMatchObject({requests: 72, distinct: 72})
})

test('when one of two is killed, the other takes over what it had asked and finishes', async () => {
  const server = await chatServer(({index}) => (index < 8 ? {kind: 'hang'} : undefined))
  const cacheFile = await cacheFileIn()
  const first = startAsking({url: server.url, cacheFile, count: 40})
  await first.said(1)
  await until(() => server.stats.requests).toBe(8)
  const second = startAsking({url: server.url, cacheFile, count: 40})
  // It started, and all eight of its requests wait for the first one's replies.
  await second.said(9)
  expect(server.stats.requests).toBe(8)
  await first.kill()
  expect(await second.ended).toBe(0)
  expect(second.given).toHaveLength(40)
  expect(server.stats).toMatchObject({requests: 48, distinct: 40})
})

test('what a killed process had in flight is on the bill', async () => {
  const server = await chatServer(() => ({kind: 'hang'}))
  const cacheFile = await cacheFileIn()
  const asking = startAsking({url: server.url, cacheFile, account: 'set'})
  await asking.said(1)
  await until(() => server.stats.requests).toBe(8)
  await asking.kill()
  const cache = openReplyCache(cacheFile)
  expect(cache.spent('set').tokens).toBeGreaterThanOrEqual(8 * 200)
  cache.close()
  const {model} = await teacherAt(server, {}, {cacheFile, account: 'set', budget: {tokens: 1700}})
  expect(await rejection(model.complete(ask('one more')))).toMatchObject({code: 'budget-exceeded'})
})

test('after many kills no less is booked than the endpoint charges', async () => {
  const server = await chatServer([], {latency: [5, 40]})
  const cacheFile = await cacheFileIn()
  for (let kills = 0; kills < 6; kills += 1) {
    const asking = startAsking({url: server.url, cacheFile, account: 'set'})
    // Replies from the cache come at once; then ten or more that are paid for.
    const before = server.stats.requests
    await asking.said(1)
    await until(() => server.stats.requests).toBeGreaterThan(before + 10 + kills)
    await asking.kill()
  }
  const cache = openReplyCache(cacheFile)
  expect(cache.spent('set').tokens).toBeGreaterThanOrEqual(server.stats.billedTokens)
  cache.close()
})

test('a booking is replaced by what the request came to', async () => {
  const cache = openReplyCache(await cacheFileIn())
  expect(cache.claim('key', most)).toBe('ours')
  expect(cache.spent('a')).toEqual({tokens: 300, cost: 0.5})
  cache.charge('key', undefined)
  expect(cache.spent('a')).toEqual({tokens: 0, cost: 0})
  cache.claim('key', most)
  cache.charge('key', came)
  expect(cache.spent('a')).toEqual({tokens: 3, cost: 0.1})
  cache.claim('key', most)
  cache.keep('key', reply, came)
  expect(cache.spent('a')).toEqual({tokens: 6, cost: 0.2})
  expect(cache.claim('key', most)).toBe('answered')
  cache.close()
})

test('a key stays with who asks until it is answered, released or its owner leaves', async () => {
  const file = await cacheFileIn()
  const [one, other] = [openReplyCache(file), openReplyCache(file)]
  expect(one.claim('key', most)).toBe('ours')
  expect(one.claim('key', most)).toBe('ours')
  expect(one.isAskedElsewhere('key')).toBe(false)
  expect(other.claim('key', most)).toBe('asked-elsewhere')
  expect(other.isAskedElsewhere('key')).toBe(true)
  one.charge('key', undefined)
  expect(other.claim('key', most)).toBe('asked-elsewhere')
  other.release('key')
  expect(other.claim('key', most)).toBe('asked-elsewhere')
  one.release('key')
  expect(other.claim('key', most)).toBe('ours')
  other.close()
  // Sent, and called off before it was answered: charged.
  expect(one.claim('key', most)).toBe('ours')
  expect(one.spent('a').tokens).toBe(600)
  one.close()
})

test('a process that stopped working is replaced after its lease, even when its number is in use', async () => {
  const file = await cacheFileIn()
  openReplyCache(file).close()
  const database = new Database(file)
  const asker = database.prepare('INSERT INTO asker (id, host, process, seen) VALUES (?, ?, ?, ?)')
  const minutes = 60_000
  asker.run('another machine', 'elsewhere', 1, 10 * minutes)
  asker.run('same number before a restart', hostname(), process.pid, 10 * minutes)
  asker.run('a living process', hostname(), process.ppid, 10 * minutes)
  const request = database.prepare('INSERT INTO request VALUES (?, ?, ?, 10, 0, 0)')
  request.run('theirs', 'another machine', 'a')
  request.run('before', 'same number before a restart', 'b')
  request.run('living', 'a living process', 'c')
  request.run('nobody', 'no such process', 'd')
  database.close()
  let now = 14 * minutes
  const cache = openReplyCache(file, () => now)
  expect(['theirs', 'before', 'living', 'nobody'].map((key) => cache.claim(key, most))).toEqual([
    'asked-elsewhere',
    'ours',
    'asked-elsewhere',
    'ours',
  ])
  expect(cache.spent('b').tokens).toBe(10)
  now = 16 * minutes
  expect(['theirs', 'living'].map((key) => cache.claim(key, most))).toEqual(['ours', 'ours'])
  expect([cache.spent('a').tokens, cache.spent('c').tokens]).toEqual([4 * 300 + 10, 10])
  cache.close()
})

test('a request that fails is asked by whoever else wants it', async () => {
  const server = await chatServer([{kind: 'status', status: 400}])
  const cacheFile = await cacheFileIn()
  const [first, second] = [await teacherAt(server, {}, {cacheFile}), await teacherAt(server, {}, {cacheFile})]
  expect(await rejection(first.model.complete(ask('hello')))).toMatchObject({code: 'endpoint-rejected'})
  expect((await second.model.complete(ask('hello'))).text).toContain('Answer')
  expect(server.served).toHaveLength(2)
})

test('waiting for another process ends when the run is called off', async () => {
  const server = await chatServer()
  const cacheFile = await cacheFileIn()
  const other = openReplyCache(cacheFile)
  const controller = new AbortController()
  const {model, slept} = await teacherAt(server, {}, {cacheFile, signal: controller.signal})
  await model.complete(ask('hello'))
  const key = keyOfOnlyReply(cacheFile)
  forget(cacheFile)
  expect(other.claim(key, most)).toBe('ours')
  const asked = rejection(model.complete(ask('hello')))
  await until(() => slept.length).toBeGreaterThan(2)
  expect(server.served).toHaveLength(1)
  controller.abort()
  expect(await asked).toMatchObject({code: 'interrupted'})
  other.close()
})

function keyOfOnlyReply(file: string): string {
  const database = new Database(file)
  const {key} = database.prepare('SELECT key FROM reply').get() as {key: string}
  database.close()
  return key
}

function forget(file: string): void {
  const database = new Database(file)
  database.exec('DELETE FROM reply')
  database.close()
}
