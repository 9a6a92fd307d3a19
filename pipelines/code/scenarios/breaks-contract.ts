import type {OperatorDefinition} from '../../../cpp/op-def.ts'
import {isInteger} from '../../../datasets/dtype.ts'
import type {Contract, ContractParameter} from '../../../datasets/schema/contract.ts'
import type {TensorSpec} from '../../../datasets/schema/tensor.ts'
import {fitted, parameterOf, plainName, type Sizes} from './contract-names.ts'
import type {Call} from './drawn-call.ts'

/** Checks of a call; each returns a fault, or nothing. */
const rules: Readonly<Record<string, (call: Call, known: Known) => string | undefined>> = {
  required: ({inputs}, {definition}) => {
    const absent = definition.inputs.find(({name, kind}) => kind === 'required' && !inputs.some((x) => x.name === name))
    return absent && `${absent.name} is not handed over`
  },
  dtype: (call, {definition, contract}) =>
    first(tensorsOf(call), ({name, dtype}) => {
      const declared = [...definition.inputs, ...definition.outputs].find((one) => one.name === name)
      const allowed = declared?.dtypes.length ? declared.dtypes : (parameterOf(contract, name)?.dtypes ?? [])
      return allowed.length === 0 || allowed.includes(dtype) ? undefined : `${name} may not be ${dtype}`
    }),
  rank: (call, {contract}) =>
    first(tensorsOf(call), ({name, shape}) => {
      const allowed = ranksOf(parameterOf(contract, name))
      return allowed.length === 0 || allowed.includes(shape.length)
        ? undefined
        : `${name} has ${shape.length} dimensions, not ${allowed.join(' or ')}`
    }),
  dimension: (call, {contract}) =>
    first(tensorsOf(call), ({name, shape}) => {
      const shapes = parameterOf(contract, name)?.shapes ?? []
      const fits = shapes.length === 0 || shapes.some((one) => fitted(one, shape, new Map()))
      return fits
        ? undefined
        : `${name} is [${shape.join(', ')}], not ${shapes.map((one) => `[${one.join(', ')}]`).join(' or ')}`
    }),
  symbols: (call, {contract}) => (agree(tensorsOf(call), contract) ? undefined : 'the same symbol has several sizes'),
  like: (call, {contract}) =>
    first(tensorsOf(call), ({name, shape}) => {
      const like = parameterOf(contract, name)?.like
      const other = like === undefined ? undefined : tensorsOf(call).find((x) => plainName(x.name) === plainName(like))
      return !other || String(other.shape) === String(shape) ? undefined : `${name} has not the shape of ${other.name}`
    }),
  axis: ({attributes, inputs}) => {
    const rank = Math.max(0, ...inputs.map(({shape}) => shape.length))
    const isAxis = (name: string) => /^(?:axis|axes|dims?|dimension|reduce_?axis|reduce_?dims?)$/i.test(name)
    return first(Object.entries(attributes), ([name, value]) => {
      const axes = [value].flat().filter((one) => typeof one === 'number')
      const isIn = axes.every((one) => Number.isInteger(one) && one >= -rank && one < Math.max(1, rank))
      return !isAxis(name) || isIn ? undefined : `${name} ${axes.join(', ')} is no axis of ${rank} dimensions`
    })
  },
  sizes: (call) =>
    first(Object.entries(call.attributes), ([name, value]) => {
      if (!Array.isArray(value) || value.length === 0 || !/^(?:in|out)put_?(?:size|shape)$/i.test(name))
        return undefined
      const isHeld = tensorsOf(call).some(({shape}) => `,${shape.join()},`.includes(`,${value.join()},`))
      return isHeld ? undefined : `no tensor has the size that ${name} tells, ${value.join(', ')}`
    }),
  range: ({attributes}, {contract}) =>
    first(Object.entries(attributes), ([name, value]) => {
      const [least, most] = parameterOf(contract, name)?.range ?? [-Infinity, Infinity]
      const numbers = [value].flat().filter((one) => typeof one === 'number')
      return numbers.every((one) => one >= least && one <= most) ? undefined : `${name} is not in ${least} to ${most}`
    }),
  places: ({inputs}, {contract}) =>
    first(inputs, ({name, dtype, values}) => {
      const told = parameterOf(contract, name)
      const isDrawn = told?.hasPlaces === true && !told.range && !values && !isInteger(dtype)
      return isDrawn ? `${name} holds places in another tensor, and its values are drawn` : undefined
    }),
  counts: ({inputs}, {contract, definition}) =>
    first(inputs, ({name, dtype, values, range}) => {
      const declared = definition.inputs.find((one) => one.name === name)
      const isCount =
        declared?.dtypes.every((one) => counting.has(one)) === true && !/bias|offset|zero|^x\d?$/i.test(name)
      const isAmongData = definition.inputs.some(({dtypes}) => dtypes.some((one) => !isInteger(one)))
      const isTold = values !== undefined || range[0] >= 0 || parameterOf(contract, name)?.range !== undefined
      return isCount && isAmongData && counting.has(dtype) && !isTold
        ? `${name} counts something, and its values are drawn`
        : undefined
    }),
  values: ({inputs}, {contract}) =>
    first(inputs, ({name, values, range}) => {
      const [least, most] = parameterOf(contract, name)?.range ?? [-Infinity, Infinity]
      const all = values ?? range
      return all.every((one) => one >= least && one <= most) ? undefined : `values of ${name} leave ${least} to ${most}`
    }),
}

/** Types of sizes and places; smaller ones hold data. */
const counting: ReadonlySet<string> = new Set(['int32', 'int64', 'uint32', 'uint64'])

interface Known {
  contract: Contract
  definition: OperatorDefinition
}

/**
 * The first thing that a call does against what its operator's definition and pages say; undefined if there is none.
 */
export function breaksContract(call: Call, contract: Contract, definition: OperatorDefinition): string | undefined {
  return first(Object.entries(rules), ([name, rule]) => {
    const wrong = rule(call, {contract, definition})
    return wrong === undefined ? undefined : `${name}: ${wrong}`
  })
}

const tensorsOf = ({inputs, outputs}: Call): TensorSpec[] => [...inputs, ...outputs]

function first<T>(items: readonly T[], look: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const found = look(item)
    if (found !== undefined) return found
  }
  return undefined
}

function ranksOf(parameter: ContractParameter | undefined): number[] {
  const written = parameter?.shapes.map(({length}) => length) ?? []
  const ranks = parameter?.ranks ?? []
  return [...new Set([...ranks, ...written])].sort((a, b) => a - b)
}

/** Whether some choice of the shapes that a page allows gives each symbol one size. */
function agree(tensors: readonly TensorSpec[], contract: Contract, sizes: Sizes = new Map(), at = 0): boolean {
  const tensor = tensors[at]
  if (!tensor) return true
  const shapes = parameterOf(contract, tensor.name)?.shapes ?? []
  if (shapes.length === 0) return agree(tensors, contract, sizes, at + 1)
  return shapes.some((one) => {
    const next = fitted(one, tensor.shape, sizes)
    return next !== undefined && agree(tensors, contract, next, at + 1)
  })
}
