import {countTokens} from 'gpt-tokenizer/encoding/o200k_base'

// The models that will be trained have other vocabularies; o200k_base is the yardstick because it needs no download.
// Counts are therefore estimates: a trainer's own check with the target tokenizer has the last word.
const plainText = {disallowedSpecial: new Set<string>()}

// The tokenizer takes quadratic time in the length of a run without a break: 300,000 equal letters, as a looping model
// writes them, took a minute. Such texts are counted in pieces, which adds at most a token a piece.
const longRun = /\S{1024}|\s{1024}/
const pieceCharacters = 1024

/** Tokens of a text under o200k_base. Spellings of special tokens count as plain text. */
export function tokenCount(text: string): number {
  if (!longRun.test(text)) return countTokens(text, plainText)
  let tokens = 0
  for (let start = 0; start < text.length; start += pieceCharacters)
    tokens += countTokens(text.slice(start, start + pieceCharacters), plainText)
  return tokens
}
