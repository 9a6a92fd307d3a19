import {expect, test} from 'vitest'
import {chatClient, type Attempt} from '../../../engine/llm/client.ts'
import type {Fault} from '../../../engine/llm/fault.ts'
import type {ChatReply} from '../../../engine/llm/model.ts'
import type {ChatServerOptions} from '../../helpers/chat-server.ts'
import type {Misbehaviour} from '../../helpers/misbehaviour.ts'
import {ask, chatServer, profileFor, type ProfileFields} from '../../helpers/teacher.ts'

const words = () => ({content: 'The tile holds 256 elements.', reasoning: 'UB has 192 KiB.'})

async function attempt(
  faults: readonly (Misbehaviour | undefined)[] | ChatServerOptions['script'],
  fields: ProfileFields = {},
  apiKey?: string,
) {
  const server = await chatServer(faults, {reply: words})
  const client = chatClient(profileFor(server.url, fields), {apiKey, fetch, now: () => 0})
  return {server, result: await client.attempt(ask('How large is a tile?'))}
}

function reply(result: Attempt): ChatReply {
  if (result.outcome === 'failed') throw new Error(JSON.stringify(result.fault))
  return result.reply
}

function fault(result: Attempt): Fault {
  if (result.outcome === 'replied') throw new Error(JSON.stringify(result.reply))
  return result.fault
}

const whole: ChatReply = {
  text: 'The tile holds 256 elements.',
  reasoning: 'UB has 192 KiB.',
  finishReason: 'stop',
  model: 'teacher-model-0001',
  usage: {promptTokens: 5, completionTokens: 11},
}

test.each([
  ['a stream', [], {}],
  ['one document', [], {stream: false}],
  ['one document although a stream was asked for', [{kind: 'no-stream'}], {}],
  ['a stream after comments that outlast the idle limit', [{kind: 'keep-alive', milliseconds: 2500}], {idleSeconds: 2}],
] satisfies [string, Misbehaviour[], ProfileFields][])('a reply is read from %s', async (_, faults, fields) => {
  const {result} = await attempt(faults, fields)
  expect(result).toEqual({outcome: 'replied', reply: whole, estimated: false, trimmed: false})
})

test.each([
  ['the field `reasoning`', {kind: 'words', content: 'Answer.', reasoning: 'Thought.', reasoningField: 'reasoning'}],
  ['a <think> block', {kind: 'words', content: '<think>Thought.</think>Answer.'}],
  ['before a lone </think>', {kind: 'words', content: 'Thought.</think>Answer.'}],
] satisfies [string, Misbehaviour][])('reasoning is read from %s', async (_, said) => {
  const {result} = await attempt([said])
  expect(reply(result)).toMatchObject({text: 'Answer.', reasoning: 'Thought.'})
})

test.each([{}, {stream: false}])('of two choices only the first is read (%o)', async (fields) => {
  const {result} = await attempt([{kind: 'two-choices', other: 'Another answer.'}], fields)
  expect(reply(result)).toEqual(whole)
})

test.each([[{}], [{stream: false}]])('bytes that are not UTF-8 are no reply (%o)', async (fields) => {
  const words2 = () => ({content: 'The tile holds ? elements.', reasoning: ''})
  for (const [bytes, good] of [
    [[0xff], false],
    [[0xe4, 0xbd], false],
    [[0xed, 0xa0, 0x80], false],
    [[0xe4, 0xbd, 0xa0], true],
  ] as const) {
    const server = await chatServer([{kind: 'bytes', bytes: [...bytes]}], {reply: words2})
    const client = chatClient(profileFor(server.url, fields), {apiKey: undefined, fetch, now: () => 0})
    const result = await client.attempt(ask('How large is a tile?'))
    if (good) expect(reply(result).text).toBe('The tile holds 你 elements.')
    else
      expect(fault(result)).toMatchObject({
        kind: 'invalid',
        code: 'reply-invalid',
        what: expect.stringContaining('its bytes are not UTF-8'),
      })
  }
})

test('half a character is no reply, a character in two pieces is one', async () => {
  const stream = (...pieces: string[]): Misbehaviour => ({
    kind: 'page',
    type: 'text/event-stream',
    text: [
      ...pieces.map((piece) => `data: {"choices": [{"index": 0, "delta": {"content": "${piece}"}}]}\n\n`),
      'data: {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}\n\ndata: [DONE]\n\n',
    ].join(''),
  })
  expect(reply((await attempt([stream('\\ud83d', '\\ude00')])).result).text).toBe('😀')
  expect(fault((await attempt([stream('\\ud83d', ' ')])).result)).toMatchObject({
    kind: 'invalid',
    what: expect.stringContaining('half a character'),
  })
})

test('a reply without end is broken off before it fills the memory', async () => {
  const server = await chatServer([{kind: 'page', type: 'application/json', text: ' '.repeat(2 ** 24 + 3000)}])
  const client = chatClient(profileFor(server.url, {maxTokens: 1}), {apiKey: undefined, fetch, now: () => 0})
  expect(fault(await client.attempt(ask('hello')))).toMatchObject({
    kind: 'invalid',
    what: expect.stringContaining('longer than 16779264 bytes'),
  })
})

test('a reply without reasoning has an empty reasoning', async () => {
  const {result} = await attempt([{kind: 'words', content: 'Answer.'}])
  expect(reply(result)).toMatchObject({text: 'Answer.', reasoning: ''})
})

test("the finish reason is the endpoint's", async () => {
  const {result} = await attempt([], {maxTokens: 8})
  expect(reply(result)).toMatchObject({finishReason: 'length', usage: {completionTokens: 8}})
})

test('profile and request stand in the body as the protocol names them', async () => {
  const {server} = await attempt([], {
    systemPrompt: 'Be brief.',
    temperature: 0.6,
    topP: 0.95,
    extraBody: {reasoning_effort: 'high', max_tokens: null},
  })
  expect(server.served[0]?.body).toEqual({
    model: 'teacher-model',
    temperature: 0.6,
    top_p: 0.95,
    stream: true,
    stream_options: {include_usage: true},
    reasoning_effort: 'high',
    messages: [
      {role: 'system', content: 'Be brief.'},
      {role: 'user', content: 'How large is a tile?'},
    ],
  })
})

test('the key is sent as a bearer token, and nothing is sent without one', async () => {
  const withKey = await attempt([], {}, 'secret')
  expect(withKey.server.served[0]?.headers.authorization).toBe('Bearer secret')
  const without = await attempt([])
  expect(without.server.served[0]?.headers.authorization).toBeUndefined()
})

test('tokens are counted here when the endpoint does not say', async () => {
  const {result} = await attempt([{kind: 'no-usage'}])
  expect(result).toMatchObject({outcome: 'replied', estimated: true})
  expect(reply(result).usage.completionTokens).toBeGreaterThan(8)
  expect(reply(result).usage.completionTokens).toBeLessThan(20)
})

test('a system prompt of the profile counts too', async () => {
  const plain = reply((await attempt([{kind: 'no-usage'}])).result).usage.promptTokens
  const {result} = await attempt([{kind: 'no-usage'}], {systemPrompt: 'tile '.repeat(100)})
  expect(reply(result).usage.promptTokens).toBeGreaterThan(plain + 90)
})

test('an endpoint that knows no stream_options is asked without them', async () => {
  const {server, result} = await attempt(({body}) =>
    body['stream_options']
      ? {kind: 'status', status: 400, body: {error: {message: 'Unrecognized request argument: stream_options'}}}
      : undefined,
  )
  expect(result).toMatchObject({outcome: 'replied', estimated: true})
  expect(server.served).toHaveLength(2)
})

test('an endpoint that cannot stream is asked for one document', async () => {
  const {result} = await attempt(({body}) =>
    body.stream
      ? {kind: 'status', status: 400, body: {error: {message: 'streaming is not supported for this model'}}}
      : undefined,
  )
  expect(reply(result)).toEqual(whole)
})

test.each([
  [
    'silence from the start',
    {kind: 'hang'},
    {timeoutSeconds: 0.1},
    {kind: 'stalled', code: 'endpoint-stalled', spent: {promptTokens: 22, completionTokens: 0}},
  ],
  ['a stream that stalls', {kind: 'stall'}, {idleSeconds: 0.1}, {kind: 'stalled', code: 'endpoint-stalled'}],
  [
    'a document that stalls',
    {kind: 'stall'},
    {idleSeconds: 0.1, stream: false},
    {kind: 'stalled', code: 'endpoint-stalled'},
  ],
  [
    'comments without end',
    {kind: 'keep-alive', milliseconds: 5000},
    {patienceSeconds: 0.2},
    {kind: 'stalled', code: 'endpoint-stalled'},
  ],
  ['a stream that is cut', {kind: 'cut'}, {}, {kind: 'cut', code: 'reply-invalid'}],
  ['a stream that ends early', {kind: 'early-end'}, {}, {kind: 'cut', code: 'reply-invalid'}],
  ['a document that is cut', {kind: 'cut'}, {stream: false}, {kind: 'cut', code: 'reply-invalid'}],
  ['broken JSON in a stream', {kind: 'invalid-json'}, {}, {kind: 'invalid', code: 'reply-invalid'}],
  [
    'broken JSON in a document',
    {kind: 'invalid-json'},
    {stream: false},
    {kind: 'invalid', code: 'reply-invalid', evidence: {body: '{"choices": ['}},
  ],
  [
    'an error inside the stream',
    {kind: 'error-in-stream', body: {message: 'engine died', code: 500}},
    {},
    {kind: 'overloaded', code: 'endpoint-overloaded'},
  ],
  [
    'a byte now and then',
    {kind: 'drip', milliseconds: 10},
    {patienceSeconds: 0.2},
    {kind: 'stalled', code: 'endpoint-stalled'},
  ],
  [
    'headers without end',
    {kind: 'drip', milliseconds: 10, from: 'headers'},
    {timeoutSeconds: 0.2},
    {kind: 'stalled', code: 'endpoint-stalled'},
  ],
  [
    'a web page',
    {kind: 'page', text: '<html>'},
    {},
    {kind: 'foreign', code: 'reply-invalid', evidence: {body: '<html>'}, spent: {promptTokens: 0}},
  ],
  [
    'another API',
    {kind: 'page', text: '{"a": 1}'},
    {},
    {kind: 'foreign', code: 'reply-invalid', evidence: {body: '{"a": 1}'}},
  ],
  [
    'an error with status 200',
    {kind: 'page', text: '{"error": "wrong path"}'},
    {},
    {kind: 'overloaded', what: expect.stringContaining('wrong path')},
  ],
  [
    'a content filter',
    {kind: 'words', content: 'Half', finishReason: 'content_filter'},
    {},
    {kind: 'filtered', spent: {completionTokens: 1}, told: true},
  ],
  [
    '500',
    {kind: 'status', status: 500},
    {},
    {kind: 'overloaded', spent: {promptTokens: 0}, evidence: {status: 500, requestId: 'request-of-the-test-server'}},
  ],
  ['429', {kind: 'status', status: 429, headers: {'retry-after': '7'}}, {}, {kind: 'rate-limited', retryAfterMs: 7000}],
  [
    '429 without credit',
    {kind: 'status', status: 429, body: {error: {message: 'You exceeded your quota', code: 'insufficient_quota'}}},
    {},
    {kind: 'rejected', scope: 'run'},
  ],
  [
    '402',
    {kind: 'status', status: 402, body: {error: {message: 'Insufficient Balance'}}},
    {},
    {kind: 'rejected', scope: 'run'},
  ],
  [
    '402 in other words',
    {kind: 'status', status: 402, body: {error: {message: 'Please add a card'}}},
    {},
    {kind: 'rejected', scope: 'run', fix: expect.stringContaining('Top up the account') as string},
  ],
  [
    '401',
    {kind: 'status', status: 401},
    {apiKeyEnv: 'TEACHER_KEY'},
    {kind: 'rejected', scope: 'run', fix: 'Check the key in TEACHER_KEY.'},
  ],
  [
    '404',
    {kind: 'status', status: 404, body: {error: {message: 'The model `x` does not exist', code: 'model_not_found'}}},
    {},
    {kind: 'rejected', scope: 'run'},
  ],
  [
    '400 for the model',
    {kind: 'status', status: 400, body: {error: {message: 'Model Not Exist', code: 'model_not_found'}}},
    {},
    {kind: 'rejected', scope: 'run'},
  ],
  [
    '400 for the length',
    {kind: 'status', status: 400, body: {error: {message: "This model's maximum context length is 8192 tokens."}}},
    {},
    {kind: 'rejected', scope: 'record'},
  ],
  [
    '400 for something else',
    {kind: 'status', status: 400},
    {},
    {kind: 'rejected', code: 'endpoint-rejected', scope: 'record'},
  ],
] satisfies [string, Misbehaviour, ProfileFields, object][])(
  '%s is a fault with evidence',
  async (_, misbehaviour, fields, expected) => {
    const {result, server} = await attempt([misbehaviour], fields)
    expect(fault(result)).toMatchObject(expected)
    expect(server.served).toHaveLength(1)
  },
)

test('a reply that began is charged with the prompt and what had arrived', async () => {
  const {result} = await attempt([{kind: 'cut'}])
  expect(fault(result).spent.promptTokens).toBeGreaterThan(5)
  expect(fault(result).spent.completionTokens).toBeGreaterThan(2)
})

const key = 'sk-0123456789abcdef'
const echo =
  (status: number): ChatServerOptions['script'] =>
  ({headers}) => ({
    kind: 'status',
    status,
    headers: {'x-request-id': `${headers.authorization}`},
    body: {error: {message: `${'.'.repeat(385)}${headers.authorization}`}},
  })

test.each([
  ['400', echo(400)],
  ['401', echo(401)],
  ['402', echo(402)],
  ['404', echo(404)],
  ['429', echo(429)],
  ['500', echo(500)],
  [
    'an error inside the stream',
    ({headers}) => ({kind: 'error-in-stream', body: {message: headers.authorization, code: 500}}),
  ],
  ['a page', ({headers}) => ({kind: 'page', text: `<pre>${headers.authorization}</pre>`})],
  [
    'a document of another kind',
    ({headers}) => ({kind: 'page', text: JSON.stringify({[`${headers.authorization}`]: JSON.stringify(headers)})}),
  ],
  [
    'a field of the wrong type',
    ({headers}) => ({kind: 'page', text: JSON.stringify({choices: `${headers.authorization}`})}),
  ],
  [
    'a broken event',
    ({headers}) => ({kind: 'page', text: `data: ${headers.authorization}\n\n`, type: 'text/event-stream'}),
  ],
  [
    'a finish reason',
    ({headers}) => ({kind: 'words', content: 'Half', finishReason: `content_filter ${headers.authorization}`}),
  ],
] satisfies [string, ChatServerOptions['script']][])('a key echoed in %s is not in the fault', async (_, script) => {
  const {result, server} = await attempt(script, {apiKeyEnv: 'TEACHER_KEY'}, key)
  expect(server.served[0]?.headers.authorization).toBe(`Bearer ${key}`)
  expect(JSON.stringify(fault(result))).not.toMatch(/sk-0|0123456/)
})

test('a key that comes back as an answer is hidden in the reply', async () => {
  const {result} = await attempt(
    ({headers}) => ({kind: 'words', content: `It is ${headers.authorization}.`, reasoning: `${headers.authorization}`}),
    {},
    key,
  )
  expect(reply(result)).toMatchObject({text: 'It is Bearer [key hidden].', reasoning: 'Bearer [key hidden]'})
})

test('a key that cannot be sent is not shown either', async () => {
  const server = await chatServer()
  const client = chatClient(profileFor(server.url), {apiKey: `${key}–x`, fetch, now: () => 0})
  expect(JSON.stringify(await client.attempt(ask('hello')))).not.toMatch(/sk-0|0123456/)
})

test("a dead port is an unreachable endpoint, with the system's reason", async () => {
  const server = await chatServer()
  await server.close()
  const client = chatClient(profileFor(server.url), {apiKey: undefined, fetch, now: () => 0})
  const dead = fault(await client.attempt(ask('Anyone?')))
  expect(dead).toMatchObject({kind: 'unreachable', code: 'endpoint-unreachable', spent: {promptTokens: 0}})
  expect(dead.what).toContain('ECONNREFUSED')
})
