import type {ElementType} from './dtypes.ts'

export type StageKind = 'copyin' | 'compute' | 'copyout'

/**
 * What an operand is. `out`: a buffer that is written; `inout`: read and written; `in`: read; `tmp`: scratch whose
 * contents are lost; `mask`: bits in a `uint8` buffer, eight elements a byte; `gm`: pointer plus offset; `scalar`: a
 * number of the destination's type; `index`: an integer.
 */
export type OperandKind = 'out' | 'inout' | 'in' | 'tmp' | 'mask-out' | 'mask-in' | 'gm' | 'scalar' | 'index'

interface Operand {
  name: string
  kind: OperandKind
  /** Default: the operation's own types, and all operands that do not say theirs have the same. */
  types?: readonly ElementType[]
}

export interface Primitive {
  stage: StageKind
  operands: readonly Operand[]
  /** Types of the operands that share one. */
  types: readonly ElementType[]
  /** Arguments by name; those with `?` may be left out. */
  named: readonly string[]
  /**
   * Of functions that compute in pieces in the scratch memory that they are given: by the type of `src`, how many times
   * 256 bytes it takes at least, and how many times the bytes of `src` are enough to compute all in one piece.
   */
  scratch?: Partial<Record<ElementType, number>>
  /** `dst` may not be one of the sources. */
  apart?: true
  /** Bytes at the end of UB that the function takes for itself. */
  ubTaken?: number
  /** What it does with each element i below count, for the page of the language. */
  meaning: string
}

const floats = ['float32', 'float16'] as const
const numbers = ['float32', 'float16', 'int32', 'int16'] as const
const movable = ['float32', 'float16', 'bfloat16', 'int64', 'int32', 'int16', 'int8', 'uint8'] as const

/** Where the library keeps what a selection computes in between. */
const selectBytes = 8192

const unary = (types: readonly ElementType[], meaning: string): Primitive => ({
  stage: 'compute',
  operands: [
    {name: 'dst', kind: 'out'},
    {name: 'src', kind: 'in'},
  ],
  types,
  named: ['count'],
  meaning,
})

const binary = (types: readonly ElementType[], meaning: string): Primitive => ({
  stage: 'compute',
  operands: [
    {name: 'dst', kind: 'out'},
    {name: 'a', kind: 'in'},
    {name: 'b', kind: 'in'},
  ],
  types,
  named: ['count'],
  meaning,
})

const withScalar = (types: readonly ElementType[], meaning: string): Primitive => ({
  stage: 'compute',
  operands: [
    {name: 'dst', kind: 'out'},
    {name: 'src', kind: 'in'},
    {name: 'value', kind: 'scalar'},
  ],
  types,
  named: ['count'],
  meaning,
})

/** High-level functions of the library, which work in scratch memory that the caller gives. */
const withScratch = (scratch: Partial<Record<ElementType, number>>, meaning: string): Primitive => ({
  stage: 'compute',
  operands: [
    {name: 'dst', kind: 'out'},
    {name: 'src', kind: 'in'},
    {name: 'tmp', kind: 'tmp', types: ['uint8']},
  ],
  types: floats,
  named: ['count'],
  scratch,
  apart: true,
  meaning,
})

const reduction = (meaning: string): Primitive => ({
  stage: 'compute',
  operands: [
    {name: 'dst', kind: 'out'},
    {name: 'src', kind: 'in'},
    {name: 'tmp', kind: 'tmp'},
  ],
  types: floats,
  named: ['count'],
  meaning,
})

/** Properties that only some operations have, for code that looks at any of them. */
export function primitiveOf(name: PrimitiveName): Primitive {
  return primitives[name]
}

/** Every operation of the language, by its name after `tl.`. Checker, interpreter, lowering and its page read this. */
export const primitives = {
  load: {
    stage: 'copyin',
    operands: [
      {name: 'src', kind: 'gm'},
      {name: 'dst', kind: 'out'},
    ],
    types: movable,
    named: ['count', 'rows?', 'stride?', 'pitch?', 'pad?'],
    meaning: 'rows of count elements; row r from src + r*stride to dst[r*pitch]; pad fills a row up to 32 bytes',
  },
  store: {
    stage: 'copyout',
    operands: [
      {name: 'dst', kind: 'gm'},
      {name: 'src', kind: 'in'},
    ],
    types: movable,
    named: ['count', 'rows?', 'stride?', 'pitch?', 'atomic?'],
    meaning: 'rows of count elements; row r from src[r*pitch] to dst + r*stride; atomic="add" adds to what is there',
  },
  exp: unary(floats, 'e ** src'),
  ln: unary(floats, 'natural logarithm'),
  sqrt: unary(floats, 'square root'),
  abs: unary(floats, 'absolute value'),
  // The instruction estimates: the twin is off by about a thousandth, as the device's page allows.
  reciprocal: unary(floats, 'an estimate of 1 / src, good to three digits; use div for more'),
  relu: unary(['float32', 'float16', 'int32'], 'max(src, 0)'),
  tanh: withScratch({float32: 1, float16: 4}, 'hyperbolic tangent'),
  erf: withScratch({float32: 3, float16: 8}, 'error function'),
  sigmoid: withScratch({float32: 1, float16: 1}, '1 / (1 + e ** -src)'),
  add: binary(numbers, 'a + b'),
  sub: binary(numbers, 'a - b'),
  mul: binary(numbers, 'a * b'),
  div: binary(floats, 'a / b'),
  max: binary(numbers, 'the larger of a and b'),
  min: binary(numbers, 'the smaller of a and b'),
  adds: withScalar(numbers, 'src + value'),
  subs: withScalar(numbers, 'src - value'),
  muls: withScalar(numbers, 'src * value'),
  divs: withScalar(floats, 'src * (1 / value)'),
  maxs: withScalar(numbers, 'max(src, value)'),
  mins: withScalar(numbers, 'min(src, value)'),
  leaky_relu: withScalar(floats, 'src where src >= 0, else src * value'),
  axpy: {
    ...withScalar(floats, 'dst + src * value'),
    operands: [
      {name: 'dst', kind: 'inout'},
      {name: 'src', kind: 'in'},
      {name: 'value', kind: 'scalar'},
    ],
  },
  mul_add: {
    ...binary(floats, 'dst + a * b'),
    operands: [
      {name: 'dst', kind: 'inout'},
      {name: 'a', kind: 'in'},
      {name: 'b', kind: 'in'},
    ],
  },
  compare: {
    stage: 'compute',
    operands: [
      {name: 'mask', kind: 'mask-out', types: ['uint8']},
      {name: 'a', kind: 'in'},
      {name: 'b', kind: 'in'},
    ],
    types: floats,
    named: ['mode', 'count'],
    meaning: 'bit i of mask: a mode b, mode one of "lt", "le", "gt", "ge", "eq", "ne"',
  },
  compares: {
    stage: 'compute',
    operands: [
      {name: 'mask', kind: 'mask-out', types: ['uint8']},
      {name: 'a', kind: 'in'},
      {name: 'value', kind: 'scalar'},
    ],
    types: floats,
    named: ['mode', 'count'],
    meaning: 'bit i of mask: a mode value',
  },
  select: {
    stage: 'compute',
    operands: [
      {name: 'dst', kind: 'out'},
      {name: 'mask', kind: 'mask-in', types: ['uint8']},
      {name: 'a', kind: 'in'},
      {name: 'b', kind: 'in'},
    ],
    types: floats,
    named: ['count'],
    ubTaken: selectBytes,
    meaning: 'a where the bit of mask is set, else b',
  },
  selects: {
    stage: 'compute',
    operands: [
      {name: 'dst', kind: 'out'},
      {name: 'mask', kind: 'mask-in', types: ['uint8']},
      {name: 'a', kind: 'in'},
      {name: 'value', kind: 'scalar'},
    ],
    types: floats,
    named: ['count'],
    ubTaken: selectBytes,
    meaning: 'a where the bit of mask is set, else value',
  },
  reduce_sum: reduction('dst[0] = sum of src'),
  reduce_max: reduction('dst[0] = largest of src'),
  reduce_min: reduction('dst[0] = smallest of src'),
  duplicate: {
    stage: 'compute',
    operands: [
      {name: 'dst', kind: 'out'},
      {name: 'value', kind: 'scalar'},
    ],
    types: ['float32', 'float16', 'bfloat16', 'int32', 'int16'],
    named: ['count'],
    meaning: 'dst[i] = value',
  },
  copy: unary(movable, 'src, within UB'),
  cast: {
    stage: 'compute',
    operands: [
      {name: 'dst', kind: 'out', types: movable},
      {name: 'src', kind: 'in', types: movable},
    ],
    types: movable,
    named: ['count', 'round?'],
    meaning: 'src in the type of dst; round one of "none", "rint", "floor", "ceil", "trunc"; equal types copy',
  },
  arange: {
    stage: 'compute',
    operands: [
      {name: 'dst', kind: 'out'},
      {name: 'first', kind: 'scalar'},
    ],
    types: ['int32', 'float32'],
    named: ['count'],
    meaning: 'dst[i] = first + i',
  },
  gather: {
    stage: 'compute',
    operands: [
      {name: 'dst', kind: 'out'},
      {name: 'src', kind: 'in'},
      {name: 'offsets', kind: 'in', types: ['int32']},
    ],
    types: ['float32', 'int32', 'float16', 'int16'],
    named: ['count'],
    apart: true,
    meaning: 'dst[i] = the element offsets[i] bytes behind the start of src',
  },
  set: {
    stage: 'compute',
    operands: [
      {name: 'dst', kind: 'inout'},
      {name: 'index', kind: 'index'},
      {name: 'value', kind: 'scalar'},
    ],
    types: ['float32', 'float16', 'int32'],
    named: [],
    meaning: 'dst[index] = value, through the scalar unit: for single elements only',
  },
} as const satisfies Record<string, Primitive>

export type PrimitiveName = keyof typeof primitives
