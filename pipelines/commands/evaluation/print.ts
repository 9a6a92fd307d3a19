import {counted} from '../../../engine/counted.ts'
import {scoreTables, type ScoreTable} from '../../../eval/scores/table.ts'
import {table, wrapped} from '../text-table.ts'
import type {Terminal} from '../terminal.ts'
import type {Result} from './results.ts'
import {notesOf, type Summary} from './summary.ts'

export interface Cost {
  seconds: number
  /** Total of this process and its descendants; 0 if the system does not report it. */
  peakBytes: number
}

/** Tables and conditions of an evaluation as text. */
export function printSummary(summary: Summary, terminal: Terminal): void {
  const {sampling, results, scores, exceptions} = summary
  if (sampling.kind === 'answers') terminal.print(`\n${countTable(results, terminal.width)}`)
  else {
    printTables(scoreTables(scores, summary.benchmark.taskTypes).tables, terminal)
    printReasons(results, terminal)
  }
  if (exceptions && exceptions.length > 0) {
    const rows = exceptions.map(({task, outcome, fault, why}) => [task, outcome, fault, shortened(why)])
    terminal.print(`\nNot correct:\n${table(['task', 'outcome', 'at fault', 'seen'], rows, terminal.width)}`)
    for (const {task, fault, proof} of exceptions.filter((one) => one.proof !== ''))
      terminal.print(`  ${task} (${fault}): ${proof}`)
  }
  terminal.print('')
  for (const note of notesOf(summary)) terminal.print(note)
}

const reasonsShown = 5

/** The most frequent classes of failures, each with the first candidate of it. */
function printReasons(results: readonly Result[], terminal: Terminal): void {
  const failed = results.filter((one) => one.class !== '')
  if (failed.length === 0) return
  const frequent = [...grouped(failed, (one) => one.class)].sort(([, a], [, b]) => b.length - a.length)
  const rows = frequent.slice(0, reasonsShown).map(([name, members]) => [name, members.length, exampleOf(members)])
  const left = frequent.length - rows.length
  const more = left > 0 ? `${counted(left, 'more class', 'more classes')}, and the reason` : 'The reason'
  terminal.print(`\nWhy candidates failed:\n${table(['class', 'candidates', 'example'], rows, terminal.width)}`)
  terminal.print(wrapped(`${more} of every candidate is in score.json (results[].why).`, 2, terminal.width ?? Infinity))
}

function exampleOf([first]: readonly Result[]): string {
  if (first === undefined) return ''
  const {task, attempt, why} = first
  return `${attempt === '' ? task : `${task}, ${attempt}`}: ${shortened(why)}`
}

/** `took 512.3 s; peak memory 1.4 GiB, child processes included` */
export function costLine({seconds, peakBytes}: Cost): string {
  const memory =
    peakBytes === 0 ? '' : `; peak memory ${(peakBytes / 2 ** 30).toFixed(2)} GiB, child processes included`
  return `took ${seconds.toFixed(1)} s${memory}`
}

function countTable(results: readonly Result[], width: number | undefined): string {
  const judged = results.filter(({outcome}) => outcome !== 'not-judged')
  const groups = grouped(judged, ({level, category}) => `${level} ${category}`)
  const counts = (members: readonly Result[]) => [
    members.length,
    ...(['compiled', 'literal', 'hardened'] as const).map((field) => members.filter((one) => one[field]).length),
  ]
  const rows = [...groups.values()].map((members) => [...placeOf(members), ...counts(members)])
  return table(
    ['level', 'category', 'judged', 'compiled', 'literal', 'hardened'],
    [...rows, ['', 'all', ...counts(judged)]],
    width,
  )
}

function grouped(results: readonly Result[], keyOf: (result: Result) => string): Map<string, Result[]> {
  const groups = new Map<string, Result[]>()
  for (const result of results) groups.set(keyOf(result), [...(groups.get(keyOf(result)) ?? []), result])
  return groups
}

const placeOf = ([first]: readonly Result[]) => [String(first?.level), first?.category ?? '']

/**
 * Intervals appear only in the files: a terminal is too narrow for them. A note on several tables is printed below the
 * last.
 */
function printTables(tables: readonly ScoreTable[], terminal: Terminal): void {
  for (const [at, {title, note, columns, names, rows}] of tables.entries()) {
    const cells = rows.map((row) => row.map((cell, index) => (index < names ? cell : cell.replace(/ \[.*\]$/, ''))))
    terminal.print(`\n${title}\n${table(columns, cells, terminal.width, names)}`)
    if (note !== tables[at + 1]?.note) terminal.print(note.replace(', with Wilson 95 % intervals over tasks', ''))
  }
}

const shortened = (text: string) => (text.length > 240 ? `${text.slice(0, 240)}…` : text)
