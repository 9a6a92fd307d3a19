import * as cheerio from 'cheerio'
import {replaceBetween} from './linear-text.ts'
import {type Block, plain} from './blocks.ts'

export interface Table {
  header: string[]
  /**
   * Cells as text; list items inside a cell are separated by `\n` with a `•` per nesting level, merged cells repeat
   * their value.
   */
  rows: string[][]
}

/** Placeholder for a listing inside a cell: a declaration is not part of the cell's text. */
export const listingMark = '⟨listing⟩'

/** Reads a pipe table or an HTML table. */
export function readTable(block: Extract<Block, {kind: 'table'}>): Table {
  return /^\s*<table/i.test(block.source) ? htmlTable(block.source) : pipeTable(block.source)
}

function pipeTable(source: string): Table {
  const rows = withoutListings(source)
    .split('\n')
    .map((line) =>
      splitRow(line).map((cell) =>
        cell
          .split(/<br\s*\/?>/i)
          .map(plain)
          .filter(Boolean)
          .join('\n'),
      ),
    )
  const [header = [], , ...body] = rows
  return {header, rows: body}
}

/** Declarations inside cells are not part of their text, as in HTML tables. */
function withoutListings(source: string): string {
  return replaceBetween(source, /<pre\b[^>\n]*>/gi, /<\/pre>|\n/gi, (part) =>
    part.endsWith('\n') ? part : `<br>${listingMark}<br>`,
  )
}

function splitRow(line: string): string[] {
  const cells: string[] = []
  let cell = ''
  const text = line.trim().replace(/^\|/, '').replace(/\|$/, '')
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '\\' && text[at + 1] === '|') {
      cell += '|'
      at += 1
    } else if (text[at] === '|') {
      cells.push(cell)
      cell = ''
    } else cell += text[at]
  }
  return [...cells, cell]
}

function htmlTable(source: string): Table {
  const $ = cheerio.load(source, {}, false)
  $('pre').replaceWith(`\n${listingMark}\n`)
  $('br').replaceWith('\n')
  $('li').each((_, item) => {
    $(item).prepend(`\n${'•'.repeat(Math.max(1, $(item).parents('ul, ol').length))} `)
  })
  $('td p, th p').each((_, paragraph) => {
    $(paragraph).append('\n')
  })
  const grid: string[][] = []
  let cells = 0
  $('tr').each((y, row) => {
    const line = (grid[y] ??= [])
    $(row)
      .children('td,th')
      .each((_, cell) => {
        let x = 0
        while (line[x] !== undefined) x += 1
        const text = $(cell).text().split('\n').map(plain).filter(Boolean).join('\n')
        const [height, width] = [span($(cell).attr('rowspan')), span($(cell).attr('colspan'))]
        cells += height * width
        if (cells > mostCells) return
        for (let dy = 0; dy < height; dy += 1) {
          for (let dx = 0; dx < width; dx += 1) (grid[y + dy] ??= [])[x + dx] = text
        }
      })
  })
  const [header = [], ...rows] = grid.map((row) => Array.from(row, (cell) => cell ?? ''))
  return {header, rows}
}

/** Cells of one table; merged cells count once per repetition. */
const mostCells = 100_000

/** Spans are limited: so that a hostile page cannot blow up the grid. */
function span(attribute: string | undefined): number {
  const value = Number(attribute ?? 1)
  return Number.isInteger(value) && value >= 1 ? Math.min(value, 100) : 1
}
