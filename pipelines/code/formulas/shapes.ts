import {elementCount} from '../../../datasets/schema/tensor.ts'
import {
  axisOf,
  broadcastShape,
  elementAt,
  expanded,
  joined,
  picked,
  pieces,
  placed,
  sliced,
  stacked,
  transposed,
  understood,
  type Shape,
  type Values,
} from './arrays.ts'
import {formula, type FormulaCall, type Formulas} from './formula-call.ts'

const endToEnd = (all: readonly Values[], axis: number) => joined(all, axisOf(axis, all[0]?.shape.length ?? 0))

const concatenated = formula(1, ['concat_dim', 'N'], (call) => endToEnd(call.list(), call.number('concat_dim')))

/** The matrix of two axes at the end, kept on one side of a diagonal. */
const triangle = (keeps: (column: number, diagonal: number) => boolean) =>
  formula(1, ['diagonal'], (call) => {
    const {shape, data} = call.x()
    const diagonal = call.number('diagonal', 0)
    understood(shape.length >= 2)
    return placed(shape, (place, at) => {
      const column = (place.at(-1) as number) - (place.at(-2) as number)
      return keeps(column, diagonal) ? (data[at] as number) : 0
    })
  })

/** With axes of one element in front. */
const raised = (shape: Shape, rank: number): number[] => [...Array<number>(rank - shape.length).fill(1), ...shape]

function tiled({shape, data}: Values, multiples: readonly number[]): Values {
  const rank = Math.max(shape.length, multiples.length)
  const [from, times] = [raised(shape, rank), raised(multiples, rank)]
  const sizes = from.map((size, axis) => size * (times[axis] as number))
  return picked({shape: from, data}, sizes, (at, axis) => at % (from[axis] as number))
}

/** A vector on a diagonal of a matrix, or the diagonal of a matrix. */
function diagonal(x: Values, shift: number): Values {
  understood(x.shape.length === 1 || x.shape.length === 2)
  const [above, left] = [Math.max(-shift, 0), Math.max(shift, 0)]
  if (x.shape.length === 1) return onDiagonal(x.data, shift)
  const [rows = 0, columns = 0] = x.shape
  const length = Math.max(0, Math.min(rows - above, columns - left))
  return placed([length], ([at = 0]) => elementAt(x, [at + above, at + left]))
}

function onDiagonal(data: Float64Array, shift: number): Values {
  const size = data.length + Math.abs(shift)
  return placed([size, size], ([row = 0, column = 0]) =>
    column - row === shift ? (data[Math.min(row, column)] as number) : 0,
  )
}

/** `count` numbers from `start` on. */
const counted = (count: number, of: (at: number) => number): Values => placed([count], ([at = 0]) => of(at))

/** `count` numbers from one to another, both among them. */
const spaced = (start: number, end: number, count: number, of = (x: number) => x): Values =>
  counted(count, (at) => of(count === 1 ? start : start + (at * (end - start)) / (count - 1)))

type Three = [number, number, number]

const range = formula(3, [], (call) => {
  const [start, end, step] = [0, 1, 2].map((at) => call.scalar(at)) as Three
  return counted(Math.max(0, Math.ceil((end - start) / step)), (at) => start + at * step)
})

const linear = formula(3, [], (call) => spaced(...([0, 1, 2].map((at) => call.scalar(at)) as Three)))

function logarithmic(call: FormulaCall): Values {
  const [start, end, steps] = ['start', 'end', 'steps'].map((name) => call.number(name)) as Three
  return spaced(start, end, steps, (x) => call.number('base') ** x)
}

function identity(call: FormulaCall): Values {
  const rows = call.number(call.named('rows', 'num_rows'))
  const columns = call.number(call.named('cols', 'num_columns'))
  return placed([rows, columns > 0 ? columns : rows], ([row, column]) => Number(row === column))
}

function broadcastTo(x: Values, shape: Shape): Values {
  understood(String(broadcastShape(x.shape, shape)) === String(shape))
  return {shape, data: expanded(x, shape)}
}

function rolled(x: Values, shifts: readonly number[], dims: readonly number[]): Values {
  if (dims.length === 0) {
    understood(shifts.length === 1)
    return {...x, data: rolled({shape: [x.data.length], data: x.data}, shifts, [0]).data}
  }
  understood(shifts.length === dims.length)
  const by = x.shape.map(() => 0)
  for (const [at, dim] of dims.entries()) by[axisOf(dim, x.shape.length)] = shifts[at] as number
  return picked(x, x.shape, (at, axis) => {
    const size = x.shape[axis] as number
    return (((at - (by[axis] as number)) % size) + size) % size
  })
}

/** Every tensor cut into as many chunks along an axis, filled up; the n-th chunks of all are concatenated, as rows. */
function chunkCat(call: FormulaCall): Values {
  const [axis, count] = [call.number('dim'), call.number('num_chunks')]
  understood(axis === 0 && count > 0)
  const rows = call.list().map((x) => {
    const [size = 0, ...rest] = x.shape
    const row = Math.ceil(size / count) * elementCount(rest)
    return placed([count, row], ([chunk = 0, at = 0]) => x.data[chunk * row + at] ?? 0)
  })
  return joined(rows, 1)
}

function slice(call: FormulaCall): Values {
  const [x, begin, sizes] = [call.x(), call.values(1), call.values(2)]
  understood(begin.length === x.shape.length && sizes.length === begin.length && sizes.every((size) => size > 0))
  return sliced(x, begin, sizes)
}

const transposition = formula(2, [], (call) => transposed(call.x(), call.values(1)))

export const shapes: Formulas = {
  Arange: range,
  BroadcastTo: formula(2, [], (call) => broadcastTo(call.x(), call.values(1))),
  ChunkCat: formula(1, ['dim', 'num_chunks'], chunkCat),
  ConcatDV2: concatenated,
  ConcatD: concatenated,
  ConcatV2: formula(2, ['d'], (call) => endToEnd(call.first(2), call.number('d'))),
  DiagFlat: formula(1, ['diagonal'], (call) => onDiagonal(call.x().data, call.number('diagonal'))),
  DiagV2: formula(1, ['diagonal'], (call) => diagonal(call.x(), call.number('diagonal'))),
  DiagPart: formula(1, [], (call) => {
    understood(call.x().shape.length === 2)
    return diagonal(call.x(), 0)
  }),
  Expandv: formula(1, ['shape'], (call) => broadcastTo(call.x(), call.numbers('shape'))),
  Eye: formula(1, ['rows', 'cols', 'num_rows', 'num_columns'], identity),
  Fill: formula(2, [], (call) => broadcastTo(call.x(1), call.values(0))),
  LinSpace: linear,
  LinSpaceD: linear,
  LogSpace: formula(0, ['start', 'end', 'steps', 'base'], logarithmic),
  Pack: formula(1, ['axis', 'N'], (call) => stacked(call.list(), call.number('axis'))),
  Range: range,
  Roll: formula(1, ['shifts', 'dims'], (call) => rolled(call.x(), call.numbers('shifts'), call.numbers('dims', []))),
  SliceV3: formula(3, [], slice),
  SplitV: formula(3, ['num_split'], (call) =>
    pieces(call.x(), axisOf(call.scalar(2), call.x().shape.length), call.values(1)),
  ),
  Tile: formula(2, [], (call) => tiled(call.x(), call.values(1))),
  Transpose: transposition,
  Transposev: transposition,
  Tril: triangle((offset, shift) => offset <= shift),
  Triu: triangle((offset, shift) => offset >= shift),
}
