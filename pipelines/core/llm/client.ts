import {OpenAI} from 'openai'
import {Stream} from 'openai/streaming'
import {z} from 'zod'
import {cutFault, faultFrom, invalidFault, nothing, stalledFault, type Fault} from './fault.ts'
import type {ChatReply, ChatRequest, Usage} from './model.ts'
import {endpointOf, type TeacherProfile} from './profile.ts'
import {partReasoning} from './think.ts'
import {watchSilence, type Silence} from './watchdog.ts'

/**
 * One HTTP request's end. `estimated`: the endpoint sent no usage, so tokens were counted here. A whole reply may still be
 * empty in both text and reasoning.
 */
export type Attempt = {outcome: 'replied'; reply: ChatReply; estimated: boolean} | {outcome: 'failed'; fault: Fault}

export interface ChatClient {
  /** Sends once; never throws for what the endpoint does. Cannot be called off: what was sent is billed, so its reply is awaited. */
  attempt(request: ChatRequest): Promise<Attempt>
}

export interface ClientOptions {
  apiKey: string | undefined
  fetch: typeof globalThis.fetch
  now: () => number
}

const Tokens = z.object({prompt_tokens: z.number(), completion_tokens: z.number()})
const Words = z.object({content: z.string().nullish(), reasoning_content: z.string().nullish(), reasoning: z.string().nullish()})
const Choice = z.object({message: Words.nullish(), delta: Words.nullish(), finish_reason: z.string().nullish()})
/** The fields that are used, of a whole reply and of a piece of a stream alike. */
const Piece = z.object({model: z.string().nullish(), choices: z.array(Choice).nullish(), usage: Tokens.nullish().catch(undefined)})

interface Able {
  stream: boolean
  usageInStream: boolean
}

interface Wire {
  profile: TeacherProfile
  openai: OpenAI
  now: () => number
  able: Able
}

/** What has arrived of a reply. */
interface Received {
  content: string
  reasoning: string
  model: string
  finishReason: string | undefined
  usage: Usage | undefined
}

/** Chat completions over the package `openai`, whose own retries are off: they would hold the slot and bill unseen. */
export function chatClient(profile: TeacherProfile, options: ClientOptions): ChatClient {
  // Learned from the endpoint's refusals, once per process.
  const able: Able = {stream: profile.stream, usageInStream: true}
  const wire: Wire = {profile, openai: openAi(profile, options), now: options.now, able}
  return {
    async attempt(request) {
      const attempt = await attemptOnce(wire, request)
      if (attempt.outcome === 'replied' || attempt.fault.kind !== 'rejected') return attempt
      const refusal = attempt.fault.evidence.body ?? ''
      if (able.usageInStream && /stream_options|include_usage/.test(refusal)) able.usageInStream = false
      else if (able.stream && /stream/i.test(refusal) && /support|allow|invalid/i.test(refusal)) able.stream = false
      else return attempt
      return await attemptOnce(wire, request)
    },
  }
}

async function attemptOnce({profile, openai, now, able}: Wire, request: ChatRequest): Promise<Attempt> {
  const messages = messagesOf(profile, request)
  const watch = watchSilence(profile)
  const received: Received = {content: '', reasoning: '', model: profile.model, finishReason: undefined, usage: undefined}
  const asked = requestBody(profile, request, able) as unknown as OpenAI.ChatCompletionCreateParams
  let begun = false
  try {
    const response = await openai.chat.completions.create(asked, {signal: watch.controller.signal}).asResponse()
    begun = true
    const body = watch.listen(response.body)
    const problem = isEventStream(response) ? await readStream({body, headers: response.headers}, watch.controller, received) : await readWhole(body, received)
    if (problem === undefined && !watch.silentFor()) return await finish(messages, received)
    return {outcome: 'failed', fault: await broken(watch.silentFor(), problem, messages, received)}
  } catch (error) {
    const silence = watch.silentFor()
    // A request that met silence was received all the same, and may be billed.
    const spent = begun || silence ? await estimate(messages, received) : nothing
    if (silence) return {outcome: 'failed', fault: stalledFault(silence, spent)}
    return {outcome: 'failed', fault: faultFrom(error, profile, now(), spent)}
  } finally {
    watch.stop()
  }
}

function openAi(profile: TeacherProfile, {apiKey, fetch}: ClientOptions): OpenAI {
  // Everything that the package would otherwise read from the environment is given, so that a run depends on its configuration alone.
  return new OpenAI({
    apiKey: apiKey ?? 'none', baseURL: endpointOf(profile), organization: null, project: null, adminAPIKey: null, webhookSecret: null,
    maxRetries: 0, timeout: 2 ** 31 - 1, logLevel: 'off', fetch, ...(apiKey === undefined ? {defaultHeaders: {Authorization: null}} : {}),
  })
}

/** The body as it goes over the wire. */
export function requestBody(profile: TeacherProfile, request: ChatRequest, able: Able = {stream: profile.stream, usageInStream: true}): Record<string, unknown> {
  const {model, temperature, topP, maxTokens, extraBody} = profile
  const limit = 'max_completion_tokens' in extraBody ? {} : {max_tokens: request.maxTokens ?? maxTokens}
  const body: Record<string, unknown> = {
    model, messages: messagesOf(profile, request), temperature: request.temperature ?? temperature, top_p: topP, ...limit,
    stream: able.stream, ...(able.stream && able.usageInStream ? {stream_options: {include_usage: true}} : {}), ...extraBody,
  }
  for (const [key, value] of Object.entries(body)) if (value === null || value === undefined) delete body[key]
  return body
}

/** The most tokens that the endpoint is asked to answer with. */
export function completionLimit({maxTokens, extraBody}: TeacherProfile, request: ChatRequest): number {
  const {max_completion_tokens: newer, max_tokens: older} = extraBody
  return typeof newer === 'number' ? newer : typeof older === 'number' ? older : request.maxTokens ?? maxTokens
}

/** The messages with the profile's system prompt before the request's own, in one message: many endpoints take no second one. */
export function messagesOf({systemPrompt}: TeacherProfile, {messages}: ChatRequest): ChatRequest['messages'] {
  if (systemPrompt === undefined) return messages
  const [first, ...rest] = messages
  if (first?.role !== 'system') return [{role: 'system', content: systemPrompt}, ...messages]
  return [{role: 'system', content: `${systemPrompt}\n\n${first.content}`}, ...rest]
}

function isEventStream(response: Response): boolean {
  return (response.headers.get('content-type') ?? '').includes('event-stream')
}

async function readStream(response: {body: AsyncIterable<Uint8Array>; headers: Headers}, controller: AbortController, received: Received): Promise<string | undefined> {
  const silent = {logLevel: 'off'} as OpenAI // The package would print broken pieces to the console.
  for await (const piece of Stream.fromSSEResponse<unknown>(response as unknown as Response, controller, silent)) {
    const problem = take(piece, received)
    if (problem !== undefined) return problem
  }
  return undefined
}

/** Also for endpoints that were asked for a stream and answer in one piece. */
async function readWhole(body: AsyncIterable<Uint8Array>, received: Received): Promise<string | undefined> {
  const parts: Uint8Array[] = []
  for await (const bytes of body) parts.push(bytes)
  const text = Buffer.concat(parts).toString('utf8')
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    received.content = text
    return 'not JSON'
  }
  const problem = take(value, received)
  if (problem !== undefined) received.content = text
  return problem
}

/** Adds a piece to what has arrived; says what is wrong with it. */
function take(value: unknown, received: Received): string | undefined {
  const parsed = Piece.safeParse(value)
  if (!parsed.success) return parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ')
  const {model, choices, usage} = parsed.data
  if (model) received.model = model
  if (usage) received.usage = {promptTokens: usage.prompt_tokens, completionTokens: usage.completion_tokens}
  const choice = choices?.[0]
  const words = choice?.delta ?? choice?.message
  received.content += words?.content ?? ''
  received.reasoning += words?.reasoning_content ?? words?.reasoning ?? ''
  received.finishReason = choice?.finish_reason ?? received.finishReason
  return choices === undefined && usage === undefined ? 'it has no choices' : undefined
}

async function finish(messages: ChatRequest['messages'], received: Received): Promise<Attempt> {
  const {finishReason, model} = received
  const usage = received.usage ?? await estimate(messages, received)
  if (finishReason === undefined) return {outcome: 'failed', fault: cutFault('it ended without a finish_reason', usage)}
  const {text, reasoning} = partReasoning(received.content, received.reasoning)
  return {outcome: 'replied', reply: {text, reasoning, finishReason, model, usage}, estimated: received.usage === undefined}
}

async function broken(silence: Silence | undefined, problem: string | undefined, messages: ChatRequest['messages'], received: Received): Promise<Fault> {
  const spent = await estimate(messages, received)
  return silence ? stalledFault(silence, spent) : invalidFault(problem ?? 'unknown', received.content, spent)
}

/** What a reply that began is taken to have cost. */
async function estimate(messages: ChatRequest['messages'], {content, reasoning, usage}: Received): Promise<Usage> {
  if (usage) return usage
  const {countPromptTokens, countTextTokens} = await import('./tokens.ts')
  return {promptTokens: countPromptTokens(messages), completionTokens: countTextTokens(reasoning + content)}
}
