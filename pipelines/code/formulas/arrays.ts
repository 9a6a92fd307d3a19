import {elementCount} from '../../../datasets/schema/tensor.ts'

export type Shape = readonly number[]

/** Numbers in row-major order. */
export interface Values {
  shape: Shape
  data: Float64Array
}

/** One number as a tensor. */
export const scalar = (value: number): Values => ({shape: [1], data: Float64Array.of(value)})

/** The error for a call that a formula does not cover. */
export class NotUnderstood extends Error {}

export function understood(condition: boolean): asserts condition {
  if (!condition) throw new NotUnderstood()
}

export function known<T>(value: T | undefined): T {
  understood(value !== undefined)
  return value
}

/** Steps from one element to the next, by axis. */
function stridesOf(shape: Shape): number[] {
  return shape.map((_, axis) => elementCount(shape.slice(axis + 1)))
}

/** Offsets of the elements of a tensor of `shape` when its axes have these strides, in row-major order. */
function offsetsOf(shape: Shape, strides: readonly number[], start = 0): Int32Array {
  let offsets = Int32Array.of(start)
  for (const [axis, size] of shape.entries()) {
    const stride = strides[axis] as number
    const next = new Int32Array(offsets.length * size)
    for (const [at, offset] of offsets.entries())
      for (let index = 0; index < size; index += 1) next[at * size + index] = offset + index * stride
    offsets = next
  }
  return offsets
}

const taken = (data: Float64Array, offsets: Int32Array) =>
  Float64Array.from(offsets, (offset) => data[offset] as number)

export function broadcastShape(...shapes: Shape[]): Shape {
  const rank = Math.max(...shapes.map(({length}) => length))
  return Array.from({length: rank}, (_, axis) => {
    const sizes = shapes.map((shape) => shape[axis - rank + shape.length] ?? 1)
    const size = sizes.find((one) => one !== 1) ?? 1
    understood(sizes.every((one) => one === 1 || one === size))
    return size
  })
}

/** Repeated along axes of one element. */
export function expanded({shape, data}: Values, to: Shape): Float64Array {
  if (String(shape) === String(to)) return data
  const own = stridesOf(shape)
  const lacking = to.length - shape.length
  understood(lacking >= 0)
  const strides = to.map((size, axis) => {
    const held = shape[axis - lacking] ?? 1
    understood(held === 1 || held === size)
    return held === 1 ? 0 : (own[axis - lacking] as number)
  })
  return taken(data, offsetsOf(to, strides))
}

/** A function of an element of each tensor, broadcast. */
export function mapped(operands: readonly Values[], f: (...elements: number[]) => number): Values {
  const shape = broadcastShape(...operands.map((one) => one.shape))
  const columns = operands.map((one) => expanded(one, shape))
  const [first = new Float64Array(), second, third] = columns
  if (!second) return {shape, data: first.map((x) => f(x))}
  if (!third) return {shape, data: first.map((x, at) => f(x, second[at] as number))}
  return {shape, data: first.map((_, at) => f(...columns.map((column) => column[at] as number)))}
}

/** Axes counted from the front, in order. */
export function axesOf(axes: readonly number[], rank: number): number[] {
  const counted = axes.map((axis) => (axis < 0 ? axis + rank : axis))
  understood(counted.every((axis) => axis >= 0 && axis < rank) && new Set(counted).size === counted.length)
  return counted.toSorted((a, b) => a - b)
}

export const axisOf = (axis: number, rank: number): number => axesOf([axis], rank)[0] as number

export const otherAxes = ({shape}: Values, axes: readonly number[]): number[] =>
  [...shape.keys()].filter((axis) => !axes.includes(axis))

export const sizesOf = ({shape}: Values, axes: readonly number[]): number[] => axes.map((axis) => shape[axis] as number)

export function transposed(x: Values, order: readonly number[]): Values {
  understood(String(axesOf(order, x.shape.length)) === String([...x.shape.keys()]))
  const shape = sizesOf(x, order)
  return {shape, data: taken(x.data, offsetsOf(shape, sizesOf({...x, shape: stridesOf(x.shape)}, order)))}
}

/** Elements from `begin` on. */
export function sliced({shape, data}: Values, begin: readonly number[], sizes: Shape): Values {
  const fits = (at: number, axis: number) => at >= 0 && at + (sizes[axis] as number) <= (shape[axis] as number)
  understood(sizes.every((size) => size === 0) || begin.every(fits))
  return {shape: [...sizes], data: taken(data, offsetsOf(sizes, stridesOf(shape), offsetOf(shape, begin)))}
}

/** In pieces along an axis, of these sizes. */
export function pieces(x: Values, axis: number, sizes: readonly number[]): Values[] {
  understood(sum(sizes) === x.shape[axis])
  const start = x.shape.map(() => 0)
  return sizes.map((size, at) => sliced(x, start.with(axis, sum(sizes.slice(0, at))), x.shape.with(axis, size)))
}

/** Tensors end to end along an axis. */
export function joined(all: readonly Values[], axis: number): Values {
  const [first] = all
  understood(first !== undefined)
  const rest = ({shape}: Values) => String(shape.with(axis, 0))
  understood(all.every((one) => one.shape.length === first.shape.length && rest(one) === rest(first)))
  const shape = first.shape.with(axis, sum(all.map((one) => one.shape[axis] as number)))
  const outer = elementCount(shape.slice(0, axis))
  const data = new Float64Array(elementCount(shape))
  let to = 0
  for (let row = 0; row < outer; row += 1)
    for (const one of all) {
      const part = one.data.length / outer
      data.set(one.data.subarray(row * part, (row + 1) * part), to)
      to += part
    }
  return {shape, data}
}

/** Tensors side by side along an axis of their own. */
export function stacked(all: readonly Values[], axis: number): Values {
  const at = axisOf(axis, (all[0]?.shape.length ?? 0) + 1)
  return joined(
    all.map(({shape, data}) => ({shape: shape.toSpliced(at, 0, 1), data})),
    at,
  )
}

/** A tensor whose element at a place is what `of` gives for the place. */
export function placed(shape: Shape, of: (place: readonly number[], at: number) => number): Values {
  const place = shape.map(() => 0)
  const data = new Float64Array(elementCount(shape))
  for (let at = 0; at < data.length; at += 1) {
    data[at] = of(place, at)
    for (let axis = shape.length - 1; axis >= 0; axis -= 1) {
      place[axis] = (place[axis] as number) + 1
      if ((place[axis] as number) < (shape[axis] as number)) break
      place[axis] = 0
    }
  }
  return {shape, data}
}

export const offsetOf = (shape: Shape, place: readonly number[]): number =>
  place.reduce((total, at, axis) => total * (shape[axis] as number) + at, 0)

export const elementAt = ({shape, data}: Values, place: readonly number[]): number =>
  data[offsetOf(shape, place)] as number

/** A tensor whose elements come from places of another; `from` gives one coordinate by the same one of the result. */
export const picked = (x: Values, shape: Shape, from: (at: number, axis: number) => number): Values =>
  placed(shape, (place) => elementAt(x, place.map(from)))

/** The tensor as rows along axes, of every place on the other axes one. */
function rowsOf(x: Values, axes: readonly number[]): {order: number[]; rows: Float64Array[]} {
  const kept = otherAxes(x, axes)
  const order = [...kept, ...axes]
  const {data} = transposed(x, order)
  const length = elementCount(sizesOf(x, axes))
  const rows = Array.from({length: elementCount(sizesOf(x, kept))}, (_, at) =>
    data.subarray(at * length, (at + 1) * length),
  )
  return {order, rows}
}

/** One number for all elements along axes. */
export function reduced(x: Values, axes: readonly number[], keep: boolean, f: (row: Float64Array) => number): Values {
  const shape = keep ? x.shape.map((size, axis) => (axes.includes(axis) ? 1 : size)) : sizesOf(x, otherAxes(x, axes))
  return {shape, data: Float64Array.from(rowsOf(x, axes).rows, f)}
}

/** A row of as many elements for all elements along axes. */
export function alongRows(
  x: Values,
  axes: readonly number[],
  f: (row: Float64Array, at: number) => Float64Array,
): Values {
  const {order, rows} = rowsOf(x, axes)
  const data = Float64Array.from(rows.map(f).flatMap((row) => [...row]))
  const back = [...order.keys()].map((axis) => order.indexOf(axis))
  return transposed({shape: sizesOf(x, order), data}, back)
}

export const sumOf = (row: ArrayLike<number>, f: (x: number) => number): number => {
  let total = 0
  for (let at = 0; at < row.length; at += 1) total += f(row[at] as number)
  return total
}

export const sum = (row: ArrayLike<number>): number => sumOf(row, (x) => x)

export const mean = (row: ArrayLike<number>): number => sum(row) / row.length

/** Sum of squares of the distances to the mean, by a divisor. */
export const variance = (row: Float64Array, divisor = row.length): number => {
  const middle = mean(row)
  return sumOf(row, (x) => (x - middle) ** 2) / divisor
}

export const largest = (values: ArrayLike<number>): number => {
  let most = 0
  for (let at = 0; at < values.length; at += 1) most = Math.max(most, Math.abs(values[at] as number) || 0)
  return most
}
