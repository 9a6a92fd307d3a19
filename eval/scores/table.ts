import {compileClasses} from '../../datasets/schema/error-class.ts'
import type {FailureScore, Rate, RateScore, Score} from '../../datasets/schema/score.ts'
import type {ExecutorIdentity} from '../../datasets/schema/verdict.ts'

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
  /** `confirms`: it judged again what another found correct. */
  executors: (ExecutorIdentity & {confirms?: true})[]
}

/** A kind of tasks in the first table, and the levels that it includes. */
export interface TaskType {
  name: string
  levels: readonly number[]
}

/**
 * Score lines → tables in the shape of the AscendKernelGen paper: Table 1 (compilation, and correctness of what
 * compiled, by task type), Table 2 (CR and ER as pass@k by level), a table by category, failures by class, and the
 * shares of Figure 6.
 * @param types of the first table; a level in none of them is its own type
 */
export function scoreTables(scores: readonly Score[], types: readonly TaskType[] = []): ScoreTables {
  const rates = scores.filter((score): score is RateScore => score.kind === 'rates')
  const failures = scores.filter(
    (score): score is FailureScore => score.kind === 'failures' && score.scope.by === 'all',
  )
  const [first, second] = (['executor', 'confirmedBy'] as const).map((role) => [
    ...new Map(scores.flatMap(({[role]: one}) => (one ? [[one.fingerprint, one] as const] : []))).values(),
  ]) as [ExecutorIdentity[], ExecutorIdentity[]]
  const naming = (score: Score) =>
    first.length > 1 ? `${score.author} (${score.executor.name} ${score.executor.fingerprint})` : score.author
  const by = (...scopes: RateScore['scope']['by'][]) => rates.filter(({scope}) => scopes.includes(scope.by))
  return {
    tables: [
      typeTable(by('level'), {naming, types}),
      rateTable({title: 'Pass@k by level', heading: 'Level'}, by('level', 'all'), naming),
      rateTable({title: 'Pass@k by category', heading: 'Category'}, by('category'), naming),
      ...(failures.length > 0 ? [failureTable(failures, naming)] : []),
    ],
    shares: sharesOf(failures, naming),
    executors: [...first, ...second.map((one) => ({...one, confirms: true as const}))],
  }
}

/** A sampler's name in a row of scores. */
type Naming = (score: Score) => string

export const percent = (value: number) => (100 * value).toFixed(2)

const shareOf = (part: number, whole: number) => (whole === 0 ? '–' : percent(part / whole))

interface TypeSum {
  sampler: string
  type: string
  judged: number
  compiled: number
  correct: number
  literal: number
  unrun: number
}

function typeTable(
  levels: readonly RateScore[],
  {naming, types}: {naming: Naming; types: readonly TaskType[]},
): ScoreTable {
  const sums = new Map<string, TypeSum>()
  for (const score of levels) {
    const [sampler, type] = [naming(score), typeOf(score.scope.name, types)]
    const key = `${sampler}\n${type}`
    const sum = sums.get(key) ?? {sampler, type, judged: 0, compiled: 0, correct: 0, literal: 0, unrun: 0}
    sums.set(key, sum)
    for (const field of ['judged', 'compiled', 'correct', 'literal'] as const) sum[field] += score[field]
    sum.unrun += score.unrun ?? 0
  }
  const ofRun = (part: number, {compiled, unrun}: TypeSum) => (unrun > 0 ? '–' : shareOf(part, compiled))
  return {
    title: 'Compilation, and correctness of what compiled',
    note: noted('Shares of candidates, not means over tasks. A dash: no candidates.', levels),
    columns: [
      'Model',
      'Task type',
      'Candidates',
      'Compiled (%)',
      'Correct of compiled (%)',
      'Literally correct of compiled (%)',
    ],
    names: 2,
    rows: [...sums.values()].map((sum) => [
      sum.sampler,
      sum.type,
      String(sum.judged),
      shareOf(sum.compiled, sum.judged),
      ofRun(sum.correct, sum),
      ofRun(sum.literal, sum),
    ]),
  }
}

function typeOf(level: string, types: readonly TaskType[]): string {
  return types.find(({levels}) => levels.includes(Number(level)))?.name ?? `L${level}`
}

const rateNote = [
  'Means over tasks of unbiased pass@k, with Wilson 95 % intervals over tasks.',
  "CR: it compiles and links. ER: fully correct, by the hardened check and by the benchmark's own, literal rule.",
  'A dash: fewer than k candidates.',
].join(' ')

const noted = (note: string, scores: readonly RateScore[]) =>
  scores.some(({unrun}) => unrun) ? `${note} Or nothing was run: the executor compiles only.` : note

const timedNote = [
  "Speedup: geometric mean over correct candidates of the answer's time by the candidate's.",
  'Fast: shares of candidates that are correct and this many times as fast.',
].join(' ')

function rateTable(
  {title, heading}: {title: string; heading: string},
  scores: readonly RateScore[],
  naming: Naming,
): ScoreTable {
  const ks = [...new Set(scores.flatMap(({compilation}) => compilation.map(({k}) => k)))].sort((a, b) => a - b)
  const timed = scores.some(({speedup}) => speedup !== undefined)
  const cellsAt = (score: RateScore, k: number) =>
    [score.compilation, score.execution, score.literalExecution].map((list) =>
      rateCell(list.find((rate) => rate.k === k)),
    )
  const thresholds = scores.find(({fast}) => fast !== undefined)?.fast?.map(({least}) => least) ?? []
  const cutOff = scores.flatMap(({compilation}) => compilation).some(({unknownTasks}) => unknownTasks > 0)
  const notes = [rateNote]
  if (cutOff) notes.push('An asterisk: some tasks have fewer than k candidates and are excluded from the mean.')
  notes.push(timed ? timedNote : 'No speedup: no executor here measures time.')
  return {
    title,
    note: noted(notes.join(' '), scores),
    columns: [
      'Model',
      heading,
      'Tasks',
      'Candidates',
      'Not covered',
      ...ks.flatMap((k) => [`pass@${k} CR (%)`, `pass@${k} ER (%)`, `pass@${k} ER literal (%)`]),
      ...(timed ? ['Speedup (×)', ...thresholds.map((least) => `Fast${least.toFixed(1)} (%)`)] : []),
    ],
    names: 2,
    rows: scores.map((score) => [
      naming(score),
      scopeName(score),
      String(score.tasks),
      String(score.judged),
      String(score.notCovered),
      ...ks.flatMap((k) => cellsAt(score, k)),
      ...(timed ? [score.speedup === undefined ? '–' : score.speedup.value.toFixed(2)] : []),
      ...thresholds.map((least) => fastCell(score, least)),
    ]),
  }
}

function failureTable(failures: readonly FailureScore[], naming: Naming): ScoreTable {
  return {
    title: 'Failures by class',
    names: 3,
    note: [
      'Shares of all failed candidates; each candidate is in one class.',
      'The first six classes are those of code that does not compile.',
    ].join(' '),
    columns: ['Model', 'Class', 'Rule', 'Candidates', 'Share (%)'],
    rows: failures.map((failure) => [
      naming(failure),
      failure.class,
      failure.rule,
      String(failure.count),
      percent(failure.share),
    ]),
  }
}

function fastCell({fast}: RateScore, least: number): string {
  const found = fast?.find((one) => one.least === least)
  return found ? percent(found.share) : '–'
}

function scopeName({scope: {by, name}}: RateScore): string {
  if (by === 'all') return 'Mean'
  return by === 'level' ? `Level ${name}` : name
}

function rateCell(rate: Rate | undefined): string {
  if (!rate) return '–'
  const [low, high] = [rate.low, rate.high].map((bound) => (100 * bound).toFixed(1))
  return `${percent(rate.value)}${rate.unknownTasks > 0 ? '*' : ''} [${low}, ${high}]`
}

function sharesOf(failures: readonly FailureScore[], naming: Naming): ScoreTables['shares'] {
  const groups = new Map<string, FailureScore[]>()
  for (const failure of failures) {
    if (!(compileClasses as readonly string[]).includes(failure.class)) continue
    groups.set(naming(failure), [...(groups.get(naming(failure)) ?? []), failure])
  }
  return [...groups].map(([author, group]) => {
    const failed = group.reduce((sum, {count}) => sum + count, 0)
    const classes = group
      .map(({class: name, count}) => ({class: name as string, count, share: count / failed}))
      .sort((a, b) => b.count - a.count)
    return {author, executor: group[0]?.executor.name ?? '', failed, classes}
  })
}
