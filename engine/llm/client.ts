import {APIError, OpenAI} from 'openai'
import {completionLimit, messagesOf, requestBody} from './asked.ts'
import {endOf} from './ends.ts'
import {cutFault, filteredFault, foreignFault, invalidFault, nothing, stalledFault, type Fault} from './fault.ts'
import {faultFrom} from './fault-from.ts'
import {openBody, parseJson, valuesIn, type Body} from './framing.ts'
import {lackIn, without} from './lacks.ts'
import type {ChatReply, ChatRequest, Usage, ChatMessage} from './model.ts'
import {endpointOf, type TeacherProfile} from './profile.ts'
import {nothingReceived, take, type Received} from './received.ts'
import {redactor, redactValue, type Redact} from './redact.ts'
import {isErrorDocument} from './server-words.ts'
import {fitText} from './reply-bytes.ts'
import {partReasoning} from './think.ts'
import {watchSilence} from './watchdog.ts'
import {promptTokensAtMost, textTokensAtMost} from './token-bounds.ts'

/**
 * How one HTTP request ended. `estimated`: the endpoint sent no credible usage, so the tokens were counted here;
 * `trimmed`: control tokens were cut off its end. A complete reply may still be empty in both text and reasoning.
 */
export type Attempt = ({outcome: 'replied'; reply: ChatReply} & Manner) | {outcome: 'failed'; fault: Fault}

export interface Manner {
  estimated: boolean
  trimmed: boolean
}

export interface ChatClient {
  /**
   * Sends once; never throws for what the endpoint does. Cannot be cancelled: a request that was sent is billed, so its
   * reply is awaited.
   */
  attempt(request: ChatRequest): Promise<Attempt>
}

export interface ClientOptions {
  apiKey: string | undefined
  fetch: typeof globalThis.fetch
  now: () => number
  /** Hides keys in everything the endpoint sends. Default: hides this client's own key. */
  redact?: Redact
  /** Called when something is sent differently from the profile because the server does not support it. */
  say?: (message: string) => void
}

interface Wire {
  profile: TeacherProfile
  openai: OpenAI
  now: () => number
  redact: Redact
}

/** Whether the cause may be an unsupported part of the request: llama.cpp's templates answer 500. */
const isMendable = ({refusal, status}: Fault['evidence']) =>
  refusal === 'parameter' || refusal === 'refused' || (refusal === 'overload' && status === 500)

/** Chat completions over the package `openai`, whose own retries are off: they would hold the slot and bill unseen. */
export function chatClient(profile: TeacherProfile, options: ClientOptions): ChatClient {
  // Learned from the endpoint's refusals, once per process.
  const lacking = new Set<string>()
  const {now, apiKey, redact = redactor([apiKey]), say} = options
  const wire = {profile, openai: openAi(profile, options), now, redact}
  return {
    async attempt(request) {
      for (;;) {
        const body = without(lacking, requestBody(profile, request))
        const attempt = await attemptHeard(wire, request, body)
        if (attempt.outcome === 'replied' || !isMendable(attempt.fault.evidence)) return attempt
        const words = attempt.fault.evidence.body ?? ''
        const lack = lackIn(words, body)
        if (!lack) return attempt
        // Of several requests in flight, another may already have learned this.
        if (!lacking.has(lack.name)) say?.(`${profile.model} does not support ${lack.name}: ${lack.remedy} (${words})`)
        lacking.add(lack.name)
      }
    },
  }
}

/** llama-cpp-python closes the stream of a refused request silently; without streaming it says why. */
async function attemptHeard(wire: Wire, request: ChatRequest, body: Record<string, unknown>): Promise<Attempt> {
  const attempt = await attemptOnce(wire, request, body)
  const silent = attempt.outcome === 'failed' && attempt.fault.kind === 'foreign' && attempt.fault.evidence.body === ''
  return silent && body['stream'] === true ? attemptOnce(wire, request, without(unstreamed, body)) : attempt
}

const unstreamed = new Set(['streaming'])

async function attemptOnce(
  {profile, openai, now, redact}: Wire,
  request: ChatRequest,
  body: Record<string, unknown>,
): Promise<Attempt> {
  const asked: Asked = {messages: messagesOf(profile, request), completionLimit: completionLimit(profile, request)}
  const watch = watchSilence(profile)
  const received = nothingReceived(profile.model)
  const params = body as unknown as OpenAI.ChatCompletionCreateParams
  let begun = false
  try {
    const response = await openai.chat.completions.create(params, {signal: watch.controller.signal}).asResponse()
    begun = true
    const text = fitText(watch.listen(response.body), mostBytes(asked))
    const problem = await readReply(await openBody(text), response.headers, received)
    const silence = watch.silentFor()
    if (silence) return {outcome: 'failed', fault: stalledFault(silence, (await spentOn(asked, received)).usage)}
    if (problem) return {outcome: 'failed', fault: await unread(problem, asked, received, redact)}
    return redactValue(await finish(asked, received), redact)
  } catch (error) {
    const silence = watch.silentFor()
    // A request without an answer may have been received, and would then be billed.
    const spent = begun || silence ? (await spentOn(asked, received)).usage : nothing
    if (silence) return {outcome: 'failed', fault: stalledFault(silence, spent)}
    return {outcome: 'failed', fault: faultFrom(error, {profile, now: now(), redact}, spent)}
  } finally {
    watch.stop()
  }
}

/** What bounds a reply's tokens. */
interface Asked {
  messages: ChatRequest['messages']
  completionLimit: number
}

/** A stream takes some hundred bytes per token; an endless one must not fill the memory. */
const mostBytes = ({completionLimit: tokens}: Asked) => 2 ** 24 + tokens * 2048

function openAi(profile: TeacherProfile, {apiKey, fetch}: ClientOptions): OpenAI {
  // Everything the package would otherwise read from the environment is set, so that a run depends on its configuration
  // only.
  return new OpenAI({
    apiKey: apiKey ?? 'none',
    baseURL: endpointOf(profile),
    organization: null,
    project: null,
    adminAPIKey: null,
    webhookSecret: null,
    maxRetries: 0,
    timeout: 2 ** 31 - 1,
    logLevel: 'off',
    fetch: telling(fetch),
    ...(apiKey === undefined ? {defaultHeaders: {Authorization: null}} : {}),
  })
}

const longestRefusal = 2 ** 16

/** The package keeps only the `error` field of a refusal, so the whole body is put there. */
function telling(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (...asked) => {
    const response = await fetch(...asked)
    if (response.ok || response.body === null) return response
    const decoder = new TextDecoder()
    let text = ''
    for await (const bytes of response.body) {
      text += decoder.decode(bytes, {stream: true})
      if (text.length > longestRefusal) break
    }
    const error = parseJson(text) ?? text
    const {status, headers} = response
    return new Response(JSON.stringify({error}), {status: Math.min(status, 599), headers})
  }
}

/** Why something is not a chat completion. `foreign`: it is complete, but something else. */
interface Problem {
  what: string
  foreign: boolean
}

async function readReply(body: Body, headers: Headers, received: Received): Promise<Problem | undefined> {
  if ('document' in body) return readDocument(body.document, headers, received)
  for await (const event of body.events) {
    // The rest is read as well, so that the connection can be reused.
    if (received.done) continue
    received.done = event.done
    for (const value of valuesIn(event)) {
      const problem = readValue(value, headers, received)
      if (problem?.wrong) return {what: problem.none, foreign: false}
    }
  }
  return received.pieces === 0 ? {what: 'an event stream without events', foreign: true} : undefined
}

/** Also of endpoints that were asked for a stream but answer in one piece. */
function readDocument(text: string, headers: Headers, received: Received): Problem | undefined {
  const value = parseJson(text)
  if (value === undefined) {
    received.content = text
    // A document that starts like a completion was cut off on its way; anything else never was one.
    const cut = text.trimStart().startsWith('{')
    return cut ? {what: 'not JSON', foreign: false} : {what: foreignText(text), foreign: true}
  }
  const problem = readValue(value, headers, received)
  if (problem) received.content = text
  return problem && {what: problem.none, foreign: true}
}

/** Some send their errors with status 200. */
function readValue(value: unknown, headers: Headers, received: Received): ReturnType<typeof take> {
  if (isErrorDocument(value)) throw new APIError(undefined, value as object, undefined, headers)
  return take(value, received)
}

function foreignText(text: string): string {
  if (text.trim() === '') return 'an empty page'
  return /^\s*</.test(text) ? 'a web page' : 'not JSON'
}

async function finish(asked: Asked, received: Received): Promise<Attempt> {
  const {finishReason, done, model, content, reasoning: field} = received
  const {usage, estimated} = await spentOn(asked, received)
  const failed = (fault: Fault): Attempt => ({outcome: 'failed', fault})
  const end = endOf(finishReason, done)
  const said = finishReason === undefined ? 'it ended without a finish_reason' : `finish_reason ${finishReason}`
  if (end === 'cut') return failed(cutFault(said, usage))
  if (end === 'filtered') return failed(filteredFault(finishReason ?? '', usage, !estimated))
  if (/\p{Surrogate}/u.test(content + field)) return failed(invalidFault('it holds half a character', '', usage))
  const {text, reasoning, cutOff} = partReasoning(content, field)
  const {promptLogprobs} = received
  const more = promptLogprobs === undefined ? {} : {promptLogprobs}
  const finished = end === 'length' ? 'length' : 'stop'
  const reply = {text, reasoning, finishReason: finished, model, usage, ...more}
  return {outcome: 'replied', reply, estimated, trimmed: cutOff !== ''}
}

async function unread({what, foreign}: Problem, asked: Asked, received: Received, redact: Redact): Promise<Fault> {
  const [problem, head] = [redact(what), redact(received.content)]
  if (foreign) return foreignFault(problem, head, nothing)
  return invalidFault(problem, head, (await spentOn(asked, received)).usage)
}

/** The cost of a reply that began: as the endpoint reports it if credible, otherwise counted here. */
async function spentOn(
  asked: Asked,
  {content, reasoning, usage}: Received,
): Promise<{usage: Usage; estimated: boolean}> {
  const answer = reasoning + content
  if (usage && isCredible(usage, {...asked, answer})) return {usage, estimated: false}
  const {countPromptTokens, countTextTokens} = await import('./tokens.ts')
  return {
    usage: {promptTokens: countPromptTokens(asked.messages), completionTokens: countTextTokens(answer)},
    estimated: true,
  }
}

/** The parts of a request and reply that bound their tokens. */
interface Exchange {
  messages: readonly ChatMessage[]
  /** Reasoning and text together. */
  answer: string
  /** The completion limit that was sent, in tokens. */
  completionLimit: number
}

/**
 * Endpoints add templates, tools and prompts of their own, and some do not count hidden reasoning against the limit.
 */
const wideFactor = 4
const hiddenTokens = 4096
/** Bytes in the longest tokens of known vocabularies (runs of spaces). */
const longestTokenBytes = 128

/**
 * Whether the usage that an endpoint reports can be true. Numbers that are too small for the texts would defeat the
 * budget, too large ones would exhaust it at once.
 */
export function isCredible(
  {promptTokens, completionTokens}: Usage,
  {messages, answer, completionLimit}: Exchange,
): boolean {
  // The least that a picture may cost is unknown.
  const least = textTokensAtMost(messages) / longestTokenBytes
  return (
    within(promptTokens, least, promptTokensAtMost(messages) * wideFactor + hiddenTokens) &&
    within(completionTokens, Buffer.byteLength(answer) / longestTokenBytes, completionLimit * wideFactor + hiddenTokens)
  )
}

function within(tokens: number, least: number, most: number): boolean {
  return Number.isSafeInteger(tokens) && tokens >= Math.ceil(least) && tokens <= most
}
