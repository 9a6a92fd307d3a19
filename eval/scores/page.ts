import type {Score} from '../../datasets/schema/score.ts'
import {html, type Html} from './markup.ts'
import {htmlPage} from './document.ts'
import {percent, scoreTables, type ScoreTable, type ScoreTables, type TaskType} from './table.ts'
import {bars, number} from './marks.ts'

/** The data shown for one evaluation. */
export interface ScorePage {
  title: string
  /** Its conditions: the request, how much was judged, what was skipped. */
  notes: readonly string[]
  scores: readonly Score[]
  /** Of the first table, see `scoreTables`. */
  types?: readonly TaskType[]
  /** Candidates that should be correct and are not; absent if nothing is expected. */
  exceptions?: readonly ExceptionRow[]
}

export interface ExceptionRow {
  task: string
  outcome: string
  /** `answer`, `reference` or `wiring` if known to be at fault, otherwise `unexplained`. */
  fault: string
  /** The explanation; '' if unexplained. */
  proof: string
  why: string
}

const caveat = 'The CPU twin is an emulation: its verdicts are not those of an NPU.'
const confirming = 'judged again what the other executor found correct, and had the last word'
const exceptionColumns = ['Task', 'Outcome', 'At fault', 'Seen', 'Proof']
const exceptionCells = ({task, outcome, fault, why, proof}: ExceptionRow) => [task, outcome, fault, why, proof]

/** Markdown for a README or a model card. */
export function scoreMarkdown({title, notes, scores, types, exceptions = []}: ScorePage): string {
  const {tables, shares, executors} = scoreTables(scores, types)
  const parts = [`# ${title}`, '', ...notes.map((note) => `- ${note}`), '']
  for (const {title: heading, note, columns, names, rows} of tables)
    parts.push(`## ${heading}`, '', ...markdownTable(columns, rows, names), '', note, '')
  for (const {author, failed, classes} of shares) {
    const rows = classes.map((one) => [one.class, String(one.count), percent(one.share)])
    parts.push(
      `## Why code of ${author} does not compile`,
      '',
      ...markdownTable(['class', 'candidates', 'share (%)'], rows, 1),
      '',
      `${failed} candidates, by the class of their first error.`,
      '',
    )
  }
  if (exceptions.length > 0)
    parts.push('## Not correct', '', ...markdownTable(exceptionColumns, exceptions.map(exceptionCells)), '')
  parts.push(
    '## Executors',
    '',
    ...executors.map(
      ({name, compiler, soc, fingerprint, confirms}) =>
        `- ${name}: ${compiler}, ${soc}, fingerprint \`${fingerprint}\`${confirms ? `; ${confirming}` : ''}`,
    ),
  )
  if (executors.some(({name}) => name.startsWith('twin'))) parts.push('', caveat)
  return `${parts.join('\n')}\n`
}

interface TablePage extends Pick<ScorePage, 'title' | 'notes'> {
  tables: readonly ScoreTable[]
}

/** Standalone tables, as Markdown. */
export function tablesMarkdown({title, notes, tables}: TablePage): string {
  const parts = tables.flatMap(({title: heading, note, columns, names, rows}) => [
    `## ${heading}`,
    '',
    ...markdownTable(columns, rows, names),
    '',
    note,
    '',
  ])
  return [`# ${title}`, '', ...notes.map((note) => `- ${note}`), '', ...parts].join('\n')
}

/** The same as a page. */
export function tablesHtml({title, notes, tables}: TablePage): string {
  const header = html`<header>
<h1>${title}</h1>
<ul>${notes.map((note) => html`<li>${note}</li>`)}</ul>
</header>
`
  return htmlPage(title, [header, html`<section id="scores">${tables.map(tablePart)}</section>\n`])
}

/** The first `names` columns are words, the rest numbers. */
export function markdownTable(
  columns: readonly string[],
  rows: readonly (readonly string[])[],
  names = columns.length,
): string[] {
  return [line(columns), line(columns.map((_, index) => (index < names ? '---' : '---:'))), ...rows.map(line)]
}

function line(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`
}

/** A standalone page. */
export function scoreHtml({title, notes, scores, types, exceptions = []}: ScorePage): string {
  const body = [
    html`<header>
<h1>${title}</h1>
<ul>${notes.map((note) => html`<li>${note}</li>`)}</ul>
</header>
`,
    html`<section id="scores">${scoreParts(scores, types)}</section>
`,
  ]
  if (exceptions.length > 0) body.push(exceptionSection(exceptions))
  return htmlPage(title, body)
}

function exceptionSection(exceptions: readonly ExceptionRow[]): Html {
  const heads = exceptionColumns.map((column) => html`<th>${column}</th>`)
  const cell = (text: string, index: number) => html`<td class="${index > 2 ? 'wide' : ''}">${text}</td>`
  return html`<section id="exceptions">
<h2>Not correct</h2>
<div class="scroll"><table><tr>${heads}</tr>
${exceptions.map((row) => html`<tr>${exceptionCells(row).map(cell)}</tr>\n`)}</table></div>
</section>
`
}

/** Scores of one evaluation, as a part of a page. */
function scoreParts(scores: readonly Score[], types: readonly TaskType[] | undefined): Html {
  if (scores.length === 0) return html`<p>Nothing was scored.</p>`
  const {tables, shares, executors} = scoreTables(scores, types)
  return html`${tables.map(tablePart)}
<div class="columns">${shares.map(sharePart)}</div>
${executorPart(executors)}
`
}

/** A table with its title and note, as a part of a page. */
export function tablePart(table: ScoreTable): Html {
  const {title, note, names, rows} = table
  const line = (row: readonly string[], at: number) =>
    html`<tr>${row.map((cell, index) => {
      const isRepeated = index === 0 && cell === rows[at - 1]?.[0]
      return html`<td class="${index < names ? '' : 'n'}">${isRepeated ? '' : withInterval(cell)}</td>`
    })}</tr>\n`
  return html`<h3>${title}</h3>
<div class="scroll"><table class="scores">${heading(table)}
${rows.map(line)}</table></div>
<p class="quiet">${note}</p>`
}

function sharePart({author, failed, classes}: ScoreTables['shares'][number]): Html {
  const counts = classes.map((one) => [one.class, one.count] as const)
  const note = `${number(failed)} candidates, by the class of their first error.`
  return html`<div><h3>Why code of ${author} does not compile</h3>${bars(counts)}<p class="quiet">${note}</p></div>`
}

function executorPart(executors: ScoreTables['executors']): Html {
  const named = executors.map(
    ({name, compiler, soc, fingerprint, confirms}) =>
      `${name}: ${compiler}, ${soc}, ${fingerprint}${confirms ? ` (${confirming})` : ''}`,
  )
  const isTwin = executors.some(({name}) => name.startsWith('twin'))
  return html`<p class="quiet">${named.join('; ')}.${isTwin ? ` ${caveat}` : ''}</p>`
}

/** `pass@10 CR (%)` becomes CR below pass@10: nine columns with such names are wider than a page. */
function heading({columns, names}: ScoreTable): Html {
  const parts = columns.map((column) => /^(pass@\d+) (.+) \(%\)$/.exec(column))
  const cell = (text: string, index: number) => html`<th class="${index < names ? '' : 'n'}">${text}</th>`
  if (parts.every((part) => !part)) return html`<tr>${columns.map(cell)}</tr>`
  const group = (index: number) => parts[index]?.[1]
  const widthFrom = (index: number) => columns.slice(index).findIndex((_, next) => group(index + next) !== group(index))
  const groups = columns.map((_, index) => {
    if (group(index) === undefined) return html`<th></th>`
    if (group(index) === group(index - 1)) return html``
    const width = widthFrom(index)
    return html`<th class="group" colspan="${width < 0 ? columns.length - index : width}">${group(index)} (%)</th>`
  })
  return html`<tr>${groups}</tr><tr>${columns.map((column, index) => cell(parts[index]?.[2] ?? column, index))}</tr>`
}

/** The interval goes below its value: next to it, three of them would make the table too wide. */
function withInterval(cell: string): Html {
  const [value, interval] = cell.split(' [')
  return interval === undefined ? html`${value}` : html`${value}<br><small class="quiet">[${interval}</small>`
}
