import {setMaxListeners} from 'node:events'
import {PipelineError} from '../errors.ts'
import type {Log} from '../log.ts'
import {circuitBreaker, type Breaker} from './breaker.ts'
import {amountOf, openPurse, type Purse} from './budget.ts'
import {openReplyCache, replyKey, type ReplyCache} from './cache.ts'
import type {ChatClient, ClientOptions} from './client.ts'
import {realSleep, type Clock} from './clock.ts'
import type {ChatReply, ChatRequest, LanguageModel, Usage} from './model.ts'
import {endpointOf, fingerprint, type Budget, type TeacherProfile} from './profile.ts'
import {rateLimit, type Limits, type RateLimit} from './rate-limit.ts'
import {redactError, redactor, redactValue, type Redact} from './redact.ts'
import {obtain, type Account, type Gates} from './retry.ts'
import {adaptiveSlots} from './slots.ts'

/** What has been spent since `connect`, by all teachers together. */
export interface Spending {
  /** Requests sent, retries included. */
  requests: number
  /** Sent again after a fault. */
  retries: number
  /** Answered from the cache, or by an identical request in flight. */
  cachedReplies: number
  promptTokens: number
  completionTokens: number
  /** Both together. */
  tokens: number
  /** Requests whose tokens were counted here because the endpoint did not say. */
  estimated: number
  /** Replies that ended in control tokens such as `<|im_end|>`, which were cut off. */
  trimmed: number
  /** Attempts without a reply, by kind of fault. */
  faults: Record<string, number>
  cost: number
  /** '' when no teacher has a price. */
  currency: string
}

export interface ConnectOptions {
  budget?: Budget
  /** Replies on disk; made when missing, together with its folder. */
  cacheFile: string
  /** The name under which the cache file adds up spending: the budget covers all processes of one account. */
  account?: string
  env: Readonly<Record<string, string | undefined>>
  now: () => number
  /** In [0, 1); spreads retries. */
  random: () => number
  log: Log
  /**
   * Cancels requests that are not sent yet; those that are will be billed anyway, so their replies are awaited and
   * kept.
   */
  signal?: AbortSignal
  onUsage?: (spending: Readonly<Spending>) => void
  fetch?: typeof globalThis.fetch
  sleep?: Clock['sleep']
}

/** Teachers by profile name; undefined for a profile that is not configured, so that the stage writes offline. */
export interface Teachers {
  /** @throws PipelineError `key-missing`, as `requirePrices` does, or what opening the cache throws */
  (profile: string): LanguageModel | undefined
  spending(): Readonly<Spending>
  /** Hides the keys of all configured teachers. */
  redact: Redact
  close(): void
}

/** What all teachers share: one account at one endpoint is one queue, whatever the profiles are called. */
interface Shared {
  options: ConnectOptions
  clock: Clock
  spending: Spending
  cache: ReplyCache
  purse: Purse
  breakers: Map<string, Breaker>
  rates: Map<string, RateLimit>
  /** By key: two profiles may name the same model. */
  inFlight: Map<string, Promise<ChatReply>>
  redact: Redact
}

/**
 * Puts limits, retries, budget and cache behind `LanguageModel.complete`. Nothing is opened or sent before it is
 * needed.
 * @throws PipelineError `config-invalid` when prices are in several currencies, or when a profile holds a key
 */
export function connect(profiles: Readonly<Record<string, TeacherProfile>>, options: ConnectOptions): Teachers {
  const spending: Spending = {
    requests: 0,
    retries: 0,
    cachedReplies: 0,
    promptTokens: 0,
    completionTokens: 0,
    tokens: 0,
    estimated: 0,
    trimmed: 0,
    faults: {},
    cost: 0,
    currency: currencyOf(profiles),
  }
  const redact = redactor(Object.values(profiles).map(({apiKeyEnv}) => options.env[apiKeyEnv ?? '']?.trim()))
  refuseKeysIn(profiles, redact)
  const models = new Map<string, LanguageModel>()
  let shared: Shared | undefined
  if (options.signal) setMaxListeners(0, options.signal)

  function model(name: string): LanguageModel | undefined {
    const profile = profiles[name]
    if (!profile) return undefined
    requirePrices([name], profiles, options.budget ?? {})
    shared ??= openShared({...options, log: redactingLog(options.log, redact)}, spending, redact)
    const made = models.get(name) ?? teacher(name, profile, profiles, shared)
    models.set(name, made)
    return made
  }

  return Object.assign(model, {
    spending: () => spending,
    redact,
    close() {
      shared?.cache.close()
      shared = undefined
      models.clear()
    },
  })
}

function openShared(options: ConnectOptions, spending: Spending, redact: Redact): Shared {
  const {budget = {}, cacheFile, account = ''} = options
  const cache = openReplyCache(cacheFile)
  const clock = {now: options.now, sleep: options.sleep ?? realSleep}
  const purse = openPurse(budget, account === '' ? undefined : cache.spent(account))
  return {options, clock, spending, cache, purse, breakers: new Map(), rates: new Map(), inFlight: new Map(), redact}
}

/** A second safety net: what an endpoint says is already redacted where it comes in. */
function redactingLog(log: Log, redact: Redact): Log {
  const at =
    (level: keyof Log): Log['info'] =>
    (message, fields) =>
      log[level](redact(message), fields && redactValue(fields, redact))
  return {debug: at('debug'), info: at('info'), warn: at('warn')}
}

function teacher(
  name: string,
  profile: TeacherProfile,
  profiles: Readonly<Record<string, TeacherProfile>>,
  shared: Shared,
): LanguageModel {
  const {cache, spending, options, inFlight, redact} = shared
  const gates = gatesOf(profile, profiles, shared, keyOf(name, profile, options.env))
  const print = fingerprint(profile)
  const join = joining(options.signal)
  const told = () => options.onUsage?.(spending)

  function fromCache(key: string): ChatReply | undefined {
    const reply = cache.find(key)
    if (!reply) return undefined
    spending.cachedReplies += 1
    told()
    return reply
  }

  async function ask(key: string, request: ChatRequest, signal: AbortSignal | undefined): Promise<ChatReply> {
    const account = accountOf(key, profile, shared, {known: () => fromCache(key), told})
    try {
      return await obtain(request, gates, account, signal)
    } catch (error) {
      redactError(error, redact)
      throw error
    }
  }

  return {
    profile: name,
    model: profile.model,
    fingerprint: print,
    concurrency: profile.concurrency,
    async complete(request, signal) {
      const key = replyKey(print, request)
      const known = fromCache(key)
      if (known) return known
      const underWay = inFlight.get(key)
      if (underWay) return await sharedReply(underWay, spending, told)
      const asked = ask(key, request, join(signal)).finally(() => inFlight.delete(key))
      inFlight.set(key, asked)
      return await asked
    },
  }
}

async function sharedReply(underWay: Promise<ChatReply>, spending: Spending, told: () => void): Promise<ChatReply> {
  const reply = await underWay
  spending.cachedReplies += 1
  told()
  return reply
}

/** Joins a caller's signal with the common one; once per signal, since a joined signal lives as long as its parents. */
function joining(common: AbortSignal | undefined): (signal: AbortSignal | undefined) => AbortSignal | undefined {
  const joined = new WeakMap<AbortSignal, AbortSignal>()
  return (signal) => {
    if (!signal || signal === common) return common
    const known = joined.get(signal)
    if (known) return known
    const made = common ? AbortSignal.any([signal, common]) : signal
    setMaxListeners(0, made)
    joined.set(signal, made)
    return made
  }
}

function accountOf(
  key: string,
  {price}: TeacherProfile,
  {cache, spending, options}: Shared,
  {known, told}: {known: Account['known']; told: () => void},
): Account {
  const account = options.account ?? ''
  let claimed = false
  const add = (usage: Usage): number => {
    const {tokens, cost} = amountOf(usage, price)
    spending.promptTokens += usage.promptTokens
    spending.completionTokens += usage.completionTokens
    spending.tokens += tokens
    spending.cost += cost
    return cost
  }
  return {
    known,
    askedElsewhere: () => cache.isAskedElsewhere(key),
    claim(most) {
      const claim = cache.claim(key, {account, usage: most, cost: amountOf(most, price).cost})
      claimed ||= claim === 'ours'
      return claim
    },
    release() {
      if (claimed) cache.release(key)
    },
    failed(kind) {
      spending.faults[kind] = (spending.faults[kind] ?? 0) + 1
      told()
    },
    waive: () => cache.charge(key, undefined),
    sent({again}) {
      spending.requests += 1
      if (again) spending.retries += 1
      told()
    },
    keep(reply, {estimated, trimmed}) {
      if (estimated) spending.estimated += 1
      if (trimmed) spending.trimmed += 1
      cache.keep(key, reply, {account, usage: reply.usage, cost: add(reply.usage)})
      claimed = false
      told()
    },
    charge(usage, {estimated}) {
      if (estimated) spending.estimated += 1
      cache.charge(key, {account, usage, cost: add(usage)})
      told()
    },
  }
}

function gatesOf(
  profile: TeacherProfile,
  profiles: Readonly<Record<string, TeacherProfile>>,
  shared: Shared,
  apiKey: string | undefined,
): Gates {
  const {clock, options, purse, breakers, rates, redact} = shared
  const url = endpointOf(profile)
  const lane = laneOf(profile)
  const breaker =
    breakers.get(url) ??
    circuitBreaker({url, outageSeconds: profile.outageSeconds, clock, log: (message) => options.log.warn(message)})
  const rate =
    rates.get(lane) ?? rateLimit(strictest(Object.values(profiles).filter((other) => laneOf(other) === lane)), clock)
  breakers.set(url, breaker)
  rates.set(lane, rate)
  return {
    profile,
    client: clientOnDemand(profile, {
      apiKey,
      fetch: options.fetch ?? globalThis.fetch,
      now: options.now,
      redact,
      say: (message) => options.log.warn(message),
    }),
    slots: adaptiveSlots(profile.concurrency, clock.now),
    rate,
    breaker,
    purse,
    record: {replies: 0, refusals: 0, limited: 0, turnedAway: 0},
    clock,
    random: options.random,
    log: (message) => options.log.debug(message),
  }
}

/** The package `openai` has 150 modules, which a run without a teacher never needs. */
function clientOnDemand(profile: TeacherProfile, options: ClientOptions): ChatClient {
  let client: Promise<ChatClient> | undefined
  return {
    async attempt(request) {
      client ??= import('./client.ts').then(({chatClient}) => chatClient(profile, options))
      return (await client).attempt(request)
    },
  }
}

/** Endpoints count requests by account and model. */
function laneOf(profile: TeacherProfile): string {
  return JSON.stringify([endpointOf(profile), profile.model, profile.apiKeyEnv])
}

function strictest(profiles: readonly TeacherProfile[]): Limits {
  const least = (key: 'requestsPerMinute' | 'tokensPerMinute') =>
    profiles.reduce<number | undefined>(
      (sofar, {[key]: limit}) => (limit === undefined ? sofar : Math.min(sofar ?? Infinity, limit)),
      undefined,
    )
  return {requestsPerMinute: least('requestsPerMinute'), tokensPerMinute: least('tokensPerMinute')}
}

/** @throws PipelineError `key-missing` when the key is not set or cannot be a key */
export function keyOf(name: string, {apiKeyEnv}: TeacherProfile, env: ConnectOptions['env']): string | undefined {
  if (apiKeyEnv === undefined) return undefined
  const key = env[apiKeyEnv]?.trim()
  if (key && /^[\x21-\x7e]+$/.test(key)) return key
  const unset = env[apiKeyEnv] === undefined ? 'not set' : 'empty'
  const state = key ? 'not a usable key: it contains a space or a character that cannot be sent' : unset
  const message = `The teacher "${name}" needs a key, but the environment variable ${apiKeyEnv} is ${state}.`
  throw new PipelineError('key-missing', message, {
    fix: `Set ${apiKeyEnv}, or remove teachers.${name} from the configuration to use the offline teacher.`,
    evidence: {profile: name, variable: apiKeyEnv},
  })
}

/** Because run.json stores the configuration for `resume`, and messages quote it. */
function refuseKeysIn(profiles: Readonly<Record<string, TeacherProfile>>, redact: Redact): void {
  for (const [name, profile] of Object.entries(profiles)) {
    const text = JSON.stringify(profile)
    if (redact(text) === text) continue
    throw new PipelineError('config-invalid', `The configuration of the teacher "${name}" contains a key.`, {
      fix:
        'Keep the key in an environment variable only, and name the variable in apiKeyEnv; ' +
        'the key is sent as a Bearer token.',
    })
  }
}

function currencyOf(profiles: Readonly<Record<string, TeacherProfile>>): string {
  const currencies = new Set(Object.values(profiles).flatMap(({price}) => (price ? [price.currency] : [])))
  if (currencies.size > 1) {
    throw new PipelineError(
      'config-invalid',
      `The teachers are priced in several currencies: ${[...currencies].join(', ')}.`,
      {fix: 'Convert the prices to one currency.'},
    )
  }
  return [...currencies][0] ?? ''
}

/**
 * A budget in money can only limit teachers with a known price.
 * @param names teachers in use; the others need no price
 * @throws PipelineError `config-invalid` with the lines that are missing
 */
export function requirePrices(
  names: readonly string[],
  profiles: Readonly<Record<string, TeacherProfile>>,
  {cost}: Budget,
): void {
  const unpriced = names.filter((name) => profiles[name] && !profiles[name].price)
  if (cost === undefined || unpriced.length === 0) return
  const currency = currencyOf(profiles) || 'USD'
  const price = `price: {promptPerMillion: 0, completionPerMillion: 0, currency: ${currency}}`
  const lines = ['teachers:', ...unpriced.flatMap((name) => [`  ${name}:`, `    ${price}`])]
  const what = `budget.cost is ${cost}, and the price of these teachers is not known: ${unpriced.join(', ')}.`
  throw new PipelineError('config-invalid', what, {
    fix: [
      "Add these lines to the configuration, with your provider's price per million tokens (0 if free):",
      ...lines.map((line) => `      ${line}`),
      '    Or limit tokens instead of money: set budget.tokens.',
    ].join('\n'),
  })
}
