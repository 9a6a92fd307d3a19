import {createServer, type RequestListener} from 'node:http'
import type {AddressInfo} from 'node:net'
import {gzipSync} from 'node:zlib'
import {expect, onTestFinished, test} from 'vitest'
import {httpGet, type HttpRequest} from '../../engine/http.ts'
import {crawlClock} from '../helpers/crawl-clock.ts'

const limits = {firstSeconds: 10, idleSeconds: 5, wholeSeconds: 30, bytes: 1000}

async function ask(listener: RequestListener, request: Partial<HttpRequest> = {}) {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const {port} = server.address() as AddressInfo
  return httpGet({url: `http://127.0.0.1:${port}/`, headers: {}, limits, alarm: crawlClock().alarm, ...request})
}

test('an answer has its status, its headers and its bytes', async () => {
  const answer = await ask((_, response) => response.writeHead(418, {'x-a': 'b'}).end(Buffer.from([0, 255])))
  expect(answer).toMatchObject({kind: 'answered', status: 418, body: Buffer.from([0, 255])})
  expect('header' in answer && [answer.header('X-A'), answer.header('x-c')]).toEqual(['b', ''])
})

test('a redirect is an answer and is not followed', async () => {
  const asked: (string | undefined)[] = []
  const answer = await ask((request, response) => {
    asked.push(request.url)
    response.writeHead(302, {location: '/next'}).end()
  })
  expect(answer).toMatchObject({kind: 'answered', status: 302})
  expect(asked).toEqual(['/'])
})

test.each([
  ['says so first', (): RequestListener => (_, response) => response.writeHead(200, {'content-length': 1001}).end()],
  ['does not say so', (): RequestListener => (_, response) => void response.write('x'.repeat(1001))],
  [
    'was packed',
    (): RequestListener => (_, response) =>
      response.writeHead(200, {'content-encoding': 'gzip'}).end(gzipSync(Buffer.alloc(100_000))),
  ],
])('a body over the limit that %s is too large', async (_, listener) => {
  expect((await ask(listener())).kind).toBe('too-large')
})

test('a body of just the limit is taken', async () => {
  expect((await ask((_, response) => response.end('x'.repeat(1000)))).kind).toBe('answered')
})

test('a body that is not wanted is not read', async () => {
  const answer = await ask((_, response) => void response.write('x'), {wants: ({status}) => status !== 200})
  expect(answer).toMatchObject({kind: 'answered', status: 200, body: Buffer.alloc(0)})
})

test('silence before the answer, within it, and drops without end each have their limit', async () => {
  const silent = crawlClock()
  expect(await ask(() => silent.advance(10_000), {alarm: silent.alarm})).toEqual({
    kind: 'silent',
    what: 'no answer within 10 s',
  })
  const still = crawlClock()
  const half: RequestListener = (_, response) => {
    void still.heard(2).then(() => still.advance(5000))
    response.write('half')
  }
  expect(await ask(half, {alarm: still.alarm})).toEqual({kind: 'broken', what: 'the answer stalled for 5 s'})
  const dripping = crawlClock()
  const drops: RequestListener = async (_, response) => {
    for (let drop = 0; drop < 8; drop += 1) {
      const heard = dripping.heard(drop === 0 ? 2 : 1)
      response.write('x')
      await heard
      dripping.advance(4000)
    }
    response.end()
  }
  const what = 'the answer was not complete after 30 s'
  expect(await ask(drops, {alarm: dripping.alarm})).toEqual({kind: 'broken', what})
})

test('a host that is not there, and one that hangs up, say why', async () => {
  const alarm = crawlClock().alarm
  const absent = createServer()
  await new Promise<void>((resolve) => absent.listen(0, '127.0.0.1', resolve))
  const {port} = absent.address() as AddressInfo
  await new Promise((resolve) => absent.close(resolve))
  expect(await httpGet({url: `http://127.0.0.1:${port}/`, headers: {}, limits, alarm})).toEqual({
    kind: 'silent',
    what: expect.stringContaining('ECONNREFUSED') as string,
  })
  const cut = await ask((_, response) => {
    response.writeHead(200, {'content-length': 100}).write('half', () => setImmediate(() => response.destroy()))
  })
  expect(cut.kind).toBe('broken')
})

test('it ends when it is told to', async () => {
  const controller = new AbortController()
  const answer = await ask(() => controller.abort(), {signal: controller.signal})
  expect(answer.kind).toBe('silent')
  expect((await ask((_, response) => response.end(), {signal: controller.signal})).kind).toBe('silent')
})
