type Cell = string | number

/**
 * The last column is wrapped into the remaining width, unless that is less than this: then it goes on the next line.
 */
const leastWrapped = 16

/**
 * Columns padded to their widest cell; numbers right, text left. Where that is wider than `width` cells, the last
 * column is wrapped or goes below its row; where the others alone are too wide, each row becomes a paragraph, which
 * begins with its first `names` cells (default: its texts but the last) and labels the others.
 */
export function table(
  header: readonly string[],
  rows: readonly (readonly Cell[])[],
  width = Infinity,
  names?: number,
): string {
  const widths = header.map((title, column) =>
    Math.max(displayWidth(title), ...rows.map((row) => displayWidth(textOf(row, column)))),
  )
  const indent = widths.slice(0, -1).reduce((sum, one) => sum + one + 2, 0)
  if (indent - 2 > width) return paragraphs(header, rows, {width, names})
  if (indent + (widths.at(-1) ?? 0) > width && width - indent < leastWrapped) return lastBelow(header, rows, width)
  const line = (row: readonly Cell[]) =>
    row
      .map((cell, column) => padded(cell, widths[column] ?? 0))
      .join('  ')
      .trimEnd()
  const wrappedLine = (row: readonly Cell[]) => wrapped(line(row), indent, width)
  const head = header
    .map((title, column) => title + ' '.repeat((widths[column] ?? 0) - displayWidth(title)))
    .join('  ')
    .trimEnd()
  return [wrapped(head, indent, width), ...rows.map(wrappedLine)].join('\n')
}

function lastBelow(header: readonly string[], rows: readonly (readonly Cell[])[], width: number): string {
  const [head, ...lines] = table(
    header.slice(0, -1),
    rows.map((row) => row.slice(0, -1)),
    width,
  ).split('\n')
  const below = rows.map((row) => textOf(row, header.length - 1))
  return [
    head,
    ...lines.flatMap((line, at) => (below[at] === '' ? [line] : [line, wrapped(`    ${below[at]}`, 4, width)])),
  ].join('\n')
}

function padded(cell: Cell, width: number): string {
  const text = String(cell)
  const padding = ' '.repeat(width - displayWidth(text))
  return typeof cell === 'number' ? padding + text : text + padding
}

const textOf = (row: readonly Cell[], column: number) => String(row[column] ?? '')

/**
 * `flatten`, and below it `read 20, written 46, why include-missing 1`; empty cells are omitted. Items are not split.
 */
function paragraphs(
  header: readonly string[],
  rows: readonly (readonly Cell[])[],
  {width, names: count}: {width: number; names: number | undefined},
): string {
  return rows
    .map((row) => {
      const texts = row.filter((cell) => typeof cell === 'string').slice(0, -1)
      const names: readonly Cell[] = count === undefined ? texts : row.slice(0, count)
      const rest = row.flatMap((cell, column) =>
        names.includes(cell) || cell === '' ? [] : [`${header[column]} ${cell}`],
      )
      const items = rest.map((item) => item.replaceAll(' ', noBreak)).join(', ')
      return [wrapped(names.join('  '), 4, width), wrapped(`    ${items}`, 4, width).replaceAll(noBreak, ' ')].join(
        '\n',
      )
    })
    .join('\n')
}

const noBreak = '\u00a0'

/** Breaks at spaces; continuation lines are indented. A word longer than a line is kept whole. */
export function wrapped(text: string, indent: number, width: number): string {
  const done: string[] = []
  let rest = text
  while (displayWidth(rest) > width) {
    const end = lastBreak(rest, Math.min(indent, width - 1), width)
    if (end === undefined) break
    done.push(rest.slice(0, end).trimEnd())
    rest = ' '.repeat(indent) + rest.slice(end).trimStart()
  }
  return [...done, rest].join('\n')
}

/** The same for items with two spaces between them: items are not split. */
export function wrappedItems(text: string, indent: number, width: number): string {
  return wrapped(text.replace(/(?<=\S) (?=\S)/g, noBreak), indent, width).replaceAll(noBreak, ' ')
}

/** Index of the last space after `from` within `width` cells; otherwise of the first space after them. */
function lastBreak(text: string, from: number, width: number): number | undefined {
  let cells = 0
  let found: number | undefined
  let at = 0
  for (const character of text) {
    if (character === ' ' && at > from && (cells <= width || found === undefined)) found = at
    if (found !== undefined && cells > width) break
    cells += displayWidth(character)
    at += character.length
  }
  return found
}

const wide = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/u

/** Terminal cells: East Asian characters take two. */
function displayWidth(text: string): number {
  let width = 0
  for (const character of text) width += wide.test(character) ? 2 : 1
  return width
}
