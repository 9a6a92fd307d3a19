import {interfaces} from '../../../cpp/interfaces.ts'
import type {Api} from '../../../cpp/interfaces/row.ts'
import {castRoundings, type Rounding} from '../../../cpp/interfaces/casts.ts'
import type {ElementType} from '../language/dtypes.ts'
import {type PrimitiveName, primitiveOf} from '../language/primitives.ts'
import {elementNames, repeatBytes} from './cpp-elements.ts'

/** An operation with its operands as C++. */
export interface VectorCall {
  /** Of the first operand, and of each operand. */
  type: ElementType
  types: readonly ElementType[]
  tensor: (at: number) => string
  /** A scalar operand as a value of the given type; `negate` and `invert`: of its negative, of its reciprocal. */
  scalar: (at: number, type: ElementType, change?: 'negate' | 'invert') => string
  index: (at: number) => string
  count: string
  /** The count rounded up to whole repeats of 256 bytes. */
  repeats: (type: ElementType) => string
  /** The count rounded up to whole blocks, and whether it is a multiple of them anyway. */
  blocks: (type: ElementType) => string
  isBlocks: (type: ElementType) => boolean
  text: (name: string) => string | undefined
}

/** Statements without their semicolons. */
type Emit = (call: VectorCall) => string[]

/** Loads and stores are written in files of their own, as they depend on rows and alignment. */
type VectorPrimitive = Exclude<PrimitiveName, 'load' | 'store'>

const modes: Record<string, string> = {lt: 'LT', le: 'LE', gt: 'GT', ge: 'GE', eq: 'EQ', ne: 'NE'}

const roundModes: Readonly<Record<Rounding, string>> = {
  none: 'CAST_NONE',
  rint: 'CAST_RINT',
  floor: 'CAST_FLOOR',
  ceil: 'CAST_CEIL',
  trunc: 'CAST_TRUNC',
}

/** Within UB. `DataCopy` moves whole blocks, so what does not fill its last one is multiplied by 1, which is exact. */
function copy({type, tensor, count, blocks, isBlocks}: VectorCall): string[] {
  const [dst, src] = [tensor(0), tensor(1)]
  if (isBlocks(type)) return [`DataCopy(${dst}, ${src}, ${count})`]
  if (type === 'float32') return [`Muls(${dst}, ${src}, 1.0f, ${count})`]
  if (type === 'float16') return [`Muls(${dst}, ${src}, static_cast<half>(1.0f), ${count})`]
  if (type === 'int32') return [`Muls(${dst}, ${src}, 1, ${count})`]
  const short = 'static_cast<int16_t>(1)'
  if (type === 'int16') return [`Muls(${dst}, ${src}, ${short}, ${count})`]
  const bits = (tensorText: string, as: string) => `${tensorText}.ReinterpretCast<${as}>()`
  if (type === 'bfloat16') return [`Muls(${bits(dst, 'int16_t')}, ${bits(src, 'int16_t')}, ${short}, ${count})`]
  if (type === 'int64') return [`Muls(${bits(dst, 'int32_t')}, ${bits(src, 'int32_t')}, 1, 2 * ${bracketed(count)})`]
  return [`DataCopy(${dst}, ${src}, ${blocks(type)})`]
}

function cast(call: VectorCall): string[] {
  const {types, tensor, count, text} = call
  const [to, from] = types as [ElementType, ElementType]
  const asked = text('round') as Rounding | undefined
  if (to === from && asked === undefined) return copy(call)
  const mode = roundModes[asked ?? castRoundings(from, to)?.[0] ?? 'none']
  const line = `Cast(${tensor(0)}, ${tensor(1)}, RoundMode::${mode}, ${count})`
  // This one conversion multiplies by a scale, which is 1 here.
  return from === 'int32' && to === 'float16' ? ['SetDeqScale(static_cast<half>(1.0f))', line] : [line]
}

const bracketed = (text: string) => (/^[\w.]+$/.test(text) ? text : `(${text})`)

/** Operations that are more than one call of an interface with their operands. */
const special: Partial<Record<VectorPrimitive, Emit>> = {
  subs: (call) => plain('subs', call, 'negate'),
  divs: (call) => plain('divs', call, 'invert'),
  copy,
  cast,
  gather: ({tensor, count}) => [
    `Gather(${tensor(0)}, ${tensor(1)}, ${tensor(2)}.ReinterpretCast<uint32_t>(), 0, ${count})`,
  ],
  set: ({tensor, index, scalar, type}) => [`${tensor(0)}.SetValue(${index(1)}, ${scalar(2, type)})`],
}

/** What an operation of the language is in Ascend C. */
export function emitted(primitive: VectorPrimitive, call: VectorCall): string[] {
  return special[primitive]?.(call) ?? plain(primitive, call)
}

/** One call, with the operands in the order of the interface. */
function plain(primitive: VectorPrimitive, call: VectorCall, change?: 'negate' | 'invert'): string[] {
  const {api = '', operands} = primitiveOf(primitive)
  const {family, unit} = interfaces.get(api) as Api
  const type = call.types[operands.findIndex(({kind}) => !kind.startsWith('mask'))] as ElementType
  const given = operands.map(({kind}, at) => (kind === 'scalar' ? call.scalar(at, type, change) : call.tensor(at)))
  if (family === 'comparison') given.push(`CMPMODE::${modes[call.text('mode') ?? ''] ?? 'EQ'}`)
  if (family === 'selection')
    given.push(`SELMODE::VSEL_TENSOR_${operands.at(-1)!.kind === 'scalar' ? 'SCALAR' : 'TENSOR'}_MODE`)
  return [`${api}(${[...given, unit === repeatBytes ? call.repeats(type) : call.count].join(', ')})`]
}

/** A scalar as a value of an element type; `isWhole`: it is an integer of 64 bits. */
export function scalarOfType(text: string, type: ElementType, isWhole: boolean): string {
  if (type === 'float32') return text
  if (type === 'bfloat16') return `ToBfloat16(${text})`
  if (isWhole && type === 'int32' && /^-?\d+$/.test(text)) return text
  return `static_cast<${elementNames(type).cpp}>(${text})`
}
