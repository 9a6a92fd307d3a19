import {isInteger} from '../../../datasets/dtype.ts'
import {elementCount} from '../../../datasets/schema/tensor.ts'
import {
  axisOf,
  known,
  largest,
  mapped,
  offsetOf,
  picked,
  pieces,
  placed,
  stacked,
  understood,
  type Shape,
  type Values,
} from './arrays.ts'
import {filled, summed} from './elementwise.ts'
import {formula, type FormulaCall, type Formulas, type Result} from './formula-call.ts'

/** Where the element of a padded tensor comes from, along one axis of `size`. */
const sources: Readonly<Record<string, (at: number, size: number) => number>> = {
  circular: (at, size) => ((at % size) + size) % size,
  edge: (at, size) => Math.min(Math.max(at, 0), size - 1),
  reflect: (at, size) => (at < 0 ? -at : size - 1 - Math.abs(size - 1 - at)),
}

/** Elements before and after, axis by axis. */
function padsOf(call: FormulaCall, {length}: Shape): [before: number[], both: number[]] {
  const values = call.values(1)
  understood(values.length === 2 * length)
  const before = values.filter((_, at) => at % 2 === 0)
  return [before, before.map((one, axis) => one + (values[2 * axis + 1] as number))]
}

const sourceOf = (mode: string) => known(sources[mode])

function padded(call: FormulaCall, mode: string): Values {
  const x = call.x()
  const [before, both] = padsOf(call, x.shape)
  const source = sourceOf(mode)
  const shape = x.shape.map((size, axis) => size + (both[axis] as number))
  return picked(x, shape, (at, axis) => source(at - (before[axis] as number), x.shape[axis] as number))
}

/** Where terms come on top, element by element; what cancels out is remembered at its size. */
function accumulated({shape, data}: Values, places: Float64Array, terms: Float64Array): Result {
  const [sums, sizes] = [Float64Array.from(data), data.map(Math.abs)]
  for (const [at, to] of places.entries()) {
    const term = terms[at] as number
    sums[to] = (sums[to] as number) + term
    sizes[to] = (sizes[to] as number) + Math.abs(term)
  }
  return {shape, data: sums, scale: largest(sizes)}
}

/** Places that are replaced by others; which of two at one place wins is not covered. */
function replaced({shape, data}: Values, places: ArrayLike<number>, others: Float64Array, size = 1): Values {
  understood(new Set(Array.from(places)).size === places.length)
  const result = Float64Array.from(data)
  for (let at = 0; at < places.length; at += 1)
    result.set(others.subarray(at * size, (at + 1) * size), (places[at] as number) * size)
  return {shape, data: result}
}

/** Each element of the padded tensor's gradient goes back to where it came from. */
function unpadded(call: FormulaCall, mode: string): Result {
  const [dy, source] = [call.x(), sourceOf(mode)]
  const [before, both] = padsOf(call, dy.shape)
  const shape = dy.shape.map((size, axis) => size - (both[axis] as number))
  understood(shape.every((size) => size > 0))
  const from = (at: number, axis: number) => source(at - (before[axis] as number), shape[axis] as number)
  const places = placed(dy.shape, (place) => offsetOf(shape, place.map(from)))
  return accumulated({shape, data: new Float64Array(elementCount(shape))}, places.data, dy.data)
}

/** Real numbers are cut off where they become whole. */
function cast(call: FormulaCall): Result {
  const [x, to] = [call.x(), call.output().dtype]
  if (to === 'bool') return mapped([x], (one) => Number(one !== 0))
  return isInteger(to) && !isInteger(x.dtype) ? mapped([x], Math.trunc) : x
}

function oneHot(call: FormulaCall): Values {
  const x = call.x()
  const depth = call.number('depth')
  return placed([...x.shape, depth], (place, at) => Number(x.data[Math.floor(at / depth)] === place.at(-1)))
}

/**
 * For each index its own place, except along the axis that it indexes; negative values count from the end if allowed.
 */
function indexed({shape}: Values, index: Values, axis: number, least: number): Float64Array {
  const size = shape[axis] as number
  understood(shape.length === index.shape.length)
  return placed(index.shape, (place, at) => {
    const along = index.data[at] as number
    understood(along >= least && along < size)
    return offsetOf(shape, place.with(axis, along < 0 ? along + size : along))
  }).data
}

function gathered(call: FormulaCall): Values {
  const [x, index] = [call.x(0), call.x(1)]
  const axis = axisOf(call.number('dim'), x.shape.length)
  const places = indexed(x, index, axis, -(x.shape[axis] as number))
  return {shape: index.shape, data: places.map((at) => x.data[at] as number)}
}

function scattered(call: FormulaCall): Result {
  const [x, index, updates] = [call.x(0), call.x(1), call.x(2)]
  const reduction = call.word('reduction', 'none')
  understood(['none', 'add'].includes(reduction) && call.flag('include_self', true))
  understood(String(index.shape) === String(updates.shape))
  const places = indexed(x, index, axisOf(call.number('axis', 0), x.shape.length), 0)
  return (reduction === 'add' ? accumulated : replaced)(x, places, updates.data)
}

function indexFilled(call: FormulaCall): Values {
  const x = call.x()
  const axis = axisOf(call.number('dim'), x.shape.length)
  const size = x.shape[axis] as number
  const marked = new Set(call.values(1).map((at) => (at < 0 ? at + size : at)))
  const value = call.scalar(2)
  return placed(x.shape, (place, at) => (marked.has(place[axis] as number) ? value : (x.data[at] as number)))
}

/** The rows that indices name take what updates hold. */
function rowsUpdated(call: FormulaCall): Values {
  const [x, indices, updates] = [call.x(0), call.x(1), call.x(2)]
  const depth = indices.shape.at(-1) ?? 0
  const [leading, row] = [x.shape.slice(0, depth), elementCount(x.shape.slice(depth))]
  const count = elementCount(indices.shape.slice(0, -1))
  understood(depth >= 1 && depth <= x.shape.length && updates.data.length === count * row)
  const places = Array.from({length: count}, (_, at) => {
    const place = [...indices.data.subarray(at * depth, (at + 1) * depth)]
    understood(place.every((one, axis) => one >= 0 && one < (leading[axis] as number)))
    return offsetOf(leading, place)
  })
  return replaced(x, places, updates.data, row)
}

/** Elements of the source one after another, where the mask is set. */
function maskedScatter(call: FormulaCall): Values {
  const [x, mask, updates] = [call.x(0), call.x(1), call.x(2)]
  understood(mask.data.length === x.data.length)
  let next = 0
  const data = x.data.map((one, at) => (mask.data[at] ? (updates.data[next++] ?? NaN) : one))
  understood(next <= updates.data.length)
  return {shape: x.shape, data}
}

function maskedSelect(call: FormulaCall): Values {
  const [x, mask] = [call.x(0), call.x(1)]
  understood(String(x.shape) === String(mask.shape))
  const data = x.data.filter((_, at) => mask.data[at] !== 0)
  return {shape: [data.length], data}
}

function strided(call: FormulaCall): Values {
  const [x, size, stride] = [call.x(0), call.values(1), call.values(2)]
  const start = call.optional(3)?.data[0] ?? 0
  understood(size.length === stride.length && size.every((one) => Number.isInteger(one) && one >= 0))
  return placed(size, (place) => {
    const from = place.reduce((total, at, axis) => total + at * (stride[axis] as number), start)
    understood(Number.isInteger(from) && from >= 0 && from < x.data.length)
    return x.data[from] as number
  })
}

/** `beta` times the first, `alpha` times the product of the others. */
function weighted(call: FormulaCall, operands: readonly Values[]): Result {
  const [beta, alpha] = [call.scalar(3), call.scalar(4)]
  return summed(operands, (x, a, b) => [beta * x, alpha * a * b])
}

function outer(call: FormulaCall): Result {
  const [self, a, b] = [call.x(0), call.x(1), call.x(2)]
  understood(a.shape.length === 1 && b.shape.length === 1)
  return weighted(call, [self, {shape: [a.data.length, 1], data: a.data}, b])
}

function diagonalFilled(call: FormulaCall): Values {
  const {shape, data} = call.x()
  const [rows = 0, columns = 0] = shape
  understood(shape.length >= 2 && (!call.flag('wrap') || rows <= columns))
  const value = call.scalar(1)
  return placed(shape, (place, at) => (place.every((one) => one === place[0]) ? value : (data[at] as number)))
}

function split(call: FormulaCall): Values[] {
  const x = call.x()
  const axis = axisOf(call.number('axis'), x.shape.length)
  const [sections = 0, ...more] = call.numbers('indices_or_sections')
  const size = (x.shape[axis] as number) / sections
  understood(more.length === 0 && Number.isInteger(size))
  return pieces(x, axis, Array<number>(sections).fill(size))
}

const unpadding = formula(2, ['mode', 'paddings_contiguous'], (call) => unpadded(call, call.word('mode')))

export const rearranging: Formulas = {
  AddMatMatElementsPlus: formula(5, [], (call) => weighted(call, call.first(3))),
  AddrV2: formula(5, [], outer),
  AsStrided: formula(4, [], strided),
  Cast: formula(1, ['dst_type'], cast),
  CircularPad: formula(2, [], (call) => padded(call, 'circular')),
  CircularPadGrad: formula(2, [], (call) => unpadded(call, 'circular')),
  FillV2: formula(2, [], (call) => filled(call, call.scalar(1))),
  FillDiagonalV2: formula(2, ['wrap'], diagonalFilled),
  GatherElements: formula(2, ['dim'], gathered),
  IndexFill: formula(3, ['dim'], indexFilled),
  MaskedScatter: formula(3, [], maskedScatter),
  MaskedSelectV3: formula(2, [], maskedSelect),
  Onehot: formula(1, ['depth'], oneHot),
  PackV2: formula(2, ['d'], (call) => stacked(call.first(2), call.number('d'))),
  PadV3GradReplicate: unpadding,
  PadV3GradReplication: formula(2, [], (call) => unpadded(call, 'edge')),
  PadV4Grad: unpadding,
  ReflectionPad3dGrad: formula(2, [], (call) => unpadded(call, 'reflect')),
  ScatterElements: formula(3, ['axis', 'reduction', 'include_self'], scattered),
  ScatterNdUpdate: formula(3, ['use_locking'], rowsUpdated),
  Split: formula(1, ['indices_or_sections', 'axis'], split),
}
