import {APIConnectionError, APIError} from 'openai'
import {PipelineError, type ErrorCode, type ErrorScope} from '../errors.ts'
import {retryAfterMs} from '../retry-after.ts'
import type {Usage} from './model.ts'
import {endpointOf, type TeacherProfile} from './profile.ts'
import type {Redact} from './redact.ts'
import {UnfitBytes} from './reply-bytes.ts'
import type {Silence} from './watchdog.ts'

/** What went wrong, as far as it matters for what to do next. */
type FaultKind =
  | 'rate-limited' // 429: waits, uses up no attempt
  | 'unreachable' // no connection, or it broke before the reply began
  | 'overloaded' // 5xx, 408, 409, 425
  | 'stalled' // silence past the limit
  | 'cut' // the reply stopped in the middle
  | 'invalid' // a reply that is not what the protocol says
  | 'foreign' // complete, but not a chat completion: a web page, or another service
  | 'filtered' // the endpoint withheld the reply
  | 'rejected' // the endpoint will never answer this

/** An attempt that gave no reply. A value: only the last one of a request becomes an error. */
export interface Fault {
  kind: FaultKind
  code: ErrorCode
  scope: ErrorScope
  /** What happened, without the endpoint's name. */
  what: string
  fix: string
  /** The wait that the endpoint asked for, in milliseconds. */
  retryAfterMs?: number
  /** What the attempt is charged: zero unless a reply had begun. */
  spent: Usage
  /** Whether the endpoint itself reported what was spent; otherwise it was counted here. */
  told?: boolean
  evidence: {status?: number; body?: string; requestId?: string; cause?: string}
}

const bodyHeadCharacters = 400
const firstWordsCharacters = 80
/** What a refused request costs. */
export const nothing: Usage = {promptTokens: 0, completionTokens: 0}

export function isRetryable({kind}: Fault): boolean {
  return kind !== 'rejected' && kind !== 'filtered'
}

/** Whether the fault speaks against the endpoint as a whole, not against one request. */
export function isOutage({kind}: Fault): boolean {
  return kind === 'unreachable' || kind === 'overloaded' || kind === 'stalled' || kind === 'foreign'
}

export function asPipelineError(
  fault: Fault,
  profile: TeacherProfile,
  attempts: number,
  cause?: unknown,
): PipelineError {
  const tries = attempts > 1 ? ` after ${attempts} attempts` : ''
  return new PipelineError(fault.code, `${profile.model} at ${endpointOf(profile)}: ${fault.what}${tries}.`, {
    fix: fault.fix,
    scope: fault.scope,
    cause,
    evidence: {url: endpointOf(profile), model: profile.model, attempts, kind: fault.kind, ...fault.evidence},
  })
}

export function stalledFault({limit, seconds, before}: Silence, spent: Usage): Fault {
  return {
    kind: 'stalled',
    code: 'endpoint-stalled',
    scope: 'record',
    spent,
    evidence: {},
    what:
      limit === 'patienceSeconds'
        ? `the reply was not complete after ${seconds} s`
        : `nothing was received for ${seconds} s before the reply ${before}`,
    fix: `Resume later, or raise the teacher's ${limit} if the model needs longer.`,
  }
}

export function cutFault(cause: string, spent: Usage): Fault {
  return {
    kind: 'cut',
    code: 'reply-invalid',
    scope: 'record',
    spent,
    evidence: {cause},
    what: `the reply was cut off after about ${spent.completionTokens} tokens (${cause})`,
    fix: 'Resume to ask again. A proxy with a short time limit is a common cause.',
  }
}

export function invalidFault(problem: string, bodyHead: string, spent: Usage): Fault {
  return {
    kind: 'invalid',
    code: 'reply-invalid',
    scope: 'record',
    spent,
    evidence: {body: bodyHead.slice(0, bodyHeadCharacters)},
    what: `the reply is not a chat completion (${problem})`,
    fix:
      'Check that baseUrl is the root of an OpenAI-compatible API (it usually ends in /v1), ' +
      'not a web page or a proxy.',
  }
}

/** Something answers, but not with a chat completion. */
export function foreignFault(problem: string, bodyHead: string, spent: Usage): Fault {
  const shown = [problem, firstWords(bodyHead)].filter((part) => part !== '').join(': ')
  return {
    ...invalidFault(problem, bodyHead, spent),
    kind: 'foreign',
    what: `the server there is not a chat-completions API (${shown})`,
  }
}

/** Text that came with it is discarded: it may be only a part, or the filter's own words. */
export function filteredFault(finishReason: string, spent: Usage, told: boolean): Fault {
  return {
    kind: 'filtered',
    code: 'reply-invalid',
    scope: 'record',
    spent,
    told,
    evidence: {cause: finishReason},
    what: `the endpoint's content filter withheld the reply (finish_reason ${finishReason})`,
    fix: 'Resume to ask again; if it is withheld again, leave the record out or use another model.',
  }
}

interface Occasion {
  profile: TeacherProfile
  now: number
  redact: Redact
}

/** The fault behind what the `openai` package threw before or during a reply. */
export function faultFrom(error: unknown, {profile, now, redact}: Occasion, spent: Usage = nothing): Fault {
  if (error instanceof UnfitBytes) return invalidFault(error.message, '', spent)
  if (error instanceof SyntaxError) return invalidFault(redact(error.message), '', spent)
  if (error instanceof APIConnectionError || !(error instanceof APIError)) {
    return connectionFault(redact(deepestMessage(error)), spent)
  }
  const {status, requestID} = error as APIError
  const body = redact(wordsOf(error)).slice(0, bodyHeadCharacters)
  const retryAfterMs = retryAfter(error.headers as Headers | undefined, now)
  const evidence = {
    ...(status === undefined ? {} : {status}),
    body,
    ...(requestID ? {requestId: redact(requestID)} : {}),
  }
  const base = {spent, evidence, ...(retryAfterMs === undefined ? {} : {retryAfterMs})}
  return {...base, ...judgeStatus(status ?? embeddedStatus(error.error), body, profile)}
}

function firstWords(body: string): string {
  const words = body.replace(/\s+/g, ' ').trim()
  return words.length > firstWordsCharacters ? `${words.slice(0, firstWordsCharacters)}…` : words
}

/** What endpoints say when prompt and completion do not fit the model's context. */
const tooLong = new RegExp(
  [
    'context.{0,20}length',
    'maximum context',
    'too many tokens',
    'prompt is too long',
    'max_tokens.{0,40}(exceed|large|at most)',
  ].join('|'),
  'i',
)

type Judgement = Pick<Fault, 'kind' | 'code' | 'scope' | 'what' | 'fix'>

function judgeStatus(status: number | undefined, body: string, profile: TeacherProfile): Judgement {
  const rejected = (what: string, fix: string, scope: ErrorScope): Judgement => ({
    kind: 'rejected',
    code: 'endpoint-rejected',
    scope,
    what: `${what}${status === undefined ? '' : ` (${status})`}: ${body}`,
    fix,
  })
  const key =
    profile.apiKeyEnv === undefined
      ? "Set the teacher's apiKeyEnv to the environment variable that holds the key."
      : `Check the key in ${profile.apiKeyEnv}.`
  if (status === 402 || /insufficient_quota|insufficient balance/i.test(body)) {
    const fix = 'Top up the account, then resume; answered requests are not sent again.'
    return rejected('the account has no credit left', fix, 'run')
  }
  if (status === 429) {
    return {
      kind: 'rate-limited',
      code: 'endpoint-overloaded',
      scope: 'record',
      what: 'the endpoint kept answering 429 (too many requests)',
      fix: "Lower the teacher's concurrency or requestsPerMinute, then resume.",
    }
  }
  if (status === 401 || status === 403) return rejected('the key was refused', key, 'run')
  if (tooLong.test(body)) {
    return rejected(
      'the request does not fit the model',
      "Shorten the input, or lower the teacher's maxTokens.",
      'record',
    )
  }
  if (status === 404 || /model_not_found|model.{0,60}(does not exist|not found)|unknown model/i.test(body)) {
    return rejected(
      'no such model or address',
      `Check the teacher's model (${profile.model}) and baseUrl (${endpointOf(profile)}; it usually ends in /v1).`,
      'run',
    )
  }
  if (status === undefined || status >= 500 || status === 408 || status === 409 || status === 425) {
    return {
      kind: 'overloaded',
      code: 'endpoint-overloaded',
      scope: 'record',
      what: `the endpoint failed with ${status ?? 'an error inside the reply'}: ${body}`,
      fix: "Resume later. If the endpoint is your own, lower the teacher's concurrency.",
    }
  }
  return rejected(
    'the request was refused',
    "Read the endpoint's message above; the teacher's extraBody and sampling parameters are common causes.",
    'record',
  )
}

function connectionFault(cause: string, spent: Usage): Fault {
  if (spent.promptTokens > 0) return cutFault(cause, spent)
  return {
    kind: 'unreachable',
    code: 'endpoint-unreachable',
    scope: 'record',
    spent,
    evidence: {cause},
    what: `no connection (${cause})`,
    fix: 'Check that the endpoint is running and that baseUrl names its host and port.',
  }
}

/** `fetch failed` says nothing; the reason (ECONNREFUSED …) is in the causes. */
export function deepestMessage(error: unknown): string {
  let current = error
  while (current instanceof Error && current.cause instanceof Error) current = current.cause
  if (!(current instanceof Error)) return String(current)
  const {code} = current as NodeJS.ErrnoException
  return current.message === '' ? String(code ?? current.name) : current.message
}

function wordsOf(error: APIError): string {
  const {error: body} = error
  const message =
    typeof body === 'object' && body !== null && 'message' in body
      ? [body.message, 'code' in body ? body.code : undefined].filter(Boolean).join(', ')
      : undefined
  return message ?? (body === undefined ? error.message : JSON.stringify(body))
}

/** Some servers put the status into the error object that they send inside a stream. */
function embeddedStatus(body: unknown): number | undefined {
  const code = typeof body === 'object' && body !== null && 'code' in body ? Number(body.code) : NaN
  return code >= 400 && code < 600 ? code : undefined
}

/** `retry-after-ms`, else `Retry-After` in seconds or as a date; milliseconds from `now`. */
function retryAfter(headers: Headers | undefined, now: number): number | undefined {
  const milliseconds = Number.parseFloat(headers?.get('retry-after-ms') ?? '')
  if (milliseconds >= 0) return milliseconds
  return retryAfterMs(headers?.get('retry-after') ?? '', now)
}
