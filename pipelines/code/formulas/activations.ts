import {axisOf, understood, type Values} from './arrays.ts'
import {elements, elementwise, elementwiseOf, halves, type ElementFunction} from './elementwise.ts'
import type {Formula, FormulaCall, Formulas} from './formula-call.ts'
import {clamp, geluErf, geluFitted, geluTanh, sigmoid, silu, softplus} from './mathematics.ts'

/** The constants of the paper on self-normalising networks. */
export const selu = {alpha: 1.6732632423543772, scale: 1.0507009873554805}

const plain: Formulas = elementwiseOf(1, {
  Bnll: softplus,
  FastGelu: (x) => x * sigmoid(1.702 * x),
  HardSwish: (x) => (x * clamp(x + 3, 0, 6)) / 6,
  LogSigmoid: (x) => -softplus(-x),
  LogsigmoidV2: (x) => -softplus(-x),
  Mish: (x) => x * Math.tanh(softplus(x)),
  Relu: (x) => Math.max(x, 0),
  Relu6: (x) => clamp(x, 0, 6),
  Selu: (x) => selu.scale * (x > 0 ? x : selu.alpha * Math.expm1(x)),
  Sigmoid: sigmoid,
  Silu: silu,
  Softplus: softplus,
  SoftPlusV2: softplus,
  Softsign: (x) => x / (1 + Math.abs(x)),
  SquaredRelu: (x) => Math.max(x, 0) ** 2,
  Tanhshrink: (x) => x - Math.tanh(x),
})

/** With numbers that are attributes; the names that a definition may give each, and what holds where it has none. */
function parametric(
  attributes: Readonly<Record<string, number | undefined>>,
  f: (of: (...names: string[]) => number) => ElementFunction,
): Formula {
  const value = (call: FormulaCall, names: readonly string[]) => {
    const name = names.find((one) => call.has(one)) ?? (names[0] as string)
    return call.number(name, attributes[name])
  }
  return elementwise(1, (call) => f((...names) => value(call, names)), {attributes: Object.keys(attributes)})
}

const elu = (x: number, alpha: number, scale: number, inner: number) =>
  scale * (x > 0 ? x : alpha * Math.expm1(inner * x))

const withNumbers: Formulas = {
  Celu: parametric({alpha: 1}, (of) => {
    const alpha = of('alpha')
    return (x) => (x > 0 ? x : alpha * Math.expm1(x / alpha))
  }),
  Elu: parametric({alpha: 1, scale: 1, input_scale: 1, inputScale: 1}, (of) => {
    const [alpha, scale, inner] = [of('alpha'), of('scale'), of('input_scale', 'inputScale')]
    return (x) => elu(x, alpha, scale, inner)
  }),
  HardShrink: parametric({lambd: 0.5}, (of) => (x) => (Math.abs(x) > of('lambd') ? x : 0)),
  HardSigmoid: parametric({alpha: 1 / 6, beta: 0.5}, (of) => (x) => clamp(x * of('alpha') + of('beta'), 0, 1)),
  LeakyRelu: leaky(),
  LeakyreluV2: leaky(),
  Softshrink: parametric({lambd: 0.5}, (of) => (x) => (Math.abs(x) > of('lambd') ? x - Math.sign(x) * of('lambd') : 0)),
  Swish: parametric({scale: 1}, (of) => (x) => x * sigmoid(of('scale') * x)),
  Threshold: parametric(
    {threshold: undefined, value: undefined},
    (of) => (x) => (x > of('threshold') ? x : of('value')),
  ),
  Logit: parametric({eps: -1}, (of) => (x) => {
    const inside = of('eps') < 0 ? x : clamp(x, of('eps'), 1 - of('eps'))
    return Math.log(inside / (1 - inside))
  }),
}

function leaky(): Formula {
  return parametric(
    {negative_slope: undefined, negativeSlope: undefined},
    (of) => (x) => (x > 0 ? x : x * of('negative_slope', 'negativeSlope')),
  )
}

type Gelu = (x: number) => number

/** `none` is by the error function, `tanh` the approximation. */
const gelus: Readonly<Record<string, Gelu>> = {none: geluErf, tanh: geluTanh}

/** Both read one tensor as a gate and what it opens, along an axis. */
function gated(attributes: readonly string[], f: (call: FormulaCall, a: Values, b: Values) => Values[]): Formula {
  return {
    inputs: 1,
    attributes,
    of(call) {
      const x = call.x()
      const axis = axisOf(call.number('dim', -1), x.shape.length)
      return f(call, ...halves(x, axis))
    },
  }
}

const units: Formulas = {
  GeGlu: gated(['dim', 'approximate', 'activate_left'], (call, left, right) => {
    const gelu = [geluErf, geluTanh][call.number('approximate', 1)] as Gelu
    const [active, other] = call.flag('activate_left', false) ? [left, right] : [right, left]
    return [elements([active, other], (a, b) => gelu(a) * b), elements([active], gelu)]
  }),
  GeluMul: gated(['approximate'], (call, a, b) => {
    const gelu = gelus[call.word('approximate')] as Gelu
    return [elements([a, b], (x, y) => gelu(x) * y)]
  }),
  GLU: glu(),
  Glu: glu(),
  ReGlu: gated(['dim'], (_, a, b) => [elements([a, b], (x, y) => Math.max(x, 0) * y)]),
  SituGlu: gated(['dim', 'beta', 'linear_beta', 'activate_left'], (call, left, right) => {
    const [beta, linear] = [call.number('beta'), call.number('linear_beta')]
    const [gate, up] = call.flag('activate_left') ? [left, right] : [right, left]
    const bent = (x: number) => (linear > 0 ? linear * Math.tanh(x / linear) : x)
    return [elements([gate, up], (x, y) => beta * Math.tanh(x / beta) * sigmoid(x) * bent(y))]
  }),
  SwiGlu: gated(['dim'], (_, a, b) => [elements([a, b], (x, y) => silu(x) * y)]),
  SwigluClamp: gated(['limit'], (call, a, b) => {
    const limit = call.number('limit')
    return [elements([a, b], (x, y) => Math.min(silu(x), limit) * clamp(y, -limit, limit))]
  }),
}

function glu(): Formula {
  return gated(['dim'], (_, a, b) => [elements([a, b], (x, y) => x * sigmoid(y))])
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
    ...elementwise(1, () => geluTanh),
    or: {...elementwise(1, () => geluErf), or: elementwise(1, () => geluFitted)},
  },
  GeluV2: elementwise(1, (call) => gelus[call.word('approximate')] as Gelu, {attributes: ['approximate']}),
  FatreluMul: {
    inputs: 2,
    of(call) {
      const [a, b] = halves(call.x(), call.x().shape.length - 1)
      return [elements([a, b, call.x(1)], (x, y, least) => (x < least ? 0 : x) * y)]
    },
  },
  /** The weight is one, or one for each channel; channels are the second axis. */
  Prelu: {
    inputs: 2,
    of(call) {
      const [x, {shape, data}] = [call.x(0), call.x(1)]
      understood(data.length === 1 || (shape.length === 1 && data.length === x.shape[1]))
      const weight = {shape: [data.length, ...x.shape.slice(2).map(() => 1)], data}
      return [elements([x, weight], (one, w) => (one > 0 ? one : one * w))]
    },
  },
  // How its mask is packed, the page does not say.
  ReluV3: {
    inputs: 1,
    of: (call) => [elements([call.x()], (x) => Math.max(x, 0)), undefined],
  },
}
