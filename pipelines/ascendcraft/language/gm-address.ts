import type {Expression} from './ast.ts'

/** `pointer + offset`, in elements; without an offset: the pointer alone. */
interface GmAddress {
  pointer: string
  offset: Expression | undefined
}

/** Splits `p`, `p + a`, `p + a - b` and so on; undefined if the leftmost operand is not a name. */
export function gmAddressOf(expression: Expression): GmAddress | undefined {
  if (expression.kind === 'name') return {pointer: expression.name, offset: undefined}
  if (expression.kind !== 'binary' || (expression.operator !== '+' && expression.operator !== '-')) return undefined
  const base = gmAddressOf(expression.left)
  if (!base) return undefined
  if (base.offset) return {...base, offset: {...expression, left: base.offset}}
  const {line, column, operator, right} = expression
  return {...base, offset: operator === '+' ? right : {line, column, kind: 'unary', operator: '-', operand: right}}
}
