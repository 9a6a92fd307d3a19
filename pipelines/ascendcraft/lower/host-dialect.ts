import type {Expression} from '../language/ast.ts'
import type {CheckedModule} from '../language/checked.ts'
import {elementBytes} from '../language/dtypes.ts'
import type {Facts} from './facts.ts'
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

export interface HostScope {
  checked: Pick<CheckedModule, 'hostScalars'>
  facts: Facts
  needs: Needs
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
    floored: flooredBy(needs, 'the host'),
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

function hostCall(
  {callee, arguments: parts, line}: Expression & {kind: 'call'},
  given: readonly ScalarCode[],
  needs: Needs,
): ScalarCode {
  const isFloat = given.some(({type}) => type === 'float')
  const alike = isFloat ? given.map((one) => asReal(one, 'double')) : given
  const type = isFloat ? 'float' : 'int'
  const [first = primary('0', 'int')] = given
  const [type0] = parts
  const shared = sharedCall(callee, given, needs, 'double')
  if (shared) return shared
  switch (callee) {
    case 'min':
    case 'max':
      needs.header('algorithm')
      return alike.reduce((left, right) =>
        callCode(`std::${callee}<${isFloat ? 'double' : 'int64_t'}>`, [left, right], type),
      )
    case 'abs':
      needs.header(isFloat ? 'cmath' : 'cstdlib')
      return isFloat ? callCode('std::fabs', alike, type) : callCode('std::llabs', alike, type)
    case 'sqrt':
      needs.header('cmath')
      return callCode('std::sqrt', [asReal(first, 'double')], 'float')
    case 'item_bytes':
      if (type0?.kind !== 'type' || type0.type.kind !== 'type') break
      return primary(String(elementBytes[type0.type.type]), 'int')
  }
  throw new TypeError(`lowering: ${callee} on line ${line} in the host`)
}
