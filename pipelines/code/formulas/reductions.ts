import {
  alongRows,
  axesOf,
  axisOf,
  largest,
  mean,
  placed,
  reduced,
  sum,
  sumOf,
  understood,
  variance,
  type Values,
} from './arrays.ts'
import type {Formula, FormulaCall, Formulas, Result} from './formula-call.ts'

type RowFunction = (row: Float64Array) => number

const magnitude: RowFunction = (row) => sumOf(row, Math.abs)

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
  SquareSumV1: {f: (row) => sumOf(row, (x) => x * x)},
  EuclideanNorm: {f: (row) => Math.sqrt(sumOf(row, (x) => x * x))},
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
  const name = ['keep_dims', 'keepdims', 'keepdim'].find((one) => call.has(one))
  if (name === undefined) return false
  return name === 'keepdims' ? call.number(name) !== 0 : call.flag(name)
}

function reduction({f, terms}: Reduction): Formula {
  return {
    inputs: 2,
    attributes: ['axes', 'axis', 'keep_dims', 'keepdims', 'noop_with_empty_axes'],
    of(call) {
      const x = call.x()
      const axes = axesAsked(call, x.shape.length)
      const result: Result = reduced(x, axes, keeps(call), f)
      return [{...result, ...(terms && {scale: largest(reduced(x, axes, false, terms).data)})}]
    },
  }
}

/** The first place of the extreme along an axis, and the extreme. */
function extreme(f: RowFunction): Formula {
  return {
    inputs: 1,
    attributes: ['dimension', 'keep_dims'],
    of(call) {
      const x = call.x()
      const axes = [axisOf(call.number('dimension'), x.shape.length)]
      const at = reduced(x, axes, call.flag('keep_dims', false), (row) => row.indexOf(f(row)))
      understood(!x.data.some(Number.isNaN))
      return [at, reduced(x, axes, call.flag('keep_dims', false), f)]
    },
  }
}

/** Running totals along an axis. */
function running(row: Float64Array, f: (total: number, x: number) => number, from: number): Float64Array {
  let total = from
  return row.map((x) => (total = f(total, x)))
}

function cumulative(f: (total: number, x: number) => number, from: number): Formula {
  return {
    inputs: 2,
    attributes: ['axis', 'exclusive', 'reverse'],
    of(call) {
      understood(!call.flag('exclusive', false) && !call.flag('reverse', false))
      const x = call.x()
      const given = call.optional(1)
      const axis = axisOf(given ? (given.data[0] as number) : call.number('axis'), x.shape.length)
      const result = alongRows(x, [axis], (row) => running(row, f, from))
      return [{...result, scale: largest(alongRows(x, [axis], (row) => running(row.map(Math.abs), f, from)).data)}]
    },
  }
}

/** All to one number. */
function whole(f: RowFunction): Formula {
  return {inputs: 1, of: (call) => [{shape: [1], data: Float64Array.of(f(call.x().data))}]}
}

function dot(call: FormulaCall): Result {
  const [x, y] = [call.x(0), call.x(1)]
  understood(x.data.length === y.data.length)
  const products = x.data.map((one, at) => one * (y.data[at] as number))
  return {shape: [1], data: Float64Array.of(sum(products)), scale: magnitude(products)}
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
  ...Object.fromEntries(Object.entries(reductions).map(([name, one]) => [name, reduction(one)])),
  ArgMaxWithValue: extreme(maximum),
  ArgMinWithValue: extreme(minimum),
  Cumprod: cumulative((total, x) => total * x, 1),
  Cumsum: cumulative((total, x) => total + x, 0),
  Dot: {inputs: 2, of: (call) => [dot(call)]},
  L2Loss: whole((row) => sumOf(row, (x) => x * x) / 2),
  NonFiniteCheck: {
    inputs: 1,
    of(call) {
      const isOdd = call.list().some(({data}) => !data.every(Number.isFinite))
      return [{shape: [1], data: Float64Array.of(Number(isOdd))}]
    },
  },
  Pdist: {inputs: 1, attributes: ['p'], of: (call) => [pairDistances(call)]},
  Segsum: {inputs: 1, of: (call) => [segmentSums(call.x())]},
  SquareSumAll: {
    inputs: 2,
    of: (call) => [0, 1].map((at) => ({shape: [1], data: Float64Array.of(sumOf(call.x(at).data, (x) => x * x))})),
  },
  TraceV2: {
    inputs: 1,
    of(call) {
      const {shape, data} = call.x()
      const [rows = 0, columns = 0] = shape
      understood(shape.length === 2)
      const values = Float64Array.from({length: Math.min(rows, columns)}, (_, at) => data[at * columns + at] as number)
      return [{shape: [1], data: Float64Array.of(sum(values)), scale: magnitude(values)}]
    },
  },
  // Rows: what the bundled operators reduce.
  RowMax: lastAxis({f: maximum}),
  RowSum: lastAxis({f: sum, terms: magnitude}),
  ReduceStdV2: {
    inputs: 1,
    attributes: ['dim', 'correction', 'keepdim', 'is_mean_out'],
    of(call) {
      const x = call.x()
      const axes = allIfNone(call.numbers('dim'), x.shape.length)
      const deviation = (row: Float64Array) =>
        Math.sqrt(variance(row, Math.max(0, row.length - call.number('correction'))))
      return [reduced(x, axes, keeps(call), deviation), reduced(x, axes, keeps(call), mean)]
    },
  },
}

function lastAxis({f, terms}: Reduction): Formula {
  return {
    inputs: 1,
    of(call) {
      const x = call.x()
      const axes = [x.shape.length - 1]
      return [{...reduced(x, axes, true, f), ...(terms && {scale: largest(reduced(x, axes, true, terms).data)})}]
    },
  }
}
