import type {OperatorDefinition, OpParameter} from '../../../cpp/op-def.ts'
import {isInteger} from '../../../datasets/dtype.ts'
import type {CallOrigin, Contract, ContractExample, ExampleTensor} from '../../../datasets/schema/contract.ts'
import type {DrawnInput} from '../../../datasets/schema/operator-call.ts'
import {elementCount, type Dtype, type TensorSpec} from '../../../datasets/schema/tensor.ts'
import type {Attributes} from './attribute-values.ts'
import {parameterOf, plainName} from './contract-names.ts'
import {rangeOf, type Call} from './drawn-call.ts'
import type {Dtypes} from './dtype-columns.ts'
import {absent, rolesOf, type Shape} from './roles.ts'

/** A call that the operator's own sources give. */
export interface Told {
  call: Call
  /** The inputs as an example writes them, where the call draws what it fills with one value. */
  written?: DrawnInput[]
  /** What the call is about, if an unstated shape is guessed from it. */
  base: Shape
  origin: CallOrigin
  /** Whether the sources tell the shape of each output. */
  isWhole: boolean
}

/** Elements of one call: what a run takes a second or two for. */
const mostElements = 1 << 20

/** The examples of a contract as calls with some dtypes: first with stated outputs, then those with these dtypes. */
export function exampleCalls(contract: Contract, definition: OperatorDefinition, dtypes: Dtypes): Told[] {
  const told = contract.examples.flatMap((example) => {
    const call = callOfExample(example, contract, definition, dtypes)
    return call ? [call] : []
  })
  const worth = ({exact, isWhole}: (typeof told)[number]) => 2 * Number(isWhole) + Number(exact)
  return [...told].sort((a, b) => worth(b) - worth(a))
}

function callOfExample(
  written: ContractExample,
  contract: Contract,
  definition: OperatorDefinition,
  dtypes: Dtypes,
): (Told & {exact: boolean}) | undefined {
  const example = withOutputsApart(written, definition)
  const dtypeOf = (name: string): Dtype => dtypes[name] ?? 'float32'
  const bound = bindInputs(example, definition.inputs, dtypeOf)
  const attributes = bindAttributes(example, contract, definition)
  if (!bound || !attributes) return undefined
  const tensors = definition.inputs.flatMap((input, at) => (bound[at] ?? []).map((tensor) => ({input, at, tensor})))
  if (tensors.some(({input, tensor}) => isInteger(dtypeOf(input.name)) !== isInteger(tensor.dtype))) return undefined
  const counted = tensors.flatMap(({tensor}) => (isInteger(tensor.dtype) ? [] : tensor.shape))
  const asWritten = tensors.map(({input, at, tensor}): DrawnInput => {
    const {name} = input
    const dtype = dtypeOf(name)
    const {shape, values} = tensor
    const range = tensor.range ?? drawnRange({input, at, dtype, operator: definition.operator}, contract, counted)
    return {name, dtype, shape, range, ...(values && {values})}
  })
  const inputs = tensors.map(({input, tensor}, at) => {
    const one = asWritten[at] as DrawnInput
    // What the host reads, and what the interface takes as a list, are sizes and places.
    if (input.hostValue !== undefined || !example.inputs.includes(tensor)) return one
    return unlike(one, tensor.range !== undefined || parameterOf(contract, input.name)?.range !== undefined)
  })
  const isDrawn = inputs.some((one, at) => one !== asWritten[at])
  const {outputs, isWhole} = bindOutputs(example, definition, inputs, dtypeOf)
  if ([...inputs, ...outputs].reduce((sum, {shape}) => sum + elementCount(shape), 0) > mostElements) return undefined
  const base = [...inputs].sort((a, b) => elementCount(b.shape) - elementCount(a.shape))[0]?.shape ?? [1]
  const exact = tensors.every(({input, tensor}) => dtypeOf(input.name) === tensor.dtype)
  const origin: CallOrigin = {contract: 'example', place: example.place}
  return {call: {inputs, attributes, outputs}, ...(isDrawn && {written: asWritten}), base, origin, isWhole, exact}
}

/**
 * A tensor that an example fills with one value, with distinct values: a kernel that mixes elements up gives the same
 * for equal ones. Without a stated range, real numbers lie between half of the value and the value, where an operator
 * that takes it is defined.
 */
function unlike(input: DrawnInput, isTold: boolean): DrawnInput {
  const {values: [value = 0, ...others] = [], dtype, range} = input
  if (others.length === 0 || !Number.isFinite(value) || others.some((one) => one !== value)) return input
  const {values: _, ...drawn} = input
  if (isTold || isInteger(dtype)) return {...drawn, range}
  const limits = value === 0 ? [0, 1] : [value / 2, value]
  return {...drawn, range: [Math.min(...limits), Math.max(...limits)]}
}

/** An interface in C may take its outputs as `const` tensors; only their names tell them from inputs. */
function withOutputsApart(example: ContractExample, {inputs, outputs}: OperatorDefinition): ContractExample {
  const names = (list: readonly OpParameter[]) => list.map(({name}) => plainName(name))
  const [taken, given] = [names(inputs), names(outputs)]
  const isOutput = (name: string) => {
    const plain = plainName(name)
    return !taken.includes(plain) && given.some((one) => plain === one || plain === `${one}out`)
  }
  const apart = example.inputs.filter((one) => one !== null && isOutput(one.name)) as ExampleTensor[]
  if (apart.length === 0) return example
  return {
    ...example,
    inputs: example.inputs.filter((one) => !apart.some((x) => x === one)),
    outputs: [...apart, ...example.outputs],
  }
}

type Bound = (readonly ExampleTensor[] | undefined)[]

type DtypeOf = (name: string) => Dtype

/** Which tensors each input of the definition is given: by their names, else by their order. */
function bindInputs(
  {inputs, attributes}: ContractExample,
  declared: readonly OpParameter[],
  dtypeOf: DtypeOf,
): Bound | undefined {
  const listed = (input: OpParameter) => listedValue(input, attributes, dtypeOf)
  const places = inputs.map((one) => (one ? declared.findIndex((x) => plainName(x.name) === plainName(one.name)) : -2))
  // Only a list takes several tensors of one name.
  const single = places.filter((at) => at >= 0 && declared[at]?.kind !== 'dynamic')
  const isNamed = !places.includes(-1) && new Set(single).size === single.length
  const order = isNamed ? undefined : inOrder(inputs, declared, (input) => listed(input) !== undefined)
  if (!isNamed && !order) return undefined
  const bound = declared.map((_, at): readonly ExampleTensor[] | undefined => {
    if (order) return order[at]
    const own = inputs.filter((one, place) => one !== null && places[place] === at) as ExampleTensor[]
    return own.length > 0 ? own : undefined
  })
  const filled = declared.map((input, at) => bound[at] ?? listed(input))
  return declared.every(({kind}, at) => kind !== 'required' || filled[at] !== undefined) ? filled : undefined
}

function inOrder(
  inputs: ContractExample['inputs'],
  declared: readonly OpParameter[],
  isListed: (input: OpParameter) => boolean,
): Bound | undefined {
  const one = (tensor: ExampleTensor | null | undefined) => (tensor ? [tensor] : undefined)
  const list = declared.findIndex(({kind}) => kind === 'dynamic')
  const others = declared.length - 1
  if (list >= 0 && inputs.length > others) {
    const rest = inputs.length - others
    return declared.map((_, at) => {
      if (at === list) return inputs.slice(at, at + rest).filter((x) => x !== null)
      return one(inputs[at < list ? at : at + rest - 1])
    })
  }
  const needed = declared.filter((one) => one.kind === 'required' && one.hostValue === undefined && !isListed(one))
  const isPrefix =
    inputs.length <= declared.length && declared.slice(inputs.length).every(({kind}) => kind === 'optional')
  if (inputs.length === declared.length || isPrefix) return declared.map((_, at) => one(inputs[at]))
  if (inputs.length !== needed.length) return undefined
  return declared.map((input) => one(inputs[needed.indexOf(input)]))
}

/**
 * What the interface in C takes as a list or a scalar the operator may take as a tensor: `outputSize` for `size`, an
 * `aclScalarList` for `scalars`.
 */
function listedValue(
  {name, dtypes, hostValue}: OpParameter,
  attributes: ContractExample['attributes'],
  dtypeOf: DtypeOf,
): ExampleTensor[] | undefined {
  const isScalar = hostValue === 'scalar' || hostValue === 'scalar-list'
  const dtype = isScalar ? dtypeOf(name) : dtypes.find(isInteger)
  if (!dtype) return undefined
  const given = attributes.find((one) => plainName(one.name).endsWith(plainName(name)))?.value
  const values = typeof given === 'number' ? [given] : given
  return Array.isArray(values) ? [{name, dtype, shape: [values.length], values}] : undefined
}

type Attribute = OperatorDefinition['attributes'][number]

const holds: Readonly<Record<string, (value: Attributes[string]) => boolean>> = {
  Int: (value) => Number.isInteger(value),
  Float: (value) => typeof value === 'number',
  Bool: (value) => typeof value === 'boolean',
  String: (value) => typeof value === 'string',
  ListInt: (value) => Array.isArray(value) && value.every((one) => Number.isInteger(one)),
  ListFloat: (value) => Array.isArray(value),
  ListBool: (value) => Array.isArray(value),
}

/** By their names, else by their order; undefined where one that is needed has no value. */
function bindAttributes(
  {attributes: given}: ContractExample,
  contract: Contract,
  {attributes: declared}: OperatorDefinition,
): Attributes | undefined {
  const fits = ({type}: Attribute, value: Attributes[string] | undefined) =>
    value !== undefined && holds[type]?.(value) === true
  const isInOrder = given.length === declared.length && declared.every((one, at) => fits(one, given[at]?.value))
  const found: Attributes = {}
  for (const [at, one] of declared.entries()) {
    const named = given.find((x) => plainName(x.name) === plainName(one.name))?.value
    const value = [named, isInOrder ? given[at]?.value : undefined].find((x) => fits(one, x))
    const instead = parameterOf(contract, one.name)?.default
    if (value !== undefined) found[one.name] = value
    else if (one.required || one.default === '') {
      if (instead === undefined || !fits(one, instead)) return undefined
      found[one.name] = instead
    }
  }
  return found
}

function bindOutputs(
  {outputs: given}: ContractExample,
  {inputs: taken, outputs: declared}: OperatorDefinition,
  inputs: readonly DrawnInput[],
  dtypeOf: DtypeOf,
): {outputs: TensorSpec[]; isWhole: boolean} {
  let isWhole = true
  const base = inputs[0]?.shape ?? [1]
  const list = taken.find(({kind}) => kind === 'dynamic')?.name
  const outputs = declared.flatMap(({name, kind}, at): TensorSpec[] => {
    const inPlace = inputs.filter((input) => input.name === name)
    if (inPlace.length > 0) return inPlace.map(({dtype, shape}) => ({name, dtype, shape}))
    const several = given.filter((one) => plainName(one.name) === plainName(name))
    if (kind === 'dynamic' && several.length > 1)
      return several.map(({shape}) => ({name, dtype: dtypeOf(name), shape: [...shape]}))
    // A list of outputs has a tensor for each of the list of inputs; what the run writes tells their sizes.
    if (kind === 'dynamic' && list !== undefined) {
      isWhole = false
      const each = inputs.filter((input) => input.name === list)
      return each.map(({shape}) => ({name, dtype: dtypeOf(name), shape: [...shape]}))
    }
    const named = given.find((one) => plainName(one.name) === plainName(name))
    const one = named ?? (given.length === declared.length ? given[at] : undefined)
    const isKnown = one !== undefined && (one.shape.length > 0 || inputs.every(({shape}) => shape.length === 0))
    if (!isKnown) isWhole = false
    return [{name, dtype: dtypeOf(name), shape: isKnown ? one.shape : [...base]}]
  })
  return {outputs, isWhole}
}

interface Drawn {
  input: OpParameter
  at: number
  dtype: Dtype
  operator: string
}

/**
 * What the values of an input are drawn from, if none are given.
 * @param counted sizes that an index may count
 */
export function drawnRange({input, at, dtype, operator}: Drawn, contract: Contract, counted: Shape): [number, number] {
  const told = parameterOf(contract, input.name)?.range
  if (told) return told
  const role = rolesOf(input, at, dtype, operator).find((one) => one !== absent)
  const [least, most] = role?.range ?? rangeOf(dtype)
  if (!isInteger(dtype) || least < 0 || dtype === 'bool') return [least, most]
  return [least, counted.length === 0 ? most : Math.max(0, Math.min(...counted) - 1)]
}
