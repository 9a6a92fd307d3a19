import type {Expression} from '../language/ast.ts'
import type {CheckedModule, ScalarType} from '../language/checked.ts'
import {elementBytes} from '../language/dtypes.ts'
import type {Facts} from './facts.ts'
import {asReal, primary, productPower, type Dialect, type ScalarCode} from './scalar-code.ts'

/** Helper functions and headers that the host's code turned out to need. */
export class HostNeeds {
  readonly helpers = new Set<string>()
  readonly headers = new Set<string>()

  helper(name: string): string {
    this.helpers.add(name)
    return name
  }

  header(name: string): void {
    this.headers.add(name)
  }
}

export interface HostScope {
  checked: Pick<CheckedModule, 'hostScalars'>
  facts: Facts
  needs: HostNeeds
  nameOf: (name: string) => string
  /** The shape of an input, or the tensor itself, as an expression with its member access: `xShape.`. */
  shapeOf: (tensor: string) => string
  /** Whose functions tell sizes: those of CANN's shapes, or those of PyTorch's tensors. */
  sizes: 'gert' | 'torch'
}

const sizeFunctions = {
  gert: {size: 'GetDim', elements: 'GetShapeSize', axes: 'GetDimNum'},
  torch: {size: 'size', elements: 'numel', axes: 'dim'},
} as const

/** How scalars of the host are written. */
export function hostDialect({checked, facts, needs, nameOf, shapeOf, sizes}: HostScope): Dialect {
  return {
    real: 'double',
    nameOf,
    typeOf: (name) => checked.hostScalars[name] ?? 'int',
    facts,
    call: (expression, given) => hostCall(expression, given, needs),
    shape: (expression, axis) => {
      const shape = shapeOf(expression.tensor)
      const {size, elements, axes} = sizeFunctions[sizes]
      if (expression.kind === 'count')
        return expression.of === 'elements' ? `${shape}${elements}()` : `static_cast<int64_t>(${shape}${axes}())`
      const text = axis?.text ?? '0'
      // PyTorch counts negative axes from the last one itself.
      const fromLast = text.startsWith('-') && sizes === 'gert'
      return fromLast ? `${shape}${size}(${shape}${axes}() - ${text.slice(1)})` : `${shape}${size}(${text})`
    },
    floored: (operator, left, right) => {
      if (left.type === 'float' || right.type === 'float')
        throw new TypeError(`lowering: ${operator} of floats in the host`)
      return call(needs.helper(operator === '//' ? 'FloorDiv' : 'FloorMod'), [left, right], 'int')
    },
    power: (left, right) => {
      const product = productPower(left, right)
      if (product) return product
      needs.header('cmath')
      const whole = left.type === 'int' && right.type === 'int'
      const text = `std::pow(${asReal(left, 'double').text}, ${asReal(right, 'double').text})`
      return whole ? primary(`static_cast<int64_t>(${text})`, 'int') : primary(text, 'float')
    },
    infinity: () => {
      needs.header('limits')
      return 'std::numeric_limits<double>::infinity()'
    },
  }
}

function call(name: string, given: readonly ScalarCode[], type: ScalarType): ScalarCode {
  return primary(`${name}(${given.map(({text}) => text).join(', ')})`, type)
}

function hostCall(
  {callee, arguments: parts, line}: Expression & {kind: 'call'},
  given: readonly ScalarCode[],
  needs: HostNeeds,
): ScalarCode {
  const isFloat = given.some(({type}) => type === 'float')
  const alike = isFloat ? given.map((one) => asReal(one, 'double')) : given
  const type = isFloat ? 'float' : 'int'
  const [first = primary('0', 'int')] = given
  const [type0] = parts
  switch (callee) {
    case 'cdiv':
      return call(needs.helper('CeilDiv'), given, 'int')
    case 'align':
      return call(needs.helper('AlignUp'), given, 'int')
    case 'min':
    case 'max':
      needs.header('algorithm')
      return alike.reduce((left, right) =>
        call(`std::${callee}<${isFloat ? 'double' : 'int64_t'}>`, [left, right], type),
      )
    case 'abs':
      needs.header(isFloat ? 'cmath' : 'cstdlib')
      return isFloat ? call('std::fabs', alike, type) : call('std::llabs', alike, type)
    case 'sqrt':
      needs.header('cmath')
      return call('std::sqrt', [asReal(first, 'double')], 'float')
    case 'float':
      return asReal(first, 'double')
    case 'int':
      return first.type === 'int' ? first : primary(`static_cast<int64_t>(${first.text})`, 'int')
    case 'item_bytes':
      if (type0?.kind !== 'type' || type0.type.kind !== 'type') break
      return primary(String(elementBytes[type0.type.type]), 'int')
  }
  throw new TypeError(`lowering: ${callee} on line ${line} in the host`)
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
}

/** Definition of a helper of the host: its head, then its lines. */
export function hostHelper(name: string): readonly string[] {
  return helperLines[name] ?? []
}
