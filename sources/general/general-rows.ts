import {GeneralFiles, GeneralRow, type GeneralColumns} from '../../datasets/schema/general.ts'
import type {Context, Stage} from '../../engine/stage.ts'
import {columnNames} from './detect-columns.ts'
import {partThought} from './part-thought.ts'
import {rowsOf} from './rows-of.ts'
import {textOf, toldInTurns, type Told, type Unfit} from './turns.ts'

/**
 * Reads the rows of general data sets into one form: question, thought, answer, with the file and the row that they are
 * from. Files are read as rows are taken, so that memory does not grow with them.
 */
export default function generalRows(): Stage<GeneralFiles, GeneralRow> {
  return {name: 'general-rows', version: 2, input: GeneralFiles, output: GeneralRow, run: readAll}
}

async function* readAll(sources: AsyncIterable<GeneralFiles>, context: Context): AsyncIterable<GeneralRow> {
  for await (const source of sources) {
    const columns = columnNames(source.columns)
    for (const file of source.files) {
      for await (const found of rowsOf(source.root, file, columns)) {
        const origin = {...source.origin, path: file.path, lines: [found.number, found.number] as [number, number]}
        const told =
          'fault' in found ? {reason: found.fault, detail: found.detail} : toldBy(source.columns, found.value)
        const whole = 'reason' in told ? told : parted(told)
        if ('reason' in whole) {
          // The row itself stays in its file: it may be the reason why it cannot be kept.
          context.drop({origin}, whole.reason, `${file.path} row ${found.number}: ${whole.detail}`)
          continue
        }
        yield {...whole, origin, ...(source.model === undefined ? {} : {model: source.model})}
      }
    }
  }
}

function toldBy(columns: GeneralColumns, value: unknown): Told | Unfit {
  if (typeof value !== 'object' || value === null) return {reason: 'not-an-object', detail: typeof value}
  const row = value as Readonly<Record<string, unknown>>
  if ('messages' in columns) return toldInTurns(row[columns.messages])
  const texts: string[] = []
  for (const column of [columns.prompt, columns.input, columns.answer, columns.reasoning]) {
    const text = column === undefined ? '' : textOf(row[column], column)
    if (typeof text !== 'string') return text
    texts.push(text)
  }
  const [prompt = '', input = '', answer = '', thought = ''] = texts
  return {prompt: input.trim() === '' ? prompt : `${prompt}\n\n${input}`, answer, thought}
}

function parted({prompt, answer, thought}: Told): Pick<GeneralRow, 'prompt' | 'reasoning' | 'answer'> | Unfit {
  if (prompt.trim() === '') return {reason: 'empty-prompt', detail: 'nothing is asked'}
  if (answer.trim() === '') return {reason: 'empty-answer', detail: 'nothing is answered'}
  // Taken apart, the thought may still carry its tags.
  const own = thought.trim() === '' ? thought : bare(thought)
  const both = partThought(answer, own)
  if (both.reasoning.trim() === '') return {reason: 'no-reasoning', detail: 'nothing is thought before the answer'}
  if (both.answer.trim() === '') return {reason: 'empty-answer', detail: 'nothing stands behind the thought'}
  return {prompt: prompt.trim(), reasoning: both.reasoning, answer: both.answer}
}

const bare = (thought: string) =>
  thought
    .trim()
    .replace(/^<think>\s*/, '')
    .replace(/\s*<\/think>$/, '')
