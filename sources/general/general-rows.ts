import {GeneralFiles, GeneralRow} from '../../datasets/schema/general.ts'
import type {Context, Stage} from '../../engine/stage.ts'
import type {Unfit} from './cell-text.ts'
import {columnNames} from './detect-columns.ts'
import {FileFault} from './file-fault.ts'
import type {FoundRow} from './found-row.ts'
import {partThought} from './part-thought.ts'
import {rowsOf} from './rows-of.ts'
import {toldBy, type Told} from './told-row.ts'

/** What a user can do about rows of a file that were all dropped for one reason. */
const remedies: Readonly<Record<string, string>> = {
  'several-turns':
    'To keep the first exchange of each, add `turns: first` next to its root or dataset in sources.general.',
  'no-reasoning': 'If another column holds the reasoning, name it with `columns` in sources.general.',
  'not-text': 'If other columns hold the texts, name them with `columns` in sources.general.',
  'several-answers': 'Give the column that marks correct ones with `columns: {…, verified: <column>}`.',
}

/**
 * Reads the rows of general data sets into one form: question, thought, answer, with the file and the row that they are
 * from. Files are read row by row, so memory does not grow with their size; a fault in one file does not affect the
 * others.
 */
export default function generalRows(): Stage<GeneralFiles, GeneralRow> {
  return {name: 'general-rows', version: 3, input: GeneralFiles, output: GeneralRow, run: readAll}
}

async function* readAll(sources: AsyncIterable<GeneralFiles>, context: Context): AsyncIterable<GeneralRow> {
  for await (const source of sources) {
    for (const {path, reason, detail} of source.refused ?? [])
      context.drop({origin: {...source.origin, path}}, reason, detail)
    for (const file of source.files) yield* rowsOfFile(source, file, context)
  }
}

type ListedFile = GeneralFiles['files'][number]

async function* rowsOfFile(source: GeneralFiles, file: ListedFile, context: Context): AsyncIterable<GeneralRow> {
  const dropped = new Map<string, number>()
  let kept = 0
  for await (const found of readable(source, file, context)) {
    const origin = {...source.origin, path: file.path, lines: [found.number, found.number] as [number, number]}
    const whole = wholeRow(source, file, found)
    if ('reason' in whole) {
      // The row itself stays in its file: its content may be why it was dropped.
      context.drop({origin}, whole.reason, `${file.path} row ${found.number}: ${whole.detail}`)
      dropped.set(whole.reason, (dropped.get(whole.reason) ?? 0) + 1)
      continue
    }
    kept += 1
    yield {...whole, origin, ...(source.model === undefined ? {} : {model: source.model})}
  }
  if (kept === 0 && dropped.size > 0) context.log.warn(allDropped(file.path, dropped))
}

/** The rows up to where the file can no longer be read. */
async function* readable({root, origin, columns}: GeneralFiles, file: ListedFile, context: Context) {
  let last = 0
  try {
    for await (const found of rowsOf(root, file, columnNames(file.columns ?? columns))) {
      last = found.number
      yield found
    }
  } catch (error) {
    if (!(error instanceof FileFault)) throw error
    const arrived = last === 0 ? 'no row of it' : `only its rows up to ${last}`
    const detail = `${file.path} ${error.message}; ${arrived} could be read`
    context.log.warn(`${detail}. ${error.fix}`)
    context.drop({origin: {...origin, path: file.path}}, error.reason, detail)
  }
}

function allDropped(path: string, dropped: ReadonlyMap<string, number>): string {
  const [main = ''] = [...dropped].sort((one, other) => other[1] - one[1])[0] ?? []
  const reasons = [...dropped].map(([reason, count]) => `${reason} ${count}`).join(', ')
  return `${path}: none of its rows was kept (${reasons}). ${remedies[main] ?? ''}`.trimEnd()
}

function wholeRow(source: GeneralFiles, file: ListedFile, found: FoundRow) {
  if ('fault' in found) return {reason: found.fault, detail: found.detail}
  const told = toldBy(file.columns ?? source.columns, found.value, source)
  return 'reason' in told ? told : parted(told)
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
    .replace(/^<\s*think(?:ing)?\s*>\s*/i, '')
    .replace(/\s*<\s*\/\s*think(?:ing)?\s*>$/i, '')
