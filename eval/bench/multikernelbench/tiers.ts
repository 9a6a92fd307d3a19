/** A tier's changes to a task's module. */
export interface Setting {
  /** Constants of the module, replacing its own. */
  constants?: Readonly<Record<string, number | readonly number[]>>
  /** First elements of every input along each axis: for modules whose sizes are not constants. */
  cut?: readonly number[]
  /** Of a module whose cases are in a file: which one, counted from the smallest. Default 0. */
  case?: number
  /** Arguments of the model, replacing the module's own: not a call of the benchmark, so never judged literally. */
  init?: readonly (number | boolean | readonly number[])[]
}

/**
 * `head`: the sizes of the checkout. `scaled`: sizes that a CPU can emulate, each keeping what decides its tiling (a
 * row that does not fit into UB, a tail, the axis). `v0`: those of KernelBench v0, the benchmark's before it was
 * aligned for Ascend. `odd`: prime lengths, a single row, a last axis of one, other arguments.
 */
export const tierNames = ['head', 'scaled', 'v0', 'odd'] as const
export type TierName = (typeof tierNames)[number]

type Sizes = Record<'scaled' | 'v0', Setting> & {odd: readonly Setting[]}

/** Types of mHC's streams; its modules name them by position. */
export const elements = ['float16', 'bfloat16', 'float32'] as const
export type StreamElement = (typeof elements)[number]

const own: Setting = {}
const constants = (values: NonNullable<Setting['constants']>): Setting => ({constants: values})

const rows = (batch_size: number, dim: number) => constants({batch_size, dim})
const losses = (batch_size: number, columns: number) => constants({batch_size, input_shape: [columns]})
const planes = (batch_size: number, features: number, dim1: number, dim2: number) =>
  constants({batch_size, features, dim1, dim2})
const cubes = (batch_size: number, dim1: number, dim2: number) => constants({batch_size, dim1, dim2})
const with_ = (setting: Setting, init: NonNullable<Setting['init']>): Setting => ({...setting, init})

const elementwise: Sizes = {
  scaled: rows(256, 6144),
  v0: rows(16, 16384),
  odd: [rows(7, 1021), rows(1, 4099), rows(13, 1)],
}
const softmax: Sizes = {
  scaled: rows(16, 98304),
  v0: rows(16, 16384),
  odd: [rows(7, 1021), rows(1, 50021), rows(13, 1), rows(53, 13)],
}
const meanLoss: Sizes = {
  scaled: losses(512, 2048),
  v0: losses(128, 4096),
  odd: [losses(7, 1021), losses(1, 4099), losses(13, 1)],
}
const scan: Sizes = {
  scaled: losses(48, 32768),
  v0: losses(128, 4000),
  odd: [losses(7, 1021), losses(1, 4099), losses(13, 1), losses(53, 13)],
}
const normRows: Sizes = {
  scaled: rows(48, 65535),
  v0: rows(16, 16384),
  odd: [rows(7, 1021), rows(1, 50021), rows(13, 3)],
}
const reduction: Sizes = {
  scaled: cubes(2, 1024, 1024),
  v0: cubes(16, 256, 256),
  odd: [cubes(3, 127, 61), cubes(1, 1, 13), cubes(5, 17, 1)],
}
const inPlace = (size: readonly [number, number], others: NonNullable<Setting['init']>): Sizes => ({
  scaled: own,
  v0: own,
  odd: [{cut: [7, 1021]}, {cut: [1, size[1] - 1]}, with_({cut: [13, 1]}, others)],
})

/**
 * By name of the task: the 52 of seven categories. Source of `v0`: the benchmark before commit 7134d16. Targets of a
 * hinge broadcast along the last axis: its sizes are square; the modules no longer have dilation in poolings.
 */
export const sizesOf: Readonly<Record<string, Sizes>> = {
  ...Object.fromEntries(
    ['relu', 'sigmoid', 'tanh', 'gelu', 'selu', 'hardsigmoid', 'hardtanh', 'softplus', 'softsign', 'swish'].map(
      (name) => [name, elementwise],
    ),
  ),
  leaky_relu: {...elementwise, odd: [...elementwise.odd, with_(rows(5, 263), [0.2])]},
  elu: {...elementwise, odd: [...elementwise.odd, with_(rows(5, 263), [0.6])]},
  softmax,
  log_softmax: softmax,
  min_gpt_new_gelu: {...elementwise, scaled: rows(512, 1024), v0: rows(2000, 2000)},
  mse_loss: meanLoss,
  huber_loss: meanLoss,
  kl_div_loss: {...meanLoss, scaled: losses(256, 2048), odd: [losses(7, 1021), losses(1, 4099), losses(53, 13)]},
  hinge_loss: {
    scaled: losses(1024, 1024),
    v0: losses(128, 128),
    odd: [losses(127, 127), losses(13, 13), losses(1, 1)],
  },
  cross_entropy_loss: {
    scaled: constants({batch_size: 1024, num_classes: 4096, input_shape: [4096]}),
    v0: constants({batch_size: 4096, num_classes: 10, input_shape: [10]}),
    odd: [
      constants({batch_size: 7, num_classes: 1021, input_shape: [1021]}),
      constants({batch_size: 1, num_classes: 4099, input_shape: [4099]}),
      constants({batch_size: 53, num_classes: 2, input_shape: [2]}),
    ],
  },
  cosine_similarity_loss: {...meanLoss, scaled: own},
  triplet_margin_loss: {
    ...meanLoss,
    scaled: losses(512, 8192),
    odd: [losses(7, 1021), losses(1, 4099), with_(losses(53, 13), [0.3])],
  },
  ...Object.fromEntries(
    ['cumsum', 'cumprod', 'cumsum_reverse', 'cumsum_exclusive', 'masked_cumsum'].map((name) => [name, scan]),
  ),
  matrix_scalar_multiplication: {
    scaled: constants({M: 1024, N: 1024}),
    v0: constants({M: 16384, N: 4096}),
    odd: [constants({M: 7, N: 1021}), constants({M: 1, N: 4099}), constants({M: 13, N: 1})],
  },
  batch_norm: {
    scaled: planes(8, 64, 32, 32),
    v0: planes(16, 64, 256, 256),
    odd: [planes(3, 7, 13, 11), planes(1, 3, 61, 67), planes(5, 49, 1, 3)],
  },
  instance_norm: {
    scaled: planes(2, 8, 256, 256),
    v0: planes(16, 64, 256, 256),
    odd: [planes(3, 7, 13, 11), planes(1, 3, 61, 67), planes(5, 49, 1, 3)],
  },
  group_norm: {
    scaled: planes(2, 64, 64, 64),
    v0: planes(16, 64, 256, 256),
    odd: [
      constants({batch_size: 3, features: 6, num_groups: 3, dim1: 13, dim2: 11}),
      constants({batch_size: 1, features: 5, num_groups: 1, dim1: 31, dim2: 67}),
      constants({batch_size: 5, features: 49, num_groups: 7, dim1: 1, dim2: 3}),
    ],
  },
  layer_norm: {
    scaled: planes(8, 64, 64, 64),
    v0: planes(16, 64, 256, 256),
    odd: [planes(3, 7, 13, 11), planes(1, 3, 61, 67), planes(53, 3, 1, 3)],
  },
  rms_norm: {
    scaled: planes(2, 64, 64, 64),
    v0: planes(16, 64, 256, 256),
    odd: [planes(3, 7, 13, 11), planes(1, 3, 61, 67), with_(planes(5, 49, 1, 3), [49, 1e-3])],
  },
  frobenius_norm: {
    scaled: planes(4, 64, 64, 64),
    v0: planes(16, 64, 256, 256),
    odd: [planes(3, 7, 13, 11), planes(1, 3, 61, 67), planes(1, 1, 1, 3)],
  },
  l1_norm: normRows,
  l2_norm: normRows,
  adagrad: inPlace([1024, 4096], [0.05, 1e-6]),
  adam: inPlace([512, 2048], [0.8, 0.95, 0.01, 1e-6, 7]),
  lamb: inPlace([512, 4096], [0.01, 1e-4]),
  rmsprop: inPlace([2048, 2048], [0.01, 0.9, 1e-6]),
  sgd: inPlace([1024, 4096], [0.5, 0.1]),
  ...Object.fromEntries(['sum', 'mean', 'max', 'min'].map((name) => [`${name}_reduction_over_a_dimension`, reduction])),
  product_reduction_over_a_dimension: {...reduction, scaled: cubes(2, 64, 4096)},
  max_pooling_1d: {
    scaled: constants({batch_size: 4}),
    v0: constants({batch_size: 16, features: 64, sequence_length: 128, kernel_size: 4, stride: 2, padding: 2}),
    odd: [
      constants({batch_size: 3, features: 5, sequence_length: 127}),
      constants({batch_size: 1, features: 1, sequence_length: 13, kernel_size: 3, stride: 3, padding: 0}),
    ],
  },
  max_pooling_2d: {
    scaled: constants({batch_size: 1, channels: 8, height: 256, width: 256}),
    v0: constants({batch_size: 16, channels: 32, height: 128, width: 128, kernel_size: 2, stride: 2, padding: 1}),
    odd: [
      constants({batch_size: 2, channels: 3, height: 37, width: 41}),
      constants({batch_size: 1, channels: 1, height: 7, width: 5, kernel_size: 3, stride: 2, padding: 1}),
    ],
  },
  max_pooling_3d: {
    scaled: constants({batch_size: 1, channels: 4, dim1: 32, dim2: 64, dim3: 128}),
    v0: constants({batch_size: 16, channels: 32, dim1: 64, dim2: 64, dim3: 64}),
    odd: [
      constants({batch_size: 2, channels: 3, dim1: 7, dim2: 11, dim3: 13}),
      constants({batch_size: 1, channels: 1, dim1: 5, dim2: 4, dim3: 3, kernel_size: 2, stride: 1, padding: 0}),
    ],
  },
  average_pooling_1d: {
    scaled: constants({batch_size: 2, in_channels: 32, input_length: 16384}),
    v0: constants({batch_size: 16, in_channels: 32, input_length: 128, kernel_size: 4, stride: 2, padding: 1}),
    odd: [
      constants({batch_size: 3, in_channels: 5, input_length: 127}),
      constants({batch_size: 1, in_channels: 1, input_length: 13, kernel_size: 3, stride: 3, padding: 0}),
    ],
  },
  average_pooling_2d: {
    scaled: constants({batch_size: 1, channels: 16}),
    v0: constants({batch_size: 16, channels: 64, height: 256, width: 256, kernel_size: 3}),
    odd: [
      constants({batch_size: 2, channels: 3, height: 37, width: 41}),
      constants({batch_size: 1, channels: 1, height: 7, width: 5, kernel_size: 3}),
    ],
  },
  average_pooling_3d: {
    scaled: constants({batch_size: 1, channels: 4, depth: 32, height: 64, width: 128}),
    v0: constants({batch_size: 16, channels: 32, depth: 64, height: 64, width: 64}),
    odd: [
      constants({batch_size: 2, channels: 3, depth: 7, height: 11, width: 13}),
      constants({batch_size: 1, channels: 1, depth: 5, height: 4, width: 3, kernel_size: 2, stride: 1, padding: 0}),
    ],
  },
}

const streams = (batch: number, sequence: number, count: number, width: number) =>
  constants({batch, sequence, streams: count, width})

/** For mHC, with public sizes: medium cases, small ones, and sizes that no tile divides. */
export const mhcSizes: Readonly<Record<Exclude<TierName, 'v0'>, readonly Setting[]>> = {
  head: [streams(1, 1024, 4, 5120), streams(1, 2048, 4, 2560)],
  scaled: [
    streams(1, 40, 4, 6544),
    streams(1, 8, 4, 14366),
    streams(1, 269, 6, 384),
    streams(4, 64, 8, 384),
    streams(1, 24, 8, 3264),
  ],
  odd: [streams(1, 1, 4, 128), streams(3, 7, 5, 131), streams(2, 53, 4, 1)],
}

/** The settings of a tier, each called separately. */
export function settingsOf(task: string, tier: TierName, element?: StreamElement): readonly Setting[] {
  if (element !== undefined)
    return tier === 'v0' ? [] : mhcSizes[tier].map((one) => typed(one, elements.indexOf(element)))
  const sizes = sizesOf[task]
  if (!sizes || tier === 'head') return [own]
  return tier === 'odd' ? sizes.odd : [sizes[tier]]
}

function typed(setting: Setting, element: number): Setting {
  return {...setting, constants: {...setting.constants, element}}
}

/** The meaning of inputs, if a kind of values depends on it: squares, labels, rows that sum to one, factors. */
export const rolesOf: Readonly<Record<string, readonly string[]>> = {
  hinge_loss: ['any', 'sign'],
  kl_div_loss: ['distribution', 'target'],
  cumprod: ['factor'],
  product_reduction_over_a_dimension: ['factor'],
  adagrad: ['any', 'any', 'positive'],
  adam: ['any', 'any', 'any', 'positive'],
  lamb: ['any', 'any', 'positive'],
  rmsprop: ['any', 'any', 'positive'],
}

/** Kinds of values with non-finite values. */
const noNumbers = ['infinite', 'nan'] as const

export function isNoNumber(family: string): boolean {
  return noNumbers.some((one) => one === family)
}

/**
 * The kinds used for a task: its module defines the result for them, and the instruction tables show that kernels can
 * produce it. A loss is one number, and NaN as soon as one input is, which proves nothing. Inputs with a meaning (a
 * square, a label, a share, a factor) stay finite.
 */
export function noNumbersOf(task: string): readonly string[] {
  return task in sizesOf && !task.endsWith('_loss') && !(task in rolesOf) ? noNumbers : []
}

/** Source: AscendCraft's evaluation, which uses these seven categories of the benchmark. */
export const categories = ['activation', 'loss', 'math', 'normalization', 'optimizer', 'reduce', 'pooling'] as const
