import {dtypeBytes, type Dtype} from '../../../datasets/schema/tensor.ts'
import type {Random} from '../../../engine/random.ts'
import {
  type Call,
  callOf,
  type Documented,
  type Draft,
  type Drafting,
  perBlock,
  perRepeat,
  smallValues,
  typesOf,
} from './worked-draft.ts'
import {realValue} from './real-value.ts'
import {wholeBlocks} from '../../facts/memory-plan.ts'
import {bytesOf, copyIn, type Form, typeOf} from './small-kernel.ts'

/** A call by count that is drawn: type, number of elements, scalar. */
interface Drawn {
  call: Call
  dtype: Dtype
  n: number
  scalar: string
  values: Draft['values']
  form: Form
}

/** Numbers that no block divides, nor a repeat. */
const counts = [40, 77, 90, 100, 130, 150, 200, 250, 300, 333, 500]

function drawn(documented: Documented, random: Random, n = random.pick(counts)): Drawn | undefined {
  const types = typesOf(documented)
  if (types.length === 0) return undefined
  const dtype = random.pick(types)
  const call = callOf(documented, dtype)
  if (!call) return undefined
  const scalar = call.scalars === 0 ? '' : random.pick(['2', '3'])
  const size = dtypeBytes[dtype]
  const tensor = (name: string) => ({name, dtype, count: n})
  return {
    ...{call, dtype, n, scalar},
    values: {
      ...{api: documented.name, type: typeOf(dtype), n, size, bytes: n * size},
      ...{...named(call), ...scalarTold(scalar)},
    },
    form: {
      inputs: call.ins.map(tensor),
      outputs: [tensor('z')],
      compute: [...filled(call, dtype, n), said(call, n, scalar)],
    },
  }
}

const scalarTold = (scalar: string) => scalar !== '' && {data: [`scalar = ${scalar}`]}

const named = ({ins}: Call) => ({inputs: [...ins], first: ins[0] ?? ''})

const said = (call: Call, n: number, scalar: string) => call.text({count: String(n), scalar})

/** What adds to its destination finds ones there. */
const filled = ({isAdded}: Call, dtype: Dtype, n: number) =>
  isAdded ? [`Duplicate(zLocal, static_cast<${typeOf(dtype)}>(1), ${n});`] : []

/** An operand that begins inside of a block. */
const start: Drafting = (documented, random) => {
  const one = drawn(documented, random)
  if (!one || one.call.isAdded) return undefined
  const {call, dtype, n, scalar, form} = one
  const [first = ''] = call.ins
  const per = perBlock(dtype)
  const from = random.integer(1, 3 * per - 1)
  if (from % per === 0) return undefined
  const total = from + n
  const size = dtypeBytes[dtype]
  const inputs = form.inputs.map((tensor) => (tensor.name === first ? {...tensor, count: total} : tensor))
  const local = wholeBlocks(n * size)
  const shifted = call.ins.map((name) => (name === first ? `${name}Local[${from}]` : `${name}Local`))
  const wrong = call.text({count: String(n), scalar, ins: shifted})
  return {
    situation: 'start',
    values: {
      ...one.values,
      ...{from, total, per, offset: from * size, rest: (from * size) % 32, next: Math.ceil(from / per) * per, wrong},
      right: said(call, n, scalar),
    },
    form: {
      ...form,
      inputs: inputs.map((tensor) => (tensor.name === first ? {...tensor, bytes: local} : tensor)),
      copies: {[first]: copyIn(first, dtype, n, from)},
    },
    other: {
      form: {
        ...form,
        inputs,
        compute: [...filled(call, dtype, n), wrong],
      },
      shows: {refused: 'unaligned-ub'},
    },
  }
}

/** Mask and repeats instead of a count: the remainder takes a separate call. */
const repeats: Drafting = (documented, random) => {
  const one = drawn(documented, random, random.pick([150, 200, 300, 333, 500, 700, 1000]))
  if (!one || one.call.isAdded || documented.api.family !== 'elementwise') return undefined
  const {call, dtype, n, scalar, form} = one
  const per = perRepeat(dtype)
  const [full, rest] = [Math.floor(n / per), n % per]
  // Buffers are whole blocks: a tail that ends in the last of them goes nowhere.
  if (rest === 0 || full === 0 || rest > per - perBlock(dtype)) return undefined
  const strides = call.ins.length === 1 ? '{1, 1, 8, 8}' : '{1, 1, 1, 8, 8, 8}'
  const at = (mask: number, times: number, from: number) => {
    const place = (name: string) => (from === 0 ? `${name}Local` : `${name}Local[${from}]`)
    return call.text({
      count: `${mask}, ${times}, ${strides}`,
      scalar,
      out: place('z'),
      ins: call.ins.map(place),
    })
  }
  const before = filled(call, dtype, n)
  return {
    situation: 'repeats',
    values: {
      ...one.values,
      ...{per, full, rest, done: full * per, rounded: full + 1, reach: (full + 1) * per, last: (full + 1) * per - 1},
      ...{strides, room: wholeBlocks(n * dtypeBytes[dtype]) / dtypeBytes[dtype]},
    },
    form: {...form, compute: [...before, at(per, full, 0), at(rest, 1, full * per)]},
    other: {form: {...form, compute: [...before, at(per, full + 1, 0)]}, shows: {refused: 'out-of-buffer'}},
  }
}

/** More repeats than the eight bits hold that count them. */
const manyRepeats: Drafting = (documented, random) => {
  const one = drawn(documented, random)
  if (!one || one.call.isAdded || documented.api.family !== 'elementwise' || one.call.ins.length !== 1) return undefined
  const {call, dtype, scalar, form} = one
  const per = perRepeat(dtype)
  const times = random.integer(257, 340)
  const n = times * per
  const at = (count: number, from: number) => {
    const place = (name: string) => (from === 0 ? `${name}Local` : `${name}Local[${from}]`)
    return call.text({
      count: `${per}, ${count}, {1, 1, 8, 8}`,
      scalar,
      out: place('z'),
      ins: call.ins.map(place),
    })
  }
  const grown: Form = {
    ...form,
    inputs: form.inputs.map((tensor) => ({...tensor, count: n})),
    outputs: form.outputs.map((tensor) => ({...tensor, count: n})),
  }
  const before = filled(call, dtype, n)
  return {
    situation: 'many-repeats',
    values: {...one.values, ...{n, per, times, left: times - 255, wrapped: times - 256, after: 255 * per}},
    form: {...grown, compute: [...before, at(255, 0), at(times - 255, 255 * per)]},
    other: {form: {...grown, compute: [...before, at(times, 0)]}, shows: {refused: 'read-unwritten'}},
  }
}

/** From the type to float: nothing is lost but of an int32 beyond 24 bits. */
const widened: Partial<Record<Dtype, string>> = {bfloat16: 'CAST_NONE', int32: 'CAST_RINT', int16: 'CAST_NONE'}

/** Functions of which an integer has no value, or for which it is better kept exact. */
const ofReals = /^(?:Sqrt|Rsqrt|Ln|Reciprocal|Abs|Div|(?:Add|Sub)?Relu)$/

/** By the tiling functions of the library, which give 0 for float on A2. */
const withoutSpace = /^(?:Floor|Frac|Log2|Round)$/

/** Functions of the library that take temporary space have a form to which it is given. */
const takesSpace = ({name, entry}: Documented) =>
  !withoutSpace.test(name) && entry.prototypes.some(({text}) => text.includes('sharedTmpBuffer'))

/** A type that the interface does not take. */

const otherType: Drafting = (documented, random) => {
  const {api} = documented
  const {dtypes} = documented.entry
  const isNamed = (one: Dtype) => api.types.includes(one) || dtypes.includes(typeOf(one))
  const missing = (Object.keys(widened) as Dtype[]).filter(
    // Sines or roundings of integers are not useful questions.
    (one) => !isNamed(one) && (one === 'bfloat16' || (api.family === 'elementwise' && !ofReals.test(documented.name))),
  )
  const call = callOf(documented, 'float32')
  if (!call || call.isAdded || missing.length === 0 || !api.types.includes('float32')) return undefined
  const dtype = random.pick(missing)
  const n = random.pick(counts)
  const scalar = call.scalars === 0 ? '' : '2'
  const tensor = (name: string) => ({name, dtype, count: n})
  const wide = (name: string) => ({name: `${name}Wide`, dtype: 'float32' as const, bytes: wholeBlocks(n * 4)})
  const form: Form = {
    inputs: call.ins.map(tensor),
    outputs: [tensor('z')],
    scratch: [...call.ins, 'z'].map(wide),
    compute: [
      ...call.ins.map((name) => `Cast(${name}Wide, ${name}Local, RoundMode::${widened[dtype]}, ${n});`),
      ...(call.isAdded ? [`Duplicate(zWide, 1.0f, ${n});`] : []),
      call.text({count: String(n), scalar, out: 'zWide', ins: call.ins.map((name) => `${name}Wide`)}),
      `Cast(zLocal, zWide, RoundMode::CAST_RINT, ${n});`,
    ],
  }
  const direct = callOf(documented, dtype)
  if (!direct) return undefined
  const size = dtypeBytes[dtype]
  return {
    situation: 'type',
    values: {
      ...{api: documented.name, type: typeOf(dtype), n, size, ...named(call), mode: widened[dtype] ?? ''},
      ...{types: api.types.map(typeOf), own: n * size, wide: n * 4, copies: call.ins.length + 1},
      ...{room: wholeBlocks(n * 4), library: takesSpace(documented) ? 'yes' : 'no'},
      total: (call.ins.length + 1) * wholeBlocks(n * 4),
      ...scalarTold(scalar),
    },
    form,
    other: {
      form: {
        inputs: form.inputs,
        outputs: form.outputs,
        compute: [...filled(direct, dtype, n), said(direct, n, scalar)],
      },
      shows: 'not-built',
    },
  }
}

/** Pages that allow overlap, or do not mention it. */
const overlapping = new Set(['Trunc', 'Gelu', 'FasterGelu', 'FasterGeluV2', 'Round'])

/** A destination that begins a block behind its source. */
const overlap: Drafting = (documented, random) => {
  const one = drawn(documented, random)
  if (!one || one.call.isAdded || overlapping.has(documented.name)) return undefined
  const {call, dtype, n, scalar, form} = one
  // Of functions with two sources some allow it between repeats; within one repeat nothing is read late.
  const isLibrary = documented.api.family === 'mathematics'
  if (!isLibrary && (call.ins.length > 1 || n * dtypeBytes[dtype] <= 256)) return undefined
  const per = perBlock(dtype)
  const [first = ''] = call.ins
  const written = call.text({count: String(n), scalar, out: `${first}Local[${per}]`})
  const inputs = form.inputs.map((tensor) =>
    tensor.name === first ? {...tensor, bytes: wholeBlocks(bytesOf(tensor)) + 32} : tensor,
  )
  return {
    // Functions of the library may use the destination while they compute: their pages allow no overlap at all.
    situation: isLibrary ? 'any-overlap' : 'overlap',
    values: {...one.values, per, shared: n - per, wrong: written},
    form,
    other: {
      form: {
        ...form,
        inputs,
        compute: [
          written,
          `DataCopy(zLocal, ${first}Local[${per}], ${wholeBlocks(n * dtypeBytes[dtype]) / dtypeBytes[dtype]});`,
        ],
      },
      shows: {refused: 'partial-overlap'},
    },
  }
}

/** A buffer that was given elements where bytes are meant. */
const elementsForBytes: Drafting = (documented, random) => {
  const one = drawn(documented, random)
  if (!one || one.call.isAdded) return undefined
  const {dtype, n, form} = one
  const size = dtypeBytes[dtype]
  return {
    situation: 'elements-for-bytes',
    values: {
      ...one.values,
      ...{needed: wholeBlocks(n * size), given: wholeBlocks(n), fits: wholeBlocks(n) / size},
      whole: wholeBlocks(n * size) === n * size ? 'yes' : 'no',
    },
    form,
    other: {
      form: {...form, outputs: form.outputs.map((tensor) => ({...tensor, bytes: n}))},
      shows: {refused: 'out-of-buffer'},
    },
  }
}

/** Inputs for explaining a formula: what one can work out by hand, and ends of the range. */
const telling: Partial<Record<Dtype, readonly number[]>> = {
  float32: [0.5, -1.25, 3, 0, -2.5, 7.75, 100, 0.125],
  float16: [0.5, -1.25, 3, 0, -2.5, 12, 300, 0.125],
}

/** Arguments where those of above have no value, by what an interface computes. Source: its page. */
const domains: readonly (readonly [names: RegExp, values: readonly number[]])[] = [
  // Without zeros, whose sign would have to be told.
  [/^(?:Div|Mul)$/, [0.5, -1.25, 3, 1, -2.5, 7.75, 100, 0.125]],
  // "Non-positive values may give unknown results" (page of Sqrt); a logarithm of them is no number.
  [/^(?:Sqrt|Ln|Log|Log2|Log10)$/, [0.5, 1.25, 3, 1, 2.5, 16, 100, 0.125]],
]

/** Instructions that give an approximation, of which the page only says how far it may be off. */
const approximate = new Set(['Rsqrt', 'Reciprocal'])

/** Of which nothing has to be worked out, or nothing can be by hand. */
const plain = new Set(
  'Abs Neg Relu Acos Acosh Asin Asinh Atan Atanh Cos Cosh Sin Sinh Tan Tanh Erf Erfc Lgamma Digamma'.split(' '),
)

/** What comes out, by numbers. */
const results: Drafting = (documented, random) => {
  const {api, name} = documented
  const {formula} = api
  const one = drawn(documented, random, 8)
  if (!one || formula === undefined || approximate.has(name) || plain.has(name)) return undefined
  const {call, dtype, scalar, form} = one
  const own = telling[dtype] && (domains.find(([names]) => names.test(name))?.[1] ?? telling[dtype])
  const shuffled = call.ins.map(() => random.shuffle(own ?? smallValues(8, dtype, random)))
  const at = (index: number) => [...shuffled.map((values) => values[index] ?? 0), ...(scalar ? [Number(scalar)] : [])]
  const exact = Array.from({length: 8}, (_, index) => realValue(formula, at(index), 1))
  if (exact.some((value) => value === undefined)) return undefined
  return {
    situation: 'results',
    values: {...one.values, formula: formulaOf(formula, call, scalar)},
    form,
    given: Object.fromEntries(call.ins.map((name, index) => [name, shuffled[index] ?? []])),
    expected: {z: exact as number[]},
  }
}

/** `$1 + $2` with the names of its operands. */
function formulaOf(formula: string, {ins}: Call, scalar: string): string {
  const names = [...ins, scalar]
  return formula.replace(/\$(\d)/g, (_, at: string) => names[Number(at) - 1] ?? '').replace(/\bdst\b/g, 'z')
}

export const vectorDrafts: readonly Drafting[] = [
  start,
  repeats,
  manyRepeats,
  otherType,
  overlap,
  elementsForBytes,
  results,
]
