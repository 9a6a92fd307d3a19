import {elementCount} from '../../../datasets/schema/tensor.ts'
import {alongRows, mapped, scalar, sum, sumOf, understood, type Values} from './arrays.ts'
import {elementwise, summed, termwise, type ElementFunction} from './elementwise.ts'
import {formula, type Formula, type FormulaCall, type Formulas, type Result} from './formula-call.ts'
import {clamp, sigmoid, softplus} from './mathematics.ts'
import {logSoftmaxRow, softmaxRow} from './norms.ts'

/** none, mean and sum have these numbers where a definition counts them. */
const words = ['none', 'mean', 'sum']

function reductionOf(call: FormulaCall): string {
  const given = call.has('reduction') ? call.value('reduction') : 'none'
  const word = typeof given === 'number' ? words[given] : given
  understood(typeof word === 'string' && words.includes(word))
  return word
}

/** Every loss, their mean or their sum. */
function settled(losses: Result, reduction: string): Result {
  if (reduction === 'none') return losses
  const count = reduction === 'mean' ? losses.data.length : 1
  const scale = Math.max(sumOf(losses.data, Math.abs) / count, losses.scale ?? 0)
  return {...scalar(sum(losses.data) / count), scale}
}

/** A loss of each element of the inputs. */
const loss = (inputs: number, attributes: readonly string[], f: (call: FormulaCall) => ElementFunction): Formula =>
  formula(inputs, ['reduction', ...attributes], (call) =>
    settled(mapped(call.first(inputs), f(call)), reductionOf(call)),
  )

const lossOf = (f: ElementFunction): Formula => loss(2, [], () => f)

/** The mean's gradient is shared by all elements. */
const shareOf = (call: FormulaCall, {data}: Values): number => (reductionOf(call) === 'mean' ? 1 / data.length : 1)

type Slope = (x: number, y: number) => number

/** A gradient by the prediction and the label; the output's gradient comes last. */
const gradient = (attributes: readonly string[], f: (call: FormulaCall) => Slope): Formula =>
  formula(3, ['reduction', ...attributes], (call) => {
    const [slope, share] = [f(call), shareOf(call, call.x())]
    return mapped(call.first(3), (x, y, dout) => slope(x, y) * dout * share)
  })

function smooth(x: number, y: number, sigma: number): number {
  const distance = Math.abs(x - y)
  return distance < sigma ? (0.5 * distance * distance) / sigma : distance - 0.5 * sigma
}

const huber = (e: number, delta: number) => (Math.abs(e) <= delta ? 0.5 * e * e : delta * (Math.abs(e) - 0.5 * delta))

const squared = lossOf((x, y) => (x - y) ** 2)

/** PyTorch keeps logarithms above -100. */
const bounded = (x: number) => Math.max(Math.log(x), -100)

/** Labels of rows as places in them. */
function labels(call: FormulaCall): number[] {
  const [{shape}, {data}] = [call.x(0), call.x(1)]
  const [rows = 0, classes = 0] = shape
  understood(shape.length === 2 && data.length === rows)
  understood(data.every((at) => Number.isInteger(at) && at >= 0 && at < classes))
  understood(!call.has('ignore_index') || data.every((one) => one !== call.number('ignore_index')))
  return [...data]
}

/** What each row loses by the logarithm at its label. */
function labelled({shape: [rows = 0, classes = 0], data}: Values, at: readonly number[]): Values {
  return {shape: [rows], data: Float64Array.from(at, (label, row) => -(data[row * classes + label] as number))}
}

function nll(call: FormulaCall): Result[] {
  const [at, weights, reduction] = [labels(call), call.optional(2), reductionOf(call)]
  const weight = {shape: [at.length], data: Float64Array.from(at, (label) => weights?.data[label] ?? 1)}
  const each = mapped([labelled(call.x(), at), weight], (x, w) => x * w)
  const total = sum(weight.data)
  const all = settled(each, reduction === 'mean' ? 'sum' : reduction)
  return [reduction === 'mean' ? {...all, data: all.data.map((one) => one / total)} : all, scalar(total)]
}

function crossEntropyGradient(call: FormulaCall): Result {
  const at = labels(call)
  return alongRows(call.x(), [1], (row, index) => softmaxRow(row).map((x, column) => x - Number(column === at[index])))
}

function crossEntropy(call: FormulaCall): Result[] {
  understood(call.number('label_smoothing') === 0 && !call.flag('return_zloss') && !call.optional(2))
  const at = labels(call)
  const logs = alongRows(call.x(), [1], logSoftmaxRow)
  return [settled(labelled(logs, at), reductionOf(call)), logs]
}

/** With 1 in place of weights that are not handed over, of all losses and of those of the right class. */
function logitsLoss(call: FormulaCall): Result {
  const operands = [call.x(0), call.x(1), call.optional(2) ?? scalar(1), call.optional(3) ?? scalar(1)]
  const each = summed(operands, (x, y, weight, right) => [
    weight * (1 - y) * x,
    weight * (1 + (right - 1) * y) * softplus(-x),
  ])
  return settled(each, reductionOf(call))
}

function gaussianGradient(call: FormulaCall): Result[] {
  const [dy, x, y, spread] = [call.x(0), call.x(1), call.x(2), call.x(3)]
  understood(String(spread.shape) === String(x.shape) && String(y.shape) === String(x.shape))
  const [share, eps] = [shareOf(call, x), call.number('eps')]
  const operands = [dy, x, y, mapped([spread], (one) => Math.max(one, eps))]
  return [
    mapped(operands, (d, a, b, w) => (share * d * (a - b)) / w),
    mapped(operands, (d, a, b, w) => share * d * 0.5 * (1 / w - ((a - b) / w) ** 2)),
  ]
}

export const losses: Formulas = {
  BinaryCrossEntropyGradV2: termwise(4, ['reduction'], (call) => {
    understood(call.number('reduction') === 0)
    return (dy, x, y, weight) => [weight * dy * x, -weight * dy * y]
  }),
  BinaryCrossEntropyV2: lossOf((x, y) => -(y * bounded(x) + (1 - y) * bounded(1 - x))),
  CrossEntropyGrad: formula(2, [], crossEntropyGradient),
  CrossEntropyLoss: formula(
    3,
    ['reduction', 'ignore_index', 'label_smoothing', 'lse_square_scale_for_zloss', 'return_zloss'],
    crossEntropy,
  ),
  GaussianNllLoss: loss(3, ['full', 'eps'], (call) => {
    const [eps, constant] = [call.number('eps'), call.flag('full') ? 0.5 * Math.log(2 * Math.PI) : 0]
    return (x, y, v) => 0.5 * (Math.log(Math.max(v, eps)) + (x - y) ** 2 / Math.max(v, eps)) + constant
  }),
  GaussianNllLossGrad: formula(4, ['full', 'eps', 'reduction'], gaussianGradient),
  HingeEmbeddingLoss: loss(2, ['margin'], (call) => {
    const margin = call.number('margin')
    understood(call.x(1).data.every((y) => Math.abs(y) === 1))
    return (x, y) => (y === 1 ? x : Math.max(0, margin - x))
  }),
  // One operator of this name gives every loss, another their mean: the output tells them apart.
  HingeLoss: formula(2, ['margin'], (call) => {
    const margin = call.number('margin', 1)
    const each = mapped(call.first(2), (x, y) => Math.max(0, margin - x * y))
    return settled(each, elementCount(call.output().shape) === 1 ? 'mean' : 'none')
  }),
  HingeLossGrad: elementwise(3, [], () => (x, y, dy) => (1 - x * y > 0 ? -y * dy : 0)),
  HuberLoss: loss(2, ['delta'], (call) => (x, y) => huber(x - y, call.number('delta'))),
  HuberLossGrad: formula(2, ['delta'], (call) => {
    const [operands, delta] = [call.first(2), call.number('delta')]
    const distances = summed(operands, (x, y) => [x, -y])
    return {...distances, data: distances.data.map((one) => clamp(one, -delta, delta))}
  }),
  KLDivV2: loss(2, ['log_target'], (call) => {
    if (call.flag('log_target')) return (x, y) => Math.exp(y) * (y - x)
    understood(call.x(1).data.every((y) => y >= 0))
    return (x, y) => (y === 0 ? 0 : y * (Math.log(y) - x))
  }),
  L1Loss: lossOf((x, y) => Math.abs(x - y)),
  L1LossGrad: elementwise(3, ['reduction'], (call) => {
    const share = shareOf(call, call.x(1))
    return (dout, x, y) => Math.sign(x - y) * dout * share
  }),
  LpLoss: loss(2, ['p'], (call) => (x, y) => Math.abs(x - y) ** call.number('p')),
  MseLoss: squared,
  MSELossV2: squared,
  MseLossGrad: gradient([], () => (x, y) => 2 * (x - y)),
  NllLoss: formula(3, ['reduction', 'ignore_index'], nll),
  SigmoidCrossEntropyWithLogitsV2: formula(4, ['reduction'], logitsLoss),
  SigmoidCrossEntropyWithLogitsGradV2: gradient([], () => (x, y) => sigmoid(x) - y),
  SmoothL1Loss: loss(2, ['sigma'], (call) => (x, y) => smooth(x, y, call.number('sigma'))),
  SmoothL1LossGradV2: gradient(['sigma'], (call) => {
    const sigma = call.number('sigma')
    return (x, y) => clamp((x - y) / sigma, -1, 1)
  }),
  SoftMarginLoss: lossOf((x, y) => softplus(-x * y)),
  SoftMarginLossGrad: gradient([], () => (x, y) => -y * sigmoid(-x * y)),
}
