import {join} from 'node:path'
import {expect, test} from 'vitest'
import {promptTokensAtMost, promptTokensRoughly} from '../../../engine/llm/token-bounds.ts'
import {isCredible} from '../../../engine/llm/client.ts'
import {ask, chatServer, teacherAt} from '../../helpers/teacher.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'

const exchange = {messages: ask('tile '.repeat(100)).messages, answer: 'It is 256. '.repeat(100), completionLimit: 1000}

test.each([
  [{promptTokens: 100, completionTokens: 300}, true],
  // A prompt of the endpoint's own, and hidden reasoning beyond the limit.
  [{promptTokens: 4000, completionTokens: 300}, true],
  [{promptTokens: 100, completionTokens: 8000}, true],
  [{promptTokens: -100, completionTokens: 300}, false],
  [{promptTokens: 100, completionTokens: -36_000_180}, false],
  [{promptTokens: 100.5, completionTokens: 300}, false],
  [{promptTokens: 100, completionTokens: 0.25}, false],
  [{promptTokens: NaN, completionTokens: 300}, false],
  [{promptTokens: 100, completionTokens: Infinity}, false],
  [{promptTokens: 1e15, completionTokens: 300}, false],
  [{promptTokens: 100, completionTokens: 9000}, false],
  [{promptTokens: 7000, completionTokens: 300}, false],
  // No token is longer than 128 bytes.
  [{promptTokens: 0, completionTokens: 300}, false],
  [{promptTokens: 100, completionTokens: 0}, false],
  [{promptTokens: 100, completionTokens: 8}, false],
  [{promptTokens: 5, completionTokens: 9}, true],
])('a usage of %o for 116 and 1,100 bytes is credible: %s', (usage, expected) => {
  expect(isCredible(usage, exchange)).toBe(expected)
})

test('an empty answer may cost nothing', () => {
  expect(isCredible({promptTokens: 100, completionTokens: 0}, {...exchange, answer: ''})).toBe(true)
})

test.each([
  ['negative', {prompt_tokens: 10, completion_tokens: -1_000_000}],
  ['negative in the prompt', {prompt_tokens: -1_000_000, completion_tokens: 10}],
  ['fractional', {prompt_tokens: 0.001, completion_tokens: 0.001}],
  ['nothing', {prompt_tokens: 0, completion_tokens: 0}],
  ['no numbers', {prompt_tokens: '12', completion_tokens: 'many'}],
  ['half of it', {prompt_tokens: 12}],
  ['absurd', {prompt_tokens: 1e15, completion_tokens: 3}],
])('an endpoint that reports %s is charged by our count, and the budget holds', async (_, usage) => {
  const server = await chatServer(() => ({kind: 'usage', usage}))
  const cacheFile = join(await temporaryFolder(), 'replies.db')
  const {model, teachers} = await teacherAt(server, {maxTokens: 100}, {cacheFile, account: 'a', budget: {tokens: 1000}})
  const outcomes = await Promise.allSettled(
    Array.from({length: 30}, (__, index) => model.complete(ask(`hello ${index}`))),
  )
  const answered = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
  expect(answered.length).toBeGreaterThan(3)
  expect(answered.length).toBeLessThan(30)
  for (const reply of answered) {
    expect(reply.usage.promptTokens).toBeGreaterThan(10)
    expect(reply.usage.completionTokens).toBeGreaterThan(20)
  }
  const {tokens, estimated} = teachers.spending()
  expect(estimated).toBe(answered.length)
  expect(tokens).toBeGreaterThan(400)
  expect(tokens).toBeLessThanOrEqual(1000)
})

test('a stream that is cut after a usage that cannot be true is charged by our count', async () => {
  const piece = {
    choices: [{index: 0, delta: {content: 'Half an answer'}}],
    usage: {prompt_tokens: -5, completion_tokens: -5},
  }
  const server = await chatServer([
    {kind: 'page', type: 'text/event-stream', text: `data: ${JSON.stringify(piece)}\n\n`},
  ])
  const {model, teachers} = await teacherAt(server, {maxAttempts: 2})
  await model.complete(ask('hello'))
  expect(teachers.spending()).toMatchObject({requests: 2, estimated: 1})
  expect(teachers.spending().tokens).toBeGreaterThan(20)
})

test('a picture may cost little or much, but is counted', () => {
  const [message] = exchange.messages
  const images = [{type: 'image/png', base64: 'AAAA'}]
  const seen = {...exchange, messages: [{role: 'user' as const, content: message?.content ?? '', images}]}
  expect(isCredible({promptTokens: 190, completionTokens: 300}, seen)).toBe(true)
  expect(isCredible({promptTokens: 20_000, completionTokens: 300}, seen)).toBe(true)
  expect(isCredible({promptTokens: 20_000, completionTokens: 300}, exchange)).toBe(false)
  expect(promptTokensAtMost(seen.messages) - promptTokensAtMost(exchange.messages)).toBe(16_384)
  expect(promptTokensRoughly(seen.messages) - promptTokensRoughly(exchange.messages)).toBe(1024)
})
