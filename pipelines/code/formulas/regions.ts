import {elementCount} from '../../../datasets/schema/tensor.ts'
import {elementAt, largest, placed, understood, type Shape, type Values} from './arrays.ts'
import {formula, type FormulaCall, type Formulas, type Result} from './formula-call.ts'

/** Boxes as columns of four coordinates: left, top, right, bottom. */
function boxOf({shape, data}: Values, at: number): readonly [number, number, number, number] {
  const count = shape[1] as number
  const of = (row: number) => data[row * count + at] as number
  return [of(0), of(1), of(2), of(3)]
}

/** Of boxes that have an inside; the page does not define others. What keeps from 0 is added to every length. */
function overlaps(call: FormulaCall): Values {
  const [boxes, truths] = [call.x(0), call.x(1)]
  const [mode, eps, aligned] = [call.word('mode'), call.number('eps'), call.flag('aligned')]
  understood(boxes.shape[0] === 4 && truths.shape[0] === 4 && ['iou', 'iof'].includes(mode))
  const of = (at: number, other: number) => {
    const [a, b] = [boxOf(boxes, at), boxOf(truths, other)]
    understood(a[0] < a[2] && a[1] < a[3] && b[0] < b[2] && b[1] < b[3])
    const area = (left: number, top: number, right: number, bottom: number) =>
      Math.max(0, right - left + eps) * Math.max(0, bottom - top + eps)
    const inner = area(Math.max(a[0], b[0]), Math.max(a[1], b[1]), Math.min(a[2], b[2]), Math.min(a[3], b[3]))
    return inner / (mode === 'iou' ? area(...a) + area(...b) - inner : area(...b))
  }
  const [count = 0, other = 0] = [boxes.shape[1], truths.shape[1]]
  return aligned ? placed([count, 1], ([at = 0]) => of(at, at)) : placed([count, other], ([at = 0, b = 0]) => of(at, b))
}

/** Between the four neighbours; 0 past one element outside. */
function interpolated(plane: Float64Array, height: number, width: number, y: number, x: number): number {
  if (y < -1 || y > height || x < -1 || x > width) return 0
  const [down, right] = [Math.max(y, 0), Math.max(x, 0)]
  const [top, left] = [Math.min(Math.floor(down), height - 1), Math.min(Math.floor(right), width - 1)]
  const [bottom, far] = [Math.min(top + 1, height - 1), Math.min(left + 1, width - 1)]
  const [ly, lx] = [
    Math.min(down - top, height - 1 === top ? 0 : 1),
    Math.min(right - left, width - 1 === left ? 0 : 1),
  ]
  const of = (row: number, column: number) => plane[row * width + column] as number
  return (
    (1 - ly) * ((1 - lx) * of(top, left) + lx * of(top, far)) +
    ly * ((1 - lx) * of(bottom, left) + lx * of(bottom, far))
  )
}

/** The mean of samples in each bin of a region of at least one by one: [batch, left, top, right, bottom]. */
function roiAlign(call: FormulaCall): Values {
  const [features, rois] = [call.x(0), call.x(1)]
  const [batches = 0, channels = 0, height = 0, width = 0] = features.shape
  understood(features.shape.length === 4 && rois.shape.length === 2 && rois.shape[1] === 5)
  const [rows, columns] = [call.number('pooled_height'), call.number('pooled_width')]
  const [scale, ratio] = [call.number('spatial_scale'), call.number('sampling_ratio')]
  understood(ratio > 0)
  return placed([rois.shape[0] as number, channels, rows, columns], ([roi = 0, channel = 0, row = 0, column = 0]) => {
    const [batch = 0, ...corners] = rois.data.subarray(roi * 5, roi * 5 + 5)
    const [left = 0, top = 0, right = 0, bottom = 0] = corners.map((one) => one * scale)
    understood(Number.isInteger(batch) && batch >= 0 && batch < batches)
    const [binHeight, binWidth] = [Math.max(bottom - top, 1) / rows, Math.max(right - left, 1) / columns]
    const start = (batch * channels + channel) * height * width
    const plane = features.data.subarray(start, start + height * width)
    let total = 0
    for (let sample = 0; sample < ratio * ratio; sample += 1) {
      const y = top + (row + (Math.floor(sample / ratio) + 0.5) / ratio) * binHeight
      const x = left + (column + ((sample % ratio) + 0.5) / ratio) * binWidth
      total += interpolated(plane, height, width, y, x)
    }
    return total / (ratio * ratio)
  })
}

/** How many input elements one of the output is; a separate factor would be another interpolation. */
function stepOf(call: FormulaCall, name: string, input: number, output: number): number {
  const [given, step] = [call.number(name, 0), input / output]
  understood(given === 0 || Math.abs(given - step) < 1e-6)
  return step
}

/** Channels are last: the interface, whose page puts them second, transposes before the operator. */
function nearest(call: FormulaCall): Values {
  const x = call.x()
  const sizes = call.numbers('output_size')
  understood(x.shape.length === 4 && sizes.length === 2)
  const [batch = 0, height = 0, width = 0, channels = 0] = x.shape
  const [rows = 0, columns = 0] = sizes
  const shift = call.flag('exact_mode') ? 0.5 : 0
  const [down, right] = [stepOf(call, 'scales_h', height, rows), stepOf(call, 'scales_w', width, columns)]
  const from = (at: number, step: number, size: number) => Math.min(Math.floor((at + shift) * step), size - 1)
  return placed([batch, rows, columns, channels], ([image = 0, row = 0, column = 0, channel = 0]) =>
    elementAt(x, [image, from(row, down, height), from(column, right, width), channel]),
  )
}

/** For each output place along an axis, the two input places between which it lies, and the second one's share. */
function between(input: number, output: number, step: number, aligned: boolean): [number, number, number][] {
  return Array.from({length: output}, (_, at) => {
    const ratio = output > 1 ? (input - 1) / (output - 1) : 0
    const from = aligned ? at * ratio : Math.max(0, (at + 0.5) * step - 0.5)
    const first = Math.min(Math.floor(from), input - 1)
    return [first, Math.min(first + 1, input - 1), from - first]
  })
}

/** What each output element took of an input element goes back to it, axis by axis. */
function linearGradient(call: FormulaCall, names: readonly string[]): Result {
  const dy = call.x()
  const target = call.numbers('input_size')
  const sizes = call.numbers('output_size')
  understood(target.length === names.length + 2 && String(dy.shape.slice(2)) === String(sizes))
  understood(String(dy.shape.slice(0, 2)) === String(target.slice(0, 2)))
  let [current, scales]: [Values, Values] = [dy, {shape: dy.shape, data: dy.data.map(Math.abs)}]
  for (const [at, name] of names.entries()) {
    const [input, output] = [target[at + 2] as number, sizes[at] as number]
    const places = between(input, output, stepOf(call, name, input, output), call.flag('align_corners'))
    current = folded(current, at + 2, input, places)
    scales = folded(scales, at + 2, input, places)
  }
  return {...current, scale: largest(scales.data)}
}

function folded(
  {shape, data}: Values,
  axis: number,
  size: number,
  places: readonly [number, number, number][],
): Values {
  const to: Shape = shape.map((one, at) => (at === axis ? size : one))
  const [inner, length] = [elementCount(shape.slice(axis + 1)), shape[axis] as number]
  const result = new Float64Array(elementCount(to))
  for (const [at, value] of data.entries()) {
    const [first, second, share] = places[Math.floor(at / inner) % length] as [number, number, number]
    const start = Math.floor(at / (inner * length)) * inner * size + (at % inner)
    result[start + first * inner] = (result[start + first * inner] as number) + value * (1 - share)
    result[start + second * inner] = (result[start + second * inner] as number) + value * share
  }
  return {shape: to, data: result}
}

const sizes = ['output_size', 'input_size', 'align_corners']
const flat = ['scales_h', 'scales_w']

const linear = (scales: readonly string[]) => formula(1, [...sizes, ...scales], (call) => linearGradient(call, scales))

export const regions: Formulas = {
  IouV2: formula(2, ['mode', 'eps', 'aligned'], overlaps),
  RoiAlignV2: formula(2, ['pooled_height', 'pooled_width', 'spatial_scale', 'sampling_ratio'], roiAlign),
  UpsampleBilinear2dGrad: linear(flat),
  UpsampleNearest: formula(1, ['output_size', 'exact_mode', ...flat], nearest),
  UpsampleTrilinear3dBackward: linear(['scale_d', 'scale_h', 'scale_w']),
}
