import {itemsBetween, templateClose, type Stretch} from '../../../cpp/brackets.ts'
import {evaluate} from '../../../cpp/expressions.ts'
import {matchesOf, pattern, type Match} from '../../../cpp/pattern.ts'
import {inBrackets, textOf, type Tokenized} from '../../../cpp/tokenized.ts'
import {literalValue, type Token} from '../../../cpp/tokens.ts'

/** The value of an expression in a test, as far as its text shows. */
export type Written =
  | {kind: 'number'; value: number}
  | {kind: 'truth'; value: boolean}
  | {kind: 'text'; value: string}
  | {kind: 'list'; items: readonly Written[]}
  /** A call, `TensorDesc({2}, ACL_FLOAT)`; a name alone has no arguments, `chain` is what is called on it. */
  | {kind: 'name'; name: string; args: readonly Written[]; written: string; chain?: Stretch}

/** Values of names: the last assignment of each before a place. */
export type Names = ReadonlyMap<string, Written>

/** The value of an expression. */
export function valueOf(source: Tokenized, {from, to}: Stretch, names: Names): Written {
  const {tokens} = source
  const [first, second] = [tokens[from], tokens[from + 1]]
  if (!first || from >= to) return unknown('')
  if (first.text === '{' && source.partners[from] === to - 1)
    return {kind: 'list', items: itemsIn(source, {from: from + 1, to: to - 1}, names)}
  if (first.text === '&' || first.text === '*') return valueOf(source, {from: from + 1, to}, names)
  if (to === from + 1) return ofToken(first, names)
  if (first.text === '-' && to === from + 2 && second?.kind === 'number') return numberOf(second, -1)
  const close = first.text === '(' ? (source.partners[from] ?? -1) : -1
  const isCast = close > from && close < to - 1 && second?.kind === 'word' && close - from <= 4
  if (isCast) return valueOf(source, {from: close + 1, to}, names)
  return construction(source, {from, to}, names) ?? calculated(source, {from, to}, names)
}

const unknown = (written: string): Written => ({kind: 'name', name: '', args: [], written})

export function itemsIn(source: Tokenized, stretch: Stretch, names: Names): Written[] {
  return itemsBetween(source.tokens, source.partners, stretch)
    .filter(({from, to}) => from < to)
    .map((item) => valueOf(source, item, names))
}

function ofToken(token: Token, names: Names): Written {
  if (token.kind === 'number') return numberOf(token, 1)
  if (token.kind === 'string') return {kind: 'text', value: literalValue(token)}
  if (token.text === 'true' || token.text === 'false') return {kind: 'truth', value: token.text === 'true'}
  return names.get(token.text) ?? {kind: 'name', name: token.text, args: [], written: token.text}
}

function numberOf({text}: Token, sign: number): Written {
  const isHex = /^0x/i.test(text)
  const value = Number(text.replaceAll("'", '').replace(isHex ? /[uUlL]+$/ : /[uUlLfF]+$/, ''))
  return Number.isFinite(value) ? {kind: 'number', value: sign * value} : unknown(text)
}

/** `ge::DT_FLOAT`, `std::vector<int64_t>{…}`, `AnyValue::CreateFrom<bool>(true)`, `x.data()`. */
function construction(source: Tokenized, {from, to}: Stretch, names: Names): Written | undefined {
  const {tokens, partners} = source
  let at = from
  let name = ''
  for (;;) {
    const word = tokens[at]
    if (word?.kind !== 'word') return undefined
    name = word.text
    at = (templateClose(tokens, at + 1) ?? at) + 1
    if (at >= to) break
    const open = tokens[at]?.text
    if (open !== '::' && open !== '.' && open !== '->') break
    // What is asked of a value that is known is not the value.
    if (open !== '::' && tokens[at + 1]?.text === 'data') return valueOf(source, {from, to: at}, names)
    at += 1
  }
  if (at >= to) return {kind: 'name', name, args: [], written: textOf(source, {from, to})}
  const close = partners[at] ?? -1
  if (close < 0 || (close !== to - 1 && tokens[close + 1]?.text !== '.')) return undefined
  const list = inBrackets(source, at, '(') ?? inBrackets(source, at, '{')
  if (!list) return undefined
  const args = itemsIn(source, list, names)
  const isChain = close !== to - 1
  if (isChain) return {kind: 'name', name, args, written: textOf(source, {from, to}), chain: {from: close + 2, to}}
  if (wrappers.has(name) && args.length === 1) return args[0]
  if (tokens[at]?.text === '{' && listTypes.has(name)) return {kind: 'list', items: args}
  return {kind: 'name', name, args, written: textOf(source, {from, to})}
}

/** Functions that return their argument. */
const wrappers = new Set('CreateFrom static_cast int64_t int32_t float double bool string move'.split(' '))
const listTypes: ReadonlySet<string> = new Set(['vector', 'initializer_list', 'array', 'Shape'])

function calculated(source: Tokenized, stretch: Stretch, names: Names): Written {
  const written = textOf(source, stretch)
  const constants = new Map<string, number>()
  for (const {kind, text} of source.tokens.slice(stretch.from, stretch.to)) {
    const known = kind === 'word' ? names.get(text) : undefined
    if (known?.kind === 'number') constants.set(text, known.value)
  }
  const value = evaluate(written, {constants, types: new Map()})
  return value === undefined ? unknown(written) : {kind: 'number', value}
}

const given = ['$name = $$value;', '$_ $name{$$$items};', '> $name{$$$items};', '> $name($$$items);'].map((one) =>
  pattern(one),
)

/** Gives names the values that the statements of a stretch give them, one after the other. */
export class NameReader {
  readonly names: Map<string, Written>
  readonly #source: Tokenized
  readonly #from: number
  readonly #matches: Iterator<Match>
  #next: Match | undefined

  constructor(source: Tokenized, {from, to}: Stretch, known: Names = new Map()) {
    this.names = new Map(known)
    this.#source = source
    this.#from = from
    const partners = source.partners.slice(from, to).map((at) => at - from)
    this.#matches = matchesOf({tokens: source.tokens.slice(from, to), partners}, given)
    this.#next = this.#matches.next().value as Match | undefined
  }

  /** Takes what is given before a token. */
  upTo(token: number): Names {
    while (this.#next && this.#next.to + this.#from <= token) {
      this.#take(this.#next)
      this.#next = this.#matches.next().value as Match | undefined
    }
    return this.names
  }

  #take({holes: {name, value, items}}: Match): void {
    const {tokens} = this.#source
    const here = (one: Stretch) => ({from: one.from + this.#from, to: one.to + this.#from})
    const word = name && tokens[here(name).from]?.text
    if (word === undefined) return
    if (value) this.names.set(word, valueOf(this.#source, here(value), this.names))
    if (!items) return
    const all = itemsIn(this.#source, here(items), this.names)
    const isList = tokens[here(items).from - 1]?.text === '{'
    this.names.set(word, isList ? {kind: 'list', items: all} : {kind: 'name', name: 'vector', args: all, written: ''})
  }
}

/** The numbers of a list, of `std::vector<T>(n, value)` too; undefined if one of them is unknown. */
export function numbersOf(value: Written | undefined, most = Infinity): number[] | undefined {
  if (value?.kind === 'name' && listTypes.has(value.name)) {
    const [count, each] = value.args
    if (each === undefined) return numbersOf(count, most)
    if (count?.kind !== 'number' || count.value > most) return undefined
    const one = each.kind === 'number' ? each.value : undefined
    return one === undefined ? undefined : Array.from({length: count.value}, () => one)
  }
  if (value?.kind !== 'list' || value.items.length > most) return undefined
  const numbers = value.items.map((one) => {
    if (one.kind === 'truth') return Number(one.value)
    return one.kind === 'number' ? one.value : undefined
  })
  return numbers.includes(undefined) ? undefined : (numbers as number[])
}
