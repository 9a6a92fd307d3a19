import type {GeneralColumns} from '../../datasets/schema/general.ts'
import {PipelineError} from '../../engine/errors.ts'
import {saidIn, saidInTurn, textOf} from './cell-text.ts'
import {holdsThought} from './part-thought.ts'
import {isTextList} from './told-row.ts'
import {isTurns, turnsIn} from './turns.ts'
import {proposedColumns, unknownShape} from './unknown-shape.ts'

type Row = Readonly<Record<string, unknown>>
type Test = (value: unknown) => boolean

// In order of preference; case and separators between words are ignored.
const conversations = ['messages', 'conversations', 'conversation', 'dialogue', 'dialog', 'chat', 'message']
const prompts = ['prompt', 'instruction', 'question', 'problem', 'query', 'input', 'user', 'human']
const thoughts = [
  ...['reasoning', 'reasoningcontent', 'thinking', 'thought', 'thoughts', 'think', 'cot', 'chainofthought'],
  ...['complexcot', 'longcot', 'rationale', 'thoughtprocess', 'thinkingprocess', 'reasoningtrace', 'reasoningtraces'],
]
const answers = [
  ...['answer', 'response', 'output', 'solution', 'content', 'completion', 'assistant', 'target'],
  ...['generation', 'generatedsolution', 'llmresponse', 'generations', 'responses', 'solutions', 'completions'],
]

/** Reasoning and answer of one model, next to others' columns: a reference solution is not the end of its reasoning. */
const pairs = [
  ['deepseekthinkingtrajectory', 'deepseekattempt'],
  ['deepseekreasoning', 'deepseeksolution'],
  ['thinkingtrajectories', 'attempt'],
  ['thinkcontent', 'answercontent'],
  ['analysis', 'final'],
] as const

/** Lists that mark each answer as correct or not, in the order in which they are trusted. */
const verdicts = ['correctnessmathverify', 'correctness', 'correct', 'iscorrect', 'verified', 'correctnessllama']

/** Values of a column that only switches reasoning on or off. */
const switched = /^(?:on|off|yes|no|true|false|none|low|medium|high)$/i

const plainName = (column: string) => column.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

/**
 * Detects by names and first values which columns have question, reasoning and answer: turns (`messages`,
 * `conversations`), alpaca (`instruction`, `input`, `output`), or separate columns. Of several possible answers, one
 * with reasoning between tags is used if no column has it separately.
 * @param name of the data set, for the message
 * @throws PipelineError `input-invalid` with the columns and a row that were seen, and how to map them
 */
export function detectColumns(rows: readonly Row[], name: string): GeneralColumns {
  const found = toldColumns(rows)
  if (found) return found
  throw unknownShape(rows, name)
}

/** The same; undefined if unknown. */
export function toldColumns(rows: readonly Row[]): GeneralColumns | undefined {
  const seen = new Seen(rows)
  const turns = seen.named(conversations, isTurns)
  const thinking = turns.find((column) => seen.holds(column, answersWithThought))
  if (thinking !== undefined) return {messages: thinking}
  const whole = turns.find((column) => seen.holds(column, isAnswered))
  const [beside] = seen.named(thoughts, isThought)
  if (whole !== undefined && beside !== undefined) return {messages: whole, reasoning: beside}
  const cells = toldCells(seen, whole === undefined ? turns : [])
  const [messages] = turns
  return cells ?? (messages === undefined ? undefined : {messages})
}

function toldCells(seen: Seen, questions: readonly string[]): GeneralColumns | undefined {
  const [prompt = questions[0]] = seen.named(prompts, isQuestion)
  if (prompt === undefined) return undefined
  const pair = pairs.find(
    ([thought, end]) => seen.named([thought], isThought).length * seen.named([end], isText).length > 0,
  )
  const [reasoning] = seen.named(pair ? [pair[0]] : thoughts, isThought)
  const possible = seen.named(pair ? [pair[1]] : answers, isAnswer).filter((column) => column !== prompt)
  const tagged = possible.find((column) => seen.holds(column, isTagged))
  const answer = reasoning === undefined ? tagged : possible.find((column) => column !== reasoning)
  if (answer === undefined) return undefined
  const [input] = plainName(prompt) === 'instruction' ? seen.named(['input'], isText) : []
  const [verified] = seen.holds(answer, isTextList) ? seen.named(verdicts, Array.isArray) : []
  return {
    prompt,
    answer,
    ...(reasoning === undefined ? {} : {reasoning}),
    ...(input === undefined ? {} : {input}),
    ...(verified === undefined ? {} : {verified}),
  }
}

/** First rows, queried for named columns with content. */
class Seen {
  readonly #rows: readonly Row[]
  readonly #columns: readonly string[]

  constructor(rows: readonly Row[]) {
    this.#rows = rows
    this.#columns = columnsIn(rows)
  }

  holds(column: string, test: Test): boolean {
    return this.#rows.some((row) => test(row[column]))
  }

  /** The wanted names with the required content, in the order of the names. */
  named(wanted: readonly string[], test: Test): string[] {
    return wanted.flatMap((one) =>
      this.#columns.filter((column) => plainName(column) === one && this.holds(column, test)),
    )
  }
}

const isText: Test = (value) => typeof textOf(value, '') === 'string' && value !== null && value !== undefined
const isAnswer: Test = (value) => isText(value) || isTextList(value)
const isQuestion: Test = (value) => isText(value) || (turnsIn(value)?.every(({role}) => role !== 'assistant') ?? false)
const isThought: Test = (value) => {
  const text = isTextList(value) ? value[0] : textOf(value, '')
  return typeof text === 'string' && isAnswer(value) && !switched.test(text.trim())
}

const isTagged: Test = (value) => {
  if (isTextList(value)) return value.some(holdsThought)
  const said = saidIn(value, '')
  return !('reason' in said) && (said.thought.trim() !== '' || holdsThought(said.text))
}

const answersOf = (value: unknown) => (turnsIn(value) ?? []).filter(({role}) => role === 'assistant')
const isAnswered: Test = (value) => answersOf(value).length > 0
const answersWithThought: Test = (value) =>
  answersOf(value).some((turn) => {
    const said = saidInTurn(turn, '')
    return !('reason' in said) && (said.thought.trim() !== '' || holdsThought(said.text))
  })

/** The columns of some rows. */
function columnsIn(rows: readonly Row[]): string[] {
  return [...new Set(rows.flatMap((row) => Object.keys(row)))]
}

/** The columns that a mapping names. */
export function columnNames(columns: GeneralColumns): string[] {
  return Object.values(columns).filter((column) => column !== undefined)
}

/** The columns of a mapping that some rows lack, of those without which none of them can be read. */
export function absentColumns(columns: GeneralColumns, rows: readonly Row[]): string[] {
  const needed = 'messages' in columns ? [columns.messages] : [columns.prompt, columns.answer]
  const seen = columnsIn(rows)
  return needed.filter((column) => !seen.includes(column))
}

/**
 * Checks a mapping that was configured against the first rows.
 * @throws PipelineError `config-invalid` with the missing columns
 */
export function checkColumns(columns: GeneralColumns, rows: readonly Row[], name: string): GeneralColumns {
  const seen = columnsIn(rows)
  const absent = columnNames(columns).filter((column) => !seen.includes(column))
  if (absent.length === 0) return columns
  throw new PipelineError('config-invalid', `${name} has no column ${absent.join(', ')}; it has ${seen.join(', ')}.`, {
    fix: `Use existing columns under sources.general, such as ${proposedColumns(rows)}`,
    evidence: {absent, seen},
  })
}
