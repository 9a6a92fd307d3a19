import {describe, expect, test} from 'vitest'
import {completionLimit, messagesOf} from '../../../engine/llm/asked.ts'
import {chatClient, type Attempt} from '../../../engine/llm/client.ts'
import type {ChatRequest} from '../../../engine/llm/model.ts'
import {ask, profileFor, type ProfileFields} from '../../helpers/teacher.ts'

type Body = Record<string, unknown>
const url = 'http://127.0.0.1:9/v1'

/** A client whose requests are answered here, together as soon as so many have come. */
function clientOf(answer: (body: Body) => Response, fields: ProfileFields = {}, together = 1) {
  const sent: Body[] = []
  let waiting: (() => void)[] = []
  const client = chatClient(profileFor(url, fields), {
    apiKey: undefined,
    now: () => 0,
    fetch: async (_, init) => {
      const body = JSON.parse(String(init?.body)) as Body
      sent.push(body)
      if (sent.length < together) await new Promise<void>((resolve) => waiting.push(resolve))
      for (const go of waiting) go()
      waiting = []
      return answer(body)
    },
  })
  return {client, sent}
}

const json = {'content-type': 'application/json'}
const refusal = (message: string) => new Response(JSON.stringify({error: {message}}), {status: 400, headers: json})
const completion = (over: object = {}) => ({
  model: 'm',
  choices: [{index: 0, message: {content: 'Answer.'}, finish_reason: 'stop'}],
  usage: {prompt_tokens: 5, completion_tokens: 2},
  ...over,
})
const answered = (over: object = {}, padding = 0) =>
  new Response(JSON.stringify(completion(over)) + ' '.repeat(padding), {headers: json})
const outcomes = (attempts: readonly Attempt[]) => attempts.map(({outcome}) => outcome)
const asked = ({stream, stream_options}: Body) => [stream, stream_options !== undefined]

describe('what an endpoint refuses is left out from then on', () => {
  const noOptions = (body: Body) => (body['stream_options'] ? refusal('stream_options is not supported') : answered())
  const noStream = (body: Body) => (body['stream'] ? refusal('streaming is not allowed') : answered())

  test('also when several are refused at once: none gives up more than it was refused for', async () => {
    const {client, sent} = clientOf(noOptions, {}, 3)
    const attempts = await Promise.all(['a', 'b', 'c'].map((text) => client.attempt(ask(text))))
    expect(outcomes(attempts)).toEqual(['replied', 'replied', 'replied'])
    expect(sent.map(asked)).toEqual([...Array(3).fill([true, true]), ...Array(3).fill([true, false])])
  })

  test('several at once that cannot stream are all answered in one document', async () => {
    const {client, sent} = clientOf(noStream, {}, 2)
    expect(outcomes(await Promise.all(['a', 'b'].map((text) => client.attempt(ask(text)))))).toEqual([
      'replied',
      'replied',
    ])
    expect(sent.map(asked)).toEqual([
      [true, true],
      [true, true],
      [false, false],
      [false, false],
    ])
  })

  test('one after the other, where it is two things', async () => {
    const {client, sent} = clientOf((body) => (body['stream_options'] ? noOptions(body) : noStream(body)))
    expect((await client.attempt(ask('a'))).outcome).toBe('replied')
    expect((await client.attempt(ask('b'))).outcome).toBe('replied')
    expect(sent.map(asked)).toEqual([
      [true, true],
      [true, false],
      [false, false],
      [false, false],
    ])
  })

  test.each([
    ['include_usage: extra fields', [true, false]],
    ['Stream is unsupported', [false, false]],
    ['stream: invalid value', [false, false]],
    ['STREAM NOT ALLOWED', [false, false]],
  ])('%j changes the next request to %j', async (message, next) => {
    const {client, sent} = clientOf((body) => (sent.length === 1 ? refusal(message) : answered({}, body ? 0 : 1)))
    expect((await client.attempt(ask('a'))).outcome).toBe('replied')
    expect(sent.map(asked)).toEqual([[true, true], next])
  })

  test.each(['the stream is full', 'this is not supported', 'no such model', ''])(
    '%j changes nothing and is not asked again',
    async (message) => {
      const {client, sent} = clientOf(() => refusal(message))
      expect(await client.attempt(ask('a'))).toMatchObject({outcome: 'failed', fault: {kind: 'rejected'}})
      expect(sent).toHaveLength(1)
    },
  )

  test('what was not asked for cannot be left out', async () => {
    const {client, sent} = clientOf(() => refusal('stream_options: streaming is not supported'), {stream: false})
    expect((await client.attempt(ask('a'))).outcome).toBe('failed')
    expect(sent.map(asked)).toEqual([[false, false]])
  })
})

describe('the completion limit', () => {
  test.each<[Body, number | undefined, number]>([
    [{}, undefined, 200],
    [{}, 7, 7],
    [{max_tokens: 9}, 7, 9],
    [{max_completion_tokens: 11}, 7, 11],
    [{max_completion_tokens: 11, max_tokens: 9}, 7, 11],
    [{max_completion_tokens: null, max_tokens: 9}, 7, 9],
    [{max_completion_tokens: null}, undefined, 200],
    [{max_tokens: null}, undefined, 200],
    [{max_tokens: '9'}, 7, 7],
  ])('with %j of the profile and %s of the request is %d', (extraBody, maxTokens, limit) => {
    const profile = profileFor(url, {extraBody: extraBody as ProfileFields['extraBody'] & object})
    expect(completionLimit(profile, ask('a', maxTokens === undefined ? {} : {maxTokens}))).toBe(limit)
  })

  test.each<[Body, number | undefined, number | undefined]>([
    [{}, 200, undefined],
    [{max_tokens: 9}, 9, undefined],
    [{max_completion_tokens: 11}, undefined, 11],
    [{max_completion_tokens: null}, undefined, undefined],
  ])('with %j goes out as max_tokens %s and max_completion_tokens %s', async (extraBody, older, newer) => {
    const {client, sent} = clientOf(() => answered(), {extraBody: extraBody as ProfileFields['extraBody'] & object})
    await client.attempt(ask('a'))
    expect([sent[0]?.['max_tokens'], sent[0]?.['max_completion_tokens']]).toEqual([older, newer])
  })

  test.each([
    [0, 'replied'],
    [1, 'failed'],
  ] as const)('bounds the bytes of a reply: %d beyond 16 MiB and 2 KiB a token is %s', async (more, outcome) => {
    const length = JSON.stringify(completion()).length
    const {client} = clientOf(() => answered({}, 2 ** 24 + 3 * 2048 - length + more), {maxTokens: 3})
    expect((await client.attempt(ask('a'))).outcome).toBe(outcome)
  })
})

describe('the system prompt of a profile', () => {
  const user = {role: 'user', content: 'u'} as const
  const system = {role: 'system', content: 's'} as const
  test.each<[string | undefined, ChatRequest['messages'], ChatRequest['messages']]>([
    [undefined, [system, user], [system, user]],
    ['p', [user], [{role: 'system', content: 'p'}, user]],
    ['p', [system, user], [{role: 'system', content: 'p\n\ns'}, user]],
    ['p', [user, system], [{role: 'system', content: 'p'}, user, system]],
    ['p', [], [{role: 'system', content: 'p'}]],
  ])('%j before %j: %j', (systemPrompt, messages, together) => {
    const profile = profileFor(url, systemPrompt === undefined ? {} : {systemPrompt})
    expect(messagesOf(profile, {messages})).toEqual(together)
  })
})

describe('of log-probabilities of a prompt', () => {
  test.each([
    [[null, {9: {logprob: -1}}, {8: {logprob: -0.5}}], {tokens: 2, sum: -1.5}],
    [[null], undefined],
    [[], undefined],
    [null, undefined],
    [[{9: {logprob: -1}, 8: {logprob: -2}}], undefined],
    [[{}], undefined],
    [[{9: {logprob: '-1'}}], undefined],
  ])('%j is kept %j', async (prompt_logprobs, kept) => {
    const {client} = clientOf(() => answered({prompt_logprobs}))
    expect(await client.attempt(ask('a'))).toEqual({
      outcome: 'replied',
      estimated: false,
      trimmed: false,
      reply: {
        text: 'Answer.',
        reasoning: '',
        finishReason: 'stop',
        model: 'm',
        usage: {promptTokens: 5, completionTokens: 2},
        ...(kept && {promptLogprobs: kept}),
      },
    })
  })
})

test.each([
  ['', 'an empty page'],
  [' \n', 'an empty page'],
  ['<html>', 'a web page'],
  ['\n <!doctype html>', 'a web page'],
  ['Hello <b>', 'not JSON'],
])('%j is %s', async (text, what) => {
  const {client} = clientOf(() => new Response(text, {headers: json}))
  const attempt = await client.attempt(ask('a'))
  expect(attempt).toMatchObject({outcome: 'failed', fault: {kind: 'foreign', what: expect.stringContaining(what)}})
})
