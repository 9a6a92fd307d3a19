import {erf} from '../../../datasets/special-functions.ts'
import {selu} from './activations.ts'
import {axisOf, joined, mapped} from './arrays.ts'
import {elementwise, elementwiseOf, halves, parametric, type ElementFunction} from './elementwise.ts'
import {formula, type Formulas} from './formula-call.ts'
import {sigmoid, silu, softplus} from './mathematics.ts'

const normalDensity = (x: number) => Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI)

const geluErfSlope = (x: number) => 0.5 * (1 + erf(x / Math.SQRT2)) + x * normalDensity(x)

function geluTanhSlope(x: number): number {
  const root = Math.sqrt(2 / Math.PI)
  const inner = Math.tanh(root * (x + 0.044715 * x ** 3))
  return 0.5 * (1 + inner) + 0.5 * x * (1 - inner * inner) * root * (1 + 3 * 0.044715 * x * x)
}

function mishSlope(x: number): number {
  const inner = Math.tanh(softplus(x))
  return inner + x * (1 - inner * inner) * sigmoid(x)
}

const siluSlope = (x: number) => sigmoid(x) * (1 + x * (1 - sigmoid(x)))

/** At -3 and 3 pages differ: each may belong to the slope or to the outside. */
const hardSwishSlope = (isInside: (distance: number) => boolean) => (dy: number, x: number) =>
  dy * (isInside(Math.abs(x)) ? x / 3 + 0.5 : Number(x > 0))

/** By the gradient of the output, then the forward input. */
const byInput: Readonly<Record<string, (x: number) => number>> = {
  HardSigmoidGrad: (x) => (Math.abs(x) < 3 ? 1 / 6 : 0),
  LogSigmoidGrad: (x) => sigmoid(-x),
  MishGrad: mishSlope,
  ReluGrad: (x) => Number(x > 0),
  SiluGrad: siluSlope,
  SoftsignGrad: (x) => 1 / (1 + Math.abs(x)) ** 2,
}

const gradients: Formulas = elementwiseOf(2, {
  ...Object.fromEntries(
    Object.entries(byInput).map(([name, slope]) => [name, (dy: number, x: number) => dy * slope(x)]),
  ),
  // Of these the second is the forward output.
  EluGrad: (dy, y) => dy * (Math.min(y, 0) + 1),
  SeluGrad: (dy, y) => dy * (y < 0 ? y + selu.scale * selu.alpha : selu.scale),
  ReluGradV4: (dy, mask) => (mask ? dy : 0),
  // Of these the first is the forward input or output.
  AbsGrad: (y, dy) => Math.sign(y) * dy,
  AcoshGrad: (y, dy) => dy / Math.sinh(y),
  AsinGrad: (x, dy) => dy / Math.sqrt(1 - x * x),
  AsinhGrad: (y, dy) => dy / Math.cosh(y),
  AtanGrad: (x, dy) => dy / (1 + x * x),
  InvGrad: (y, dy) => -dy * y * y,
  ReluGradV3: (x, dy) => (x > 0 ? dy : 0),
  RsqrtGrad: (y, dy) => -0.5 * dy * y ** 3,
  SigmoidGrad: (y, dy) => dy * y * (1 - y),
  SqrtGrad: (y, dy) => (0.5 * dy) / y,
  TanhGrad: (y, dy) => dy * (1 - y * y),
})

const acosGradient: ElementFunction = (x = 0, dy = 0) => -dy / Math.sqrt(1 - x * x)

const shrunk = parametric(2, {lambd: undefined}, (dy, x, limit) => (Math.abs(x) > limit ? dy : 0))

const slopes: Formulas = {
  HardShrinkGrad: shrunk,
  SoftshrinkGrad: shrunk,
  ThresholdGradV2D: parametric(2, {threshold: undefined}, (dy, x, limit) => (x > limit ? dy : 0)),
  HardtanhGrad: parametric(2, {min_val: undefined, max_val: undefined}, (x, dy, least, most) =>
    x > most || x < least ? 0 : dy,
  ),
  LeakyReluGrad: parametric(2, {'negativeSlope|negative_slope': undefined}, (dy, x, slope) =>
    x > 0 ? dy : dy * slope,
  ),
  LogitGrad: parametric(2, {eps: -1}, (x, dy, eps) => {
    const [least, outer] = eps < 0 ? [0, NaN] : [eps, 0]
    return x < least || x > 1 - least ? outer : dy / (x * (1 - x))
  }),
  EluGradV2: elementwise(2, ['alpha', 'scale', 'input_scale', 'is_result'], (call) => {
    const [alpha, scale, inner] = [call.number('alpha'), call.number('scale'), call.number('input_scale')]
    if (call.flag('is_result')) return (dy, y) => dy * (y > 0 ? scale : inner * (y + alpha * scale))
    return (dy, x) => dy * (x > 0 ? scale : alpha * scale * inner * Math.exp(x * inner))
  }),
  SoftplusV2Grad: parametric(2, {beta: undefined, threshold: undefined}, (dy, x, beta, threshold) =>
    x * beta > threshold ? dy : dy * sigmoid(x * beta),
  ),
}

export const activationGradients: Formulas = {
  ...gradients,
  ...slopes,
  HardSwishGrad: {
    ...elementwise(2, [], () => hardSwishSlope((distance) => distance < 3)),
    or: elementwise(2, [], () => hardSwishSlope((distance) => distance <= 3)),
  },
  // One definition puts the gradient first.
  AcosGrad: {...elementwise(2, [], () => acosGradient), or: elementwise(2, [], () => (dy, x) => acosGradient(x, dy))},
  GeluGrad: formula(3, [], (call) => mapped(call.first(2), (dy, x) => dy * geluTanhSlope(x))),
  GeluGradV2: elementwise(2, ['approximate'], (call) => {
    const slope = {none: geluErfSlope, tanh: geluTanhSlope}[call.word('approximate')] as typeof geluErfSlope
    return (dy, x) => dy * slope(x)
  }),
  SwishGrad: formula(3, ['scale', 'sconf'], (call) => {
    const scale = call.number(call.named('sconf', 'scale'), 1)
    return mapped(call.first(2), (dy, x) => dy * sigmoid(scale * x) * (1 + scale * x * (1 - sigmoid(scale * x))))
  }),
  SwiGluGrad: formula(2, ['dim'], (call) => {
    const [dy, x] = [call.x(0), call.x(1)]
    const axis = axisOf(call.number('dim'), x.shape.length)
    const [a, b] = halves(x, axis)
    const left = mapped([dy, a, b], (slope, gate, up) => slope * up * siluSlope(gate))
    return joined([left, mapped([dy, a], (slope, gate) => slope * silu(gate))], axis)
  }),
}
