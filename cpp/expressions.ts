import {type Environment, type Expression, readExpression, valueOf} from './evaluator.ts'
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

/** Names and `sizeof` of a scope. */
export function inScope(scope: Scope): Environment {
  return {
    name: (path) => scope.constants.get(path.replace(/^this->/, '')),
    call: (name, [type]) => (name === 'sizeof' && type !== undefined ? bytesOfType(type, scope) : undefined),
  }
}

/** Integer value of a constant expression, or undefined. */
export function evaluate(expression: string, scope: Scope): number | undefined {
  return numberOf(readExpression(expression), inScope(scope))
}

function numberOf(expression: Expression, environment: Environment): number | undefined {
  const value = valueOf(expression, environment)
  return typeof value === 'number' ? value : undefined
}

/** A size as a number times named lengths: `tileLength * sizeof(half)` is 2 × [tileLength]. */
interface Product {
  factor: number
  /** Sorted; empty when the size is a plain number. */
  lengths: string[]
}

/** Reads a size as a product; undefined when it is a sum or a call of something that is not a constant. */
export function asProduct(expression: string, scope: Scope): Product | undefined {
  return productOf(readExpression(expression), inScope(scope))
}

function productOf(expression: Expression, environment: Environment): Product | undefined {
  const {kind, text, parts} = expression
  const factor = numberOf(expression, environment)
  if (factor !== undefined) return {factor, lengths: []}
  if (kind === 'name') return /::|\[/.test(text) ? undefined : {factor: 1, lengths: [text.replace(/^this->/, '')]}
  const [left, right] = text === '*' || text === '/' ? parts.map((one) => productOf(one, environment)) : []
  if (!left || !right) return undefined
  if (text === '*') return {factor: left.factor * right.factor, lengths: [...left.lengths, ...right.lengths].sort()}
  return right.lengths.length > 0 || right.factor === 0 ? undefined : {...left, factor: left.factor / right.factor}
}
