import {get} from 'node:http'
import {describe, expect, onTestFinished, test} from 'vitest'
import {z} from 'zod'
import {Refusal, startService, type Route} from '../../engine/service.ts'

const echo: Route = {
  method: 'POST',
  path: '/v1/echo/{name}',
  summary: '',
  body: z.strictObject({value: z.int(), more: z.string().optional()}),
  replies: {},
  handle: ({body, parameter, header}) => ({
    status: 201,
    headers: {'x-told': header('X-Asked')},
    content: {json: {name: parameter('name'), other: parameter('other'), body: body as never}},
  }),
}
const lines: Route = {
  method: 'GET',
  path: '/lines',
  summary: '',
  replies: {},
  async handle() {
    return {
      status: 200,
      content: {
        lines: (async function* () {
          yield {a: 1}
          yield 2
        })(),
      },
    }
  },
}
const text: Route = {
  method: 'GET',
  path: '/metrics.txt',
  summary: '',
  replies: {},
  open: true,
  handle: () => ({status: 200, content: {text: 'up 1\n', type: 'text/plain'}}),
}
const failing = (error: Error): Route => ({
  method: 'GET',
  path: '/failing',
  summary: '',
  replies: {},
  handle: () => Promise.reject(error),
})

async function service(more: {token?: string; routes?: Route[]; mostBytes?: number} = {}) {
  const answered: string[] = []
  const {url, close} = await startService({
    ...{host: '127.0.0.1', port: 0, requestSeconds: 60, mostBytes: more.mostBytes ?? 200, token: more.token},
    routes: [echo, lines, text, ...(more.routes ?? [])],
    answered: (route, status, seconds) => answered.push(`${route} ${status} ${seconds >= 0 && seconds < 60}`),
  })
  onTestFinished(close)
  const ask = async (path: string, init: RequestInit = {}) => {
    const answer = await fetch(url + path, init)
    const body = await answer.text()
    return {status: answer.status, headers: answer.headers, type: answer.headers.get('content-type'), body}
  }
  const post = (body: string | Uint8Array, headers: Record<string, string> = {'content-type': 'application/json'}) =>
    ask('/v1/echo/joe', {method: 'POST', body: body as string, headers})
  return {url, ask, post, answered, close}
}

const refused = ({status, body}: {status: number; body: string}) => {
  const {error} = JSON.parse(body) as {error: {code: string; message: string}}
  return [status, error.code, error.message]
}

describe('a route', () => {
  test('gets body, parameters and headers, and answers with JSON', async () => {
    const {post, answered} = await service()
    const answer = await post('{"value": 3}', {'content-type': 'application/json', 'x-asked': 'why'})
    expect([answer.status, answer.type, answer.headers.get('x-told')]).toEqual([
      201,
      'application/json; charset=utf-8',
      'why',
    ])
    expect(JSON.parse(answer.body)).toEqual({name: 'joe', other: '', body: {value: 3}})
    await expect.poll(() => answered).toEqual(['/v1/echo/{name} 201 true'])
  })

  test('answers with lines, or a text', async () => {
    const {ask} = await service()
    expect(await ask('/lines')).toMatchObject({body: '{"a":1}\n2\n', type: 'application/x-ndjson; charset=utf-8'})
    expect(await ask('/metrics.txt')).toMatchObject({body: 'up 1\n', status: 200})
  })

  test.each<[string, string | Uint8Array, number, string, string]>([
    ['no JSON', '{"value"', 400, 'json-invalid', 'The body is not a JSON document: '],
    [
      'no UTF-8',
      Uint8Array.of(0x22, 0xff, 0x22),
      400,
      'json-invalid',
      'The body is not a JSON document: it is not UTF-8.',
    ],
    ['a wrong value', '{"value": "x"}', 422, 'body-invalid', 'value: '],
    ['another form', '3', 422, 'body-invalid', 'the body: '],
    [
      'too much',
      JSON.stringify({value: 3, more: 'x'.repeat(200)}),
      413,
      'body-too-large',
      'The body exceeds 200 bytes.',
    ],
  ])('never sees a body that is %s', async (_, body, status, code, message) => {
    const {post} = await service()
    const answer = refused(await post(body))
    expect(answer.slice(0, 2)).toEqual([status, code])
    expect(answer[2]).toContain(message)
  })

  test('takes a body of as many bytes as it may have', async () => {
    const {post} = await service({mostBytes: 12})
    expect((await post('{"value": 3}')).status).toBe(201)
    expect((await post('{"value": 33}')).status).toBe(413)
  })

  test('is told three faults of a body at most', async () => {
    const many = z.object({a: z.int(), b: z.int(), c: z.int(), d: z.int()})
    const {url} = await service({routes: [{...echo, path: '/many', body: many}]})
    const answer = await fetch(`${url}/many`, {
      method: 'POST',
      body: '{}',
      headers: {'content-type': 'application/json'},
    })
    const {error} = (await answer.json()) as {error: {message: string}}
    expect(error.message.split('; ').map((part) => part.split(':')[0])).toEqual(['a', 'b', 'c'])
  })

  test('takes nothing but JSON', async () => {
    const {post} = await service()
    expect(refused(await post('value=3', {'content-type': 'application/x-www-form-urlencoded'}))).toEqual([
      415,
      'not-json',
      'The body is not declared as JSON.',
    ])
  })

  test('refuses in the form of all refusals, and tells nobody what went wrong inside', async () => {
    const refusal = new Refusal(429, 'queue-full', 'Full.', {fix: 'Wait.', headers: {'retry-after': '3'}})
    const first = await service({routes: [failing(refusal)]})
    const answer = await first.ask('/failing')
    expect([answer.headers.get('retry-after'), JSON.parse(answer.body)]).toEqual([
      '3',
      {error: {code: 'queue-full', message: 'Full.', fix: 'Wait.'}},
    ])
    const warned = new Promise((resolve) => process.once('warning', resolve))
    const second = await service({routes: [failing(new TypeError('/secret/path'))]})
    expect(refused(await second.ask('/failing'))).toEqual([
      500,
      'internal',
      'Internal error; the candidate was not judged.',
    ])
    expect(String(await warned)).toContain('/secret/path')
  })
})

describe('what is not there', () => {
  test('is not found; another method of what is there is named', async () => {
    const {ask} = await service()
    expect(refused(await ask('/nowhere?x=1'))).toEqual([404, 'not-found', 'No such route: GET /nowhere.'])
    const answer = await ask('/v1/echo/joe')
    expect([...refused(answer), answer.headers.get('allow')]).toEqual([
      405,
      'method-not-allowed',
      'No such route: GET /v1/echo/joe.',
      'POST',
    ])
    expect((await ask('/v1/echo/joe/more')).status).toBe(404)
    expect((await ask('/metricsxtxt')).status).toBe(404)
    expect((await ask('/metrics.txt', {method: 'POST'})).status).toBe(405)
    expect(refused(await ask(`/${'x'.repeat(200)}`))[2]).toBe(`No such route: GET /${'x'.repeat(99)}.`)
  })
})

describe('a token', () => {
  test('is asked of every route that is not open', async () => {
    const {ask} = await service({token: 'key'})
    const answer = await ask('/lines')
    expect([...refused(answer).slice(0, 2), answer.headers.get('www-authenticate')]).toEqual([
      401,
      'token-missing',
      'Bearer',
    ])
    const status = async (authorization: string) => (await ask('/lines', {headers: {authorization}})).status
    expect(
      await Promise.all(['Bearer key', 'bearer key', 'Bearer keys', 'Bearer', 'key', 'Basic key'].map(status)),
    ).toEqual([200, 200, 401, 401, 401, 401])
    expect((await ask('/metrics.txt')).status).toBe(200)
  })
})

test('an address that is taken is told', async () => {
  const {url} = await service()
  const port = Number(new URL(url).port)
  const options = {
    host: '127.0.0.1',
    port,
    token: undefined,
    mostBytes: 1,
    requestSeconds: 1,
    routes: [],
    answered() {},
  }
  await expect(startService(options)).rejects.toMatchObject({
    code: 'output-unwritable',
    scope: 'run',
    message: `Cannot listen on 127.0.0.1, port ${port}: another program is listening there.`,
  })
  await expect(startService({...options, host: '192.0.2.1', port: 0})).rejects.toThrow(
    'Cannot listen on 192.0.2.1, port 0: this machine does not allow it.',
  )
})

test('who leaves before the answer is counted as such', async () => {
  let gone: AbortSignal | undefined
  const slow: Route = {
    ...text,
    path: '/slow',
    handle: (call) => {
      gone = call.gone
      const reply = {status: 200, content: {text: 'late', type: 'text/plain'}}
      return new Promise((resolve) => call.gone.addEventListener('abort', () => resolve(reply)))
    },
  }
  const {url, answered} = await service({routes: [slow]})
  const asked = get(`${url}/slow`).on('error', () => {})
  await expect.poll(() => gone).toBeDefined()
  expect(gone?.aborted).toBe(false)
  asked.destroy()
  await expect.poll(() => answered).toEqual(['/slow 499 true'])
  expect(gone?.aborted).toBe(true)
})
