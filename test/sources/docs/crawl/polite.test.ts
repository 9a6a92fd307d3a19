import {afterEach, beforeEach, describe, expect, test} from 'vitest'
import {politeVisitor, type VisitorOptions} from '../../../../sources/docs/crawl/polite.ts'
import {crawlClock, type CrawlClock} from '../../../helpers/crawl-clock.ts'

type Reply = (() => Response) | Error

const real = globalThis.fetch
const replies: Reply[] = []
const asked: {url: string; headers: Record<string, string>; at: number}[] = []
let clock: CrawlClock

// The server is another program: only what goes over the line is played here.
beforeEach(() => {
  clock = crawlClock()
  replies.length = 0
  asked.length = 0
  globalThis.fetch = (url, init) => {
    asked.push({url: url as string, headers: init?.headers as Record<string, string>, at: clock.now()})
    const next = replies.length > 1 ? replies.shift()! : replies[0]!
    return next instanceof Error ? Promise.reject(next) : Promise.resolve(next())
  }
})
afterEach(() => {
  globalThis.fetch = real
})

const url = 'https://h/docs/a.html'
const status =
  (code: number, headers: Record<string, string> = {}, body = '') =>
  () =>
    new Response(code === 304 ? null : body, {status: code, headers})
const refused = new TypeError('fetch failed', {cause: new Error('connect ECONNREFUSED')})

function visitor(part: Partial<VisitorOptions> = {}) {
  const signal = new AbortController().signal
  const usual = {agent: 'me/1', delaySeconds: 2, clock, random: () => 0.5, alarm: clock.alarm, signal}
  return politeVisitor({...usual, ...part})
}

describe('a visit', () => {
  test('says who asks, for what, and on which condition', async () => {
    replies.push(status(200, {etag: '"1"'}, 'hello'))
    const came = await visitor().visit(url, {'if-none-match': '"0"'})
    expect(came).toMatchObject({kind: 'answered', status: 200, body: Buffer.from('hello')})
    expect(asked.map(({headers}) => headers)).toEqual([
      {
        'user-agent': 'me/1',
        accept: 'text/html, application/xhtml+xml, text/markdown;q=0.9, image/*;q=0.8, */*;q=0.1',
        'if-none-match': '"0"',
      },
    ])
  })

  test('reads no body that is not wanted', async () => {
    replies.push(status(200, {}, 'hello'))
    expect(await visitor().visit(url, {}, () => false)).toMatchObject({status: 200, body: Buffer.alloc(0)})
  })

  test('of something too large is at an end', async () => {
    replies.push(status(200, {}, 'hello'))
    expect(await visitor({limits: {bytes: 4}}).visit(url)).toMatchObject({kind: 'too-large'})
    expect(await visitor({limits: {bytes: 5}}).visit(url)).toMatchObject({kind: 'answered'})
    replies[0] = status(200, {'content-length': String((8 << 20) + 1)})
    expect(await visitor().visit(url)).toMatchObject({kind: 'too-large'})
    replies[0] = status(200, {'content-length': String(8 << 20)})
    expect(await visitor().visit(url)).toMatchObject({kind: 'answered'})
  })

  test.each([200, 301, 304, 400, 404, 407, 409, 428, 430, 499])('takes status %i as an answer', async (code) => {
    replies.push(status(code))
    expect(await visitor().visit(url)).toMatchObject({kind: 'answered', status: code})
    expect(asked).toHaveLength(1)
  })

  test.each([408, 429, 500, 501, 503, 599])('tries four times where status %i passes', async (code) => {
    replies.push(status(code))
    const why = `the server answered with status ${code}`
    expect(await visitor({delaySeconds: 0}).visit(url)).toEqual({kind: 'failed', why})
    expect(asked.map(({at}) => at - asked[0]!.at)).toEqual([0, 1000, 3000, 7000])
  })

  test('tells what went wrong on the line, and why it pauses', async () => {
    replies.push(refused, status(200))
    const pauses: unknown[] = []
    const onPause = (why: string, seconds: number) => pauses.push([why, seconds])
    expect(await visitor({delaySeconds: 0, onPause, random: () => 0.9}).visit(url)).toMatchObject({status: 200})
    expect(pauses).toEqual([[`${url}: connect ECONNREFUSED`, 2]])
    replies[0] = refused
    expect(await visitor().visit(url)).toEqual({kind: 'failed', why: 'connect ECONNREFUSED'})
  })
})

describe('the time between two requests', () => {
  const gaps = () => asked.slice(1).map(({at}, before) => at - asked[before]!.at)

  test('is kept from the second on, and only grows', async () => {
    replies.push(status(200))
    const one = visitor()
    await one.visit(url)
    expect(clock.slept).toEqual([])
    await one.visit(url)
    one.slowDown(1)
    await one.visit(url)
    one.slowDown(3)
    await one.visit(url)
    clock.advance(3000)
    await one.visit(url)
    expect(gaps()).toEqual([2000, 2000, 3000, 3000])
    expect(clock.slept).toEqual([2000, 2000, 3000])
  })

  test('is what the server asks for, and chance besides', async () => {
    replies.push(status(503, {'retry-after': '10'}), status(503), status(200))
    await visitor({delaySeconds: 0}).visit(url)
    expect(gaps()).toEqual([11_000, 2000])
  })

  test('has an end: who asks for more than ten minutes is left alone', async () => {
    replies.push(status(429, {'retry-after': '600'}), status(200))
    expect(await visitor().visit(url)).toMatchObject({status: 200})
    replies[0] = status(429, {'retry-after': '600.001'})
    await expect(visitor().visit(url)).rejects.toMatchObject({
      code: 'endpoint-overloaded',
      message: `${url}: the server answered with status 429, and the server asks to wait 601 s.`,
      fix: 'Run the command again later; it resumes where it stopped, and kept pages stay.',
      scope: 'run',
      evidence: {url, fault: 'the server answered with status 429', seconds: 601},
    })
  })
})

describe('a host that is away', () => {
  const codes = [408, 429, 502, 503, 504]
  const failures = async (...given: Reply[]) => {
    const one = visitor({delaySeconds: 0})
    for (const reply of given) {
      replies[0] = reply
      await one.visit(url)
    }
    return given.length
  }

  test.each<[string, Reply, string]>([
    ['nobody answers', refused, 'connect ECONNREFUSED'],
    ...codes.map((code): [string, Reply, string] => [
      `status ${code}`,
      status(code),
      `the server answered with status ${code}`,
    ]),
  ])('ends the crawl after five addresses: %s', async (_, reply, fault) => {
    expect(await failures(reply, reply, reply, reply)).toBe(4)
    await expect(failures(reply, reply, reply, reply, reply)).rejects.toMatchObject({
      code: 'endpoint-unreachable',
      message: `h returned no page for 5 addresses in a row, each tried 4 times; last: ${fault}.`,
      scope: 'run',
      evidence: {url, fault, host: 'h'},
    })
  })

  test.each([
    ['an answer', status(404)],
    ['one broken page', status(500)],
    ['another', status(501)],
  ])('is not away where it gives %s between', async (_, between) => {
    const away = status(503)
    expect(await failures(away, away, away, away, between, away, away, away, away)).toBe(9)
  })
})

test('an interrupted crawl stops at once', async () => {
  const controller = new AbortController()
  replies.push(status(200))
  const one = visitor({signal: controller.signal})
  await one.visit(url)
  controller.abort()
  await expect(one.visit(url)).rejects.toMatchObject({
    code: 'interrupted',
    message: 'The crawl was interrupted.',
    fix: 'Run the command again to continue; kept pages stay.',
    scope: 'run',
  })
  expect(asked).toHaveLength(1)
  const during = new AbortController()
  replies[0] = status(503)
  const other = visitor({signal: during.signal, onPause: () => during.abort()})
  await expect(other.visit(url)).rejects.toMatchObject({code: 'interrupted'})
})
