import {inspect} from 'node:util'
import {PipelineError} from '../../engine/errors.ts'

type Row = Readonly<Record<string, unknown>>

/** How much of a cell a message shows. */
const shownOfCell = 60

/** Patterns of column names, and the roles that they get in the proposed line. */
const hints = {
  reasoning: /reason|think|thought|cot|rationale|why|trace|trajector|analysis|explanation/i,
  answer: /answer|response|output|solution|completion|result|reply|final|^a$/i,
  prompt: /question|prompt|problem|instruction|query|input|ask|task|title|^q$/i,
} as const

/** The error for unclear columns: with the columns, a row, and a proposed line. */
export function unknownShape(rows: readonly Row[], name: string): PipelineError {
  const {seen, shown} = whatIsThere(rows)
  const what = `The question, reasoning and answer columns of ${name} are unclear: it has ${shown}`
  return new PipelineError('input-invalid', `${what}.`, {
    fix: `Add to its entry under sources.general, in ascend-cot.yaml or with --set: ${proposedColumns(rows)}`,
    evidence: {seen},
  })
}

/** The columns of some rows, and the first row with its cells cut short. */
export function whatIsThere(rows: readonly Row[]): {seen: string[]; shown: string} {
  const seen = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const cells = Object.entries(rows[0] ?? {}).map(([column, value]) => `${column}: ${shownCell(value)}`)
  return {seen, shown: `${seen.join(', ')}; its first row is {${cells.join(', ')}}`}
}

function shownCell(value: unknown): string {
  const text = inspect(value, {depth: 3, maxArrayLength: 3, maxStringLength: shownOfCell, breakLength: Infinity})
  return text.length > 2 * shownOfCell ? `${text.slice(0, 2 * shownOfCell)}…` : text
}

/** The line to write, its columns guessed by their names, otherwise by the length of their texts. */
export function proposedColumns(rows: readonly Row[]): string {
  const {seen} = whatIsThere(rows)
  const length = (column: string) => rows.reduce((sum, row) => sum + textLength(row[column]), 0)
  const texts = seen.filter((column) => length(column) > 0)
  if (texts.length < 2) {
    const [only = 'messages'] = texts.length > 0 ? texts : seen
    return `columns: {messages: ${quoted(only)}} for a list of turns; for more, it has too few columns of texts.`
  }
  const left = [...texts].sort((one, other) => length(other) - length(one))
  const taken: Partial<Record<keyof typeof hints, string>> = {}
  const take = (part: keyof typeof hints, column: string | undefined) => {
    if (column === undefined) return
    taken[part] = column
    left.splice(left.indexOf(column), 1)
  }
  const parts = Object.keys(hints) as (keyof typeof hints)[]
  for (const part of parts)
    take(
      part,
      left.find((column) => hints[part].test(column)),
    )
  take('prompt', taken.prompt === undefined ? left.at(-1) : undefined)
  take('answer', taken.answer === undefined ? left.at(-1) : undefined)
  if (taken.reasoning === undefined && left[0] !== undefined && length(left[0]) > length(taken.answer ?? ''))
    take('reasoning', left[0])
  return lineOf(taken)
}

function lineOf({prompt = '', reasoning, answer = ''}: {prompt?: string; reasoning?: string; answer?: string}): string {
  const [asked, thought, end] = [prompt, reasoning, answer].map((one) => one && quoted(one))
  if (thought !== undefined) return `columns: {prompt: ${asked}, reasoning: ${thought}, answer: ${end}}`
  return (
    `columns: {prompt: ${asked}, answer: ${end}}, where ${answer} holds its reasoning between <think> tags; with ` +
    '`reasoning: <column>` if another does. Rows without reasoning are dropped.'
  )
}

const quoted = (name: string) => (/^[A-Za-z_][\w-]*$/.test(name) ? name : JSON.stringify(name))

const textLength = (value: unknown): number => {
  if (typeof value === 'string') return value.length
  return Array.isArray(value) ? value.reduce((sum: number, one) => sum + textLength(one), 0) : 0
}
