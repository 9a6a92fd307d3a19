import {afterEach, describe, expect, test, vi} from 'vitest'
import {retryingFetch, withoutQuery, type RetryOptions} from '../../engine/retrying-fetch.ts'

afterEach(() => vi.unstubAllGlobals())

type Answer = number | Error | Response | ((init: RequestInit) => Promise<Response>)

/** Requests that are answered one after the other; the last answer goes on for ever. */
function world(answers: readonly Answer[], options: Partial<RetryOptions> = {}) {
  const asked: string[] = []
  const slept: number[] = []
  const alarms: number[] = []
  const pauses: string[] = []
  vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
    const answer = answers[Math.min(asked.length, answers.length - 1)] as Answer
    asked.push(`${init.method ?? 'GET'} ${url}`)
    if (typeof answer === 'function') return answer(init)
    if (answer instanceof Error) return Promise.reject(answer)
    return Promise.resolve(answer instanceof Response ? answer : new Response('body', {status: answer}))
  })
  const stop = new AbortController()
  const send = retryingFetch({
    now: () => 1000,
    random: () => 1,
    signal: stop.signal,
    sleep: async (milliseconds) => void slept.push(milliseconds),
    alarm: (milliseconds) => {
      alarms.push(milliseconds)
      return () => {}
    },
    onPause: (why, seconds) => pauses.push(`${why} ${seconds}`),
    ...options,
  })
  return {send, stop, asked, slept, alarms, pauses}
}

const url = 'https://hub.example/a?signature=secret'
const broken = new TypeError('fetch failed', {cause: new Error('ECONNRESET')})

describe('the same request is sent again', () => {
  test.each([408, 429, 500, 502, 503, 504])('after %d', async (status) => {
    const {send, asked} = world([status, 200])
    expect((await send(url)).status).toBe(200)
    expect(asked).toEqual([`GET ${url}`, `GET ${url}`])
  })

  test.each([200, 204, 301, 400, 401, 404, 409, 422, 501, 505])('and not after %d', async (status) => {
    const {send, asked} = world([new Response(null, {status})])
    expect((await send(url)).status).toBe(status)
    expect(asked).toHaveLength(1)
  })

  test('after a broken connection', async () => {
    const {send, pauses} = world([broken, 200])
    expect((await send(url)).status).toBe(200)
    expect(pauses).toEqual(['ECONNRESET 1'])
  })

  test('six times at most, or as often as is said; the last answer is handed over', async () => {
    const six = world([503])
    expect((await six.send(url)).status).toBe(503)
    expect(six.asked).toHaveLength(6)
    const two = world([503], {attempts: 2})
    expect((await two.send(url)).status).toBe(503)
    expect(two.asked).toHaveLength(2)
  })

  test('and where nobody ever answered it is told, without what signs the address', async () => {
    const {send, asked} = world([broken], {attempts: 3})
    await expect(send(url)).rejects.toMatchObject({
      code: 'endpoint-unreachable',
      scope: 'run',
      message: 'https://hub.example could not be reached, 3 times: ECONNRESET.',
      evidence: {url: 'https://hub.example/a', why: 'ECONNRESET', tried: 3},
    })
    expect(asked).toHaveLength(3)
    await expect(world([broken], {attempts: 1}).send(url)).rejects.toThrow(
      'https://hub.example could not be reached: ECONNRESET.',
    )
  })
})

describe('between two attempts', () => {
  test('the pause doubles from a second to a minute, by half of it by chance', async () => {
    const {send, slept, pauses} = world([500], {attempts: 9})
    await send(url)
    expect(slept).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000])
    expect(pauses[0]).toBe('the Hub answered 500 1')
    const quick = world([500], {attempts: 3, random: () => 0})
    await quick.send(url)
    expect(quick.slept).toEqual([500, 1000])
  })

  test.each([
    ['7', 7000],
    ['0', 0],
    ['300', 300_000],
    ['301', 300_000],
    ['Thu, 01 Jan 1970 00:00:03 GMT', 2000],
    ['soon', 1000],
  ])('it is what was asked for, five minutes at most: %s', async (after, milliseconds) => {
    const {send, slept} = world([new Response('', {status: 429, headers: {'retry-after': after}}), 200])
    await send(url)
    expect(slept).toEqual([milliseconds])
  })

  test('a stop ends it', async () => {
    const stopping = world([500], {
      sleep: async () => stopping.stop.abort(),
    })
    await expect(stopping.send(url)).rejects.toMatchObject({code: 'interrupted'})
    expect(stopping.asked).toHaveLength(1)
    const failing = world([
      () => {
        failing.stop.abort()
        return Promise.reject(broken)
      },
    ])
    await expect(failing.send(url)).rejects.toMatchObject({code: 'interrupted'})
  })

  test('a request that whoever sent it gave up is not sent again', async () => {
    const own = new AbortController()
    const {send, asked} = world([
      () => {
        own.abort(new Error('given up'))
        return Promise.reject(broken)
      },
    ])
    await expect(send(url, {signal: own.signal})).rejects.toThrow('given up')
    expect(asked).toHaveLength(1)
  })
})

describe('what has an effect each time', () => {
  const once = (address: string, method: string) => address === url && method === 'POST'
  test('is sent again only where it was turned away', async () => {
    for (const [status, times] of [
      [429, 2],
      [503, 2],
      [500, 1],
      [408, 1],
    ] as const) {
      const {send, asked} = world([status, 200], {once})
      await send(url, {method: 'POST'})
      expect(asked, String(status)).toHaveLength(times)
    }
    const {send, asked} = world([broken, 200], {once})
    await expect(send(url, {method: 'POST'})).rejects.toThrow('could not be reached: ECONNRESET')
    expect(asked).toHaveLength(1)
    const other = world([500, 200], {once})
    await other.send(url)
    await other.send(new Request('https://hub.example/b', {method: 'POST'}))
    expect(other.asked).toHaveLength(3)
  })
})

test('an answer is waited for a minute, or as long as is said; a file may take as long as it takes', async () => {
  const {send, alarms} = world([200])
  await send(url)
  await send(url, {method: 'PUT', body: new Blob(['x'])})
  await send(url, {method: 'PUT', body: new ReadableStream()})
  await send(url, {method: 'PUT', body: 'text'})
  expect(alarms).toEqual([60_000, 60_000])
  const silent = world(
    [
      (init) =>
        new Promise((_, reject) => init.signal?.addEventListener('abort', () => reject(init.signal?.reason as Error))),
    ],
    {
      attempts: 1,
      answerSeconds: 5,
      alarm: (milliseconds, ring) => {
        expect(milliseconds).toBe(5000)
        queueMicrotask(ring)
        return () => {}
      },
    },
  )
  await expect(silent.send(url)).rejects.toThrow('could not be reached: no answer within 5 s.')
})

test('an address without its query', () => {
  expect(['https://h/a?b#c', 'https://h/a#c', 'https://h/a', 'x?\ny'].map(withoutQuery)).toEqual([
    'https://h/a',
    'https://h/a',
    'https://h/a',
    'x',
  ])
})
