import {expect, test, vi} from 'vitest'
import {rateLimit, type Limits} from '../../../engine/llm/rate-limit.ts'
import {standingClock} from '../../helpers/clock.ts'
import type {Misbehaviour} from '../../helpers/misbehaviour.ts'
import {ask, chatServer, teacherAt} from '../../helpers/teacher.ts'

async function admissions(limits: Limits, requests: readonly number[], milliseconds: number): Promise<number[]> {
  const clock = standingClock()
  const rate = rateLimit(limits, clock)
  const times: number[] = []
  for (const tokens of requests) void rate.admit(tokens).then(() => times.push(clock.now()))
  await clock.advance(milliseconds)
  return times
}

const mostInAMinute = (times: readonly number[]) =>
  Math.max(...times.map((start) => times.filter((time) => time >= start && time < start + 60_000).length))

test.each([1, 7, 60, 1000, 6000])(
  'no minute has more than %d requests, and a queue uses nearly all of them',
  async (limit) => {
    const times = await admissions({requestsPerMinute: limit}, Array<number>(limit * 3).fill(0), 120_000)
    expect(mostInAMinute(times)).toBeLessThanOrEqual(limit)
    expect(times.length).toBeGreaterThanOrEqual(Math.floor(limit * 2 * 0.99))
  },
)

test('tokens per minute are kept, whatever the sizes', async () => {
  const sizes = Array.from({length: 200}, (_, index) => 50 + ((index * 37) % 100))
  const times = await admissions({tokensPerMinute: 6000}, sizes, 60_000)
  const tokens = sizes.slice(0, times.length).reduce((sum, size) => sum + size, 0)
  expect(tokens).toBeLessThanOrEqual(6000 + 150)
  expect(tokens).toBeGreaterThan(5700)
})

test('a request larger than the bucket is admitted, and the next one waits for it', async () => {
  expect(await admissions({tokensPerMinute: 600}, [1200, 1], 200_000)).toEqual([0, expect.closeTo(120_000, -3)])
})

test('first come, first served: small requests do not overtake a large one', async () => {
  const clock = standingClock()
  const rate = rateLimit({tokensPerMinute: 600}, clock)
  const order: string[] = []
  for (const [name, tokens] of [
    ['first', 100],
    ['large', 500],
    ['small', 1],
  ] as const)
    void rate.admit(tokens).then(() => order.push(name))
  await clock.advance(60_000)
  expect(order).toEqual(['first', 'large', 'small'])
})

test('what a reply took beyond its estimate delays the next one', async () => {
  const clock = standingClock()
  const rate = rateLimit({tokensPerMinute: 600}, clock)
  await rate.admit(1)
  rate.correct(100)
  let admitted = -1
  void rate.admit(1).then(() => {
    admitted = clock.now()
  })
  await clock.advance(60_000)
  expect(admitted).toBeGreaterThan(10_000)
})

test('a cool-down holds everyone back, also those who come later and those already waiting', async () => {
  const clock = standingClock()
  const rate = rateLimit({}, clock)
  const times: number[] = []
  rate.coolDown(5000)
  void rate.admit(0).then(() => times.push(clock.now()))
  await clock.advance(1000)
  rate.coolDown(10_000)
  void rate.admit(0).then(() => times.push(clock.now()))
  await clock.advance(20_000)
  expect(times).toEqual([11_000, 11_000])
})

test.each([
  ['a longer rest after a shorter one', 5000, 10_000, 11_000],
  ['a shorter one after a longer one', 10_000, 5000, 10_000],
])('the rest lasts until the later end: %s', async (_, first, second, end) => {
  const clock = standingClock()
  const rate = rateLimit({}, clock)
  const times: number[] = []
  rate.coolDown(first)
  await clock.advance(1000)
  rate.coolDown(second)
  void rate.admit(0).then(() => times.push(clock.now()))
  await clock.advance(20_000)
  expect(times).toEqual([end])
})

test('a request that is called off leaves the queue at once, and the queue goes on', async () => {
  const clock = standingClock()
  const rate = rateLimit({requestsPerMinute: 1}, clock)
  await rate.admit(0)
  const controller = new AbortController()
  const called = rate.admit(0, controller.signal).catch((error: unknown) => error)
  let later = -1
  void rate.admit(0).then(() => {
    later = clock.now()
  })
  controller.abort()
  expect(await called).toMatchObject({code: 'interrupted'})
  await clock.advance(61_000)
  expect(later).toBe(60_000)
  expect(clock.sleepers()).toBe(0)
})

const limited: Misbehaviour = {kind: 'status', status: 429, headers: {'retry-after': '30'}}

test('when 429 is all that is answered, requests that were not yet sent wait too', async () => {
  const server = await chatServer([limited, limited, limited])
  const clock = standingClock()
  const {model} = await teacherAt(server, {concurrency: 1}, clock)
  const all = Promise.all([1, 2, 3, 4, 5].map((index) => model.complete(ask(`hello ${index}`))))
  await vi.waitUntil(() => clock.sleepers() === 4, {timeout: 60_000}) // Three requests, and the queue of the other two.
  await clock.advance(29_000)
  expect(server.served).toHaveLength(3)
  await clock.advance(5000)
  await all
  expect(server.served).toHaveLength(8)
})

test('a 429 among replies delays no other request', async () => {
  const server = await chatServer([undefined, limited])
  const clock = standingClock()
  const {model} = await teacherAt(server, {concurrency: 1}, clock)
  await model.complete(ask('first'))
  const unlucky = model.complete(ask('unlucky'))
  await model.complete(ask('third'))
  expect(server.served).toHaveLength(3)
  await clock.advance(31_000)
  await unlucky
})

test.each<[Limits, number[], number[]]>([
  [{}, [1e9, 1e9, 1e9], [0, 0, 0]],
  [{requestsPerMinute: 1}, [0, 0, 0], [0, 60_000, 120_000]],
  [{requestsPerMinute: 60}, [0, 0, 0], [0, 1000, 2000]],
  [{requestsPerMinute: 0.5}, [0, 0], [0, 120_000]],
  [{requestsPerMinute: 600}, [0, 0, 0], [0, 100, 200]],
  // Two at once, and 1199 in the minute after.
  [{requestsPerMinute: 1200}, [0, 0, 0], [0, 0, 51]],
  // A bucket of ten tokens, filled by 5991 a minute.
  [{tokensPerMinute: 6000}, [10, 1], [0, 11]],
  [{tokensPerMinute: 6000}, [9, 1, 1], [0, 0, 11]],
  [{tokensPerMinute: 6000}, [11, 1], [0, 21]],
  [{tokensPerMinute: 6000}, [9, 2], [0, 11]],
  [{tokensPerMinute: 6000}, [0, 0, 10, 0], [0, 0, 0, 0]],
  [{requestsPerMinute: 60, tokensPerMinute: 60}, [1, 1, 3, 1], [0, 1000, 2000, 5000]],
  [{requestsPerMinute: 30, tokensPerMinute: 60}, [1, 1, 1], [0, 2000, 4000]],
])('with %j requests of %j tokens go at %j', async (limits, tokens, times) => {
  expect(await admissions(limits, tokens, 200_000)).toEqual(times)
})

test.each([
  [3, 4000],
  [0, 1000],
  [-1, 0],
  [-5, 0],
])('a correction by %d tokens puts the next one at %d ms', async (tokens, time) => {
  const clock = standingClock()
  const rate = rateLimit({tokensPerMinute: 60}, clock)
  await rate.admit(1)
  rate.correct(tokens)
  const times: number[] = []
  for (const next of [1, 1]) void rate.admit(next).then(() => times.push(clock.now()))
  await clock.advance(30_000)
  expect(times).toEqual([time, time + 1000])
})

test('tokens are corrected where none are counted', async () => {
  const clock = standingClock()
  const rate = rateLimit({requestsPerMinute: 60}, clock)
  rate.correct(1000)
  await rate.admit(1000)
  expect(clock.now()).toBe(0)
})

test('what is called off before it comes takes no place', async () => {
  const clock = standingClock()
  const rate = rateLimit({requestsPerMinute: 1}, clock)
  await expect(rate.admit(0, AbortSignal.abort())).rejects.toMatchObject({code: 'interrupted', scope: 'run'})
  await rate.admit(0)
  expect(clock.now()).toBe(0)
})
