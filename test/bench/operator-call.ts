import type {OperatorDefinition} from '../../cpp/op-def.ts'
import type {AttributeValue, OperatorCase} from '../../datasets/schema/task.ts'
import {elementCount, type Dtype} from '../../datasets/schema/tensor.ts'
import {randomFrom} from '../../engine/random.ts'
import {encode, isInteger, roundTo, valueRange} from '../../datasets/dtype.ts'

type Values = Readonly<Record<string, Float64Array>>

/** An input of a call: values drawn from a range, or given. */
export interface CallInput {
  name: string
  shape: readonly number[]
  /** Default [-4, 4]. */
  domain?: readonly [number, number]
  values?: readonly number[]
}

/** An output of a call; without values it is not judged. */
export interface CallOutput {
  name: string
  shape: readonly number[]
  values?: Float64Array
}

/** One call of an operator: what goes in, and what comes out in double precision. */
export interface OperatorCall {
  label: string
  inputs: readonly CallInput[]
  attributes?: Readonly<Record<string, AttributeValue>>
  /** Integer results are rounded to the nearest one; by default their fraction is cut off. */
  nearest?: boolean
  compute(inputs: Values): readonly CallOutput[]
}

/** A call with its inputs drawn and rounded to their types; expected outputs by index, undefined where not judged. */
export interface DrawnCall {
  label: string
  operatorCase: OperatorCase
  expected: readonly (Float64Array | undefined)[]
}

/** Draws the inputs of a call; the same seed gives the same values. Attributes that the operator lacks are left out. */
export function drawCall(
  {operator, attributes, inputs: declared}: OperatorDefinition,
  call: OperatorCall,
  types: Readonly<Record<string, Dtype>>,
  seed: string,
): DrawnCall {
  const random = randomFrom(seed, call.label)
  const inputs = declared.flatMap(({name}) => call.inputs.find((input) => input.name === name) ?? [])
  const drawn = inputs.map(({name, shape, domain = [-4, 4], values}) => {
    const dtype = types[name] ?? 'float32'
    const count = elementCount(shape)
    const raw = Float64Array.from({length: count}, (_, index) =>
      values ? (values[index] as number) : domain[0] + (domain[1] - domain[0]) * random.unit(),
    )
    return {
      name,
      shape,
      dtype,
      values: isInteger(dtype) ? raw.map((one) => nearestOf(dtype, one)) : roundTo(raw, dtype),
    }
  })
  const results = call.compute(Object.fromEntries(drawn.map(({name, values}) => [name, values])))
  const outputs = results.map(({name, shape}) => ({name, dtype: types[name] ?? 'float32', shape: [...shape]}))
  const whole = call.nearest ? evenRound : Math.trunc
  const expected = results.map(({values}, index) => {
    const dtype = outputs[index]?.dtype ?? 'float32'
    if (!values) return undefined
    return isInteger(dtype) ? values.map(whole) : roundTo(values, dtype)
  })
  const tensors = drawn.map(({name, shape, dtype, values}) => ({
    name,
    dtype,
    shape: [...shape],
    data: encode(values, dtype),
  }))
  const known = new Set(attributes.map(({name}) => name))
  const given = Object.fromEntries(Object.entries(call.attributes ?? {}).filter(([name]) => known.has(name)))
  return {label: call.label, operatorCase: {id: operator, inputs: tensors, attributes: given, outputs}, expected}
}

/** The integer next to a value that the type holds; away from 0, so that divisors stay divisors. */
function nearestOf(dtype: Dtype, value: number): number {
  const [least, most] = valueRange(dtype)
  return Math.min(Math.max(value < 0 ? Math.floor(value) : Math.ceil(value), least), most)
}

/** To the nearest integer, ties to the even one, as CAST_RINT. */
export function evenRound(value: number): number {
  const down = Math.floor(value)
  const rest = value - down
  if (rest !== 0.5) return Math.round(value)
  return down % 2 === 0 ? down : down + 1
}
