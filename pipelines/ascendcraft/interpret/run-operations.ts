import {type ElementType, elementBytes, roundUp} from '../language/dtypes.ts'
import type {PrimitiveName} from '../language/primitives.ts'
import type {View} from './core-memory.ts'
import {erf} from '../../../datasets/special-functions.ts'
import {conversion, roundings} from './rounding.ts'

/** An operation whose operands were found and checked. */
interface Work {
  views: readonly View[]
  /** Of the scalar operand, in the type of the destination. */
  scalar: number
  index: number
  count: number
  mode: string | undefined
  round: string | undefined
}

type Operate = (work: Work) => void

type VectorName = Exclude<PrimitiveName, 'load' | 'store'>

const at = (work: Work, place: number) => work.views[place] as View

/** Each element of the destination by those of the sources, rounded once. */
const map1 =
  (compute: (a: number, scalar: number) => number): Operate =>
  (work) => {
    const [dst, src] = [at(work, 0), at(work, 1)]
    const [to, from, round] = [dst.local.values, src.local.values, roundings[dst.local.type]]
    for (let i = 0; i < work.count; i += 1)
      to[dst.start + i] = round(compute(from[src.start + i] as number, work.scalar))
  }

const map2 =
  (compute: (a: number, b: number) => number): Operate =>
  (work) => {
    const [dst, a, b] = [at(work, 0), at(work, 1), at(work, 2)]
    const [to, left, right, round] = [dst.local.values, a.local.values, b.local.values, roundings[dst.local.type]]
    for (let i = 0; i < work.count; i += 1)
      to[dst.start + i] = round(compute(left[a.start + i] as number, right[b.start + i] as number))
  }

/** dst + a product, rounded once: a product of two float32 is exact in a double. */
const accumulate =
  (factor: (work: Work, i: number) => number): Operate =>
  (work) => {
    const [dst, src] = [at(work, 0), at(work, 1)]
    const [to, from, round] = [dst.local.values, src.local.values, roundings[dst.local.type]]
    for (let i = 0; i < work.count; i += 1)
      to[dst.start + i] = round((to[dst.start + i] as number) + (from[src.start + i] as number) * factor(work, i))
  }

const multiply: Operate = (work) => {
  const [dst, a, b] = [at(work, 0), at(work, 1), at(work, 2)]
  const [to, left, right, type] = [dst.local.values, a.local.values, b.local.values, dst.local.type]
  const product = type === 'int32' ? Math.imul : (x: number, y: number) => x * y
  const round = roundings[type]
  for (let i = 0; i < work.count; i += 1)
    to[dst.start + i] = round(product(left[a.start + i] as number, right[b.start + i] as number))
}

const larger = (a: number, b: number) => Math.max(a, b)
const smaller = (a: number, b: number) => Math.min(a, b)

const comparisons: Record<string, (a: number, b: number) => boolean> = {
  lt: (a, b) => a < b,
  le: (a, b) => a <= b,
  gt: (a, b) => a > b,
  ge: (a, b) => a >= b,
  eq: (a, b) => a === b,
  ne: (a, b) => a !== b,
}

/** Elements that a comparison handles at once: whole repeats of 256 bytes. */
export const maskUnit = (type: ElementType) => 256 / elementBytes[type]

function compare(work: Work, other: (i: number) => number): void {
  const [mask, a] = [at(work, 0), at(work, 1)]
  const holds = comparisons[work.mode ?? ''] as (a: number, b: number) => boolean
  const bits = mask.local.values
  bits.fill(0, mask.start, mask.start + roundUp(work.count, maskUnit(a.local.type)) / 8)
  for (let i = 0; i < work.count; i += 1)
    if (holds(a.local.values[a.start + i] as number, other(i))) bits[mask.start + (i >> 3)]! |= 1 << (i & 7)
}

function select(work: Work, other: (i: number) => number): void {
  const [dst, mask, a] = [at(work, 0), at(work, 1), at(work, 2)]
  const to = dst.local.values
  for (let i = 0; i < work.count; i += 1) {
    const isSet = ((mask.local.values[mask.start + (i >> 3)] as number) >> (i & 7)) & 1
    to[dst.start + i] = isSet ? (a.local.values[a.start + i] as number) : other(i)
  }
}

/** Pairs of neighbours, as the device adds within a repeat of 256 bytes; repeats one after the other. */
function reduce(combine: (a: number, b: number) => number): Operate {
  return (work) => {
    const [dst, src] = [at(work, 0), at(work, 1)]
    const {type, values} = src.local
    const [round, lanes] = [roundings[type], 256 / elementBytes[type]]
    let total: number | undefined
    for (let from = 0; from < work.count; from += lanes) {
      const first = src.start + from
      let items = values.slice(first, first + Math.min(lanes, work.count - from))
      while (items.length > 1) {
        const half = new Float64Array(Math.ceil(items.length / 2))
        for (let i = 0; i < half.length; i += 1) {
          const [a, b] = [items[2 * i] as number, items[2 * i + 1]]
          half[i] = b === undefined ? a : round(combine(a, b))
        }
        items = half
      }
      total = total === undefined ? items[0] : round(combine(total, items[0] as number))
    }
    dst.local.values[dst.start] = total as number
  }
}

function cast(work: Work): void {
  const [dst, src] = [at(work, 0), at(work, 1)]
  const [to, from] = [dst.local.values, src.local.values]
  const convert = conversion(src.local.type, dst.local.type, work.round)
  for (let i = 0; i < work.count; i += 1) to[dst.start + i] = convert(from[src.start + i] as number)
}

/** What each vector operation does with elements; bounds, types and written elements were looked at before. */
export const operations: Readonly<Record<VectorName, Operate>> = {
  exp: map1(Math.exp),
  ln: map1(Math.log),
  sqrt: map1(Math.sqrt),
  abs: map1(Math.abs),
  reciprocal: map1((a) => 1 / a),
  relu: map1((a) => larger(a, 0)),
  tanh: map1(Math.tanh),
  erf: map1(erf),
  sigmoid: map1((a) => 1 / (1 + Math.exp(-a))),
  add: map2((a, b) => a + b),
  sub: map2((a, b) => a - b),
  mul: multiply,
  div: map2((a, b) => a / b),
  max: map2(larger),
  min: map2(smaller),
  adds: map1((a, scalar) => a + scalar),
  subs: map1((a, scalar) => a - scalar),
  muls: map1((a, scalar) => a * scalar),
  divs: (work) =>
    map1((a, scalar) => a * scalar)({...work, scalar: roundings[at(work, 0).local.type](1 / work.scalar)}),
  maxs: map1(larger),
  mins: map1(smaller),
  leaky_relu: map1((a, scalar) => (a >= 0 ? a : a * scalar)),
  axpy: accumulate(({scalar}) => scalar),
  mul_add: accumulate((work, i) => {
    const b = at(work, 2)
    return b.local.values[b.start + i] as number
  }),
  compare: (work) => compare(work, (i) => at(work, 2).local.values[at(work, 2).start + i] as number),
  compares: (work) => compare(work, () => work.scalar),
  select: (work) => select(work, (i) => at(work, 3).local.values[at(work, 3).start + i] as number),
  selects: (work) => select(work, () => work.scalar),
  reduce_sum: reduce((a, b) => a + b),
  reduce_max: reduce(larger),
  reduce_min: reduce(smaller),
  duplicate: (work) => at(work, 0).local.values.fill(work.scalar, at(work, 0).start, at(work, 0).start + work.count),
  copy: map1((a) => a),
  cast,
  arange: (work) => {
    const dst = at(work, 0)
    const round = roundings[dst.local.type]
    for (let i = 0; i < work.count; i += 1) dst.local.values[dst.start + i] = round(work.scalar + i)
  },
  gather: (work) => {
    const [dst, src, offsets] = [at(work, 0), at(work, 1), at(work, 2)]
    const bytes = elementBytes[src.local.type]
    for (let i = 0; i < work.count; i += 1) {
      const offset = offsets.local.values[offsets.start + i] as number
      dst.local.values[dst.start + i] = src.local.values[src.start + offset / bytes] as number
    }
  },
  set: (work) => {
    const dst = at(work, 0)
    dst.local.values[dst.start + work.index] = work.scalar
  },
}
