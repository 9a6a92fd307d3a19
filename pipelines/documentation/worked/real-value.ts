import {type Expression, readExpression} from '../../../cpp/evaluator.ts'

/** Rounding to integers by the modes of `Cast`. */
export const roundings = {
  CAST_RINT: (value: number) => {
    const near = Math.round(value)
    return Math.abs(value % 1) === 0.5 && near % 2 !== 0 ? near - 1 : near
  },
  CAST_ROUND: (value: number) => Math.sign(value) * Math.floor(Math.abs(value) + 0.5),
  CAST_FLOOR: Math.floor,
  CAST_CEIL: Math.ceil,
  CAST_TRUNC: Math.trunc,
}

const functions: Readonly<Record<string, (...values: number[]) => number>> = {
  ...{
    abs: Math.abs,
    max: Math.max,
    min: Math.min,
    exp: Math.exp,
    ln: Math.log,
    log2: Math.log2,
    log10: Math.log10,
    sqrt: Math.sqrt,
    pow: Math.pow,
  },
  ...{sin: Math.sin, cos: Math.cos, tan: Math.tan, asin: Math.asin, acos: Math.acos, atan: Math.atan},
  ...{sinh: Math.sinh, cosh: Math.cosh, tanh: Math.tanh, asinh: Math.asinh, acosh: Math.acosh, atanh: Math.atanh},
  ...{floor: Math.floor, ceil: Math.ceil, trunc: Math.trunc, sign: Math.sign},
  sigmoid: (value) => 1 / (1 + Math.exp(-value)),
  // Ties go to the even neighbour, as the page of Round has it.
  round: (value) => roundings.CAST_RINT(value),
}

const operations: Readonly<Record<string, (left: number, right: number) => number>> = {
  '+': (left, right) => left + right,
  '-': (left, right) => left - right,
  '*': (left, right) => left * right,
  '/': (left, right) => left / right,
  '>=': (left, right) => Number(left >= right),
  '<<': (left, right) => left << right,
  '>>': (left, right) => left >> right,
}

/**
 * What an instruction's formula gives in exact arithmetic (doubles); undefined where it holds something else than
 * arithmetic.
 * @param operands `$1`, `$2` … in order
 * @param before what the destination held, `dst`
 */
export function realValue(formula: string, operands: readonly number[], before = 0): number | undefined {
  const text = formula
    .replace(/\|(\$\d)\|/g, 'abs($1)')
    .replace(/(\$\d) \^ (\$\d)/g, 'pow($1, $2)')
    .replace(/\$(\d)/g, 'operand$1')
  return valueIn(readExpression(text), (name) => (name === 'dst' ? before : operands[Number(name.slice(-1)) - 1]))
}

function valueIn({kind, text, parts}: Expression, known: (name: string) => number | undefined): number | undefined {
  if (kind === 'number') return Number(text)
  if (kind === 'name') return known(text)
  const values = parts.map((one) => valueIn(one, known))
  if (values.some((one) => one === undefined)) return undefined
  const [first = 0, second = 0, third = 0] = values as number[]
  if (kind === 'call') return functions[text]?.(...(values as number[]))
  if (text === '?') return first === 0 ? third : second
  if (parts.length === 1) return text === '-' ? -first : undefined
  return operations[text]?.(first, second)
}
