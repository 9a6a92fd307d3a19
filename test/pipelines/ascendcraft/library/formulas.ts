import {erf} from '../../../../datasets/special-functions.ts'

/** What an operator gives for tensors of doubles, row-major, with their shapes and attributes. */
type Formula = (
  tensors: readonly Float64Array[],
  shapes: readonly (readonly number[])[],
  attributes: Readonly<Record<string, number>>,
) => Float64Array

type One = (value: number, attributes: Readonly<Record<string, number>>) => number

const each =
  (compute: One): Formula =>
  ([x], _, attributes) =>
    x!.map((value) => compute(value, attributes))

const sum = (row: ArrayLike<number>, of: (value: number) => number = (value) => value) => {
  let total = 0
  for (let i = 0; i < row.length; i += 1) total += of(row[i] as number)
  return total
}

const mean = (count: number, of: (index: number) => number) =>
  Float64Array.of(sum(Float64Array.from({length: count}, (_, index) => of(index))) / count)

/** Rows of so many elements, each by itself. */
const byRow =
  (length: (shape: readonly number[], attributes: Readonly<Record<string, number>>) => number) =>
  (compute: (row: Float64Array) => Float64Array): Formula =>
  ([x], [shape], attributes) => {
    const size = length(shape!, attributes)
    const result = new Float64Array(x!.length)
    for (let at = 0; at < x!.length; at += size) result.set(compute(x!.subarray(at, at + size)), at)
    return result
  }

const lastAxis = byRow((shape) => shape[1] as number)

function standardized(row: Float64Array): Float64Array {
  const middle = sum(row) / row.length
  const variance = sum(row, (value) => (value - middle) ** 2) / row.length
  return row.map((value) => (value - middle) / Math.sqrt(variance + 1e-5))
}

/** Element-wise weights and biases of what was standardized, by a place of each element. */
const affine =
  (inner: Formula, place: (index: number, shape: readonly number[]) => number): Formula =>
  ([x, weight, bias], shapes, attributes) =>
    inner([x!], shapes, attributes).map((value, index) => {
      const at = place(index, shapes[0]!)
      return value * weight![at]! + bias![at]!
    })

const plane = (shape: readonly number[]) => (shape[2] as number) * (shape[3] as number)
const channel = (index: number, shape: readonly number[]) => Math.floor(index / plane(shape)) % (shape[1] as number)

const batchNorm: Formula = ([x], [shape]) => {
  const result = new Float64Array(x!.length)
  for (let wanted = 0; wanted < shape![1]!; wanted += 1) {
    const places = [...x!.keys()].filter((index) => channel(index, shape!) === wanted)
    const values = standardized(Float64Array.from(places, (index) => x![index]!))
    for (const [at, place] of places.entries()) result[place] = values[at]!
  }
  return result
}

const reduced =
  (combine: (a: number, b: number) => number, first: number, end: One = (value) => value): Formula =>
  ([x], [shape]) => {
    const [batches = 0, depth = 0, width = 0] = shape!
    return Float64Array.from({length: batches * width}, (_, index) => {
      const start = Math.floor(index / width) * depth * width + (index % width)
      let value = first
      for (let row = 0; row < depth; row += 1) value = combine(value, x![start + row * width]!)
      return end(value, {depth})
    })
  }

interface Scan {
  isReversed?: boolean
  isExclusive?: boolean
}

const scanned =
  (combine: (a: number, b: number) => number, first: number, {isReversed, isExclusive}: Scan = {}): Formula =>
  ([x, mask], [shape]) => {
    const size = shape![1]!
    const result = new Float64Array(x!.length)
    let value = first
    for (let step = 0; step < x!.length; step += 1) {
      const [row, at] = [step - (step % size), step % size]
      if (at === 0) value = first
      const index = row + (isReversed ? size - 1 - at : at)
      if (isExclusive) result[index] = value
      value = combine(value, mask ? x![index]! * mask[index]! : x![index]!)
      if (!isExclusive) result[index] = value
    }
    return result
  }

const powers = (row: Float64Array) => {
  const largest = row.reduce((a, b) => Math.max(a, b))
  return {largest, values: row.map((value) => Math.exp(value - largest))}
}

const add = (a: number, b: number) => a + b
const times = (a: number, b: number) => a * b
const divided = (values: Float64Array, by: number) => values.map((value) => value / by)
const length = (row: Float64Array) => Math.sqrt(sum(row, (value) => value * value))
const selu = (v: number) => 1.0507009873554805 * (v > 0 ? v : 1.6732632423543772 * Math.expm1(v))
const tanhGelu = (v: number) => 0.5 * v * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (v + 0.044715 * v ** 3)))

function adam([p, g, m, v]: readonly Float64Array[], a: Readonly<Record<string, number>>): Float64Array {
  return p!.map((value, i) => {
    const first = (a['beta1']! * m![i]! + (1 - a['beta1']!) * g![i]!) / (1 - a['beta1']! ** a['step']!)
    const second = (a['beta2']! * v![i]! + (1 - a['beta2']!) * g![i]! ** 2) / (1 - a['beta2']! ** a['step']!)
    return value - (a['lr']! * first) / (Math.sqrt(second) + a['eps']!)
  })
}

function lamb([p, m, v]: readonly Float64Array[], a: Readonly<Record<string, number>>): Float64Array {
  const ratio = m!.map((value, i) => value / (Math.sqrt(v![i]!) + a['eps']!))
  const rate = (a['lr']! * length(p!)) / (length(ratio) + a['eps']!)
  return p!.map((value, i) => value - rate * ratio[i]!)
}

/** By the folder and file of the solution. */
export const formulas: Readonly<Record<string, Formula>> = {
  'activation/relu': each((v) => Math.max(v, 0)),
  'activation/leaky_relu': each((v, a) => (v >= 0 ? v : v * a['negative_slope']!)),
  'activation/sigmoid': each((v) => 1 / (1 + Math.exp(-v))),
  'activation/tanh': each(Math.tanh),
  'activation/gelu': each((v) => (v / 2) * (1 + erf(v / Math.SQRT2))),
  'activation/elu': each((v, a) => (v > 0 ? v : a['alpha']! * Math.expm1(v))),
  'activation/selu': each(selu),
  'activation/hardsigmoid': each((v) => Math.min(1, Math.max(0, v / 6 + 0.5))),
  'activation/hardtanh': each((v) => Math.min(1, Math.max(-1, v))),
  'activation/softplus': each((v) => (v > 20 ? v : Math.max(v, 0) + Math.log1p(Math.exp(-Math.abs(v))))),
  'activation/softsign': each((v) => v / (1 + Math.abs(v))),
  'activation/swish': each((v) => v / (1 + Math.exp(-v))),
  'activation/min_gpt_new_gelu': each(tanhGelu),
  'activation/softmax': lastAxis((row) => {
    const {values} = powers(row)
    return divided(values, sum(values))
  }),
  'activation/log_softmax': lastAxis((row) => {
    const {largest, values} = powers(row)
    const logarithm = Math.log(sum(values))
    return row.map((value) => value - largest - logarithm)
  }),
  'loss/mse_loss': ([p, t]) => mean(p!.length, (i) => (p![i]! - t![i]!) ** 2),
  'loss/huber_loss': ([p, t]) =>
    mean(p!.length, (i) => {
      const distance = Math.abs(p![i]! - t![i]!)
      return distance < 1 ? distance ** 2 / 2 : distance - 0.5
    }),
  'loss/kl_div_loss': ([p, t], [shape]) => {
    const of = (i: number) => (t![i]! > 0 ? t![i]! * (Math.log(t![i]!) - Math.log(p![i]!)) : 0)
    return mean(p!.length, of).map((value) => (value * p!.length) / shape![0]!)
  },
  'loss/hinge_loss': ([p, t], [shape]) => {
    const [columns, width] = [shape![1]!, Math.max(shape![1]!, t!.length)]
    return mean(shape![0]! * width, (i) => {
      const [row, at] = [Math.floor(i / width), i % width]
      return Math.max(0, 1 - p![row * columns + (at % columns)]! * t![at % t!.length]!)
    })
  },
  'loss/cosine_similarity_loss': ([p, t], [shape]) =>
    mean(shape![0]!, (row) => {
      const [a, b] = [p!, t!].map((one) => one.subarray(row * shape![1]!, (row + 1) * shape![1]!))
      return 1 - sum(a!.map((value, i) => value * b![i]!)) / (Math.max(length(a!), 1e-8) * Math.max(length(b!), 1e-8))
    }),
  'loss/triplet_margin_loss': ([x, p, n], [shape], a) =>
    mean(shape![0]!, (row) => {
      const rows = [x!, p!, n!].map((one) => one.subarray(row * shape![1]!, (row + 1) * shape![1]!))
      const apart = (other: Float64Array) => length(rows[0]!.map((value, i) => value - other[i]! + 1e-6))
      return Math.max(0, apart(rows[1]!) - apart(rows[2]!) + a['margin']!)
    }),
  'loss/cross_entropy_loss': ([x, y], [shape]) =>
    mean(shape![0]!, (row) => {
      const values = x!.subarray(row * shape![1]!, (row + 1) * shape![1]!)
      const {largest, values: exponentials} = powers(values)
      return Math.log(sum(exponentials)) + largest - values[y![row]!]!
    }),
  'math/matrix_scalar_multiplication': each((v, a) => v * a['s']!),
  'math/cumsum': scanned(add, 0),
  'math/cumprod': scanned(times, 1),
  'math/cumsum_reverse': scanned(add, 0, {isReversed: true}),
  'math/cumsum_exclusive': scanned(add, 0, {isExclusive: true}),
  'math/masked_cumsum': scanned(add, 0),
  'normalization/batch_norm': affine(batchNorm, channel),
  'normalization/instance_norm': byRow(plane)(standardized),
  'normalization/group_norm': affine(
    byRow((shape, a) => (shape[1]! / a['groups']!) * plane(shape))(standardized),
    channel,
  ),
  'normalization/layer_norm': affine(
    byRow((shape) => shape[1]! * plane(shape))(standardized),
    (index, shape) => index % (shape[1]! * plane(shape)),
  ),
  'normalization/rms_norm': ([x], [shape], a) => {
    const [size, channels] = [plane(shape!), shape![1]!]
    return x!.map((value, index) => {
      const first = Math.floor(index / (channels * size)) * channels * size + (index % size)
      const squares = Array.from({length: channels}, (_, at) => x![first + at * size]! ** 2)
      return value / Math.sqrt(sum(squares) / channels + a['eps']!)
    })
  },
  'normalization/frobenius_norm': ([x]) => divided(x!, length(x!)),
  'normalization/l1_norm': lastAxis((row) => divided(row, sum(row, Math.abs) / row.length)),
  'normalization/l2_norm': lastAxis((row) => divided(row, length(row))),
  'optimizer/adagrad': ([p, g, s], _, a) =>
    p!.map((v, i) => v - (a['lr']! * g![i]!) / (Math.sqrt(s![i]! + g![i]! ** 2) + a['eps']!)),
  'optimizer/adam': (tensors, _, a) => adam(tensors, a),
  'optimizer/lamb': (tensors, _, a) => lamb(tensors, a),
  'optimizer/rmsprop': ([p, g, s], _, a) =>
    p!.map((v, i) => {
      const square = a['alpha']! * s![i]! + (1 - a['alpha']!) * g![i]! ** 2
      return v - (a['lr']! * g![i]!) / (Math.sqrt(square) + a['eps']!)
    }),
  'optimizer/sgd': ([p, g, s], _, a) => p!.map((v, i) => v - a['lr']! * (a['momentum']! * s![i]! + g![i]!)),
  'reduce/sum_reduction_over_a_dimension': reduced(add, 0),
  'reduce/mean_reduction_over_a_dimension': reduced(add, 0, (value, {depth}) => value / depth!),
  'reduce/max_reduction_over_a_dimension': reduced(Math.max, -Infinity),
  'reduce/min_reduction_over_a_dimension': reduced(Math.min, Infinity),
  'reduce/product_reduction_over_a_dimension': reduced(times, 1),
}
