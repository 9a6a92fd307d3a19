import {erf, erfc, rint} from '../../../datasets/special-functions.ts'
import {isInteger} from '../../../datasets/dtype.ts'
import {understood} from './arrays.ts'
import {elements, elementwise, elementwiseOf, type ElementFunction} from './elementwise.ts'
import type {Formula, FormulaCall, Formulas} from './formula-call.ts'
import {clamp, erfinv, floorMod, gcd} from './mathematics.ts'

const truth =
  (f: (...elements: number[]) => boolean): ElementFunction =>
  (...all) =>
    f(...all) ? 1 : 0

const unary: Readonly<Record<string, ElementFunction>> = {
  Abs: Math.abs,
  Acos: Math.acos,
  Acosh: Math.acosh,
  Asin: Math.asin,
  AsinWithAgent: Math.asin,
  Asinh: Math.asinh,
  AsinhWithAgent: Math.asinh,
  Atan: Math.atan,
  Atanh: Math.atanh,
  Ceil: Math.ceil,
  Cos: Math.cos,
  Cosh: Math.cosh,
  Erf: erf,
  Erfc: erfc,
  Exp2: (x) => 2 ** x,
  Expm1: Math.expm1,
  Floor: Math.floor,
  IsFinite: truth(Number.isFinite),
  IsInf: truth((x) => Math.abs(x) === Infinity),
  IsNan: truth(Number.isNaN),
  IsNegInf: truth((x) => x === -Infinity),
  IsPosInf: truth((x) => x === Infinity),
  Inv: (x) => 1 / x,
  Log10: Math.log10,
  Log1p: Math.log1p,
  Log2: Math.log2,
  LogicalNot: truth((x) => x === 0),
  Neg: (x) => -x,
  OnesLike: () => 1,
  Reciprocal: (x) => 1 / x,
  Rint: rint,
  Rsqrt: (x) => 1 / Math.sqrt(x),
  Sign: Math.sign,
  Signbit: truth((x) => x < 0 || Object.is(x, -0)),
  Sin: Math.sin,
  Sinc: (x) => (x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x)),
  Sinh: Math.sinh,
  Sqrt: Math.sqrt,
  Square: (x) => x * x,
  Tan: Math.tan,
  Tanh: Math.tanh,
  Trunc: Math.trunc,
  ZerosLike: () => 0,
  TensorMove: (x) => x,
}

const comparisons: Readonly<Record<string, ElementFunction>> = {
  Equal: truth((x, y) => x === y),
  Greater: truth((x, y) => x > y),
  GreaterEqual: truth((x, y) => x >= y),
  Less: truth((x, y) => x < y),
  LessEqual: truth((x, y) => x <= y),
  LogicalAnd: truth((x, y) => x !== 0 && y !== 0),
  LogicalOr: truth((x, y) => x !== 0 || y !== 0),
  LogicalXor: truth((x, y) => (x !== 0) !== (y !== 0)),
  NotEqual: truth((x, y) => x !== y),
}

const binary: Readonly<Record<string, ElementFunction>> = {
  ...comparisons,
  AbsDiff: (x, y) => Math.abs(x - y),
  Atan2: Math.atan2,
  DivNoNan: (x, y) => (y === 0 ? 0 : x / y),
  FloorDiv: (x, y) => Math.floor(x / y),
  FloorMod: floorMod,
  Hypot: Math.hypot,
  LogAddExp: (x, y) => Math.max(x, y) + Math.log1p(Math.exp(-Math.abs(x - y))),
  Maximum: Math.max,
  Minimum: Math.min,
  Mod: (x, y) => x % y,
  Mul: (x, y) => x * y,
  MulNoNan: (x, y) => (y === 0 ? 0 : x * y),
  Pow: Math.pow,
  RealDiv: (x, y) => x / y,
  SquaredDifference: (x, y) => (x - y) ** 2,
  TruncateDiv: (x, y) => Math.trunc(x / y),
  TruncateMod: (x, y) => x % y,
  Xdivy: (x, y) => (x === 0 ? 0 : x / y),
  Xlog1py: (x, y) => (x === 0 ? 0 : x * Math.log1p(y)),
  Xlogy: (x, y) => (x === 0 ? 0 : x * Math.log(y)),
}

/** How many bits a whole number has; a bool has one. */
function bitsOf(call: FormulaCall): number {
  const {dtype} = call.x()
  understood(isInteger(dtype))
  return dtype === 'bool' ? 1 : Number(/\d+/.exec(dtype)?.[0])
}

/** Bit by bit. */
function bitwise(inputs: number, f: (...elements: bigint[]) => bigint, isShift = false): Formula {
  return elementwise(inputs, (call) => {
    const {dtype} = call.x()
    const bits = bitsOf(call)
    understood(!isShift || call.x(1).data.every((y) => y >= 0 && y < bits))
    const wrap = dtype.startsWith('u') || dtype === 'bool' ? BigInt.asUintN : BigInt.asIntN
    return (...elements) => Number(wrap(bits, f(...elements.map(BigInt))))
  })
}

/** The ones among as many bits as the type has. */
const population = (x: bigint) => [...x.toString(2)].filter((bit) => bit === '1').length

const populationCount = elementwise(1, (call) => {
  const bits = bitsOf(call)
  return (x) => population(BigInt.asUintN(bits, BigInt(x)))
})

const bits: Formulas = {
  BitwiseAnd: bitwise(2, (x, y) => x & y),
  BitwiseNot: bitwise(1, (x) => ~x),
  BitwiseOr: bitwise(2, (x, y) => x | y),
  BitwiseXor: bitwise(2, (x, y) => x ^ y),
  Invert: bitwise(1, (x) => ~x),
  LeftShift: bitwise(2, (x, y) => x << y, true),
  RightShift: bitwise(2, (x, y) => x >> y, true),
  PopulationCount: populationCount,
}

/** A magnitude that every value of the operands stays below once they are multiplied and added. */
const magnitudes: ElementFunction = (...all) => all.reduce((total, x) => total + Math.abs(x), 0)

/** What a base stands for: -1 is e. */
const baseOf = (call: FormulaCall): number => (call.number('base', -1) === -1 ? Math.E : call.number('base'))
const affine = ['base', 'scale', 'shift']
const scaled = (call: FormulaCall) => (x: number) => x * call.number('scale', 1) + call.number('shift', 0)

const closeTo: Formula = elementwise(
  2,
  (call) => {
    const [relative, absolute] = [call.number('rtol'), call.number('atol')]
    const nans = call.flag('equal_nan', false)
    return truth((x, y) => {
      if (Number.isNaN(x) && Number.isNaN(y)) return nans
      return x === y || (Number.isFinite(x - y) && Math.abs(x - y) <= absolute + relative * Math.abs(y))
    })
  },
  {attributes: ['rtol', 'atol', 'equal_nan']},
)

const sums: Formulas = {
  ...elementwiseOf(2, {Add: (x, y) => x + y, Sub: (x, y) => x - y}, magnitudes),
  ...elementwiseOf(2, {Assign: (_, y) => y, AssignAdd: (x, y) => x + y, AssignSub: (x, y) => x - y}),
  Adds: elementwise(1, (call) => (x) => x + call.number('value'), {attributes: ['value']}),
  Muls: elementwise(1, (call) => (x) => x * call.number('value'), {attributes: ['value']}),
  Axpy: axpy('alpha'),
  AxpyV2: elementwise(3, () => (x, y, a) => x + a * y, {
    terms: () => (x, y, a) => Math.abs(x) + Math.abs(a * y),
  }),
  AxpyV3: elementwise(2, (call) => (x, y) => call.number('a') * x + y, {attributes: ['a'], terms: () => magnitudes}),
  Axpby: elementwise(2, (call) => (x, y) => call.number('alpha') * x + call.number('beta') * y, {
    attributes: ['alpha', 'beta'],
    terms: () => magnitudes,
  }),
  EmaUpdate: elementwise(2, (call) => (x, y) => call.number('decay') * x + (1 - call.number('decay')) * y, {
    attributes: ['decay'],
    terms: () => magnitudes,
  }),
  AddN: summed(),
  AccumulateNv2: summed(),
  Addcmul: fourth(
    (x, a, b, value) => x + value * a * b,
    (x, a, b, value) => Math.abs(x) + Math.abs(value * a * b),
  ),
  Addcdiv: fourth(
    (x, a, b, value) => x + (value * a) / b,
    (x, a, b, value) => Math.abs(x) + Math.abs((value * a) / b),
  ),
  FusedMulAdd: third(
    (x, y, z) => x * y + z,
    (x, y, z) => Math.abs(x * y) + Math.abs(z),
  ),
  FusedMulAddN: third(
    (x, y, z) => x * z + y,
    (x, y, z) => Math.abs(x * z) + Math.abs(y),
  ),
  Lerp: third(
    (x, y, weight) => x + weight * (y - x),
    (x, y, weight) => Math.abs(x) + Math.abs(weight * (y - x)),
  ),
}

const inverseErf = elementwise(1, (call) => {
  understood(call.x().data.every((x) => Math.abs(x) < 1))
  return erfinv
})

function axpy(name: string): Formula {
  return elementwise(2, (call) => (x, y) => x + call.number(name) * y, {attributes: [name], terms: () => magnitudes})
}

function third(f: (a: number, b: number, c: number) => number, terms: typeof f): Formula {
  const wide =
    (g: typeof f): ElementFunction =>
    (a, b, c) =>
      g(a, b, c)
  return elementwise(3, () => wide(f), {terms: () => wide(terms)})
}

function fourth(f: (a: number, b: number, c: number, d: number) => number, terms: typeof f): Formula {
  const wide =
    (g: typeof f): ElementFunction =>
    (a, b, c, d) =>
      g(a, b, c, d)
  return elementwise(4, () => wide(f), {terms: () => wide(terms)})
}

/** The sum of a list of tensors. */
function summed(): Formula {
  return {
    inputs: 1,
    attributes: ['N'],
    of(call) {
      const all = call.list()
      understood(all.length > 0)
      return [elements(all, (...each) => each.reduce((total, x) => total + x, 0), magnitudes)]
    },
  }
}

export const arithmetic: Formulas = {
  ...elementwiseOf(1, unary),
  ...elementwiseOf(2, binary),
  ...bits,
  ...sums,
  ApproximateEqual: elementwise(2, (call) => truth((x, y) => Math.abs(x - y) < call.number('tolerance')), {
    attributes: ['tolerance'],
  }),
  ClipByValue: elementwise(3, () => clamp),
  /** Integers are divided as the mode says; what none says of them is not known. */
  Div: elementwise(
    2,
    (call) => {
      const mode = call.number('mode', 0)
      understood(mode >= 0 && mode <= 2)
      const rounding = [(x: number) => x, Math.trunc, Math.floor][mode] as (x: number) => number
      return (x, y) => rounding(x / y)
    },
    {attributes: ['mode']},
  ),
  Exp: elementwise(1, (call) => (x) => baseOf(call) ** scaled(call)(x), {attributes: affine}),
  ErfInv: inverseErf,
  Erfinv: inverseErf,
  Gcd: elementwise(2, (call) => {
    understood(isInteger(call.x(0).dtype) && isInteger(call.x(1).dtype))
    return gcd
  }),
  IsClose: closeTo,
  Log: elementwise(1, (call) => (x) => Math.log(scaled(call)(x)) / Math.log(baseOf(call)), {attributes: affine}),
  MaskedFill: elementwise(3, () => (x, mask, value) => (mask ? value : x)),
  NanToNum: elementwise(
    1,
    (call) => {
      const [nan, above, below] = ['nan', 'posinf', 'neginf'].map((name) => call.number(name))
      return (x) => {
        if (Number.isNaN(x)) return nan as number
        if (Math.abs(x) === Infinity) return (x > 0 ? above : below) as number
        return x
      }
    },
    {attributes: ['nan', 'posinf', 'neginf']},
  ),
  Pows: elementwise(2, () => Math.pow),
  Round: elementwise(
    1,
    (call) => {
      const step = 10 ** call.number('decimals', 0)
      return (x) => rint(x * step) / step
    },
    {attributes: ['decimals']},
  ),
  Select: elementwise(3, () => (condition, x, y) => (condition ? x : y)),
  // Here the condition is last.
  SelectV3: elementwise(3, () => (x, y, condition) => (condition ? x : y)),
  MaskedScale: elementwise(2, (call) => (x, mask) => x * mask * call.number('scale'), {attributes: ['scale']}),
  BiasAdd: {
    inputs: 2,
    attributes: ['data_format'],
    of(call) {
      const [x, bias] = [call.x(0), call.x(1)]
      const format = call.word('data_format', 'NHWC')
      understood(bias.shape.length === 1 && (format === 'NHWC' || x.shape.length === 2))
      return [elements([x, bias], (a, b) => a + b, magnitudes)]
    },
  },
}
