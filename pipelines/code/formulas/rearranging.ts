import {isInteger} from '../../../datasets/dtype.ts'
import {elementCount} from '../../../datasets/schema/tensor.ts'
import {axisOf, elementAt, placed, understood, type Shape, type Values} from './arrays.ts'
import {elements, filled} from './elementwise.ts'
import type {FormulaCall, Formulas, Result} from './formula-call.ts'
import {joined, pieces, scalarOf, valuesOf} from './shapes.ts'

const offsetOf = (shape: Shape, place: readonly number[]) =>
  place.reduce((total, at, axis) => total * (shape[axis] as number) + at, 0)

/** Where the element of a padded tensor comes from, along one axis of `size`. */
const sources: Readonly<Record<string, (at: number, size: number) => number>> = {
  circular: (at, size) => ((at % size) + size) % size,
  edge: (at, size) => Math.min(Math.max(at, 0), size - 1),
  reflect: (at, size) => (at < 0 ? -at : size - 1 - Math.abs(size - 1 - at)),
}

/** Before and after, by axis. */
function padsOf(call: FormulaCall, rank: number): [number, number][] {
  const values = valuesOf(call, 1)
  understood(values.length === 2 * rank)
  return Array.from({length: rank}, (_, axis) => [values[2 * axis] as number, values[2 * axis + 1] as number])
}

function padded(call: FormulaCall, mode: string): Values {
  const x = call.x()
  const pads = padsOf(call, x.shape.length)
  const shape = x.shape.map((size, axis) => size + pads[axis]![0] + pads[axis]![1])
  const source = sources[mode]!
  return placed(shape, (place) =>
    elementAt(
      x,
      place.map((at, axis) => source(at - pads[axis]![0], x.shape[axis] as number)),
    ),
  )
}

/** Each element of the padded tensor's gradient goes back to where it came from. */
function unpadded(call: FormulaCall, mode: string | undefined): Result {
  const source = mode === undefined ? undefined : sources[mode]
  understood(source !== undefined)
  const dy = call.x()
  const pads = padsOf(call, dy.shape.length)
  const shape = dy.shape.map((size, axis) => size - pads[axis]![0] - pads[axis]![1])
  understood(shape.every((size) => size > 0))
  const [data, sizes] = [new Float64Array(elementCount(shape)), new Float64Array(elementCount(shape))]
  placed(dy.shape, (place, at) => {
    const to = offsetOf(
      shape,
      place.map((one, axis) => source(one - pads[axis]![0], shape[axis] as number)),
    )
    data[to] = (data[to] as number) + (dy.data[at] as number)
    sizes[to] = (sizes[to] as number) + Math.abs(dy.data[at] as number)
    return 0
  })
  return {shape, data, scale: sizes.reduce((most, one) => Math.max(most, one), 0)}
}

/** Real numbers are cut off where they become whole. */
function cast(call: FormulaCall): Result {
  const [x, to] = [call.x(), call.output().dtype]
  if (to === 'bool') return elements([x], (one) => Number(one !== 0))
  return isInteger(to) && !isInteger(x.dtype) ? elements([x], Math.trunc) : x
}

function oneHot(call: FormulaCall): Values {
  const x = call.x()
  const depth = call.number('depth')
  return placed([...x.shape, depth], (place, at) => Number(x.data[Math.floor(at / depth)] === place.at(-1)))
}

/** With `along` in place of one coordinate. */
const moved = (place: readonly number[], axis: number, along: number) =>
  place.map((at, one) => (one === axis ? along : at))

function gathered(call: FormulaCall): Values {
  const [x, index] = [call.x(0), call.x(1)]
  const axis = axisOf(call.number('dim'), x.shape.length)
  const size = x.shape[axis] as number
  understood(x.shape.length === index.shape.length)
  return placed(index.shape, (place, at) => {
    const along = index.data[at] as number
    understood(along >= -size && along < size)
    return elementAt(x, moved(place, axis, along < 0 ? along + size : along))
  })
}

/** Updates that meet at one place are only understood where their order does not count. */
function scattered(call: FormulaCall): Result {
  const [x, index, updates] = [call.x(0), call.x(1), call.x(2)]
  const axis = axisOf(call.number('axis', 0), x.shape.length)
  const reduction = call.word('reduction', 'none')
  understood(['none', 'add'].includes(reduction) && call.flag('include_self', true))
  understood(x.shape.length === index.shape.length && String(index.shape) === String(updates.shape))
  const data = Float64Array.from(x.data)
  const seen = new Set<number>()
  placed(index.shape, (place, at) => {
    const along = index.data[at] as number
    understood(along >= 0 && along < (x.shape[axis] as number))
    const to = offsetOf(x.shape, moved(place, axis, along))
    understood(reduction === 'add' || !seen.has(to))
    seen.add(to)
    data[to] = (reduction === 'add' ? (data[to] as number) : 0) + (updates.data[at] as number)
    return 0
  })
  return {shape: x.shape, data, ...(reduction === 'add' && {scale: sumScale(x, updates)})}
}

const sumScale = (...all: Values[]) =>
  all.reduce((total, {data}) => total + data.reduce((most, one) => Math.max(most, Math.abs(one)), 0), 0) * 4

function indexFilled(call: FormulaCall): Values {
  const x = call.x()
  const axis = axisOf(call.number('dim'), x.shape.length)
  const size = x.shape[axis] as number
  const marked = new Set(valuesOf(call, 1).map((at) => (at < 0 ? at + size : at)))
  const value = scalarOf(call, 2)
  return placed(x.shape, (place, at) => (marked.has(place[axis] as number) ? value : (x.data[at] as number)))
}

/** The rows that indices name take what updates hold. */
function rowsUpdated(call: FormulaCall): Values {
  const [x, indices, updates] = [call.x(0), call.x(1), call.x(2)]
  const depth = indices.shape.at(-1) ?? 0
  const count = elementCount(indices.shape.slice(0, -1))
  const row = elementCount(x.shape.slice(depth))
  understood(depth >= 1 && depth <= x.shape.length && updates.data.length === count * row)
  const data = Float64Array.from(x.data)
  const seen = new Set<number>()
  for (let at = 0; at < count; at += 1) {
    const place = [...indices.data.subarray(at * depth, (at + 1) * depth)]
    understood(place.every((one, axis) => one >= 0 && one < (x.shape[axis] as number)))
    const to = offsetOf(x.shape, place)
    understood(!seen.has(to))
    seen.add(to)
    data.set(updates.data.subarray(at * row, (at + 1) * row), to * row)
  }
  return {shape: x.shape, data}
}

/** Elements of the source one after the other, wherever the mask says so. */
function maskedScatter(call: FormulaCall): Values {
  const [x, mask, updates] = [call.x(0), call.x(1), call.x(2)]
  understood(mask.data.length === x.data.length)
  let next = 0
  const data = x.data.map((one, at) => (mask.data[at] ? (updates.data[next++] ?? NaN) : one))
  understood(next <= updates.data.length)
  return {shape: x.shape, data}
}

function strided(call: FormulaCall): Values {
  const [x, size, stride] = [call.x(0), valuesOf(call, 1), valuesOf(call, 2)]
  const start = call.optional(3)?.data[0] ?? 0
  understood(size.length === stride.length && size.every((one) => Number.isInteger(one) && one >= 0))
  return placed(size, (place) => {
    const from = place.reduce((total, at, axis) => total + at * (stride[axis] as number), start)
    understood(Number.isInteger(from) && from >= 0 && from < x.data.length)
    return x.data[from] as number
  })
}

function outer(call: FormulaCall): Result {
  const [self, a, b] = [call.x(0), call.x(1), call.x(2)]
  const [beta, alpha] = [scalarOf(call, 3), scalarOf(call, 4)]
  understood(a.shape.length === 1 && b.shape.length === 1)
  const column = {shape: [a.data.length, 1], data: a.data}
  return elements(
    [self, column, b],
    (x, y, z) => beta * x + alpha * y * z,
    (x, y, z) => Math.abs(beta * x) + Math.abs(alpha * y * z),
  )
}

export const rearranging: Formulas = {
  AddMatMatElementsPlus: {
    inputs: 5,
    of(call) {
      const [beta, alpha] = [scalarOf(call, 3), scalarOf(call, 4)]
      const operands = [call.x(0), call.x(1), call.x(2)]
      const terms = (c: number, a: number, b: number) => Math.abs(c * beta) + Math.abs(alpha * a * b)
      return [elements(operands, (c, a, b) => c * beta + alpha * a * b, terms)]
    },
  },
  AddrV2: {inputs: 5, of: (call) => [outer(call)]},
  AsStrided: {inputs: 4, of: (call) => [strided(call)]},
  Cast: {inputs: 1, attributes: ['dst_type'], of: (call) => [cast(call)]},
  CircularPad: {inputs: 2, of: (call) => [padded(call, 'circular')]},
  CircularPadGrad: {inputs: 2, of: (call) => [unpadded(call, 'circular')]},
  FillV2: {inputs: 2, of: (call) => [filled(call, scalarOf(call, 1))]},
  FillDiagonalV2: {
    inputs: 2,
    attributes: ['wrap'],
    of(call) {
      const x = call.x()
      understood(x.shape.length >= 2 && (!call.flag('wrap') || (x.shape[0] as number) <= (x.shape[1] as number)))
      const value = scalarOf(call, 1)
      return [placed(x.shape, (place, at) => (place.every((one) => one === place[0]) ? value : (x.data[at] as number)))]
    },
  },
  GatherElements: {inputs: 2, attributes: ['dim'], of: (call) => [gathered(call)]},
  IndexFill: {inputs: 3, attributes: ['dim'], of: (call) => [indexFilled(call)]},
  MaskedScatter: {inputs: 3, of: (call) => [maskedScatter(call)]},
  MaskedSelectV3: {
    inputs: 2,
    of(call) {
      const [x, mask] = [call.x(0), call.x(1)]
      understood(String(x.shape) === String(mask.shape))
      const data = x.data.filter((_, at) => mask.data[at] !== 0)
      return [{shape: [data.length], data}]
    },
  },
  Onehot: {inputs: 1, attributes: ['depth'], of: (call) => [oneHot(call)]},
  PackV2: {
    inputs: 2,
    attributes: ['d'],
    of(call) {
      const axis = axisOf(call.number('d'), call.x().shape.length + 1)
      const wide = (at: number) => {
        const {shape, data} = call.x(at)
        return {shape: [...shape.slice(0, axis), 1, ...shape.slice(axis)], data}
      }
      return [joined([wide(0), wide(1)], axis)]
    },
  },
  PadV3GradReplicate: {
    inputs: 2,
    attributes: ['mode', 'paddings_contiguous'],
    of: (call) => [unpadded(call, call.word('mode'))],
  },
  PadV3GradReplication: {inputs: 2, of: (call) => [unpadded(call, 'edge')]},
  PadV4Grad: {
    inputs: 2,
    attributes: ['mode', 'paddings_contiguous'],
    of: (call) => [unpadded(call, call.word('mode'))],
  },
  ReflectionPad3dGrad: {inputs: 2, of: (call) => [unpadded(call, 'reflect')]},
  ScatterElements: {inputs: 3, attributes: ['axis', 'reduction', 'include_self'], of: (call) => [scattered(call)]},
  ScatterNdUpdate: {inputs: 3, attributes: ['use_locking'], of: (call) => [rowsUpdated(call)]},
  Split: {
    inputs: 1,
    attributes: ['indices_or_sections', 'axis'],
    of(call) {
      const x = call.x()
      const axis = axisOf(call.number('axis'), x.shape.length)
      const [sections = 0, ...more] = call.numbers('indices_or_sections')
      const size = (x.shape[axis] as number) / sections
      understood(more.length === 0 && Number.isInteger(size))
      return [pieces(x, axis, Array<number>(sections).fill(size))]
    },
  },
}
