import type {Mark} from './ink-marks.ts'

/** A picture that was taken apart: which mark each pixel belongs to, and where the ground is not quite white. */
export interface Picture {
  width: number
  labels: Int32Array
  faint: Uint8Array
}

/** A row of a mark, in shares of its width: where its ink begins and ends, and how many runs it has. */
interface Row {
  from: number
  to: number
  runs: number
}

/**
 * The bracket that a mark is by its shape: recognition knows neither ⌊ nor ⌈ and reads all with corners as `[`.
 * Undefined for anything else.
 */
export function bracketOf(marks: readonly Mark[], place: Picture): string | undefined {
  const [mark] = marks
  if (!mark || marks.length > 1) return undefined
  const [wide, high] = [mark.right - mark.left, mark.bottom - mark.top]
  if (high < 12 || wide > 0.42 * high) return undefined
  const rows = rowsOf(mark, place)
  if (rows.some(({runs}) => runs !== 1)) return undefined
  if (wide < 0.2 * high && between(rows, 0.05, 0.95).every(({from, to}) => to - from > 0.6))
    return hasFaintFeet(mark, place) ? undefined : '|'
  const opening = openingOf(rows)
  const found = opening ?? openingOf(rows.map(({from, to, runs}) => ({from: 1 - to, to: 1 - from, runs})))
  if (found === undefined || hasFaintFoot(mark, found, opening !== undefined, place)) return undefined
  return opening ?? closing[found]
}

type Opening = '(' | '[' | '{' | '⌊' | '⌈'
const closing: Readonly<Record<Opening, string>> = {'(': ')', '[': ']', '{': '}', '⌊': '⌋', '⌈': '⌉'}

/** Small type loses thin strokes: then a corner is where only its shadow is left. */
function hasFaintFoot(mark: Mark, found: Opening, opens: boolean, place: Picture): boolean {
  const {left, right, top, bottom} = mark
  const [wide, high] = [right - left, bottom - top]
  const side = opens ? {left: left + 0.6 * wide, right} : {left, right: right - 0.6 * wide}
  if (found === '⌊') return hasFaint({...side, top: top - 0.1 * high, bottom: top + 0.15 * high}, place)
  return found === '⌈' && hasFaint({...side, top: bottom - 0.15 * high, bottom: bottom + 0.1 * high}, place)
}

/** Next to the ends of a bar. */
function hasFaintFeet({left, right, top, bottom}: Mark, place: Picture): boolean {
  const [wide, high] = [right - left, bottom - top]
  const sides = [
    [left - 1.5 * wide, left - 0.5 * wide],
    [right + 0.5 * wide, right + 1.5 * wide],
  ] as const
  const ends = [
    [top - 0.05 * high, top + 0.05 * high],
    [bottom - 0.05 * high, bottom + 0.05 * high],
  ] as const
  return sides.some(([from, to]) =>
    ends.some(([above, below]) => hasFaint({left: from, right: to, top: above, bottom: below}, place)),
  )
}

function hasFaint(box: Omit<Mark, 'area' | 'label'>, {width, faint}: Picture): boolean {
  const [left, right] = [Math.max(0, Math.ceil(box.left)), Math.min(width, Math.floor(box.right))]
  const [top, bottom] = [Math.max(0, Math.ceil(box.top)), Math.min(faint.length / width, Math.floor(box.bottom))]
  for (let y = top; y < bottom; y += 1)
    for (let x = left; x < right; x += 1) if (faint[y * width + x] === 1) return true
  return false
}

function openingOf(rows: readonly Row[]): Opening | undefined {
  return cornered(rows) ?? curved(rows)
}

/** A stem on the left with feet at its ends. */
function cornered(rows: readonly Row[]): Opening | undefined {
  const isStem = (part: readonly Row[]) => part.every(({from, to}) => from < 0.2 && to < 0.65)
  if (!isStem(between(rows, 0.25, 0.75))) return undefined
  const hasFoot = (part: readonly Row[]) => part.some(({from, to}) => to - from > 0.85)
  const [above, below] = [hasFoot(between(rows, 0, 0.12)), hasFoot(between(rows, 0.88, 1))]
  if (above && below) return '['
  // An end without a foot is the stem's own, or it is curved.
  if (above) return isStem(between(rows, 0.75, 1)) ? '⌈' : undefined
  return below && isStem(between(rows, 0, 0.25)) ? '⌊' : undefined
}

/** Both ends lead to the right; what is round does so evenly, what has a tip does not. */
function curved(rows: readonly Row[]): Opening | undefined {
  const centre = (from: number, to: number) => mean(between(rows, from, to).map((row) => (row.from + row.to) / 2))
  const middle = centre(0.47, 0.53)
  if (centre(0, 0.08) - middle < 0.25 || centre(0.92, 1) - middle < 0.25) return undefined
  const [upper, lower] = [centre(0.28, 0.36) - middle, centre(0.64, 0.72) - middle]
  if (upper < 0.2 && lower < 0.2) return '('
  // What leads to the tip evenly is ⟨.
  const isStraight = Math.abs(centre(0.16, 0.24) - middle - upper) < 0.12
  return isStraight && upper > 0.22 && lower > 0.22 ? '{' : undefined
}

/** Which tall sign a mark is by its shape; undefined where that is open. */
export function tallSignOf(mark: Mark, place: Picture): 'sum' | 'product' | undefined {
  const rows = rowsOf(mark, place)
  const [upper, middle, lower] = [between(rows, 0.26, 0.34), between(rows, 0.47, 0.53), between(rows, 0.66, 0.74)]
  const spans = (ends: readonly Row[]) => ends.some(({from, to}) => to - from > 0.85)
  const [top, bottom] = [between(rows, 0, 0.15), between(rows, 0.85, 1)]
  const inner = [...upper, ...middle, ...lower]
  if (!spans(top)) return undefined
  if (inner.every(({runs, from, to}) => runs === 2 && from < 0.3 && to > 0.7))
    return bottom.every(({runs}) => runs === 2) ? 'product' : undefined
  if (!inner.every(({runs}) => runs === 1) || !spans(bottom)) return undefined
  const at = (part: readonly Row[]) => mean(part.map(({from, to}) => (from + to) / 2))
  return at(middle) > at(upper) + 0.08 && at(middle) > at(lower) + 0.08 ? 'sum' : undefined
}

function rowsOf({left, right, top, bottom, label}: Mark, {labels, width}: Picture): Row[] {
  return Array.from({length: bottom - top}, (_, at) => {
    let [from, to, runs] = [right, left, 0]
    for (let x = left; x < right; x += 1) {
      const place = (top + at) * width + x
      if (labels[place] !== label) continue
      if (x === left || labels[place - 1] !== label) runs += 1
      from = Math.min(from, x)
      to = x + 1
    }
    return {from: (from - left) / (right - left), to: (to - left) / (right - left), runs}
  })
}

const between = (rows: readonly Row[], from: number, to: number) =>
  rows.slice(Math.floor(from * rows.length), Math.max(Math.ceil(to * rows.length), Math.floor(from * rows.length) + 1))

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
