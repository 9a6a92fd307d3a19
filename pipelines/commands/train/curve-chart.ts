/** Dots of one character of Braille, by column and row. */
const dots = [
  [0x01, 0x02, 0x04, 0x40],
  [0x08, 0x10, 0x20, 0x80],
] as const
const blank = 0x2800

interface Point {
  x: number
  y: number
}

/**
 * A curve as lines of text, labelled with its highest and lowest value; [] for fewer than two points.
 * @param size cells, labels included
 */
export function curveChart(points: readonly Point[], {width, height}: {width: number; height: number}): string[] {
  const [first, last] = [points[0], points.at(-1)]
  if (!first || !last || first === last) return []
  const values = points.map(({y}) => y)
  const [top, bottom] = [Math.max(...values), Math.min(...values)]
  const labels = [top, bottom].map(shortNumber)
  const room = Math.max(...labels.map((label) => label.length))
  const columns = width - room - 2
  if (columns < 8) return []
  const cells = Array.from({length: height}, () => new Array<number>(columns).fill(blank))
  const lowest = height * 4 - 1
  for (const {x, y} of drawn(points, columns * 2)) {
    const row = top === bottom ? Math.floor(lowest / 2) : Math.round(((top - y) / (top - bottom)) * lowest)
    const line = cells[row >> 2] as number[]
    line[x >> 1] = (line[x >> 1] as number) | (dots[x % 2] as readonly number[])[row % 4]!
  }
  return cells.map((line, at) => {
    const label = (at === 0 ? labels[0] : undefined) ?? (at === height - 1 ? labels[1] : undefined) ?? ''
    return `${label.padStart(room)} ┤${String.fromCodePoint(...line).trimEnd()}`.replaceAll('\u2800', ' ').trimEnd()
  })
}

/** A value for each column: the mean of the points in it, or an interpolation between its neighbours. */
function drawn(points: readonly Point[], columns: number): Point[] {
  const [first, last] = [points[0] as Point, points.at(-1) as Point]
  const bins = new Map<number, number[]>()
  for (const {x, y} of points) {
    const column = Math.round(((x - first.x) / (last.x - first.x || 1)) * (columns - 1))
    bins.set(column, [...(bins.get(column) ?? []), y])
  }
  const known = [...bins].map(([x, values]) => ({x, y: mean(values)}))
  return known.flatMap((point, at) => {
    const next = known[at + 1]
    if (!next) return [point]
    const slope = (next.y - point.y) / (next.x - point.x)
    return Array.from({length: next.x - point.x}, (_, step) => ({x: point.x + step, y: point.y + slope * step}))
  })
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

/** Four digits, in as few characters as possible. */
export function shortNumber(value: number): string {
  if (value === 0) return '0'
  const size = Math.abs(value)
  return size >= 1e-3 && size < 1e5 ? String(Number(value.toPrecision(4))) : value.toExponential(2)
}
