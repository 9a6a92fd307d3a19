import {elementTypes, typeBytes} from './types.ts'

/**
 * What an expression may refer to: numeric constants by name, and bytes of types that depend on the dtype (`T`,
 * `DTYPE_X`).
 */
export interface Scope {
  constants: ReadonlyMap<string, number>
  types: ReadonlyMap<string, number>
}

function bytesOfType(type: string, {types}: Scope): number | undefined {
  const bare = type.replace(/\b(?:const|AscendC::)\s*/g, '').trim()
  return typeBytes[bare] ?? types.get(bare)
}

export function bytesOfDtype(dtype: string): number | undefined {
  return (elementTypes as Readonly<Record<string, {bytes: number}>>)[dtype]?.bytes
}

/** Integer value of a constant expression (+ - * / % << >>, parentheses, sizeof, named constants), or undefined. */
export function evaluate(expression: string, scope: Scope): number | undefined {
  const tokens = tokenise(expression, scope)
  const value = tokens && new Calculation(tokens).result()
  return value !== undefined && Number.isFinite(value) ? value : undefined
}

type Token = number | string
type Operation = (left: number, right: number) => number | undefined

const sums: Readonly<Record<string, Operation>> = {
  '+': (left, right) => left + right,
  '-': (left, right) => left - right,
}

const shifts: Readonly<Record<string, Operation>> = {
  '<<': (left, right) => left * 2 ** right,
  '>>': (left, right) => Math.floor(left / 2 ** right),
}

const products: Readonly<Record<string, Operation>> = {
  '*': (left, right) => left * right,
  '/': (left, right) => (right === 0 ? undefined : Math.trunc(left / right)),
  '%': (left, right) => (right === 0 ? undefined : left % right),
}

/** Recursive descent over the tokens; undefined from any step means that the whole has no value. */
class Calculation {
  private readonly tokens: readonly Token[]
  private at = 0

  constructor(tokens: readonly Token[]) {
    this.tokens = tokens
  }

  result(): number | undefined {
    const value = this.shift()
    return this.at === this.tokens.length ? value : undefined
  }

  private shift(): number | undefined {
    return this.chain(shifts, () => this.sum())
  }

  private sum(): number | undefined {
    return this.chain(sums, () => this.product())
  }

  private product(): number | undefined {
    return this.chain(products, () => this.atom())
  }

  /** Operands with operators of one precedence between them, from left to right. */
  private chain(
    operations: Readonly<Record<string, Operation>>,
    operand: () => number | undefined,
  ): number | undefined {
    let value = operand()
    for (;;) {
      const operation = operations[this.tokens[this.at] ?? '']
      if (value === undefined || !operation) return value
      this.at += 1
      const right = operand()
      value = right === undefined ? undefined : operation(value, right)
    }
  }

  private atom(): number | undefined {
    const token = this.tokens[this.at]
    this.at += 1
    if (typeof token === 'number') return token
    if (token === '-') {
      const value = this.atom()
      return value === undefined ? undefined : -value
    }
    if (token !== '(') return undefined
    const value = this.shift()
    const isClosed = this.tokens[this.at] === ')'
    this.at += 1
    return isClosed ? value : undefined
  }
}

const nextToken = [
  String.raw`sizeof\s*\(\s*([\w:]+)\s*\)`,
  String.raw`(0[xX][\da-fA-F]+|\d+)(?:[uUlL]*)(?![\w.])`,
  String.raw`([A-Za-z_]\w*)`,
  '(<<|>>|[-+*/%()])',
].join('|')

function tokenise(expression: string, scope: Scope): Token[] | undefined {
  const text = plain(expression)
  const next = new RegExp(String.raw`\s*(?:${nextToken})`, 'y')
  const tokens: Token[] = []
  while (next.lastIndex < text.length) {
    const match = next.exec(text)
    const token = match ? tokenOf(match, scope) : undefined
    if (token === undefined) return undefined
    tokens.push(token)
  }
  return tokens.length > 0 ? tokens : undefined
}

function tokenOf([, type, number, name, operator]: RegExpExecArray, scope: Scope): Token | undefined {
  if (type !== undefined) return bytesOfType(type, scope)
  if (number !== undefined) return Number(number)
  return name === undefined ? operator : scope.constants.get(name)
}

/** Without casts, which do not change the value of a size: `static_cast<uint32_t>(a * b)` → `(a * b)`. */
function plain(expression: string): string {
  return expression
    .replace(/\bthis->/g, '')
    .replace(/static_cast\s*<[^<>]*>\s*/g, '')
    .replace(/\(\s*(?:u?int\d+_t|size_t|int|unsigned)\s*\)\s*(?=[\w(])/g, '')
    .trim()
}

/** A size as a number times named lengths: `tileLength * sizeof(half)` is 2 × [tileLength]. */
interface Product {
  factor: number
  /** Sorted; empty when the size is a plain number. */
  lengths: string[]
}

/** Reads a size as a product; undefined when it is a sum or a call of something that is not a constant. */
export function asProduct(expression: string, scope: Scope): Product | undefined {
  const whole = evaluate(expression, scope)
  if (whole !== undefined) return {factor: whole, lengths: []}
  const text = plain(expression)
  const [, dividend, divisor] = /^(.+?)\s*\/\s*([\w]+)$/.exec(text) ?? []
  if (dividend !== undefined && divisor !== undefined && !/[-+%/]/.test(dividend))
    return asQuotient(dividend, divisor, scope)
  const parts = factors(text)
  const products = parts.map((part) => asFactor(part, parts.length > 1, scope))
  let factor = 1
  const lengths: string[] = []
  for (const product of products) {
    if (!product) return undefined
    factor *= product.factor
    lengths.push(...product.lengths)
  }
  return {factor, lengths: lengths.sort()}
}

function asQuotient(dividend: string, divisor: string, scope: Scope): Product | undefined {
  const product = asProduct(dividend, scope)
  const by = evaluate(divisor, scope)
  return product && by ? {...product, factor: product.factor / by} : undefined
}

function asFactor(part: string, isOneOfSeveral: boolean, scope: Scope): Product | undefined {
  const value = evaluate(part, scope)
  if (value !== undefined) return {factor: value, lengths: []}
  if (/^[A-Za-z_][\w.]*(?:->[\w.]+)*$/.test(part)) return {factor: 1, lengths: [part]}
  return isOneOfSeveral && /^\(.*\)$/.test(part) ? asProduct(part.slice(1, -1), scope) : undefined
}

/** Splits at `*` outside of parentheses. */
function factors(text: string): string[] {
  const unwrapped = /^\(([^()]*)\)$/.exec(text)?.[1] ?? text
  const parts: string[] = []
  let depth = 0
  let start = 0
  for (let i = 0; i < unwrapped.length; i += 1) {
    if (unwrapped[i] === '(') depth += 1
    else if (unwrapped[i] === ')') depth -= 1
    else if (unwrapped[i] === '*' && depth === 0) {
      parts.push(unwrapped.slice(start, i).trim())
      start = i + 1
    }
  }
  parts.push(unwrapped.slice(start).trim())
  return parts
}
