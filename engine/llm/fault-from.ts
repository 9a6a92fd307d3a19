import {APIConnectionError, APIError} from 'openai'
import {retryAfterMs} from '../retry-after.ts'
import {bodyHeadCharacters, cutFault, deepestMessage, invalidFault, nothing, type Fault} from './fault.ts'
import type {Usage} from './model.ts'
import {endpointOf, type TeacherProfile} from './profile.ts'
import type {Redact} from './redact.ts'
import {refusalOf, wordsOf, type Refusal} from './server-words.ts'
import {UnfitBytes} from './reply-bytes.ts'

interface Occasion {
  profile: TeacherProfile
  now: number
  redact: Redact
}

/** The fault behind what the `openai` package threw before or during a reply. */
export function faultFrom(error: unknown, {profile, now, redact}: Occasion, spent: Usage = nothing): Fault {
  if (error instanceof UnfitBytes) return invalidFault(error.message, '', spent)
  if (error instanceof APIConnectionError || !(error instanceof APIError)) {
    return connectionFault(redact(deepestMessage(error)), spent)
  }
  const {requestID} = error as APIError
  const said = wordsOf(error.error)
  const status = (error.status as number | undefined) ?? embeddedStatus(said.codes)
  const body = redact([said.message, ...said.codes].filter((part) => part !== '').join(', '))
  const refusal = refusalOf(status, said)
  const retryAfterMs = retryAfter(error.headers as Headers | undefined, now)
  return {
    spent,
    evidence: {
      ...(error.status === undefined ? {} : {status: error.status as number}),
      body: body.slice(0, bodyHeadCharacters),
      refusal,
      ...(requestID ? {requestId: redact(requestID)} : {}),
    },
    ...(retryAfterMs === undefined ? {} : {retryAfterMs}),
    ...judged[refusal](profile),
    what: told(refusal, status, body.slice(0, bodyHeadCharacters)),
  }
}

type Judgement = Pick<Fault, 'kind' | 'code' | 'scope' | 'fix'>

const rejected = {kind: 'rejected', code: 'endpoint-rejected'} as const
const overloaded = {code: 'endpoint-overloaded', scope: 'record'} as const

/** What each refusal means for the record and the run, and what to do about it. */
const judged: Readonly<Record<Refusal, (profile: TeacherProfile) => Judgement>> = {
  credit: () => ({
    ...rejected,
    scope: 'run',
    fix: 'Top up the account, then resume; answered requests are not sent again.',
  }),
  rate: () => ({
    ...overloaded,
    kind: 'rate-limited',
    fix: "Lower the teacher's concurrency or requestsPerMinute, then resume.",
  }),
  filter: () => ({
    kind: 'filtered',
    code: 'reply-invalid',
    scope: 'record',
    fix: 'Skip this record, or use another model.',
  }),
  fit: () => ({...rejected, scope: 'record', fix: "Shorten the input, or lower the teacher's maxTokens."}),
  address: (profile) => ({
    ...rejected,
    scope: 'run',
    fix: `Check the teacher's model (${profile.model}) and baseUrl (${endpointOf(profile)}; it usually ends in /v1).`,
  }),
  key: ({apiKeyEnv}) => ({
    ...rejected,
    scope: 'run',
    fix:
      apiKeyEnv === undefined
        ? "Set the teacher's apiKeyEnv to the environment variable that holds the key."
        : `Check the key in ${apiKeyEnv}.`,
  }),
  overload: () => ({
    ...overloaded,
    kind: 'overloaded',
    fix: "Resume later. If the endpoint is your own, lower the teacher's concurrency.",
  }),
  parameter: () => ({
    ...rejected,
    scope: 'record',
    fix:
      "Remove the field that the server names from the teacher's profile; `extraBody: {name: null}` omits a field " +
      'that is always sent.',
  }),
  refused: () => ({
    ...rejected,
    scope: 'record',
    fix: "Read the endpoint's message above; the teacher's extraBody and sampling parameters are common causes.",
  }),
}

const titles: Readonly<Record<Refusal, string>> = {
  credit: 'the account has no credit left',
  rate: 'the endpoint kept returning',
  filter: "the endpoint's content filter refused the request",
  fit: 'the request does not fit the model',
  address: 'no such model or address',
  key: 'the key was refused',
  overload: 'the endpoint failed with',
  parameter: 'a parameter of the request was refused',
  refused: 'the request was refused',
}

function told(refusal: Refusal, status: number | undefined, body: string): string {
  const words = body === '' ? ', without a message' : `: ${body}`
  if (refusal === 'rate') return `${titles.rate} ${status ?? 429} (too many requests)${words}`
  if (refusal === 'overload') return `${titles.overload} ${status ?? 'an error inside the reply'}${words}`
  return `${titles[refusal]}${status === undefined ? '' : ` (${status})`}${words}`
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

/** Some servers put the status into the error object that they send inside a reply. */
function embeddedStatus(codes: readonly string[]): number | undefined {
  return codes.map(Number).find((code) => code >= 400 && code < 600)
}

/** `retry-after-ms`, else `Retry-After` in seconds or as a date; milliseconds from `now`. */
function retryAfter(headers: Headers | undefined, now: number): number | undefined {
  const milliseconds = Number.parseFloat(headers?.get('retry-after-ms') ?? '')
  if (milliseconds >= 0) return milliseconds
  return retryAfterMs(headers?.get('retry-after') ?? '', now)
}
