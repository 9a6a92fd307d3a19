import {parseJson} from './framing.ts'

/** Why a server refuses, as far as it matters for what the user can do. */
export type Refusal = 'credit' | 'rate' | 'filter' | 'fit' | 'address' | 'key' | 'overload' | 'parameter' | 'refused'

interface Rule {
  refusal: Refusal
  status?: (status: number | undefined) => boolean
  /** Looked for in message, code and type. */
  words?: RegExp
  /** Codes that mean this wherever they appear as a code. */
  codes?: readonly string[]
}

const is =
  (...statuses: number[]) =>
  (status: number | undefined) =>
    status !== undefined && statuses.includes(status)
const anyOf = (...words: string[]) => new RegExp(words.join('|'), 'i')

/**
 * The first rule that matches applies. The phrases are the servers' own: OpenAI, vLLM, SGLang, llama.cpp, DashScope,
 * Gemini, Zhipu, Moonshot, DeepSeek, MiniMax, SiliconFlow, OpenRouter.
 */
const rules: readonly Rule[] = [
  {
    refusal: 'credit',
    status: is(402),
    words: anyOf(
      'insufficient.{0,2}quota',
      'insufficient.{0,12}(balance|credit)',
      'balance.{0,12}(insufficient|too low|not enough)',
      'credit balance is too low',
      'exceeded_current_quota',
      'arrear',
      'billing.{0,2}hard.{0,2}limit',
      'free.{0,2}tier.{0,2}only',
      '余额不足',
      '欠费',
    ),
    codes: ['1113', '1008'],
  },
  // Sent as 429, but waiting does not help: this request alone exceeds the limit of tokens per minute.
  {refusal: 'fit', status: is(413), words: anyOf('request too large')},
  {refusal: 'rate', status: is(429), codes: ['1302', '1305', '1308']},
  {
    refusal: 'filter',
    status: is(451),
    words: anyOf(
      'content.?filter',
      'content.?policy',
      'content management policy',
      'data.?inspection.?failed',
      'inappropriate content',
      'responsible.?ai',
      '(?<!case.)sensitive',
      'content exists risk',
      'considered high risk',
      '\\bsafety\\b',
      'prohibited.?content',
      'moderation',
      '敏感',
    ),
    codes: ['1301', '1026', '1027'],
  },
  {
    refusal: 'fit',
    words: anyOf(
      'context.{0,20}(length|size|window|limit)',
      'maximum context',
      'too many tokens',
      '(prompt|input).{0,30}too (long|large)',
      'longer than the (maximum|model)',
      'input token count',
      'exceed.{0,40}(tokens|max.{0,10}length)',
      'token limit',
      'range of (input length|max_tokens)',
      'max_tokens.{0,60}(range|exceed|large|at most|between|less than|must be)',
      '超长',
      '(长度|tokens?).{0,20}超',
    ),
    codes: ['1261', '1039'],
  },
  {refusal: 'rate', words: anyOf('rate.?limit', 'too many requests')},
  {
    refusal: 'address',
    status: is(404, 405),
    words: anyOf(
      'model.?not.?(found|exist)',
      'model.{0,60}(does not exist|not found)',
      'unknown model',
      'server is pinned to',
      '模型不存在',
    ),
    codes: ['1211'],
  },
  {
    refusal: 'key',
    status: is(401, 403),
    words: anyOf(
      'api.?key.{0,10}(not valid|invalid|expired|incorrect)',
      '(invalid|incorrect).{0,2}api.?key',
      'authentication.?(error|fail)',
      'login fail',
    ),
  },
  {refusal: 'overload', status: (status) => status === undefined || status >= 500 || [408, 409, 425].includes(status)},
  {
    refusal: 'parameter',
    status: is(422),
    words: anyOf(
      '(unsupported|unrecognized|unknown|unexpected|invalid|extra).{0,30}(parameter|argument|value|field|input)',
      '(parameter|argument|value|field).{0,60}(support|invalid|permitted|allowed)',
      'does not support',
      'is not supported',
    ),
  },
]

export function refusalOf(status: number | undefined, {message, codes, kinds}: ServerWords): Refusal {
  const said = [message, ...codes, ...kinds].join(', ')
  const holds = (rule: Rule) =>
    rule.status?.(status) || rule.words?.test(said) || codes.some((code) => rule.codes?.includes(code))
  return rules.find(holds)?.refusal ?? 'refused'
}

/** A server's description of an error, extracted from any JSON shape. */
interface ServerWords {
  message: string
  codes: string[]
  /** Further words that name the kind of error: used to classify it, not shown. */
  kinds: string[]
}

const messageKeys = new Set([
  ...['message', 'msg', 'detail', 'details', 'description', 'reason', 'raw', 'error', 'errors', 'errormsg'],
  ...['error_msg', 'error_message', 'error_description', 'status_msg'],
])
const codeKeys = new Set(['code', 'error_code', 'errorcode', 'status_code'])
const kindKeys = new Set(['type', 'status', 'param'])
/** Objects that wrap an error, or accompany its message. */
const wrappers = new Set(['base_resp', 'metadata', 'response', 'output', 'header', 'innererror'])
const deepest = 6

export function wordsOf(body: unknown): ServerWords {
  const found = {messages: new Set<string>(), codes: new Set<string>(), kinds: new Set<string>()}
  collect(body, found, 0)
  const message = [...found.messages].join('; ')
  const nothingSaid = message === '' && found.codes.size === 0 && body !== undefined && body !== null && body !== ''
  return {
    message: nothingSaid ? JSON.stringify(body) : message,
    codes: [...found.codes],
    kinds: [...found.kinds],
  }
}

interface Found {
  messages: Set<string>
  codes: Set<string>
  kinds: Set<string>
}

function collect(value: unknown, found: Found, depth: number): void {
  if (depth > deepest) return
  if (typeof value === 'string') collectText(value, found, depth)
  else if (Array.isArray(value)) for (const part of value) collect(part, found, depth + 1)
  else if (typeof value === 'object' && value !== null) collectFields(value, found, depth)
}

function collectText(text: string, found: Found, depth: number): void {
  const inner = /^\s*[{[]/.test(text) ? parseJson(text) : undefined
  const words = inner === undefined ? plainText(text) : ''
  if (words !== '') found.messages.add(words)
  else if (inner !== undefined) collect(inner, found, depth + 1)
}

function collectFields(value: object, found: Found, depth: number): void {
  for (const [name, field] of Object.entries(value)) {
    const key = name.toLowerCase()
    const scalar = typeof field === 'string' || (typeof field === 'number' && field !== 0)
    if (codeKeys.has(key) && scalar) found.codes.add(String(field))
    else if (kindKeys.has(key) && scalar) found.kinds.add(String(field))
    else if (messageKeys.has(key) || wrappers.has(key)) collect(field, found, depth + 1)
  }
}

/** HTML tags removed: proxies answer with web pages. */
function plainText(text: string): string {
  const page = /^\s*</.test(text)
  const bare = page ? text.replace(/<(style|script|head)\b[\s\S]*?<\/\1>|<[^>]*>/gi, ' ') : text
  return bare.replace(/\s+/g, ' ').trim()
}

const endsByError = (choice: unknown) => (choice as {finish_reason?: unknown} | null)?.finish_reason === 'error'

/** Signs, from several servers, that a document or event with status 200 is an error. */
export function isErrorDocument(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(value)) return value.length > 0 && value.every(isErrorDocument)
  const {error, choices, object, success, base_resp, error_code, error_msg} = value as Record<string, unknown>
  if (Array.isArray(choices) && choices.length > 0) return Boolean(error) && choices.every(endsByError)
  const status = (base_resp as {status_code?: unknown} | null | undefined)?.status_code
  return (
    Boolean(error) || object === 'error' || success === false || Boolean(error_code ?? error_msg) || Boolean(status)
  )
}
