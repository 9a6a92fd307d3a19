import {marksOf} from '../../sources/docs/ocr/ink-marks.ts'

/** Ink from `from` (0 is the left edge of a mark) and so many pixels to the right. */
export type Run = readonly [from: number, length: number]
export type Shape = readonly (readonly Run[])[]
export type Point = readonly [x: number, y: number]

export interface Around {
  left?: number
  top?: number
  /** Columns and rows that are left on the right and below. */
  right?: number
  below?: number
  faint?: readonly Point[]
}

/** A mark in a picture, which begins four pixels from the left and top where nothing else is said. */
export function drawn(shape: Shape, {left = 4, top = 4, right = 8, below = 8, faint = []}: Around = {}) {
  const wide = Math.max(...shape.flat().map(([from, length]) => from + length))
  const [width, height] = [left + wide + right, top + shape.length + below]
  const dark = new Uint8Array(width * height)
  for (const [y, runs] of shape.entries())
    for (const [from, length] of runs) {
      const begin = (top + y) * width + left + from
      dark.fill(1, begin, begin + length)
    }
  const shades = Uint8Array.from(dark)
  for (const [x, y] of faint) shades[y * width + x] = 1
  const {marks, labels} = marksOf({width, height, dark, faint: shades})
  return {marks, place: {width, labels, faint: shades}}
}

export const rows = (count: number, ...runs: Run[]): Shape => Array.from({length: count}, () => runs)
export const mirrored = (shape: Shape): Shape => {
  const wide = Math.max(...shape.flat().map(([from, length]) => from + length))
  return shape.map((runs) => runs.map(([from, length]) => [wide - from - length, length] as const))
}
