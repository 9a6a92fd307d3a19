import {interfaces} from '../../../cpp/interfaces.ts'
import type {Api, ApiOperand} from '../../../cpp/interfaces/row.ts'
import type {ElementType} from './dtypes.ts'

export type StageKind = 'copyin' | 'compute' | 'copyout'

/** What an operand is: as of an interface, or `gm`, pointer plus offset, or `index`, an integer. */
export type OperandKind = ApiOperand['kind'] | 'gm' | 'index'

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
  /** Arguments by name; those with `?` are optional. */
  named: readonly string[]
  /**
   * Of functions that compute in pieces in the scratch memory that they are given: by the type of `src`, how many times
   * 256 bytes it takes at least, and how many times the bytes of `src` are enough to compute all in one piece.
   */
  scratch?: Partial<Record<ElementType, number>> | undefined
  /** `dst` may not be one of the sources. */
  apart?: true | undefined
  /** Bytes at the end of UB that the function takes for itself. */
  ubTaken?: number | undefined
  /** What it does with each element i below count, for the page of the language. */
  meaning: string
  /** The interface that it becomes, where it becomes one call with these operands. */
  api?: string
}

const floats = ['float32', 'float16'] as const
const movable = ['float32', 'float16', 'bfloat16', 'int64', 'int32', 'int16', 'int8', 'uint8'] as const

/** Names of operands by what they are; of sources there are one, or two. */
const operandNames: Partial<Record<ApiOperand['kind'], string>> = {
  out: 'dst',
  inout: 'dst',
  tmp: 'tmp',
  scalar: 'value',
  'mask-in': 'mask',
  'mask-out': 'mask',
}

/**
 * What one instruction does: its operands, types and words are those of the interface, but for what is given here.
 * @param given `scalar`: of two forms that with a number for the last source
 */
function instruction(api: string, given: Partial<Primitive> & {scalar?: true} = {}): Primitive {
  const {scalar, ...own} = given
  const {operands, types, formula = '', work, apart, ubTaken} = interfaces.get(api) as Api
  const named = namedOperands(scalar ? operands.with(-3, {...operands.at(-3)!, kind: 'scalar'}) : operands)
  return {
    stage: 'compute',
    operands: named,
    types: types.filter((type) => movable.some((one) => one === type)) as ElementType[],
    named: [...(operands.some(({kind}) => kind === 'mode') ? ['mode'] : []), 'count'],
    meaning: formula.replace(/\$(\d)/g, (_, at: string) => named[Number(at)]!.name),
    scratch: work,
    apart,
    ubTaken,
    api,
    ...own,
  }
}

function namedOperands(operands: readonly ApiOperand[]): Operand[] {
  const kinds = operands.map(({kind}) => kind)
  const isAlone = kinds.filter((kind) => kind === 'in').length === 1 && !kinds.some((kind) => kind.startsWith('mask'))
  const sources = isAlone ? ['src'] : ['a', 'b']
  return operands.flatMap(({kind, type}): Operand[] => {
    const name = kind === 'in' ? sources.shift() : operandNames[kind]
    if (name === undefined) return []
    const own = kind.startsWith('mask') ? 'uint8' : type
    return [{name, kind, ...(own && {types: [own as ElementType]})}]
  })
}

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
  exp: instruction('Exp', {meaning: 'e ** src'}),
  ln: instruction('Ln', {meaning: 'natural logarithm'}),
  sqrt: instruction('Sqrt', {meaning: 'square root'}),
  abs: instruction('Abs', {meaning: 'absolute value'}),
  // The instruction estimates: the twin is off by about a thousandth, as the device's page allows.
  reciprocal: instruction('Reciprocal', {meaning: 'an estimate of 1 / src, good to three digits; use div for more'}),
  relu: instruction('Relu'),
  tanh: instruction('Tanh', {meaning: 'hyperbolic tangent'}),
  erf: instruction('Erf', {meaning: 'error function'}),
  sigmoid: instruction('Sigmoid', {meaning: '1 / (1 + e ** -src)'}),
  add: instruction('Add'),
  sub: instruction('Sub'),
  mul: instruction('Mul'),
  div: instruction('Div'),
  max: instruction('Max', {meaning: 'the larger of a and b'}),
  min: instruction('Min', {meaning: 'the smaller of a and b'}),
  adds: instruction('Adds'),
  subs: instruction('Adds', {meaning: 'src - value'}),
  muls: instruction('Muls'),
  divs: instruction('Muls', {types: floats, meaning: 'src * (1 / value)'}),
  maxs: instruction('Maxs'),
  mins: instruction('Mins'),
  leaky_relu: instruction('LeakyRelu', {meaning: 'src where src >= 0, else src * value'}),
  axpy: instruction('Axpy'),
  mul_add: instruction('MulAddDst'),
  compare: instruction('Compare', {
    types: floats,
    meaning: 'bit i of mask: a mode b, mode one of "lt", "le", "gt", "ge", "eq", "ne"',
  }),
  compares: instruction('CompareScalar', {types: floats, meaning: 'bit i of mask: a mode value'}),
  select: instruction('Select', {named: ['count'], meaning: 'a where the bit of mask is set, else b'}),
  selects: instruction('Select', {
    scalar: true,
    named: ['count'],
    meaning: 'a where the bit of mask is set, else value',
  }),
  reduce_sum: instruction('ReduceSum', {meaning: 'dst[0] = sum of src'}),
  reduce_max: instruction('ReduceMax', {meaning: 'dst[0] = largest of src'}),
  reduce_min: instruction('ReduceMin', {meaning: 'dst[0] = smallest of src'}),
  duplicate: instruction('Duplicate', {meaning: 'dst[i] = value'}),
  copy: instruction('Copy', {types: movable, meaning: 'src, within UB'}),
  cast: instruction('Cast', {
    operands: [
      {name: 'dst', kind: 'out', types: movable},
      {name: 'src', kind: 'in', types: movable},
    ],
    named: ['count', 'round?'],
    meaning: 'src in the type of dst; round one of "none", "rint", "floor", "ceil", "trunc"; equal types copy',
  }),
  arange: instruction('CreateVecIndex', {
    operands: [
      {name: 'dst', kind: 'out'},
      {name: 'first', kind: 'scalar'},
    ],
    types: ['int32', 'float32'],
    meaning: 'dst[i] = first + i',
  }),
  gather: instruction('Gather', {
    operands: [
      {name: 'dst', kind: 'out'},
      {name: 'src', kind: 'in'},
      {name: 'offsets', kind: 'in', types: ['int32']},
    ],
    types: ['float32', 'int32', 'float16', 'int16'],
    meaning: 'dst[i] = the element offsets[i] bytes behind the start of src',
  }),
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
