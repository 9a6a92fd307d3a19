import type {ChatMessage} from './model.ts'

// Kept apart from tokens.ts, because loading the tokenizer's 200,000 ranks takes longer than many commands run.

/** Tokens that chat templates put around a message (role, separators), rounded up. */
export const templateTokens = 8

/**
 * Qwen-VL uses up to 16,384 tokens for a picture, GPT and Gemini less: this bounds what a picture can cost, whatever
 * its size.
 */
const imageTokensAtMost = 16_384

/** What the same models use for a picture of a few hundred pixels each way. */
export const imageTokensRoughly = 1024

export const imagesIn = (messages: readonly ChatMessage[]) =>
  messages.reduce((sum, {images}) => sum + (images?.length ?? 0), 0)

/**
 * No byte-level tokenizer makes more tokens than the text has bytes, so this bounds the prompt under every model's
 * tokenizer. It costs nothing, whereas counting takes 3 ms for 8 kB.
 */
export function promptTokensAtMost(messages: readonly ChatMessage[]): number {
  return textTokensAtMost(messages) + imagesIn(messages) * imageTokensAtMost
}

/** The same without the pictures. */
export function textTokensAtMost(messages: readonly ChatMessage[]): number {
  return messages.reduce((sum, {content}) => sum + Buffer.byteLength(content) + templateTokens, templateTokens)
}

/** A quick guess: o200k makes about one token of four bytes of English and code. */
export function promptTokensRoughly(messages: readonly ChatMessage[]): number {
  return Math.ceil(textTokensAtMost(messages) / 4) + imagesIn(messages) * imageTokensRoughly
}
