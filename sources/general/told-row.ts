import type {GeneralColumns, GeneralFiles} from '../../datasets/schema/general.ts'
import {kindOf, saidIn, saidInTurn, textOf, type Said, type Unfit} from './cell-text.ts'
import {turnsIn, type Turn} from './turns.ts'

/** A question and its reply from a data set; `thought` if it is separate from the answer. */
export interface Told {
  prompt: string
  answer: string
  thought: string
}

type Choices = Pick<GeneralFiles, 'turns' | 'system'>

type Row = Readonly<Record<string, unknown>>
type CellColumns = Exclude<GeneralColumns, {messages: string}>

/** One row, with the columns of its parts. */
export function toldBy(columns: GeneralColumns, value: unknown, choices: Choices): Told | Unfit {
  if (typeof value !== 'object' || value === null) return {reason: 'not-an-object', detail: typeof value}
  const row = value as Row
  const beside = columns.reasoning === undefined ? '' : textOf(only(row[columns.reasoning]), columns.reasoning)
  if (typeof beside !== 'string') return beside
  const told = 'messages' in columns ? toldInTurns(row[columns.messages], choices) : toldInCells(columns, row, choices)
  return 'reason' in told || beside.trim() === '' ? told : {...told, thought: beside}
}

function toldInCells(columns: CellColumns, row: Row, choices: Choices): Told | Unfit {
  const prompt = asked(row[columns.prompt], columns.prompt, choices)
  if (typeof prompt !== 'string') return prompt
  const input = columns.input === undefined ? '' : textOf(row[columns.input], columns.input)
  if (typeof input !== 'string') return input
  const answer = answered(row[columns.answer], columns, row)
  if ('reason' in answer) return answer
  return {prompt: input.trim() === '' ? prompt : `${prompt}\n\n${input}`, answer: answer.text, thought: answer.thought}
}

/** A list of one is what it holds. */
const only = (value: unknown) => (isTextList(value) && value.length === 1 ? value[0] : value)

/** Whether a value is a list of texts. */
export const isTextList = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string')

/** An answer; of several, the first correct one. */
function answered(
  value: unknown,
  {verified, answer}: Pick<CellColumns, 'verified' | 'answer'>,
  row: Row,
): Said | Unfit {
  if (!isTextList(value) || (verified === undefined && value.length === 1)) return saidIn(only(value), answer)
  if (verified === undefined) {
    const detail = `${answer} is a list of ${value.length}; set \`verified\` to the column that marks correct ones`
    return {reason: 'several-answers', detail}
  }
  const verdicts = row[verified]
  const at = Array.isArray(verdicts) ? verdicts.findIndex(isRight) : -1
  if (at === -1)
    return {reason: 'no-verified-answer', detail: `${verified} calls none of ${value.length} answers right`}
  return saidIn(value[at], answer)
}

const isRight = (verdict: unknown) => verdict === true || verdict === 1 || verdict === 1n

/** A question: a text, or a list of turns as TRL keeps it, whose system turn precedes it. */
function asked(value: unknown, what: string, choices: Choices): string | Unfit {
  const turns = turnsIn(value)
  return turns ? askedInTurns(turns, choices.system !== 'leave-out') : textOf(value, what)
}

function askedInTurns(turns: readonly Turn[], withSystem: boolean): string | Unfit {
  const questions = turns.filter(({role}) => role !== 'system')
  if (questions.length > 1) return severalTurns(questions.length)
  if (questions.some(({role}) => role !== 'user'))
    return {reason: 'not-a-conversation', detail: 'a question was expected'}
  const texts: string[] = []
  for (const {role, content} of turns) {
    const text = textOf(content, role === 'user' ? 'prompt' : role)
    if (typeof text !== 'string') return text
    if (role === 'user' || withSystem) texts.push(text)
  }
  return texts.filter((text) => text.trim() !== '').join('\n\n')
}

/** One question and one answer of a list of turns; the first of several if requested. */
export function toldInTurns(value: unknown, choices: Choices = {}): Told | Unfit {
  const turns = turnsIn(value)
  if (!turns) return {reason: 'not-a-conversation', detail: `a list of turns was expected, seen ${kindOf(value)}`}
  const spoken = turns.filter(({role}) => role !== 'system')
  const [first, second, ...more] = spoken
  const isFirst = choices.turns === 'first'
  const strange = (isFirst ? spoken.slice(0, 2) : spoken).find(({role}) => role === 'other')
  if (strange) return {reason: 'turn-of-a-tool', detail: strange.name}
  if (more.length > 0 && !isFirst) return severalTurns(spoken.length)
  if (first?.role !== 'user' || second?.role !== 'assistant')
    return {reason: 'not-a-conversation', detail: 'a question and an answer were expected'}
  const before = turns.slice(0, turns.indexOf(first) + 1)
  const prompt = askedInTurns(before, choices.system === 'keep')
  if (typeof prompt !== 'string') return prompt
  const answer: Said | Unfit = saidInTurn(second, 'answer')
  return 'reason' in answer ? answer : {prompt, answer: answer.text, thought: answer.thought}
}

const severalTurns = (count: number): Unfit => ({reason: 'several-turns', detail: `${count} turns`})
