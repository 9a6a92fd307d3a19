import {itemsBetween, type Stretch} from './brackets.ts'
import {inBrackets, textOf, tokenized, type Tokenized} from './tokenized.ts'

/** A `__global__` function: a kernel that can be launched. */
export interface GlobalFunction {
  name: string
  /** The text before the parameters, from the end of the declaration above: `extern "C" __global__ void`, … */
  words: string[]
  /** As they are written; none for an empty list. */
  parameters: string[]
  /** Of the template that it is; undefined for none. */
  templates: string[] | undefined
  /** Whether its body follows, rather than a semicolon. */
  isDefined: boolean
}

/** `__global__`, or a library's macro for it (`CATLASS_GLOBAL`). */
const globalWord = String.raw`(?:__global__|[A-Z]\w*_GLOBAL)`

/** The `__global__` functions of a text, in order, those that are only declared among them. */
export function globalFunctions(text: string): GlobalFunction[] {
  const source = tokenized(text, new RegExp(String.raw`\b${globalWord}\b`))
  const isGlobal = new RegExp(`^${globalWord}$`)
  return source.tokens.flatMap(({text: word}, at) => {
    // A macro's text is not a function.
    return isGlobal.test(word) && !isDirective(source, at) ? (functionAt(source, at) ?? []) : []
  })
}

/** Attributes of the device and of compilers may precede or follow `void`. */
const attribute = /^__\w+__$/

function functionAt(source: Tokenized, mark: number): GlobalFunction | undefined {
  const {tokens} = source
  const isEnd = (at: number) => /^[;{}]$/.test(tokens[at]?.text ?? ';')
  let name = mark
  while (!isEnd(name) && tokens[name]?.text !== 'void') name += 1
  while (!isEnd(name) && (tokens[name + 1]?.text !== '(' || attribute.test(tokens[name]?.text ?? ''))) name += 1
  const list = inBrackets(source, name + 1, '(')
  if (isEnd(name) || !list) return undefined
  let from = mark
  // A directive ends with its line.
  while (from > 0 && !isEnd(from - 1) && !isDirective(source, from - 1)) from -= 1
  return {
    name: textOf(source, {from: name, to: name + 1}),
    words: tokens.slice(from, name).map(({text}) => text),
    parameters: itemsOf(source, list),
    templates: templatesBefore(source, {from, to: name}),
    isDefined: tokens[list.to + 1]?.text === '{',
  }
}

function isDirective({tokens}: Tokenized, at: number): boolean {
  let first = at
  while (first > 0 && !tokens[first]?.leads) first -= 1
  return tokens[first]?.text === '#'
}

function itemsOf(source: Tokenized, list: Stretch): string[] {
  return itemsBetween(source.tokens, source.partners, list).map((item) => textOf(source, item))
}

function templatesBefore(source: Tokenized, {from, to}: Stretch): string[] | undefined {
  const words = source.tokens.slice(from, to)
  const head = words.findIndex(({text}) => text === 'template')
  const close = words.findIndex(({text}, index) => index > head && text === '>')
  if (head < 0 || close < 0) return undefined
  return itemsOf(source, {from: from + head + 2, to: from + close}).filter((item) => item !== '')
}
