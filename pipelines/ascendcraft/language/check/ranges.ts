import type {BinaryOperator, Expression} from '../ast.ts'
import {elementBytes} from '../dtypes.ts'

/** Between which values a number lies, as far as it can be seen without running the program; both ends belong to it. */
export interface Range {
  low: number
  high: number
}

export const anything: Range = {low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY}

export function exactly(value: number): Range {
  return {low: value, high: value}
}

/** The one value that a range holds. */
export function constantOf(range: Range): number | undefined {
  return range.low === range.high ? range.low : undefined
}

export function unionOf(ranges: readonly Range[]): Range {
  if (ranges.length === 0) return anything
  return {low: Math.min(...ranges.map(({low}) => low)), high: Math.max(...ranges.map(({high}) => high))}
}

/** The values that an expression can take; `of` gives those of names, `x.shape[i]` and the number of cores. */
export function rangeOf(expression: Expression, of: (leaf: Expression) => Range): Range {
  const range = (part: Expression): Range => rangeOf(part, of)
  switch (expression.kind) {
    case 'number':
      return exactly(expression.value)
    case 'unary': {
      const {low, high} = range(expression.operand)
      return expression.operator === '-' ? {low: -high, high: -low} : {low: 0, high: 1}
    }
    case 'binary':
      return binaryRange(expression.operator, range(expression.left), range(expression.right))
    case 'choice':
      return unionOf([range(expression.yes), range(expression.no)])
    case 'call':
      return callRange(expression, range, of)
    default:
      return of(expression)
  }
}

function corners(a: Range, b: Range, compute: (x: number, y: number) => number): Range {
  const values = [compute(a.low, b.low), compute(a.low, b.high), compute(a.high, b.low), compute(a.high, b.high)]
  // 0 times infinity: the unbounded side may still be as small as one likes.
  if (values.some((value) => Number.isNaN(value))) return anything
  return {low: Math.min(...values), high: Math.max(...values)}
}

function binaryRange(operator: BinaryOperator, a: Range, b: Range): Range {
  switch (operator) {
    case '+':
      return {low: a.low + b.low, high: a.high + b.high}
    case '-':
      return {low: a.low - b.high, high: a.high - b.low}
    case '*':
      return corners(a, b, (x, y) => (x === 0 || y === 0 ? 0 : x * y))
    case '/':
      return b.low > 0 || b.high < 0 ? corners(a, b, (x, y) => x / y) : anything
    case '//':
      return b.low > 0 || b.high < 0 ? corners(a, b, (x, y) => Math.floor(x / y)) : anything
    case '%':
      return remainder(a, b)
    case '**':
      return constantOf(a) !== undefined && constantOf(b) !== undefined ? exactly(a.low ** b.low) : anything
    default:
      return {low: 0, high: 1}
  }
}

function remainder(a: Range, b: Range): Range {
  const [x, y] = [constantOf(a), constantOf(b)]
  if (x !== undefined && y !== undefined && y !== 0) return exactly(x - Math.floor(x / y) * y)
  return b.low > 0 ? {low: 0, high: Math.max(0, b.high - 1)} : anything
}

function callRange(
  expression: Expression & {kind: 'call'},
  range: (part: Expression) => Range,
  of: (leaf: Expression) => Range,
): Range {
  const [first, second] = expression.arguments
  const sides = () => expression.arguments.map(range)
  switch (expression.callee) {
    case 'min':
      return {low: Math.min(...sides().map(({low}) => low)), high: Math.min(...sides().map(({high}) => high))}
    case 'max':
      return {low: Math.max(...sides().map(({low}) => low)), high: Math.max(...sides().map(({high}) => high))}
    case 'cdiv':
    case 'align':
      return rounded(expression.callee, range(first!), range(second!))
    case 'abs': {
      const {low, high} = range(first!)
      return {low: low > 0 || high < 0 ? Math.min(Math.abs(low), Math.abs(high)) : 0, high: Math.max(-low, high)}
    }
    case 'int': {
      const {low, high} = range(first!)
      return {low: Math.trunc(low), high: Math.trunc(high)}
    }
    case 'float':
      return range(first!)
    case 'item_bytes':
      return first?.kind === 'type' && first.type.kind === 'type'
        ? exactly(elementBytes[first.type.type])
        : {low: 1, high: 8}
    case 'sqrt':
      return {low: 0, high: Number.POSITIVE_INFINITY}
    default:
      return of(expression)
  }
}

/** Division and rounding upwards, by what is above 0. */
function rounded(callee: 'cdiv' | 'align', a: Range, b: Range): Range {
  if (b.low <= 0) return anything
  const up = corners(a, b, (x, y) => Math.ceil(x / y))
  if (callee === 'cdiv') return up
  const unit = constantOf(b)
  return unit === undefined ? {low: a.low, high: a.high + b.high - 1} : {low: up.low * unit, high: up.high * unit}
}
