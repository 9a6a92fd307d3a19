import type {ChatMessage} from './model.ts'

// Kept apart from tokens.ts, because loading the tokenizer's 200,000 ranks takes longer than many commands run.

/** Tokens that chat templates put around a message (role, separators), on the safe side. */
export const templateTokens = 8

/**
 * No byte-level tokenizer makes more tokens than the text has bytes, so this bounds the prompt under every model's
 * tokenizer. It costs nothing, whereas counting takes 3 ms for 8 kB.
 */
export function promptTokensAtMost(messages: readonly ChatMessage[]): number {
  return messages.reduce((sum, {content}) => sum + Buffer.byteLength(content) + templateTokens, templateTokens)
}

/** A quick guess: o200k makes about one token of four bytes of English and code. */
export function promptTokensRoughly(messages: readonly ChatMessage[]): number {
  return Math.ceil(promptTokensAtMost(messages) / 4)
}
