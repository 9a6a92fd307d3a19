import type {ColumnType} from '../datasets/parquet/column-types.ts'
import {messages} from '../datasets/tokens/chat-turns.ts'
import type {Method} from '../datasets/schema/job.ts'
import {viewOf} from '../datasets/views/view-forms.ts'
import {PipelineError} from '../engine/errors.ts'
import type {JobSpec} from './spec.ts'

type Row = Readonly<Record<string, unknown>>

/** A column of the file that a trainer is given. */
interface FormColumn {
  name: string
  type: ColumnType
  value(row: Row): unknown
}

/** Columns of a data set that each method trains on; others are not needed. */
export const trainedColumns: Readonly<Record<Method, readonly string[]>> = {
  sft: ['prompt', 'completion'],
  dpo: ['prompt', 'chosen', 'rejected'],
  kto: ['prompt', 'completion', 'label'],
  grpo: ['prompt'],
}

/** Those of them that hold replies. */
export const replyColumns = (method: Method): readonly string[] =>
  trainedColumns[method].filter((name) => name !== 'prompt' && name !== 'label')

export interface Turn {
  role: string
  content: string
}

/** undefined when a cell is not a list of turns. */
export function turnsOf(cell: unknown): Turn[] | undefined {
  if (!Array.isArray(cell)) return undefined
  const turns = cell as Partial<Turn>[]
  const isTurn = (one: Partial<Turn> | null) => typeof one?.role === 'string' && typeof one.content === 'string'
  return turns.every(isTurn) ? (turns as Turn[]) : undefined
}

const types: Readonly<Record<string, ColumnType>> = {label: 'bool', id: 'string'}

const plain = (name: string): FormColumn => ({name, type: types[name] ?? messages, value: (row) => row[name] ?? null})

/** The reward's judge identifies rows by task; its Python client expects this column name. */
const taskOfReward: FormColumn = {name: 'task_id', type: 'string', value: ({task}) => task}

/**
 * The columns that a trainer reads. TRL reads those of the data set; the others have their own view.
 * @throws PipelineError `config-invalid` when a trainer has no form for a method
 */
export function formOf({engine, method}: Pick<JobSpec, 'engine' | 'method'>): readonly FormColumn[] {
  if (engine === 'trl')
    return [...['id', ...trainedColumns[method]].map(plain), ...(method === 'grpo' ? [taskOfReward] : [])]
  const form = method === 'sft' || method === 'dpo' ? viewOf(engine).forms[method] : undefined
  if (form) return form.columns
  throw new PipelineError('config-invalid', `${method} is not supported here with ${engine}.`, {
    fix: 'Set `engine: trl`, which supports all methods.',
    evidence: {engine, method},
  })
}
