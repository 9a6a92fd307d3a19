import {APIError, OpenAI} from 'openai'
import {Stream} from 'openai/streaming'
import {z} from 'zod'
import {completionLimit, messagesOf} from './asked.ts'
import {cutFault, filteredFault, foreignFault, invalidFault, nothing, stalledFault, type Fault} from './fault.ts'
import {faultFrom} from './fault-from.ts'
import type {ChatMessage, ChatReply, ChatRequest, Usage} from './model.ts'
import {endpointOf, type TeacherProfile} from './profile.ts'
import {redactor, redactValue, type Redact} from './redact.ts'
import {fitBytes} from './reply-bytes.ts'
import {partReasoning} from './think.ts'
import {isCredible} from './usage.ts'
import {watchSilence} from './watchdog.ts'

/**
 * How one HTTP request ended. `estimated`: the endpoint sent no credible usage, so the tokens were counted here. A
 * complete reply may still be empty in both text and reasoning.
 */
export type Attempt = {outcome: 'replied'; reply: ChatReply; estimated: boolean} | {outcome: 'failed'; fault: Fault}

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
}

const Tokens = z.object({prompt_tokens: z.number(), completion_tokens: z.number()})
const Words = z.object({
  content: z.string().nullish(),
  reasoning_content: z.string().nullish(),
  reasoning: z.string().nullish(),
})
const Choice = z.object({
  index: z.number().nullish(),
  message: Words.nullish(),
  delta: Words.nullish(),
  finish_reason: z.string().nullish(),
})
/** Per token of the prompt, what vLLM says of it alone; of several candidates, which one it was would be lost. */
const PromptLogprobs = z.array(
  z
    .record(z.string(), z.object({logprob: z.number()}))
    .refine((token) => Object.keys(token).length === 1)
    .nullable(),
)
/** The fields we use, in a whole reply as in a piece of a stream. */
const Piece = z.object({
  model: z.string().nullish(),
  choices: z.array(Choice).nullish(),
  usage: Tokens.nullish().catch(undefined),
  prompt_logprobs: PromptLogprobs.nullish().catch(undefined),
})

interface Able {
  stream: boolean
  usageInStream: boolean
}

interface Wire {
  profile: TeacherProfile
  openai: OpenAI
  now: () => number
  redact: Redact
  able: Able
}

/** What has arrived of a reply. */
interface Received {
  /** Pieces of a stream, or 1 for a whole document, that were chat completions. */
  pieces: number
  content: string
  reasoning: string
  model: string
  finishReason: string | undefined
  usage: Usage | undefined
  promptLogprobs?: {tokens: number; sum: number}
}

/** Chat completions over the package `openai`, whose own retries are off: they would hold the slot and bill unseen. */
export function chatClient(profile: TeacherProfile, options: ClientOptions): ChatClient {
  // Learned from the endpoint's refusals, once per process.
  const able: Able = {stream: profile.stream, usageInStream: true}
  const {now, apiKey, redact = redactor([apiKey])} = options
  const wire = {profile, openai: openAi(profile, options), now, redact}
  return {
    async attempt(request) {
      for (;;) {
        const sent = {...able}
        const attempt = await attemptOnce({...wire, able: sent}, request)
        if (attempt.outcome === 'replied' || attempt.fault.kind !== 'rejected') return attempt
        const refused = refusedOf(sent, attempt.fault.evidence.body ?? '')
        if (refused === undefined) return attempt
        able[refused] = false
      }
    },
  }
}

/** Which part of what was sent is refused: of several requests in flight, the first refusal may be known already. */
function refusedOf({stream, usageInStream}: Able, refusal: string): keyof Able | undefined {
  if (!stream) return undefined
  if (usageInStream && /stream_options|include_usage/.test(refusal)) return 'usageInStream'
  return /stream/i.test(refusal) && /support|allow|invalid/i.test(refusal) ? 'stream' : undefined
}

async function attemptOnce({profile, openai, now, redact, able}: Wire, request: ChatRequest): Promise<Attempt> {
  const asked: Asked = {messages: messagesOf(profile, request), completionLimit: completionLimit(profile, request)}
  const watch = watchSilence(profile)
  const received: Received = {
    pieces: 0,
    content: '',
    reasoning: '',
    model: profile.model,
    finishReason: undefined,
    usage: undefined,
  }
  const params = requestBody(profile, request, able) as unknown as OpenAI.ChatCompletionCreateParams
  let begun = false
  try {
    const response = await openai.chat.completions.create(params, {signal: watch.controller.signal}).asResponse()
    begun = true
    const body = fitBytes(watch.listen(response.body), mostBytes(asked))
    const problem = isEventStream(response)
      ? await readStream({body, headers: response.headers}, watch.controller, received)
      : await readWhole({body, headers: response.headers}, received)
    const silence = watch.silentFor()
    if (silence) return {outcome: 'failed', fault: stalledFault(silence, (await spentOn(asked, received)).usage)}
    if (problem) return {outcome: 'failed', fault: await unread(problem, asked, received, redact)}
    return redactValue(await finish(asked, received), redact)
  } catch (error) {
    const silence = watch.silentFor()
    // A request that met silence may have been received, and then it is billed.
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
    fetch,
    ...(apiKey === undefined ? {defaultHeaders: {Authorization: null}} : {}),
  })
}

/** The body as it goes over the wire. */
function requestBody(profile: TeacherProfile, request: ChatRequest, able: Able): Record<string, unknown> {
  const {model, temperature, topP, maxTokens, extraBody} = profile
  const limit = 'max_completion_tokens' in extraBody ? {} : {max_tokens: request.maxTokens ?? maxTokens}
  const body: Record<string, unknown> = {
    model,
    messages: messagesOf(profile, request).map(onTheWire),
    temperature: request.temperature ?? temperature,
    top_p: topP,
    ...limit,
    stream: able.stream,
    ...(able.stream && able.usageInStream ? {stream_options: {include_usage: true}} : {}),
    ...extraBody,
  }
  for (const [key, value] of Object.entries(body)) if (value === null || value === undefined) delete body[key]
  return body
}

/** Text alone stays a string: many endpoints know no other content. */
function onTheWire({role, content, images = []}: ChatMessage): object {
  if (images.length === 0) return {role, content}
  const urls = images.map(({type, base64}) => ({url: `data:${type};base64,${base64}`}))
  return {role, content: [{type: 'text', text: content}, ...urls.map((url) => ({type: 'image_url', image_url: url}))]}
}

function isEventStream(response: Response): boolean {
  return (response.headers.get('content-type') ?? '').includes('event-stream')
}

/** Why something is not a chat completion. `foreign`: it is complete, but something else. */
interface Problem {
  what: string
  foreign: boolean
}

interface ReplyBody {
  body: AsyncIterable<Uint8Array>
  headers: Headers
}

async function readStream(
  {body, headers}: ReplyBody,
  controller: AbortController,
  received: Received,
): Promise<Problem | undefined> {
  const silent = {logLevel: 'off'} as OpenAI // The package would print broken pieces to the console.
  const response = {body, headers} as unknown as Response
  for await (const piece of Stream.fromSSEResponse<unknown>(response, controller, silent)) {
    const what = take(piece, received)
    if (what !== undefined) return {what, foreign: false}
  }
  return received.pieces === 0 ? {what: 'an event stream without events', foreign: true} : undefined
}

/** Also for endpoints that were asked for a stream but answer in one piece. */
async function readWhole({body, headers}: ReplyBody, received: Received): Promise<Problem | undefined> {
  const parts: Uint8Array[] = []
  for await (const bytes of body) parts.push(bytes)
  const text = Buffer.concat(parts).toString('utf8')
  const value = parsed(text)
  if (value !== undefined) {
    const error = errorIn(value)
    if (error !== undefined) throw new APIError(undefined, error, undefined, headers)
    const what = take(value, received)
    if (what === undefined) return undefined
    received.content = text
    return {what, foreign: true}
  }
  received.content = text
  // A document that starts like a completion was cut off on its way; anything else never was one.
  const cut = text.trimStart().startsWith('{')
  return cut ? {what: 'not JSON', foreign: false} : {what: foreignText(text), foreign: true}
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** Some send their errors with status 200. */
function errorIn(value: unknown): object | undefined {
  if (typeof value !== 'object' || value === null || !('error' in value) || 'choices' in value) return undefined
  return typeof value.error === 'object' && value.error !== null ? value.error : {message: String(value.error)}
}

function foreignText(text: string): string {
  if (text.trim() === '') return 'an empty page'
  return /^\s*</.test(text) ? 'a web page' : 'not JSON'
}

/** Adds a piece to what has arrived, or says what is wrong with it. */
function take(value: unknown, received: Received): string | undefined {
  const result = Piece.safeParse(value)
  if (!result.success) return result.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ')
  const {model, choices, usage} = result.data
  if (choices === undefined && usage === undefined) return 'it has no choices'
  received.pieces += 1
  if (model) received.model = model
  const known = result.data.prompt_logprobs?.flatMap((token) => Object.values(token ?? {}))
  if (known && known.length > 0)
    received.promptLogprobs = {tokens: known.length, sum: known.reduce((sum, {logprob}) => sum + logprob, 0)}
  if (usage) received.usage = {promptTokens: usage.prompt_tokens, completionTokens: usage.completion_tokens}
  // Some endpoints send several choices at once, with their pieces interleaved.
  const choice = choices?.find(({index}) => (index ?? 0) === 0)
  const words = choice?.delta ?? choice?.message
  received.content += words?.content ?? ''
  received.reasoning += words?.reasoning_content ?? words?.reasoning ?? ''
  received.finishReason = choice?.finish_reason ?? received.finishReason
  return undefined
}

/** Finish reasons of endpoints that stopped on their own account. */
const brokenOff = new Set(['error', 'insufficient_system_resource'])

async function finish(asked: Asked, received: Received): Promise<Attempt> {
  const {finishReason, model, content, reasoning: field} = received
  const {usage, estimated} = await spentOn(asked, received)
  const failed = (fault: Fault): Attempt => ({outcome: 'failed', fault})
  if (finishReason === undefined) return failed(cutFault('it ended without a finish_reason', usage))
  if (brokenOff.has(finishReason)) return failed(cutFault(`finish_reason ${finishReason}`, usage))
  if (finishReason.startsWith('content_filter')) return failed(filteredFault(finishReason, usage, !estimated))
  if (/\p{Surrogate}/u.test(content + field)) return failed(invalidFault('it holds half a character', '', usage))
  const {text, reasoning} = partReasoning(content, field)
  const {promptLogprobs} = received
  const more = promptLogprobs === undefined ? {} : {promptLogprobs}
  return {outcome: 'replied', reply: {text, reasoning, finishReason, model, usage, ...more}, estimated}
}

async function unread({what, foreign}: Problem, asked: Asked, received: Received, redact: Redact): Promise<Fault> {
  const [problem, head] = [redact(what), redact(received.content)]
  if (foreign) return foreignFault(problem, head, nothing)
  return invalidFault(problem, head, (await spentOn(asked, received)).usage)
}

/** What a reply that began has cost: as the endpoint reports, if that is credible, else counted here. */
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
