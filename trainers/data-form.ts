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

/** Columns of a data set that are trained on, by method: other ones are not needed. */
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

/** undefined where a cell is no list of turns. */
export function turnsOf(cell: unknown): Turn[] | undefined {
  if (!Array.isArray(cell)) return undefined
  const turns = cell as Partial<Turn>[]
  const isTurn = (one: Partial<Turn> | null) => typeof one?.role === 'string' && typeof one.content === 'string'
  return turns.every(isTurn) ? (turns as Turn[]) : undefined
}

const types: Readonly<Record<string, ColumnType>> = {label: 'bool', id: 'string'}

const plain = (name: string): FormColumn => ({name, type: types[name] ?? messages, value: (row) => row[name] ?? null})

/** The judge of a reward is asked by the task; its client in Python takes this column by its name. */
const taskOfReward: FormColumn = {name: 'task_id', type: 'string', value: ({task}) => task}

/**
 * The columns that a trainer reads. TRL takes those of the data set; the others have a view of their own.
 * @throws PipelineError `config-invalid` where a trainer has no form for a method
 */
export function formOf({engine, method}: Pick<JobSpec, 'engine' | 'method'>): readonly FormColumn[] {
  if (engine === 'trl')
    return [...['id', ...trainedColumns[method]].map(plain), ...(method === 'grpo' ? [taskOfReward] : [])]
  const form = method === 'sft' || method === 'dpo' ? viewOf(engine).forms[method] : undefined
  if (form) return form.columns
  throw new PipelineError('config-invalid', `${engine} is not driven here for ${method}.`, {
    fix: 'Set `engine: trl`, which knows all methods.',
    scope: 'run',
    evidence: {engine, method},
  })
}
