import {streamOf} from '../../../cpp/brackets.ts'
import {tokenize, type Token} from '../../../cpp/tokens.ts'
import type {BinaryOperator, Expression} from '../language/ast.ts'
import type {ScalarType} from '../language/checked.ts'
import type {Facts} from './facts.ts'

/** C++ of a scalar, and how tightly its outermost operator binds. */
export interface ScalarCode {
  text: string
  level: number
  type: ScalarType
}

/** What differs between the host's code and the kernel's. */
export interface Dialect {
  /** Type of real numbers. */
  real: 'float' | 'double'
  /** The code for a name of the program. */
  nameOf: (name: string) => string
  typeOf: (name: string) => ScalarType
  facts: Facts
  /** Calls of the language, whose arguments are given as code; helpers that it names are noted as needed. */
  call: (expression: Expression & {kind: 'call'}, given: readonly ScalarCode[]) => ScalarCode
  /** `x.shape[i]`, `x.numel()`, `x.dim()`. */
  shape: (expression: Expression & {kind: 'shape' | 'count'}, axis: ScalarCode | undefined) => string
  /** `a // b` and `a % b` if an operand may be negative; powers that are not products. */
  floored: (operator: '//' | '%', left: ScalarCode, right: ScalarCode) => ScalarCode
  power: (left: ScalarCode, right: ScalarCode) => ScalarCode
  infinity: () => string
}

const levels = {primary: 10, unary: 9, product: 8, sum: 7, relation: 6, equality: 5, and: 4, or: 3, choice: 2} as const

export function primary(text: string, type: ScalarType): ScalarCode {
  return {text, level: levels.primary, type}
}

/** Helper functions, headers and constants that the code turned out to need. */
export class Needs {
  readonly helpers = new Set<string>()
  readonly headers = new Set<string>()
  readonly constants = new Set<string>()

  helper(name: string): string {
    this.helpers.add(name)
    return name
  }

  header(name: string): void {
    this.headers.add(name)
  }

  constant(name: string): string {
    this.constants.add(name)
    return name
  }
}

export function callCode(name: string, given: readonly ScalarCode[], type: ScalarType): ScalarCode {
  return primary(`${name}(${given.map(({text}) => text).join(', ')})`, type)
}

/** Calls that both sides write alike; undefined for others. */
export function sharedCall(
  callee: string,
  given: readonly ScalarCode[],
  needs: Needs,
  real: Dialect['real'],
): ScalarCode | undefined {
  const [first = primary('0', 'int')] = given
  switch (callee) {
    case 'cdiv':
      return callCode(needs.helper('CeilDiv'), given, 'int')
    case 'align':
      return callCode(needs.helper('AlignUp'), given, 'int')
    case 'float':
      return asReal(first, real)
    case 'int':
      return first.type === 'int' ? first : primary(`static_cast<int64_t>(${first.text})`, 'int')
    default:
      return undefined
  }
}

/** `a // b` and `a % b` of whole numbers that may be negative. */
export const flooredBy =
  (needs: Needs, where: string): Dialect['floored'] =>
  (operator, left, right) => {
    if (left.type === 'float' || right.type === 'float')
      throw new TypeError(`lowering: ${operator} of floats in ${where}`)
    return callCode(needs.helper(operator === '//' ? 'FloorDiv' : 'FloorMod'), [left, right], 'int')
  }

const helperLines: Record<string, readonly string[]> = {
  CeilDiv: ['int64_t CeilDiv(int64_t value, int64_t unit)', 'return (value + unit - 1) / unit;'],
  AlignUp: ['int64_t AlignUp(int64_t value, int64_t unit)', 'return (value + unit - 1) / unit * unit;'],
  FloorDiv: [
    'int64_t FloorDiv(int64_t value, int64_t unit)',
    'const int64_t quotient = value / unit;',
    'return value % unit != 0 && (value < 0) != (unit < 0) ? quotient - 1 : quotient;',
  ],
  FloorMod: [
    'int64_t FloorMod(int64_t value, int64_t unit)',
    'const int64_t rest = value % unit;',
    'return rest != 0 && (rest < 0) != (unit < 0) ? rest + unit : rest;',
  ],
  Smaller: ['int64_t Smaller(int64_t a, int64_t b)', 'return b < a ? b : a;'],
  SmallerReal: ['float Smaller(float a, float b)', 'return b < a ? b : a;'],
  Larger: ['int64_t Larger(int64_t a, int64_t b)', 'return b > a ? b : a;'],
  LargerReal: ['float Larger(float a, float b)', 'return b > a ? b : a;'],
  Magnitude: ['int64_t Magnitude(int64_t value)', 'return value < 0 ? -value : value;'],
  MagnitudeReal: ['float Magnitude(float value)', 'return value < 0.0f ? -value : value;'],
}

/** Definition of a helper: its head, then its lines. */
export function helperDefinition(name: string): readonly string[] {
  return helperLines[name] ?? []
}

/** C++ of a scalar expression, with the parentheses that it needs and no others. */
export function scalarCode(expression: Expression, dialect: Dialect): ScalarCode {
  const of = (one: Expression) => scalarCode(one, dialect)
  switch (expression.kind) {
    case 'number':
      return numberCode(expression.value, expression.isFloat, dialect)
    case 'boolean':
      return primary(String(expression.value), 'bool')
    case 'name':
      return primary(dialect.nameOf(expression.name), dialect.typeOf(expression.name))
    case 'unary':
      return unaryCode(expression.operator, of(expression.operand))
    case 'binary':
      return binaryCode(expression, dialect)
    case 'choice':
      return choiceCode(of(expression.condition), of(expression.yes), of(expression.no), dialect)
    case 'call':
      return dialect.call(expression, expression.callee === 'extract' ? [] : givenTo(expression, of))
    case 'shape':
      return primary(dialect.shape(expression, of(expression.axis)), 'int')
    case 'count':
      return primary(dialect.shape(expression, undefined), 'int')
    default:
      throw new TypeError(`lowering: ${expression.kind} on line ${expression.line} is no scalar`)
  }
}

/** Arguments as code; the type argument of `item_bytes` is not one. */
function givenTo(call: Expression & {kind: 'call'}, of: (one: Expression) => ScalarCode): ScalarCode[] {
  return call.arguments.map((one) => (one.kind === 'type' ? primary('', 'int') : of(one)))
}

function numberCode(value: number, isFloat: boolean, dialect: Dialect): ScalarCode {
  if (!isFloat)
    return value < 0 ? {text: String(value), level: levels.unary, type: 'int'} : primary(String(value), 'int')
  if (Number.isFinite(value)) {
    const plain = /[.e]/.test(String(value)) ? String(value) : `${value}.0`
    const text = dialect.real === 'float' ? `${plain}f` : plain
    return value < 0 ? {text, level: levels.unary, type: 'float'} : primary(text, 'float')
  }
  const infinity = dialect.infinity()
  return value < 0 ? {text: `-${infinity}`, level: levels.unary, type: 'float'} : primary(infinity, 'float')
}

/** The same value as a real number. */
export function asReal(code: ScalarCode, real: Dialect['real']): ScalarCode {
  if (code.type === 'float') return code
  if (/^-?\d+$/.test(code.text)) return {...code, text: `${code.text}.0${real === 'float' ? 'f' : ''}`, type: 'float'}
  return primary(`static_cast<${real}>(${code.text})`, 'float')
}

function unaryCode(operator: '-' | 'not', operand: ScalarCode): ScalarCode {
  if (operator === 'not') return {text: `!${within(operand, levels.unary)}`, level: levels.unary, type: 'bool'}
  return negated(operand)
}

/** `-x`, and `x` of `-x`. */
export function negated(operand: ScalarCode): ScalarCode {
  if (operand.level === levels.unary && operand.text.startsWith('-'))
    return {...operand, text: operand.text.slice(1), level: levels.primary}
  return {text: `-${within(operand, levels.unary)}`, level: levels.unary, type: operand.type}
}

/** `1 / x`. */
export function reciprocalCode(operand: ScalarCode, real: Dialect['real']): ScalarCode {
  const one = real === 'float' ? '1.0f' : '1.0'
  return {text: `${one} / ${within(asReal(operand, real), levels.unary)}`, level: levels.product, type: 'float'}
}

/** In parentheses where it binds less tightly. */
function within(code: ScalarCode, level: number): string {
  return code.level < level ? `(${code.text})` : code.text
}

const spelled: Partial<Record<BinaryOperator, [text: string, level: number]>> = {
  '+': ['+', levels.sum],
  '-': ['-', levels.sum],
  '*': ['*', levels.product],
  '==': ['==', levels.equality],
  '!=': ['!=', levels.equality],
  '<': ['<', levels.relation],
  '<=': ['<=', levels.relation],
  '>': ['>', levels.relation],
  '>=': ['>=', levels.relation],
  and: ['&&', levels.and],
  or: ['||', levels.or],
}

function binaryCode(expression: Expression & {kind: 'binary'}, dialect: Dialect): ScalarCode {
  const {operator} = expression
  const left = scalarCode(expression.left, dialect)
  const right = scalarCode(expression.right, dialect)
  if (operator === '**') return dialect.power(left, right)
  if (operator === '/')
    return joined(asReal(left, dialect.real), '/', asReal(right, dialect.real), levels.product, 'float')
  if (operator === '//' || operator === '%') {
    const facts = [dialect.facts.of(expression.left), dialect.facts.of(expression.right)]
    const whole = left.type !== 'float' && right.type !== 'float'
    if (!whole || facts.some(({nonNegative}) => !nonNegative)) return dialect.floored(operator, left, right)
    return joined(left, operator === '//' ? '/' : '%', right, levels.product, 'int')
  }
  const [text, level] = spelled[operator] as [string, number]
  const mixed = (left.type === 'float') !== (right.type === 'float') && operator !== 'and' && operator !== 'or'
  const sides = mixed ? [asReal(left, dialect.real), asReal(right, dialect.real)] : [left, right]
  const arithmetic = '+-*'.includes(operator)
  return joined(
    sides[0] as ScalarCode,
    text,
    sides[1] as ScalarCode,
    level,
    arithmetic ? (sides[0] as ScalarCode).type : 'bool',
  )
}

/** Operators of C++ group from the left, and sums and products of whole numbers group as one likes. */
function joined(left: ScalarCode, operator: string, right: ScalarCode, level: number, type: ScalarType): ScalarCode {
  const free = (operator === '+' && type === 'int') || operator === '&&' || operator === '||'
  // Compilers warn of `a && b || c` and of chains of comparisons without parentheses.
  const leftLevel = operator === '||' || level === levels.relation || level === levels.equality ? level + 1 : level
  const leftText =
    operator === '||' && left.level === levels.and
      ? `(${left.text})`
      : within(left, operator === '||' ? level : leftLevel)
  const rightText =
    operator === '||' && right.level === levels.and ? `(${right.text})` : within(right, free ? level : level + 1)
  return {text: `${leftText} ${operator} ${rightText}`, level, type}
}

function choiceCode(condition: ScalarCode, yes: ScalarCode, no: ScalarCode, {real}: Dialect): ScalarCode {
  const isFloat = yes.type === 'float' || no.type === 'float'
  const [first, second] = isFloat ? [asReal(yes, real), asReal(no, real)] : [yes, no]
  const parts = [condition, first, second].map((one) => within(one, levels.choice + 1))
  return {text: `${parts[0]} ? ${parts[1]} : ${parts[2]}`, level: levels.choice, type: first.type}
}

/** `x * x * x`, where the exponent is a small whole number and the base is cheap. */
export function productPower(left: ScalarCode, right: ScalarCode): ScalarCode | undefined {
  const exponent = /^[1-4]$/.test(right.text) ? Number(right.text) : undefined
  if (exponent === undefined || left.level < levels.unary) return undefined
  const text = Array.from({length: exponent}, () => left.text).join(' * ')
  return {text, level: exponent === 1 ? left.level : levels.product, type: left.type}
}

/** A condition that holds where the other does not. */
export function opposite(condition: ScalarCode): string {
  const flipped: Record<string, string> = {'==': '!=', '!=': '==', '<': '>=', '<=': '>', '>': '<=', '>=': '<'}
  const comparison = condition.level === levels.equality || condition.level === levels.relation
  const parts = comparison ? topLevelComparison(condition.text) : undefined
  if (parts && parts.length === 3) return `${parts[0]} ${flipped[parts[1] as string]} ${parts[2]}`
  return `!${within(condition, levels.unary)}`
}

/** `[left, operator, right]` of a comparison. */
function topLevelComparison(text: string): string[] | undefined {
  const {tokens, partners} = streamOf(tokenize(text, 'operators'))
  for (let at = 0; at < tokens.length; at = Math.max(at, partners[at] as number) + 1) {
    const {text: operator, start, end, spaced} = tokens[at] as Token
    // An angle of a template list has no spaces.
    if (spaced && tokens[at + 1]?.spaced && /^(?:[=!<>]=|[<>])$/.test(operator))
      return [text.slice(0, start - 1), operator, text.slice(end + 1)]
  }
  return undefined
}
