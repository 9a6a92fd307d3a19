import {itemsBetween, streamOf, type Stretch, type TokenStream} from './brackets.ts'
import {type Token, tokenize} from './tokens.ts'

/** A text with its tokens and the partners of their brackets. */
export interface Tokenized extends TokenStream {
  text: string
}

/** @param word what all that is looked for has in it: a text without it is not read */
export function tokenized(text: string, word: RegExp): Tokenized {
  return {text, ...streamOf(word.test(text) ? tokenize(text) : [])}
}

/** A stretch of tokens as it is written. */
export function textOf({text, tokens}: Tokenized, {from, to}: Stretch): string {
  return from < to ? text.slice((tokens[from] as Token).start, (tokens[to - 1] as Token).end) : ''
}

/** The content of the brackets that open at a token; undefined without brackets, or without their end. */
export function inBrackets({tokens, partners}: Tokenized, open: number, bracket: '(' | '[' | '{'): Stretch | undefined {
  const close = partners[open] ?? -1
  return tokens[open]?.text === bracket && close >= 0 ? {from: open + 1, to: close} : undefined
}

/** The text between the bracket at a position and its partner; undefined without a partner. */
export function balanced(text: string, start: number): string | undefined {
  if (start < 0) return undefined
  const source = {text: text.slice(start), ...streamOf(tokenize(text.slice(start)))}
  const close = source.tokens[source.partners[0] ?? -1]
  return close && source.text.slice(1, close.start)
}

/** The arguments in the brackets that open at a token, as written; empty without brackets. */
export function argumentsAt(source: Tokenized, open: number): string[] {
  const list = inBrackets(source, open, '(')
  return list ? itemsBetween(source.tokens, source.partners, list).map((item) => textOf(source, item)) : []
}
