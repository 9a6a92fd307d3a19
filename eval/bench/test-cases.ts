import {parse} from 'csv-parse/sync'
import type {TaskCase} from '../../datasets/schema/task.ts'
import {parsePythonLiteral} from './python-literal.ts'

export interface BadRow {
  /** 1-based line of the data row in the file. */
  line: number
  cells: string[]
  problem: string
}

/**
 * Reads `test_cases.csv`: `;` between cells, a header that starts with `case_id`, structured cells as Python literals.
 * A row with the wrong number of cells or a broken literal is set aside, never guessed at.
 * @throws SyntaxError when the file as a whole is no such table
 */
export function parseTestCases(text: string): {cases: TaskCase[]; bad: BadRow[]} {
  const rows = readRows(text)
  const [header, ...data] = rows
  if (header?.cells[0] !== 'case_id') {
    throw new SyntaxError(`the first column is ${JSON.stringify(header?.cells[0] ?? '')}, expected "case_id" and ';' between columns`)
  }
  const cases: TaskCase[] = []
  const bad: BadRow[] = []
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
  return {cases, bad}
}

function readRows(text: string): {cells: string[]; line: number}[] {
  // With `info`, csv-parse wraps each record; its types do not say so for array records.
  const parsed = parse(text, {
    delimiter: ';', bom: true, trim: true, skip_empty_lines: true, relax_column_count: true, info: true,
  }) as unknown as {info: {lines: number}; record: string[]}[]
  return parsed.map(({record, info}) => ({cells: record, line: info.lines}))
}

function findProblem(columns: readonly string[], cells: readonly string[], seen: ReadonlySet<string>): string | undefined {
  if (cells.length !== columns.length) return `saw ${cells.length} cells, expected ${columns.length} (${columns.join(';')})`
  if (seen.has(cells[0] ?? '')) return `case_id ${cells[0]} appears twice`
  for (const [index, cell] of cells.entries()) {
    const problem = literalProblem(cell)
    if (problem !== undefined) return `${columns[index]}: ${JSON.stringify(cell)} is not a Python literal: ${problem}`
  }
  return undefined
}

/** Bare words are dtypes and flags; only what opens a bracket or a quote claims to be a literal. */
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
