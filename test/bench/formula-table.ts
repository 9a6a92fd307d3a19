import type {AttributeValue} from '../../datasets/schema/task.ts'
import {evenRound} from './operator-call.ts'

/** What an elementwise operator computes of its inputs' elements, in double precision. */
export interface Formula {
  of(...values: number[]): number
  /** Values from which inputs are drawn; default [-4, 4]. */
  domain?: readonly [number, number]
  /** Of inputs that have a range of their own. */
  domains?: Readonly<Record<string, readonly [number, number]>>
  /** Integer results are rounded to the nearest one; by default their fraction is cut off. */
  nearest?: boolean
  /** Given where the operator has such an attribute: the formula is for this value. */
  attributes?: Readonly<Record<string, AttributeValue>>
}

const sigmoid = (x: number) => 1 / (1 + Math.exp(-x))
const softplus = (x: number) => Math.log1p(Math.exp(-Math.abs(x))) + Math.max(x, 0)
const clamp = (x: number, low: number, high: number) => Math.min(Math.max(x, low), high)
const scale = 1.0507009873554805
const alpha = 1.6732632423543772

/** erf to 1.2e-7 by a rational approximation is too rough; its series converges everywhere for |x| < 6. */
function erf(x: number): number {
  if (Math.abs(x) > 6) return Math.sign(x)
  let term = x
  let sum = x
  for (let n = 1; Math.abs(term) > 1e-17 * Math.abs(sum) && n < 400; n += 1) {
    term *= (-x * x) / n
    sum += term / (2 * n + 1)
  }
  return (2 / Math.sqrt(Math.PI)) * sum
}

const one: Readonly<Record<string, Formula>> = {
  Abs: {of: Math.abs},
  Acos: {of: Math.acos, domain: [-0.99, 0.99]},
  Acosh: {of: Math.acosh, domain: [1.1, 20]},
  Asin: {of: Math.asin, domain: [-0.99, 0.99]},
  Asinh: {of: Math.asinh},
  Atan: {of: Math.atan},
  Atanh: {of: Math.atanh, domain: [-0.9, 0.9]},
  Ceil: {of: Math.ceil},
  Celu: {of: (x) => Math.max(0, x) + Math.min(0, Math.expm1(x)), attributes: {alpha: 1}},
  Cos: {of: Math.cos},
  Cosh: {of: Math.cosh},
  Elu: {of: (x) => (x > 0 ? x : Math.expm1(x))},
  Erf: {of: erf},
  Exp: {of: Math.exp},
  Floor: {of: Math.floor},
  Gelu: {of: (x) => 0.5 * x * (1 + erf(x / Math.SQRT2))},
  HardSwish: {of: (x) => (x * clamp(x + 3, 0, 6)) / 6, domain: [-8, 8]},
  Log: {of: Math.log, domain: [0.1, 20]},
  Log1p: {of: Math.log1p, domain: [-0.9, 20]},
  LogSigmoid: {of: (x) => -softplus(-x)},
  LogicalNot: {of: (x) => Number(x === 0)},
  Mish: {of: (x) => x * Math.tanh(softplus(x))},
  Neg: {of: (x) => -x},
  OnesLike: {of: () => 1},
  Reciprocal: {of: (x) => 1 / x, domain: [0.2, 8]},
  Relu: {of: (x) => Math.max(0, x)},
  Round: {of: evenRound},
  // Its page leaves open how integer results are rounded; the operator names CAST_RINT.
  Rsqrt: {of: (x) => 1 / Math.sqrt(x), domain: [0.2, 20], nearest: true},
  Selu: {of: (x) => scale * (x > 0 ? x : alpha * Math.expm1(x))},
  Sigmoid: {of: sigmoid},
  Sign: {of: Math.sign},
  Sin: {of: Math.sin},
  Sinh: {of: Math.sinh},
  SoftPlus: {of: softplus},
  Sqrt: {of: Math.sqrt, domain: [0, 20]},
  Square: {of: (x) => x * x},
  SquaredRelu: {of: (x) => Math.max(0, x) ** 2},
  Swish: {of: (x) => x * sigmoid(x)},
  Tan: {of: Math.tan, domain: [-1.2, 1.2]},
  Tanh: {of: Math.tanh},
  TensorMove: {of: (x) => x},
  Trunc: {of: Math.trunc},
  ZerosLike: {of: () => 0},
}

const two: Readonly<Record<string, Formula>> = {
  Add: {of: (a, b) => a + b},
  Atan2: {of: Math.atan2},
  Div: {of: (a, b) => a / b, domain: [0.5, 8]},
  Equal: {of: (a, b) => Number(a === b)},
  FloorDiv: {of: (a, b) => Math.floor(a / b), domain: [0.5, 8]},
  Greater: {of: (a, b) => Number(a > b)},
  Less: {of: (a, b) => Number(a < b)},
  LogAddExp: {of: (a, b) => Math.max(a, b) + Math.log1p(Math.exp(-Math.abs(a - b)))},
  LogicalAnd: {of: (a, b) => Number(a !== 0 && b !== 0)},
  LogicalOr: {of: (a, b) => Number(a !== 0 || b !== 0)},
  Maximum: {of: Math.max},
  Minimum: {of: Math.min},
  Mul: {of: (a, b) => a * b},
  NotEqual: {of: (a, b) => Number(a !== b)},
  Pow: {of: (a, b) => a ** b, domain: [0.3, 3]},
  RealDiv: {of: (a, b) => a / b, domain: [0.5, 8]},
  Sub: {of: (a, b) => a - b},
  TruncateDiv: {of: (a, b) => Math.trunc(a / b), domain: [0.5, 8]},
}

/** Gradients: of what the forward pass had or gave, and of the gradient that comes in. */
const gradients: Readonly<Record<string, Formula>> = {
  AcosGrad: {of: (x, dy) => -dy / Math.sqrt(1 - x * x), domain: [-0.9, 0.9]},
  AsinGrad: {of: (x, dy) => dy / Math.sqrt(1 - x * x), domain: [-0.9, 0.9]},
  AsinhGrad: {of: (y, dy) => dy / Math.cosh(y)},
  AcoshGrad: {of: (y, dy) => dy / Math.sinh(y), domain: [0.3, 3]},
  AtanGrad: {of: (x, dy) => dy / (1 + x * x)},
  ReluGrad: {of: (x, dy) => (x > 0 ? dy : 0)},
  RsqrtGrad: {of: (y, dy) => -0.5 * dy * y ** 3},
  SigmoidGrad: {of: (y, dy) => dy * y * (1 - y)},
  SqrtGrad: {of: (y, dy) => (0.5 * dy) / y, domain: [0.3, 4]},
  TanhGrad: {of: (y, dy) => dy * (1 - y * y)},
}

const isGradient = /^(?:d[yz]|y_grad|grads?|gradients?|grad_\w+|dout)$/

/** Operators whose README states another formula than their name stands for, by their folder. */
const documented: Readonly<Record<string, Formula>> = {
  // The second input is a mask of 0 and 1, which unsigned types draw from this range.
  'ops-nn/experimental/activation/relu_grad_v4': {of: (dy, mask) => dy * mask, domains: {features: [-1, 1]}},
  // The approximation that the README gives beside the exact formula.
  'ops-nn/experimental/activation/gelu': {of: (x) => x / (1 + Math.exp(-1.595769122 * (x + 0.0455399241 * x ** 3)))},
}

/**
 * The formula of an operator by its folder, its name and the names of its inputs; versions (`ExpV2`) have that of the
 * first. The function takes values in the order of the inputs.
 */
export function formulaOf(folder: string, operator: string, inputs: readonly string[]): Formula | undefined {
  const own = documented[folder]
  if (own) return own
  const name = operator.replace(/(?:V\d+|WithAgent|Plus|Nv\d)$/, '')
  const [first = '', second = ''] = inputs
  if (inputs.length === 1) return one[name] ?? one[renamed[name] ?? '']
  if (inputs.length !== 2) return undefined
  const gradient = gradients[name]
  if (!gradient) return two[name]
  const {of, ...rest} = gradient
  if (isGradient.test(second)) return gradient
  return isGradient.test(first) ? {...rest, of: (dy, x) => of(x as number, dy as number)} : undefined
}

const renamed: Readonly<Record<string, string>> = {
  Logsigmoid: 'LogSigmoid',
  Softplus: 'SoftPlus',
  Silu: 'Swish',
}
