import {
  table2,
  table3,
  table4,
  type FilledTable,
  type PaperTable,
  type ScoredRow,
  levelsOf,
  valuesOf,
} from './paper-tables.ts'
import {published} from './published.ts'
import {barChart} from '../../datasets/card/bar-chart.ts'
import type {FailureScore, Score} from '../../datasets/schema/score.ts'
import {compileClasses} from '../../datasets/schema/error-class.ts'

interface Filled {
  /** Ours first, followed by the paper's if it prints numbers. */
  tables: FilledTable[]
  figures: {name: string; svg: string}[]
}

/** The tables and figures that a sweep defines, from the scores so far. */
export function fill(shows: readonly PaperTable[], rows: readonly ScoredRow[]): Filled {
  const each = shows.map((name) => filled(name, rows))
  return {tables: each.flatMap(({tables}) => tables), figures: each.flatMap(({figures}) => figures)}
}

function filled(name: PaperTable, rows: readonly ScoredRow[]): Filled {
  switch (name) {
    case 'table-2':
      return {tables: [table2(rows), published[name]], figures: []}
    case 'table-3':
      return {tables: [table3(rows), published[name]], figures: []}
    case 'table-4':
      return {tables: [table4(rows), published[name]], figures: []}
    case 'figure-3':
      return {tables: [], figures: figure3(rows)}
    case 'figure-6':
      return {tables: [], figures: figure6(rows)}
    default:
      return {tables: [], figures: byLevelAndRow(name, rows)}
  }
}

const colours = ['#4477aa', '#ee6677', '#228833', '#ccbb44', '#66ccee', '#aa3377']

/** A picture as SVG, with the numbers in percent. The same scores give the same bytes. */
interface Figure {
  name: string
  svg: string
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
const hundredth = (value: number) => Math.round(value * 10_000) / 100

interface Bar {
  group: string
  series: string
  values: readonly number[]
}

/** One bar for each group and series that has a value; a series keeps its colour in all groups. */
function chart(title: string, bars: readonly Bar[]): string {
  const series = [...new Set(bars.map((bar) => bar.series))]
  const colourOf = (name: string) => colours[series.indexOf(name) % colours.length] ?? '#4477aa'
  const drawn = bars.filter(({values}) => values.length > 0)
  return barChart({
    title,
    bars: drawn.map(({group, series: name, values}) => ({
      name: group,
      parts: [{value: hundredth(mean(values)), colour: colourOf(name), name}],
    })),
  })
}

/** Figure 3: tasks that any row solved at least once, at one attempt. */
function figure3(rows: readonly ScoredRow[]): Figure[] {
  const tasks = [...new Set(rows.flatMap(({scores}) => scores.flatMap(tasksOf)))].sort()
  const bars = tasks.flatMap((task) =>
    rows.map((row) => ({group: task, series: row.name, values: row.scores.flatMap((one) => taskRate(one, task))})),
  )
  const solved = new Set(bars.filter(({values}) => values.some((value) => value > 0)).map(({group}) => group))
  return [
    {
      name: 'figure-3',
      svg: chart(
        'Pass@1 by task, % (tasks that any of them solved)',
        bars.filter(({group}) => solved.has(group)),
      ),
    },
  ]
}

function tasksOf(scores: readonly Score[]): string[] {
  return scores.flatMap(({kind, scope}) => (kind === 'rates' && scope.by === 'task' ? [scope.name] : []))
}

function taskRate(scores: readonly Score[], task: string): number[] {
  const found = scores.find(({kind, scope}) => kind === 'rates' && scope.by === 'task' && scope.name === task)
  const rate = found?.kind === 'rates' ? found.execution.find(({k}) => k === 1) : undefined
  return rate ? [rate.value] : []
}

/** Figures 4, 5a and 5b share a layout: compilation and execution at one attempt, by level, a bar for each row. */
function byLevelAndRow(name: 'figure-4' | 'figure-5a' | 'figure-5b', rows: readonly ScoredRow[]): Figure[] {
  const levels = levelsOf(rows)
  return (['compilation', 'execution'] as const).map((measure) => ({
    name: `${name}-${measure}`,
    svg: chart(
      `${titles[name]}: ${measure} rate at one attempt, %`,
      levels.flatMap((level) =>
        rows.map((row) => ({
          group: `Level ${level}`,
          series: row.name,
          values: valuesOf(row, level, measure, 1),
        })),
      ),
    ),
  }))
}

const titles = {
  'figure-4': 'By model size',
  'figure-5a': 'By composition of the data',
  'figure-5b': 'By share of the data',
}

/** Figure 6: of candidates that do not compile, the share of each class. */
function figure6(rows: readonly ScoredRow[]): Figure[] {
  const classes: readonly string[] = compileClasses
  const bars = rows.flatMap((row) => {
    const failures = row.scores.flatMap((scores) => scores.filter(isCompileFailure))
    const all = failures.reduce((sum, {count}) => sum + count, 0)
    return classes.map((group) => {
      const count = failures.reduce((sum, one) => sum + (one.class === group ? one.count : 0), 0)
      return {group, series: row.name, values: all === 0 ? [] : [count / all]}
    })
  })
  return [{name: 'figure-6', svg: chart('Why candidates do not compile, % of them', bars)}]
}

function isCompileFailure(score: Score): score is FailureScore {
  return (
    score.kind === 'failures' && score.scope.by === 'all' && (compileClasses as readonly string[]).includes(score.class)
  )
}
