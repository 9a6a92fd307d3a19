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
  expect(error['message']).toContain(`${url} never answered`)
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
  expect(error['message']).toMatch(/never answered.*ECONNREFUSED/)
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
