import type {OperatorDefinition, OpParameter} from '../../cpp/op-def.ts'
import type {AttributeValue, OutputSpec} from '../../datasets/schema/task.ts'
import type {Dtype, TensorSpec} from '../../datasets/schema/tensor.ts'
import type {Adaptations, Argument, TensorArgument} from './call.ts'
import {encode, isInteger} from '../../datasets/dtype.ts'

/** An input's bytes: from a tensor of the call, converted if the types differ, or from numbers in the call. */
type WiredInput = TensorSpec & ({from: 'slot'; slot: number; slotDtype: Dtype} | {from: 'values'; data: Uint8Array})

/** An output of the operator, and the tensor of the call that receives its bytes. */
type WiredOutput = OutputSpec & {slot: number; slotDtype: Dtype}

/** One call expressed by an operator definition. */
export interface Wired {
  inputs: WiredInput[]
  attributes: Record<string, AttributeValue>
  outputs: WiredOutput[]
}

/**
 * Gives each argument of the call its parameter by the rule of generated operator interfaces: inputs, attributes,
 * outputs, each in the definition's order; an output that carries an input's name is that input and is passed once. An
 * input whose memory the binding returns is also written in place, and if a definition declares no output, every input
 * may be.
 * @throws RangeError when the call does not fit the definition
 */
export function wireCall(
  definition: OperatorDefinition,
  given: readonly Argument[],
  adaptations: Adaptations = {},
): Wired {
  const adapt = adaptations[definition.operator]
  const call = adapt ? adapt(given) : given
  const inputNames = new Set(definition.inputs.map(({name}) => name))
  const own = definition.outputs.filter(({name}) => !inputNames.has(name))
  const wanted = definition.inputs.length + definition.attributes.length + own.length
  if (call.length !== wanted) {
    throw new RangeError(
      `the binding passes ${call.length} arguments, the definition of ${definition.operator} has ${wanted}: ` +
        [...definition.inputs, ...definition.attributes, ...own].map(({name}) => name).join(', '),
    )
  }
  const inputs = definition.inputs.map((parameter, index) => ({parameter, argument: call[index] as Argument}))
  const outputs = own.map((parameter, index) => ({parameter, argument: call[wanted - own.length + index] as Argument}))
  const column = fittingColumn([...inputs, ...outputs])
  const inPlace = new Set(definition.outputs.map(({name}) => name).filter((name) => inputNames.has(name)))
  const typed = (parameter: OpParameter, own: Dtype) => {
    const declared = columnType(parameter, column) ?? own
    return adapt || sameBytes(own, declared) ? declared : own
  }
  const hostType = hostValueType(inputs)
  return {
    inputs: inputs.flatMap(({parameter, argument}) =>
      wireInput(parameter, argument, columnType(parameter, column) ?? hostType, (dtype) => typed(parameter, dtype)),
    ),
    attributes: Object.fromEntries(
      definition.attributes.flatMap(({name}, index) => attributeOf(name, call[inputs.length + index] as Argument)),
    ),
    outputs: [...inputs, ...outputs].flatMap(({parameter, argument}) => {
      const written = !inputNames.has(parameter.name) || inPlace.has(parameter.name) || definition.outputs.length === 0
      return tensorsIn(argument)
        .filter(({returned}) => written || returned)
        .map(
          ({slot, dtype, shape, cleared}): WiredOutput => ({
            name: parameter.name,
            dtype: typed(parameter, dtype),
            shape,
            slot,
            slotDtype: dtype,
            ...(cleared && {cleared}),
          }),
        )
    }),
  }
}

interface Bound {
  parameter: OpParameter
  argument: Argument
}

/** The column of the definition's type table that allows the most tensors of the call; the first tensors weigh most. */
function fittingColumn(bound: readonly Bound[]): number {
  const columns = Math.max(1, ...bound.map(({parameter}) => parameter.dtypes.length))
  const fits = (column: number) => bound.map((one) => fitOf(one, column)).join('')
  let best = 0
  for (let column = 1; column < columns; column += 1) if (fits(column) > fits(best)) best = column
  return best
}

/** 2 if the column names exactly these types, 1 if it accepts them, 0 if not. */
function fitOf({parameter, argument}: Bound, column: number): number {
  const allowed = columnType(parameter, column)
  return Math.min(
    2,
    ...tensorsIn(argument).map(({dtype}) =>
      allowed === undefined || dtype === allowed ? 2 : Number(sameBytes(dtype, allowed)),
    ),
  )
}

/** A boolean is a byte of 0 or 1: a definition that declares bytes accepts it unchanged. */
function sameBytes(own: Dtype, declared: Dtype): boolean {
  return own === 'bool' && (declared === 'uint8' || declared === 'int8')
}

/**
 * The type of a host value whose declaration computes its types: like PyTorch scalars, int64 with integers and float32
 * otherwise.
 */
function hostValueType(inputs: readonly Bound[]): Dtype {
  const [beside] = inputs.flatMap(({argument}) => tensorsIn(argument))
  return beside && isInteger(beside.dtype) ? 'int64' : 'float32'
}

function columnType({dtypes}: OpParameter, column: number): Dtype | undefined {
  return dtypes[column] ?? dtypes[0]
}

/** The tensors of an argument, including members of lists. */
export function tensorsIn(argument: Argument): TensorArgument[] {
  if (argument.kind === 'tensor') return [argument]
  return argument.kind === 'tensors' ? argument.items : []
}

function wireInput(
  {name, dtypes}: OpParameter,
  argument: Argument,
  valueType: Dtype,
  typed: (dtype: Dtype) => Dtype,
): WiredInput[] {
  switch (argument.kind) {
    case 'absent':
      return []
    case 'tensor':
    case 'tensors':
      return tensorsIn(argument).map(({slot, dtype, shape}) => ({
        name,
        dtype: typed(dtype),
        shape,
        from: 'slot',
        slot,
        slotDtype: dtype,
      }))
    case 'integers':
      return [values(name, dtypes.length > 0 ? valueType : 'int64', argument.value)]
    // A host value reaches the kernel as a tensor of one element, in the type that the definition declares next to the
    // others.
    case 'scalar':
    case 'plain':
      if (typeof argument.value === 'string')
        throw new RangeError(`${name} is an input, the binding passes the text ${JSON.stringify(argument.value)}`)
      return [values(name, valueType, [Number(argument.value)])]
    case 'scalars':
      return [values(name, valueType, argument.value.map(Number))]
    case 'filled':
      return [
        values(
          name,
          valueType,
          Array.from({length: argument.count}, () => argument.value),
        ),
      ]
  }
}

function values(name: string, dtype: Dtype, numbers: readonly number[]): WiredInput {
  return {name, dtype, shape: [numbers.length], from: 'values', data: encode(numbers, dtype)}
}

function attributeOf(name: string, argument: Argument): [string, AttributeValue][] {
  switch (argument.kind) {
    case 'plain':
    case 'scalar':
    case 'integers':
      return [[name, argument.value]]
    case 'scalars':
      return [[name, argument.value.map(Number)]]
    case 'absent':
      return []
    default:
      throw new RangeError(`${name} is an attribute, the binding passes ${argument.kind}`)
  }
}
