import {join} from 'node:path'
import {existsSync, readFileSync} from 'node:fs'
import {expect, test} from 'vitest'
import {connect, type ConnectOptions} from '../../../engine/llm/connect.ts'
import {forecastTokens} from '../../../engine/llm/forecast-tokens.ts'
import {silentLog} from '../../../engine/log.ts'
import {ask, chatServer, profileFor, rejection, teacherAt} from '../../helpers/teacher.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'

const url = 'http://127.0.0.1:9/v1'
const price = {promptPerMillion: 1, completionPerMillion: 10, currency: 'USD'}
const thrown = (work: () => unknown) => rejection((async () => work())())

async function options(more: Partial<ConnectOptions> = {}): Promise<ConnectOptions> {
  return {
    cacheFile: join(await temporaryFolder(), 'replies.db'),
    env: {},
    now: () => 0,
    random: () => 0,
    log: silentLog,
    ...more,
  }
}

test('a profile that is not configured has no model, and no file is made', async () => {
  const given = await options()
  const teachers = connect({}, given)
  expect(teachers('documentation')).toBeUndefined()
  teachers.close()
  expect(existsSync(given.cacheFile)).toBe(false)
})

test.each([
  [{}, 'not set'],
  [{TEACHER_KEY: ' '}, 'empty'],
])('a missing key is named (%o)', async (env, state) => {
  const teachers = connect({documentation: profileFor(url, {apiKeyEnv: 'TEACHER_KEY'})}, await options({env}))
  const error = await thrown(() => teachers('documentation'))
  expect(error).toMatchObject({code: 'key-missing', scope: 'run'})
  expect(error['message']).toBe(
    `The teacher "documentation" needs a key, but the environment variable TEACHER_KEY is ${state}.`,
  )
  teachers.close()
})

test('the key of a teacher that is not asked for need not be there', async () => {
  const teachers = connect({a: profileFor(url, {apiKeyEnv: 'TEACHER_KEY'}), b: profileFor(url)}, await options())
  expect(teachers('b')?.model).toBe('teacher-model')
  expect(teachers('b')).toBe(teachers('b'))
  teachers.close()
})

test('a budget in money needs prices, and prices one currency', async () => {
  const given = await options({budget: {cost: 1}})
  const teachers = connect({a: profileFor(url), b: profileFor(url, {price})}, given)
  expect(teachers('b')?.model).toBe('teacher-model')
  expect(await thrown(() => teachers('a'))).toMatchObject({
    code: 'config-invalid',
    message: 'budget.cost is 1, and the price of these teachers is not known: a.',
    fix: expect.stringContaining(
      '\n      teachers:\n        a:\n          price: {promptPerMillion: 0, completionPerMillion: 0, currency: USD}\n',
    ),
  })
  teachers.close()
  const two = {a: profileFor(url, {price}), b: profileFor(url, {price: {...price, currency: 'CNY'}})}
  expect(await thrown(() => connect(two, given))).toMatchObject({
    code: 'config-invalid',
    message: expect.stringContaining('USD, CNY'),
  })
})

test('identical requests in flight are sent once', async () => {
  const server = await chatServer([], {latency: [20, 20]})
  const {model, teachers} = await teacherAt(server)
  const replies = await Promise.all([0, 1, 2].map(() => model.complete(ask('hello'))))
  expect(new Set(replies.map(({text}) => text)).size).toBe(1)
  expect(server.served).toHaveLength(1)
  expect(teachers.spending()).toMatchObject({requests: 1, cachedReplies: 2})
})

test('spending is told as it happens', async () => {
  const server = await chatServer([{kind: 'status', status: 500}])
  const told: string[] = []
  const {model, teachers} = await teacherAt(
    server,
    {price},
    {
      onUsage: ({requests, retries, cachedReplies, tokens}) =>
        told.push([requests, retries, cachedReplies, tokens > 0].join(' ')),
    },
  )
  const {usage} = await model.complete(ask('hello'))
  await model.complete(ask('hello'))
  expect(told).toEqual(['1 0 0 false', '1 0 0 false', '2 1 0 false', '2 1 0 true', '2 1 1 true'])
  const {tokens, cost, currency} = teachers.spending()
  expect({tokens, cost, currency}).toEqual({
    tokens: usage.promptTokens + usage.completionTokens,
    cost: (usage.promptTokens + usage.completionTokens * 10) / 1e6,
    currency: 'USD',
  })
})

test('a request that is called off before it is sent is not sent', async () => {
  const server = await chatServer()
  const {model} = await teacherAt(server)
  expect(await rejection(model.complete(ask('hello'), AbortSignal.abort()))).toMatchObject({
    code: 'interrupted',
    scope: 'run',
  })
  expect(server.served).toHaveLength(0)
})

test('profiles of one account share its limits: the stricter holds', async () => {
  const server = await chatServer()
  const waits: number[] = []
  let time = 0
  const sleep = async (milliseconds: number) => {
    waits.push(milliseconds)
    time += milliseconds
  }
  const teachers = connect(
    {a: profileFor(server.url, {requestsPerMinute: 60}), b: profileFor(server.url)},
    await options({sleep, now: () => time}),
  )
  await teachers('a')?.complete(ask('one'))
  await teachers('b')?.complete(ask('two', {sample: 1}))
  expect(waits).toEqual([1000])
  teachers.close()
})

test("a forecast is prompts plus expected completions, at the teacher's prices", () => {
  const profile = profileFor(url, {expectedCompletionTokens: 1000, price})
  expect(forecastTokens(profile, {requests: 100, promptTokens: 50_000})).toEqual({tokens: 150_000, cost: 1.05})
})

test('a key that the endpoint echoes is in no error, no warning and no file', async () => {
  const key = 'sk-0123456789abcdef'
  const server = await chatServer(({headers, index}) => {
    const sent = `${headers.authorization}`
    if (index === 1) return {kind: 'words', content: `You sent ${sent}.`, reasoning: sent}
    const body = {error: {message: `headers: ${JSON.stringify(headers)}`}}
    return {kind: 'status', status: index === 0 ? 400 : 500, body}
  })
  const messages: string[] = []
  const note = (message: string) => messages.push(message)
  const profile = {apiKeyEnv: 'TEACHER_KEY', concurrency: 1, outageSeconds: 20}
  const {model, teachers, cacheFile} = await teacherAt(server, profile, {
    env: {TEACHER_KEY: ` ${key}\n`},
    log: {debug: note, info: note, warn: note},
  })
  const errors = [await rejection(model.complete(ask('refused')))]
  const reply = await model.complete(ask('answered'))
  errors.push(await rejection(model.complete(ask('down'))))
  expect(errors.map(({code}) => code)).toEqual(['endpoint-rejected', 'endpoint-unreachable'])
  teachers.close()
  const written = readFileSync(cacheFile, 'latin1')
  const all = [
    JSON.stringify([errors, reply, messages]),
    ...errors.flatMap(({message, stack}) => [message, stack]),
    written,
  ].join('\n')
  expect(all).toContain('[key hidden]')
  expect(all).not.toMatch(/sk-0|0123456/)
  expect(messages.some((message) => message.includes('[key hidden]'))).toBe(true)
})

test('the keys of all teachers are known, also to who shows something else', async () => {
  const env = {A_KEY: 'key-of-a-0000', B_KEY: 'key-of-b-1111'}
  const teachers = connect(
    {a: profileFor(url, {apiKeyEnv: 'A_KEY'}), b: profileFor(url, {apiKeyEnv: 'B_KEY'})},
    await options({env}),
  )
  expect(teachers.redact('key-of-a-0000 and key-of-b-1111')).toBe('[key hidden] and [key hidden]')
  teachers.close()
})

test('two profiles of one model that ask the same send it once', async () => {
  const server = await chatServer([], {latency: [20, 20]})
  const teachers = connect({a: profileFor(server.url), b: profileFor(server.url)}, await options())
  await Promise.all(['a', 'b'].map((name) => teachers(name)?.complete(ask('hello'))))
  expect(server.served).toHaveLength(1)
  teachers.close()
})
