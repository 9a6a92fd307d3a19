import {textOfItsOwn} from '../../engine/lines.ts'
import {keepNoPieces, o200kTokens, o200kWords} from '../../engine/o200k.ts'

// The models that will be trained have other vocabularies; without their `tokenizer.json`, o200k_base is used,
// because it needs no download. Counts are then estimates.

// The tokenizer takes quadratic time in the length of a run without a break: 300,000 equal letters, from a looping
// model,
// took a minute. Such texts are counted in pieces, which adds at most one token per piece.
const pieceCharacters = 1024

/** How the tokens of a text are counted. */
export interface TokenCounter {
  /** The vocabulary: `o200k_base`, or the name of a model's folder. */
  tokenizer: string
  /** Changes with everything that affects a count. */
  fingerprint: string
  count(text: string): number
}

/** Tokens of a text under o200k_base. Spellings of special tokens count as plain text. */
export function tokenCount(text: string): number {
  return countInPieces(text, countWords)
}

/**
 * Caches token counts per word, as the encoding splits text into words first: a data set has few distinct words, and a
 * small table is three times as fast as the encoding. A full table is cleared.
 */
const known = new Map<string, number>()
// The encoding's own table of 100,000 pieces would be a second one.
keepNoPieces()
const mostKnown = 16_384
const longestKnown = 24

function countWords(text: string): number {
  let tokens = 0
  for (const word of text.match(o200kWords) ?? []) tokens += known.get(word) ?? look(word)
  return tokens
}

function look(word: string): number {
  const tokens = o200kTokens(word)
  if (word.length <= longestKnown) {
    if (known.size >= mostKnown) known.clear()
    known.set(textOfItsOwn(word), tokens)
  }
  return tokens
}

/** Tokens of a text by a tokenizer, in pieces if the text has a run without a break. */
export function countInPieces(text: string, count: (piece: string) => number): number {
  if (!hasLongRun(text)) return count(text)
  let tokens = 0
  for (let start = 0; start < text.length; start += pieceCharacters)
    tokens += count(text.slice(start, start + pieceCharacters))
  return tokens
}

const isBlank = (text: string, at: number) => /\s/.test(text.charAt(at))

/**
 * Whether this many consecutive characters are all blank, or all not. Every such run covers one of the tested
 * positions.
 */
function hasLongRun(text: string): boolean {
  for (let at = pieceCharacters - 1; at < text.length; at += pieceCharacters) {
    const blank = isBlank(text, at)
    let from = at
    while (from > 0 && isBlank(text, from - 1) === blank) from -= 1
    let end = at + 1
    while (end < text.length && end - from < pieceCharacters && isBlank(text, end) === blank) end += 1
    if (end - from >= pieceCharacters) return true
  }
  return false
}

export const o200k: TokenCounter = {tokenizer: 'o200k_base', fingerprint: 'o200k_base', count: tokenCount}
