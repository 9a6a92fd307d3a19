import {connect} from 'node:net'
import {describe, expect, onTestFinished, test} from 'vitest'
import {silentLog} from '../../../engine/log.ts'
import {judgeServer, reply} from '../../helpers/judge-server.ts'

const body = {items: [{id: 'a', task_id: 'ScaleShift', completion: reply('x')}]}
const json = {'content-type': 'application/json'}

describe('HTTP', () => {
  test.each([
    ['no JSON', {headers: json, body: '{'}, 400, 'json-invalid'],
    ['bytes that are no UTF-8', {headers: json, body: Buffer.from([0x22, 0xff, 0x22])}, 400, 'json-invalid'],
    ['another type', {headers: {'content-type': 'text/plain'}, body: 'x'}, 415, 'not-json'],
    ['a body that is too long', {headers: json, body: ' '.repeat((1 << 20) + 1)}, 413, 'body-too-large'],
  ])('%s is refused', async (_, init, status, code) => {
    const server = await judgeServer()
    const response = await fetch(`${server.url}/v1/score`, {method: 'POST', ...init} as RequestInit)
    expect(response.status).toBe(status)
    expect(await response.json()).toMatchObject({error: {code, fix: expect.stringMatching(/\w/)}})
  })

  test('a path that there is not', async () => {
    const server = await judgeServer()
    expect(await server.ask('/v2/score')).toMatchObject({status: 404, json: {error: {code: 'not-found'}}})
  })

  test('another method than a path has is told which there is', async () => {
    const server = await judgeServer()
    const refused = await server.ask('/v1/score', undefined, {method: 'DELETE'})
    expect(refused).toMatchObject({status: 405, json: {error: {code: 'method-not-allowed'}}})
    expect(refused.headers.get('allow')).toBe('POST')
    expect((await server.ask('/results/x', undefined, {method: 'DELETE'})).status).toBe(405)
  })

  test('with a token, only who brings it is judged for; health is for everybody', async () => {
    const server = await judgeServer({token: 'right'})
    for (const authorization of ['', 'Bearer wrong', 'Bearer rightx', 'Basic right']) {
      const refused = await server.ask('/v1/score', body, {headers: {authorization}})
      expect(refused, authorization).toMatchObject({status: 401, json: {error: {code: 'token-missing'}}})
    }
    expect((await server.ask('/v1/score', body, {headers: {authorization: 'Bearer right'}})).status).toBe(200)
    expect((await server.ask('/v1/tasks')).status).toBe(401)
    expect((await server.ask('/health')).status).toBe(200)
  })

  test('who sends half a request does not keep others waiting', async () => {
    const server = await judgeServer()
    const slow = connect(Number(new URL(server.url).port), '127.0.0.1')
    slow.write('POST /v1/score HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{')
    expect((await server.ask('/v1/score', body)).status).toBe(200)
    slow.destroy()
    expect((await server.ask('/health')).status).toBe(200)
  })

  test('who never ends a request is told that it took too long, and holds no connection', {
    timeout: 20_000,
  }, async () => {
    const server = await judgeServer({requestSeconds: 0.2})
    const slow = connect(Number(new URL(server.url).port), '127.0.0.1')
    onTestFinished(() => void slow.destroy())
    let told = ''
    slow.setEncoding('utf8').on('data', (text: string) => (told += text))
    slow.write('POST /v1/score HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{')
    await new Promise((done) => slow.on('close', done))
    expect(told).toMatch(/^HTTP\/1\.1 408 /)
    expect(told).toContain('"code":"request-late"')
  })

  test('who leaves before the reply is counted as having left', async () => {
    let free = () => {}
    const held = new Promise<void>((done) => (free = done))
    const server = await judgeServer({hold: () => held})
    const leaving = new AbortController()
    const asked = server.ask('/v1/score', body, {signal: leaving.signal})
    await expect.poll(async () => ((await server.ask('/v1/capacity')).json as {running: number}).running).toBe(1)
    leaving.abort()
    await expect(asked).rejects.toThrow()
    const metrics = async () => (await fetch(`${server.url}/metrics`)).text()
    await expect.poll(metrics).toContain('judge_requests_total{route="/v1/score",status="499"} 1')
    free()
    await expect.poll(async () => ((await server.ask('/v1/capacity')).json as {running: number}).running).toBe(0)
    expect(await metrics()).not.toContain('route="/v1/score",status="200"')
  })

  test('the limit for sending a request is none for waiting for its reply', async () => {
    let free = () => {}
    const held = new Promise<void>((done) => (free = done))
    const server = await judgeServer({hold: () => held, requestSeconds: 0.05})
    const asked = server.ask('/v1/score', body)
    await new Promise((done) => setTimeout(done, 300))
    free()
    expect(await asked).toMatchObject({status: 200})
  })

  test('closing answers what was asked first', async () => {
    let free = () => {}
    const held = new Promise<void>((done) => (free = done))
    const server = await judgeServer({hold: () => held})
    const asked = server.ask('/v1/score', body)
    await expect.poll(async () => ((await server.ask('/v1/capacity')).json as {running: number}).running).toBe(1)
    const closed = server.close()
    free()
    expect(await asked).toMatchObject({status: 200, json: {items: [{label: 'green'}]}})
    await closed
    await expect(server.ask('/health')).rejects.toThrow()
  })
})

describe('what runs the service sees', () => {
  test('counts by label, and times by step', async () => {
    const server = await judgeServer()
    await server.ask('/v1/score', body)
    await server.ask('/v1/score', body)
    const text = await (await fetch(`${server.url}/metrics`)).text()
    expect(text).toContain('judge_verdicts_total{label="green",outcome="correct",cached="no"} 1')
    expect(text).toContain('judge_verdicts_total{label="green",outcome="correct",cached="stored"} 1')
    expect(text).toContain('judge_requests_total{route="/v1/score",status="200"} 2')
    expect(text).toContain('judge_seconds_count{step="judge"} 1')
    expect(text).toMatch(/judge_seconds_count\{step="build"\} [1-9]/)
    expect(text).toMatch(/judge_seconds_count\{step="run"\} [1-9]/)
    expect(text).toContain('judge_stored_verdicts 1')
    // A scripted executor answers at once: what it took is a fraction of a second.
    for (const step of ['build', 'run'])
      expect(Number(new RegExp(`judge_seconds_sum\\{step="${step}"\\} (\\S+)`).exec(text)?.[1])).toBeLessThan(10)
  })

  test.each([
    [false, undefined],
    [true, 3],
  ])('a line of the log for each completion; with its code only where that is asked for: %s', async (logSources, n) => {
    const lines: Record<string, unknown>[] = []
    const server = await judgeServer({
      logSources,
      log: {...silentLog, debug: (message, fields) => void lines.push({message, ...fields})},
    })
    await server.ask('/v1/score', body)
    expect(lines).toMatchObject([{message: 'assessed', task: 'ScaleShift', label: 'green', cached: 'no'}])
    expect((lines[0]?.['files'] as unknown[] | undefined)?.length).toBe(n)
  })

  test('health is lost when every candidate fails for reasons not its own, and comes back', async () => {
    const server = await judgeServer()
    const broken = (index: number) => ({
      id: String(index),
      task_id: 'ScaleShift',
      completion: reply(`TOOL BREAKS ${index}`),
    })
    await server.ask('/v1/score', {items: [0, 1, 2, 3].map(broken)})
    expect((await server.ask('/health')).status).toBe(200)
    await server.ask('/v1/score', {items: [broken(4)]})
    expect(await server.ask('/health')).toMatchObject({
      status: 503,
      json: {status: 'degraded', trouble: 'The linker was killed. Free some memory.'},
    })
    await server.ask('/v1/score', body)
    expect((await server.ask('/health')).status).toBe(200)
  })

  test('the description names every route, and the schemas that bodies are checked with', async () => {
    const server = await judgeServer()
    const {json: description} = await server.ask('/openapi.json')
    const {paths, openapi} = description as {openapi: string; paths: Record<string, Record<string, unknown>>}
    expect(openapi).toBe('3.1.0')
    expect(Object.keys(paths).sort()).toEqual([
      '/evaluate',
      '/evaluate/batch',
      '/health',
      '/metrics',
      '/results/{id}',
      '/status/{id}',
      '/v1/capacity',
      '/v1/healthz',
      '/v1/score',
      '/v1/tasks',
    ])
    expect(JSON.stringify(paths['/v1/score'])).toContain('"maxItems":1024')
  })
})
