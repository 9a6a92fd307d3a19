import type {OpParameter} from '../../../cpp/op-def.ts'
import {isInteger} from '../../../datasets/dtype.ts'
import type {Dtype} from '../../../datasets/schema/tensor.ts'

export type Shape = readonly number[]

/** What an input is to the call: its shape from the shape that the call is about, and values where those matter. */
export interface Role {
  shape(base: Shape): Shape
  values?(base: Shape): number[]
  /** Instead of the range of the dtype. */
  range?: readonly [number, number]
}

const last = (base: Shape) => base.at(-1) ?? 1
const outer = (base: Shape) => base.slice(0, -1)
const positive: readonly [number, number] = [0.25, 4]
// Rounded away from 0: indices 1 to 3, which every axis of more than three elements has.
const indices: readonly [number, number] = [0, 3]

const same: Role = {shape: (base) => base}
const lastAxis: Role = {shape: (base) => [last(base)]}
const lastBlock: Role = {shape: (base) => [1, last(base)]}
const rows: Role = {shape: (base) => (base.length > 1 ? outer(base) : [1])}
const column: Role = {shape: (base) => [...outer(base), 1]}
const channels: Role = {shape: (base) => [base[1] ?? base[0] ?? 1]}
const firstAxis: Role = {shape: (base) => [base[0] ?? 1]}
const one: Role = {shape: () => [1]}
const scalar: Role = {shape: () => []}
const square: Role = {shape: (base) => [...base.slice(0, -2), last(base), last(base)]}
/** One number for each tensor of a list. */
const perTensor: Role = {shape: () => [2]}
const half: Role = {shape: (base) => [...outer(base), Math.max(1, last(base) >> 1)]}
const axis: Role = {shape: () => [1], values: (base) => [base.length - 1]}
const firstOf: Role = {shape: () => [1], values: () => [0]}
const sizes: Role = {shape: (base) => [base.length], values: (base) => [...base]}
const reversed: Role = {shape: (base) => [base.length], values: (base) => base.map((_, at) => base.length - 1 - at)}
const ones: Role = {shape: (base) => [base.length], values: (base) => base.map(() => 1)}
const twos: Role = {shape: (base) => [base.length], values: (base) => base.map((_, at) => (at === 0 ? 2 : 1))}
const zeros: Role = {shape: (base) => [base.length], values: (base) => base.map(() => 0)}
const pads: Role = {shape: (base) => [base.length, 2], values: (base) => base.flatMap(() => [1, 1])}
const indexRow: Role = {...firstAxis, range: indices}
const indexSame: Role = {...same, range: indices}
const indexFew: Role = {shape: () => [8], range: indices}
const indexPairs: Role = {shape: () => [8, 1], range: indices}

/** Whether it is handed over at all. */
export const absent = 'absent'
export type Given = Role | typeof absent

const named: readonly (readonly [RegExp, readonly Role[]])[] = [
  [/^(?:axis|axes|dim|dims|dimension|reduce_?axis)$/, [axis, firstOf]],
  [/perm/, [reversed]],
  [/^(?:multiples|repeats?|repeat_times)$/, [twos, ones]],
  [/stride/, [ones]],
  [/begin|^offsets$|^start_ind|^shift/, [zeros, firstOf]],
  [/padding|^pads?$/, [pads]],
  [/shape|(?:^|_)sizes?$/, [sizes, lastAxis, one]],
]
const indexNames = /ind(?:ex|ices)|idx|segment|label|target|ids$|^rows?$|positions?/
const statistics = /mean|rstd|var(?:iance)?$|std|inv|norm_stat|save_/
const rowNames = /gamma|beta$|weight|bias|scale|offset|smooth|zero_point|antiquant|threshold|^w\d?$/
const singles = new RegExp(
  `^(?:${[
    String.raw`alpha|beta\d?|beta\d_power|lr|eps(?:ilon)?|value|scalar\w*|min|max|clip_value_\w+|step|rho|momentum`,
    'grad_scale|weight_decay|delta|num|start|stop|end|limit|found_inf|max_norm|global_step|learning_rate',
    'keep_prob|prob|p|seed|l1|l2|lr_power|low|high|exponent|sum|count|n|k|decay|lambda|on_value|off_value',
    'depth|fill_value|batch_size|group_size',
  ].join('|')})$`,
)

/** What an input may be, the likeliest first. */
export function rolesOf(
  {name, kind, hostValue}: OpParameter,
  position: number,
  dtype: Dtype,
  operator: string,
): readonly Given[] {
  const lower = name.toLowerCase()
  const roles = likely(lower, hostValue, position, dtype, /mat_?mul|gemm|linear|^mm|^bmm/i.test(operator))
  return kind === 'optional' ? [absent, ...roles] : roles
}

function likely(
  name: string,
  hostValue: OpParameter['hostValue'],
  position: number,
  dtype: Dtype,
  product: boolean,
): readonly Role[] {
  const whole = isInteger(dtype) && dtype !== 'bool'
  const known = whole ? named.find(([pattern]) => pattern.test(name))?.[1] : undefined
  if (known) return known
  if (hostValue === 'scalar-list' || name === 'scalars') return [perTensor, one]
  if (hostValue === 'scalar' || singles.test(name)) return [one, scalar, same]
  if (hostValue && whole) return [axis, sizes, ones, zeros]
  if (whole && indexNames.test(name)) return [indexRow, indexSame, indexFew, indexPairs]
  if (position === 0) return [same]
  if (product && position === 1) return [square, lastAxis, same]
  if (statistics.test(name)) return [column, rows, channels, same].map((role) => ({...role, range: positive}))
  if (rowNames.test(name)) return [lastAxis, same, channels, one, lastBlock]
  if (name.includes('mask')) return [same, lastAxis, one]
  return [same, lastAxis, one, column, half, square]
}

/** What an output may be; what the run writes decides in the end. */
export function outputRolesOf(name: string): Role[] {
  if (statistics.test(name.toLowerCase())) return [column, same, channels]
  return [same, one, column, rows]
}

/** Shapes of outputs that are not copies of the base: the first with as many elements as were written. */
export const reductions: readonly Role[] = [
  column,
  rows,
  half,
  lastAxis,
  channels,
  firstAxis,
  square,
  {shape: (base) => [1, ...base.slice(1)]},
  {shape: (base) => [base[0] ?? 1, base[1] ?? 1, ...base.slice(2).map(() => 1)]},
  one,
]
