import {z} from 'zod'
import {endWord, failureWord} from './ends.ts'
import type {Usage} from './model.ts'

/** What has arrived of a reply. */
export interface Received {
  /** Pieces of a stream, or 1 for a whole document, that were chat completions. */
  pieces: number
  content: string
  reasoning: string
  model: string
  /** The server's last finish reason that was not empty. */
  finishReason: string | undefined
  /** The stream was closed with `[DONE]`. */
  done: boolean
  usage: Usage | undefined
  promptLogprobs?: {tokens: number; sum: number}
}

export const nothingReceived = (model: string): Received => ({
  pieces: 0,
  content: '',
  reasoning: '',
  model,
  finishReason: undefined,
  done: false,
  usage: undefined,
})

const Tokens = z.object({prompt_tokens: z.number(), completion_tokens: z.number()})
/** Text, alone or in parts; Mistral nests the parts of a thought, OpenRouter has details of several kinds. */
const Parts = z.array(z.record(z.string(), z.unknown()))
const Said = z.union([z.string(), Parts]).nullish()
const Words = z.object({
  content: Said,
  reasoning_content: Said,
  reasoning: Said,
  reasoning_details: Said.catch(undefined),
})
const Choice = z.object({
  index: z.unknown().optional(),
  message: Words.nullish(),
  delta: Words.nullish(),
  finish_reason: z.unknown().optional(),
  finishReason: z.unknown().optional(),
  native_finish_reason: z.unknown().optional(),
})
/** vLLM's value for each prompt token itself; with several candidates, the actual one could not be identified. */
const PromptLogprobs = z.array(
  z
    .record(z.string(), z.object({logprob: z.number()}))
    .refine((token) => Object.keys(token).length === 1)
    .nullable(),
)
/** The fields we use, in a whole reply as in a piece of a stream. */
const Piece = z.object({
  model: z.string().nullish().catch(undefined),
  choices: z.array(Choice).nullish(),
  usage: Tokens.nullish().catch(undefined),
  prompt_logprobs: PromptLogprobs.nullish().catch(undefined),
})
type Words = z.infer<typeof Words>

/** Adds a chunk to what has arrived, or returns why it is invalid. */
export function take(value: unknown, received: Received): {none: string; wrong: boolean} | undefined {
  const result = Piece.safeParse(value)
  if (!result.success) {
    const issues = result.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`)
    return {none: issues.join('; '), wrong: true}
  }
  const {model, choices, usage, prompt_logprobs} = result.data
  if (choices === undefined && usage === undefined) return {none: 'it has no choices', wrong: false}
  received.pieces += 1
  if (model) received.model = model
  const known = prompt_logprobs?.flatMap((token) => Object.values(token ?? {}))
  if (known && known.length > 0)
    received.promptLogprobs = {tokens: known.length, sum: known.reduce((sum, {logprob}) => sum + logprob, 0)}
  if (usage) received.usage = {promptTokens: usage.prompt_tokens, completionTokens: usage.completion_tokens}
  // Some endpoints send several choices at once, with their pieces interleaved.
  const choice = choices?.find(({index}) => Number(index ?? 0) === 0)
  const words = choice?.delta ?? choice?.message
  if (words) takeWords(words, received)
  const ends = [
    failureWord(choice?.native_finish_reason),
    endWord(choice?.finish_reason),
    endWord(choice?.finishReason),
  ]
  received.finishReason = ends.find((word) => word !== undefined) ?? received.finishReason
  return undefined
}

function takeWords({content, reasoning_content, reasoning, reasoning_details}: Words, received: Received): void {
  const parts = typeof content === 'string' ? [{type: 'text', text: content}] : (content ?? [])
  const isThought = ({type}: Record<string, unknown>) => /think|reason|thought/.test(String(type))
  received.content += textOf(parts.filter((part) => !isThought(part)))
  // Servers that move from one field to another fill both meanwhile.
  const thoughts = [reasoning_content, reasoning, reasoning_details, parts.filter(isThought)].map(textOf)
  received.reasoning += thoughts.find((thought) => thought !== '') ?? ''
}

function textOf(said: unknown): string {
  if (typeof said === 'string') return said
  if (Array.isArray(said)) return said.map(textOf).join('')
  if (typeof said !== 'object' || said === null) return ''
  const {text, thinking, reasoning, summary} = said as Record<string, unknown>
  return textOf(text ?? thinking ?? reasoning ?? summary)
}
