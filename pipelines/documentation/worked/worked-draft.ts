import type {Api, ApiOperand} from '../../../cpp/interfaces/row.ts'
import type {ApiEntry} from '../../../datasets/schema/api-entry.ts'
import {type DtypeName, dtypeOfType} from '../../../cpp/types.ts'
import {dtypeBytes, type Dtype} from '../../../datasets/schema/tensor.ts'
import type {Shown} from '../../../datasets/schema/worked.ts'
import type {Random} from '../../../engine/random.ts'
import {reportedUbBytes} from '../../facts/memory-plan.ts'
import {type Form, typeOf} from './small-kernel.ts'

/** An interface by its page and by the table of interfaces. */
export interface Documented {
  name: string
  entry: ApiEntry
  api: Api
}

/** A question about an interface that two kernels answer: one that is right, and one that is as it should not be. */
export interface Draft {
  /** Kebab-case; the catalogue has its words. */
  situation: string
  /** What the words speak of, by name. */
  values: Readonly<Record<string, number | string | string[]>>
  form: Form
  /** What else one could write, and how a run shows that it is wrong. */
  other?: {form: Form; shows: Shown}
  /** Values of inputs, row-major, by name; others are drawn. */
  given?: Readonly<Record<string, readonly number[]>>
  /** What the first elements of outputs are, by name, by the formula. */
  expected?: Readonly<Record<string, readonly number[]>>
}

/** A kind of question: undefined where an interface gives none. */
export type Drafting = (documented: Documented, random: Random) => Draft | undefined

/**
 * What a kernel may give out of the unified buffer as it is built by default: 8 KB are kept for functions such as
 * Select, too. Source: "NPU architecture 2201" of the programming guide, Unified Buffer.
 */
export const usableUb = reportedUbBytes - 8192

/** Types in which small kernels compute. */
export const floats = ['float32', 'float16'] as const

const letters = ['x', 'y', 'w']

export interface Call {
  /** Names of the inputs. */
  ins: string[]
  isAdded: boolean
  scalars: number
  text(changes?: Partial<Record<'out' | 'count', string>> & {ins?: readonly string[]; scalar?: string}): string
}

/** Families of which every element of the result follows from the same place of the sources. */
const inPlace = new Set<Api['family']>(['elementwise', 'mathematics'])

const plain = new Set<ApiOperand['kind']>(['out', 'inout', 'in', 'scalar', 'count', 'tmp'])

/** How an interface is called by count; undefined where it takes something that has to be chosen by its meaning. */
export function callOf({name, api}: Documented, dtype: Dtype): Call | undefined {
  const operands = api.operands.filter(({isOptional}) => !isOptional)
  const isPlain = operands.every(({kind, type}) => plain.has(kind) && type === undefined)
  const sources = operands.filter(({kind}) => kind === 'in').length
  if (
    !inPlace.has(api.family) ||
    !isPlain ||
    sources === 0 ||
    sources > letters.length ||
    operands.some(({kind}) => kind === 'tmp')
  )
    return undefined
  const ins = letters.slice(0, sources)
  return {
    ins,
    isAdded: operands.some(({kind}) => kind === 'inout'),
    scalars: operands.filter(({kind}) => kind === 'scalar').length,
    text({out = 'zLocal', count = '', ins: given = ins.map((one) => `${one}Local`), scalar = ''} = {}) {
      const sourcesLeft = [...given]
      const text = (kind: ApiOperand['kind']) => {
        if (kind === 'in') return sourcesLeft.shift() ?? ''
        if (kind === 'scalar') return scalarOf(scalar, dtype)
        return kind === 'count' ? count : out
      }
      const args = operands.map(({kind}) => text(kind))
      return `${name}(${args.join(', ')});`
    },
  }
}

/** A constant of the elements' type. */
export function scalarOf(text: string, dtype: Dtype): string {
  if (dtype === 'float32') return /[.e]/.test(text) ? `${text}f` : `${text}.0f`
  return `static_cast<${typeOf(dtype)}>(${text})`
}

/** Values that every type holds exactly, small enough that no step of a formula overflows. */
export function smallValues(count: number, dtype: Dtype, random: Random): number[] {
  const isWhole = !/float/.test(dtype)
  const least = dtype.startsWith('u') ? 1 : -6
  return Array.from({length: count}, () => {
    const value = random.integer(least, 6)
    return isWhole ? value : value / 2 + 0.25
  })
}

/** Elements of a block of 32 bytes, and of a repeat of 256. */
export const perBlock = (dtype: Dtype): number => 32 / dtypeBytes[dtype]
export const perRepeat = (dtype: Dtype): number => 256 / dtypeBytes[dtype]

/** Types that tensors of small kernels may have. */
const usual = new Set<DtypeName>(['float32', 'float16', 'int32', 'int16', 'uint32', 'uint16'])

/** The types that an interface takes by the table and, where it names any, by its page. */
export function typesOf({api, entry}: Documented): Dtype[] {
  const named = new Set(entry.dtypes.map(dtypeOfType))
  return api.types.filter((one) => usual.has(one) && (named.size === 0 || named.has(one)))
}
