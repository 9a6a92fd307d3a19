import type {Expression} from '../language/ast.ts'
import type {ScalarType} from '../language/checked.ts'
import {elementNames} from './cpp-elements.ts'
import type {KernelPlan} from './plan-lowering.ts'
import {
  asReal,
  callCode,
  flooredBy,
  primary,
  productPower,
  sharedCall,
  type Dialect,
  type Needs,
  type ScalarCode,
} from './scalar-code.ts'

/** Reads one element of a buffer as a scalar; undefined where the stage has none to read. */
type Extract = (expression: Expression & {kind: 'call'}) => ScalarCode

/** How scalars of a kernel are written. */
export function kernelDialect(plan: KernelPlan, needs: Needs, extract: Extract): Dialect {
  return {
    real: 'float',
    nameOf: (name) => plan.scalars.get(name)?.cpp ?? missing(name),
    typeOf: (name) => plan.scalars.get(name)?.type ?? missing(name),
    facts: plan.facts,
    call: (expression, given) =>
      expression.callee === 'extract' ? extract(expression) : kernelCall(expression, given, plan, needs),
    shape: ({tensor}) => missing(tensor),
    floored: flooredBy(needs, 'a kernel'),
    power: (left, right) => {
      const product = productPower(left, right)
      if (product) return product
      if (right.text === '0.5f') return callCode('sqrt', [asReal(left, 'float')], 'float')
      throw new TypeError(`lowering: a kernel has no power ${left.text} ** ${right.text}`)
    },
    infinity: () => needs.constant('INFINITE'),
  }
}

function missing(name: string): never {
  throw new TypeError(`lowering: the kernel has no scalar ${name}`)
}

function kernelCall(
  {callee, arguments: parts, line}: Expression & {kind: 'call'},
  given: readonly ScalarCode[],
  plan: KernelPlan,
  needs: Needs,
): ScalarCode {
  const isFloat = given.some(({type}) => type === 'float')
  const alike = isFloat ? given.map((one) => asReal(one, 'float')) : given
  const type = isFloat ? 'float' : 'int'
  const [first = primary('0', 'int')] = given
  if (callee === 'align' && isNegligible(parts[0], parts[1], plan)) return first
  const shared = sharedCall(callee, given, needs, 'float')
  if (shared) return shared
  switch (callee) {
    case 'program_id':
      return primary('GetBlockIdx()', 'int')
    case 'num_programs':
      return primary('GetBlockNum()', 'int')
    case 'min':
      return nested(needs.helper(isFloat ? 'SmallerReal' : 'Smaller'), alike, type)
    case 'max':
      return nested(needs.helper(isFloat ? 'LargerReal' : 'Larger'), alike, type)
    case 'abs':
      needs.helper(isFloat ? 'MagnitudeReal' : 'Magnitude')
      return callCode('Magnitude', alike, type)
    case 'sqrt':
      return callCode('sqrt', [asReal(first, 'float')], 'float')
    case 'item_bytes':
      return primary(`static_cast<int64_t>(sizeof(${typeName(parts[0])}))`, 'int')
    default:
      throw new TypeError(`lowering: ${callee} on line ${line} in a kernel`)
  }
}

/** Aligning what is a multiple anyway. */
function isNegligible(value: Expression | undefined, unit: Expression | undefined, {facts}: KernelPlan): boolean {
  if (!value || unit?.kind !== 'number') return false
  return facts.of(value).divisor % unit.value === 0
}

function typeName(type: Expression | undefined): string {
  if (type?.kind !== 'type' || type.type.kind !== 'type') throw new TypeError('lowering: item_bytes without a type')
  return elementNames(type.type.type).cpp
}

/** `Smaller(Smaller(a, b), c)`. */
function nested(name: string, given: readonly ScalarCode[], type: ScalarType): ScalarCode {
  return given.reduce((left, right) => callCode(name.replace('Real', ''), [left, right], type))
}
