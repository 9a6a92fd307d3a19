import {elementCount} from '../../../datasets/schema/tensor.ts'
import {
  alongRows,
  axesOf,
  axisOf,
  largest,
  mean,
  reduced,
  sum,
  sumOf,
  understood,
  variance,
  type Shape,
  type Values,
} from './arrays.ts'
import {elements} from './elementwise.ts'
import type {Formula, FormulaCall, Formulas, Result} from './formula-call.ts'
import {silu, sigmoid} from './mathematics.ts'
import {maximum} from './reductions.ts'

export function softmaxRow(row: Float64Array): Float64Array {
  const most = maximum(row)
  const powers = row.map((x) => Math.exp(x - most))
  const total = sum(powers)
  return powers.map((x) => x / total)
}

export function logSoftmaxRow(row: Float64Array): Float64Array {
  const most = maximum(row)
  const log = most + Math.log(sumOf(row, (x) => Math.exp(x - most)))
  return row.map((x) => x - log)
}

function rowwise(f: (row: Float64Array) => Float64Array): Formula {
  return {
    inputs: 1,
    attributes: ['dim', 'axes', 'axis', 'half_to_float'],
    of(call) {
      const x = call.x()
      const name = ['dim', 'axes', 'axis'].find((one) => call.has(one))
      const axes = name === undefined ? [-1] : call.numbers(name)
      understood(axes.length === 1)
      return [alongRows(x, axesOf(axes, x.shape.length), f)]
    },
  }
}

/** The axes at the end that a weight has, those of one element in front of it not counted. */
function lastAxes(x: Values, like: Shape): number[] {
  const own = like.slice(
    like.findIndex((size) => size !== 1) < 0 ? like.length - 1 : like.findIndex((size) => size !== 1),
  )
  const axes = x.shape.map((_, axis) => axis).slice(-own.length)
  understood(own.length > 0 && own.length <= x.shape.length)
  understood(String(axes.map((axis) => x.shape[axis])) === String(own))
  return axes
}

const flat = ({shape, data}: Values, axes: readonly number[], x: Values): Values => {
  const sizes = axes.map((axis) => x.shape[axis] as number)
  understood(elementCount(shape) === elementCount(sizes))
  return {shape: sizes, data}
}

/** With 1 and 0 in place of a weight and a bias that are not handed over. */
function weighted(x: Values, axes: readonly number[], gamma?: Values, beta?: Values): Result {
  const [weight, bias] = [gamma, beta].map((one) => one && flat(one, axes, x))
  const scaled = weight ? elements([x, weight], (a, w) => a * w) : x
  return bias
    ? elements(
        [scaled, bias],
        (a, b) => a + b,
        (a, b) => Math.abs(a) + Math.abs(b),
      )
    : scaled
}

interface Normalised {
  y: Result
  mean: Values
  rstd: Values
}

function layerNorm(x: Values, axes: readonly number[], eps: number, gamma?: Values, beta?: Values): Normalised {
  const rstdOf = (row: Float64Array) => 1 / Math.sqrt(variance(row) + eps)
  const normal = alongRows(x, axes, (row) => {
    const [middle, rstd] = [mean(row), rstdOf(row)]
    return row.map((one) => (one - middle) * rstd)
  })
  return {
    y: weighted(normal, axes, gamma, beta),
    mean: reduced(x, axes, true, mean),
    rstd: reduced(x, axes, true, rstdOf),
  }
}

function rmsNorm(x: Values, gamma: Values, eps: number): {y: Result; rstd: Values} {
  const axes = lastAxes(x, gamma.shape)
  const rstdOf = (row: Float64Array) => 1 / Math.sqrt(sumOf(row, (one) => one * one) / row.length + eps)
  const normal = alongRows(x, axes, (row) => {
    const rstd = rstdOf(row)
    return row.map((one) => one * rstd)
  })
  return {y: weighted(normal, axes, gamma), rstd: reduced(x, axes, true, rstdOf)}
}

/** The sum as the output's type holds it is what is normalised, or the sum as it was; both differ by a rounding. */
const added = (...all: Values[]): Result =>
  elements(
    all,
    (...each) => each.reduce((total, x) => total + x, 0),
    (...each) => each.reduce((total, x) => total + Math.abs(x), 0),
  )

const plusOne = (x: Values): Values => elements([x], (one) => one + 1)

const epsilonOf = (call: FormulaCall): number => call.number('epsilon')

const withEps = ['epsilon']

/** Of groups of channels: [N, C, …]. */
function groupNorm(call: FormulaCall, eps: number, active: (x: number) => number): Result[] {
  const [x, gamma, beta] = [call.x(), call.optional(1), call.optional(2)]
  const [batch = 0, channels = 0, ...rest] = x.shape
  const groups = call.number('num_groups')
  understood(x.shape.length >= 2 && channels % groups === 0 && call.word('data_format', 'NCHW') === 'NCHW')
  const grouped = {shape: [batch, groups, elementCount(x.shape) / (batch * groups)], data: x.data}
  const {y, mean: middle, rstd} = layerNorm(grouped, [2], eps)
  const perChannel = (one: Values | undefined, otherwise: number): Values =>
    one ? {shape: [channels, ...rest.map(() => 1)], data: one.data} : {shape: [1], data: Float64Array.of(otherwise)}
  const spread = [{shape: x.shape, data: y.data}, perChannel(gamma, 1), perChannel(beta, 0)]
  const out = elements(
    spread,
    (one, w, b) => active(one * w + b),
    (one, w, b) => Math.abs(one * w) + Math.abs(b),
  )
  return [out, middle, rstd]
}

const same = (x: number) => x

function addLayerNorm(call: FormulaCall): {normal: Normalised; x: Result} {
  const all = [call.x(0), call.x(1), ...(call.optional(4) ? [call.x(4)] : [])]
  const [gamma, beta] = [call.x(2), call.x(3)]
  const x = added(...all)
  return {normal: layerNorm(x, lastAxes(x, gamma.shape), epsilonOf(call), gamma, beta), x}
}

/** Scale and shift stand for a batch each: [B, 1, H] or [B, H] beside [B, S, H]. */
function perBatch(one: Values, x: Values): Values {
  if (one.shape.length === x.shape.length) return one
  const [batch = 0, size = 0] = one.shape
  understood(one.shape.length === 2 && x.shape.length >= 3 && batch === x.shape[0] && size === x.shape.at(-1))
  return {shape: [batch, ...x.shape.slice(1, -1).map(() => 1), size], data: one.data}
}

function adaLayerNorm(call: FormulaCall): Result[] {
  const x = call.x()
  const {
    y,
    mean: middle,
    rstd,
  } = layerNorm(x, [x.shape.length - 1], epsilonOf(call), call.optional(3), call.optional(4))
  const [scale, shift] = [perBatch(call.x(1), x), perBatch(call.x(2), x)]
  const out = elements(
    [y, scale, shift],
    (a, b, c) => a * (1 + b) + c,
    (a, b, c) => Math.abs(a) * (1 + Math.abs(b)) + Math.abs(c),
  )
  return [out, middle, rstd]
}

function batchNorm(call: FormulaCall): (Result | undefined)[] {
  const [x, weight, bias, meanIn, varianceIn] = [call.x(0), call.x(1), call.x(2), call.x(3), call.x(4)]
  const [, channels = 0, ...rest] = x.shape
  const axes = x.shape.map((_, axis) => axis).filter((axis) => axis !== 1)
  const [eps, momentum, isTraining] = [epsilonOf(call), call.number('momentum'), call.flag('is_training')]
  const count = x.data.length / channels
  const middle = isTraining ? reduced(x, axes, false, mean) : meanIn
  const spread = isTraining ? reduced(x, axes, false, (row) => variance(row)) : varianceIn
  const channel = (one: Values): Values => ({shape: [channels, ...rest.map(() => 1)], data: one.data})
  const y = elements(
    [x, middle, spread, weight, bias].map((one, at) => (at === 0 ? x : channel(one))),
    (a, m, v, w, b) => ((a - m) / Math.sqrt(v + eps)) * w + b,
    (a, m, v, w, b) => ((Math.abs(a) + Math.abs(m)) / Math.sqrt(v + eps)) * Math.abs(w) + Math.abs(b),
  )
  if (!isTraining) return [y, meanIn, varianceIn, undefined, undefined]
  const blend = (before: Values, now: Values, by: number) =>
    elements(
      [before, now],
      (a, b) => (1 - momentum) * a + momentum * b * by,
      (a, b) => Math.abs(a) + Math.abs(b * by),
    )
  const rstd = elements([spread], (v) => 1 / Math.sqrt(v + eps))
  return [y, blend(meanIn, middle, 1), blend(varianceIn, spread, count / (count - 1)), middle, rstd]
}

/** Gradient of a softmax or its logarithm by its output. */
function softmaxGradient(
  y: Values,
  dy: Values,
  axis: number,
  f: (y: number, dy: number, total: number) => number,
  product: boolean,
) {
  const both = product ? elements([y, dy], (a, b) => a * b) : dy
  const totals = reduced(both, [axis], true, sum)
  const scale = largest(reduced(both, [axis], true, (row) => sumOf(row, Math.abs)).data)
  return {...elements([y, dy, totals], f), scale}
}

const lastOf = ({shape}: Values) => shape.length - 1

export const norms: Formulas = {
  AdaLayerNorm: {inputs: 5, attributes: withEps, of: adaLayerNorm},
  AddLayerNorm: {
    inputs: 5,
    attributes: [...withEps, 'additional_output'],
    of(call) {
      const {normal, x} = addLayerNorm(call)
      return [normal.y, normal.mean, normal.rstd, call.flag('additional_output') ? x : undefined]
    },
  },
  InplaceAddLayerNorm: {
    inputs: 5,
    attributes: [...withEps, 'additional_output'],
    of(call) {
      const {normal, x} = addLayerNorm(call)
      return [normal.y, normal.mean, normal.rstd, call.flag('additional_output') ? x : undefined]
    },
  },
  AddRmsNorm: {inputs: 3, attributes: withEps, of: (call) => addRmsNorm(call, ['y', 'rstd', 'x'])},
  AddRmsNormCast: {inputs: 3, attributes: withEps, of: (call) => addRmsNorm(call, ['y', 'y', 'rstd', 'x'])},
  InplaceAddRmsNorm: {inputs: 3, attributes: withEps, of: (call) => addRmsNorm(call, ['y', 'rstd', 'x'])},
  BatchNormV3: {inputs: 5, attributes: [...withEps, 'momentum', 'is_training'], of: batchNorm},
  DeepNorm: {
    inputs: 4,
    attributes: [...withEps, 'alpha'],
    of(call) {
      const alpha = call.number('alpha')
      const x = elements([call.x(0), call.x(1)], (a, b) => alpha * a + b)
      const {y, mean: middle, rstd} = layerNorm(x, lastAxes(x, call.x(3).shape), epsilonOf(call), call.x(3), call.x(2))
      return [middle, rstd, y]
    },
  },
  GemmaRmsNorm: {
    inputs: 2,
    attributes: withEps,
    of(call) {
      const {y, rstd} = rmsNorm(call.x(0), plusOne(call.x(1)), epsilonOf(call))
      return [y, rstd]
    },
  },
  GroupNorm: {
    inputs: 3,
    attributes: ['num_groups', 'eps', 'data_format'],
    of: (call) => groupNorm(call, call.number('eps'), same),
  },
  GroupNormSilu: {
    inputs: 3,
    attributes: ['num_groups', 'eps', 'activate_silu'],
    of: (call) => groupNorm(call, call.number('eps'), call.flag('activate_silu') ? silu : same),
  },
  GroupNormSwish: {
    inputs: 3,
    attributes: ['num_groups', 'eps', 'data_format', 'activate_swish', 'swish_scale'],
    of(call) {
      const scale = call.number('swish_scale')
      return groupNorm(call, call.number('eps'), call.flag('activate_swish') ? (x) => x * sigmoid(scale * x) : same)
    },
  },
  LayerNormV4: {
    inputs: 4,
    attributes: withEps,
    of(call) {
      const [x, sizes] = [call.x(), [...call.x(1).data]]
      const axes = x.shape.map((_, axis) => axis).slice(-sizes.length)
      understood(String(axes.map((axis) => x.shape[axis])) === String(sizes))
      const {y, mean: middle, rstd} = layerNorm(x, axes, epsilonOf(call), call.optional(2), call.optional(3))
      return [y, middle, rstd]
    },
  },
  LogSoftmax: rowwise(logSoftmaxRow),
  LogSoftmaxV2: rowwise(logSoftmaxRow),
  LogSoftmaxGrad: {
    inputs: 2,
    attributes: ['axis'],
    of(call) {
      const [dy, y] = [call.x(0), call.x(1)]
      const [axis = -1, ...more] = call.numbers('axis')
      understood(more.length === 0)
      const at = axisOf(axis, y.shape.length)
      return [softmaxGradient(y, dy, at, (one, slope, total) => slope - Math.exp(one) * total, false)]
    },
  },
  Modulate: {
    inputs: 3,
    of(call) {
      const x = call.x()
      const [scale, shift] = [call.optional(1), call.optional(2)].map((one) => one && perBatch(one, x))
      const scaled = scale
        ? elements(
            [x, scale],
            (a, b) => a * (1 + b),
            (a, b) => Math.abs(a) * (1 + Math.abs(b)),
          )
        : x
      return [shift ? added(scaled, shift) : scaled]
    },
  },
  RmsNorm: {
    inputs: 2,
    attributes: withEps,
    of(call) {
      const {y, rstd} = rmsNorm(call.x(0), call.x(1), epsilonOf(call))
      return [y, rstd]
    },
  },
  RmsNormGrad: {inputs: 4, of: rmsGradient},
  RowNormalize: {
    inputs: 1,
    attributes: withEps,
    of(call) {
      const eps = epsilonOf(call)
      return [
        alongRows(call.x(), [lastOf(call.x())], (row) =>
          row.map((x) => x / Math.max(Math.sqrt(sumOf(row, (one) => one * one)), eps)),
        ),
      ]
    },
  },
  RowSoftmax: {inputs: 1, of: (call) => [alongRows(call.x(), [lastOf(call.x())], softmaxRow)]},
  RowStandardize: {
    inputs: 1,
    attributes: withEps,
    of: (call) => [layerNorm(call.x(), [lastOf(call.x())], epsilonOf(call)).y],
  },
  Softmax: rowwise(softmaxRow),
  SoftmaxGrad: {
    inputs: 2,
    attributes: ['axes'],
    of(call) {
      const [y, dy] = [call.x(0), call.x(1)]
      const [axis = -1, ...more] = call.has('axes') ? call.numbers('axes') : [-1]
      understood(more.length === 0)
      return [softmaxGradient(y, dy, axisOf(axis, y.shape.length), (one, slope, total) => one * (slope - total), true)]
    },
  },
  ScaledMaskedSoftmaxV2: {
    inputs: 1,
    attributes: ['scale', 'fixed_triu_mask'],
    of(call) {
      understood(!call.flag('fixed_triu_mask'))
      const scale = call.number('scale')
      return [alongRows(call.x(), [lastOf(call.x())], (row) => softmaxRow(row.map((x) => x * scale)))]
    },
  },
}

function rmsGradient(call: FormulaCall): Result[] {
  const [dy, x, rstd, gamma] = [call.x(0), call.x(1), call.x(2), call.x(3)]
  const axes = lastAxes(x, gamma.shape)
  const outer = x.shape.map((size, axis) => (axes.includes(axis) ? 1 : size))
  understood(rstd.data.length === elementCount(outer))
  const root = {shape: outer, data: rstd.data}
  const [normal, weight] = [elements([x, root], (a, r) => a * r), flat(gamma, axes, x)]
  const shares = reduced(
    elements([dy, weight, normal], (d, g, n) => d * g * n),
    axes,
    true,
    mean,
  )
  const products = elements([dy, normal], (d, n) => d * n)
  const others = x.shape.map((_, axis) => axis).filter((axis) => !axes.includes(axis))
  const scale = largest(reduced(products, others, false, (row) => sumOf(row, Math.abs)).data)
  return [
    elements(
      [dy, weight, normal, shares, root],
      (d, g, n, share, r) => (d * g - n * share) * r,
      (d, g, n, share, r) => (Math.abs(d * g) + Math.abs(n * share)) * Math.abs(r),
    ),
    {...reduced(products, others, false, sum), scale},
  ]
}

function addRmsNorm(call: FormulaCall, order: readonly ('y' | 'rstd' | 'x')[]): Result[] {
  const x = added(call.x(0), call.x(1))
  const parts = {...rmsNorm(x, call.x(2), epsilonOf(call)), x}
  return order.map((name) => parts[name])
}
