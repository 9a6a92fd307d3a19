import {expect, test} from 'vitest'
import {chatClient, type Attempt} from '../../../../pipelines/core/llm/client.ts'
import type {Fault} from '../../../../pipelines/core/llm/fault.ts'
import type {ChatReply} from '../../../../pipelines/core/llm/model.ts'
import type {ChatServerOptions, Misbehaviour} from '../../../helpers/chat-server.ts'
import {ask, chatServer, profileFor, type ProfileFields} from '../../../helpers/teacher.ts'

const words = () => ({content: 'The tile holds 256 elements.', reasoning: 'UB has 192 KiB.'})

async function attempt(faults: readonly (Misbehaviour | undefined)[] | ChatServerOptions['script'], fields: ProfileFields = {}, apiKey?: string) {
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
  text: 'The tile holds 256 elements.', reasoning: 'UB has 192 KiB.', finishReason: 'stop', model: 'teacher-model-0001', usage: {promptTokens: 5, completionTokens: 11},
}

test.each([
  ['a stream', [], {}],
  ['one document', [], {stream: false}],
  ['one document although a stream was asked for', [{kind: 'no-stream'}], {}],
  ['a stream after comments that outlast the idle limit', [{kind: 'keep-alive', milliseconds: 1000}], {idleSeconds: 0.5}],
] satisfies [string, Misbehaviour[], ProfileFields][])('a reply is read from %s', async (_, faults, fields) => {
  const {result} = await attempt(faults, fields)
  expect(result).toEqual({outcome: 'replied', reply: whole, estimated: false})
})

test.each([
  ['the field `reasoning`', {kind: 'words', content: 'Answer.', reasoning: 'Thought.', reasoningField: 'reasoning'}],
  ['a <think> block', {kind: 'words', content: '<think>Thought.</think>Answer.'}],
  ['before a lone </think>', {kind: 'words', content: 'Thought.</think>Answer.'}],
] satisfies [string, Misbehaviour][])('reasoning is read from %s', async (_, said) => {
  const {result} = await attempt([said])
  expect(reply(result)).toMatchObject({text: 'Answer.', reasoning: 'Thought.'})
})

test('a reply without reasoning has an empty reasoning', async () => {
  const {result} = await attempt([{kind: 'words', content: 'Answer.'}])
  expect(reply(result)).toMatchObject({text: 'Answer.', reasoning: ''})
})

test('the finish reason is the endpoint\'s', async () => {
  const {result} = await attempt([], {maxTokens: 8})
  expect(reply(result)).toMatchObject({finishReason: 'length', usage: {completionTokens: 8}})
})

test('profile and request stand in the body as the protocol names them', async () => {
  const {server} = await attempt([], {systemPrompt: 'Be brief.', temperature: 0.6, topP: 0.95, extraBody: {reasoning_effort: 'high', max_tokens: null}})
  expect(server.served[0]?.body).toEqual({
    model: 'teacher-model', temperature: 0.6, top_p: 0.95, stream: true, stream_options: {include_usage: true}, reasoning_effort: 'high',
    messages: [{role: 'system', content: 'Be brief.'}, {role: 'user', content: 'How large is a tile?'}],
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
    body['stream_options'] ? {kind: 'status', status: 400, body: {error: {message: 'Unrecognized request argument: stream_options'}}} : undefined)
  expect(result).toMatchObject({outcome: 'replied', estimated: true})
  expect(server.served).toHaveLength(2)
})

test('an endpoint that cannot stream is asked for one document', async () => {
  const {result} = await attempt(({body}) =>
    body.stream ? {kind: 'status', status: 400, body: {error: {message: 'streaming is not supported for this model'}}} : undefined)
  expect(reply(result)).toEqual(whole)
})

test.each([
  ['silence from the start', {kind: 'hang'}, {timeoutSeconds: 0.1}, {kind: 'stalled', code: 'endpoint-stalled', spent: {promptTokens: 22, completionTokens: 0}}],
  ['a stream that stalls', {kind: 'stall'}, {idleSeconds: 0.1}, {kind: 'stalled', code: 'endpoint-stalled'}],
  ['a document that stalls', {kind: 'stall'}, {idleSeconds: 0.1, stream: false}, {kind: 'stalled', code: 'endpoint-stalled'}],
  ['comments without end', {kind: 'keep-alive', milliseconds: 5000}, {patienceSeconds: 0.2}, {kind: 'stalled', code: 'endpoint-stalled'}],
  ['a stream that is cut', {kind: 'cut'}, {}, {kind: 'cut', code: 'reply-invalid'}],
  ['a stream that ends early', {kind: 'early-end'}, {}, {kind: 'cut', code: 'reply-invalid'}],
  ['a document that is cut', {kind: 'cut'}, {stream: false}, {kind: 'cut', code: 'reply-invalid'}],
  ['broken JSON in a stream', {kind: 'invalid-json'}, {}, {kind: 'invalid', code: 'reply-invalid'}],
  ['broken JSON in a document', {kind: 'invalid-json'}, {stream: false}, {kind: 'invalid', code: 'reply-invalid', evidence: {body: '{"choices": ['}}],
  ['an error inside the stream', {kind: 'error-in-stream', body: {message: 'engine died', code: 500}}, {}, {kind: 'overloaded', code: 'endpoint-overloaded'}],
  ['500', {kind: 'status', status: 500}, {}, {kind: 'overloaded', spent: {promptTokens: 0}, evidence: {status: 500, requestId: 'request-of-the-test-server'}}],
  ['429', {kind: 'status', status: 429, headers: {'retry-after': '7'}}, {}, {kind: 'rate-limited', retryAfterMs: 7000}],
  ['429 without credit', {kind: 'status', status: 429, body: {error: {message: 'You exceeded your quota', code: 'insufficient_quota'}}}, {}, {kind: 'rejected', scope: 'run'}],
  ['402', {kind: 'status', status: 402, body: {error: {message: 'Insufficient Balance'}}}, {}, {kind: 'rejected', scope: 'run'}],
  ['401', {kind: 'status', status: 401}, {apiKeyEnv: 'TEACHER_KEY'}, {kind: 'rejected', scope: 'run', fix: 'Check the key in TEACHER_KEY.'}],
  ['404', {kind: 'status', status: 404, body: {error: {message: 'The model `x` does not exist', code: 'model_not_found'}}}, {}, {kind: 'rejected', scope: 'run'}],
  ['400 for the model', {kind: 'status', status: 400, body: {error: {message: 'Model Not Exist', code: 'model_not_found'}}}, {}, {kind: 'rejected', scope: 'run'}],
  ['400 for the length', {kind: 'status', status: 400, body: {error: {message: 'This model\'s maximum context length is 8192 tokens.'}}}, {}, {kind: 'rejected', scope: 'record'}],
  ['400 for something else', {kind: 'status', status: 400}, {}, {kind: 'rejected', code: 'endpoint-rejected', scope: 'record'}],
] satisfies [string, Misbehaviour, ProfileFields, object][])('%s is a fault with evidence', async (_, misbehaviour, fields, expected) => {
  const {result, server} = await attempt([misbehaviour], fields)
  expect(fault(result)).toMatchObject(expected)
  expect(server.served).toHaveLength(1)
})

test('a reply that began is charged with the prompt and what had arrived', async () => {
  const {result} = await attempt([{kind: 'cut'}])
  expect(fault(result).spent.promptTokens).toBeGreaterThan(5)
  expect(fault(result).spent.completionTokens).toBeGreaterThan(2)
})

test('a dead port is an unreachable endpoint, with the system\'s reason', async () => {
  const server = await chatServer()
  await server.close()
  const client = chatClient(profileFor(server.url), {apiKey: undefined, fetch, now: () => 0})
  const dead = fault(await client.attempt(ask('Anyone?')))
  expect(dead).toMatchObject({kind: 'unreachable', code: 'endpoint-unreachable', spent: {promptTokens: 0}})
  expect(dead.what).toContain('ECONNREFUSED')
})
