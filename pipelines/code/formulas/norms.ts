import {elementCount} from '../../../datasets/schema/tensor.ts'
import {
  alongRows,
  axesOf,
  largest,
  mapped,
  mean,
  otherAxes,
  reduced,
  scalar,
  sizesOf,
  sum,
  sumOf,
  understood,
  variance,
  type Shape,
  type Values,
} from './arrays.ts'
import {summed} from './elementwise.ts'
import {formula, type Formula, type FormulaCall, type Formulas, type Result} from './formula-call.ts'
import {sigmoid, silu} from './mathematics.ts'
import {maximum} from './reductions.ts'

type Row = Float64Array

export function softmaxRow(row: Row): Row {
  const most = maximum(row)
  const powers = row.map((x) => Math.exp(x - most))
  const total = sum(powers)
  return powers.map((x) => x / total)
}

export function logSoftmaxRow(row: Row): Row {
  const most = maximum(row)
  const log = most + Math.log(sumOf(row, (x) => Math.exp(x - most)))
  return row.map((x) => x - log)
}

/** The one axis that a call names, the last where the definition names none. */
function axesAsked(call: FormulaCall, x: Values): number[] {
  const axes = call.numbers(call.named('dim', 'axes', 'axis'), [-1])
  understood(axes.length === 1)
  return axesOf(axes, x.shape.length)
}

const rowwise = (f: (row: Row) => Row): Formula =>
  formula(1, ['dim', 'axes', 'axis', 'half_to_float'], (call) => alongRows(call.x(), axesAsked(call, call.x()), f))

const logSoftmax = rowwise(logSoftmaxRow)

const lastOf = ({shape}: Values) => [shape.length - 1]

const lastRows = (attributes: readonly string[], f: (call: FormulaCall) => (row: Row) => Row): Formula =>
  formula(1, attributes, (call) => alongRows(call.x(), lastOf(call.x()), f(call)))

/** The axes at the end that a weight has, those of one element in front of it not counted. */
function lastAxes(x: Values, like: Shape): number[] {
  const first = like.findIndex((size) => size !== 1)
  const own = like.slice(first < 0 ? -1 : first)
  const axes = [...x.shape.keys()].slice(-own.length)
  understood(own.length > 0 && String(sizesOf(x, axes)) === String(own))
  return axes
}

const flat = ({shape, data}: Values, axes: readonly number[], x: Values): Values => {
  const sizes = sizesOf(x, axes)
  understood(elementCount(shape) === elementCount(sizes))
  return {shape: sizes, data}
}

/** With 1 and 0 in place of a weight and a bias that are not handed over. */
function weighted(x: Values, axes: readonly number[], gamma?: Values, beta?: Values): Result {
  const scaled = gamma ? mapped([x, flat(gamma, axes, x)], (a, w) => a * w) : x
  return beta ? summed([scaled, flat(beta, axes, x)], (a, b) => [a, b]) : scaled
}

/** Each output by its name. */
interface Normalised {
  y: Result
  mean: Values
  rstd: Values
}

/** Rows times what `rstdOf` gives for them, less a middle. */
function normalised(x: Values, axes: readonly number[], middleOf: (row: Row) => number, rstdOf: typeof middleOf) {
  return alongRows(x, axes, (row) => {
    const [middle, rstd] = [middleOf(row), rstdOf(row)]
    return row.map((one) => (one - middle) * rstd)
  })
}

function layerNorm(x: Values, axes: readonly number[], eps: number, gamma?: Values, beta?: Values): Normalised {
  const rstdOf = (row: Row) => 1 / Math.sqrt(variance(row) + eps)
  const y = weighted(normalised(x, axes, mean, rstdOf), axes, gamma, beta)
  return {y, mean: reduced(x, axes, true, mean), rstd: reduced(x, axes, true, rstdOf)}
}

function rmsNorm(x: Values, gamma: Values, eps: number): {y: Result; rstd: Values} {
  const axes = lastAxes(x, gamma.shape)
  const rstdOf = (row: Row) => 1 / Math.sqrt(sumOf(row, (one) => one * one) / row.length + eps)
  return {
    y: weighted(
      normalised(x, axes, () => 0, rstdOf),
      axes,
      gamma,
    ),
    rstd: reduced(x, axes, true, rstdOf),
  }
}

/** The sum as the output's type holds it is what is normalised, or the sum as it was; both differ by a rounding. */
const added = (...all: Values[]): Result => summed(all, (...each) => each)

const epsilonOf = (call: FormulaCall): number => call.number('epsilon')

const withEps = ['epsilon']

const same = (x: number) => x

/** Of groups of channels: [N, C, …]. */
const groupNorm = (attributes: readonly string[], active: (call: FormulaCall) => (x: number) => number): Formula =>
  formula(3, ['num_groups', 'eps', ...attributes], (call) => {
    const x = call.x()
    const [batch = 0, channels = 0, ...rest] = x.shape
    const [groups, act] = [call.number('num_groups'), active(call)]
    understood(x.shape.length >= 2 && channels % groups === 0 && call.word('data_format', 'NCHW') === 'NCHW')
    const grouped = {shape: [batch, groups, elementCount(x.shape) / (batch * groups)], data: x.data}
    const {y, mean: middle, rstd} = layerNorm(grouped, [2], call.number('eps'))
    const perChannel = (one: Values | undefined, otherwise: number): Values =>
      one ? {shape: [channels, ...rest.map(() => 1)], data: one.data} : scalar(otherwise)
    const spread = [{...y, shape: x.shape}, perChannel(call.optional(1), 1), perChannel(call.optional(2), 0)]
    const out = summed(spread, (one, w, b) => [one * w, b])
    return [{...out, data: out.data.map(act)}, middle, rstd]
  })

const addLayerNorm = formula(5, [...withEps, 'additional_output'], (call) => {
  const bias = call.optional(4)
  const [gamma, beta] = [call.x(2), call.x(3)]
  const x = added(call.x(0), call.x(1), ...(bias ? [bias] : []))
  const normal = layerNorm(x, lastAxes(x, gamma.shape), epsilonOf(call), gamma, beta)
  return [normal.y, normal.mean, normal.rstd, call.flag('additional_output') ? x : undefined]
})

/** Scale and shift are per batch: [B, 1, H] or [B, H] for [B, S, H]. */
function perBatch(one: Values, x: Values): Values {
  if (one.shape.length === x.shape.length) return one
  const [batch = 0, size = 0] = one.shape
  understood(one.shape.length === 2 && x.shape.length >= 3 && batch === x.shape[0] && size === x.shape.at(-1))
  return {shape: [batch, ...x.shape.slice(1, -1).map(() => 1), size], data: one.data}
}

/** Scaled by 1 and more, and shifted, where a call does so. */
function modulated(x: Values, at: Values, scale: Values | undefined, shift: Values | undefined): Result {
  const [by, to] = [scale ?? scalar(0), shift ?? scalar(0)].map((one) =>
    one.data.length === 1 ? one : perBatch(one, at),
  )
  return summed([x, by as Values, to as Values], (a, b, c) => [a, a * b, c])
}

function adaLayerNorm(call: FormulaCall): Result[] {
  const x = call.x()
  const {y, mean: middle, rstd} = layerNorm(x, lastOf(x), epsilonOf(call), call.optional(3), call.optional(4))
  return [modulated(y, x, call.x(1), call.x(2)), middle, rstd]
}

function batchNorm(call: FormulaCall): Result[] {
  const [x, weight, bias, meanIn, varianceIn] = [call.x(0), call.x(1), call.x(2), call.x(3), call.x(4)]
  const [, channels = 0, ...rest] = x.shape
  const axes = otherAxes(x, [1])
  const [eps, momentum, isTraining] = [epsilonOf(call), call.number('momentum'), call.flag('is_training')]
  const middle = isTraining ? reduced(x, axes, false, mean) : meanIn
  const spread = isTraining ? reduced(x, axes, false, (row) => variance(row)) : varianceIn
  const rstd = mapped([spread], (v) => 1 / Math.sqrt(v + eps))
  const perChannel = ({data}: Values): Values => ({shape: [channels, ...rest.map(() => 1)], data})
  const operands = [x, ...[middle, rstd, weight, bias].map(perChannel)]
  const y = summed(operands, (a, m, r, w, b) => [a * r * w, -m * r * w, b])
  if (!isTraining) return [y, meanIn, varianceIn]
  const blend = (before: Values, now: Values, by: number) =>
    summed([before, now], (a, b) => [(1 - momentum) * a, momentum * b * by])
  const count = x.data.length / channels
  return [y, blend(meanIn, middle, 1), blend(varianceIn, spread, count / (count - 1)), middle, rstd]
}

/** A gradient by an output, its gradient and the total of what `part` is of both along the axis. */
function softmaxGradient(
  call: FormulaCall,
  [y, dy]: readonly [Values, Values],
  part: (y: number, dy: number) => number,
  f: (y: number, dy: number, total: number) => number,
): Result {
  const [axes, parts] = [axesAsked(call, y), mapped([y, dy], part)]
  const scale = largest(reduced(parts, axes, true, (row) => sumOf(row, Math.abs)).data)
  return {...mapped([y, dy, reduced(parts, axes, true, sum)], f), scale}
}

function rmsGradient(call: FormulaCall): Result[] {
  const [dy, x, rstd, gamma] = [call.x(0), call.x(1), call.x(2), call.x(3)]
  const axes = lastAxes(x, gamma.shape)
  const root = {shape: x.shape.map((size, axis) => (axes.includes(axis) ? 1 : size)), data: rstd.data}
  understood(rstd.data.length === elementCount(root.shape))
  const [normal, weight] = [mapped([x, root], (a, r) => a * r), flat(gamma, axes, x)]
  const shares = reduced(
    mapped([dy, weight, normal], (d, g, n) => d * g * n),
    axes,
    true,
    mean,
  )
  const products = mapped([dy, normal], (d, n) => d * n)
  const others = otherAxes(x, axes)
  const scale = largest(reduced(products, others, false, (row) => sumOf(row, Math.abs)).data)
  return [
    summed([dy, weight, normal, shares, root], (d, g, n, share, r) => [d * g * r, -n * share * r]),
    {...reduced(products, others, false, sum), scale},
  ]
}

function addedRmsNorm(call: FormulaCall) {
  const x = added(call.x(0), call.x(1))
  return {...rmsNorm(x, call.x(2), epsilonOf(call)), x}
}

const addRmsNorm = formula(3, withEps, (call) => {
  const {y, rstd, x} = addedRmsNorm(call)
  return [y, rstd, x]
})

const rmsNormOf = (weightOf: (gamma: Values) => Values): Formula =>
  formula(2, withEps, (call) => {
    const {y, rstd} = rmsNorm(call.x(0), weightOf(call.x(1)), epsilonOf(call))
    return [y, rstd]
  })

export const norms: Formulas = {
  AdaLayerNorm: formula(5, withEps, adaLayerNorm),
  AddLayerNorm: addLayerNorm,
  InplaceAddLayerNorm: addLayerNorm,
  AddRmsNorm: addRmsNorm,
  AddRmsNormCast: formula(3, withEps, (call) => {
    const {y, rstd, x} = addedRmsNorm(call)
    return [{...y, via: call.output(1).dtype}, y, rstd, x]
  }),
  InplaceAddRmsNorm: addRmsNorm,
  BatchNormV3: formula(5, [...withEps, 'momentum', 'is_training'], batchNorm),
  DeepNorm: formula(4, [...withEps, 'alpha'], (call) => {
    const [alpha, beta, gamma] = [call.number('alpha'), call.x(2), call.x(3)]
    const x = mapped([call.x(0), call.x(1)], (a, b) => alpha * a + b)
    const {y, mean: middle, rstd} = layerNorm(x, lastAxes(x, gamma.shape), epsilonOf(call), gamma, beta)
    return [middle, rstd, y]
  }),
  GemmaRmsNorm: rmsNormOf((gamma) => mapped([gamma], (one) => one + 1)),
  GroupNorm: groupNorm(['data_format'], () => same),
  GroupNormSilu: groupNorm(['activate_silu'], (call) => (call.flag('activate_silu') ? silu : same)),
  GroupNormSwish: groupNorm(['data_format', 'activate_swish', 'swish_scale'], (call) => {
    const scale = call.number('swish_scale')
    return call.flag('activate_swish') ? (x) => x * sigmoid(scale * x) : same
  }),
  LayerNormV4: formula(4, withEps, (call) => {
    const [x, sizes] = [call.x(), call.x(1).data]
    const axes = [...x.shape.keys()].slice(-sizes.length)
    understood(String(sizesOf(x, axes)) === String(sizes))
    const {y, mean: middle, rstd} = layerNorm(x, axes, epsilonOf(call), call.optional(2), call.optional(3))
    return [y, middle, rstd]
  }),
  LogSoftmax: logSoftmax,
  LogSoftmaxV2: logSoftmax,
  LogSoftmaxGrad: formula(2, ['axis'], (call) =>
    softmaxGradient(
      call,
      [call.x(1), call.x(0)],
      (_, slope) => slope,
      (y, slope, total) => slope - Math.exp(y) * total,
    ),
  ),
  Modulate: formula(3, [], (call) => modulated(call.x(), call.x(), call.optional(1), call.optional(2))),
  RmsNorm: rmsNormOf((gamma) => gamma),
  RmsNormGrad: formula(4, [], rmsGradient),
  RowNormalize: lastRows(withEps, (call) => (row) => {
    const length = Math.max(Math.sqrt(sumOf(row, (one) => one * one)), epsilonOf(call))
    return row.map((x) => x / length)
  }),
  RowSoftmax: lastRows([], () => softmaxRow),
  RowStandardize: formula(1, withEps, (call) => layerNorm(call.x(), lastOf(call.x()), epsilonOf(call)).y),
  Softmax: rowwise(softmaxRow),
  SoftmaxGrad: formula(2, ['axes'], (call) =>
    softmaxGradient(
      call,
      [call.x(0), call.x(1)],
      (y, slope) => y * slope,
      (y, slope, total) => y * (slope - total),
    ),
  ),
  ScaledMaskedSoftmaxV2: lastRows(['scale', 'fixed_triu_mask'], (call) => {
    understood(!call.flag('fixed_triu_mask'))
    const scale = call.number('scale')
    return (row) => softmaxRow(row.map((x) => x * scale))
  }),
}
