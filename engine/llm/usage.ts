import type {ChatMessage, Usage} from './model.ts'
import {promptTokensAtMost} from './token-bounds.ts'

/** What a reply was made of, as far as it bounds its tokens. */
interface Exchange {
  messages: readonly ChatMessage[]
  /** Reasoning and text together. */
  answer: string
  /** The most tokens that were asked for. */
  completionLimit: number
}

/**
 * Endpoints add templates, tools and prompts of their own, and some take the limit for less than the hidden reasoning.
 */
const wideFactor = 4
const hiddenTokens = 4096
/** The longest tokens in use (runs of spaces) have so many bytes. */
const longestTokenBytes = 128

/**
 * Whether the usage that an endpoint reports can be true. Whole numbers that are too small or too large for the texts
 * would defeat the budget, or end it at once.
 */
export function isCredible(
  {promptTokens, completionTokens}: Usage,
  {messages, answer, completionLimit}: Exchange,
): boolean {
  const promptBytes = promptTokensAtMost(messages)
  return (
    within(promptTokens, promptBytes / longestTokenBytes, promptBytes * wideFactor + hiddenTokens) &&
    within(completionTokens, Buffer.byteLength(answer) / longestTokenBytes, completionLimit * wideFactor + hiddenTokens)
  )
}

function within(tokens: number, least: number, most: number): boolean {
  return Number.isSafeInteger(tokens) && tokens >= Math.ceil(least) && tokens <= most
}
