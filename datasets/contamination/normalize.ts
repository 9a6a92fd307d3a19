import {tokenize, tokenTexts, type Token} from '../../cpp/tokens.ts'
import {chineseWords} from './han-words.ts'
import {splitListings} from '../listings.ts'

/**
 * Words of prose in any mixture of Chinese and English, for comparison: NFKC, lower case, no punctuation, no markup
 * characters.
 */
export function words(text: string): string[] {
  // NFKC leaves ASCII letters and digits unchanged, so they need no Unicode tables.
  if (ascii.test(text)) return text.toLowerCase().match(/\w+/g) ?? []
  const parts = text.normalize('NFKC').toLowerCase().match(runs) ?? []
  const chinese = parts.filter(isHan)
  if (chinese.length === 0) return parts
  // One call for all of them; the line breaks in between become words.
  const cut = chineseWords().cut(chinese.join('\n'), false)
  const found: string[] = []
  let at = 0
  for (const part of parts) {
    if (!isHan(part)) found.push(part)
    else {
      for (; at < cut.length && cut[at] !== '\n'; at += 1) found.push(cut[at] as string)
      at += 1
    }
  }
  return found
}

/** Runs of Han letters, and of other letters and digits: `vec计算` is two. */
const runs = /\p{Script=Han}+|[[\p{L}\p{N}_]--\p{Script=Han}]+/gv
const han = /^\p{Script=Han}/u
const firstHan = 0x2e80

/** For a run as a whole. */
const isHan = (run: string) => run.charCodeAt(0) >= firstHan && han.test(run)
const ascii = /^[\x00-\x7f]*$/

const keywords = new Set(
  `alignas auto bool break case char class const constexpr continue default delete do double else enum explicit extern
  false float for friend goto half if inline int int8_t int16_t int32_t int64_t long namespace new nullptr operator
  private protected public return short signed size_t sizeof static static_assert static_cast reinterpret_cast struct
  switch template this true typedef typename uint8_t uint16_t uint32_t uint64_t union unsigned using virtual void
  while __aicore__ __global__ __gm__ __ubuf__ __inline__ __forceinline__`.split(/\s+/),
)

/** Tokens of C++ that may be an excerpt. Never fails: what is not C++ becomes single characters. */
export const codeTokens = (text: string): Token[] => tokenize(text, 'excerpt')

/** The same without layout and comments. */
export const codeWords = (text: string): string[] => tokenTexts(text, 'excerpt')

/**
 * The words with `v` for each of the author's names, so that a renamed copy compares equal. Keywords are kept, and so
 * are names in PascalCase that are called or instantiated, because the API is written that way.
 * @param api the names in PascalCase to keep; without it, all that are called, including the author's classes
 */
export function foldedNames(tokens: readonly Token[], api: ReadonlySet<string> | undefined): string[] {
  return tokens.map(({kind, text}, index) => {
    if (kind !== 'word' || keywords.has(text)) return text
    const next = tokens[index + 1]?.text
    const called = (next === '(' || next === '<' || tokens[index - 1]?.text === '::') && /^[A-Z]\w*[a-z]/.test(text)
    return called && (api?.has(text) ?? true) ? text : 'v'
  })
}

/** Prose and code of a text: listings are code, and so is a text that looks like a C++ file. */
export function splitCode(text: string): {prose: string; code: string[]} {
  const {prose, code} = splitListings(text)
  return {prose, code: code.map((listing) => listing.text)}
}

/**
 * A text normalised for "the same except for layout": prose in lower case with single spaces, code without comments.
 */
export function normalForm(text: string): string {
  const {prose, code} = splitCode(text)
  const flat = prose.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim()
  return [flat, ...code.map((part) => codeWords(part).join(' '))].join('\n')
}

/** What texts are compared by. */
export interface Content {
  /** Words of its prose. */
  words: string[]
  /** Tokens of its code. */
  tokens: string[]
}

export function contentOf(text: string): Content {
  const {prose, code} = splitCode(text)
  return {words: words(prose), tokens: code.flatMap(codeWords)}
}

const identifier = /[A-Za-z_]\w*/g
const elementType = /^(?:b?float\d*|bfloat16|u?int\d+|half|double)$/
const isWritten = (name: string) => /[a-z0-9][A-Z]|[A-Za-z0-9]_[A-Za-z0-9]/.test(name)

/** Names in a text: those of the API, and what looks like one (`GetBlockNum`, `block_dim`). */
export function identifiersOf(text: string, api: ReadonlySet<string>): string[] {
  return (text.match(identifier) ?? []).filter((name) => api.has(name) || isWritten(name))
}

/** Prose with names folded, except those of the API: what is in backticks, and what looks like a name. */
function foldedProse(prose: string, api: ReadonlySet<string>): string {
  const fold = (name: string) => (api.has(name) || keywords.has(name) || elementType.test(name) ? name : 'v')
  return prose
    .replace(/`([^`\n]+)`/g, (_, inner: string) => `\`${inner.replace(identifier, fold)}\``)
    .replace(identifier, (name) => (isWritten(name) ? fold(name) : name))
}

/** The same with the author's names folded. */
export function foldedContent(text: string, api: ReadonlySet<string>): Content {
  const {prose, code} = splitCode(text)
  const tokens = code.flatMap((part) => foldedNames(codeTokens(part), api))
  return {words: words(foldedProse(prose, api)), tokens}
}
