import {withoutCommentsAndLiterals} from '../../cpp/code-pieces.ts'
import {parseOperatorDefinitions} from '../../cpp/op-def.ts'
import type {OpParameter} from '../../cpp/op-def.ts'
import type {Program} from '../../datasets/schema/executor.ts'
import {elementCount} from '../../datasets/schema/tensor.ts'
import type {TensorSpec} from '../../datasets/schema/tensor.ts'

/**
 * The inputs, by position, whose values tiling may read. The text of the definition decides, or the registration that
 * names inputs by number: what the host code reports at run time cannot be trusted. Values are passed to the host as
 * arrays of float, bool or integers (ValueDepend.md), so an input of half or bfloat16 or of several dimensions has none
 * there; and a tensor that claims to be a scalar is not one.
 */
export function hostValuesOf({operator, files}: Program, inputs: readonly TensorSpec[]): ReadonlySet<number> {
  const host = files.filter(({path}) => /(?:^|\/)op_host\//.test(path)).map(({text}) => text)
  const definition = host.flatMap(parseOperatorDefinitions).find((one) => one.operator === operator)
  const registered = registeredInputs(host)
  const given = (definition?.inputs ?? []).flatMap((parameter, number) =>
    inputs.flatMap((input, index) =>
      input.name === parameter.name && isGiven(parameter, registered.has(number), input) ? [index] : [],
    ),
  )
  return new Set(given)
}

function isGiven({hostValue}: OpParameter, registered: boolean, input: TensorSpec): boolean {
  if (hostValue === 'scalar' && elementCount(input.shape) <= 1) return true
  if (input.shape.length > 1) return false
  if (hostValue === 'scalar-list') return true
  return (hostValue === 'depends' || registered) && input.dtype !== 'float16' && input.dtype !== 'bfloat16'
}

/** `IMPL_OP_OPTILING(X).TilingInputsDataDependency({1, 2})`. */
function registeredInputs(host: readonly string[]): ReadonlySet<number> {
  const lists = host.flatMap((text) => [
    ...withoutCommentsAndLiterals(text).matchAll(/InputsDataDependency\s*\(\s*\{([\d\s,]*)\}/g),
  ])
  return new Set(lists.flatMap(([, numbers = '']) => numbers.split(',').map(Number)))
}
