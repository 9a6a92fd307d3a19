import {join} from 'node:path'
import {expect, test} from 'vitest'
import {openPurse} from '../../../engine/llm/budget.ts'
import type {Budget} from '../../../engine/llm/profile.ts'
import type {Usage} from '../../../engine/llm/model.ts'
import {ask, chatServer, rejection, teacherAt} from '../../helpers/teacher.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'

const price = {promptPerMillion: 1, completionPerMillion: 10, currency: 'USD'}
const bound = (promptTokens: number, completionTokens: number, close?: Usage) => {
  const quick = {promptTokens, completionTokens}
  return {quick, close: async () => close ?? quick}
}

test('a request waits while only those in flight stand in the way', async () => {
  const purse = openPurse({tokens: 100})
  const first = await purse.reserve(bound(10, 50), undefined)
  let sent = false
  const second = purse.reserve(bound(10, 50), undefined).then((reservation) => {
    sent = true
    return reservation
  })
  await new Promise(setImmediate)
  expect(sent).toBe(false)
  first.settle({promptTokens: 10, completionTokens: 20})
  await second
  expect(sent).toBe(true)
})

test('a request that could pass the limit is refused, with what is spent and what it may take', async () => {
  const purse = openPurse({tokens: 100})
  ;(await purse.reserve(bound(10, 50), undefined)).settle({promptTokens: 10, completionTokens: 50})
  const error = await rejection(purse.reserve(bound(10, 50), undefined))
  expect(error).toMatchObject({code: 'budget-exceeded', scope: 'run'})
  expect(error['message']).toContain('60 of 100 tokens are spent, and the next request may take 60')
})

test('one that is waiting is refused when what was in flight came to too much', async () => {
  const purse = openPurse({tokens: 100})
  const first = await purse.reserve(bound(10, 50), undefined)
  const second = rejection(purse.reserve(bound(10, 50), undefined))
  first.settle({promptTokens: 10, completionTokens: 40})
  expect(await second).toMatchObject({code: 'budget-exceeded'})
})

test('the close bound is counted where the quick one does not fit', async () => {
  const purse = openPurse({tokens: 100})
  await purse.reserve(bound(400, 20, {promptTokens: 80, completionTokens: 20}), undefined)
  expect(
    await rejection(purse.reserve(bound(401, 20, {promptTokens: 81, completionTokens: 20}), undefined)),
  ).toMatchObject({code: 'budget-exceeded'})
})

test('money is limited by the prices of prompt and completion', async () => {
  const purse = openPurse({cost: 0.001})
  ;(await purse.reserve(bound(500, 50), price)).settle({promptTokens: 500, completionTokens: 50})
  const error = await rejection(purse.reserve(bound(0, 1), price))
  expect(error['message']).toContain('0.0010 of 0.001 USD are spent')
})

test.each([
  ['tokens', {tokens: 4000}],
  ['money', {cost: 0.02}],
])('with 64 in flight the budget in %s is not passed, by not one reply', async (_, budget: Budget) => {
  const server = await chatServer([], {latency: [0, 10]})
  const {model, teachers} = await teacherAt(server, {concurrency: 64, maxTokens: 100, price}, {budget})
  const outcomes = await Promise.allSettled(
    Array.from({length: 300}, (_, index) => model.complete(ask(`hello ${index}`))),
  )
  const billed = server.served.length
  expect(outcomes.filter(({status}) => status === 'fulfilled')).toHaveLength(billed)
  expect(
    outcomes
      .filter(({status}) => status === 'rejected')
      .every((one) => (one as PromiseRejectedResult).reason.code === 'budget-exceeded'),
  ).toBe(true)
  const {tokens, cost} = teachers.spending()
  expect(tokens).toBeLessThanOrEqual(budget.tokens ?? Infinity)
  expect(cost).toBeLessThanOrEqual(budget.cost ?? Infinity)
  expect(Math.max(tokens / (budget.tokens ?? Infinity), cost / (budget.cost ?? Infinity))).toBeGreaterThan(0.85)
})

test('the budget holds over all processes of one account', async () => {
  const server = await chatServer()
  const cacheFile = join(await temporaryFolder(), 'replies.db')
  const options = {cacheFile, account: 'set-a', budget: {tokens: 150}}
  const first = await teacherAt(server, {maxTokens: 60}, options)
  await first.model.complete(ask('one'))
  await first.model.complete(ask('two'))
  first.teachers.close()
  const second = await teacherAt(server, {maxTokens: 60}, options)
  expect(await rejection(second.model.complete(ask('three')))).toMatchObject({code: 'budget-exceeded'})
  expect(await second.model.complete(ask('two'))).toBeDefined()
  const other = await teacherAt(server, {maxTokens: 60}, {...options, account: 'set-b'})
  expect(await other.model.complete(ask('three'))).toBeDefined()
})

test('a cut reply is charged, a refused request is not', async () => {
  const server = await chatServer([{kind: 'status', status: 500}, {kind: 'cut'}])
  const {model, teachers} = await teacherAt(server, {price})
  const {usage} = await model.complete(ask('hello'))
  const {tokens, cost, requests, estimated} = teachers.spending()
  expect({requests, estimated}).toEqual({requests: 3, estimated: 1})
  expect(tokens).toBeGreaterThan(usage.promptTokens + usage.completionTokens + 10)
  expect(cost).toBeGreaterThan(0)
})
