import {axisOf, mapped, understood, type Values} from './arrays.ts'
import {elementwise, elementwiseOf, halves, parametric} from './elementwise.ts'
import {formula, type Formula, type FormulaCall, type Formulas, type Result} from './formula-call.ts'
import {clamp, geluErf, geluFitted, geluTanh, sigmoid, silu, softplus} from './mathematics.ts'

/** The constants of the paper on self-normalising networks. */
export const selu = {alpha: 1.6732632423543772, scale: 1.0507009873554805}

const relu = (x: number) => Math.max(x, 0)
const logSigmoid = (x: number) => -softplus(-x)

const plain: Formulas = elementwiseOf(1, {
  Bnll: softplus,
  FastGelu: (x) => x * sigmoid(1.702 * x),
  HardSwish: (x) => (x * clamp(x + 3, 0, 6)) / 6,
  LogSigmoid: logSigmoid,
  LogsigmoidV2: logSigmoid,
  Mish: (x) => x * Math.tanh(softplus(x)),
  Relu: relu,
  // How the mask, its second output, is packed, the page does not say.
  ReluV3: relu,
  Relu6: (x) => clamp(x, 0, 6),
  Selu: (x) => selu.scale * (x > 0 ? x : selu.alpha * Math.expm1(x)),
  Sigmoid: sigmoid,
  Silu: silu,
  Softplus: softplus,
  SoftPlusV2: softplus,
  Softsign: (x) => x / (1 + Math.abs(x)),
  SquaredRelu: (x) => relu(x) ** 2,
  Tanhshrink: (x) => x - Math.tanh(x),
})

const leaky = parametric(1, {'negative_slope|negativeSlope': undefined}, (x, slope) => (x > 0 ? x : x * slope))

const withNumbers: Formulas = {
  Celu: parametric(1, {alpha: 1}, (x, alpha) => (x > 0 ? x : alpha * Math.expm1(x / alpha))),
  Elu: parametric(
    1,
    {alpha: 1, scale: 1, 'input_scale|inputScale': 1},
    (x, alpha, scale, inner) => scale * (x > 0 ? x : alpha * Math.expm1(inner * x)),
  ),
  HardShrink: parametric(1, {lambd: 0.5}, (x, limit) => (Math.abs(x) > limit ? x : 0)),
  HardSigmoid: parametric(1, {alpha: 1 / 6, beta: 0.5}, (x, alpha, beta) => clamp(x * alpha + beta, 0, 1)),
  LeakyRelu: leaky,
  LeakyreluV2: leaky,
  Softshrink: parametric(1, {lambd: 0.5}, (x, limit) => (Math.abs(x) > limit ? x - Math.sign(x) * limit : 0)),
  Swish: parametric(1, {scale: 1}, (x, scale) => x * sigmoid(scale * x)),
  Threshold: parametric(1, {threshold: undefined, value: undefined}, (x, least, value) => (x > least ? x : value)),
  Logit: parametric(1, {eps: -1}, (x, eps) => {
    const inside = eps < 0 ? x : clamp(x, eps, 1 - eps)
    return Math.log(inside / (1 - inside))
  }),
}

type Gelu = (x: number) => number

/** `none` is by the error function, `tanh` the approximation. */
const gelus: Readonly<Record<string, Gelu>> = {none: geluErf, tanh: geluTanh}

const geluOf = (call: FormulaCall): Gelu => gelus[call.word('approximate')] as Gelu

/** One tensor is a gate and what it opens, along an axis. */
const gated = (attributes: readonly string[], f: (call: FormulaCall, a: Values, b: Values) => Result | Result[]) =>
  formula(1, attributes, (call) => {
    const x = call.x()
    return f(call, ...halves(x, axisOf(call.number('dim', -1), x.shape.length)))
  })

const opened = (f: (x: number, y: number) => number): Formula => gated(['dim'], (_, a, b) => mapped([a, b], f))

const glu = opened((x, y) => x * sigmoid(y))

const units: Formulas = {
  GeGlu: gated(['dim', 'approximate', 'activate_left'], (call, left, right) => {
    const gelu = [geluErf, geluTanh][call.number('approximate', 1)] as Gelu
    const [active, other] = call.flag('activate_left', false) ? [left, right] : [right, left]
    return [mapped([active, other], (a, b) => gelu(a) * b), mapped([active], gelu)]
  }),
  GeluMul: gated(['approximate'], (call, a, b) => {
    const gelu = geluOf(call)
    return mapped([a, b], (x, y) => gelu(x) * y)
  }),
  GLU: glu,
  Glu: glu,
  ReGlu: opened((x, y) => relu(x) * y),
  SituGlu: gated(['dim', 'beta', 'linear_beta', 'activate_left'], (call, left, right) => {
    const [beta, linear] = [call.number('beta'), call.number('linear_beta')]
    const [gate, up] = call.flag('activate_left') ? [left, right] : [right, left]
    const bent = (x: number) => (linear > 0 ? linear * Math.tanh(x / linear) : x)
    return mapped([gate, up], (x, y) => beta * Math.tanh(x / beta) * sigmoid(x) * bent(y))
  }),
  SwiGlu: opened((x, y) => silu(x) * y),
  SwigluClamp: gated(['limit'], (call, a, b) => {
    const limit = call.number('limit')
    return mapped([a, b], (x, y) => Math.min(silu(x), limit) * clamp(y, -limit, limit))
  }),
}

export const activations: Formulas = {
  ...plain,
  ...withNumbers,
  ...units,
  ...elementwiseOf(2, {
    Heaviside: (x, at) => (x === 0 ? at : Number(x > 0)),
    SiluMul: (x, y) => silu(x) * y,
  }),
  Gelu: {
    ...elementwise(1, [], () => geluTanh),
    or: {...elementwise(1, [], () => geluErf), or: elementwise(1, [], () => geluFitted)},
  },
  GeluV2: elementwise(1, ['approximate'], geluOf),
  FatreluMul: formula(2, [], (call) => {
    const [a, b] = halves(call.x(), call.x().shape.length - 1)
    return mapped([a, b, call.x(1)], (x, y, least) => (x < least ? 0 : x) * y)
  }),
  /** The weight is one, or one for each channel; channels are the second axis. */
  Prelu: formula(2, [], (call) => {
    const [x, {shape, data}] = [call.x(0), call.x(1)]
    understood(data.length === 1 || (shape.length === 1 && data.length === x.shape[1]))
    const weight = {shape: [data.length, ...x.shape.slice(2).map(() => 1)], data}
    return mapped([x, weight], (one, w) => (one > 0 ? one : one * w))
  }),
}
