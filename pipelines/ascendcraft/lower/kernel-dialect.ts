import type {Expression} from '../language/ast.ts'
import type {ScalarType} from '../language/checked.ts'
import {elementNames} from './cpp-elements.ts'
import type {KernelPlan} from './plan-lowering.ts'
import {asReal, primary, productPower, type Dialect, type ScalarCode} from './scalar-code.ts'

/** Helper functions and constants that the code of a kernel turned out to need. */
export class Needs {
  readonly helpers = new Set<string>()
  readonly constants = new Set<string>()

  helper(name: string): string {
    this.helpers.add(name)
    return name
  }

  constant(name: string): string {
    this.constants.add(name)
    return name
  }
}

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
    floored: (operator, left, right) => {
      if (left.type === 'float' || right.type === 'float')
        throw new TypeError(`lowering: ${operator} of floats in a kernel`)
      return call(needs.helper(operator === '//' ? 'FloorDiv' : 'FloorMod'), [left, right], 'int')
    },
    power: (left, right) => {
      const product = productPower(left, right)
      if (product) return product
      if (right.text === '0.5f') return call('sqrt', [asReal(left, 'float')], 'float')
      throw new TypeError(`lowering: a kernel has no power ${left.text} ** ${right.text}`)
    },
    infinity: () => needs.constant('INFINITE'),
  }
}

function missing(name: string): never {
  throw new TypeError(`lowering: the kernel has no scalar ${name}`)
}

function call(name: string, given: readonly ScalarCode[], type: ScalarType): ScalarCode {
  return primary(`${name}(${given.map(({text}) => text).join(', ')})`, type)
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
  const [first] = given
  switch (callee) {
    case 'program_id':
      return primary('GetBlockIdx()', 'int')
    case 'num_programs':
      return primary('GetBlockNum()', 'int')
    case 'cdiv':
      return call(needs.helper('CeilDiv'), given, 'int')
    case 'align':
      if (isNegligible(parts[0], parts[1], plan)) return first as ScalarCode
      return call(needs.helper(callee === 'align' ? 'AlignUp' : 'CeilDiv'), given, 'int')
    case 'min':
      return nested(needs.helper(isFloat ? 'SmallerReal' : 'Smaller'), alike, type)
    case 'max':
      return nested(needs.helper(isFloat ? 'LargerReal' : 'Larger'), alike, type)
    case 'abs':
      needs.helper(isFloat ? 'MagnitudeReal' : 'Magnitude')
      return call('Magnitude', alike, type)
    case 'sqrt':
      return call('sqrt', [asReal(first as ScalarCode, 'float')], 'float')
    case 'float':
      return asReal(first as ScalarCode, 'float')
    case 'int':
      return first?.type === 'int' ? first : primary(`static_cast<int64_t>(${first?.text})`, 'int')
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
  return given.reduce((left, right) => call(name.replace('Real', ''), [left, right], type))
}

/** Bodies of the helpers, as members of the class: functions of the same names elsewhere do not get in their way. */
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
