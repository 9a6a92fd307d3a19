import type {PipelineError} from '../errors.ts'
import type {Breaker, Pass} from './breaker.ts'
import type {Bound, Purse, Reservation} from './budget.ts'
import {completionLimit, messagesOf, type Attempt, type ChatClient} from './client.ts'
import {ensureWanted, type Clock} from './clock.ts'
import {asPipelineError, isOutage, isRetryable, type Fault} from './fault.ts'
import type {ChatReply, ChatRequest, Usage} from './model.ts'
import type {TeacherProfile} from './profile.ts'
import type {RateLimit} from './rate-limit.ts'
import type {Slots} from './slots.ts'
import {promptTokensAtMost, promptTokensRoughly} from './token-bounds.ts'

/** What stands between a request and the wire. */
export interface Gates {
  profile: TeacherProfile
  client: ChatClient
  slots: Slots
  rate: RateLimit
  breaker: Breaker
  purse: Purse
  /** Over all requests: replies ever, refusals in a row, answers of 429 in a row. */
  record: {replies: number; refusals: number; limited: number}
  clock: Clock
  random: () => number
  log: (message: string) => void
}

/** What is told about every attempt, as soon as it is over. */
export interface Account {
  /** Looks once more, right before sending: another process may have asked the same meanwhile. */
  known(): ChatReply | undefined
  /** The request leaves. */
  sent(how: {again: boolean}): void
  /** Must have the reply on disk when it returns. */
  keep(reply: ChatReply, how: {estimated: boolean}): void
  /** An attempt that gave no whole reply but is billed all the same. */
  charge(usage: Usage, how: {estimated: boolean}): void
}

const backoffBaseMs = 1000
const backoffMostMs = 60_000
/** So many answers of 429 in a row, over all requests, mean the account and not bad luck: some endpoints shed a share of their load. */
const limitedToCoolDown = 3
/** When nothing was ever answered, so many refusals in a row mean that the next request will fare no better. */
const refusalsToStop = 10

type Result = {reply: ChatReply} | {fault: Fault}

/**
 * Asks until there is a reply, an end to the attempts or to the patience. Waits happen outside the slots: a request that
 * backs off does not keep another from being sent. A reply without a word counts as an attempt; the last one is returned.
 * @throws PipelineError of the last fault; scope `run` when no other request can fare better
 */
export async function obtain(request: ChatRequest, gates: Gates, account: Account, signal?: AbortSignal): Promise<ChatReply> {
  const {profile, clock, breaker, slots} = gates
  const deadline = clock.now() + profile.patienceSeconds * 1000
  let attempts = 0
  let limited = 0
  for (let sent = 1; ; sent += 1) {
    const result = await slots.run(() => sendOnce(request, gates, account, {again: sent > 1, last: attempts + 1 >= profile.maxAttempts}, signal))
    const fault = 'fault' in result ? result.fault : undefined
    if (fault && !isRetryable(fault)) throw refusal(fault, gates, sent)
    // An endpoint that is down or overrun is not the request's failure: the breaker and the patience end such waits.
    const blameless = fault && (fault.kind === 'rate-limited' || (isOutage(fault) && breaker.isOpen()))
    if (!blameless) attempts += 1
    if (!fault && (!isEmpty(result) || attempts >= profile.maxAttempts)) return (result as {reply: ChatReply}).reply
    if (fault && attempts >= profile.maxAttempts) throw asPipelineError(fault, profile, sent)
    if (fault?.kind === 'rate-limited') limited += 1
    const pause = fault?.kind === 'rate-limited' ? coolDown(fault, limited, gates) : backoff(attempts, fault?.retryAfterMs, gates)
    if (fault && clock.now() + pause > deadline) throw outOfPatience(fault, profile, {sent, pause})
    gates.log(`${profile.model}: ${fault?.what ?? 'the reply was empty'}; asking again in ${(pause / 1000).toFixed(1)} s`)
    await clock.sleep(pause, signal)
  }
}

function isEmpty(result: Result): boolean {
  return 'reply' in result && result.reply.text === '' && result.reply.reasoning === ''
}

/** Runs inside a slot. What waits here waits for the endpoint or the budget as a whole, so the slot is kept from nobody. */
async function sendOnce(request: ChatRequest, gates: Gates, account: Account, how: {again: boolean; last: boolean}, signal?: AbortSignal): Promise<Result> {
  const {profile, breaker, rate, purse} = gates
  ensureWanted(signal)
  const pass = await breaker.enter(signal)
  const admitted = promptTokensRoughly(messagesOf(profile, request)) + profile.expectedCompletionTokens
  let reservation: Reservation
  try {
    await rate.admit(admitted, signal)
    const known = how.again ? undefined : account.known()
    if (known) {
      pass.withdraw()
      return {reply: known}
    }
    reservation = await purse.reserve(boundOf(request, profile), profile.price, signal)
  } catch (error) {
    pass.withdraw()
    throw error
  }
  account.sent(how)
  const attempt = await gates.client.attempt(request)
  const usage = attempt.outcome === 'replied' ? attempt.reply.usage : attempt.fault.spent
  reservation.settle(usage)
  rate.correct(usage.promptTokens + usage.completionTokens - admitted)
  return settle(attempt, gates, account, pass, how)
}

function settle(attempt: Attempt, {record, slots}: Gates, account: Account, pass: Pass, {last}: {last: boolean}): Result {
  if (attempt.outcome === 'failed') {
    const {fault} = attempt
    if (isOutage(fault)) pass.failed(fault)
    else pass.answered()
    if (fault.spent.promptTokens > 0) account.charge(fault.spent, {estimated: true})
    return {fault}
  }
  const {reply, estimated} = attempt
  pass.answered()
  slots.grow()
  record.replies += 1
  record.refusals = 0
  record.limited = 0
  if (isEmpty({reply}) && !last) account.charge(reply.usage, {estimated})
  else account.keep(reply, {estimated})
  return {reply}
}

/** The prompt can take no more tokens than it has bytes; counted, a quarter is added for the difference between tokenizers. */
function boundOf(request: ChatRequest, profile: TeacherProfile): Bound {
  const messages = messagesOf(profile, request)
  const completionTokens = completionLimit(profile, request)
  return {
    quick: {promptTokens: promptTokensAtMost(messages), completionTokens},
    async close() {
      const {countPromptTokens} = await import('./tokens.ts')
      return {promptTokens: Math.min(promptTokensAtMost(messages), Math.ceil(countPromptTokens(messages) * 1.25)), completionTokens}
    },
  }
}

/** Full jitter: anything up to the doubled wait, so that requests which failed together do not come back together. */
function backoff(attempt: number, retryAfterMs: number | undefined, {random}: Gates): number {
  return (retryAfterMs ?? 0) + random() * Math.min(backoffMostMs, backoffBaseMs * 2 ** (attempt - 1))
}

/** What the endpoint asked for, else a second, two, four …; all requests of the teacher wait when 429 is all that it answers. */
function coolDown(fault: Fault, times: number, {random, rate, slots, record}: Gates): number {
  const base = fault.retryAfterMs ?? Math.min(backoffMostMs, backoffBaseMs * 2 ** (times - 1))
  record.limited += 1
  if (record.limited >= limitedToCoolDown) {
    slots.shrink()
    rate.coolDown(base)
  }
  return base + random() * Math.min(base / 4, 1000)
}

function refusal(fault: Fault, {profile, record}: Gates, sent: number): PipelineError {
  record.refusals += 1
  const hopeless = record.replies === 0 && record.refusals >= refusalsToStop
  return asPipelineError(hopeless ? {...fault, scope: 'run', what: `${fault.what} (so were all ${record.refusals} requests)`} : fault, profile, sent)
}

function outOfPatience(fault: Fault, profile: TeacherProfile, {sent, pause}: {sent: number; pause: number}): PipelineError {
  const scope = fault.kind === 'rate-limited' ? 'run' : fault.scope
  const what = `${fault.what}; the next attempt would be in ${Math.round(pause / 1000)} s, past patienceSeconds (${profile.patienceSeconds})`
  return asPipelineError({...fault, scope, what}, profile, sent)
}
