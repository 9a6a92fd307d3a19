import {dividedReply, type LocatedFile} from '../parquet/reply-parts.ts'
import type {Config} from '../schema/export.ts'

type Row = Readonly<Record<string, unknown>>

/** Columns that `rowProblems` reads together; all others are checked separately. */
export const checkedColumns: {readonly [C in Config]?: readonly string[]} = {
  sft: ['prompt', 'completion', 'files'],
  dpo: ['prompt', 'chosen', 'rejected', 'chosen_files', 'rejected_files'],
}

/** What is wrong with one row: turns, think blocks, and the stated position of its code. */
export function rowProblems(config: Config, row: Row): string[] {
  return checks[config]?.(row) ?? []
}

const checks: {readonly [C in Config]?: (row: Row) => string[]} = {
  sft: (row) => [
    ...turnProblems(row, 'prompt', 'user'),
    ...replyProblems(row, 'completion', 'files'),
    ...(thinks(row, 'completion') ? [] : ['completion has no reasoning, expected a <think> block']),
  ],
  dpo: (row) => [
    ...turnProblems(row, 'prompt', 'user'),
    ...(['chosen', 'rejected'] as const).flatMap((side) => replyProblems(row, side, `${side}_files`)),
    ...(thinks(row, 'chosen') === thinks(row, 'rejected')
      ? []
      : ['only one side has reasoning, which identifies the better one']),
  ],
}

interface Turn {
  role: string
  content: string
}

function turnProblems(row: Row, column: string, role: string): string[] {
  const turns = row[column] as Turn[] | null
  const [turn] = turns ?? []
  if (turns?.length !== 1 || turn?.role !== role) return [`${column} is not a single turn of ${role}`]
  return turn.content.trim() === '' ? [`${column} is blank`] : []
}

const contentOf = (row: Row, column: string) => (row[column] as Turn[] | null)?.[0]?.content ?? ''
const thinks = (row: Row, column: string) => dividedReply(contentOf(row, column)).reasoning !== ''

function replyProblems(row: Row, column: string, files: string): string[] {
  const content = contentOf(row, column)
  const {reasoning, answer} = dividedReply(content)
  const tags = content.match(/<\/?think>/g) ?? []
  const expected = reasoning === '' ? 0 : 2
  return [
    ...turnProblems(row, column, 'assistant'),
    ...(tags.length === expected
      ? []
      : [`${column} has the tags ${tags.join(' ')}, expected one block at its start or none`]),
    ...(answer.trim() === '' ? [`${column} has no answer`] : []),
    ...locationProblems(content, answer, files, row[files] as LocatedFile[] | null),
  ]
}

/** A file is in the answer, or its text is given separately. */
function locationProblems(content: string, answer: string, column: string, files: LocatedFile[] | null): string[] {
  const length = [...content].length
  const answerAt = length - [...answer].length
  return (files ?? []).flatMap(({path, start, end, text}) => {
    if (start === null && end === null)
      return text === null ? [`${column}: ${path} has neither a position nor a text`] : []
    if (start === null || end === null || text !== null)
      return [`${column}: ${path} needs either start and end, or a text`]
    return start >= answerAt && start <= end && end <= length
      ? []
      : [`${column}: ${path} should be at ${start}–${end}, but the answer is at ${answerAt}–${length}`]
  })
}
