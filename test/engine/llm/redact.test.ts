import {expect, test} from 'vitest'
import {PipelineError} from '../../../engine/errors.ts'
import {redactError, redactor, redactValue} from '../../../engine/llm/redact.ts'

const key = 'sk-Ab+c/9&"x\'7890'
const redact = redactor([key, undefined, '', 'second-key-000'])
const base64 = (text: string) => Buffer.from(text).toString('base64')

test.each([
  ['as it is', `Bearer ${key}`],
  ['twice', `${key}, ${key}`],
  ['in another case', key.toUpperCase()],
  ['in a URL', `https://host/v1?key=${encodeURIComponent(key)}`],
  ['in JSON', JSON.stringify({authorization: `Bearer ${key}`})],
  ['in HTML', '<p>sk-Ab+c/9&amp;&quot;x&#39;7890</p>'],
  ['in base64', base64(key)],
  ['in base64 after one byte', base64(`:${key}`)],
  ['in base64 between others', base64(`me:${key}@host`)],
  ['in base64 of a header', base64(`Authorization: Bearer ${key}\r\nHost: h`)],
  ['in the base64 of URLs', Buffer.from(`Bearer ${key}`).toString('base64url')],
  ['of another profile', 'it was second-key-000.'],
])('a key is hidden %s', (_, text) => {
  const shown = redact(text)
  expect(shown).toContain('[key hidden]')
  const decoded = [
    shown,
    ...(shown.match(/[\w+/-]{6,}/g) ?? []).map((part) => Buffer.from(part, 'base64').toString('latin1')),
  ].join(' ')
  expect(decoded).not.toMatch(/ab\+c\/9|ab%2b|7890|second-key/i)
})

test.each(['>>>???~~~', '?>?>key~~9', '~~?key>>?>9'])('of base64 just the letters go that %s fills', (own) => {
  const hide = redactor([own])
  for (const before of ['', '~', '~~', '>>>', 'Bearer '])
    for (const after of ['', '?', '>>', '~~~'])
      for (const spelling of ['base64', 'base64url'] as const) {
        const text = Buffer.from(before + own + after).toString(spelling)
        // A letter holds 6 bits, a byte 8.
        const [first, end] = [Math.ceil((before.length * 8) / 6), Math.floor(((before + own).length * 8) / 6)]
        expect(hide(text), text).toBe(`${text.slice(0, first)}[key hidden]${text.slice(end)}`)
      }
})

test.each([
  ['abcdefgh', 'the word abcdefgh', 'the word [key hidden]'],
  ['abcdefg', 'the word abcdefg, Bearer abcdefg', 'the word abcdefg, Bearer [key hidden]'],
  ['abcdefg', 'Bearer \t abcdefg', 'Bearer \t [key hidden]'],
  ['abcdefg', 'Bearer+abcdefg', 'Bearer+[key hidden]'],
  ['abcdefg', 'ForBearer abcdefg', 'ForBearer abcdefg'],
  ['abcd.efgh', 'abcd-efgh', 'abcd-efgh'],
  ['abcd?efgh', 'abcd?efgh', '[key hidden]'],
  ['<abcdefg>', '&lt;abcdefg&gt;', '[key hidden]'],
])('of the key %s, %j is shown as %j', (own, text, shown) => {
  expect(redactor([own])(text)).toBe(shown)
})

test('other text stays as it is', () => {
  const text = 'sk-Ab is not it, nor is key.000 or c2stQW'
  expect(redact(text)).toBe(text)
  expect(redactor([])(text)).toBe(text)
})

test('a short key is hidden as a bearer token only, for it may be a word', () => {
  const short = redactor(['test'])
  expect(short('a test with Authorization: Bearer test, "bearer test", Bearer%20test')).toBe(
    'a test with Authorization: Bearer [key hidden], "bearer [key hidden]", Bearer%20[key hidden]',
  )
})

test('of two keys the longer one is hidden whole', () => {
  expect(redactor(['abcdefgh', 'abcdefgh-and-more'])('x abcdefgh-and-more y')).toBe('x [key hidden] y')
})

test('values are redacted at every depth, names of fields too', () => {
  expect(redactValue({a: [`x ${key}`, 1, null], [key]: {b: true}}, redact)).toEqual({
    a: ['x [key hidden]', 1, null],
    '[key hidden]': {b: true},
  })
})

test('an error is redacted with its stack, its evidence and its causes', () => {
  const root = new DOMException(`aborted ${key}`, 'AbortError')
  const cause = new TypeError(`Bearer ${key} is an invalid header value`, {cause: root})
  const error = new PipelineError('endpoint-rejected', `401: ${key}`, {
    fix: `Not ${key}`,
    evidence: {body: [key]},
    cause,
    scope: 'record',
  })
  redactError(error, redact)
  const all = [error, cause, root].map((one) => [one.message, one.stack, JSON.stringify(one)].join(' ')).join(' ')
  expect(all).not.toContain('Ab+c')
  expect(error).toMatchObject({
    message: '401: [key hidden]',
    fix: 'Not [key hidden]',
    evidence: {body: ['[key hidden]']},
    code: 'endpoint-rejected',
  })
  expect(error).toBeInstanceOf(PipelineError)
  // What errors do not list of themselves they do not list afterwards either.
  for (const one of [error, cause]) expect(Object.keys(one)).not.toContain('message')
  for (const one of [error, cause]) expect(Object.keys(one)).not.toContain('stack')
  expect(Object.keys(error)).toEqual(expect.arrayContaining(['fix', 'evidence']))
  for (const name of ['message', 'fix'])
    expect(Object.getOwnPropertyDescriptor(error, name)).toMatchObject({writable: true, configurable: true})
})

test('causes in a circle and causes that are text are no trouble', () => {
  const error = new Error(key, {cause: key})
  redactError(error, redact)
  expect([error.message, error.cause]).toEqual(['[key hidden]', '[key hidden]'])
  const circle = new Error(key)
  circle.cause = circle
  redactError(circle, redact)
  expect(circle.message).toBe('[key hidden]')
})
