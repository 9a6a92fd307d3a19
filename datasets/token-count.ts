import {countTokens} from 'gpt-tokenizer/encoding/o200k_base'

// The models that will be trained have other vocabularies; o200k_base is the yardstick where their `tokenizer.json` is
// not given, because it needs no download. Counts are then estimates.
const plainText = {disallowedSpecial: new Set<string>()}

// The tokenizer takes quadratic time in the length of a run without a break: 300,000 equal letters, as a looping model
// writes them, took a minute. Such texts are counted in pieces, which adds at most a token a piece.
const longRun = /\S{1024}|\s{1024}/
const pieceCharacters = 1024

/** Tokens of a text under o200k_base. Spellings of special tokens count as plain text. */
export function tokenCount(text: string): number {
  return countInPieces(text, (piece) => countTokens(piece, plainText))
}

/** Tokens of a text by a tokenizer that is given it whole, or in pieces where a run in it has no break. */
export function countInPieces(text: string, count: (piece: string) => number): number {
  if (!longRun.test(text)) return count(text)
  let tokens = 0
  for (let start = 0; start < text.length; start += pieceCharacters)
    tokens += count(text.slice(start, start + pieceCharacters))
  return tokens
}
