import {o200kTokens} from '../o200k.ts'
import type {ChatMessage} from './model.ts'
import {imagesIn, imageTokensRoughly, templateTokens} from './token-bounds.ts'

/** Counted under o200k_base: an estimate for models with another vocabulary. */
export function countPromptTokens(messages: readonly ChatMessage[]): number {
  const text = messages.reduce((sum, {content}) => sum + countTextTokens(content) + templateTokens, templateTokens)
  return text + imagesIn(messages) * imageTokensRoughly
}

/** Counted under o200k_base: an estimate for models with another vocabulary. */
export function countTextTokens(text: string): number {
  return text === '' ? 0 : o200kTokens(text)
}
