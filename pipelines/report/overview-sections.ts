import {size} from '../../datasets/card/card-sections.ts'
import type {Config} from '../../datasets/schema/export.ts'
import {labels, meaningOf} from '../../datasets/schema/label.ts'
import type {ExecutorIdentity} from '../../datasets/schema/verdict.ts'
import {scoreTables} from '../../eval/scores/table.ts'
import type {Part, Section} from '../view/protocol.ts'
import {errorParts} from './error-parts.ts'
import type {ReportConfig, ReportInput, Tally} from './input.ts'
import {jobParts} from './job-parts.ts'

/** What the runs of a folder made, as the viewer and the report show it. */
export function sectionsOf(input: ReportInput): Section[] {
  const {configs, scores, errors, jobs} = input
  const sections: Section[] = [
    {title: 'Records', parts: configs.map(recordPart)},
    {title: 'Labels and verdicts', parts: verdictParts(input)},
    {title: 'Why candidates fail', parts: errors ? errorParts(errors) : []},
    {title: 'Training', parts: jobs.flatMap((job) => jobParts(job, input.manifest))},
    {title: 'Scores', parts: scores.flatMap(scoreParts)},
    {title: 'Licences', parts: configs.map(({config, licences}) => bars(config, licences))},
    {
      title: 'Files',
      parts: [tableOf({columns: ['what', 'where'], rows: input.paths.map((one) => [one.what, one.path])})],
    },
  ]
  return sections.filter(({parts}) => parts.length > 0)
}

type BarPart = Extract<Part, {kind: 'bars'}>
type TablePart = Extract<Part, {kind: 'table'}>

const bars = (title: string, tally: Tally, note = ''): BarPart => ({kind: 'bars', title, note, tally})

/** Columns of names, unless `names` says that fewer are. */
function tableOf(table: Partial<TablePart> & Pick<TablePart, 'columns' | 'rows'>): TablePart {
  return {kind: 'table', title: '', note: '', names: table.columns.length, ...table}
}

/** How the rows of a configuration are counted, and who wrote them. */
const told: {readonly [C in Config]: {rows: string; written?: string}} = {
  sft: {rows: 'Samples by kind', written: 'Written by'},
  dpo: {rows: 'Pairs by labels, chosen · rejected', written: 'Rejected sides by'},
  apis: {rows: 'Documented interfaces by kind'},
  errors: {rows: 'Failed candidates by class', written: 'Candidates by'},
  kto: {rows: 'Unpaired replies by label', written: 'Replies by'},
  optimisation: {rows: 'Pairs of faster and slower operators by step'},
}

function recordPart(config: ReportConfig): Part {
  const splits = config.splits.map(
    ({split, rows, files, bytes}) =>
      `${split}: ${rows} rows in ${files} ${files === 1 ? 'file' : 'files'}, ${size(bytes)}`,
  )
  return bars(told[config.config].rows, config.kinds, `${splits.join(' · ')}. ${teachers(config)}`)
}

function teachers({config, teachers: tally}: ReportConfig): string {
  const {written} = told[config]
  if (written === undefined) return 'Made by rules; no model wrote them.'
  const note = tally.some(([name]) => name === 'offline')
    ? ' Offline text is composed from computed facts; no model wrote it.'
    : ''
  return `${written} ${tally.map(([name, rows]) => `${name} ${rows}`).join(', ')}.${note}`
}

/** What the candidates of each label did, one sentence each. */
function labelTexts(tally: Tally): string[] {
  return labels.map((label) => {
    const {report, deeds} = meaningOf(label)
    const counted = deeds.map(({what, outcomes}) => {
      const fitting = tally.filter(([outcome]) => outcomes.some((one) => one === outcome))
      return `${what} (${fitting.reduce((sum, [, count]) => sum + count, 0)})`
    })
    const done = counted.join(', ').replace(/, (?=[^,]*$)/, ' or ')
    return `${label.replace(/^./, (first) => first.toUpperCase())}: ${report.replace('{deeds}', done)}.`
  })
}

const aboutTwin = [
  'The twin is a CPU emulation of the Ascend C device and host interfaces with strict checks.',
  'It is neither the CANN compiler nor an NPU: its verdicts are not hardware verdicts, and it measures no speed.',
].join(' ')

function verdictParts({candidates, executors}: ReportInput): Part[] {
  const parts: Part[] = []
  if (candidates) {
    const {labels: byLabel, outcomes, samplers, executors: byExecutor, total} = candidates
    const authors = samplers.map(([name, count]) => `${name} ${count}`).join(', ')
    const explained = [...labelTexts(outcomes), 'Labels are observed, never assumed.'].join(' ')
    parts.push(
      bars(`${total} candidates by label`, byLabel, explained),
      bars('Candidates by verdict', outcomes, `Authors: ${authors}.`),
    )
    if (executors.length > 1) parts.push(bars('Candidates by executor and label', byExecutor))
  }
  if (executors.length > 0) parts.push(executorTable(executors, 'Executors'))
  return parts
}

function scoreParts({run, lines, types}: ReportInput['scores'][number]): Part[] {
  if (lines.length === 0) return []
  const {tables, shares, executors} = scoreTables(lines, types)
  return [
    ...tables.map((table): Part => ({kind: 'table', ...table, title: `${run}: ${table.title}`})),
    ...shares.map(({author, failed, classes}) =>
      bars(
        `${run}: why code of ${author} does not compile`,
        classes.map((one) => [one.class, one.count] as const),
        `${failed} candidates, by the class of their first error.`,
      ),
    ),
    executorTable(executors, `${run}: executors`),
  ]
}

function executorTable(executors: readonly ExecutorIdentity[], title: string): TablePart {
  return tableOf({
    title,
    columns: ['name', 'compiler', 'SoC', 'fingerprint'],
    rows: executors.map(({name, compiler, soc, fingerprint}) => [name, compiler, soc, fingerprint]),
    note: executors.some(({name}) => name.startsWith('twin')) ? aboutTwin : '',
  })
}
