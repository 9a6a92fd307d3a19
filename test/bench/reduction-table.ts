import type {AttributeValue} from '../../datasets/schema/task.ts'
import {elementCount} from '../../datasets/schema/tensor.ts'
import type {CallInput, CallOutput, OperatorCall} from './operator-call.ts'

type Row = readonly number[]
type Shape = readonly number[]

const sum = (row: Row) => row.reduce((total, value) => total + value, 0)
const mean = (row: Row) => sum(row) / row.length
const variance = (row: Row) => mean(row.map((value) => (value - mean(row)) ** 2))
const softmax = (row: Row) => {
  const top = Math.max(...row)
  const powers = row.map((value) => Math.exp(value - top))
  return powers.map((value) => value / sum(powers))
}

/** Applies a function to each row along an axis; what it gives stands along that axis of the result. */
function along(values: Float64Array, shape: Shape, axis: number, of: (row: Row) => Row): Float64Array {
  const size = shape[axis] as number
  const inner = elementCount(shape.slice(axis + 1))
  const rows = Array.from({length: values.length / size}, (_, index) => {
    const start = Math.floor(index / inner) * size * inner + (index % inner)
    return of(Array.from({length: size}, (_unused, step) => values[start + step * inner] as number))
  })
  const length = rows[0]?.length ?? 0
  const result = new Float64Array(rows.length * length)
  for (const [index, row] of rows.entries()) {
    const start = Math.floor(index / inner) * length * inner + (index % inner)
    for (const [step, value] of row.entries()) result[start + step * inner] = value
  }
  return result
}

const label = (shape: Shape, attributes: Readonly<Record<string, AttributeValue>> = {}) =>
  [
    JSON.stringify(shape),
    ...Object.entries(attributes).map(([name, value]) => `${name}=${JSON.stringify(value)}`),
  ].join(' ')

const matrices: readonly Shape[] = [
  [7, 33],
  [16, 128],
  [40, 1000],
]
const solids: readonly Shape[] = [...matrices, [5, 16, 24]]

/** Reductions along one axis, which stays with size 1; matrices alone, as the READMEs say. */
function reductions(of: (row: Row) => number, domain: readonly [number, number] = [-4, 4]): OperatorCall[] {
  return matrices.flatMap((shape) =>
    shape.map((_, axis) => {
      const attributes = {axes: axis, keepdims: 1}
      const small = shape.map((size, index) => (index === axis ? 1 : size))
      const compute = ({x}: Readonly<Record<string, Float64Array>>): CallOutput[] => [
        {name: 'y', shape: small, values: along(x as Float64Array, shape, axis, (row) => [of(row)])},
      ]
      return {label: label(shape, attributes), inputs: [{name: 'x', shape, domain}], attributes, compute}
    }),
  )
}

/** Operators that keep the shape and work along the last axis of inputs of one shape. */
function rowwise(
  names: readonly string[],
  output: string,
  of: (...rows: Row[]) => Row,
  attributes: Readonly<Record<string, AttributeValue>> = {},
  domain?: readonly [number, number],
): OperatorCall[] {
  return matrices.map((shape) => ({
    label: label(shape, attributes),
    inputs: names.map((name) => ({name, shape, ...(domain && {domain})})),
    attributes,
    compute: (values) => {
      const size = shape.at(-1) as number
      const rows = Array.from({length: elementCount(shape) / size}, (_, row) =>
        of(...names.map((name) => [...(values[name] as Float64Array).slice(row * size, (row + 1) * size)])),
      )
      return [{name: output, shape, values: Float64Array.from(rows.flat())}]
    },
  }))
}

/** Losses of two tensors with a `reduction` in the three words or numbers that the definition takes. */
function losses(
  names: readonly [string, string],
  output: string,
  of: (a: number, b: number) => number,
  {
    words = ['none', 'mean', 'sum'],
    attributes = {},
    signs = false,
  }: {words?: readonly AttributeValue[]; attributes?: Record<string, AttributeValue>; signs?: boolean} = {},
): OperatorCall[] {
  const results = [(row: Row) => row, (row: Row) => [mean(row)], (row: Row) => [sum(row)]]
  return matrices.flatMap((shape) =>
    words.map((reduction, kind) => {
      const given = {...attributes, reduction}
      const second = signs
        ? {values: Array.from({length: elementCount(shape)}, (_, index) => (index % 3 === 0 ? 1 : -1))}
        : {}
      return {
        label: label(shape, given),
        inputs: [
          {name: names[0], shape},
          {name: names[1], shape, ...second},
        ],
        attributes: given,
        compute: (values: Readonly<Record<string, Float64Array>>) => {
          const [a, b] = names.map((name) => values[name] as Float64Array)
          const each = Array.from(a as Float64Array, (value, index) => of(value, (b as Float64Array)[index] as number))
          const reduced = (results[kind] as (row: Row) => Row)(each)
          return [{name: output, shape: kind === 0 ? shape : [1], values: Float64Array.from(reduced)}]
        },
      }
    }),
  )
}

/** One number of whole tensors. */
function totals(names: readonly string[], shapes: readonly Shape[], of: (...rows: Row[]) => number): OperatorCall[] {
  return shapes.map((shape) => ({
    label: label(shape),
    inputs: names.map((name) => ({name, shape, domain: [-1, 1] as const})),
    compute: (values) => [
      {
        name: 'y',
        shape: [1],
        values: Float64Array.of(of(...names.map((name) => [...(values[name] as Float64Array)]))),
      },
    ],
  }))
}

interface Normalisation {
  /** Inputs of the shape that is normalised, and how rows of them add up. */
  of: Readonly<Record<string, number>>
  /** Inputs of one row, by what they do. */
  gamma: string
  beta?: string
  /** Input with the shape that is normalised. */
  shapeInput?: string
  epsilon: number
  attributes?: Readonly<Record<string, AttributeValue>>
  /** Without a mean: root mean square. */
  centred: boolean
  /** Added to gamma. */
  shift?: number
  /** Outputs in the definition's order; `x` is the sum of the inputs. */
  outputs: readonly {name: string; what: 'y' | 'mean' | 'rstd' | 'sum'}[]
}

function normalisations(plan: Normalisation): OperatorCall[] {
  const {of, gamma, beta, shapeInput, epsilon, centred, shift = 0, outputs, attributes = {epsilon}} = plan
  return matrices.map((shape) => {
    const size = shape.at(-1) as number
    const rows = elementCount(shape) / size
    const inputs: CallInput[] = [
      ...Object.keys(of).map((name) => ({name, shape})),
      ...(shapeInput ? [{name: shapeInput, shape: [1], values: [size]}] : []),
      ...[gamma, beta].flatMap((name) => (name ? [{name, shape: [size], domain: [0.5, 1.5] as const}] : [])),
    ]
    return {
      label: label(shape),
      inputs,
      attributes,
      compute: (values) => {
        const total = new Float64Array(elementCount(shape)).map((_, index) =>
          sum(Object.entries(of).map(([name, factor]) => factor * ((values[name] as Float64Array)[index] as number))),
        )
        const parts = {y: new Float64Array(total.length), mean: new Float64Array(rows), rstd: new Float64Array(rows)}
        for (let row = 0; row < rows; row += 1) {
          const line = [...total.slice(row * size, (row + 1) * size)]
          const centre = centred ? mean(line) : 0
          const rstd = 1 / Math.sqrt(mean(line.map((value) => (value - centre) ** 2)) + epsilon)
          parts.mean[row] = centre
          parts.rstd[row] = rstd
          for (const [at, value] of line.entries()) {
            const weight = ((values[gamma] as Float64Array)[at] as number) + shift
            const offset = beta ? ((values[beta] as Float64Array)[at] as number) : 0
            parts.y[row * size + at] = (value - centre) * rstd * weight + offset
          }
        }
        const places = {
          y: {shape, values: parts.y},
          sum: {shape, values: total},
          mean: {shape: [...shape.slice(0, -1), 1], values: parts.mean},
          rstd: {shape: [...shape.slice(0, -1), 1], values: parts.rstd},
        }
        return outputs.map(({name, what}) => ({name, ...places[what]}))
      },
    }
  })
}

/** Normalisation of groups of channels of [N, C, H, W], with mean and reciprocal deviation of each group. */
function groups(after: (value: number) => number, attributes: Record<string, AttributeValue> = {}): OperatorCall[] {
  const shapes = [
    {shape: [2, 8, 4, 16], count: 4},
    {shape: [3, 6, 5, 7], count: 2},
  ]
  return shapes.map(({shape, count}) => {
    const [batches = 1, channels = 1] = shape
    const plane = elementCount(shape.slice(2))
    const size = (channels / count) * plane
    return {
      label: label(shape, {num_groups: count}),
      inputs: [
        {name: 'x', shape},
        {name: 'gamma', shape: [channels], domain: [0.5, 1.5] as const},
        {name: 'beta', shape: [channels]},
      ],
      attributes: {num_groups: count, eps: 1e-5, ...attributes},
      compute: ({x, gamma, beta}) => {
        const lines = Array.from({length: batches * count}, (_, index) => [
          ...(x as Float64Array).slice(index * size, (index + 1) * size),
        ])
        const centres = lines.map(mean)
        const scales = lines.map((line) => 1 / Math.sqrt(variance(line) + 1e-5))
        const y = (x as Float64Array).map((value, index) => {
          const group = Math.floor(index / size)
          const channel = Math.floor(index / plane) % channels
          const normal = (value - (centres[group] as number)) * (scales[group] as number)
          return after(
            normal * ((gamma as Float64Array)[channel] as number) + ((beta as Float64Array)[channel] as number),
          )
        })
        return [
          {name: 'y', shape, values: y},
          {name: 'mean', shape: [batches, count], values: Float64Array.from(centres)},
          {name: 'rstd', shape: [batches, count], values: Float64Array.from(scales)},
        ]
      },
    }
  })
}

const smoothL1 = (a: number, b: number) => {
  const gap = Math.abs(a - b)
  return gap < 1 ? gap ** 2 / 2 : gap - 0.5
}
const softMargin = (x: number, t: number) => Math.max(0, -t * x) + Math.log1p(Math.exp(-Math.abs(t * x)))
const product = (row: Row) => row.reduce((total, value) => total * value, 1)
const dot = (a: Row, b: Row) => sum(a.map((value, index) => value * (b[index] as number)))
const outputsOf = (...pairs: [string, 'y' | 'mean' | 'rstd' | 'sum'][]) => pairs.map(([name, what]) => ({name, what}))

/** Operators that reduce, by their folder, as their READMEs state them. */
const reductionTable: Readonly<Record<string, readonly OperatorCall[]>> = {
  'ops-math/experimental/math/reduce_sum_v2': reductions(sum),
  'ops-math/experimental/math/reduce_mean_v2': reductions(mean),
  'ops-math/experimental/math/reduce_max_v2': reductions((row) => Math.max(...row)),
  'ops-math/experimental/math/reduce_min_v2': reductions((row) => Math.min(...row)),
  'ops-math/experimental/math/reduce_prod_v2': reductions(product, [0.97, 1.03]),
  'ops-math/experimental/math/dot_v2': totals(['x1', 'x2'], [[33], [1024], [5000]], dot),
  'ops-nn/experimental/activation/softmax_v2': rowwise(['x'], 'y', softmax, {dim: 1}),
  'ops-nn/experimental/activation/log_softmax_v2': rowwise(['input'], 'out', (row) => softmax(row).map(Math.log), {
    axes: [-1],
  }),
  'ops-nn/experimental/activation/log_softmax_grad': rowwise(
    ['input_dy', 'input_x'],
    'output_z',
    (dy, x) => dy.map((value, index) => value - Math.exp(x[index] as number) * sum(dy)),
    {axis: [-1]},
    [-4, 0],
  ),
  'ops-nn/experimental/loss/softmax_grad': rowwise(
    ['y', 'dy'],
    'dx',
    (y, dy) => y.map((value, index) => value * ((dy[index] as number) - dot(y, dy))),
    {},
    [0, 0.1],
  ),
  'ops-nn/experimental/loss/l2_loss': totals(['x'], solids, (row) => dot(row, row) / 2),
  'ops-nn/experimental/loss/lp_loss': losses(['predict', 'label'], 'y', (a, b) => Math.abs(a - b), {
    attributes: {p: 1},
  }),
  'ops-nn/experimental/loss/mse_loss': losses(['predict', 'label'], 'y', (a, b) => (a - b) ** 2),
  'ops-nn/experimental/loss/smooth_l1_loss_v2': losses(['predict', 'label'], 'loss', smoothL1),
  'ops-nn/experimental/loss/soft_margin_loss': losses(['self', 'target'], 'output', softMargin, {
    words: [0, 1, 2],
    signs: true,
  }),
  'ops-nn/experimental/loss/hinge_embedding_loss': losses(
    ['input', 'target'],
    'loss',
    (x, y) => (y === 1 ? x : Math.max(0, 1 - x)),
    {signs: true},
  ),
  'ops-nn/experimental/loss/huber_loss': losses(['predictions', 'targets'], 'loss', smoothL1, {words: ['none']}),
  // Its README numbers the axes 0 to 2; the definition's default -1 is the norm of all.
  'ops-nn/experimental/norm/lp_norm_v3': matrices.map((shape) => ({
    label: label(shape, {p: 2, axis: -1}),
    inputs: [{name: 'x', shape}],
    attributes: {p: 2, axis: -1},
    compute: ({x}) => {
      const norm = Math.sqrt(dot([...(x as Float64Array)], [...(x as Float64Array)]))
      return [{name: 'y', shape, values: (x as Float64Array).map((value) => value / norm)}]
    },
  })),
  'ops-nn/experimental/norm/group_norm': groups((value) => value),
  'ops-nn/norm/group_norm_silu': groups((value) => value / (1 + Math.exp(-value))),
  'ops-nn/norm/group_norm_swish': groups((value) => value / (1 + Math.exp(-value)), {swish_scale: 1}),
  'ops-nn/norm/rms_norm': normalisations({
    of: {x: 1},
    gamma: 'gamma',
    epsilon: 1e-6,
    centred: false,
    outputs: outputsOf(['y', 'y'], ['rstd', 'rstd']),
  }),
  'ops-nn/norm/gemma_rms_norm': normalisations({
    of: {x: 1},
    gamma: 'gamma',
    shift: 1,
    epsilon: 1e-6,
    centred: false,
    outputs: outputsOf(['y', 'y'], ['rstd', 'rstd']),
  }),
  'ops-nn/norm/add_rms_norm': normalisations({
    of: {x1: 1, x2: 1},
    gamma: 'gamma',
    epsilon: 1e-6,
    centred: false,
    outputs: outputsOf(['y', 'y'], ['rstd', 'rstd'], ['x', 'sum']),
  }),
  'ops-nn/norm/layer_norm_v4': normalisations({
    of: {x: 1},
    shapeInput: 'normalized_shape',
    gamma: 'gamma',
    beta: 'beta',
    epsilon: 1e-5,
    centred: true,
    outputs: outputsOf(['y', 'y'], ['mean', 'mean'], ['rstd', 'rstd']),
  }),
  'ops-nn/norm/deep_norm': normalisations({
    of: {x: 0.3, gx: 1},
    gamma: 'gamma',
    beta: 'beta',
    epsilon: 1e-6,
    centred: true,
    attributes: {alpha: 0.3, epsilon: 1e-6},
    outputs: outputsOf(['mean', 'mean'], ['rstd', 'rstd'], ['y', 'y']),
  }),
  'ops-nn/norm/add_layer_norm': normalisations({
    of: {x1: 1, x2: 1},
    gamma: 'gamma',
    beta: 'beta',
    epsilon: 1e-5,
    centred: true,
    attributes: {epsilon: 1e-5, additional_output: true},
    outputs: outputsOf(['y', 'y'], ['mean', 'mean'], ['rstd', 'rstd'], ['x', 'sum']),
  }),
}

/** Calls of an operator that reduces; undefined for one that the table lacks. */
export function reductionCalls(folder: string): readonly OperatorCall[] | undefined {
  return reductionTable[folder]
}
