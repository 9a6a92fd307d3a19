import {afterAll, describe, expect, test} from 'vitest'
import {chatClient, type Attempt} from '../../../engine/llm/client.ts'
import {refused} from '../../helpers/behaviours.ts'
import {ask, chatServer, profileFor, type ProfileFields} from '../../helpers/teacher.ts'

const attempt = (url: string, question: string, fields: ProfileFields = {}): Promise<Attempt> =>
  chatClient(profileFor(url, fields), {apiKey: undefined, fetch, now: () => Date.now()}).attempt(ask(question))

// As llama-cpp-python 0.3.36 was seen to answer.
const overflow = {
  error: {
    message: "This model's maximum context length is 2048 tokens. However, you requested 9035 tokens.",
    type: 'invalid_request_error',
    param: 'messages',
    code: 'context_length_exceeded',
  },
}

test('a stream that ends before its first event is asked for whole, and tells the refusal', async () => {
  const {url, served} = await chatServer(({body}) =>
    body.stream === true
      ? {kind: 'page', text: '', type: 'text/event-stream; charset=utf-8'}
      : {kind: 'status', status: 400, body: overflow},
  )
  expect(await attempt(url, 'Long.')).toMatchObject(refused('fit', 'record', 'maximum context length is 2048'))
  expect(served.map(({body}) => [body.stream, 'stream_options' in body])).toEqual([
    [true, true],
    [false, false],
  ])
})

test('a page that stays empty is asked for twice and no more', async () => {
  const {url, stats} = await chatServer(() => ({kind: 'page', text: ''}))
  expect(await attempt(url, 'Hello?')).toMatchObject({fault: {kind: 'foreign'}})
  expect(stats.requests).toBe(2)
})

test('a reply that the next request interrupts is no reply, although [DONE] was said', async () => {
  const {url} = await chatServer([{kind: 'interrupted'}])
  const fix = expect.stringContaining('concurrency to 1') as string
  expect(await attempt(url, 'Tell a story.')).toMatchObject({fault: {kind: 'cut', scope: 'record', fix}})
})

test('a server of one model says which, and the run stops', async () => {
  const detail = "Server is pinned to '/models/m'; requested 'no-such'."
  const {url} = await chatServer([{kind: 'status', status: 400, body: {detail}}])
  expect(await attempt(url, 'Hello?')).toMatchObject(refused('address', 'run', 'pinned to'))
})

const endpoint = process.env['ASCEND_COT_TEST_ENDPOINT'] ?? ''
// A model on two cores reads 9,000 tokens in half a minute, or in several where others use them too.
const patience = {timeoutSeconds: 280, idleSeconds: 280}
const minutes = 60_000

describe.skipIf(endpoint === '')('a real server (its base URL in ASCEND_COT_TEST_ENDPOINT, without a key)', () => {
  const told: string[] = []
  afterAll(() => console.log(told.join('\n')))

  async function model(): Promise<string> {
    const {data} = (await (await fetch(`${endpoint}/models`)).json()) as {data: {id: string}[]}
    return data[0]?.id as string
  }

  test.each([true, false])(
    'completes, with a credible usage where it reports one (stream: %s)',
    async (stream) => {
      const got = await attempt(endpoint, 'Say hello.', {model: await model(), stream, maxTokens: 8})
      expect(got).toMatchObject({outcome: 'replied', reply: {finishReason: expect.stringMatching(/^(stop|length)$/)}})
      if (got.outcome !== 'replied') return
      expect(got.reply.text).not.toBe('')
      expect(got.reply.usage.promptTokens).toBeGreaterThan(0)
      expect(got.reply.usage.completionTokens).toBeGreaterThan(0)
      told.push(`stream ${stream}: usage ${got.estimated ? 'counted here' : 'reported'}`)
    },
    minutes,
  )

  test(
    'refuses what does not fit, or reads all of it',
    async () => {
      const got = await attempt(endpoint, 'tile queue buffer '.repeat(3000), {
        model: await model(),
        maxTokens: 4,
        ...patience,
      })
      if (got.outcome === 'failed') expect(got).toMatchObject(refused('fit', 'record'))
      else expect(got.reply.usage.promptTokens).toBeGreaterThan(3000)
      told.push(got.outcome === 'failed' ? `overflow: ${got.fault.what}` : 'overflow: taken whole')
    },
    5 * minutes,
  )

  test(
    'answers on after an asker that went away in the middle',
    async () => {
      const name = await model()
      const gone = new AbortController()
      const body = {model: name, messages: ask('Tell a long story.').messages, stream: true, max_tokens: 400}
      const headers = {'content-type': 'application/json'}
      const url = `${endpoint}/chat/completions`
      const reply = await fetch(url, {method: 'POST', headers, body: JSON.stringify(body), signal: gone.signal})
      await reply.body?.getReader().read()
      gone.abort()
      expect(await attempt(endpoint, 'Say hello.', {model: name, maxTokens: 8, ...patience})).toMatchObject({
        outcome: 'replied',
      })
    },
    5 * minutes,
  )
})
