import {byLevelAndRow, figure3, figure6} from './paper-figures.ts'
import {table2, table3, table4, type FilledTable, type PaperTable, type ScoredRow} from './paper-tables.ts'
import {published} from './published.ts'

interface Filled {
  /** Ours first, followed by the paper's if it prints numbers. */
  tables: FilledTable[]
  figures: {name: string; svg: string}[]
}

/** The tables and figures that a sweep defines, from the scores so far. */
export function fill(shows: readonly PaperTable[], rows: readonly ScoredRow[]): Filled {
  const each = shows.map((name) => filled(name, rows))
  return {tables: each.flatMap(({tables}) => tables), figures: each.flatMap(({figures}) => figures)}
}

function filled(name: PaperTable, rows: readonly ScoredRow[]): Filled {
  switch (name) {
    case 'table-2':
      return {tables: [table2(rows), published[name]], figures: []}
    case 'table-3':
      return {tables: [table3(rows), published[name]], figures: []}
    case 'table-4':
      return {tables: [table4(rows), published[name]], figures: []}
    case 'figure-3':
      return {tables: [], figures: figure3(rows)}
    case 'figure-6':
      return {tables: [], figures: figure6(rows)}
    default:
      return {tables: [], figures: byLevelAndRow(name, rows)}
  }
}
