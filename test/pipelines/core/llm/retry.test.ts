import {expect, test} from 'vitest'
import type {Misbehaviour} from '../../../helpers/chat-server.ts'
import {ask, chatServer, rejection, teacherAt} from '../../../helpers/teacher.ts'

const status = (code: number, headers: Record<string, string> = {}, body?: unknown): Misbehaviour => ({kind: 'status', status: code, headers, ...(body ? {body} : {})})
const empty: Misbehaviour = {kind: 'words', content: ''}

test.each([
  ['in seconds', {'retry-after': '7'}, 7000],
  ['in milliseconds', {'retry-after-ms': '1500'}, 1500],
  ['as a date', {'retry-after': 'Thu, 01 Jan 1970 00:00:20 GMT'}, 20_000],
])('Retry-After is honoured %s', async (_, headers, milliseconds) => {
  const server = await chatServer([status(429, headers)])
  const {model, slept} = await teacherAt(server)
  await model.complete(ask('hello'))
  expect(slept[0]).toBeGreaterThanOrEqual(milliseconds)
  expect(slept[0]).toBeLessThan(milliseconds * 1.25)
})

test('429 burns no attempts', async () => {
  const server = await chatServer(({index}) => (index < 10 ? status(429, {'retry-after': '3'}) : undefined))
  const {model, teachers} = await teacherAt(server, {maxAttempts: 1})
  expect((await model.complete(ask('hello'))).text).toContain('Answer')
  expect(teachers.spending()).toMatchObject({requests: 11, retries: 10})
})

test('429 without Retry-After waits twice as long each time', async () => {
  const server = await chatServer([status(429), status(429), status(429)])
  const {model, slept} = await teacherAt(server)
  await model.complete(ask('hello'))
  expect(slept.map((milliseconds) => Math.floor(milliseconds / 1000))).toEqual([1, 2, 4])
})

test('429 past the patience stops the run', async () => {
  const server = await chatServer(() => status(429, {'retry-after': '86400'}))
  const {model} = await teacherAt(server, {patienceSeconds: 600})
  expect(await rejection(model.complete(ask('hello')))).toMatchObject({code: 'endpoint-overloaded', scope: 'run'})
  expect(server.served).toHaveLength(1)
})

test.each([
  ['a 500', status(500)],
  ['a cut stream', {kind: 'cut'}],
  ['a stream that ends early', {kind: 'early-end'}],
  ['a stalled stream', {kind: 'stall'}],
  ['silence', {kind: 'hang'}],
  ['broken JSON', {kind: 'invalid-json'}],
  ['an empty reply', empty],
] satisfies [string, Misbehaviour][])('after %s the request is sent again', async (_, misbehaviour) => {
  const server = await chatServer([misbehaviour])
  const {model, slept, teachers} = await teacherAt(server, {idleSeconds: 0.5, timeoutSeconds: 0.5})
  expect((await model.complete(ask('hello'))).text).toContain('Answer')
  expect(slept).toHaveLength(1)
  expect(teachers.spending()).toMatchObject({requests: 2, retries: 1})
})

test('waits between attempts double, and jitter takes any part of them', async () => {
  const server = await chatServer([status(500), status(500), status(500)])
  const {model, slept} = await teacherAt(server, {}, {random: () => 0.25})
  await model.complete(ask('hello'))
  expect(slept).toEqual([250, 500, 1000])
})

test.each([
  ['a 500', status(500), 'endpoint-overloaded'],
  ['a cut stream', {kind: 'cut'}, 'reply-invalid'],
  ['a stall', {kind: 'stall'}, 'endpoint-stalled'],
] satisfies [string, Misbehaviour, string][])('%s at every attempt fails the record, with evidence', async (_, misbehaviour, code) => {
  const server = await chatServer(() => misbehaviour)
  const {model} = await teacherAt(server, {maxAttempts: 3, idleSeconds: 0.05})
  expect(await rejection(model.complete(ask('hello')))).toMatchObject({code, scope: 'record', evidence: {url: server.url, model: 'teacher-model', attempts: 3}})
  expect(server.served).toHaveLength(3)
})

test('an empty reply is charged, and the one that follows is what is kept', async () => {
  const server = await chatServer([empty])
  const {model, teachers} = await teacherAt(server)
  const paid = await model.complete(ask('hello'))
  expect(await model.complete(ask('hello'))).toEqual(paid)
  expect(server.served).toHaveLength(2)
  expect(teachers.spending().promptTokens).toBe(2 * paid.usage.promptTokens)
})

test('an empty reply at every attempt is kept and returned', async () => {
  const server = await chatServer(() => empty)
  const {model} = await teacherAt(server, {maxAttempts: 3})
  expect(await model.complete(ask('hello'))).toMatchObject({text: '', reasoning: ''})
  await model.complete(ask('hello'))
  expect(server.served).toHaveLength(3)
})

test('a reply that is all thought is not empty', async () => {
  const server = await chatServer([{kind: 'words', content: '<think>too long a thought', finishReason: 'length'}])
  const {model} = await teacherAt(server)
  expect(await model.complete(ask('hello'))).toMatchObject({text: '', reasoning: 'too long a thought', finishReason: 'length'})
  expect(server.served).toHaveLength(1)
})

test.each([
  ['a wrong model name', status(404, {}, {error: {message: 'The model `teacher-model` does not exist'}}), 'run', 'Check model (teacher-model)'],
  ['a wrong key', status(401), 'run', 'apiKeyEnv'],
  ['a prompt past the context', status(400, {}, {error: {message: 'maximum context length is 8192 tokens', code: 'context_length_exceeded'}}), 'record', 'Shorten the input'],
] satisfies [string, Misbehaviour, string, string][])('%s is not tried again', async (_, misbehaviour, scope, fix) => {
  const server = await chatServer(() => misbehaviour)
  const {model} = await teacherAt(server)
  const error = await rejection(model.complete(ask('hello')))
  expect(error).toMatchObject({code: 'endpoint-rejected', scope})
  expect(error['fix']).toContain(fix)
  expect(server.served).toHaveLength(1)
})

test('when nothing was ever answered, the tenth refusal stops the run', async () => {
  const server = await chatServer(() => status(400, {}, {error: {message: 'temperature is not allowed'}}))
  const {model} = await teacherAt(server)
  const scopes: unknown[] = []
  for (let index = 0; index < 10; index += 1) scopes.push((await rejection(model.complete(ask(`hello ${index}`))))['scope'])
  expect(scopes).toEqual([...Array<string>(9).fill('record'), 'run'])
})

test('a request that backs off keeps no slot', async () => {
  const server = await chatServer(({body, repeat}) => (body.messages[0]?.content === 'fails first' && repeat === 0 ? status(500) : undefined))
  let release = () => {}
  const backedOff = new Promise<void>((resolve) => { release = resolve })
  let sleeping = () => {}
  const asleep = new Promise<void>((resolve) => { sleeping = resolve })
  const {model} = await teacherAt(server, {concurrency: 1}, {sleep: () => {
    sleeping()
    return backedOff
  }})
  let firstIsDone = false
  const first = model.complete(ask('fails first')).then(() => { firstIsDone = true })
  await asleep
  await model.complete(ask('second'))
  expect(firstIsDone).toBe(false)
  release()
  await first
  expect(firstIsDone).toBe(true)
})

test('concurrency is never passed', async () => {
  const server = await chatServer([], {latency: [5, 20]})
  const {model} = await teacherAt(server, {concurrency: 4})
  await Promise.all(Array.from({length: 40}, (_, index) => model.complete(ask(`hello ${index}`))))
  expect(server.stats.mostInFlight).toBe(4)
})
