import type {DtypeName} from '../types.ts'

/**
 * Queues of a core: operations in one run in order, in parallel with the others. `S` is the scalar unit, which fills
 * them.
 */
type Pipe = 'S' | 'V' | 'M' | 'MTE1' | 'MTE2' | 'MTE3' | 'FIX'

/**
 * What an operand is. `out`: a tensor that is written; `inout`: read and written; `in`: read; `tmp`: scratch whose
 * contents are lost; `mask-in`, `mask-out`: bits, eight elements a byte; `scalar`: a number of the elements' type;
 * `count`: how many elements; `mode`: a member of an enumeration; `number`: any other number; `flag`: true or false;
 * `repeats`: mask, times and strides. Tensors are in UB and start at multiples of 32 bytes; on the global side of a
 * copy any element may be the first.
 */
type OperandKind =
  | 'out'
  | 'inout'
  | 'in'
  | 'tmp'
  | 'mask-out'
  | 'mask-in'
  | 'scalar'
  | 'count'
  | 'mode'
  | 'number'
  | 'flag'
  | 'repeats'

export interface ApiOperand {
  kind: OperandKind
  /** If it differs from that of the other tensors. */
  type: DtypeName | undefined
  /** It may be omitted. */
  isOptional: boolean
}

/** What a row adds to what its family shares. */
interface ApiDetails {
  /** What the destination gets of its sources: $1, $2 … are the arguments after it, `dst` is the previous content. */
  formula?: string
  /** The same in words, English and Chinese, where a formula does not say it. */
  writes?: readonly [en: string, zh: string]
  /** In the order of a call by count: kinds of operands, with a type behind a colon and `?` where it may be missing. */
  operands?: string
  /** Element types that Atlas A2 takes, of the tensors that do not say theirs. */
  types?: string
  /** Several where the sides of a copy decide. */
  pipes?: string
  /** Work memory: how many times 256 bytes it takes at least, by the type of the source. */
  work?: Partial<Record<DtypeName, number>>
  /** Bytes at the end of UB that it takes for itself. */
  ubTaken?: number
  /** Bytes of which what it works on is a multiple; default: an element. */
  unit?: number
  /** The destination may be no source. */
  apart?: true
  /** It waits for other blocks, and for ever where one of them is not launched. */
  meets?: true
}

type ApiFamily =
  | 'elementwise'
  | 'comparison'
  | 'selection'
  | 'conversion'
  | 'fill'
  | 'gather'
  | 'reduction'
  | 'layout'
  | 'sort'
  | 'mathematics'
  | 'composed'
  | 'movement'
  | 'matrix'
  | 'synchronisation'
  | 'member'
  | 'resource'

/** Names that share a meaning, with a space between them; the meaning in both languages; its formula, or more. */
export type ApiRow = readonly [names: string, en: string, zh: string, more?: string | ApiDetails]

/** What a device API does: in words, with further properties. */
export interface Api extends Omit<ApiDetails, 'operands' | 'types' | 'pipes'> {
  family: ApiFamily
  en: string
  zh: string
  operands: readonly ApiOperand[]
  types: readonly DtypeName[]
  pipes: readonly Pipe[]
}

export type ApiEntry = readonly [name: string, api: Api]

/** Rows of one family, which say only what the family does not. */
export function family(name: ApiFamily, shared: ApiDetails, rows: readonly ApiRow[]): ApiEntry[] {
  return rows.flatMap(([names, en, zh, more = {}]) => {
    const {operands, types, pipes, ...details} = {...shared, ...(typeof more === 'string' ? {formula: more} : more)}
    const api: Api = {
      ...details,
      family: name,
      en,
      zh,
      operands: words(operands).map(operandOf),
      types: words(types) as DtypeName[],
      pipes: words(pipes ?? 'V') as Pipe[],
    }
    return words(names).map((one): ApiEntry => [one, api])
  })
}

function operandOf(text: string): ApiOperand {
  const [kind, type] = text.replace('?', '').split(':')
  return {kind: kind as OperandKind, type: type as DtypeName | undefined, isOptional: text.endsWith('?')}
}

const words = (text = '') => text.split(' ').filter(Boolean)
