import type {OperatorDefinition} from '../../../cpp/op-def.ts'
import {isInteger} from '../../../datasets/dtype.ts'
import type {CallOrigin, Contract, Dimension} from '../../../datasets/schema/contract.ts'
import type {DrawnInput} from '../../../datasets/schema/operator-call.ts'
import {elementCount, type Dtype, type TensorSpec} from '../../../datasets/schema/tensor.ts'
import {attributeSets} from './attribute-values.ts'
import {fitted, parameterOf, plainName, sizeOf, symbolsIn, type Sizes} from './contract-names.ts'
import type {Call} from './drawn-call.ts'
import type {Dtypes} from './dtype-columns.ts'
import {drawnRange, type Told} from './example-calls.ts'

/** Sizes of symbols: for last dimensions and for others, one after another. */
const scales: readonly {last: readonly number[]; other: readonly number[]}[] = [
  {last: [64, 128, 32], other: [4, 8, 16, 2, 6]},
  {last: [128, 256, 64], other: [2, 24, 8, 4, 3]},
  {last: [33, 100, 48], other: [3, 7, 5, 9, 2]},
  {last: [16, 8, 32], other: [17, 6, 12, 5, 4]},
  {last: [512, 256, 64], other: [1, 40, 3, 2, 5]},
]

const mostElements = 1 << 18

/** Calls of which pages tell the shape of each input that has to be there; none where they leave one open. */
export function pageCalls(contract: Contract, definition: OperatorDefinition, dtypes: Dtypes): Told[] {
  const forms = formsOf(contract, definition)
  const place = definition.inputs.map(({name}) => parameterOf(contract, name)?.place).find((one) => one !== undefined)
  if (forms.length === 0 || !place) return []
  return scales.flatMap((scale) =>
    forms.flatMap((form) => {
      const sizes = assigned([...form.values()], scale)
      return [0, 1].flatMap((choice) => {
        const call = callWith({form, sizes, choice}, contract, definition, dtypes)
        return call ? [{...call, origin: {contract: 'page', place} satisfies CallOrigin}] : []
      })
    }),
  )
}

type Form = ReadonlyMap<string, readonly Dimension[]>

/** One choice of the shapes that pages allow, for each input that is handed over. */
function formsOf(contract: Contract, {inputs}: OperatorDefinition): Form[] {
  let forms: Map<string, readonly Dimension[]>[] = [new Map()]
  for (const [at, {name, kind}] of inputs.entries()) {
    const told = parameterOf(contract, name)
    const like = told?.like
    const anyRank = at === 0 && told ? told.ranks.filter((rank) => rank > 0).map((rank) => axes.slice(0, rank)) : []
    const shapes: readonly Dimension[][] = told?.shapes.length ? told.shapes : anyRank
    forms = forms.flatMap((form) => {
      const other = like === undefined ? undefined : [...form].find(([one]) => plainName(one) === plainName(like))?.[1]
      if (shapes.length > 0) return shapes.map((shape) => new Map([...form, [name, shape]]))
      if (other) return [new Map([...form, [name, other]])]
      return kind === 'optional' ? [form] : []
    })
  }
  return forms.slice(0, 4)
}

const axes = ['axis0', 'axis1', 'axis2', 'axis3', 'axis4', 'axis5', 'axis6', 'axis7']

function assigned(shapes: readonly (readonly Dimension[])[], scale: (typeof scales)[number]): Sizes {
  const last = [...new Set(shapes.flatMap((one) => symbolsIn(one.at(-1) ?? 0)))]
  const others = [...new Set(shapes.flat().flatMap(symbolsIn))].filter((one) => !last.includes(one))
  const size = (list: readonly number[], at: number) => list[at % list.length] as number
  return new Map([
    ...last.map((one, at) => [one, size(scale.last, at)] as const),
    ...others.map((one, at) => [one, size(scale.other, at)] as const),
  ])
}

interface Choice {
  form: Form
  sizes: Sizes
  /** Which of the sets of attributes. */
  choice: number
}

function callWith(
  {form, sizes, choice}: Choice,
  contract: Contract,
  definition: OperatorDefinition,
  dtypes: Dtypes,
): Omit<Told, 'origin'> | undefined {
  const dtypeOf = (name: string): Dtype => dtypes[name] ?? 'float32'
  const first = shapeFrom([...form.values()][0] ?? [], sizes)
  const set = attributeSets(definition, dtypes, first ?? [1])[choice]
  if (!first || !set) return undefined
  const attributes = {...set}
  const known = new Map(sizes)
  for (const {name, type, default: given, required} of definition.attributes) {
    const told = parameterOf(contract, name)?.default
    if (name in attributes && told !== undefined && typeof told === typeof attributes[name]) attributes[name] = told
    const symbol = [...sizes.keys()].find((one) => plainName(one) === plainName(name))
    if (type === 'Int' && symbol !== undefined) attributes[name] = sizes.get(symbol) as number
    else if (type === 'Int') known.set(name, Number(attributes[name] ?? (required ? 1 : given)))
  }
  const inputs: DrawnInput[] = []
  const counted = definition.inputs.flatMap(({name}) =>
    isInteger(dtypeOf(name)) ? [] : (shapeFrom(form.get(name) ?? [], known) ?? []),
  )
  for (const [at, input] of definition.inputs.entries()) {
    const dimensions = form.get(input.name)
    const shape = dimensions && shapeFrom(dimensions, known)
    if (dimensions && !shape) return undefined
    const dtype = dtypeOf(input.name)
    const range = drawnRange({input, at, dtype, operator: definition.operator}, contract, counted)
    if (shape) inputs.push({name: input.name, dtype, shape, range})
  }
  let isWhole = true
  const outputs = definition.outputs.map(({name}): TensorSpec => {
    const inPlace = inputs.find((one) => one.name === name)
    const told = parameterOf(contract, name)
    const like = inputs.find((one) => told?.like !== undefined && plainName(one.name) === plainName(told.like))
    const shape = inPlace?.shape ?? told?.shapes.map((one) => shapeFrom(one, known)).find((one) => one) ?? like?.shape
    if (!shape) isWhole = false
    return {name, dtype: dtypeOf(name), shape: shape ?? first}
  })
  const elements = [...inputs, ...outputs].reduce((sum, {shape}) => sum + elementCount(shape), 0)
  return elements > mostElements ? undefined : {call: {inputs, attributes, outputs}, base: first, isWhole}
}

function shapeFrom(dimensions: readonly Dimension[], sizes: Sizes): number[] | undefined {
  const shape = dimensions.map((one) => sizeOf(one, sizes))
  return shape.every((one) => one !== undefined && one > 0) ? (shape as number[]) : undefined
}

/** What sizes are multiplied by: those of a call that ran, and the last of one too short for whole blocks of 32 B. */
const factors = {ran: [2, 0.5, 3], short: [32, 48]}

/** An example with other sizes, where pages tell by symbols which sizes are free, or all tensors have one shape. */
export function resized({call, base, origin, isWhole}: Told, contract: Contract, was: keyof typeof factors): Told[] {
  const tensors = [...call.inputs, ...call.outputs]
  let sizes: Sizes | undefined = new Map()
  const forms = new Map<string, readonly Dimension[]>()
  const isEven =
    tensors.every(({shape}) => String(shape) === String(base)) &&
    (call.inputs.every(({values}) => !values) || new Set(call.inputs.map(({dtype}) => dtype)).size === 1)
  for (const {name, shape} of tensors) {
    const told = isEven ? [axes.slice(0, shape.length)] : (parameterOf(contract, name)?.shapes ?? [])
    const found = told.map((one) => ({one, next: sizes && fitted(one, shape, sizes)})).find(({next}) => next)
    sizes = found?.next
    if (!found) return []
    forms.set(name, found.one)
  }
  const numbers = new Set(Object.values(call.attributes).flat().map(Number))
  const last = [...forms.values()].flatMap((form) => symbolsIn(form.at(-1) ?? 0))
  const free = [...(sizes ?? [])]
    .filter(([name, size]) => !numbers.has(size) && (was === 'ran' || last.includes(name)))
    .map(([name]) => name)
  return factors[was].flatMap((factor) => {
    const changed = new Map(
      [...(sizes ?? [])].map(([name, size]) => [name, free.includes(name) ? scaled(size, factor) : size]),
    )
    const shapeOf = ({name, shape}: TensorSpec) => shapeFrom(forms.get(name) ?? [], changed) ?? shape
    if (tensors.reduce((sum, one) => sum + elementCount(shapeOf(one)), 0) > mostElements) return []
    const reshape = <T extends TensorSpec>(tensor: T): T => ({...tensor, shape: shapeOf(tensor)})
    const inputs = call.inputs.map((one) => repeatedValues(reshape(one), one))
    const next: Call = {...call, inputs, outputs: call.outputs.map(reshape)}
    return [{call: next, base: next.inputs[0]?.shape ?? base, origin, isWhole}]
  })
}

const scaled = (size: number, factor: number) =>
  Math.max(1, Math.ceil(size * factor) + (size > 8 && factor === 3 ? 1 : 0))

/** Values that people wrote are written again for each further row. */
function repeatedValues(input: DrawnInput, {values}: DrawnInput): DrawnInput {
  if (!values) return input
  return {
    ...input,
    values: Array.from({length: elementCount(input.shape)}, (_, at) => values[at % values.length] as number),
  }
}
