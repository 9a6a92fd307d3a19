import {isInteger} from '../../../datasets/dtype.ts'
import {erf, erfc, rint} from '../../../datasets/special-functions.ts'
import {known, understood} from './arrays.ts'
import {elementwise, elementwiseOf, parametric, summed, termwise, type ElementFunction} from './elementwise.ts'
import {formula, type Formula, type Formulas, type Operand} from './formula-call.ts'
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
  Pows: Math.pow,
  RealDiv: (x, y) => x / y,
  SquaredDifference: (x, y) => (x - y) ** 2,
  TruncateDiv: (x, y) => Math.trunc(x / y),
  TruncateMod: (x, y) => x % y,
  Xdivy: (x, y) => (x === 0 ? 0 : x / y),
  Xlog1py: (x, y) => (x === 0 ? 0 : x * Math.log1p(y)),
  Xlogy: (x, y) => (x === 0 ? 0 : x * Math.log(y)),
}

/** How many bits a whole number has; a bool has one. */
function bitsOf({dtype}: Operand): number {
  understood(isInteger(dtype))
  return dtype === 'bool' ? 1 : Number(/\d+/.exec(dtype)?.[0])
}

/** Bit by bit. */
function bitwise(inputs: number, f: (...elements: bigint[]) => bigint, isShift = false): Formula {
  return elementwise(inputs, [], (call) => {
    const {dtype} = call.x()
    const bits = bitsOf(call.x())
    understood(!isShift || call.x(1).data.every((y) => y >= 0 && y < bits))
    const wrap = dtype.startsWith('u') || dtype === 'bool' ? BigInt.asUintN : BigInt.asIntN
    return (...elements) => Number(wrap(bits, f(...elements.map(BigInt))))
  })
}

const bits: Formulas = {
  BitwiseAnd: bitwise(2, (x, y) => x & y),
  BitwiseNot: bitwise(1, (x) => ~x),
  BitwiseOr: bitwise(2, (x, y) => x | y),
  BitwiseXor: bitwise(2, (x, y) => x ^ y),
  Invert: bitwise(1, (x) => ~x),
  LeftShift: bitwise(2, (x, y) => x << y, true),
  RightShift: bitwise(2, (x, y) => x >> y, true),
  PopulationCount: elementwise(1, [], (call) => {
    const width = bitsOf(call.x())
    return (x) => BigInt.asUintN(width, BigInt(x)).toString(2).replaceAll('0', '').length
  }),
}

/** The meaning of a base: -1 is e. */
const baseOf = (base: number) => (base === -1 ? Math.E : base)
const affine = {base: -1, scale: 1, shift: 0}

/** The sum of a list of tensors. */
const listSum = formula(1, ['N'], (call) => {
  understood(call.list().length > 0)
  return summed(call.list(), (...each) => each)
})

const sums: Formulas = {
  Add: termwise(2, [], () => (x, y) => [x, y]),
  Sub: termwise(2, [], () => (x, y) => [x, -y]),
  ...elementwiseOf(2, {Assign: (_, y) => y, AssignAdd: (x, y) => x + y, AssignSub: (x, y) => x - y}),
  Adds: parametric(1, {value: undefined}, (x, value) => x + value),
  Muls: parametric(1, {value: undefined}, (x, value) => x * value),
  Axpy: termwise(2, ['alpha'], (call) => (x, y) => [x, call.number('alpha') * y]),
  AxpyV2: termwise(3, [], () => (x, y, a) => [x, a * y]),
  AxpyV3: termwise(2, ['a'], (call) => (x, y) => [call.number('a') * x, y]),
  Axpby: termwise(2, ['alpha', 'beta'], (call) => (x, y) => [call.number('alpha') * x, call.number('beta') * y]),
  EmaUpdate: termwise(2, ['decay'], (call) => (x, y) => [call.number('decay') * x, (1 - call.number('decay')) * y]),
  AddN: listSum,
  AccumulateNv2: listSum,
  Addcmul: termwise(4, [], () => (x, a, b, value) => [x, value * a * b]),
  Addcdiv: termwise(4, [], () => (x, a, b, value) => [x, (value * a) / b]),
  FusedMulAdd: termwise(3, [], () => (x, y, z) => [x * y, z]),
  FusedMulAddN: termwise(3, [], () => (x, y, z) => [x * z, y]),
  Lerp: termwise(3, [], () => (x, y, weight) => [x, weight * (y - x)]),
  BiasAdd: formula(2, ['data_format'], (call) => {
    const [x, bias] = [call.x(0), call.x(1)]
    const format = call.word('data_format', 'NHWC')
    understood(bias.shape.length === 1 && (format === 'NHWC' || x.shape.length === 2))
    return summed([x, bias], (a, b) => [a, b])
  }),
}

const inverseErf = elementwise(1, [], (call) => {
  understood(call.x().data.every((x) => Math.abs(x) < 1))
  return erfinv
})

export const arithmetic: Formulas = {
  ...elementwiseOf(1, unary),
  ...elementwiseOf(2, binary),
  ...elementwiseOf(3, {
    ClipByValue: clamp,
    MaskedFill: (x, mask, value) => (mask ? value : x),
    Select: (condition, x, y) => (condition ? x : y),
    // Here the condition is last.
    SelectV3: (x, y, condition) => (condition ? x : y),
  }),
  ...bits,
  ...sums,
  ApproximateEqual: parametric(2, {tolerance: undefined}, (x, y, most) => Number(Math.abs(x - y) < most)),
  /** Integers are divided as the mode says; without a mode, the result is unknown. */
  Div: elementwise(2, ['mode'], (call) => {
    const rounding = known([(x: number) => x, Math.trunc, Math.floor][call.number('mode', 0)])
    return (x, y) => rounding(x / y)
  }),
  Exp: parametric(1, affine, (x, base, scale, shift) => baseOf(base) ** (x * scale + shift)),
  ErfInv: inverseErf,
  Erfinv: inverseErf,
  Gcd: elementwise(2, [], (call) => {
    understood(call.first(2).every(({dtype}) => isInteger(dtype)))
    return gcd
  }),
  IsClose: elementwise(2, ['rtol', 'atol', 'equal_nan'], (call) => {
    const [relative, absolute] = [call.number('rtol'), call.number('atol')]
    const nans = call.flag('equal_nan', false)
    return truth((x, y) => {
      if (Number.isNaN(x) && Number.isNaN(y)) return nans
      return x === y || (Number.isFinite(x - y) && Math.abs(x - y) <= absolute + relative * Math.abs(y))
    })
  }),
  Log: parametric(1, affine, (x, base, scale, shift) => Math.log(x * scale + shift) / Math.log(baseOf(base))),
  NanToNum: parametric(1, {nan: undefined, posinf: undefined, neginf: undefined}, (x, nan, above, below) => {
    if (Number.isNaN(x)) return nan
    if (Number.isFinite(x)) return x
    return x > 0 ? above : below
  }),
  Round: parametric(1, {decimals: 0}, (x, decimals) => rint(x * 10 ** decimals) / 10 ** decimals),
  MaskedScale: parametric(2, {scale: undefined}, (x, mask, scale) => x * mask * scale),
}
