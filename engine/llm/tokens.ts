import {countTokens} from 'gpt-tokenizer/encoding/o200k_base'
import type {ChatMessage} from './model.ts'
import {imagesIn, imageTokensRoughly, templateTokens} from './token-bounds.ts'

// Spellings of special tokens count as plain text.
const plainText = {disallowedSpecial: new Set<string>()}

/** Counted under o200k_base: an estimate for models with another vocabulary. */
export function countPromptTokens(messages: readonly ChatMessage[]): number {
  const text = messages.reduce((sum, {content}) => sum + countTextTokens(content) + templateTokens, templateTokens)
  return text + imagesIn(messages) * imageTokensRoughly
}

/** Counted under o200k_base: an estimate for models with another vocabulary. */
export function countTextTokens(text: string): number {
  return text === '' ? 0 : countTokens(text, plainText)
}
