import {
  alongRows,
  axesOf,
  axisOf,
  largest,
  mean,
  placed,
  reduced,
  scalar,
  sum,
  sumOf,
  understood,
  variance,
  type Values,
} from './arrays.ts'
import {formula, type Formula, type FormulaCall, type Formulas, type Result} from './formula-call.ts'

type RowFunction = (row: Float64Array) => number

const magnitude: RowFunction = (row) => sumOf(row, Math.abs)

const squares: RowFunction = (row) => sumOf(row, (x) => x * x)

const product: RowFunction = (row) => row.reduce((total, x) => total * x, 1)

/** NaN wins, as in PyTorch. */
export const maximum: RowFunction = (row) => row.reduce((most, x) => Math.max(most, x), -Infinity)
const minimum: RowFunction = (row) => row.reduce((least, x) => Math.min(least, x), Infinity)

/** Whether the largest of what cancels out tells how far a result may be off. */
interface Reduction {
  f: RowFunction
  terms?: RowFunction
}

const reductions: Readonly<Record<string, Reduction>> = {
  ReduceAll: {f: (row) => Number(row.every((x) => x !== 0))},
  ReduceAny: {f: (row) => Number(row.some((x) => x !== 0))},
  ReduceLogSum: {f: (row) => Math.log(sum(row))},
  ReduceLogSumExp: {f: (row) => maximum(row) + Math.log(sumOf(row, (x) => Math.exp(x - maximum(row))))},
  ReduceMax: {f: maximum},
  ReduceMean: {f: mean, terms: (row) => magnitude(row) / row.length},
  ReduceMin: {f: minimum},
  ReduceNansum: {f: (row) => sum(row.filter((x) => !Number.isNaN(x))), terms: magnitude},
  ReduceProd: {f: product},
  ReduceSum: {f: sum, terms: magnitude},
  SquareSumV1: {f: squares},
  EuclideanNorm: {f: (row) => Math.sqrt(squares(row))},
}

/** Axes by an attribute, or as an input's values; none are all, unless the definition takes them for none. */
function axesAsked(call: FormulaCall, rank: number): number[] {
  const given = call.optional(1)
  const name = ['axes', 'axis'].find((one) => call.has(one))
  understood((given === undefined) !== (name === undefined))
  const axes = given ? [...given.data] : call.numbers(name as string)
  return call.flag('noop_with_empty_axes', false) ? axesOf(axes, rank) : allIfNone(axes, rank)
}

const allIfNone = (axes: readonly number[], rank: number) =>
  axesOf(axes.length === 0 ? Array.from({length: rank}, (_, at) => at) : axes, rank)

function keeps(call: FormulaCall): boolean {
  const name = call.named('keep_dims', 'keepdims', 'keepdim')
  return name === 'keepdims' ? call.number(name) !== 0 : call.flag(name, false)
}

function along(x: Values, axes: readonly number[], keep: boolean, {f, terms}: Reduction): Result {
  return {...reduced(x, axes, keep, f), ...(terms && {scale: largest(reduced(x, axes, false, terms).data)})}
}

const byAxes = (one: Reduction): Formula =>
  formula(2, ['axes', 'axis', 'keep_dims', 'keepdims', 'noop_with_empty_axes'], (call) => {
    const x = call.x()
    return along(x, axesAsked(call, x.shape.length), keeps(call), one)
  })

const lastAxis = (one: Reduction): Formula =>
  formula(1, [], (call) => along(call.x(), [call.x().shape.length - 1], true, one))

/** The first place of the extreme along an axis, and the extreme. */
const extreme = (f: RowFunction): Formula =>
  formula(1, ['dimension', 'keep_dims'], (call) => {
    const x = call.x()
    const axes = [axisOf(call.number('dimension'), x.shape.length)]
    understood(!x.data.some(Number.isNaN))
    return [(row: Float64Array) => row.indexOf(f(row)), f].map((one) => reduced(x, axes, keeps(call), one))
  })

/** Running totals along an axis. */
function running(row: Float64Array, f: (total: number, x: number) => number, from: number): Float64Array {
  let total = from
  return row.map((x) => (total = f(total, x)))
}

const cumulative = (f: (total: number, x: number) => number, from: number): Formula =>
  formula(2, ['axis', 'exclusive', 'reverse'], (call) => {
    understood(!call.flag('exclusive', false) && !call.flag('reverse', false))
    const x = call.x()
    const axis = axisOf(call.optional(1)?.data[0] ?? call.number('axis'), x.shape.length)
    const sizes = {shape: x.shape, data: x.data.map(Math.abs)}
    const totals = (of: Values) => alongRows(of, [axis], (row) => running(row, f, from))
    return {...totals(x), scale: largest(totals(sizes).data)}
  })

/** All to one number. */
const whole = (f: RowFunction): Formula => formula(1, [], (call) => scalar(f(call.x().data)))

const total = (terms: Float64Array): Result => ({...scalar(sum(terms)), scale: magnitude(terms)})

function dot(call: FormulaCall): Result {
  const [x, y] = [call.x(0), call.x(1)]
  understood(x.data.length === y.data.length)
  return total(x.data.map((one, at) => one * (y.data[at] as number)))
}

function trace(call: FormulaCall): Result {
  const {shape, data} = call.x()
  const [rows = 0, columns = 0] = shape
  understood(shape.length === 2)
  return total(Float64Array.from({length: Math.min(rows, columns)}, (_, at) => data[at * columns + at] as number))
}

function deviations(call: FormulaCall): Values[] {
  const x = call.x()
  const axes = allIfNone(call.numbers('dim'), x.shape.length)
  const correction = call.number('correction')
  const deviation: RowFunction = (row) => Math.sqrt(variance(row, Math.max(0, row.length - correction)))
  return [deviation, mean].map((f) => reduced(x, axes, keeps(call), f))
}

/** Sums of the elements behind one place up to another, as exponents; nothing above the diagonal. */
function segmentSums(x: Values): Values {
  const size = x.shape.at(-1) as number
  return placed([...x.shape, size], (place, at) => {
    const [to, from] = [place.at(-2) as number, place.at(-1) as number]
    if (to < from) return 0
    const start = Math.floor(at / (size * size)) * size
    return Math.exp(sum(x.data.subarray(start + from + 1, start + to + 1)))
  })
}

/** Distances of all pairs of rows. */
function pairDistances(call: FormulaCall): Values {
  const {shape, data} = call.x()
  const [rows = 0, size = 0] = shape
  const p = call.number('p')
  understood(shape.length === 2 && p > 0 && p < Infinity)
  const distances: number[] = []
  const row = (at: number) => data.subarray(at * size, (at + 1) * size)
  for (let a = 0; a < rows; a += 1)
    for (let b = a + 1; b < rows; b += 1)
      distances.push(sum(row(a).map((x, at) => Math.abs(x - (row(b)[at] as number)) ** p)) ** (1 / p))
  return {shape: [distances.length], data: Float64Array.from(distances)}
}

export const reducing: Formulas = {
  ...Object.fromEntries(Object.entries(reductions).map(([name, one]) => [name, byAxes(one)])),
  ArgMaxWithValue: extreme(maximum),
  ArgMinWithValue: extreme(minimum),
  Cumprod: cumulative((product, x) => product * x, 1),
  Cumsum: cumulative((sum, x) => sum + x, 0),
  Dot: formula(2, [], dot),
  L2Loss: whole((row) => squares(row) / 2),
  NonFiniteCheck: formula(1, [], (call) => scalar(Number(call.list().some(({data}) => !data.every(Number.isFinite))))),
  Pdist: formula(1, ['p'], pairDistances),
  Segsum: formula(1, [], (call) => segmentSums(call.x())),
  SquareSumAll: formula(2, [], (call) => [0, 1].map((at) => scalar(squares(call.x(at).data)))),
  TraceV2: formula(1, [], trace),
  // Rows: what the bundled operators reduce.
  RowMax: lastAxis({f: maximum}),
  RowSum: lastAxis({f: sum, terms: magnitude}),
  ReduceStdV2: formula(1, ['dim', 'correction', 'keepdim', 'is_mean_out'], deviations),
}
