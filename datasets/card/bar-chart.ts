import {count} from './card-sections.ts'

/** Bars under one heading; a bar may have parts, each in its own colour. */
interface BarChart {
  title: string
  bars: readonly {name: string; parts: Parts}[]
}

type Parts = readonly {value: number; colour: string; name?: string}[]

// Width is estimated at half the font size per letter and the full size per CJK character, only to reserve room, so a
// reader with another font loses nothing.
const [fontSize, rowHeight, barWidth, margin] = [13, 24, 420, 16]
const ink = '#6e7781'

const widthOf = (text: string) =>
  [...text].reduce((sum, one) => sum + ((one.codePointAt(0) ?? 0) > 0x2e7f ? 1 : 0.56), 0)

/**
 * An SVG of horizontal bars, each with its sum. The same numbers give the same bytes: no font is measured and no clock
 * read. The colours work on light and dark backgrounds.
 */
export function barChart({title, bars}: BarChart): string {
  const sums = bars.map(({parts}) => parts.reduce((sum, {value}) => sum + value, 0))
  const left = margin + Math.ceil(Math.max(...bars.map(({name}) => widthOf(name)), 4) * fontSize) + 10
  const width = left + barWidth + 80
  const legend = placed(legendOf(bars), width)
  const keyRows = legend.length === 0 ? 0 : (legend.at(-1)?.row ?? 0) + 1
  const top = margin + fontSize + keyRows * rowHeight + 14
  const height = top + bars.length * rowHeight + margin - 6
  const scale = barWidth / Math.max(1, ...sums)
  const rows = bars.map(({name, parts}, index) => {
    const y = top + index * rowHeight
    const middle = y + fontSize - 0.5
    const sum = sums[index] ?? 0
    const label = `<text x="${left - 8}" y="${middle}" text-anchor="end">${escaped(name)}</text>`
    const total = `<text x="${short(left + sum * scale + 6)}" y="${middle}">${count(sum)}</text>`
    return `${label}${boxes(parts, left, y, scale)}${total}`
  })
  const heading = `<text x="${margin}" y="${margin + fontSize - 2}" font-weight="bold">${escaped(title)}</text>`
  const size = `width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`
  const style = `font-family="Arial, Helvetica, sans-serif" font-size="${fontSize}" fill="${ink}"`
  const opening = `<svg xmlns="http://www.w3.org/2000/svg" ${size} ${style}>`
  return `${[opening, heading, ...legend.map(keyOf), ...rows, '</svg>'].join('\n')}\n`
}

function boxes(parts: Parts, left: number, y: number, scale: number): string {
  let x = left
  return parts
    .map(({value, colour}) => {
      const [from, wide] = [x, value * scale]
      x += wide
      const size = `width="${short(wide)}" height="${rowHeight - 7}"`
      return value > 0 ? `<rect x="${short(from)}" y="${y}" ${size} fill="${colour}"/>` : ''
    })
    .join('')
}

interface Key {
  name: string
  colour: string
  x: number
  row: number
}

/** Keys one after another, on as many lines as they need. */
function placed(keys: readonly (readonly [name: string, colour: string])[], width: number): Key[] {
  let [x, row] = [margin, 0]
  return keys.map(([name, colour]) => {
    const wide = 32 + widthOf(name) * fontSize
    if (x > margin && x + wide > width) [x, row] = [margin, row + 1]
    const key = {name, colour, x, row}
    x += wide
    return key
  })
}

function keyOf({name, colour, x, row}: Key): string {
  const y = margin + fontSize + 10 + row * rowHeight
  const box = `<rect x="${short(x)}" y="${y}" width="12" height="12" fill="${colour}"/>`
  return `${box}<text x="${short(x + 18)}" y="${y + 11}">${escaped(name)}</text>`
}

function legendOf(bars: BarChart['bars']): [name: string, colour: string][] {
  const named = bars.flatMap(({parts}) =>
    parts.flatMap(({name, colour}) => (name === undefined ? [] : [[name, colour] as const])),
  )
  return [...new Map(named)]
}

const short = (value: number) => String(Math.round(value * 10) / 10)

const entities: Record<string, string> = {'&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;'}
export const escaped = (text: string) =>
  text.replace(/[\p{Cc}\p{Cf}]/gu, ' ').replace(/[&<>"]/g, (one) => entities[one] ?? one)
