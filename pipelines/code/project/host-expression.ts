import {dtypeOfConstant, elementTypes, typeBytes} from '../../../cpp/types.ts'

/** A number, or the name of an element type (`DT_FLOAT`). */
export type HostValue = number | string

/** An expression in integers; undefined when it has a name or function that is not known. */
export function integerValue(expression: string, values: ReadonlyMap<string, HostValue>): HostValue | undefined {
  const tokens = tokensOf(withoutCasts(withoutObjects(expression)))
  if (!tokens) return undefined
  try {
    return new Reader(tokens, values).whole()
  } catch (error) {
    if (error instanceof Unknown) return undefined
    throw error
  }
}

/** Casts between integers and suffixes of numbers say nothing of a value. */
export function withoutCasts(expression: string): string {
  return expression
    .replace(/\bstatic_cast\s*<[^<>]*>\s*(?=\()/g, '')
    .replace(/(?<!\bsizeof\s*)\(\s*(?:u?int(?:8|16|32|64)_t|int|size_t)\s*\)\s*/g, '')
    .replace(/\b(\d+)(?:[uU]?[lL]{0,2}|[lL]{1,2}[uU]?)\b/g, '$1')
    .replace(/\b(?:std|ge|Ops::Base|optiling)::/g, '')
    .replace(/\btrue\b/g, '1')
    .replace(/\bfalse\b/g, '0')
    .replace(/\b(min|max|CeilDiv\w*|CeilAlign|RoundUp|AlignUp)\s*<[\w:\s]*>\s*\(/g, '$1(')
    .trim()
}

/** Members are known by their own names: `info.rows` and `this->rows` are `rows`. */
export function withoutObjects(expression: string): string {
  return expression.replace(/\b[A-Za-z_]\w*(?:\[\w+\])?\s*(?:\.|->)\s*(?=[A-Za-z_]\w*\b(?!\s*[(<]))/g, '')
}

function tokensOf(text: string): string[] | undefined {
  const tokens: string[] = []
  const next = /\s*(\d+(?![\w.])|[A-Za-z_]\w*|<<|>>|[<>=!]=|&&|\|\||[-+*/%()<>?:,!])/y
  while (next.lastIndex < text.trimEnd().length) {
    const match = next.exec(text)
    if (!match) return undefined
    tokens.push(match[1] as string)
  }
  return tokens
}

class Unknown extends Error {}

const precedence: readonly (readonly string[])[] = [
  ['||'],
  ['&&'],
  ['==', '!='],
  ['<', '>', '<=', '>='],
  ['<<', '>>'],
  ['+', '-'],
  ['*', '/', '%'],
]

/** Reads tokens by C++ precedence. */
class Reader {
  readonly #tokens: readonly string[]
  readonly #values: ReadonlyMap<string, HostValue>
  #at = 0

  constructor(tokens: readonly string[], values: ReadonlyMap<string, HostValue>) {
    this.#tokens = tokens
    this.#values = values
  }

  whole(): HostValue {
    const value = this.#choice()
    if (this.#at < this.#tokens.length) throw new Unknown()
    return value
  }

  #choice(): HostValue {
    const condition = this.#binary(0)
    if (!this.#takes('?')) return condition
    const yes = this.#choice()
    this.#expect(':')
    const no = this.#choice()
    return condition === 0 ? no : yes
  }

  #binary(level: number): HostValue {
    const operators = precedence[level]
    if (!operators) return this.#single()
    let left = this.#binary(level + 1)
    for (let operator = this.#tokens[this.#at]; operators.includes(operator ?? ''); operator = this.#tokens[this.#at]) {
      this.#at += 1
      left = combined(operator as string, left, this.#binary(level + 1))
    }
    return left
  }

  #single(): HostValue {
    const token = this.#tokens[this.#at]
    this.#at += 1
    if (token === '(') {
      const value = this.#choice()
      this.#expect(')')
      return value
    }
    if (token === '!') return Number(this.#single() === 0)
    if (token === '-') return -number(this.#single())
    if (token === undefined) throw new Unknown()
    if (/^\d/.test(token)) return Number(token)
    return this.#takes('(') ? this.#call(token) : this.#named(token)
  }

  #call(name: string): HostValue {
    if (name === 'sizeof') {
      const bytes = typeBytes[this.#tokens[this.#at] ?? '']
      this.#at += 1
      this.#expect(')')
      if (bytes === undefined) throw new Unknown()
      return bytes
    }
    const [a, b, ...more] = this.#list()
    if (name === 'GetSizeByDataType' && b === undefined) return bytesOfType(a)
    if (a === undefined || b === undefined || more.length > 0) throw new Unknown()
    return applied(name, number(a), number(b))
  }

  #list(): HostValue[] {
    const values = [this.#choice()]
    while (this.#takes(',')) values.push(this.#choice())
    this.#expect(')')
    return values
  }

  #named(name: string): HostValue {
    const value = this.#values.get(name)
    if (value !== undefined) return value
    if (/^DT_\w+$/.test(name)) return name
    throw new Unknown()
  }

  #takes(token: string): boolean {
    if (this.#tokens[this.#at] !== token) return false
    this.#at += 1
    return true
  }

  #expect(token: string): void {
    if (!this.#takes(token)) throw new Unknown()
  }
}

function bytesOfType(type: HostValue | undefined): number {
  const dtype = dtypeOfConstant(String(type))
  if (dtype === undefined) throw new Unknown()
  return elementTypes[dtype].bytes
}

function number(value: HostValue): number {
  if (typeof value !== 'number') throw new Unknown()
  return value
}

function combined(operator: string, left: HostValue, right: HostValue): number {
  if (operator === '==') return Number(left === right)
  if (operator === '!=') return Number(left !== right)
  const [a, b] = [number(left), number(right)]
  const results: Readonly<Record<string, () => number>> = {
    '||': () => Number(a !== 0 || b !== 0),
    '&&': () => Number(a !== 0 && b !== 0),
    '<': () => Number(a < b),
    '>': () => Number(a > b),
    '<=': () => Number(a <= b),
    '>=': () => Number(a >= b),
    '<<': () => a * 2 ** b,
    '>>': () => Math.floor(a / 2 ** b),
    '+': () => a + b,
    '-': () => a - b,
    '*': () => a * b,
    '/': () => (b === 0 ? Number.NaN : Math.trunc(a / b)),
    '%': () => (b === 0 ? Number.NaN : a % b),
  }
  const value = results[operator]?.() ?? Number.NaN
  if (!Number.isSafeInteger(value)) throw new Unknown()
  return value
}

/** By the names that such functions have everywhere; what they give is compared with what the run showed. */
function applied(name: string, a: number, b: number): number {
  if (name === 'min') return Math.min(a, b)
  if (name === 'max') return Math.max(a, b)
  if (b <= 0) throw new Unknown()
  if (/^(?:CeilDiv\w*|Ceil|DivCeil|CeilDivision)$/i.test(name)) return Math.ceil(a / b)
  if (/^(?:CeilAlign|RoundUp|AlignUp|Align)$/i.test(name)) return Math.ceil(a / b) * b
  if (/^(?:FloorDiv)$/i.test(name)) return Math.floor(a / b)
  if (/^(?:FloorAlign|RoundDown|AlignDown)$/i.test(name)) return Math.floor(a / b) * b
  throw new Unknown()
}
