import type {Confirmation} from '../schema/verdict.ts'
import type {Column} from './column.ts'

/** What both executors found; null where one judged. */
export function confirmationColumn<Row>(name: string, read: (row: Row) => Confirmation | undefined): Column<Row> {
  return {
    name,
    type: 'string',
    meaning:
      'Where a second executor judged what the first found correct: the outcomes of both, as ' +
      '`twin: correct, cann-board: mismatched`; null where one executor judged.',
    value(row) {
      const both = read(row)
      return both ? [both.first, both.second].map((one) => `${one.executor.name}: ${one.outcome}`).join(', ') : null
    },
  }
}
