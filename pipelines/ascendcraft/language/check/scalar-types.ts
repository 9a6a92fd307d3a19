import type {Expression, ScalarFunction} from '../ast.ts'
import type {ScalarType} from '../checked.ts'
import type {Findings} from './findings.ts'
import {spell} from './spell.ts'

/** What a function may say in its expressions: kernels and hosts differ. */
export interface Scope {
  side: 'kernel' | 'host'
  /** The type of a scalar; if there is none with that name, reports it and returns undefined. */
  nameType: (expression: Expression & {kind: 'name'}) => ScalarType | undefined
  /** Says what is wrong with a tensor's name in `x.shape[i]`; nothing where all is well. */
  tensorFault: (name: string) => string | undefined
  /** Reports faults of a buffer in `tl.extract`, which is only allowed in compute stages. */
  extractType: (call: Expression & {kind: 'call'}) => ScalarType | undefined
  findings: Findings
}

/** The type of a scalar expression; undefined where something in it is refused. */
export function scalarType(expression: Expression, scope: Scope): ScalarType | undefined {
  switch (expression.kind) {
    case 'number':
      return expression.isFloat ? 'float' : 'int'
    case 'boolean':
      return 'bool'
    case 'name':
      return scope.nameType(expression)
    case 'unary':
      return unaryType(expression, scope)
    case 'binary':
      return binaryType(expression, scope)
    case 'choice':
      return choiceType(expression, scope)
    case 'call':
      return callType(expression, scope)
    case 'shape':
      return shapeType(expression, scope)
    case 'count':
      return tensorType(expression, scope)
    default:
      return refuseScalar(expression, scope)
  }
}

function refuseScalar(expression: Expression, {findings}: Scope): undefined {
  const mend =
    expression.kind === 'slice' ? 'read an element with tl.extract in a compute stage' : 'use a number or a name'
  findings.refuse(expression, 'scalar', `\`${spell(expression)}\` is no scalar`, mend)
}

function unaryType(expression: Expression & {kind: 'unary'}, scope: Scope): ScalarType | undefined {
  const type = scalarType(expression.operand, scope)
  if (!type) return undefined
  const wanted = expression.operator === 'not' ? ['bool'] : ['int', 'float']
  return wanted.includes(type) ? type : mismatch(expression, `\`${expression.operator}\` of ${article(type)}`, scope)
}

function article(type: ScalarType): string {
  return type === 'int' ? 'an int' : `a ${type}`
}

function mismatch(expression: Expression, what: string, {findings}: Scope): undefined {
  const mend = 'arithmetic takes int and float, `and`, `or` and `not` take comparisons; write `n != 0` for a truth'
  findings.refuse(expression, 'scalar-type', `\`${spell(expression)}\` is ${what}`, mend)
}

function binaryType(expression: Expression & {kind: 'binary'}, scope: Scope): ScalarType | undefined {
  const {operator} = expression
  const left = scalarType(expression.left, scope)
  const right = scalarType(expression.right, scope)
  if (!left || !right) return undefined
  const wrong = () => mismatch(expression, `\`${operator}\` of ${article(left)} and ${article(right)}`, scope)
  if (operator === 'and' || operator === 'or') return left === 'bool' && right === 'bool' ? 'bool' : wrong()
  if (left === 'bool' || right === 'bool') {
    return left === right && (operator === '==' || operator === '!=') ? 'bool' : wrong()
  }
  const both = left === 'int' && right === 'int' ? 'int' : 'float'
  if (operator === '//' || operator === '%') return both === 'int' ? 'int' : wrong()
  if (operator === '/') return 'float'
  if (operator === '**') return powerType(expression, both, scope)
  return operator === '+' || operator === '-' || operator === '*' ? both : 'bool'
}

/** Kernels have no power of their own: small whole exponents are written out as products. */
const mostKernelPower = 4

function powerType(expression: Expression & {kind: 'binary'}, both: ScalarType, scope: Scope): ScalarType | undefined {
  const {right} = expression
  const exponent = right.kind === 'number' && !right.isFloat ? right.value : undefined
  if (scope.side === 'kernel' && !(exponent !== undefined && exponent >= 1 && exponent <= mostKernelPower)) {
    const mend = `multiply, or compute the power in the host; kernels take exponents from 1 to ${mostKernelPower}`
    scope.findings.refuse(expression, 'scalar', `\`${spell(expression)}\` is a power in a kernel`, mend)
    return undefined
  }
  return exponent !== undefined && exponent >= 0 ? both : 'float'
}

function choiceType(expression: Expression & {kind: 'choice'}, scope: Scope): ScalarType | undefined {
  const condition = scalarType(expression.condition, scope)
  const yes = scalarType(expression.yes, scope)
  const no = scalarType(expression.no, scope)
  if (condition && condition !== 'bool') return mismatch(expression, `a choice by ${article(condition)}`, scope)
  if (!condition || !yes || !no) return undefined
  if (yes === no) return yes
  return yes === 'bool' || no === 'bool' ? mismatch(expression, `one of ${yes} and ${no}`, scope) : 'float'
}

const kernelOnly: readonly ScalarFunction[] = ['program_id', 'num_programs', 'extract']

function callType(expression: Expression & {kind: 'call'}, scope: Scope): ScalarType | undefined {
  const {callee} = expression
  if (kernelOnly.includes(callee) && scope.side === 'host') {
    const mend = 'compute in the host what all cores share, and in the kernel what each core does'
    scope.findings.refuse(expression, 'scalar', `tl.${callee} stands in the host function`, mend)
    return undefined
  }
  if (callee === 'extract') return scope.extractType(expression)
  if (callee === 'item_bytes') return itemBytesType(expression, scope)
  const types = expression.arguments.map((one) => scalarType(one, scope))
  if (types.includes(undefined)) return undefined
  if (types.includes('bool')) return mismatch(expression, `${callee} of a bool`, scope)
  const allInt = types.every((type) => type === 'int')
  if (callee === 'program_id' || callee === 'num_programs') return axisType(expression, scope)
  if (callee === 'cdiv' || callee === 'align')
    return allInt ? 'int' : mismatch(expression, `${callee} of a float`, scope)
  if (callee === 'sqrt' || callee === 'float') return 'float'
  if (callee === 'int') return 'int'
  return allInt ? 'int' : 'float'
}

function axisType(expression: Expression & {kind: 'call'}, {findings}: Scope): ScalarType | undefined {
  const [axis] = expression.arguments
  if (axis?.kind === 'number' && axis.value === 0) return 'int'
  findings.refuse(
    expression,
    'scalar',
    `\`${spell(expression)}\`: cores have one axis`,
    `write tl.${expression.callee}(0)`,
  )
  return undefined
}

function itemBytesType(expression: Expression & {kind: 'call'}, {findings}: Scope): ScalarType | undefined {
  if (expression.arguments[0]?.kind === 'type') return 'int'
  findings.refuse(
    expression,
    'scalar',
    `\`${spell(expression)}\` takes no type`,
    'write e.g. tl.item_bytes(tl.float32)',
  )
  return undefined
}

function shapeType(expression: Expression & {kind: 'shape'}, scope: Scope): ScalarType | undefined {
  const axis = scalarType(expression.axis, scope)
  if (axis && axis !== 'int') return mismatch(expression, `an axis that is ${article(axis)}`, scope)
  return tensorType(expression, scope)
}

function tensorType(expression: Expression & {tensor: string}, scope: Scope): ScalarType | undefined {
  const fault = scope.tensorFault(expression.tensor)
  if (fault === undefined) return 'int'
  const mend =
    scope.side === 'kernel' ? 'compute it in the host and pass it in the launch' : 'name a tensor of the parameters'
  scope.findings.refuse(expression, 'name', fault, mend)
  return undefined
}
