import type {Mark} from './ink-marks.ts'

/** Marks in one place of a formula, and their relative layout. */
export type Place =
  | {kind: 'run'; marks: Mark[][]}
  | {kind: 'fraction'; above: Place[]; below: Place[]}
  | {kind: 'root'; inside: Place[]}
  | {kind: 'sup' | 'sub'; row: Place[]}
  | {kind: 'big'; sign: Mark; above: Place[]; below: Place[]}

/** One thing in a row: a sign, which may have parts, or a fraction or root, with its box. */
interface Sign {
  box: Omit<Mark, 'area' | 'label'>
  marks: Mark[]
  place?: Place
}

const height = ({top, bottom}: {top: number; bottom: number}) => bottom - top
const width = ({left, right}: {left: number; right: number}) => right - left
const centre = ({left, right}: {left: number; right: number}) => (left + right) / 2
const middle = ({top, bottom}: {top: number; bottom: number}) => (top + bottom) / 2

/** Reads a formula's two dimensions by fraction bars, roots, heights and sizes. */
export function layoutOf(marks: readonly Mark[]): Place[] {
  return rowOf(signsOf(marks))
}

/** The widest thing first: adjacent fractions are found one after another, within the rest. */
function signsOf(marks: readonly Mark[]): Sign[] {
  const bars = marks.filter((mark) => isBar(mark)).sort((a, b) => width(b) - width(a))
  for (const bar of bars) {
    const {above, below, beside} = around(bar, marks)
    if (!isFraction(bar, above, below)) continue
    const place: Place = {kind: 'fraction', above: layoutOf(above), below: layoutOf(below)}
    return [...signsOf(beside), {box: boxOf([bar, ...above, ...below]), marks: [bar], place}]
  }
  const root = [...marks].sort((a, b) => width(b) - width(a)).find((mark) => insideOf(mark, marks).length > 0)
  if (root) {
    const inside = insideOf(root, marks)
    const rest = marks.filter((mark) => mark !== root && !inside.includes(mark))
    return [...signsOf(rest), {box: root, marks: [root], place: {kind: 'root', inside: layoutOf(inside)}}]
  }
  return joinParts(marks)
}

const isBar = (mark: Mark) => width(mark) >= 3 * height(mark) && mark.area > 0.8 * width(mark) * height(mark)

function around(bar: Mark, marks: readonly Mark[]) {
  const within = (mark: Mark) => mark !== bar && centre(mark) > bar.left && centre(mark) < bar.right
  const above = marks.filter((mark) => within(mark) && mark.bottom <= bar.top + 1)
  const below = marks.filter((mark) => within(mark) && mark.top >= bar.bottom - 1)
  const own = new Set([bar, ...above, ...below])
  return {above, below, beside: marks.filter((mark) => !own.has(mark))}
}

/** The bars of = have only each other nearby; a minus may have marks of another line above it, but none close. */
function isFraction(bar: Mark, above: readonly Mark[], below: readonly Mark[]): boolean {
  if (above.length === 0 || below.length === 0) return false
  const alike = (marks: readonly Mark[]) =>
    marks.length === 1 && isBar(marks[0] as Mark) && width(marks[0] as Mark) > 0.8 * width(bar)
  if (alike(above) || alike(below)) return false
  const widest = Math.max(width(boxOf(above)), width(boxOf(below)))
  return width(bar) > 0.9 * widest
}

/** Marks under the roof of a root: it spans them and is hollow. */
function insideOf(mark: Mark, marks: readonly Mark[]): Mark[] {
  if (mark.area > 0.4 * width(mark) * height(mark)) return []
  return marks.filter(
    (other) =>
      other !== mark &&
      other.left > mark.left &&
      other.right <= mark.right + 1 &&
      other.top > mark.top &&
      other.bottom <= mark.bottom + 1,
  )
}

function boxOf(marks: readonly Omit<Mark, 'area' | 'label'>[]): Sign['box'] {
  return {
    left: Math.min(...marks.map((mark) => mark.left)),
    right: Math.max(...marks.map((mark) => mark.right)),
    top: Math.min(...marks.map((mark) => mark.top)),
    bottom: Math.max(...marks.map((mark) => mark.bottom)),
  }
}

/** The dot of an i, the bars of =, the dots of a colon are one sign; what is above and below a Σ is not. */
function joinParts(marks: readonly Mark[]): Sign[] {
  const tall = median(marks.map(height)) * 1.8
  const signs: Sign[] = []
  for (const mark of [...marks].sort((a, b) => height(b) - height(a))) {
    const over = signs.find(({box}) => {
      const shared = Math.min(box.right, mark.right) - Math.max(box.left, mark.left)
      return shared > 0.6 * Math.min(width(box), width(mark))
    })
    if (!over) signs.push({box: mark, marks: [mark]})
    else if (isLimit(over, mark, tall)) limitsOf(over).push(mark)
    else {
      over.marks.push(mark)
      over.box = boxOf(over.marks)
    }
  }
  return signs.flatMap(asSign)
}

const limits = new WeakMap<Sign, Mark[]>()
const limitsOf = (sign: Sign) => limits.get(sign) ?? (limits.set(sign, []).get(sign) as Mark[])

function isLimit({marks: [sign]}: Sign, mark: Mark, tall: number): boolean {
  if (!sign || height(sign) < tall || width(sign) < 0.6 * height(sign)) return false
  return mark.bottom <= sign.top + 1 || mark.top >= sign.bottom - 1
}

function asSign(sign: Sign): Sign[] {
  const around = limits.get(sign)
  const [big] = sign.marks
  if (!around || !big) return [sign]
  const above = around.filter((mark) => middle(mark) < middle(big))
  const below = around.filter((mark) => middle(mark) >= middle(big))
  return [{...sign, place: {kind: 'big', sign: big, above: layoutOf(above), below: layoutOf(below)}}]
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}

/** Signs from left to right, with those above or below the line in separate rows. */
function rowOf(signs: Sign[]): Place[] {
  const sorted = [...signs].sort((a, b) => a.box.left - b.box.left)
  const line = lineOf(sorted)
  const row: Place[] = []
  for (let at = 0; at < sorted.length; ) {
    const sign = sorted[at] as Sign
    const side = row.length === 0 ? undefined : sideOf(sign, line)
    if (side === undefined) {
      push(row, sign)
      at += 1
      continue
    }
    const begin = at
    while (at < sorted.length && staysAside(sorted[at] as Sign, line, side)) at += 1
    row.push({kind: side, row: rowOf(sorted.slice(begin, at))})
  }
  return row
}

function push(row: Place[], {place, marks}: Sign): void {
  const last = row.at(-1)
  if (place) row.push(place)
  else if (last?.kind === 'run') last.marks.push(marks)
  else row.push({kind: 'run', marks: [marks]})
}

/** The baseline of a row's letters, and the height of its lower ones, in pixels. */
interface Line {
  base: number
  letter: number
}

function lineOf(signs: readonly Sign[]): Line {
  const plain = signs.filter(({place}) => !place).map(({box}) => box)
  const usual = median(plain.map(height))
  // Commas, minus signs and brackets say nothing about the baseline.
  const letters = plain.filter((box) => height(box) > 0.5 * usual && !(height(box) > 1.2 * usual && isNarrow(box)))
  const boxes = letters.length > 0 ? letters : plain
  const near = 0.07 * Math.max(1, ...boxes.map(height))
  const onLine = (bottom: number) => boxes.filter((box) => Math.abs(box.bottom - bottom) <= near)
  const weight = (bottom: number) => onLine(bottom).reduce((sum, box) => sum + height(box), 0)
  const base = baseOf(signs, boxes, weight)
  const heights = onLine(base).map(height)
  const axis = equalsOf(signs)
  const tallest = Math.max(1, ...heights)
  const letter = Math.min(tallest, ...heights.filter((one) => one > 0.5 * tallest))
  return {base, letter: axis ? 0.65 * width(axis) : letter}
}

/** By the axis of = if there is one, otherwise by the first letter, which is not an index. */
function baseOf(signs: readonly Sign[], boxes: readonly Sign['box'][], weight: (bottom: number) => number): number {
  const axis = equalsOf(signs)
  const byWeight = boxes.map(({bottom}) => bottom).sort((a, b) => weight(b) - weight(a) || a - b)
  const [heaviest = 0] = byWeight
  if (axis) {
    // In TeX's type, the sign is two thirds of the size wide and a quarter above the line.
    const expected = middle(axis) + 0.37 * width(axis)
    return byWeight.find((bottom) => Math.abs(bottom - expected) < 0.09 * width(axis)) ?? expected
  }
  return [...boxes].sort((a, b) => a.left - b.left)[0]?.bottom ?? heaviest
}

/** The sign =, which no exponent or index has. */
function equalsOf(signs: readonly Sign[]): Sign['box'] | undefined {
  return signs.find(({place, marks}) => !place && marks.length === 2 && marks.every(isBar))?.box
}

const isNarrow = (box: Sign['box']) => width(box) < 0.4 * height(box)

/** In shares of the height of an x: TeX lifts exponents by one, lowers indices by a third, and sets both smaller. */
function sideOf({box, place}: Sign, {base, letter}: Line): 'sup' | 'sub' | undefined {
  if (place && place.kind !== 'root') return undefined
  if (height(box) < 0.45 * letter) return box.bottom < base - 0.9 * letter ? 'sup' : undefined
  if (box.bottom < base - 0.5 * letter) return 'sup'
  const isComma = width(box) < 0.45 * letter && height(box) < 0.85 * letter
  return !isComma && box.top > base - 0.87 * letter && box.bottom > base + 0.2 * letter ? 'sub' : undefined
}

/** A minus within an exponent, a comma within an index. */
function staysAside(sign: Sign, line: Line, side: 'sup' | 'sub'): boolean {
  if (sideOf(sign, line) === side) return true
  const {box, place} = sign
  const {base, letter} = line
  if (place) return side === 'sup' && place.kind === 'fraction' && box.bottom < base - 0.2 * letter
  // The point of a decimal number.
  const isPoint = height(box) < 0.35 * letter && width(box) < 0.35 * letter
  if (side === 'sup' && isPoint) return middle(box) < base - 0.65 * letter
  const hasDot = sign.marks.length === 2 && !sign.marks.every(isBar)
  if (side === 'sup') return middle(box) < base - (hasDot && height(box) < 0.8 * letter ? 0.6 : 0.95) * letter
  return height(box) < 0.7 * letter && middle(box) > base - 0.25 * letter && box.bottom > base + 0.35 * letter
}
