import type {OperatorDefinition} from '../../../cpp/op-def.ts'
import {isInteger} from '../../../datasets/dtype.ts'
import type {DrawnInput} from '../../../datasets/schema/operator-call.ts'
import type {Dtype, TensorSpec} from '../../../datasets/schema/tensor.ts'
import type {Attributes} from './attribute-values.ts'
import type {Dtypes} from './dtype-columns.ts'
import {absent, type Given, type Role, type Shape} from './roles.ts'

/** How an operator is called, for any shape that the call is about. */
export interface Plan {
  inputs: Readonly<Record<string, Given>>
  outputs: Readonly<Record<string, Role>>
  attributes: Attributes
}

/** A plan whose attributes are still to be chosen, for one shape. */
export interface Candidate {
  base: Shape
  inputs: Readonly<Record<string, Given>>
  outputs: Readonly<Record<string, Role>>
  attributeSet: number
}

/** One call: what a scenario is before it has run. */
export interface Call {
  inputs: readonly DrawnInput[]
  attributes: Attributes
  outputs: readonly TensorSpec[]
}

/** Tensors of a parameter that takes a list. */
const listed = 2

export function callOf(definition: OperatorDefinition, dtypes: Dtypes, plan: Plan, base: Shape): Call {
  const inputs = definition.inputs.flatMap(({name, kind}): DrawnInput[] => {
    const role = plan.inputs[name]
    if (role === undefined || role === absent) return []
    const dtype = dtypes[name] ?? 'float32'
    const values = role.values?.(base)
    const input: DrawnInput = {
      name,
      dtype,
      shape: [...role.shape(base)],
      range: [...(role.range ?? rangeOf(dtype))],
      ...(values && {values}),
    }
    return repeated(input, kind === 'dynamic')
  })
  const outputs = definition.outputs.flatMap(({name, kind}): TensorSpec[] => {
    const written = inputs.filter((input) => input.name === name)
    if (written.length > 0) return written.map(({dtype, shape}) => ({name, dtype, shape}))
    const shape = [...(plan.outputs[name]?.shape(base) ?? base)]
    return repeated({name, dtype: dtypes[name] ?? 'float32', shape}, kind === 'dynamic')
  })
  return {inputs, attributes: plan.attributes, outputs}
}

const repeated = <T>(one: T, list: boolean): T[] => (list ? Array.from({length: listed}, () => one) : [one])

/** Integers are rounded away from 0, so booleans are false below it. */
export function rangeOf(dtype: Dtype): [number, number] {
  if (dtype === 'bool') return [-1, 1]
  if (dtype.startsWith('uint')) return [0, 8]
  return isInteger(dtype) ? [-8, 8] : [-4, 4]
}
