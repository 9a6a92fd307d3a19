import {itemsBetween, partnersOf, templateClose, type Stretch} from './brackets.ts'
import {remembering} from './remember.ts'
import {tokenize, type Token} from './tokens.ts'

/** A number, or a name that is its own value (`DT_FLOAT`). */
export type Value = number | string

/** Values of the parts of an expression; undefined if unknown. */
export interface Environment {
  /** Of a name as it is written, without spaces: `N`, `this->rows`, `ge::DT_FLOAT`. */
  name(path: string): Value | undefined
  /** Of a call; `texts` are its template arguments or else its arguments, as they are written. */
  call?(name: string, texts: readonly string[], args: readonly (Value | undefined)[]): Value | undefined
  /** Whether two operands are equal, by their texts, where the value of one is not known. */
  equal?(left: string, right: string): boolean | undefined
}

/** An expression by precedence; brackets and casts between integers are gone. What is `unread` has no value. */
export interface Expression {
  kind: 'number' | 'name' | 'call' | 'operation' | 'unread'
  /** The number, name or operator; `?` for a choice. */
  text: string
  /** Operands or arguments. */
  parts: readonly Expression[]
  /** As they are written: template arguments, or else the arguments; the operands of `==` and `!=`. */
  texts: readonly string[]
}

const levels = new Map(
  ['?', '|| or', '&& and', '== !=', '< > <= >=', '<< >>', '+ -', '* / %'].flatMap((operators, level) =>
    operators.split(' ').map((operator) => [operator, level] as const),
  ),
)
const [equalLevel, shiftLevel] = [3, 5]
const spelled: Readonly<Record<string, string>> = {or: '||', and: '&&'}
/** As operators behind a zero. */
const prefixes = new Map([
  ['!', '=='],
  ['not', '=='],
  ['-', '-'],
])
const integer = /^(0[xX][\da-fA-F]+|\d+)[uUlL]*$/
const integerType = /^(?:u?int\d+_t|size_t|int|unsigned)$/
const none: readonly never[] = []
const unread: Expression = {kind: 'unread', text: '', parts: none, texts: none}
const zero: Expression = {kind: 'number', text: '0', parts: none, texts: none}

/** Brackets are read by recursion; no expression of a real file comes near. */
const mostTokens = 1000

/** Conditions of one header and expressions of one operator are asked for again and again. */
const mostCharacters = 200_000

export const readExpression = remembering((text): Expression => {
  const tokens = tokenize(text, 'operators')
  return tokens.length > mostTokens ? unread : new Reader(text, tokens).whole()
}, mostCharacters)

class Reader {
  readonly #source: string
  readonly #tokens: readonly Token[]
  readonly #partners: Int32Array
  #at = 0
  #to: number

  constructor(source: string, tokens: readonly Token[]) {
    this.#source = source
    this.#tokens = tokens
    this.#partners = partnersOf(tokens)
    this.#to = tokens.length
  }

  whole(): Expression {
    const found = this.#binary(0)
    return this.#at < this.#to ? unread : found
  }

  /** Reads a stretch that ends before the next token. */
  #within({from, to}: Stretch): Expression {
    const [at, outer] = [this.#at, this.#to]
    this.#at = from
    this.#to = to
    const found = this.whole()
    this.#at = at
    this.#to = outer
    return found
  }

  /** Operators that bind at least as tightly as `least`. What cannot be read goes up to the next of them. */
  #binary(least: number): Expression {
    const from = this.#at
    let left = this.#unary()
    for (;;) {
      const operator = this.#operator()
      if (operator === undefined || operator === ':') return left
      const level = levels.get(operator)
      if (level !== undefined && level < least) return left
      const middle = this.#at
      this.#skip()
      if (level === undefined) left = unread
      else if (level === 0) left = this.#choice(left)
      else {
        if (level === shiftLevel) this.#at += 1
        const right = this.#binary(level + 1)
        const sides = [
          {from, to: middle},
          {from: middle + 1, to: this.#at},
        ]
        const texts = level === equalLevel ? this.#written(sides) : none
        left = {kind: 'operation', text: spelled[operator] ?? operator, parts: [left, right], texts}
      }
    }
  }

  #choice(condition: Expression): Expression {
    const yes = this.#binary(0)
    if (this.#operator() !== ':') return unread
    this.#at += 1
    return {kind: 'operation', text: '?', parts: [condition, yes, this.#binary(0)], texts: none}
  }

  /** The token that may be an operator; those of shifts are two. */
  #operator(): string | undefined {
    if (this.#at >= this.#to) return undefined
    const {text, end} = this.#tokens[this.#at] as Token
    if (text !== '<' && text !== '>') return text
    const next = this.#tokens[this.#at + 1]
    return next?.text === text && next.start === end ? text + text : text
  }

  #unary(): Expression {
    const from = this.#at
    if (from >= this.#to) return unread
    const {kind, text} = this.#tokens[from] as Token
    if (text === ':' || text === '?') return unread
    this.#skip()
    if (kind === 'number') {
      const number = integer.exec(text)?.[1]
      return number === undefined ? unread : {...zero, text: number}
    }
    const prefix = prefixes.get(text)
    if (prefix !== undefined) return {kind: 'operation', text: prefix, parts: [zero, this.#unary()], texts: none}
    if (kind === 'word') return this.#named(text)
    const inner = {from: from + 1, to: this.#partners[from] as number}
    if (text !== '(' || inner.to < 0) return unread
    // Casts between integers do not change a value.
    const isCast = inner.to - inner.from === 1 && integerType.test(this.#tokens[inner.from]?.text ?? '')
    return isCast ? this.#unary() : this.#within(inner)
  }

  /** A name with its members, its template arguments and what it is called with. */
  #named(first: string): Expression {
    let path = first
    let list: Stretch | undefined
    for (let end = this.#more(); end !== undefined; end = this.#more()) {
      if (this.#tokens[this.#at]?.text === '<') list = {from: this.#at + 1, to: end - 1}
      else for (const {text} of this.#tokens.slice(this.#at, end)) path += text
      this.#at = end
    }
    const open = this.#at < this.#to ? this.#tokens[this.#at] : undefined
    const types = list && this.#written(this.#items(list))
    const isCalled = open?.text === '(' || (open?.text === '{' && types !== undefined)
    const args = isCalled ? this.#items({from: this.#at + 1, to: this.#partners[this.#at] as number}) : []
    const isOperator = path === 'defined' && open?.kind === 'word'
    if (isCalled || isOperator) this.#skip()
    const texts = types ?? (isOperator ? [open.text] : this.#written(args))
    const parts = args.map((one) => this.#within(one))
    if (path === 'static_cast') return parts[0] ?? unread
    return {kind: isCalled || isOperator || types ? 'call' : 'name', text: path, parts, texts}
  }

  /** Where a member, an element of which a member is asked, or a template list that starts here ends. */
  #more(): number | undefined {
    const at = this.#at
    if (this.#isMember(at)) return at + 2
    const text = at < this.#to ? this.#tokens[at]?.text : undefined
    if (text === '[') return this.#partners[at] === at + 2 && this.#isMember(at + 3) ? at + 3 : undefined
    const close = text === '<' ? templateClose(this.#tokens, at) : undefined
    if (close === undefined || close >= this.#to) return undefined
    const next = close + 1 < this.#to ? this.#tokens[close + 1] : undefined
    // A `>` that an operand follows may be a comparison.
    return !next || (next.kind === 'mark' && !'-!~+*&'.includes(next.text)) ? close + 1 : undefined
  }

  #isMember(at: number): boolean {
    const text = at + 1 < this.#to ? this.#tokens[at]?.text : undefined
    return (text === '::' || text === '.' || text === '->') && this.#tokens[at + 1]?.kind === 'word'
  }

  /** A token, or all that its bracket holds. */
  #skip(): void {
    this.#at = Math.max(this.#at, this.#partners[this.#at] as number) + 1
  }

  #items(list: Stretch): Stretch[] {
    return itemsBetween(this.#tokens, this.#partners, list)
  }

  #written(stretches: readonly Stretch[]): string[] {
    const text = ({from, to}: Stretch) => this.#source.slice(this.#tokens[from]?.start, this.#tokens[to - 1]?.end)
    return stretches.map((one) => (one.from < one.to ? text(one) : ''))
  }
}

/** The value of an expression; what is known of `&&`, `||` and `?:` may decide alone. */
export function valueOf({kind, text, parts, texts}: Expression, environment: Environment): Value | undefined {
  if (kind === 'number') return Number(text)
  if (kind === 'name') return environment.name(text)
  const values = parts.map((one) => valueOf(one, environment))
  if (kind === 'call') return environment.call?.(text, texts, values)
  const [left, right, other] = values
  if (text === '&&' || text === '||') return settled(values, text === '||')
  if (text === '?' && left !== undefined) return left === 0 ? other : right
  if (text !== '==' && text !== '!=') return calculated(text, left, right)
  const isKnown = left !== undefined && right !== undefined
  const [a, b] = texts
  const told = a === undefined || b === undefined || isKnown ? undefined : environment.equal?.(a, b)
  const isEqual = isKnown ? left === right : told
  return isEqual === undefined ? undefined : Number(isEqual === (text === '=='))
}

/** Whether a condition holds. */
export function truthOf(condition: string, environment: Environment): boolean | undefined {
  return truth(valueOf(readExpression(condition), environment))
}

const truth = (value: Value | undefined) => (value === undefined ? undefined : value !== 0)

/** Of values joined by `||` and `&&` one that `decides` decides alone. */
function settled(values: readonly (Value | undefined)[], decides: boolean): number | undefined {
  const truths = values.map(truth)
  if (truths.includes(decides)) return Number(decides)
  return truths.includes(undefined) ? undefined : Number(!decides)
}

const operations: Readonly<Record<string, (left: number, right: number) => number>> = {
  '<': (left, right) => Number(left < right),
  '>': (left, right) => Number(left > right),
  '<=': (left, right) => Number(left <= right),
  '>=': (left, right) => Number(left >= right),
  '<<': (left, right) => left * 2 ** right,
  '>>': (left, right) => Math.floor(left / 2 ** right),
  '+': (left, right) => left + right,
  '-': (left, right) => left - right,
  '*': (left, right) => left * right,
  '/': (left, right) => Math.trunc(left / right),
  '%': (left, right) => left % right,
}

/** Integers, as far as a double tells them apart. */
function calculated(operator: string, left: Value | undefined, right: Value | undefined): number | undefined {
  if (typeof left !== 'number' || typeof right !== 'number') return undefined
  const value = operations[operator]?.(left, right) ?? Number.NaN
  return Number.isSafeInteger(value) ? value : undefined
}
