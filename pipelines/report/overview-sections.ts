import {size} from '../../datasets/card/card-sections.ts'
import type {Config} from '../../datasets/schema/export.ts'
import {labels, meaningOf} from '../../datasets/schema/label.ts'
import type {ExecutorIdentity} from '../../datasets/schema/verdict.ts'
import {scoreTables} from '../../eval/scores/table.ts'
import type {Part, Section} from '../view/protocol.ts'
import type {ReportConfig, ReportInput, Tally, ReportJob, ErrorExample, FailureGroup, ReportErrors} from './input.ts'
import {compileClasses, errorClasses, type ErrorClass} from '../../datasets/schema/error-class.ts'
import {judgeRules} from '../../eval/rules.ts'

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

/**
 * A training job with its inputs and its result, and its losses by step.
 * @param manifest SHA-256 of the manifest of the data set of this folder; null without one
 */
export function jobParts({record, progress, scores, sources}: ReportJob, manifest: string | null): Part[] {
  const {id, method, engine, backend, versions, base, attempts, arithmetic} = record
  const last = progress.at(-1)
  const attempt = attempts.at(-1)
  const named = Object.entries(versions).map(([name, version]) => `${name} ${version}`)
  const facts = [
    [
      attempt?.state ?? 'not started',
      ...(last ? [`${last.step} of ${arithmetic.steps} steps`, lossOf(last)] : []),
    ].join(' · '),
    ...(attempts.length > 1 ? [`${attempts.length} attempts`] : []),
    `${method} by ${engine} on ${backend}${named.length > 0 ? ` (${named.join(', ')})` : ''}`,
    `from ${baseOf(base)}`,
    `on ${dataOf(record.data, manifest)}`,
    ...sources.map(({repository, revision, licence, rows}) => {
      const at = revision === '' ? '' : ` at ${revision.slice(0, 12)}`
      return `  ${repository}${at}, ${licence}: ${rows} rows`
    }),
    ...scores.map((run) => `scored in ${run}`),
    ...(attempt && attempt.detail !== '' ? [attempt.detail] : []),
  ]
  const text: Part = {kind: 'text', title: id, text: facts.join('\n')}
  const losses = progress.flatMap(({loss}) => loss ?? [])
  if (losses.length < 2) return [text]
  const points = thinned(progress).map(({step, loss}): [number, number | null] => [step, loss])
  const [high, low] = [Math.max(...losses), Math.min(...losses)].map((loss) => loss.toPrecision(4))
  const steps = progress.map(({step}) => step)
  const note = `Loss from step ${Math.min(...steps)} to ${Math.max(...steps)}: highest ${high}, lowest ${low}.`
  return [text, {kind: 'curve', title: `${id}: loss by step`, note, lines: [{name: 'loss', points}]}]
}

const lossOf = ({loss}: ReportJob['progress'][number]) => `loss ${loss === null ? 'not a number' : loss.toPrecision(4)}`

function baseOf({name, revision, job}: ReportJob['record']['base']): string {
  const at = revision === null ? '' : ` at ${revision.slice(0, 12)}`
  return job === null ? `the model ${name}${at}` : `the model of job ${job}`
}

function dataOf({config, split, rows, source, sha256, manifest}: ReportJob['record']['data'], here: string | null) {
  const which =
    manifest !== null && manifest === here
      ? 'the data set of this report'
      : `the data set ${source}${manifest === null ? '' : `, manifest ${manifest.slice(0, 12)}`}`
  return `${rows} rows of ${config}, ${split}, of ${which} (rows ${sha256.slice(0, 12)})`
}

const mostPoints = 280

/** Every n-th point, the last included: a picture shows no more. */
function thinned<T>(points: readonly T[]): T[] {
  const every = Math.ceil(points.length / mostPoints)
  return points.filter((_, at) => at % every === 0 || at === points.length - 1)
}

/** Per cent of about 4,000 failed kernels: section 5.5 of the AscendKernelGen paper, which does not state macros. */
const paper: Partial<Record<ErrorClass, string>> = {
  'api-signature-and-overload': '51.9',
  'data-type-and-conversion': '19.8',
  'variable-scope-and-lifetime': '16.4',
  'memory-and-object-usage': '8.1',
  'syntax-and-structure': '3.7',
  'macro-and-preprocessing': '–',
}

const isCompileClass = (name: ErrorClass) => compileClasses.some((one) => one === name)
const isRunTime = (name: ErrorClass) => !isCompileClass(name)

/** Why candidates failed: by class next to the paper's shares, by rule, and with the original messages. */
const errorParts = ({groups, examples}: ReportErrors): Part[] => [
  ...tableOfKinds(groups, isCompileClass),
  ...tableOfKinds(groups, isRunTime),
  ...byClass(examples),
]

const countOf = ({failures}: FailureGroup, fits: (one: FailureGroup['failures'][number]) => boolean) =>
  failures.reduce((sum, one) => sum + (fits(one) ? one.count : 0), 0)

const nameOf = ({run, author}: FailureGroup) => (run === 'candidates' ? author : `${author}, ${run}`)

/** Failures by class; those of rules and cheats by which one, the most frequent first. */
function tableOfKinds(groups: readonly FailureGroup[], counts: (name: ErrorClass) => boolean): Part[] {
  const failed = groups.filter((group) => countOf(group, (one) => counts(one.class)) > 0)
  if (failed.length === 0) return []
  const kinds = new Map<string, Kind>()
  if (counts === isCompileClass)
    for (const name of Object.keys(paper) as ErrorClass[]) kinds.set(`${name} `, {class: name, rule: '', count: 0})
  for (const {class: name, rule, count} of failed.flatMap(({failures}) => failures)) {
    const known = kinds.get(`${name} ${rule}`)?.count ?? 0
    if (counts(name)) kinds.set(`${name} ${rule}`, {class: name, rule, count: known + count})
  }
  const rank = (kind: Kind) => errorClasses.indexOf(kind.class)
  const order = [...kinds.values()].sort((a, b) => rank(a) - rank(b) || b.count - a.count || (a.rule < b.rule ? -1 : 1))
  const rows = order.map((kind) => {
    const shares = failed.map((group) => share(group, counts, kind))
    return [kind.class, counts === isCompileClass ? (paper[kind.class] ?? '–') : kind.rule, ...shares]
  })
  const columns = failed.map(nameOf)
  if (counts === isCompileClass) {
    const title = 'Code that does not compile, by the class of its first error'
    return [{kind: 'table', title, note: aboutPaper, columns: ['class', 'paper', ...columns], names: 1, rows}]
  }
  const title = 'Code that compiles and fails, by outcome and rule'
  return [{kind: 'table', title, note: aboutRest, columns: ['outcome', 'rule', ...columns], names: 2, rows}]
}

interface Kind {
  class: ErrorClass
  rule: string
  count: number
}

function share(group: FailureGroup, counts: (name: ErrorClass) => boolean, kind: Kind): string {
  const count = countOf(group, (one) => one.class === kind.class && one.rule === kind.rule)
  return count === 0 ? '–' : `${((100 * count) / countOf(group, (one) => counts(one.class))).toFixed(1)} (${count})`
}

const aboutPaper = [
  'Percentage of those that did not compile, and their number. Classes and column “paper”: Appendix C and Figure 6 of',
  'the AscendKernelGen paper, about 4,000 failed kernels of models; its text does not state macros.',
].join(' ')
const aboutRest = 'Percentage of those that compiled and failed, and their number, including replies without code.'

/** A part for each class or rule: what it means, and its most frequent kinds. */
function byClass(examples: readonly ErrorExample[]): Part[] {
  const groups = new Map<string, ErrorExample[]>()
  for (const example of examples) {
    const name = example.rule === '' ? example.class : `${example.class}: ${example.rule}`
    groups.set(name, [...(groups.get(name) ?? []), example])
  }
  return [...groups].map(([name, kinds]): Part => {
    const count = kinds.reduce((sum, kind) => sum + kind.count, 0)
    const rule = judgeRules.named(kinds[0]?.rule ?? '')
    const means = rule ? [`${rule.means} Typical cause: ${rule.cause}`] : []
    return {kind: 'text', title: `${name}, ${count}`, text: [...means, ...kinds.map(exampleText)].join('\n\n')}
  })
}

/** The kind, then one of its candidates: message, place and line. */
function exampleText({signature, api, count, task, author, outcome, error}: ErrorExample): string {
  const {message, file, line, code} = error
  const about = [api, `${count} ${count === 1 ? 'candidate' : 'candidates'}`].filter((text) => text !== '')
  const place = file === '' ? outcome : `${file}:${line}`
  return [
    `**${signature === '' ? outcome : signature}** ${about.join(' · ')}`,
    message,
    `${task}, by ${author}: ${place}`,
    code === '' ? '' : `\`\`\`cpp\n${code.trim()}\n\`\`\``,
  ]
    .filter((text) => text !== '')
    .join('\n\n')
}
