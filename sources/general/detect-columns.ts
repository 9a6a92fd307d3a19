import type {GeneralColumns} from '../../datasets/schema/general.ts'
import {PipelineError} from '../../engine/errors.ts'
import {holdsThought} from './part-thought.ts'
import {isTurns, textOf} from './turns.ts'

type Row = Readonly<Record<string, unknown>>

// In the order in which they are taken where several are there.
const conversations = ['messages', 'conversations', 'conversation', 'dialogue', 'dialog', 'chat', 'message']
const prompts = ['prompt', 'instruction', 'question', 'problem', 'query', 'input', 'user']
const thoughts = [
  'reasoning',
  'reasoning_content',
  'thinking',
  'thought',
  'thoughts',
  'think',
  'cot',
  'chain_of_thought',
]
const answers = ['answer', 'response', 'output', 'solution', 'content', 'completion', 'assistant']

/**
 * Tells by names and first values which columns hold question, thought and answer: turns (`messages`, `conversations`),
 * alpaca (`instruction`, `input`, `output`), or columns of their own. Of several possible answers, one that holds
 * thought between tags is taken where no column holds it apart.
 * @param name of the data set, for the message
 * @throws PipelineError `input-invalid` with the columns that were seen and how to map them
 */
export function detectColumns(rows: readonly Row[], name: string): GeneralColumns {
  const seen = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const holding = (column: string, test: (value: unknown) => boolean) => rows.some((row) => test(row[column]))
  const listed = (wanted: readonly string[], test: (value: unknown) => boolean) =>
    wanted.flatMap((one) => seen.filter((column) => column.toLowerCase() === one && holding(column, test)))
  const [turns] = listed(conversations, isTurns)
  if (turns !== undefined) return {messages: turns}
  const isText = (value: unknown) => typeof textOf(value, '') === 'string' && value !== null && value !== undefined
  const [prompt] = listed(prompts, isText)
  const [reasoning] = listed(thoughts, isText)
  const possible = listed(answers, isText).filter((column) => column !== prompt)
  const tagged = possible.find((column) => holding(column, (value) => holdsThought(String(textOf(value, '')))))
  const answer = reasoning === undefined ? tagged : possible.at(0)
  if (prompt === undefined || answer === undefined) throw unknownShape(name, seen)
  const [input] = prompt.toLowerCase() === 'instruction' ? listed(['input'], isText) : []
  return {
    prompt,
    answer,
    ...(reasoning === undefined ? {} : {reasoning}),
    ...(input === undefined ? {} : {input}),
  }
}

/** The columns that a mapping names. */
export function columnNames(columns: GeneralColumns): string[] {
  return Object.values(columns).filter((column) => column !== undefined)
}

/**
 * Checks a mapping that was configured against the first rows.
 * @throws PipelineError `config-invalid` with the columns that are not there
 */
export function checkColumns(columns: GeneralColumns, rows: readonly Row[], name: string): GeneralColumns {
  const seen = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const absent = columnNames(columns).filter((column) => !seen.includes(column))
  if (absent.length === 0) return columns
  throw new PipelineError('config-invalid', `${name} has no column ${absent.join(', ')}; it has ${seen.join(', ')}.`, {
    fix: 'Name columns that are there under sources.general … columns.',
    scope: 'run',
    evidence: {absent, seen},
  })
}

function unknownShape(name: string, seen: readonly string[]): PipelineError {
  const what = `Which columns of ${name} hold question, thought and answer cannot be told: it has ${seen.join(', ')}`
  return new PipelineError('input-invalid', `${what}.`, {
    fix:
      'Say so under sources.general, such as columns: {prompt: q, reasoning: r, answer: a}, without reasoning where ' +
      'the answer holds it between <think> tags, or columns: {messages: m} for a list of turns.',
    scope: 'run',
    evidence: {seen},
  })
}
