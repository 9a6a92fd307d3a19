import {elementCount} from '../../../datasets/schema/tensor.ts'

export type Shape = readonly number[]

/** Numbers in row-major order. */
export interface Values {
  shape: Shape
  data: Float64Array
}

/** A formula meets a call that it says nothing of. */
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

/** Where elements of a tensor of `shape` lie when its axes have these strides, in row-major order. */
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

/** A function of an element of each, broadcast. */
export function mapped(f: (...elements: number[]) => number, ...operands: readonly Values[]): Values {
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

export function axisOf(axis: number, rank: number): number {
  return axesOf([axis], rank)[0] as number
}

export function transposed({shape, data}: Values, order: readonly number[]): Values {
  understood(String(axesOf(order, shape.length)) === String(shape.map((_, axis) => axis)))
  const strides = stridesOf(shape)
  const sizes = order.map((axis) => shape[axis] as number)
  const steps = order.map((axis) => strides[axis] as number)
  return {shape: sizes, data: taken(data, offsetsOf(sizes, steps))}
}

/** Elements from `begin` on, one in every `step`. */
export function sliced(
  {shape, data}: Values,
  begin: readonly number[],
  sizes: Shape,
  step?: readonly number[],
): Values {
  const strides = stridesOf(shape)
  const start = begin.reduce((sum, at, axis) => sum + at * (strides[axis] as number), 0)
  const steps = strides.map((stride, axis) => stride * (step?.[axis] ?? 1))
  understood(
    begin.every((at, axis) => {
      const last = at + ((sizes[axis] as number) - 1) * (step?.[axis] ?? 1)
      return sizes[axis] === 0 || (Math.min(at, last) >= 0 && Math.max(at, last) < (shape[axis] as number))
    }),
  )
  return {shape: [...sizes], data: taken(data, offsetsOf(sizes, steps, start))}
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

/** The element at a place. */
export function elementAt({shape, data}: Values, place: readonly number[]): number {
  return data[place.reduce((sum, at, axis) => sum * (shape[axis] as number) + at, 0)] as number
}

/** The tensor as rows along axes, of every place on the other axes one. */
function rowsOf(x: Values, axes: readonly number[]): {order: number[]; kept: number[]; rows: Float64Array[]} {
  const kept = x.shape.map((_, axis) => axis).filter((axis) => !axes.includes(axis))
  const order = [...kept, ...axes]
  const {data} = transposed(x, order)
  const length = elementCount(axes.map((axis) => x.shape[axis] as number))
  const count = elementCount(kept.map((axis) => x.shape[axis] as number))
  const rows = Array.from({length: count}, (_, at) => data.subarray(at * length, (at + 1) * length))
  return {order, kept, rows}
}

/** One number for all elements along axes. */
export function reduced(x: Values, axes: readonly number[], keep: boolean, f: (row: Float64Array) => number): Values {
  const {kept, rows} = rowsOf(x, axes)
  const sizes = x.shape.map((size, axis) => (axes.includes(axis) ? 1 : size))
  return {shape: keep ? sizes : kept.map((axis) => sizes[axis] as number), data: Float64Array.from(rows, f)}
}

/** A row of as many elements for all elements along axes. */
export function alongRows(
  x: Values,
  axes: readonly number[],
  f: (row: Float64Array, at: number) => Float64Array,
): Values {
  const {order, rows} = rowsOf(x, axes)
  const data = Float64Array.from(rows.map(f).flatMap((row) => [...row]))
  const turned = {shape: order.map((axis) => x.shape[axis] as number), data}
  return transposed(
    turned,
    order.map((_, axis) => order.indexOf(axis)),
  )
}

export const sum = (row: ArrayLike<number>): number => {
  let total = 0
  for (let at = 0; at < row.length; at += 1) total += row[at] as number
  return total
}

export const mean = (row: ArrayLike<number>): number => sum(row) / row.length

export const sumOf = (row: Float64Array, f: (x: number) => number): number => sum(row.map(f))

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
