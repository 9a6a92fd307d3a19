import type {Token} from './tokens.ts'

/** The properties of a token that define its context. */
type Marked = Pick<Token, 'text'>

const brackets = '([{)]}'
const closer = 3

/** Which bracket a token is: `closer` and more for those that close, -1 for none. */
const bracketOf = ({text}: Marked): number => (text.length === 1 ? brackets.indexOf(text) : -1)

export const isOpening = (token: Marked): boolean => {
  const bracket = bracketOf(token)
  return bracket >= 0 && bracket < closer
}
export const isClosing = (token: Marked): boolean => bracketOf(token) >= closer

/** For each bracket the index of its partner, of the opening and of the closing one; -1 for what has none. */
export function partnersOf(tokens: readonly Marked[]): Int32Array {
  const partners = new Int32Array(tokens.length).fill(-1)
  const open: number[] = []
  for (let at = 0; at < tokens.length; at += 1) {
    const bracket = bracketOf(tokens[at] as Marked)
    if (bracket < 0) continue
    if (bracket < closer) open.push(at)
    else {
      const begin = open.pop()
      if (begin === undefined) continue
      partners[begin] = at
      partners[at] = begin
    }
  }
  return partners
}

/** Tokens with the partners of their brackets. */
export interface TokenStream {
  tokens: readonly Token[]
  partners: Int32Array
}

export function streamOf(tokens: readonly Token[]): TokenStream {
  return {tokens, partners: partnersOf(tokens)}
}

/** Tokens `[from, to)`. */
export interface Stretch {
  from: number
  to: number
}

/**
 * What commas part between two tokens, the outer ones alone: those in brackets and in template lists belong to an item.
 * An empty item has `from === to`.
 */
export function itemsBetween(tokens: readonly Token[], partners: Int32Array, {from, to}: Stretch): Stretch[] {
  if (from >= to) return []
  const items: Stretch[] = []
  let start = from
  for (let at = from; at < to; at += 1) {
    const token = tokens[at] as Token
    if (token.text === ',') {
      items.push({from: start, to: at})
      start = at + 1
    } else at = Math.max(at, partners[at] as number, templateClose(tokens, at) ?? at)
  }
  return [...items, {from: start, to}]
}

/** Ends of template lists by their `<`, for each list of tokens: one that has none is asked for by each around it. */
const closes = new WeakMap<readonly Token[], Map<number, number | undefined>>()

const maybeOpens = (tokens: readonly Token[], at: number) =>
  tokens[at]?.text === '<' && !tokens[at]?.spaced && tokens[at - 1]?.kind === 'word'

/** The `>` of the template list that begins at `<`; undefined where the mark may be a comparison. */
export function templateClose(tokens: readonly Token[], open: number): number | undefined {
  if (!maybeOpens(tokens, open)) return undefined
  const known = closes.get(tokens) ?? new Map<number, number | undefined>()
  closes.set(tokens, known)
  if (!known.has(open)) findCloses(tokens, open, known)
  return known.get(open)
}

/** Of a list and of those within; where one of them has no end, those around it have none. */
function findCloses(tokens: readonly Token[], first: number, known: Map<number, number | undefined>): void {
  const open = [first]
  for (let at = first + 1; at < tokens.length && open.length > 0; at += 1) {
    const {kind, text} = tokens[at] as Token
    if (text === '>') known.set(open.pop() as number, at)
    else if (maybeOpens(tokens, at)) open.push(at)
    else if (kind !== 'word' && kind !== 'number' && !inTemplates.has(text)) break
  }
  for (const at of open) known.set(at, undefined)
}

const inTemplates = new Set(['::', ',', '*', '&'])

/** The `<` of the template list that ends at `>`; undefined where the mark may be a comparison. */
export function templateOpen(tokens: readonly Token[], close: number): number | undefined {
  for (let at = close - 1; at > 0 && !statementEnds.has(tokens[at]?.text ?? ''); at -= 1)
    if (tokens[at]?.text === '<' && templateClose(tokens, at) === close) return at
  return undefined
}

const statementEnds = new Set([';', '{', '}'])
