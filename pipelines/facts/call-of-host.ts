import type {Value} from '../../cpp/evaluator.ts'
import type {Branch} from '../../cpp/syntax.ts'
import {withAnswers, type CallAnswers} from './call-answers.ts'
import {integerValue, withoutCasts, withoutObjects} from './host-expression.ts'

/** Where a value of the tiling comes from. */
export interface Derivation {
  field: string
  value: number
  /** The one expression that the host computes it with in this call. */
  expression?: string
  /** Branches that decide on this expression, all of which the call takes. */
  branches: readonly Branch[]
  /** Names in the expression with the values that they had, when the expression gives the value by them. */
  known: readonly (readonly [string, number])[]
  /** Whether it was worked out and came to the value. */
  worked: boolean
}

/** What host code computes in one call. */
export interface CallOfHost {
  field(field: string, value: number): Derivation
  variable(name: string, value: number): Derivation
  /** Arguments of a launch function; undefined if no call of it is certain. */
  launch(api: string, value: number): Derivation | undefined
  /** What is written to a place without a name of its own. */
  written(placed: {value: string; branches: readonly Branch[]}, name: string, value: number): Derivation
}

/** The value of an expression that may query shapes, types, attributes and the platform. */
export function answeredValue(
  expression: string,
  answers: CallAnswers,
  values: ReadonlyMap<string, Value>,
): Value | undefined {
  const answered = withAnswers(expression, answers, (text) => {
    const value = integerValue(text, values)
    return typeof value === 'number' ? value : undefined
  })
  return integerValue(answered, values)
}

/** The expression, where it is short enough to be quoted. */
export function readable(expression: string): string | undefined {
  return expression.length <= 140 && !/[{};"]|\[\s*[&=]?\s*\]/.test(expression) ? expression : undefined
}

/** Variables and constants of an expression. */
export function namesIn(expression: string): string[] {
  const plain = withoutObjects(withoutCasts(expression))
  return [...new Set(plain.match(/\b[A-Za-z_]\w*\b(?!\s*(?:\(|<[\w:\s]*>\s*\())/g) ?? [])]
}

/** The shortest decimal that is the same 32-bit float: fields hold 1e-5, not 0.000009999999747378752. */
export function plainNumber(value: number): number {
  if (Number.isInteger(value) || Math.fround(value) !== value) return value
  for (let digits = 1; digits <= 9; digits += 1) {
    const short = Number(value.toPrecision(digits))
    if (Math.fround(short) === value) return short
  }
  return value
}
