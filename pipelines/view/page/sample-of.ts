import {dividedReply} from '../../../datasets/parquet/reply-parts.ts'
import {filesOfTurn, parseFiles} from '../../../datasets/quoted-files.ts'
import type {Config} from '../../../datasets/schema/export.ts'
import type {SourceFile} from '../../../datasets/schema/operator.ts'
import type {Verdict} from '../../../datasets/schema/verdict.ts'

/** An answer, or one of two that are compared. */
export interface Side {
  title: string
  label: string
  /** Outcome and executor, in words. */
  found: string
  reasoning: string
  answer: string
  files: readonly SourceFile[]
  /** Null if the row only has its outcome. */
  verdict: Verdict | null
}

export interface Counterfactual {
  change: string
  path: string
  line: number
  before: string
  after: string
  outcome: string
  observed: string
  modelled_us: number | null
  otherwise_us: number | null
  /** Of the longer call that times are modelled for. */
  modelled_elements: number | null
}

export interface DecisionCells {
  topic: string
  situation: string
  subject: string
  facts: readonly string[]
  rules: readonly string[]
  arithmetic: readonly {name: string; expression: string; worked: string | null; result: number}[]
  counterfactuals: readonly Counterfactual[]
}

/** A row as the page shows it. */
export interface Sample {
  id: string
  prompt: string
  sides: readonly Side[]
  /** The code that a correction or an optimisation is about, by the paths of the answer's files. */
  wrong: readonly SourceFile[]
  decisions: readonly DecisionCells[]
  evidence: readonly string[]
  /** Facts about the row, by name. */
  facts: readonly (readonly [string, string])[]
  source: string
}

type Cells = Readonly<Record<string, unknown>>

export function sampleOf(config: Config, cells: Cells): Sample {
  const text = textIn(cells)
  const prompt = turn(cells['prompt'])
  const sides = sidesOf(config, cells)
  const paths = new Set(sides.flatMap(({files}) => files.map(({path}) => path)))
  const isChange = text('failed_outcome') !== '' || text('kind') === 'optimisation'
  const lines = text('first_line') && `:${text('first_line')}–${text('last_line')}`
  return {
    id: text('id'),
    prompt: prompt || subjectOf(config, cells),
    sides,
    wrong: isChange ? parseFiles(prompt).filter(({path}) => paths.has(path)) : [],
    decisions: (cells['decisions'] ?? []) as DecisionCells[],
    evidence: ((cells['evidence'] ?? []) as Record<string, string | null>[]).map(placeOf),
    facts: factsOf(cells),
    source: `${text('repository')} ${text('path')}${lines}`.trim(),
  }
}

const textIn = (cells: Cells) => (name: string) => String(cells[name] ?? '')

const turn = (cell: unknown) => ((cell ?? []) as {content: string}[]).map(({content}) => content).join('\n\n')

const placeOf = ({repository, path, lines}: Record<string, string | null>) =>
  `${repository} ${path}${lines ? `:${lines}` : ''}`

function sidesOf(config: Config, cells: Cells): Side[] {
  if (config === 'dpo' || config === 'optimisation')
    return [sideOf(cells, 'chosen', 'chosen_'), sideOf(cells, 'rejected', 'rejected_')]
  return cells['completion'] === undefined ? [] : [sideOf(cells, 'completion', '')]
}

function sideOf(cells: Cells, column: string, prefix: string): Side {
  const text = textIn(cells)
  const content = turn(cells[column])
  const [outcome, executor, modelled] = ['outcome', 'executor', 'modelled_us'].map((name) => text(`${prefix}${name}`))
  const time = modelled ? `, modelled ${modelled} µs${text('sizes') && ` for ${text('sizes')}`}` : ''
  return {
    title: column === 'completion' ? 'Answer' : column,
    label: text(`${prefix}label`) || (prefix === '' ? text('colour') : ''),
    found: outcome ? `${outcome} by ${executor}${time}` : '',
    ...dividedReply(content),
    files: filesOfTurn(content, cells[`${prefix}files`]),
    verdict: text(`${prefix}verdict`) === '' ? null : (JSON.parse(text(`${prefix}verdict`)) as Verdict),
  }
}

/** What a row without a conversation is about, in Markdown. */
function subjectOf(config: Config, cells: Cells): string {
  const text = textIn(cells)
  const code = (lines: string) => (lines === '' ? '' : `\`\`\`cpp\n${lines}\n\`\`\``)
  if (config === 'errors') {
    const place = text('file') && `\`${text('file')}:${text('line')}\``
    return [text('message'), place, code(text('code')), text('signature')].filter((part) => part !== '').join('\n\n')
  }
  const {prototypes = [], parameters = [], constraints = [], examples = []} = cells as unknown as Partial<ApiCells>
  const listed = parameters.map(({names, direction, meaning}) => `- \`${names}\` ${direction}: ${meaning.join(' ')}`)
  return [
    `# ${text('name')}`,
    text('purpose'),
    text('deprecated'),
    code(prototypes.map((one) => one.text).join('\n\n')),
    listed.join('\n'),
    constraints.map((one) => `- ${one}`).join('\n'),
    ...examples.map((one) => `${one.lead}\n\n${code(one.code)}`),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}

interface ApiCells {
  prototypes: {text: string}[]
  parameters: {names: string[]; direction: string; meaning: string[]}[]
  constraints: string[]
  examples: {lead: string; code: string}[]
}

/** Shown in places of their own, or only of use to programs. */
const elsewhere = /^(?:id|prompt|completion|chosen|rejected|path|repository|first_line|last_line)$|_verdict$|_cost$/

/** Short cells; lists are what other sections show. */
function factsOf(cells: Cells): [string, string][] {
  return Object.entries(cells).flatMap(([name, value]): [string, string][] => {
    if (value === null || value === undefined || value === '' || elsewhere.test(name)) return []
    if (typeof value === 'object') return []
    const text = String(value)
    return text.length > 300 ? [] : [[name, text]]
  })
}
