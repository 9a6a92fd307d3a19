import type {PipelineError} from '../errors.ts'
import type {Breaker, Pass} from './breaker.ts'
import type {Bound, Purse, Reservation} from './budget.ts'
import type {Claim} from './cache.ts'
import {completionLimit, messagesOf} from './asked.ts'
import type {Attempt, ChatClient, Manner} from './client.ts'
import {ensureWanted, type Clock} from './clock.ts'
import {asPipelineError, isOutage, isRetryable, nothing, type Fault} from './fault.ts'
import type {ChatReply, ChatRequest, Usage} from './model.ts'
import type {TeacherProfile} from './profile.ts'
import type {RateLimit} from './rate-limit.ts'
import type {Slots} from './slots.ts'
import {promptTokensAtMost, promptTokensRoughly} from './token-bounds.ts'

/** What a request has to pass before it is sent. */
export interface Gates {
  profile: TeacherProfile
  client: ChatClient
  slots: Slots
  rate: RateLimit
  breaker: Breaker
  purse: Purse
  /**
   * Counts over all requests. `replies`: ever; the others since the last reply: refusals, 429 answers, and requested
   * waits that exceed the patience.
   */
  record: {replies: number; refusals: number; limited: number; turnedAway: number}
  clock: Clock
  random: () => number
  log: (message: string) => void
}

/** Notified of every attempt as soon as it is over. */
export interface Account {
  /** Checks again right before sending: another process may have received the reply in the meantime. */
  known(): ChatReply | undefined
  /** Whether another process is sending the same request. */
  askedElsewhere(): boolean
  /** Books the most that the request may cost and claims it among all processes: only `ours` may be sent. */
  claim(most: Usage): Claim
  /** The request is about to be sent. */
  sent(how: {again: boolean}): void
  /** The reply must be on disk when this returns. */
  keep(reply: ChatReply, how: Manner): void
  /** An attempt without a complete reply that is still billed. */
  charge(usage: Usage, how: {estimated: boolean}): void
  /** An attempt gave no reply. */
  failed(kind: Fault['kind']): void
  /** An attempt that cost nothing. */
  waive(): void
  /** The last attempt is over. */
  release(): void
}

const backoffBaseMs = 1000
const backoffMostMs = 60_000
/**
 * This many 429 answers in a row, over all requests, mean that the account is limited; fewer may be an endpoint
 * shedding load.
 */
const limitedToCoolDown = 3
/** If nothing was ever answered, this many refusals in a row mean that the next request will fail too. */
const refusalsToStop = 10
/** The same for waits that exceed the patience, if others were answered: endpoints may shed much of their load. */
const turnedAwayToStop = 20
/** Where a web page answered, a second attempt seldom helps. */
const foreignAttempts = 2
/** How often to check on another process's request. */
const elsewhereMs = 250

type Result = {reply: ChatReply} | {fault: Fault} | {claim: Exclude<Claim, 'ours'>}

/**
 * Retries until there is a reply, or until attempts or patience run out. Waits happen outside the slots: a request that
 * backs off does not hold up another. An empty reply counts as a failed attempt; the last one is returned.
 * @throws PipelineError of the last fault; scope `run` when every other request would fail too
 */
export async function obtain(
  request: ChatRequest,
  gates: Gates,
  account: Account,
  signal?: AbortSignal,
): Promise<ChatReply> {
  try {
    return await askUntilDone(request, gates, account, signal)
  } finally {
    account.release()
  }
}

async function askUntilDone(
  request: ChatRequest,
  gates: Gates,
  account: Account,
  signal?: AbortSignal,
): Promise<ChatReply> {
  const {profile, clock, slots} = gates
  const tries = {sent: 0, attempts: 0, limited: 0, started: clock.now(), repliesBefore: gates.record.replies}
  for (;;) {
    const theirs = await replyFromElsewhere(account, gates, signal)
    if (theirs) return theirs
    if (tries.sent === 0) tries.started = clock.now()
    const how = {again: tries.sent > 0, last: tries.attempts + 1 >= profile.maxAttempts}
    const result = await slots.run(() => sendOnce(request, gates, account, how, signal))
    if ('claim' in result) {
      const known = account.known()
      if (known) return known
      continue
    }
    tries.sent += 1
    if ('reply' in result) {
      tries.attempts += 1
      if (!isEmpty(result.reply) || tries.attempts >= profile.maxAttempts) return result.reply
    } else giveUpOn(result.fault, tries, gates)
    const fault = 'fault' in result ? result.fault : undefined
    await clock.sleep(pauseAfter(fault, tries, gates), signal)
  }
}

interface Tries {
  sent: number
  attempts: number
  limited: number
  started: number
  repliesBefore: number
}

/**
 * Waits, outside the slots, while another process sends the same request. If it gives up or dies, the request is ours.
 */
async function replyFromElsewhere(
  account: Account,
  {clock, log, profile}: Gates,
  signal?: AbortSignal,
): Promise<ChatReply | undefined> {
  if (!account.askedElsewhere()) return undefined
  log(`${profile.model}: another process is sending the same request; waiting for its reply`)
  while (account.askedElsewhere()) {
    ensureWanted(signal)
    await clock.sleep(elsewhereMs, signal)
  }
  return account.known()
}

/** @throws PipelineError when the fault is the last one */
function giveUpOn(fault: Fault, tries: Tries, gates: Gates): void {
  const {profile, breaker} = gates
  if (fault.kind === 'filtered') throw asPipelineError(fault, profile, tries.sent)
  if (!isRetryable(fault)) throw refusal(fault, gates, tries.sent)
  // A dead or overloaded endpoint is not the request's failure: the breaker and the patience end such waits.
  const blameless = fault.kind === 'rate-limited' || (isOutage(fault) && breaker.isOpen())
  if (!blameless) tries.attempts += 1
  const most = fault.kind === 'foreign' ? Math.min(foreignAttempts, profile.maxAttempts) : profile.maxAttempts
  if (!blameless && tries.attempts >= most) throw asPipelineError(fault, profile, tries.sent)
  if (fault.kind === 'rate-limited') tries.limited += 1
}

/** @throws PipelineError when the wait would exceed the time limit */
function pauseAfter(fault: Fault | undefined, tries: Tries, gates: Gates): number {
  const {profile, clock, log} = gates
  const patienceLeft = tries.started + profile.patienceSeconds * 1000 - clock.now()
  const pause =
    fault?.kind === 'rate-limited'
      ? coolDown(fault, tries.limited, gates, patienceLeft)
      : backoff(tries.attempts, fault?.retryAfterMs, gates)
  if (fault && pause > patienceLeft) throw outOfPatience(fault, gates, tries, pause)
  log(`${profile.model}: ${fault?.what ?? 'the reply was empty'}; retrying in ${(pause / 1000).toFixed(1)} s`)
  return pause
}

function isEmpty({text, reasoning}: ChatReply): boolean {
  return text === '' && reasoning === ''
}

/**
 * Runs inside a slot. Its waits are for the endpoint or the budget as a whole, so no other request could use the slot.
 */
async function sendOnce(
  request: ChatRequest,
  gates: Gates,
  account: Account,
  how: {again: boolean; last: boolean},
  signal?: AbortSignal,
): Promise<Result> {
  const {profile, breaker, rate} = gates
  ensureWanted(signal)
  const pass = await breaker.enter(signal)
  const admitted = promptTokensRoughly(messagesOf(profile, request)) + profile.expectedCompletionTokens
  let leave: Result | Reservation
  try {
    await rate.admit(admitted, signal)
    leave = await leaveToSend(request, gates, account, how, signal)
  } catch (error) {
    pass.withdraw()
    throw error
  }
  if (!('settle' in leave)) {
    pass.withdraw()
    rate.correct(-admitted)
    return leave
  }
  account.sent(how)
  const attempt = await gates.client.attempt(request)
  const usage = attempt.outcome === 'replied' ? attempt.reply.usage : attempt.fault.spent
  leave.settle(usage)
  rate.correct(usage.promptTokens + usage.completionTokens - admitted)
  return settle(attempt, gates, account, pass, how)
}

/** Reserves what the request may cost, here and across processes; or returns why it need not be sent. */
async function leaveToSend(
  request: ChatRequest,
  {profile, purse}: Gates,
  account: Account,
  {again}: {again: boolean},
  signal?: AbortSignal,
): Promise<Result | Reservation> {
  const known = again ? undefined : account.known()
  if (known) return {reply: known}
  const reservation = await purse.reserve(boundOf(request, profile), profile.price, signal)
  let claim: Claim | undefined
  try {
    claim = account.claim(reservation.most)
  } finally {
    if (claim !== 'ours') reservation.settle(nothing)
  }
  return claim === 'ours' ? reservation : {claim}
}

function settle(
  attempt: Attempt,
  {record, slots}: Gates,
  account: Account,
  pass: Pass,
  {last}: {last: boolean},
): Result {
  if (attempt.outcome === 'failed') {
    const {fault} = attempt
    account.failed(fault.kind)
    if (isOutage(fault)) pass.failed(fault)
    else pass.answered()
    if (fault.spent.promptTokens > 0) account.charge(fault.spent, {estimated: fault.told !== true})
    else account.waive()
    return {fault}
  }
  const {reply, estimated, trimmed} = attempt
  pass.answered()
  slots.grow()
  record.replies += 1
  record.refusals = 0
  record.limited = 0
  record.turnedAway = 0
  if (isEmpty(reply) && !last) account.charge(reply.usage, {estimated})
  else account.keep(reply, {estimated, trimmed})
  return {reply}
}

/** A prompt has no more tokens than bytes; to a count, a quarter is added for differences between tokenizers. */
function boundOf(request: ChatRequest, profile: TeacherProfile): Bound {
  const messages = messagesOf(profile, request)
  const completionTokens = completionLimit(profile, request)
  return {
    quick: {promptTokens: promptTokensAtMost(messages), completionTokens},
    async close() {
      const {countPromptTokens} = await import('./tokens.ts')
      return {
        promptTokens: Math.min(promptTokensAtMost(messages), Math.ceil(countPromptTokens(messages) * 1.25)),
        completionTokens,
      }
    },
  }
}

/** Full jitter: anything up to the doubled wait, so that requests that failed together are not retried together. */
function backoff(attempt: number, retryAfterMs: number | undefined, {random}: Gates): number {
  return (retryAfterMs ?? 0) + random() * Math.min(backoffMostMs, backoffBaseMs * 2 ** (attempt - 1))
}

/** What the endpoint asked for, else 1, 2, 4 … s; all of the teacher's requests wait if it answers nothing but 429. */
function coolDown(fault: Fault, times: number, {random, rate, slots, record}: Gates, patienceLeft: number): number {
  const base = fault.retryAfterMs ?? Math.min(backoffMostMs, backoffBaseMs * 2 ** (times - 1))
  record.limited += 1
  // A wait that exceeds the patience fails its own request, but must not hold up requests that are answered.
  if (record.limited >= limitedToCoolDown && base <= patienceLeft) {
    slots.shrink()
    rate.coolDown(base)
  }
  return base + random() * Math.min(base / 4, 1000)
}

function refusal(fault: Fault, {profile, record}: Gates, sent: number): PipelineError {
  record.refusals += 1
  const hopeless = record.replies === 0 && record.refusals >= refusalsToStop
  if (!hopeless) return asPipelineError(fault, profile, sent)
  const what = `${fault.what} (all ${record.refusals} requests so far were refused)`
  return asPipelineError({...fault, scope: 'run', what}, profile, sent)
}

/** Stops the run only when no request is answered any more. */
function outOfPatience(fault: Fault, {profile, record, clock}: Gates, tries: Tries, pause: number): PipelineError {
  const seconds = Math.round(pause / 1000)
  const limit = `patienceSeconds (${profile.patienceSeconds})`
  const what = `${fault.what}; the next attempt would be in ${seconds} s, which exceeds ${limit}`
  if (fault.kind !== 'rate-limited') return asPipelineError({...fault, what}, profile, tries.sent)
  record.turnedAway += 1
  const waited = clock.now() - tries.started
  const waitedInVain = record.replies === tries.repliesBefore && waited > profile.patienceSeconds * 500
  const stop = waitedInVain || record.turnedAway >= (record.replies === 0 ? refusalsToStop : turnedAwayToStop)
  return asPipelineError({...fault, what, scope: stop ? 'run' : 'record'}, profile, tries.sent)
}
