import {expect, test} from 'vitest'
import {circuitBreaker} from '../../../engine/llm/breaker.ts'
import type {Fault} from '../../../engine/llm/fault.ts'
import {jumpingClock, standingClock} from '../../helpers/clock.ts'
import {ask, chatServer, rejection, teacherAt} from '../../helpers/teacher.ts'

const url = 'http://127.0.0.1:9/v1'
const refused: Fault = {
  kind: 'unreachable',
  code: 'endpoint-unreachable',
  scope: 'record',
  what: 'no connection (ECONNREFUSED)',
  fix: 'Check that it runs.',
  spent: {promptTokens: 0, completionTokens: 0},
  evidence: {},
}

async function opened(clock = standingClock(), outageSeconds = 60) {
  const messages: string[] = []
  const breaker = circuitBreaker({url, outageSeconds, clock, log: (message) => messages.push(message)})
  for (let failure = 0; failure < 5; failure += 1) (await breaker.enter()).failed(refused)
  return {breaker, clock, messages}
}

test('five failures in a row open it, and it says so once', async () => {
  const {breaker, messages} = await opened()
  expect(breaker.isOpen()).toBe(true)
  expect(messages).toEqual([expect.stringContaining(`${url} is failing: no connection (ECONNREFUSED)`)])
})

test('an answer in between starts the count anew', async () => {
  const breaker = circuitBreaker({url, outageSeconds: 60, clock: standingClock(), log() {}})
  for (let round = 0; round < 3; round += 1) {
    for (let failure = 0; failure < 4; failure += 1) (await breaker.enter()).failed(refused)
    ;(await breaker.enter()).answered()
  }
  expect(breaker.isOpen()).toBe(false)
})

test('while it is open one probe at a time is let through, and its answer lets all through', async () => {
  const {breaker, clock, messages} = await opened()
  const passes: string[] = []
  const enter = (name: string) =>
    breaker.enter().then((pass) => {
      passes.push(name)
      return pass
    })
  const entries = ['a', 'b', 'c'].map(enter)
  await clock.advance(900)
  expect(passes).toEqual([])
  await clock.advance(200)
  expect(passes).toEqual(['a'])
  ;(await entries[0])?.answered()
  await clock.advance(0)
  expect(passes).toEqual(['a', 'b', 'c'])
  expect(messages.at(-1)).toBe(`${url} is answering again.`)
})

test('a probe that was never sent leaves its place to the next', async () => {
  const {breaker, clock} = await opened()
  const [first, second] = [breaker.enter(), breaker.enter()]
  await clock.advance(1000)
  ;(await first).withdraw()
  await expect(second).resolves.toBeDefined()
})

test('one that never answered is given up after 15 s, and everyone is told', async () => {
  const {breaker, clock} = await opened(standingClock(), 600)
  const probe = async () => {
    for (;;) (await breaker.enter()).failed(refused)
  }
  const [one, other] = [rejection(probe()), rejection(breaker.enter().then(() => breaker.enter()))]
  await clock.advance(15_000)
  const error = await one
  expect(error).toMatchObject({code: 'endpoint-unreachable', scope: 'run', fix: 'Check that it runs.'})
  expect(error['message']).toContain(`${url} did not answer within 15 s`)
  expect(await other).toBe(error)
  expect(await rejection(breaker.enter())).toBe(error)
})

test('one that has answered before is waited for as long as configured', async () => {
  const clock = jumpingClock()
  const breaker = circuitBreaker({url, outageSeconds: 100, clock, log() {}})
  ;(await breaker.enter()).answered()
  const error = await rejection(
    (async () => {
      for (;;) (await breaker.enter()).failed(refused)
    })(),
  )
  expect(error['message']).toContain('has not answered for 100 s')
  expect(clock.slept).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 9000])
})

test('a dead port ends the run with the address, the reason and what to do', async () => {
  const server = await chatServer()
  await server.close()
  const warnings: string[] = []
  const {model} = await teacherAt(server, {}, {log: {debug() {}, info() {}, warn: (message) => warnings.push(message)}})
  const error = await rejection(model.complete(ask('anyone?')))
  expect(error).toMatchObject({code: 'endpoint-unreachable', scope: 'run', evidence: {url: server.url}})
  expect(error['message']).toMatch(/did not answer within .*ECONNREFUSED/)
  expect(error['fix']).toContain('baseUrl')
  expect(warnings).toHaveLength(1)
})

test('an outage that ends costs no record', async () => {
  const server = await chatServer(({index}) => (index >= 1 && index < 12 ? {kind: 'status', status: 503} : undefined))
  const {model} = await teacherAt(server, {maxAttempts: 5, concurrency: 4})
  await model.complete(ask('before'))
  const replies = await Promise.all(Array.from({length: 6}, (_, index) => model.complete(ask(`during ${index}`))))
  expect(replies.every(({text}) => text !== '')).toBe(true)
})

function breakerOf({answers = 0, outageSeconds = 60} = {}) {
  const [clock, messages] = [jumpingClock(), [] as string[]]
  const breaker = circuitBreaker({url, outageSeconds, clock, log: (message) => messages.push(message)})
  const fail = async (fault: Fault = refused) => (await breaker.enter()).failed(fault)
  const ready = async () => {
    for (let answer = 0; answer < answers; answer += 1) (await breaker.enter()).answered()
    return {breaker, clock, messages, fail}
  }
  return ready()
}

test.each([
  [0, false],
  [4, false],
  [5, true],
  [6, true],
])('after %d failures it is open: %s', async (failures, open) => {
  const {breaker, fail} = await breakerOf()
  for (let failure = 0; failure < failures; failure += 1) await fail()
  expect(breaker.isOpen()).toBe(open)
})

test.each([
  [0, 14, [1000, 2000, 4000, 7000], 14, 'did not answer within'],
  [0, 15, [1000, 2000, 4000, 8000], 15, 'did not answer within'],
  [0, 16, [1000, 2000, 4000, 8000], 15, 'did not answer within'],
  [0, 1, [1000], 1, 'did not answer within'],
  [0, 0.5, [500], 0.5, 'did not answer within'],
  [1, 16, [1000, 2000, 4000, 8000, 1000], 16, 'has not answered for'],
  [1, 62, [1000, 2000, 4000, 8000, 16_000, 30_000, 1000], 62, 'has not answered for'],
])(
  'answered %d times and with %d s of outage allowed it waits %j',
  async (answers, outageSeconds, waits, down, how) => {
    const {breaker, clock, messages, fail} = await breakerOf({answers, outageSeconds})
    const error = await rejection(
      (async () => {
        for (;;) await fail()
      })(),
    )
    expect(clock.slept).toEqual(waits)
    const failures = 5 + waits.length
    const everAnswered = answers > 0
    expect(messages).toEqual([
      `${url} is failing: ${refused.what}. Requests wait while it is retried for up to ${down} s.`,
    ])
    expect(error).toMatchObject({
      code: 'endpoint-unreachable',
      scope: 'run',
      message:
        `${url} ${how} ${Math.round(down)} s (${failures} requests failed in a row). ` +
        `The last failure: ${refused.what}.`,
      fix: everAnswered
        ? 'Wait until the endpoint works again, then run `ascend-cot resume`; answered requests are not sent again.'
        : refused.fix,
      evidence: {url, everAnswered, failures, downSeconds: down, lastFailure: refused.what},
    })
    expect(breaker.isOpen()).toBe(true)
  },
)

test('a web page in place of an endpoint keeps its own code', async () => {
  const {fail} = await breakerOf()
  const foreign: Fault = {...refused, kind: 'foreign', code: 'endpoint-rejected', evidence: {status: 200}}
  const error = await rejection(
    (async () => {
      for (;;) await fail(foreign)
    })(),
  )
  expect(error).toMatchObject({code: 'endpoint-rejected', evidence: {status: 200, url}})
})

test('requests that were sent before it opened do not lengthen the wait, and their answer closes it', async () => {
  const {breaker, clock, messages, fail} = await breakerOf()
  const early = [await breaker.enter(), await breaker.enter()]
  for (let failure = 0; failure < 5; failure += 1) await fail()
  early[0]?.failed(refused)
  const probe = await breaker.enter()
  expect(clock.slept).toEqual([1000])
  early[1]?.answered()
  expect(breaker.isOpen()).toBe(false)
  expect(messages.at(-1)).toBe(`${url} is answering again.`)
  probe.failed(refused)
  expect(breaker.isOpen()).toBe(false)
})

test('one who is not wanted any more is told at once', async () => {
  const {breaker} = await breakerOf()
  await expect(breaker.enter(AbortSignal.abort())).rejects.toMatchObject({code: 'interrupted'})
})
