import {compileClasses, type FailureScore, type Rate, type RateScore, type Score} from '../../datasets/schema/score.ts'
import type {ExecutorIdentity} from '../../datasets/schema/verdict.ts'
import {html, type Html} from './html.ts'
import {bars, number} from './tables.ts'

/** A table as text, ready for any of the three forms. The first `headings` columns are names, the rest numbers. */
export interface ScoreTable {
  title: string
  note: string
  columns: string[]
  names: number
  rows: string[][]
}

export interface ScoreTables {
  tables: ScoreTable[]
  /** Shares of the paper's six classes among candidates that do not compile, by author: Figure 6. */
  shares: {author: string; executor: string; failed: number; classes: {class: string; count: number; share: number}[]}[]
  executors: ExecutorIdentity[]
}

/**
 * Score lines → tables in the shape of the AscendKernelGen paper: Table 1 (compilation, and correctness of what compiled, by
 * simple and complex levels), Table 2 (CR and ER as pass@k by level), a table by category, failures by class, and the shares of Figure 6.
 */
export function scoreTables(scores: readonly Score[]): ScoreTables {
  const rates = scores.filter((score): score is RateScore => score.kind === 'rates')
  const failures = scores.filter((score): score is FailureScore => score.kind === 'failures' && score.scope.by === 'all')
  const executors = [...new Map(scores.map(({executor}) => [executor.fingerprint, executor])).values()]
  const naming = (score: Score) => (executors.length > 1 ? `${score.author} (${score.executor.name} ${score.executor.fingerprint})` : score.author)
  const byLevel = rates.filter(({scope}) => scope.by === 'level' || scope.by === 'all')
  return {
    tables: [
      firstTable(byLevel.filter(({scope}) => scope.by === 'level'), naming), rateTable('Pass@k by level', 'Level', byLevel, naming),
      rateTable('Pass@k by category', 'Category', rates.filter(({scope}) => scope.by === 'category'), naming),
      ...(failures.length > 0 ? [failureTable(failures, naming)] : []),
    ],
    shares: sharesOf(failures, naming), executors,
  }
}

const percent = (value: number) => (100 * value).toFixed(2)

const shareOf = (part: number, whole: number) => (whole === 0 ? '–' : percent(part / whole))

function firstTable(levels: readonly RateScore[], naming: (score: Score) => string): ScoreTable {
  const sums = new Map<string, {author: string; kind: string; judged: number; compiled: number; correct: number; literal: number}>()
  for (const score of levels) {
    const kind = score.scope.name === '1' ? 'L1 (simple)' : 'L2/L3 (complex)'
    const sum = sums.get(`${naming(score)}\n${kind}`) ?? {author: naming(score), kind, judged: 0, compiled: 0, correct: 0, literal: 0}
    sums.set(`${naming(score)}\n${kind}`, {...sum, judged: sum.judged + score.judged, compiled: sum.compiled + score.compiled, correct: sum.correct + score.correct, literal: sum.literal + score.literal})
  }
  return {
    title: 'Compilation, and correctness of what compiled',
    note: 'Shares of candidates, not means over tasks. A dash: nothing to take a share of.',
    columns: ['Model', 'Task type', 'Candidates', 'Compiled (%)', 'Correct of compiled (%)', 'Literally correct of compiled (%)'], names: 2,
    rows: [...sums.values()].map(({author, kind, judged, compiled, correct, literal}) =>
      [author, kind, String(judged), shareOf(compiled, judged), shareOf(correct, compiled), shareOf(literal, compiled)]),
  }
}

function rateTable(title: string, heading: string, scores: readonly RateScore[], naming: (score: Score) => string): ScoreTable {
  const ks = [...new Set(scores.flatMap(({compilation}) => compilation.map(({k}) => k)))].sort((a, b) => a - b)
  const timed = scores.some(({speedup}) => speedup !== undefined)
  const cellsAt = (score: RateScore, k: number) => [score.compilation, score.execution, score.literalExecution].map((list) => rateCell(list.find((rate) => rate.k === k)))
  const cutOff = scores.flatMap(({compilation}) => compilation).some(({unknownTasks}) => unknownTasks > 0)
  const notes = ['Means over tasks of unbiased pass@k, with Wilson 95 % intervals over tasks. CR: it compiles and links. ER: fully correct, by the hardened check and by the benchmark\'s own, literal rule. A dash: fewer than k candidates.']
  if (cutOff) notes.push('An asterisk: some tasks have fewer than k candidates and are not in the mean.')
  if (!timed) notes.push('No speedup: no executor here measures time.')
  return {
    title, note: notes.join(' '),
    columns: ['Model', heading, 'Tasks', 'Candidates', 'Not covered', ...ks.flatMap((k) => [`pass@${k} CR (%)`, `pass@${k} ER (%)`, `pass@${k} ER literal (%)`]), ...(timed ? ['Speedup (×)'] : [])], names: 2,
    rows: scores.map((score) => [
      naming(score), scopeName(score), String(score.tasks), String(score.judged), String(score.notCovered), ...ks.flatMap((k) => cellsAt(score, k)),
      ...(timed ? [score.speedup === undefined ? '–' : score.speedup.value.toFixed(2)] : []),
    ]),
  }
}

function failureTable(failures: readonly FailureScore[], naming: (score: Score) => string): ScoreTable {
  return {
    title: 'Failures by class', names: 3,
    note: 'Shares of all failed candidates; a candidate is in one class. The first six classes are those of code that does not compile.',
    columns: ['Model', 'Class', 'Rule', 'Candidates', 'Share (%)'],
    rows: failures.map((failure) => [naming(failure), failure.class, failure.rule, String(failure.count), percent(failure.share)]),
  }
}

function scopeName({scope: {by, name}}: RateScore): string {
  return by === 'all' ? 'Mean' : by === 'level' ? `Level ${name}` : name
}

function rateCell(rate: Rate | undefined): string {
  if (!rate) return '–'
  return `${percent(rate.value)}${rate.unknownTasks > 0 ? '*' : ''} [${(100 * rate.low).toFixed(1)}, ${(100 * rate.high).toFixed(1)}]`
}

function sharesOf(failures: readonly FailureScore[], naming: (score: Score) => string): ScoreTables['shares'] {
  const groups = new Map<string, FailureScore[]>()
  for (const failure of failures) {
    if (!(compileClasses as readonly string[]).includes(failure.class)) continue
    groups.set(naming(failure), [...(groups.get(naming(failure)) ?? []), failure])
  }
  return [...groups].map(([author, group]) => {
    const failed = group.reduce((sum, {count}) => sum + count, 0)
    const classes = group.map(({class: name, count}) => ({class: name as string, count, share: count / failed})).sort((a, b) => b.count - a.count)
    return {author, executor: group[0]?.executor.name ?? '', failed, classes}
  })
}

const caveat = 'Verdicts of the CPU twin are those of an emulation, not of an NPU.'

/** Markdown for a README or a model card. */
export function scoreMarkdown(scores: readonly Score[]): string {
  const {tables, shares, executors} = scoreTables(scores)
  const parts = tables.flatMap(({title, note, columns, names, rows}) => [
    `## ${title}`, '', line(columns), line(columns.map((_, index) => (index < names ? '---' : '---:'))), ...rows.map(line), '', note, '',
  ])
  for (const {author, failed, classes} of shares) {
    parts.push(`## Why code of ${author} does not compile`, '', '| class | candidates | share (%) |', '|---|---:|---:|', ...classes.map((one) => line([one.class, String(one.count), percent(one.share)])), '', `${failed} candidates, by the class of their first error.`, '')
  }
  parts.push('## Executors', '', ...executors.map(({name, compiler, soc, fingerprint}) => `- ${name}: ${compiler}, ${soc}, fingerprint \`${fingerprint}\``))
  if (executors.some(({name}) => name.startsWith('twin'))) parts.push('', caveat)
  return `${parts.join('\n')}\n`
}

function line(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
}

/** The tables with the score lines that they were made from. */
export function scoreJson(scores: readonly Score[]): string {
  return `${JSON.stringify({...scoreTables(scores), scores}, null, 2)}\n`
}

/** The interval below its value: beside it, three of them make a table too wide to read. */
function withInterval(cell: string): Html {
  const [value, interval] = cell.split(' [')
  return interval === undefined ? html`${value}` : html`${value}<br><small class="quiet">[${interval}</small>`
}

/** A section of the report. */
export function scoreSection(scores: readonly Score[], title = 'Scores'): Html {
  const {tables, shares, executors} = scoreTables(scores)
  if (scores.length === 0) return html`<section id="scores"><h2>${title}</h2><p>Nothing was scored.</p></section>`
  return html`<section id="scores">
<h2>${title}</h2>
${tables.map(({title, note, columns, names, rows}) => html`<h3>${title}</h3>
<div class="scroll"><table><tr>${columns.map((column, index) => html`<th class="${index < names ? '' : 'n'}">${column}</th>`)}</tr>
${rows.map((row) => html`<tr>${row.map((cell, index) => html`<td class="${index < names ? '' : 'n'}">${withInterval(cell)}</td>`)}</tr>
`)}</table></div>
<p class="quiet">${note}</p>`)}
<div class="columns">${shares.map(({author, failed, classes}) => html`<div><h3>Why code of ${author} does not compile</h3>${bars(classes.map((one) => [one.class, one.count]))}<p class="quiet">${number(failed)} candidates, by the class of their first error.</p></div>`)}</div>
<p class="quiet">${executors.map(({name, compiler, soc, fingerprint}) => `${name}: ${compiler}, ${soc}, ${fingerprint}`).join('; ')}.${executors.some(({name}) => name.startsWith('twin')) ? ` ${caveat}` : ''}</p>
</section>
`
}
