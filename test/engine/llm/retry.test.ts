import {expect, test} from 'vitest'
import type {Misbehaviour} from '../../helpers/misbehaviour.ts'
import {ask, chatServer, rejection, teacherAt} from '../../helpers/teacher.ts'

const status = (code: number, headers: Record<string, string> = {}, body?: unknown): Misbehaviour => ({
  kind: 'status',
  status: code,
  headers,
  ...(body ? {body} : {}),
})
const empty: Misbehaviour = {kind: 'words', content: ''}
const page: Misbehaviour = {kind: 'page', text: '<html><body>Welcome to the proxy</body></html>'}

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

test('a wait that nobody can sit out fails its request, and the run while nothing is answered', async () => {
  const server = await chatServer(() => status(429, {'retry-after': '99999'}))
  const {model} = await teacherAt(server, {patienceSeconds: 600})
  const errors: Record<string, unknown>[] = []
  for (let index = 0; index < 10; index += 1) errors.push(await rejection(model.complete(ask(`hello ${index}`))))
  expect(errors.map(({scope}) => scope)).toEqual([...Array<string>(9).fill('record'), 'run'])
  expect(errors[0]).toMatchObject({code: 'endpoint-overloaded'})
  expect(errors[0]?.['message']).toMatch(
    /429.* the next attempt would be in (99999|100000) s, which exceeds patienceSeconds \(600\)/,
  )
  expect(server.served).toHaveLength(10)
})

test('the others are answered, and are not held up', async () => {
  const server = await chatServer(({index}) => (index % 5 < 4 ? status(429, {'retry-after': '99999'}) : undefined))
  const {model, slept} = await teacherAt(server, {patienceSeconds: 600, concurrency: 1})
  const outcomes = await Promise.allSettled(
    Array.from({length: 100}, (_, index) => model.complete(ask(`hello ${index}`))),
  )
  expect(outcomes.filter(({status: state}) => state === 'fulfilled')).toHaveLength(20)
  const scopes = outcomes.flatMap((outcome) =>
    outcome.status === 'rejected' ? [(outcome.reason as {scope: string}).scope] : [],
  )
  expect(new Set(scopes)).toEqual(new Set(['record']))
  expect(Math.max(0, ...slept)).toBeLessThan(600_000)
})

test('when nobody is answered any more, the run stops', async () => {
  const server = await chatServer(({index}) => (index > 0 ? status(429, {'retry-after': '86400'}) : undefined))
  const {model} = await teacherAt(server, {patienceSeconds: 600})
  await model.complete(ask('first'))
  const scopes: unknown[] = []
  for (let index = 0; index < 20; index += 1) {
    scopes.push((await rejection(model.complete(ask(`hello ${index}`))))['scope'])
  }
  expect(scopes).toEqual([...Array<string>(19).fill('record'), 'run'])
})

test('a patience spent on nothing but 429 stops the run', async () => {
  const server = await chatServer(() => status(429, {'retry-after': '50'}))
  const {model} = await teacherAt(server, {patienceSeconds: 600})
  expect(await rejection(model.complete(ask('hello')))).toMatchObject({code: 'endpoint-overloaded', scope: 'run'})
  expect(server.served.length).toBeGreaterThan(9)
})

test.each([
  ['a web page', page, 'a web page: <html><body>Welcome to the proxy'],
  ['plain text', {kind: 'page', text: 'Ollama is running', type: 'text/plain'}, 'not JSON: Ollama is running'],
  ['an empty page', {kind: 'page', text: '  '}, 'an empty page'],
  [
    'another API',
    {kind: 'page', text: '{"status": "ok"}', type: 'application/json'},
    'it has no choices: {"status": "ok"}',
  ],
  [
    'a stream of nothing',
    {kind: 'page', text: ': hello\n\n', type: 'text/event-stream'},
    'an event stream without events',
  ],
] satisfies [string, Misbehaviour, string][])('200 with %s, always, ends the run', async (_, misbehaviour, words) => {
  const server = await chatServer(() => misbehaviour)
  const {model, teachers} = await teacherAt(server, {concurrency: 4})
  const errors = await Promise.all(
    Array.from({length: 100}, (__, index) => rejection(model.complete(ask(`hello ${index}`)))),
  )
  // A silent stream is asked for whole within the same attempt.
  expect(server.served.filter(({body}) => body.stream === true).length).toBeLessThan(20)
  const stopped = errors.filter(({scope}) => scope === 'run')
  expect(stopped.length).toBeGreaterThan(90)
  expect(stopped[0]).toMatchObject({code: 'reply-invalid', evidence: {url: server.url}})
  expect(stopped[0]?.['message']).toContain(`the server there is not a chat-completions API (${words}`)
  expect(stopped[0]?.['fix']).toContain('Check that baseUrl')
  expect(teachers.spending().tokens).toBe(0)
})

test('a page for one request alone fails that request, after two attempts', async () => {
  const server = await chatServer(({body}) => (body.messages[0]?.content === 'odd' ? page : undefined))
  const {model} = await teacherAt(server, {concurrency: 1})
  const odd = rejection(model.complete(ask('odd')))
  const others = Array.from({length: 5}, (_, index) => model.complete(ask(`hello ${index}`)))
  expect(await odd).toMatchObject({code: 'reply-invalid', scope: 'record', evidence: {attempts: 2}})
  expect(await Promise.all(others)).toHaveLength(5)
  expect(server.served).toHaveLength(7)
})

test('a page in between, as of a proxy that restarts, costs no record', async () => {
  const server = await chatServer(({index}) => (index >= 1 && index < 9 ? page : undefined))
  const {model} = await teacherAt(server, {concurrency: 4, maxAttempts: 6})
  await model.complete(ask('before'))
  const outcomes = await Promise.allSettled(
    Array.from({length: 6}, (_, index) => model.complete(ask(`during ${index}`))),
  )
  expect(outcomes.filter(({status: state}) => state === 'fulfilled')).toHaveLength(6)
})

test.each(['content_filter', 'content_filter: PROHIBITED_CONTENT'])(
  'a reply that ends with %s is not one, and is not asked for again',
  async (finishReason) => {
    const server = await chatServer(() => ({kind: 'words', content: 'As far as it', finishReason}))
    const {model, teachers} = await teacherAt(server)
    for (let index = 0; index < 12; index += 1) {
      const error = await rejection(model.complete(ask(`hello ${index}`)))
      expect(error).toMatchObject({code: 'reply-invalid', scope: 'record'})
      expect(error['message']).toContain(`content filter withheld the reply (finish_reason ${finishReason})`)
    }
    expect(server.served).toHaveLength(12)
    expect(teachers.spending()).toMatchObject({
      estimated: 0,
      tokens: server.stats.billedTokens,
      faults: {filtered: 12},
    })
  },
)

test.each([
  ['a 500', status(500)],
  ['a cut stream', {kind: 'cut'}],
  ['a stream that ends early', {kind: 'early-end'}],
  ['a stalled stream', {kind: 'stall'}],
  ['silence', {kind: 'hang'}],
  ['broken JSON', {kind: 'invalid-json'}],
  ['an empty reply', empty],
  [
    'a reply that the endpoint broke off',
    {kind: 'words', content: 'Half', finishReason: 'insufficient_system_resource'},
  ],
  ['bytes that are not UTF-8', {kind: 'bytes', bytes: [0xff]}],
  [
    'an error with status 200',
    {kind: 'page', text: '{"error": {"message": "upstream is down", "code": 502}}', type: 'application/json'},
  ],
  ['a page', page],
] satisfies [string, Misbehaviour][])('after %s the request is sent again', async (_, misbehaviour) => {
  const server = await chatServer([misbehaviour], {
    reply: () => ({content: 'Answer?', reasoning: 'Tiles first. '.repeat(20)}),
  })
  const {model, slept, teachers} = await teacherAt(server, {idleSeconds: 4, timeoutSeconds: 4})
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
] satisfies [string, Misbehaviour, string][])(
  '%s at every attempt fails the record, with evidence',
  async (_, misbehaviour, code) => {
    const server = await chatServer(() => misbehaviour)
    const {model} = await teacherAt(server, {maxAttempts: 3, idleSeconds: 0.05})
    expect(await rejection(model.complete(ask('hello')))).toMatchObject({
      code,
      scope: 'record',
      evidence: {url: server.url, model: 'teacher-model', attempts: 3},
    })
    expect(server.served).toHaveLength(3)
  },
)

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
  expect(await model.complete(ask('hello'))).toMatchObject({
    text: '',
    reasoning: 'too long a thought',
    finishReason: 'length',
  })
  expect(server.served).toHaveLength(1)
})

test.each([
  [
    'a wrong model name',
    status(404, {}, {error: {message: 'The model `teacher-model` does not exist'}}),
    'run',
    "Check the teacher's model (teacher-model)",
  ],
  ['a wrong key', status(401), 'run', 'apiKeyEnv'],
  [
    'a prompt past the context',
    status(400, {}, {error: {message: 'maximum context length is 8192 tokens', code: 'context_length_exceeded'}}),
    'record',
    'Shorten the input',
  ],
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
  for (let index = 0; index < 10; index += 1)
    scopes.push((await rejection(model.complete(ask(`hello ${index}`))))['scope'])
  expect(scopes).toEqual([...Array<string>(9).fill('record'), 'run'])
})

test('a request that backs off keeps no slot', async () => {
  const server = await chatServer(({body, repeat}) =>
    body.messages[0]?.content === 'fails first' && repeat === 0 ? status(500) : undefined,
  )
  let release = () => {}
  const backedOff = new Promise<void>((resolve) => {
    release = resolve
  })
  let sleeping = () => {}
  const asleep = new Promise<void>((resolve) => {
    sleeping = resolve
  })
  const {model} = await teacherAt(
    server,
    {concurrency: 1},
    {
      sleep: () => {
        sleeping()
        return backedOff
      },
    },
  )
  let firstIsDone = false
  const first = model.complete(ask('fails first')).then(() => {
    firstIsDone = true
  })
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
