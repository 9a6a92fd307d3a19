import type {BinaryOperator, Expression, Place} from '../language/ast.ts'
import type {ScalarType} from '../language/checked.ts'
import {elementBytes} from '../language/dtypes.ts'
import {Trouble} from './trouble.ts'

/** A scalar expression, ready to be computed in any frame. Truth values are 0 and 1. */
export interface Scalar<Frame> {
  type: ScalarType
  of(frame: Frame): number
}

/** What the host and the kernel have of their own. */
export interface Scope<Frame> {
  /** Rounds what arithmetic gives: the kernel's floats are float32, the host's are double. */
  round(value: number): number
  name(name: string, at: Place): Scalar<Frame>
  /** Expressions of one side alone: shapes of the host; program_id, num_programs, extract of the kernel. */
  other(expression: Expression): Scalar<Frame> | undefined
}

export function compileScalar<Frame>(expression: Expression, scope: Scope<Frame>): Scalar<Frame> {
  const compile = (one: Expression) => compileScalar(one, scope)
  switch (expression.kind) {
    case 'number':
      return constant(
        expression.isFloat ? scope.round(expression.value) : expression.value,
        expression.isFloat ? 'float' : 'int',
      )
    case 'boolean':
      return constant(expression.value ? 1 : 0, 'bool')
    case 'name':
      return scope.name(expression.name, expression)
    case 'unary': {
      const operand = compile(expression.operand)
      if (expression.operator === 'not') return {type: 'bool', of: (frame) => (operand.of(frame) === 0 ? 1 : 0)}
      return {type: operand.type, of: (frame) => -operand.of(frame)}
    }
    case 'binary':
      return binary(expression, compile(expression.left), compile(expression.right), scope.round)
    case 'choice': {
      const [condition, yes, no] = [expression.condition, expression.yes, expression.no].map(compile) as Three<Frame>
      const type = yes.type === 'float' || no.type === 'float' ? 'float' : yes.type
      return {type, of: (frame) => (condition.of(frame) === 0 ? no : yes).of(frame)}
    }
    default: {
      const own = scope.other(expression)
      if (own) return own
      if (expression.kind !== 'call') throw new TypeError(`${expression.kind} is no scalar`)
      return called(expression, expression.arguments, scope)
    }
  }
}

type Three<Frame> = [Scalar<Frame>, Scalar<Frame>, Scalar<Frame>]

const constant = <Frame>(value: number, type: ScalarType): Scalar<Frame> => ({type, of: () => value})

const comparisons: Partial<Record<BinaryOperator, (a: number, b: number) => boolean>> = {
  '==': (a, b) => a === b,
  '!=': (a, b) => a !== b,
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
}

const arithmetic: Partial<Record<BinaryOperator, (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  '//': (a, b) => Math.floor(a / b),
  '%': (a, b) => a - b * Math.floor(a / b),
  '**': (a, b) => a ** b,
}

type Round = (value: number) => number

function binary<Frame>(
  at: Extract<Expression, {kind: 'binary'}>,
  left: Scalar<Frame>,
  right: Scalar<Frame>,
  round: Round,
): Scalar<Frame> {
  const {operator} = at
  if (operator === 'and') return {type: 'bool', of: (frame) => left.of(frame) && right.of(frame)}
  if (operator === 'or') return {type: 'bool', of: (frame) => left.of(frame) || right.of(frame)}
  const compare = comparisons[operator]
  if (compare) return {type: 'bool', of: (frame) => (compare(left.of(frame), right.of(frame)) ? 1 : 0)}
  const compute = arithmetic[operator] as (a: number, b: number) => number
  const isFloat = operator === '/' || left.type === 'float' || right.type === 'float'
  const divides = operator === '//' || operator === '%' || (operator === '/' && right.type === 'int')
  return {
    type: isFloat ? 'float' : 'int',
    of(frame) {
      const divisor = right.of(frame)
      if (divides && divisor === 0) throw divisionByZero(at)
      const value = compute(left.of(frame), divisor)
      return isFloat ? round(value) : value
    },
  }
}

function divisionByZero(at: Place): Trouble {
  return new Trouble(
    at,
    'division-by-zero',
    'A division has the divisor 0.',
    'Guard it by an assert of the host, or by max(…, 1).',
  )
}

function called<Frame>(
  call: Extract<Expression, {kind: 'call'}>,
  given: readonly Expression[],
  scope: Scope<Frame>,
): Scalar<Frame> {
  if (call.callee === 'item_bytes') {
    const [type] = given
    if (type?.kind !== 'type' || type.type.kind !== 'type') throw new TypeError('item_bytes of no type')
    return constant(elementBytes[type.type.type], 'int')
  }
  const values = given.map((one) => compileScalar(one, scope))
  const [first, second] = values as [Scalar<Frame>, Scalar<Frame>]
  const either: ScalarType = values.some(({type}) => type === 'float') ? 'float' : 'int'
  const divisor = (frame: Frame) => {
    const value = second.of(frame)
    if (value === 0) throw divisionByZero(call)
    return value
  }
  switch (call.callee) {
    case 'cdiv':
      return {type: 'int', of: (frame) => Math.ceil(first.of(frame) / divisor(frame))}
    case 'align':
      return {type: 'int', of: (frame) => Math.ceil(first.of(frame) / divisor(frame)) * second.of(frame)}
    case 'min':
      return {type: either, of: (frame) => Math.min(...values.map((one) => one.of(frame)))}
    case 'max':
      return {type: either, of: (frame) => Math.max(...values.map((one) => one.of(frame)))}
    case 'abs':
      return {type: either, of: (frame) => Math.abs(first.of(frame))}
    case 'sqrt':
      return {type: 'float', of: (frame) => scope.round(Math.sqrt(first.of(frame)))}
    case 'float':
      return {type: 'float', of: (frame) => scope.round(first.of(frame))}
    case 'int':
      return {type: 'int', of: (frame) => Math.trunc(first.of(frame))}
    default:
      throw new TypeError(`${call.callee} stands on the wrong side`)
  }
}
