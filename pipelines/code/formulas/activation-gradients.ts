import {erf} from '../../../datasets/special-functions.ts'
import {selu} from './activations.ts'
import {axisOf} from './arrays.ts'
import {elements, elementwise, elementwiseOf, halves, type ElementFunction} from './elementwise.ts'
import type {Formula, Formulas} from './formula-call.ts'
import {sigmoid, silu, softplus} from './mathematics.ts'
import {joined} from './shapes.ts'

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

/** At -3 and 3 pages differ: each may belong to the slope or to what lies outside. */
const hardSwishSlope = (isInside: (distance: number) => boolean) => (dy: number, x: number) =>
  dy * (isInside(Math.abs(x)) ? x / 3 + 0.5 : Number(x > 0))

/** By the gradient of the output, then the forward input. */
const byInput: Readonly<Record<string, (x: number) => number>> = {
  GeluGradV2: geluErfSlope,
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

const limited = (attribute: string, f: (limit: number) => ElementFunction): Formula =>
  elementwise(2, (call) => f(call.number(attribute)), {attributes: [attribute]})

const shrunk = limited('lambd', (limit) => (dy, x) => (Math.abs(x) > limit ? dy : 0))

const slopes: Formulas = {
  HardShrinkGrad: shrunk,
  SoftshrinkGrad: shrunk,
  ThresholdGradV2D: limited('threshold', (limit) => (dy, x) => (x > limit ? dy : 0)),
  HardtanhGrad: elementwise(
    2,
    (call) => (x, dy) => (x > call.number('max_val') || x < call.number('min_val') ? 0 : dy),
    {attributes: ['min_val', 'max_val']},
  ),
  LeakyReluGrad: elementwise(
    2,
    (call) => {
      const slope = call.number(call.has('negativeSlope') ? 'negativeSlope' : 'negative_slope')
      return (dy, x) => (x > 0 ? dy : dy * slope)
    },
    {attributes: ['negative_slope', 'negativeSlope']},
  ),
  LogitGrad: elementwise(
    2,
    (call) => {
      const eps = call.number('eps', -1)
      const [least, outer] = eps < 0 ? [0, NaN] : [eps, 0]
      return (x, dy) => (x < least || x > 1 - least ? outer : dy / (x * (1 - x)))
    },
    {attributes: ['eps']},
  ),
  EluGradV2: elementwise(
    2,
    (call) => {
      const [alpha, scale, inner] = ['alpha', 'scale', 'input_scale'].map((name) => call.number(name)) as [
        number,
        number,
        number,
      ]
      if (call.flag('is_result')) return (dy, y) => dy * (y > 0 ? scale : inner * (y + alpha * scale))
      return (dy, x) => dy * (x > 0 ? scale : alpha * scale * inner * Math.exp(x * inner))
    },
    {attributes: ['alpha', 'scale', 'input_scale', 'is_result']},
  ),
  SoftplusV2Grad: elementwise(
    2,
    (call) => {
      const [beta, threshold] = [call.number('beta'), call.number('threshold')]
      return (dy, x) => (x * beta > threshold ? dy : dy * sigmoid(x * beta))
    },
    {attributes: ['beta', 'threshold']},
  ),
}

export const activationGradients: Formulas = {
  ...gradients,
  ...slopes,
  HardSwishGrad: {
    ...elementwise(2, () => hardSwishSlope((distance) => distance < 3)),
    or: elementwise(2, () => hardSwishSlope((distance) => distance <= 3)),
  },
  // One definition puts the gradient first.
  AcosGrad: {...elementwise(2, () => acosGradient), or: elementwise(2, () => (dy, x) => acosGradient(x, dy))},
  GeluGrad: {
    inputs: 3,
    of: (call) => [elements([call.x(0), call.x(1)], (dy, x) => dy * geluTanhSlope(x))],
  },
  GeluGradV2: elementwise(
    2,
    (call) => {
      const slope = {none: geluErfSlope, tanh: geluTanhSlope}[call.word('approximate')] as typeof geluErfSlope
      return (dy, x) => dy * slope(x)
    },
    {attributes: ['approximate']},
  ),
  SwishGrad: {
    inputs: 3,
    attributes: ['scale', 'sconf'],
    of(call) {
      const scale = call.number(call.has('sconf') ? 'sconf' : 'scale', 1)
      const slope = (x: number) => sigmoid(scale * x) * (1 + scale * x * (1 - sigmoid(scale * x)))
      return [elements([call.x(0), call.x(1)], (dy, x) => dy * slope(x))]
    },
  },
  SwiGluGrad: {
    inputs: 2,
    attributes: ['dim'],
    of(call) {
      const x = call.x(1)
      const axis = axisOf(call.number('dim'), x.shape.length)
      const [a, b] = halves(x, axis)
      const left = elements([call.x(0), a, b], (dy, gate, up) => dy * up * siluSlope(gate))
      const right = elements([call.x(0), a], (dy, gate) => dy * silu(gate))
      return [joined([left, right], axis)]
    },
  },
}
