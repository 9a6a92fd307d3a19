import {
  axisOf,
  broadcastShape,
  elementAt,
  expanded,
  placed,
  sliced,
  transposed,
  understood,
  type Shape,
  type Values,
} from './arrays.ts'
import {elementCount} from '../../../datasets/schema/tensor.ts'
import type {Formula, FormulaCall, Formulas} from './formula-call.ts'

/** Tensors end to end along an axis. */
export function joined(all: readonly Values[], axis: number): Values {
  const [first] = all
  understood(first !== undefined)
  const rest = (shape: Shape) => String(shape.filter((_, at) => at !== axis))
  understood(all.every(({shape}) => shape.length === first.shape.length && rest(shape) === rest(first.shape)))
  const size = all.reduce((total, {shape}) => total + (shape[axis] as number), 0)
  const outer = elementCount(first.shape.slice(0, axis))
  const data = new Float64Array(outer * size * elementCount(first.shape.slice(axis + 1)))
  let to = 0
  for (let row = 0; row < outer; row += 1)
    for (const one of all) {
      const part = one.data.length / outer
      data.set(one.data.subarray(row * part, (row + 1) * part), to)
      to += part
    }
  return {shape: first.shape.map((one, at) => (at === axis ? size : one)), data}
}

function cut(x: Values, axis: number, begin: number, size: number): Values {
  return sliced(
    x,
    x.shape.map((_, at) => (at === axis ? begin : 0)),
    x.shape.map((one, at) => (at === axis ? size : one)),
  )
}

/** In pieces along an axis, of these sizes. */
export function pieces(x: Values, axis: number, sizes: readonly number[]): Values[] {
  understood(sizes.reduce((sum, size) => sum + size, 0) === x.shape[axis])
  return sizes.map((size, at) =>
    cut(
      x,
      axis,
      sizes.slice(0, at).reduce((sum, one) => sum + one, 0),
      size,
    ),
  )
}

function concatenated(attribute: string): Formula {
  return {
    inputs: 1,
    attributes: [attribute, 'N'],
    of: (call) => [joined(call.list(), axisOf(call.number(attribute), call.list()[0]?.shape.length ?? 0))],
  }
}

/** The matrix of two axes at the end, kept on one side of a diagonal. */
function triangle(keeps: (column: number, diagonal: number) => boolean): Formula {
  return {
    inputs: 1,
    attributes: ['diagonal'],
    of(call) {
      const x = call.x()
      understood(x.shape.length >= 2)
      const diagonal = call.number('diagonal', 0)
      return [
        placed(x.shape, (place, at) =>
          keeps((place.at(-1) as number) - (place.at(-2) as number), diagonal) ? (x.data[at] as number) : 0,
        ),
      ]
    },
  }
}

/** A list of numbers that a tensor holds. */
export const valuesOf = (call: FormulaCall, at: number): number[] => [...call.x(at).data]

function tiled(x: Values, multiples: readonly number[]): Values {
  const rank = Math.max(x.shape.length, multiples.length)
  const padded = [...Array<number>(rank - x.shape.length).fill(1), ...x.shape]
  const times = [...Array<number>(rank - multiples.length).fill(1), ...multiples]
  const whole = {shape: padded, data: x.data}
  return placed(
    padded.map((size, axis) => size * (times[axis] as number)),
    (place) =>
      elementAt(
        whole,
        place.map((at, axis) => at % (padded[axis] as number)),
      ),
  )
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

/** A single number that a tensor holds. */
export function scalarOf(call: FormulaCall, at: number): number {
  const {data} = call.x(at)
  understood(data.length === 1)
  return data[0] as number
}

function range(call: FormulaCall): Values {
  const [start, end, step] = [0, 1, 2].map((at) => scalarOf(call, at)) as [number, number, number]
  return counted(Math.max(0, Math.ceil((end - start) / step)), (at) => start + at * step)
}

function linear(call: FormulaCall): Values {
  const [start, end, count] = [0, 1, 2].map((at) => scalarOf(call, at)) as [number, number, number]
  return counted(count, (at) => (count === 1 ? start : start + (at * (end - start)) / (count - 1)))
}

function identity(call: FormulaCall): Values {
  const rows = call.number(call.has('rows') ? 'rows' : 'num_rows')
  const columns = call.number(call.has('cols') ? 'cols' : 'num_columns')
  return placed([rows, columns > 0 ? columns : rows], ([row, column]) => Number(row === column))
}

function broadcastTo(x: Values, shape: Shape): Values {
  understood(String(broadcastShape(x.shape, shape)) === String(shape))
  return {shape, data: expanded(x, shape)}
}

function rolled(x: Values, shifts: readonly number[], dims: readonly number[]): Values {
  if (dims.length === 0) {
    understood(shifts.length === 1)
    const flat = rolled({shape: [x.data.length], data: x.data}, shifts, [0])
    return {shape: x.shape, data: flat.data}
  }
  understood(shifts.length === dims.length)
  const by = x.shape.map(() => 0)
  for (const [at, dim] of dims.entries()) by[axisOf(dim, x.shape.length)] = shifts[at] as number
  return placed(x.shape, (place) =>
    elementAt(
      x,
      place.map((one, axis) => {
        const size = x.shape[axis] as number
        return (((one - (by[axis] as number)) % size) + size) % size
      }),
    ),
  )
}

/** Every tensor cut into as many chunks along an axis, filled up; the n-th chunks of all stand end to end, as rows. */
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

export const shapes: Formulas = {
  Arange: {inputs: 3, of: (call) => [range(call)]},
  BroadcastTo: {inputs: 2, of: (call) => [broadcastTo(call.x(), valuesOf(call, 1))]},
  ChunkCat: {inputs: 1, attributes: ['dim', 'num_chunks'], of: (call) => [chunkCat(call)]},
  ConcatDV2: concatenated('concat_dim'),
  ConcatD: concatenated('concat_dim'),
  ConcatV2: {
    inputs: 2,
    attributes: ['d'],
    of: (call) => [joined([call.x(0), call.x(1)], axisOf(call.number('d'), call.x().shape.length))],
  },
  DiagFlat: {
    inputs: 1,
    attributes: ['diagonal'],
    of: (call) => [onDiagonal(call.x().data, call.number('diagonal'))],
  },
  DiagV2: {inputs: 1, attributes: ['diagonal'], of: (call) => [diagonal(call.x(), call.number('diagonal'))]},
  DiagPart: {
    inputs: 1,
    of(call) {
      understood(call.x().shape.length === 2)
      return [diagonal(call.x(), 0)]
    },
  },
  Expandv: {inputs: 1, attributes: ['shape'], of: (call) => [broadcastTo(call.x(), call.numbers('shape'))]},
  Eye: {inputs: 1, attributes: ['rows', 'cols', 'num_rows', 'num_columns'], of: (call) => [identity(call)]},
  Fill: {inputs: 2, of: (call) => [broadcastTo(call.x(1), valuesOf(call, 0))]},
  LinSpace: {inputs: 3, of: (call) => [linear(call)]},
  LinSpaceD: {inputs: 3, of: (call) => [linear(call)]},
  LogSpace: {
    inputs: 0,
    attributes: ['start', 'end', 'steps', 'base'],
    of(call) {
      const [start, end, steps, base] = ['start', 'end', 'steps', 'base'].map((name) => call.number(name)) as [
        number,
        number,
        number,
        number,
      ]
      return [counted(steps, (at) => base ** (steps === 1 ? start : start + (at * (end - start)) / (steps - 1)))]
    },
  },
  Pack: {
    inputs: 1,
    attributes: ['axis', 'N'],
    of(call) {
      const rank = (call.list()[0]?.shape.length ?? 0) + 1
      const axis = axisOf(call.number('axis'), rank)
      const wide = call
        .list()
        .map(({shape, data}) => ({shape: [...shape.slice(0, axis), 1, ...shape.slice(axis)], data}))
      return [joined(wide, axis)]
    },
  },
  Range: {inputs: 3, of: (call) => [range(call)]},
  Roll: {
    inputs: 1,
    attributes: ['shifts', 'dims'],
    of: (call) => [rolled(call.x(), call.numbers('shifts'), call.numbers('dims', []))],
  },
  SliceV3: {
    inputs: 3,
    of(call) {
      const [x, begin, sizes] = [call.x(), valuesOf(call, 1), valuesOf(call, 2)]
      understood(begin.length === x.shape.length && sizes.length === begin.length && sizes.every((size) => size > 0))
      return [sliced(x, begin, sizes)]
    },
  },
  SplitV: {
    inputs: 3,
    attributes: ['num_split'],
    of: (call) => [pieces(call.x(), axisOf(scalarOf(call, 2), call.x().shape.length), valuesOf(call, 1))],
  },
  Tile: {inputs: 2, of: (call) => [tiled(call.x(), valuesOf(call, 1))]},
  Transpose: {inputs: 2, of: (call) => [transposed(call.x(), valuesOf(call, 1))]},
  Transposev: {inputs: 2, of: (call) => [transposed(call.x(), valuesOf(call, 1))]},
  Tril: triangle((offset, shift) => offset <= shift),
  Triu: triangle((offset, shift) => offset >= shift),
}
