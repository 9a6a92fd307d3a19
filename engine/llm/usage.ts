import type {ChatMessage, Usage} from './model.ts'
import {promptTokensAtMost, textTokensAtMost} from './token-bounds.ts'

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
