import type {Rate, RateScore, Score} from '../../datasets/schema/score.ts'

/** Tables and figures of the AscendKernelGen paper that a sweep can fill. */
export const paperTables = [
  'table-2',
  'table-3',
  'table-4',
  'figure-3',
  'figure-4',
  'figure-5a',
  'figure-5b',
  'figure-6',
] as const
export type PaperTable = (typeof paperTables)[number]

/** A row of a sweep with its results; one list of scores per scored seed. */
export interface ScoredRow {
  name: string
  /** States of its jobs, or `not scored` for a model that is not trained: shown while there are no scores. */
  state: string
  scores: readonly (readonly Score[])[]
  /** What the row changed, for tables that show it: Table 4. */
  settings: Readonly<Record<string, string>>
}

/** A table as text. The first `names` columns are names, the rest numbers. */
export interface FilledTable {
  title: string
  note: string
  columns: string[]
  names: number
  rows: string[][]
}

const dash = '–'
const percent = (value: number) => (100 * value).toFixed(2)

/** Mean over seeds, and the largest deviation from it if there are several. */
function meanOf(values: readonly number[]): string {
  if (values.length === 0) return dash
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const spread = Math.max(...values.map((value) => Math.abs(value - mean)))
  return values.length === 1 ? percent(mean) : `${percent(mean)} ± ${percent(spread)}`
}

type Measure = 'compilation' | 'execution'

/** Values of a row, one for each seed that has the k. `level` is '' for all tasks together. */
export function valuesOf(row: ScoredRow, level: string, measure: Measure, k: number): number[] {
  return row.scores.flatMap((scores) => {
    const found = scores.find(
      (score): score is RateScore =>
        score.kind === 'rates' && score.scope.by === (level === '' ? 'all' : 'level') && score.scope.name === level,
    )
    const rate = found?.[measure].find((one: Rate) => one.k === k)
    return rate ? [rate.value] : []
  })
}

/** Levels that any row was scored on, in order. */
export function levelsOf(rows: readonly ScoredRow[]): string[] {
  const names = rows.flatMap(({scores}) =>
    scores.flatMap((one) => one.flatMap(({scope}) => (scope.by === 'level' ? [scope.name] : []))),
  )
  return [...new Set(names)].sort((a, b) => Number(a) - Number(b))
}

const speedNote = 'No speedup: no executor here measures time.'
const rateNote = 'CR: it compiles and links; ER: fully correct by the hardened check; means over tasks of pass@k.'

/** Table 2: rows by training stage and level, CR and ER at k = 1, 10 and 100. */
export function table2(rows: readonly ScoredRow[]): FilledTable {
  const ks = [1, 10, 100]
  return {
    title: 'Table 2: base model, SFT, and SFT with preference learning',
    note: `${rateNote} A dash: fewer than k samples, or not scored yet. ${speedNote}`,
    columns: ['Model', 'Level', ...ks.flatMap((k) => [`Pass@${k} CR (%)`, `Pass@${k} ER (%)`])],
    names: 2,
    rows: byLevel(rows, ks),
  }
}

/** Table 3: full fine-tuning and LoRA, by level, at one attempt. */
export function table3(rows: readonly ScoredRow[]): FilledTable {
  return {
    title: 'Table 3: full fine-tuning and LoRA',
    note: `${rateNote} One attempt. ${speedNote}`,
    columns: ['Model', 'Level', 'Compile Rate (%)', 'Exec. Rate (%)'],
    names: 2,
    rows: byLevel(rows, [1]),
  }
}

function byLevel(rows: readonly ScoredRow[], ks: readonly number[]): string[][] {
  const levels = levelsOf(rows)
  return rows.flatMap((row) => {
    if (row.scores.length === 0) return [[row.name, row.state, ...ks.flatMap(() => [dash, dash])]]
    return [...levels, ''].map((level) => [
      row.name,
      level === '' ? 'Mean' : `Level ${level}`,
      ...ks.flatMap((k) => [
        meanOf(valuesOf(row, level, 'compilation', k)),
        meanOf(valuesOf(row, level, 'execution', k)),
      ]),
    ])
  })
}

const settingsOfTable4 = ['Negative Strategy', 'LR', 'LR Decay', 'Batch Size', 'Training Steps'] as const

/** Table 4: preference learning by kind of negatives and schedule, over all tasks at one attempt. */
export function table4(rows: readonly ScoredRow[]): FilledTable {
  return {
    title: 'Table 4: preference learning by negatives and schedule',
    note: `${rateNote} One attempt. The paper omits execution failures with a cosine schedule.`,
    columns: ['Run', ...settingsOfTable4, 'Compile Rate (%)', 'Exec. Rate (%)'],
    names: 6,
    rows: rows.map((row) => [
      row.name,
      ...settingsOfTable4.map((key) => row.settings[key] ?? dash),
      row.scores.length === 0 ? row.state : meanOf(valuesOf(row, '', 'compilation', 1)),
      meanOf(valuesOf(row, '', 'execution', 1)),
    ]),
  }
}
