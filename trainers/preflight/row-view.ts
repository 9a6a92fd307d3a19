import {counted} from '../../engine/counted.ts'
import type {Method} from '../../datasets/schema/job.ts'
import {replyColumns, turnsOf, type Turn} from '../data-form.ts'
import type {TrainingRow} from '../training-rows.ts'
import {found, type Finding, type FindingCode, type Severity} from './finding.ts'

interface Reply {
  column: string
  /** undefined when the cell is not a list of turns. */
  turns: readonly Turn[] | undefined
  /** Text of all its turns. */
  text: string
}

/** A row as the checks see it. */
export interface RowView {
  /** A label by which a person finds the row. */
  name: string
  /** undefined when the cell is not a list of turns. */
  prompt: readonly Turn[] | undefined
  question: string
  replies: readonly Reply[]
  cells: TrainingRow
}

/** Reads every row once, then returns its findings. */
export interface RowCheck {
  look(row: RowView): void
  findings(): Finding[]
}

export function rowView(cells: TrainingRow, number: number, method: Method): RowView {
  const {id} = cells
  const prompt = turnsOf(cells['prompt'])
  return {
    name: typeof id === 'string' ? `${number} ${id.slice(0, 8)}` : String(number),
    prompt,
    question: textOf(prompt),
    replies: replyColumns(method).map((column) => {
      const turns = turnsOf(cells[column])
      return {column, turns, text: textOf(turns)}
    }),
    cells,
  }
}

const textOf = (turns: readonly Turn[] | undefined) => (turns ?? []).map(({content}) => content).join('\n')

const shown = 3

/** Counts rows, and remembers the first few. */
export class Tally {
  count = 0
  readonly #first: string[] = []

  add({name}: Pick<RowView, 'name'>): void {
    this.count += 1
    if (this.#first.length < shown) this.#first.push(name)
  }

  /** `3 rows (row 1, 5, 9)`. */
  toString(): string {
    const more = this.count > shown ? ', …' : ''
    return `${counted(this.count, 'row')} (${this.#first.join(', ')}${more})`
  }

  /** The finding for a tally, unless it is empty. */
  found(code: FindingCode, message: (rows: string) => string, fix = '', severity?: Severity): Finding[] {
    return this.count === 0 ? [] : found(code, message(String(this)), fix, severity)
  }
}
