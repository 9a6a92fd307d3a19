import {alongRows, mean, sum, sumOf, understood, type Values} from './arrays.ts'
import {elements, elementwise, elementwiseOf, type ElementFunction} from './elementwise.ts'
import type {Formula, FormulaCall, Formulas, Result} from './formula-call.ts'
import {sigmoid, softplus} from './mathematics.ts'
import {logSoftmaxRow, softmaxRow} from './norms.ts'

/** none, mean and sum have these numbers where a definition counts them. */
const words = ['none', 'mean', 'sum']

function reductionOf(call: FormulaCall): string {
  if (!call.has('reduction')) return 'none'
  const [numbered] = call.has('reduction') ? [attempt(() => call.word('reduction'))] : []
  return numbered ?? (words[call.number('reduction')] as string)
}

function attempt<T>(f: () => T): T | undefined {
  try {
    return f()
  } catch {
    return undefined
  }
}

/** Every loss, their mean or their sum. */
function settled(losses: Values, reduction: string): Result {
  understood(words.includes(reduction))
  if (reduction === 'none') return losses
  const total = reduction === 'mean' ? mean(losses.data) : sum(losses.data)
  return {
    shape: [1],
    data: Float64Array.of(total),
    scale: sumOf(losses.data, Math.abs) / (reduction === 'mean' ? losses.data.length : 1),
  }
}

/** A loss of each element of the inputs. */
function loss(
  inputs: number,
  f: (call: FormulaCall) => ElementFunction,
  attributes: readonly string[] = [],
  terms?: ElementFunction,
): Formula {
  return {
    inputs,
    attributes: ['reduction', ...attributes],
    of(call) {
      const operands = Array.from({length: inputs}, (_, at) => call.x(at))
      const each = elements(operands, f(call), terms)
      const all = settled(each, reductionOf(call))
      return [{...all, scale: Math.max(all.scale ?? 0, each.scale ?? 0) || undefined}]
    },
  }
}

/** A gradient by the prediction and the label; the mean's is shared by all elements. */
function gradient(
  order: readonly [predict: number, label: number, dout: number],
  f: (x: number, y: number) => number,
): Formula {
  return {
    inputs: 3,
    attributes: ['reduction'],
    of(call) {
      const [x, y, dout] = [call.x(order[0]), call.x(order[1]), call.x(order[2])]
      const share = reductionOf(call) === 'mean' ? 1 / x.data.length : 1
      return [elements([x, y, dout], (a, b, d) => f(a, b) * d * share)]
    },
  }
}

function smooth(x: number, y: number, sigma: number): number {
  const distance = Math.abs(x - y)
  return distance < sigma ? (0.5 * distance * distance) / sigma : distance - 0.5 * sigma
}

const huber = (e: number, delta: number) => (Math.abs(e) <= delta ? 0.5 * e * e : delta * (Math.abs(e) - 0.5 * delta))

/** PyTorch keeps logarithms above -100. */
const bounded = (x: number) => Math.max(Math.log(x), -100)

/** Labels of rows as places in them. */
function labels(target: Values, x: Values): number[] {
  const [rows = 0, classes = 0] = x.shape
  understood(x.shape.length === 2 && target.data.length === rows)
  understood(target.data.every((at) => Number.isInteger(at) && at >= 0 && at < classes))
  return [...target.data]
}

function nll(call: FormulaCall): Result[] {
  const [x, weights] = [call.x(0), call.optional(2)]
  const classes = x.shape[1] ?? 0
  understood(call.x(1).data.every((one) => one !== call.number('ignore_index')))
  const at = labels(call.x(1), x)
  const weightOf = (label: number) => weights?.data[label] ?? 1
  const each = Float64Array.from(at, (label, row) => -weightOf(label) * (x.data[row * classes + label] as number))
  const total = sum(at.map(weightOf))
  const all = settled({shape: [each.length], data: each}, call.word('reduction') === 'none' ? 'none' : 'sum')
  const share = call.word('reduction') === 'mean' ? total : 1
  return [
    {...all, data: all.data.map((one) => one / share)},
    {shape: [1], data: Float64Array.of(total)},
  ]
}

function crossEntropyGradient(call: FormulaCall): Result {
  const logits = call.x(0)
  const at = labels(call.x(1), logits)
  return alongRows(logits, [1], (row, index) => softmaxRow(row).map((x, column) => x - Number(column === at[index])))
}

function crossEntropy(call: FormulaCall): (Result | undefined)[] {
  const logits = call.x(0)
  understood(call.number('label_smoothing') === 0 && !call.flag('return_zloss') && !call.optional(2))
  understood(call.x(1).data.every((one) => one !== call.number('ignore_index')))
  const at = labels(call.x(1), logits)
  const logs = alongRows(logits, [1], logSoftmaxRow)
  const classes = logits.shape[1] as number
  const each = Float64Array.from(at, (label, row) => -(logs.data[row * classes + label] as number))
  return [settled({shape: [each.length], data: each}, call.word('reduction')), logs, undefined, undefined]
}

/** With 1 in place of weights that are not handed over, of all losses and of those of the right class. */
function logitsLoss(call: FormulaCall): Result[] {
  const one: Values = {shape: [1], data: Float64Array.of(1)}
  const operands = [call.x(0), call.x(1), call.optional(2) ?? one, call.optional(3) ?? one]
  const each = elements(
    operands,
    (x, y, weight, right) => weight * ((1 - y) * x + (1 + (right - 1) * y) * softplus(-x)),
    (x, y, weight, right) =>
      Math.abs(weight) * (Math.abs((1 - y) * x) + Math.abs((1 + (right - 1) * y) * softplus(-x))),
  )
  const all = settled(each, reductionOf(call))
  return [{...all, scale: Math.max(all.scale ?? 0, each.scale ?? 0)}]
}

function gaussianGradient(call: FormulaCall): Result[] {
  const [dy, x, y, spread] = [call.x(0), call.x(1), call.x(2), call.x(3)]
  understood(String(spread.shape) === String(x.shape) && String(y.shape) === String(x.shape))
  const share = call.word('reduction') === 'mean' ? 1 / x.data.length : 1
  const v = elements([spread], (one) => Math.max(one, call.number('eps')))
  return [
    elements([dy, x, y, v], (d, a, b, w) => (share * d * (a - b)) / w),
    elements([dy, x, y, v], (d, a, b, w) => share * d * 0.5 * (1 / w - ((a - b) / w) ** 2)),
  ]
}

export const losses: Formulas = {
  ...elementwiseOf(2, {
    HingeLoss: (x, y) => Math.max(0, 1 - x * y),
  }),
  BinaryCrossEntropyGradV2: elementwise(
    4,
    (call) => {
      understood(call.number('reduction') === 0)
      return (dy, x, y, weight) => weight * dy * (x - y)
    },
    {attributes: ['reduction'], terms: () => (dy, x, y, weight) => Math.abs(weight * dy) * (Math.abs(x) + Math.abs(y))},
  ),
  BinaryCrossEntropyV2: loss(2, () => (x, y) => -(y * bounded(x) + (1 - y) * bounded(1 - x))),
  CrossEntropyGrad: {inputs: 2, of: (call) => [crossEntropyGradient(call)]},
  CrossEntropyLoss: {
    inputs: 3,
    attributes: ['reduction', 'ignore_index', 'label_smoothing', 'lse_square_scale_for_zloss', 'return_zloss'],
    of: crossEntropy,
  },
  GaussianNllLoss: loss(
    3,
    (call) => {
      const [eps, constant] = [call.number('eps'), call.flag('full') ? 0.5 * Math.log(2 * Math.PI) : 0]
      return (x, y, v) => 0.5 * (Math.log(Math.max(v, eps)) + (x - y) ** 2 / Math.max(v, eps)) + constant
    },
    ['full', 'eps'],
  ),
  GaussianNllLossGrad: {inputs: 4, attributes: ['full', 'eps', 'reduction'], of: gaussianGradient},
  HingeEmbeddingLoss: loss(
    2,
    (call) => {
      const margin = call.number('margin')
      understood(call.x(1).data.every((y) => Math.abs(y) === 1))
      return (x, y) => (y === 1 ? x : Math.max(0, margin - x))
    },
    ['margin'],
  ),
  HingeLoss: elementwise(2, (call) => (x, y) => Math.max(0, call.number('margin', 1) - x * y), {
    attributes: ['margin'],
  }),
  HingeLossGrad: elementwise(3, () => (x, y, dy) => (1 - x * y > 0 ? -y * dy : 0)),
  HuberLoss: loss(2, (call) => (x, y) => huber(x - y, call.number('delta')), ['delta']),
  HuberLossGrad: elementwise(
    2,
    (call) => {
      const delta = call.number('delta')
      return (x, y) => Math.max(-delta, Math.min(delta, x - y))
    },
    {attributes: ['delta'], terms: () => (x, y) => Math.abs(x) + Math.abs(y)},
  ),
  KLDivV2: loss(
    2,
    (call) => {
      if (call.flag('log_target')) return (x, y) => Math.exp(y) * (y - x)
      understood(call.x(1).data.every((y) => y >= 0))
      return (x, y) => (y === 0 ? 0 : y * (Math.log(y) - x))
    },
    ['log_target'],
  ),
  L1Loss: loss(2, () => (x, y) => Math.abs(x - y)),
  L1LossGrad: gradient([1, 2, 0], (x, y) => Math.sign(x - y)),
  LpLoss: loss(2, (call) => (x, y) => Math.abs(x - y) ** call.number('p'), ['p']),
  MseLoss: loss(2, () => (x, y) => (x - y) ** 2),
  MSELossV2: loss(2, () => (x, y) => (x - y) ** 2),
  MseLossGrad: gradient([0, 1, 2], (x, y) => 2 * (x - y)),
  NllLoss: {inputs: 3, attributes: ['reduction', 'ignore_index'], of: nll},
  SigmoidCrossEntropyWithLogitsV2: {inputs: 4, attributes: ['reduction'], of: logitsLoss},
  SigmoidCrossEntropyWithLogitsGradV2: gradient([0, 1, 2], (x, y) => sigmoid(x) - y),
  SmoothL1Loss: loss(2, (call) => (x, y) => smooth(x, y, call.number('sigma')), ['sigma']),
  SmoothL1LossGradV2: {
    inputs: 3,
    attributes: ['sigma', 'reduction'],
    of(call) {
      const sigma = call.number('sigma')
      const share = reductionOf(call) === 'mean' ? 1 / call.x().data.length : 1
      return [
        elements(
          [call.x(0), call.x(1), call.x(2)],
          (x, y, d) => Math.max(-1, Math.min(1, (x - y) / sigma)) * d * share,
        ),
      ]
    },
  },
  SoftMarginLoss: loss(2, () => (x, y) => softplus(-x * y)),
  SoftMarginLossGrad: gradient([0, 1, 2], (x, y) => -y * sigmoid(-x * y)),
}
