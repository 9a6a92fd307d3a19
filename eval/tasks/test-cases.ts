import {CsvError, parse} from 'csv-parse/sync'
import type {TaskCase} from '../../datasets/schema/task.ts'
import {parsePythonLiteral} from './python-literal.ts'

interface BadRow {
  /** 1-based line of the data row in the file. */
  line: number
  cells: string[]
  problem: string
}

/**
 * Reads `test_cases.csv`: `;` between cells, a header that starts with `case_id`, structured cells as Python literals.
 * A row with the wrong number of cells or a broken literal is set aside, never guessed at.
 * @throws SyntaxError when the file as a whole is not such a table
 */
export function parseTestCases(text: string): {cases: TaskCase[]; bad: BadRow[]} {
  const {rows, broken} = readRows(text)
  const [header, ...data] = rows
  if (header?.cells[0] !== 'case_id') {
    throw new SyntaxError(
      `the first column is ${JSON.stringify(header?.cells[0] ?? '')}, expected "case_id" and ';' between columns`,
    )
  }
  const cases: TaskCase[] = []
  const bad: BadRow[] = [...broken]
  const seen = new Set<string>()
  for (const row of data) {
    const problem = findProblem(header.cells, row.cells, seen)
    if (problem !== undefined) {
      bad.push({...row, problem})
      continue
    }
    seen.add(row.cells[0] ?? '')
    cases.push(Object.fromEntries(header.cells.map((column, index) => [column, row.cells[index] ?? ''])))
  }
  return {cases, bad: bad.sort((a, b) => a.line - b.line)}
}

const strayQuote = 'a quote is not closed, or stands inside a cell'

interface Row {
  cells: string[]
  line: number
}

const format = {delimiter: ';', bom: true, trim: true, skip_empty_lines: true, relax_column_count: true} as const

/**
 * An unclosed quote swallows the following rows, or makes the whole file unreadable. No cell of such a table spans
 * lines: if one seems to, each line is read separately.
 */
function readRows(text: string): {rows: Row[]; broken: BadRow[]} {
  const rows = rowsOf(text)
  if (rows && !rows.some(({cells}) => cells.some((cell) => cell.includes('\n')))) return {rows, broken: []}
  const each = text.split(/\r?\n/).map((line, index) => ({line: index + 1, text: line, rows: rowsOf(line)}))
  return {
    rows: each.flatMap(({line, rows: found = []}) => found.map(({cells}) => ({cells, line}))),
    broken: each.filter((one) => !one.rows).map(({line, text: cell}) => ({line, cells: [cell], problem: strayQuote})),
  }
}

function rowsOf(text: string): Row[] | undefined {
  try {
    // With `info`, csv-parse wraps each record; its types do not say so for array records.
    const parsed = parse(text, {...format, info: true}) as unknown as {info: {lines: number}; record: string[]}[]
    return parsed.map(({record, info}) => ({cells: record, line: info.lines}))
  } catch (error) {
    if (error instanceof CsvError) return undefined
    throw error
  }
}

function findProblem(
  columns: readonly string[],
  cells: readonly string[],
  seen: ReadonlySet<string>,
): string | undefined {
  if (cells.length !== columns.length)
    return `saw ${cells.length} cells, expected ${columns.length} (${columns.join(';')})`
  if (seen.has(cells[0] ?? '')) return `case_id ${cells[0]} appears twice`
  for (const [index, cell] of cells.entries()) {
    const problem = literalProblem(cell)
    if (problem !== undefined) return `${columns[index]}: ${JSON.stringify(cell)} is not a Python literal: ${problem}`
  }
  return undefined
}

/** Bare words are dtypes and flags; only text that opens a bracket or a quote is a literal. */
function literalProblem(cell: string): string | undefined {
  if (!/^[[('"]/.test(cell)) return undefined
  try {
    parsePythonLiteral(cell)
    return undefined
  } catch (error) {
    if (error instanceof SyntaxError) return error.message
    throw error
  }
}
