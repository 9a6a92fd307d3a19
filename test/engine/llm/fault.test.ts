import {APIConnectionError, APIError} from 'openai'
import {describe, expect, test} from 'vitest'
import {
  asPipelineError,
  cutFault,
  deepestMessage,
  filteredFault,
  foreignFault,
  invalidFault,
  isOutage,
  isRetryable,
  nothing,
  stalledFault,
  type Fault,
} from '../../../engine/llm/fault.ts'
import {faultFrom} from '../../../engine/llm/fault-from.ts'
import {TeacherProfile} from '../../../engine/llm/profile.ts'

const profile = TeacherProfile.parse({model: 'm', baseUrl: 'http://h.example/v1/'})
const keyed = TeacherProfile.parse({model: 'm', baseUrl: 'http://h.example/v1', apiKeyEnv: 'MY_KEY'})
const occasion = (of = profile) => ({profile: of, now: 1000, redact: (text: string) => text.replaceAll('secret', '…')})

const answered = (status: number | undefined, error: unknown, headers: Record<string, string> = {}, of = profile) =>
  faultFrom(new APIError(status, error as object | undefined, 'told', new Headers(headers)), occasion(of))

describe('what an endpoint answers', () => {
  test.each<[number | undefined, unknown, string, string, string]>([
    [429, {message: 'slow down'}, 'rate-limited', 'endpoint-overloaded', 'record'],
    [429, {message: 'You exceeded', code: 'insufficient_quota'}, 'rejected', 'endpoint-rejected', 'run'],
    [402, {message: 'pay'}, 'rejected', 'endpoint-rejected', 'run'],
    [400, {message: 'Insufficient Balance'}, 'rejected', 'endpoint-rejected', 'run'],
    [401, {message: 'who are you'}, 'rejected', 'endpoint-rejected', 'run'],
    [403, {message: 'no'}, 'rejected', 'endpoint-rejected', 'run'],
    [404, {message: 'no'}, 'rejected', 'endpoint-rejected', 'run'],
    [400, {message: 'model_not_found'}, 'rejected', 'endpoint-rejected', 'run'],
    [400, {message: 'The model `m` does not exist'}, 'rejected', 'endpoint-rejected', 'run'],
    [400, {message: 'Unknown model m'}, 'rejected', 'endpoint-rejected', 'run'],
    [400, {message: 'no', code: 'context_length_exceeded'}, 'rejected', 'endpoint-rejected', 'record'],
    [404, {message: 'too many tokens'}, 'rejected', 'endpoint-rejected', 'record'],
    [400, {message: 'max_tokens is too large'}, 'rejected', 'endpoint-rejected', 'record'],
    [400, {message: 'temperature'}, 'rejected', 'endpoint-rejected', 'record'],
    [422, {message: 'temperature'}, 'rejected', 'endpoint-rejected', 'record'],
    [499, {message: 'x'}, 'rejected', 'endpoint-rejected', 'record'],
    [408, {message: 'x'}, 'overloaded', 'endpoint-overloaded', 'record'],
    [409, {message: 'x'}, 'overloaded', 'endpoint-overloaded', 'record'],
    [425, {message: 'x'}, 'overloaded', 'endpoint-overloaded', 'record'],
    [424, {message: 'x'}, 'rejected', 'endpoint-rejected', 'record'],
    [500, {message: 'x'}, 'overloaded', 'endpoint-overloaded', 'record'],
    [503, {message: 'x'}, 'overloaded', 'endpoint-overloaded', 'record'],
    [undefined, {message: 'x'}, 'overloaded', 'endpoint-overloaded', 'record'],
    [undefined, {message: 'x', code: 400}, 'rejected', 'endpoint-rejected', 'record'],
    [undefined, {message: 'x', code: '429'}, 'rate-limited', 'endpoint-overloaded', 'record'],
    [undefined, {message: 'x', code: 399}, 'overloaded', 'endpoint-overloaded', 'record'],
    [undefined, {message: 'x', code: 600}, 'overloaded', 'endpoint-overloaded', 'record'],
    [undefined, {message: 'x', code: 'bad'}, 'overloaded', 'endpoint-overloaded', 'record'],
    [undefined, undefined, 'overloaded', 'endpoint-overloaded', 'record'],
  ])('%s %j is %s: %s of the %s', (status, error, kind, code, scope) => {
    expect(answered(status, error)).toMatchObject({kind, code, scope, spent: nothing})
  })

  test('is told in its own words', () => {
    expect(answered(429, {message: 'slow'}).what).toBe('the endpoint kept returning 429 (too many requests): slow')
    expect(answered(402, {message: 'pay', code: 'x1'}).what).toBe('the account has no credit left (402): pay, x1')
    expect(answered(401, {message: 'a secret'}).what).toBe('the key was refused (401): a …')
    expect(answered(404, {message: 'no'}).what).toBe('no such model or address (404): no')
    expect(answered(400, {message: 'prompt is too long'}).what).toBe(
      'the request does not fit the model (400): prompt is too long',
    )
    expect(answered(400, {detail: 'x'}).what).toBe('the request was refused (400): x')
    expect(answered(undefined, {message: 'x', code: 400}).what).toBe('the request was refused (400): x, 400')
    expect(answered(500, {message: 'x'}).what).toBe('the endpoint failed with 500: x')
    expect(answered(undefined, {message: 'x'}).what).toBe('the endpoint failed with an error inside the reply: x')
    expect(answered(500, {message: 'y'.repeat(900)}).evidence.body).toHaveLength(400)
  })

  test('says what to do', () => {
    expect(answered(401, {message: 'x'}).fix).toBe(
      "Set the teacher's apiKeyEnv to the environment variable that holds the key.",
    )
    expect(answered(403, {message: 'x'}, {}, keyed).fix).toBe('Check the key in MY_KEY.')
    expect(answered(404, {message: 'x'}).fix).toBe(
      "Check the teacher's model (m) and baseUrl (http://h.example/v1; it usually ends in /v1).",
    )
  })

  test('and when to come back', () => {
    const wait = (headers: Record<string, string>) => answered(429, {message: 'x'}, headers).retryAfterMs
    expect(wait({'retry-after-ms': '1500', 'retry-after': '9'})).toBe(1500)
    expect(wait({'retry-after-ms': '0'})).toBe(0)
    expect(wait({'retry-after-ms': '-1', 'retry-after': '9'})).toBe(9000)
    expect(wait({'retry-after': '2.5'})).toBe(2500)
    expect(wait({'retry-after': 'Thu, 01 Jan 1970 00:00:03 GMT'})).toBe(2000)
    expect(wait({'retry-after': 'Thu, 01 Jan 1970 00:00:00 GMT'})).toBe(0)
    expect(wait({'retry-after': 'soon'})).toBeUndefined()
    expect(wait({})).toBeUndefined()
  })

  test('keeps the status and the id of the request as evidence', () => {
    expect(answered(500, {message: 'x'}, {'x-request-id': 'r-1'}).evidence).toEqual({
      status: 500,
      body: 'x',
      refusal: 'overload',
      requestId: 'r-1',
    })
    expect(answered(undefined, {message: 'x'}).evidence).toEqual({body: 'x', refusal: 'overload'})
  })
})

describe('a connection that fails', () => {
  const cause = Object.assign(new Error(''), {code: 'ECONNREFUSED'})
  test('before a reply is an address that cannot be reached, within one a reply that was cut', () => {
    const error = new APIConnectionError({message: 'Connection error.', cause})
    expect(faultFrom(error, occasion())).toEqual({
      kind: 'unreachable',
      code: 'endpoint-unreachable',
      scope: 'record',
      spent: nothing,
      evidence: {cause: 'ECONNREFUSED'},
      what: 'no connection (ECONNREFUSED)',
      fix: 'Check that the endpoint is running and that baseUrl names its host and port.',
    })
    const spent = {promptTokens: 1, completionTokens: 7}
    expect(faultFrom(error, occasion(), spent)).toEqual(cutFault('ECONNREFUSED', spent))
    expect(faultFrom(new TypeError('terminated'), occasion(), spent)).toMatchObject({
      kind: 'cut',
      code: 'reply-invalid',
      what: 'the reply was cut off after about 7 tokens (terminated)',
    })
  })
  test('is told by its deepest cause', () => {
    expect(deepestMessage(new Error('a', {cause: new Error('b', {cause: new Error('c secret')})}))).toBe('c secret')
    expect(deepestMessage(new Error('a', {cause: 'b'}))).toBe('a')
    expect(deepestMessage(cause)).toBe('ECONNREFUSED')
    expect(deepestMessage(new TypeError(''))).toBe('TypeError')
    expect(deepestMessage('text')).toBe('text')
  })
})

describe('other ends of an attempt', () => {
  const spent = {promptTokens: 3, completionTokens: 4}
  test('silence names the limit that it passed', () => {
    expect(stalledFault({limit: 'idleSeconds', seconds: 90, before: 'ended'}, spent)).toMatchObject({
      kind: 'stalled',
      code: 'endpoint-stalled',
      scope: 'record',
      spent,
      what: 'nothing was received for 90 s before the reply ended',
      fix: "Resume later, or raise the teacher's idleSeconds if the model needs longer.",
    })
    expect(stalledFault({limit: 'patienceSeconds', seconds: 9, before: 'began'}, spent).what).toBe(
      'the reply was not complete after 9 s',
    )
  })
  test('a reply that is none shows how it begins', () => {
    expect(invalidFault('no choices', 'x'.repeat(500), spent)).toMatchObject({
      kind: 'invalid',
      code: 'reply-invalid',
      evidence: {body: 'x'.repeat(400)},
      what: 'the reply is not a chat completion (no choices)',
    })
    const words = (text: string) => foreignFault('html', text, spent).what
    expect(words(' Welcome \n here ')).toBe('the server there is not a chat-completions API (html: Welcome here)')
    expect(words('')).toBe('the server there is not a chat-completions API (html)')
    expect(words('y'.repeat(80))).toBe(`the server there is not a chat-completions API (html: ${'y'.repeat(80)})`)
    expect(words('y'.repeat(81))).toBe(`the server there is not a chat-completions API (html: ${'y'.repeat(80)}…)`)
    expect(foreignFault('html', '', spent)).toMatchObject({kind: 'foreign', code: 'reply-invalid', spent})
  })
  test('a reply that is withheld keeps what the endpoint told of it', () => {
    expect(filteredFault('content_filter', spent, true)).toMatchObject({
      kind: 'filtered',
      code: 'reply-invalid',
      told: true,
      evidence: {cause: 'content_filter'},
      what: "the endpoint's content filter withheld the reply (finish_reason content_filter)",
    })
  })
})

test.each<[Fault['kind'], retryable: boolean, outage: boolean]>([
  ['rate-limited', true, false],
  ['unreachable', true, true],
  ['overloaded', true, true],
  ['stalled', true, true],
  ['cut', true, false],
  ['invalid', true, false],
  ['foreign', true, true],
  ['filtered', false, false],
  ['rejected', false, false],
])('%s is tried again: %s; speaks against the endpoint: %s', (kind, retryable, outage) => {
  const fault = {...invalidFault('', '', nothing), kind}
  expect([isRetryable(fault), isOutage(fault)]).toEqual([retryable, outage])
})

test('the error names the endpoint, and the attempts from the second on', () => {
  const fault = {...invalidFault('no choices', 'body', nothing), scope: 'run' as const}
  const error = asPipelineError(fault, profile, 1, 'why')
  expect(error).toMatchObject({
    code: 'reply-invalid',
    scope: 'run',
    message: 'm at http://h.example/v1: the reply is not a chat completion (no choices).',
    evidence: {url: 'http://h.example/v1', model: 'm', attempts: 1, kind: 'invalid', body: 'body'},
    cause: 'why',
  })
  expect(asPipelineError(fault, profile, 2).message).toContain('(no choices) after 2 attempts.')
})
