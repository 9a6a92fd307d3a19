import {countTokens, isWithinTokenLimit} from 'gpt-tokenizer/encoding/o200k_base'

// The models that will be trained have other vocabularies; o200k_base is the yardstick because it needs no download.
// Counts are therefore estimates: a trainer's own check with the target tokenizer has the last word.
const plainText = {disallowedSpecial: new Set<string>()}

/** Tokens of a text under o200k_base. Spellings of special tokens count as plain text. */
export function tokenCount(text: string): number {
  return countTokens(text, plainText)
}

export function fitsTokens(text: string, limit: number): boolean {
  // A token is at least one byte, so short texts need no tokenizer.
  return Buffer.byteLength(text) <= limit || isWithinTokenLimit(text, limit, plainText) !== false
}
