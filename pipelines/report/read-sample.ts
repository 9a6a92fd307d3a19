import {join} from 'node:path'
import {asyncBufferFromFile, parquetReadObjects} from 'hyparquet'
import {compressors} from 'hyparquet-compressors'
import {dividedReply} from '../../datasets/parquet/reply-parts.ts'
import type {Config} from '../../datasets/schema/export.ts'
import {Label} from '../../datasets/schema/label.ts'
import type {Artifact} from '../../datasets/schema/sample.ts'
import {Verdict, type ExecutorIdentity} from '../../datasets/schema/verdict.ts'
import {evidenceOf} from '../../eval/serve/evidence.ts'
import type {ReportSample} from './input.ts'

/** The position of a row in the data set. */
export interface Place {
  artifact: Artifact
  row: number
  id: string
}

/** Errors have a section of their own. */
type Shown = Exclude<Config, 'errors'>

export const isShown = ({kind, config}: Artifact) => kind === 'parquet' && config !== 'errors'
export const configOf = ({config}: Artifact) => config as Shown

interface Row {
  cells: Readonly<Record<string, unknown>>
  /** A cell as text; '' for null. */
  text(name: string): string
}

type Own = Pick<ReportSample, 'kind' | 'prompt' | 'sides' | 'author'>
type Executors = Map<string, ExecutorIdentity>

const readers: {readonly [C in Shown]: (row: Row, executors: Executors) => Own} = {
  sft: answered,
  dpo: preferred,
  apis: documented,
  kto: judgedReply,
  optimisation: quickened,
}

/** One row of the data set as the report shows it; adds the executor that judged it. */
export async function readSample(
  directory: string,
  {artifact, row}: Place,
  executors: Executors,
): Promise<ReportSample> {
  const file = await asyncBufferFromFile(join(directory, artifact.path))
  const [cells = {}] = await parquetReadObjects({file, compressors, rowStart: row, rowEnd: row + 1})
  const text = (name: string) => (cells[name] === null || cells[name] === undefined ? '' : String(cells[name]))
  const lines = text('first_line') && `:${text('first_line')}–${text('last_line')}`
  const config = configOf(artifact)
  return {
    id: text('id'),
    config,
    split: artifact.split === 'test' ? 'test' : 'train',
    source: `${text('repository')} ${text('path')}${lines}`,
    licence: text('licence'),
    ...readers[config]({cells, text}, executors),
  }
}

const turn = ({cells}: Row, column: string) => (cells[column] as {content: string}[])[0]?.content ?? ''
const promptOf = (row: Row) => turn(row, 'prompt')

function preferred(row: Row): Own {
  const {text, cells} = row
  const sides = (['chosen', 'rejected'] as const).map((side) => ({
    title: side,
    label: Label.parse(cells[`${side}_label`]),
    ...dividedReply(turn(row, side)),
    verdict: `${text(`${side}_outcome`)} by ${text(`${side}_executor`)}`,
    said: saidOf(Verdict.parse(JSON.parse(text(`${side}_verdict`)))),
  }))
  const author = `${text('chosen_sampler')} against ${text('rejected_sampler')}`
  return {kind: 'preference', prompt: promptOf(row), sides, author}
}

function answered(row: Row, executors: Executors): Own {
  const {text} = row
  const [name, fingerprint] = [text('executor'), text('executor_fingerprint')]
  const {compiler, soc} = {compiler: text('compiler'), soc: text('soc')}
  if (fingerprint !== '') executors.set(fingerprint, {name, compiler, soc, fingerprint})
  const verdict = name && `${text('outcome')} by ${name} (${compiler}, ${soc})`
  return {
    kind: text('kind'),
    prompt: promptOf(row),
    sides: [{title: 'answer', ...dividedReply(turn(row, 'completion')), verdict, said: []}],
    author: text('model') || text('teacher'),
  }
}

function judgedReply(row: Row): Own {
  const {text, cells} = row
  const answer = (cells['completion'] as {content: string}[])[0]?.content ?? ''
  const label = Label.parse(text('colour'))
  const verdict = `${text('outcome')} by ${text('executor')}`
  const title = cells['label'] === true ? 'to prefer' : 'not preferred'
  const sides = [{title, label, reasoning: '', answer, verdict, said: []}]
  return {kind: 'unpaired', prompt: promptOf(row), sides, author: text('sampler')}
}

function quickened(row: Row): Own {
  const {text, cells} = row
  const sides = (['chosen', 'rejected'] as const).map((side) => ({
    title: side,
    reasoning: '',
    answer: (cells[side] as {content: string}[])[0]?.content ?? '',
    verdict: `${text(`${side}_outcome`)} by ${text(`${side}_executor`)}, modelled ${text(`${side}_modelled_us`)} µs`,
    said: [],
  }))
  return {kind: 'optimisation', prompt: promptOf(row), sides, author: text('step')}
}

interface DocumentedCells {
  prototypes: {text: string}[]
  parameters: {names: string[]; direction: string; meaning: string[]}[]
  dtypes: string[]
  constraints: string[]
  examples: {lead: string; code: string; result: string | null}[]
  instead: string[]
}

/** Its declarations are the question, and the page's description is the answer. */
function documented({cells, text}: Row): Own {
  const {prototypes, parameters, dtypes, constraints, examples, instead} = cells as unknown as DocumentedCells
  const listed = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : [`**${title}**\n${lines.map((line) => `- ${line}`).join('\n')}`]
  const answer = [
    text('purpose'),
    ...listed('deprecated', text('deprecated') === '' ? [] : [text('deprecated'), ...instead]),
    ...listed('parameters', parameters.map(parameterLine)),
    ...listed('element types', dtypes.length === 0 ? [] : [`${dtypes.join(', ')} (${text('product')})`]),
    ...listed('constraints', constraints),
    ...listed('pipe', text('pipe') === '' ? [] : [text('pipe')]),
    ...examples.map(({lead, code, result}) => [lead, fenced(code), result ?? ''].filter(Boolean).join('\n')),
  ]
  return {
    kind: 'interface',
    prompt: `${text('name')} (${text('kind')})\n${fenced(prototypes.map((one) => one.text).join('\n\n'))}`,
    sides: [{title: 'interface', reasoning: '', answer: answer.filter(Boolean).join('\n\n'), verdict: '', said: []}],
    author: `page ${text('page')}`,
  }
}

const parameterLine = ({names, direction, meaning}: DocumentedCells['parameters'][number]) =>
  `\`${names.join(', ')}\`${direction === '' ? '' : ` (${direction})`}: ${meaning.join(' ')}`

const fenced = (code: string) => `\`\`\`cpp\n${code}\n\`\`\`\n`

/** What a verdict shows about a failure: compiler errors with their lines, a rule and its fix, wrong numbers. */
function saidOf(verdict: Verdict): string[] {
  const {errors = [], case: at, message, fix, wrong, log} = evidenceOf(verdict)
  const place = at === undefined ? '' : `case ${at}: `
  return [
    ...new Set(errors.map(({file, line, message: error}) => `${file}:${line}: ${error}`)),
    ...[message, wrong].flatMap((text) => (text === undefined ? [] : [`${place}${text}`])),
    ...[fix, log].flatMap((text) => (text ? [text] : [])),
  ]
}
