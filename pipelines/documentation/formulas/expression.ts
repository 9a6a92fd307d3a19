/** An expression as pages write it in pseudo-code or words. */
export type Expression =
  | {kind: 'name' | 'number'; text: string; index?: string}
  | {kind: 'binary'; operator: '+' | '-' | '*' | '/' | '^' | ','; left: Expression; right: Expression}
  | {kind: 'negative'; of: Expression}
  | {kind: 'call'; name: string; of: Expression[]}

/** Reads an expression in the notation of NumPy, C or of a plain formula; undefined for anything else. */
export function readExpression(text: string): Expression | undefined {
  const plain = text
    .replace(/\b(?:np|numpy|std|math|torch|tf)(?:\.|::)/g, '')
    .replace(/[−–]/g, '-')
    .replace(/[×·⋅]/g, '*')
    .replace(/\*\*/g, '^')
  const tokens = plain.match(/\d+\.?\d*(?:e[+-]?\d+)?|[A-Za-zΑ-ω_][\wΑ-ω]*|[^\s]/gi) ?? []
  if (tokens.length === 0 || tokens.length > 60) return undefined
  const reader = {tokens, at: 0}
  const found = binary(reader, 0)
  return reader.at === tokens.length ? found : undefined
}

interface Reader {
  tokens: readonly string[]
  at: number
}

const strengths = new Map(Object.entries({'+': 1, '-': 1, '*': 2, '/': 2, '^': 4}))

function binary(reader: Reader, least: number): Expression | undefined {
  let left = unary(reader)
  while (left) {
    const operator = reader.tokens[reader.at] as '+' | '-' | '*' | '/' | '^'
    const strength = strengths.get(operator)
    if (strength === undefined || strength < least) return left
    reader.at += 1
    const right = binary(reader, operator === '^' ? strength : strength + 1)
    left = right && {kind: 'binary', operator, left, right}
  }
  return undefined
}

function unary(reader: Reader): Expression | undefined {
  const token = reader.tokens[reader.at]
  if (token === undefined) return undefined
  reader.at += 1
  if (token === '-') {
    const of = binary(reader, 3)
    return of && {kind: 'negative', of}
  }
  if (token === '(') return closed(reader, binary(reader, 0), ')')
  if (token === '|') {
    const of = closed(reader, binary(reader, 0), '|')
    return of && {kind: 'call', name: 'abs', of: [of]}
  }
  if (/^\d/.test(token)) return {kind: 'number', text: token}
  if (!/^[A-Za-zΑ-ω_]/.test(token)) return undefined
  if (reader.tokens[reader.at] === '(') return call(reader, token)
  if (reader.tokens[reader.at] !== '[') return {kind: 'name', text: token}
  const index = reader.tokens[reader.at + 1] ?? ''
  if (!/^\w+$/.test(index) || reader.tokens[reader.at + 2] !== ']') return undefined
  reader.at += 3
  return {kind: 'name', text: token, index}
}

function closed<T>(reader: Reader, inner: T | undefined, by: string): T | undefined {
  if (inner === undefined || reader.tokens[reader.at] !== by) return undefined
  reader.at += 1
  return inner
}

function call(reader: Reader, name: string): Expression | undefined {
  const of: Expression[] = []
  do {
    reader.at += 1
    // Keywords such as axis=-1 say how a function works, not what it is applied to.
    if (/^\w+$/.test(reader.tokens[reader.at] ?? '') && reader.tokens[reader.at + 1] === '=') {
      while (reader.at < reader.tokens.length && !/^[,)]$/.test(reader.tokens[reader.at] as string)) reader.at += 1
      continue
    }
    const argument = binary(reader, 0)
    if (!argument) return undefined
    of.push(argument)
  } while (reader.tokens[reader.at] === ',')
  return closed(reader, {kind: 'call', name, of} as const, ')')
}

/** How an expression is typeset. Of each pair, pages use the one or the other. */
interface Style {
  division: 'fraction' | 'slash'
  power: 'e' | 'exp'
  times: '' | '\\times ' | '\\cdot ' | '*'
  /** Index of operands without their own. */
  index: '' | 'i'
}

export const styles: readonly Style[] = (['fraction', 'slash'] as const).flatMap((division) =>
  (['e', 'exp'] as const).flatMap((power) =>
    (['', '\\times ', '\\cdot ', '*'] as const).flatMap((times) =>
      (['', 'i'] as const).map((index) => ({division, power, times, index})),
    ),
  ),
)

const greekOf = new Map([
  ['β', '\\beta '],
  ['γ', '\\gamma '],
  ['μ', '\\mu '],
  ['σ', '\\sigma '],
  ['ε', '\\epsilon '],
  ['α', '\\alpha '],
  ['π', '\\pi '],
  ['beta', '\\beta '],
  ['gamma', '\\gamma '],
  ['epsilon', '\\epsilon '],
  ['alpha', '\\alpha '],
])

/** The expression as LaTeX. `operands` are the names that take the style's index. */
export function toLatex(of: Expression, style: Style, operands: ReadonlySet<string>): string {
  const write = (one: Expression) => toLatex(one, style, operands)
  const inner = (one: Expression, isWeaker: boolean) => (isWeaker ? `(${write(one)})` : write(one))
  switch (of.kind) {
    case 'number':
      return of.text
    case 'name': {
      const index = of.index ?? (operands.has(of.text) ? style.index : '')
      const name =
        greekOf.get(of.text) ?? (of.text.length > 1 ? `\\mathrm{${of.text.replaceAll('_', '\\_')}}` : of.text)
      return index === '' ? name : `${name.trim()}_{${index}}`
    }
    case 'negative':
      return `-${inner(of.of, isSum(of.of) || beginsWithMinus(of.of, style))}`
    case 'call':
      return callLatex(of.name, of.of.map(write), style)
    case 'binary': {
      const {operator, left, right} = of
      if (operator === '^')
        return `${inner(left, ['binary', 'negative'].includes(left.kind) || isRaised(left, style))}^{${write(right)}}`
      if (operator === '/' && style.division === 'fraction') return `\\frac{${write(left)}}{${write(right)}}`
      const isProduct = operator === '*' || operator === '/'
      const [first, second] = [
        inner(left, isProduct && isSum(left)),
        inner(right, (isProduct && isSum(right)) || isWeakRight(right, operator) || beginsWithMinus(right, style)),
      ]
      const times = style.times === '' && !standsBeside(left, right) ? '\\times ' : style.times
      return `${first}${operator === '*' ? times : operator}${second}`
    }
  }
}

/** Whether a product can be written without a sign: two names of several letters would be one. */
function standsBeside(left: Expression, right: Expression): boolean {
  if (right.kind === 'call' || (right.kind === 'name' && right.text.length > 1)) return false
  if (left.kind === 'binary') return left.operator === '*' ? standsBeside(left.right, right) : true
  return left.kind === 'number' || (left.kind === 'name' && left.text.length === 1)
}

const isSum = (one: Expression) => one.kind === 'binary' && (one.operator === '+' || one.operator === '-')

const isWeakRight = (one: Expression, operator: string) =>
  one.kind === 'binary' && (operator === '-' ? isSum(one) : operator === '/' && one.operator !== '^')

/** Two signs in a row are not valid notation, and without a sign for the product a minus would make it a difference. */
function beginsWithMinus(one: Expression, style: Style): boolean {
  if (one.kind !== 'binary') return one.kind === 'negative'
  const isClosed = one.operator === '^' || (one.operator === '/' && style.division === 'fraction')
  return !isClosed && !(isSum(one.left) && !isSum(one)) && beginsWithMinus(one.left, style)
}

/** What is typeset with an exponent cannot take a second one. */
const isRaised = (one: Expression, {power}: Style) =>
  one.kind === 'call' && ((one.name === 'exp' && power === 'e') || /^pow(?:er)?$/.test(one.name))

const shortened = new Map([
  ['maximum', '\\max'],
  ['minimum', '\\min'],
])

function callLatex(name: string, of: readonly string[], {power}: Style): string {
  const [first = '', second] = of
  if (name === 'exp' && power === 'e') return `e^{${first}}`
  if (name === 'sqrt') return `\\sqrt{${first}}`
  if (name === 'abs' || name === 'fabs') return `|${first}|`
  if ((name === 'pow' || name === 'power') && second !== undefined) return `${first}^{${second}}`
  if (name === 'floor') return `\\lfloor ${first}\\rfloor `
  if (name === 'ceil') return `\\lceil ${first}\\rceil `
  const written = /^(?:exp|ln|log|max|min|sin|cos|tan|sinh|cosh|tanh)$/.test(name) ? `\\${name}` : `\\mathrm{${name}}`
  return `${shortened.get(name) ?? written}(${of.join(',')})`
}
