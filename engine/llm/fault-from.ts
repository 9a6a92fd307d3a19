import {APIConnectionError, APIError} from 'openai'
import type {ErrorScope} from '../errors.ts'
import {retryAfterMs} from '../retry-after.ts'
import {bodyHeadCharacters, cutFault, deepestMessage, invalidFault, nothing, type Fault} from './fault.ts'
import type {Usage} from './model.ts'
import {endpointOf, type TeacherProfile} from './profile.ts'
import type {Redact} from './redact.ts'
import {UnfitBytes} from './reply-bytes.ts'

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
