import {PipelineError, type ErrorCode, type ErrorScope} from '../errors.ts'
import type {Usage} from './model.ts'
import {endpointOf, type TeacherProfile} from './profile.ts'
import type {Refusal} from './server-words.ts'
import type {Silence} from './watchdog.ts'

/** What went wrong, as far as it decides what to do next. */
type FaultKind =
  | 'rate-limited' // 429: waits, uses up no attempt
  | 'unreachable' // no connection, or it broke before the reply began
  | 'overloaded' // 5xx, 408, 409, 425
  | 'stalled' // silence past the limit
  | 'cut' // the reply was cut off
  | 'invalid' // a reply that violates the protocol
  | 'foreign' // complete, but not a chat completion: a web page, or another service
  | 'filtered' // the endpoint withheld the reply
  | 'rejected' // the endpoint will never accept this request

/** An attempt that gave no reply. It is a value; only a request's last fault becomes an error. */
export interface Fault {
  kind: FaultKind
  code: ErrorCode
  scope: ErrorScope
  /** What happened, without the endpoint's name. */
  what: string
  fix: string
  /** The wait that the endpoint asked for, in milliseconds. */
  retryAfterMs?: number
  /** The attempt's charge: zero unless a reply had begun. */
  spent: Usage
  /** Whether the endpoint reported the usage; otherwise it was counted here. */
  told?: boolean
  evidence: {status?: number; body?: string; refusal?: Refusal; requestId?: string; cause?: string}
}

export const bodyHeadCharacters = 400
const firstWordsCharacters = 80
/** What a refused request costs. */
export const nothing: Usage = {promptTokens: 0, completionTokens: 0}

export function isRetryable({kind}: Fault): boolean {
  return kind !== 'rejected' && kind !== 'filtered'
}

/** Whether the fault concerns the endpoint as a whole rather than one request. */
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
    fix:
      'Resume to retry. Common causes are a proxy with a short time limit, and a server that aborts a reply ' +
      "for the next request (llama-cpp-python): set the teacher's concurrency to 1.",
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

/** Its text is discarded: it may be partial, or written by the filter. */
export function filteredFault(finishReason: string, spent: Usage, told: boolean): Fault {
  return {
    kind: 'filtered',
    code: 'reply-invalid',
    scope: 'record',
    spent,
    told,
    evidence: {cause: finishReason},
    what: `the endpoint's content filter withheld the reply (finish_reason ${finishReason})`,
    fix: 'Resume to retry; if it is withheld again, skip the record or use another model.',
  }
}

function firstWords(body: string): string {
  const words = body.replace(/\s+/g, ' ').trim()
  return words.length > firstWordsCharacters ? `${words.slice(0, firstWordsCharacters)}…` : words
}

/** `fetch failed` does not say why; the reason (ECONNREFUSED …) is in the causes. */
export function deepestMessage(error: unknown): string {
  let current = error
  while (current instanceof Error && current.cause instanceof Error) current = current.cause
  if (!(current instanceof Error)) return String(current)
  const {code} = current as NodeJS.ErrnoException
  return current.message === '' ? String(code ?? current.name) : current.message
}
