import {JudgedCandidate} from '../datasets/schema/candidate.ts'
import {errorClasses} from '../datasets/schema/error-class.ts'
import {Score, type FailureScore, type RateScore} from '../datasets/schema/score.ts'
import type {ExecutorIdentity, Verdict} from '../datasets/schema/verdict.ts'
import {geometricMean, speedupOf} from '../datasets/speedup.ts'
import {canonicalJson} from '../engine/ids.ts'
import type {Stage} from '../engine/stage.ts'
import {ratesAt, type Attempts} from './metrics.ts'
import {classifyCandidate, type Failure} from './taxonomy.ts'
import {byCodeUnit} from '../engine/code-unit-order.ts'

interface ScoreOptions {
  /** The k of pass@k. Default 1, 10 and 100, as in Table 2 of the AscendKernelGen paper. */
  ks?: readonly number[]
}

type Scope = Score['scope']

/**
 * Judged candidates → score lines: pass@k by task, category, level and overall, and failures by class. Keeps counts
 * only.
 */
export default function score({ks = [1, 10, 100]}: ScoreOptions = {}): Stage<JudgedCandidate, Score> {
  return {
    name: 'score',
    version: 3,
    options: {ks: [...ks]},
    input: JudgedCandidate,
    output: Score,
    async *run(items) {
      const boards = new Map<string, Board>()
      for await (const candidate of items) record(boards, candidate)
      for (const board of boards.values()) yield* scoresOf(board, ks)
    },
  }
}

/**
 * One author's results under one executor: verdicts of different executors are never added up, except where a second
 * judged only what the first found correct.
 */
interface Board {
  author: string
  executor: ExecutorIdentity
  confirmedBy?: ExecutorIdentity
  tasks: Map<string, TaskCounts>
}

interface TaskCounts {
  level: number
  category: string
  path: string
  judged: number
  compiled: number
  correct: number
  literal: number
  notCovered: number
  /** Compiled by an executor that runs nothing. */
  unrun: number
  /** Of correct candidates that were timed beside the task's own answer. */
  speedups: number[]
  failures: Map<string, Failure & {count: number}>
}

function record(boards: Map<string, Board>, candidate: JudgedCandidate): void {
  const {task, sampler, verdict, confirmation} = candidate
  const author = sampler.kind === 'model' ? sampler.model : sampler.kind
  const {executor} = confirmation?.first ?? verdict
  const board = entry(boards, canonicalJson([author, executor]), (): Board => ({author, executor, tasks: new Map()}))
  if (confirmation) board.confirmedBy = confirmation.second.executor
  // With a static shape, each case is a separate task, as in the benchmark.
  const key = canonicalJson([task.origin.repository, task.origin.path, task.cases.map((row) => row['case_id'] ?? '')])
  const counts = entry(
    board.tasks,
    key,
    (): TaskCounts => ({
      level: task.level,
      category: task.category,
      path: task.origin.path,
      judged: 0,
      compiled: 0,
      correct: 0,
      literal: 0,
      notCovered: 0,
      unrun: 0,
      speedups: [],
      failures: new Map(),
    }),
  )
  if (verdict.outcome === 'not-covered') {
    counts.notCovered += 1
    return
  }
  counts.judged += 1
  if (compiles(verdict)) counts.compiled += 1
  if (verdict.outcome === 'correct') counts.correct += 1
  if (verdict.outcome === 'compiled') counts.unrun += 1
  if (passesLiteral(verdict)) counts.literal += 1
  const faster = speedupOf(verdict)
  if (faster !== undefined) counts.speedups.push(faster)
  const failure = classifyCandidate(candidate)
  if (failure)
    entry(counts.failures, canonicalJson([failure.class, failure.rule]), () => ({...failure, count: 0})).count += 1
}

function entry<V>(map: Map<string, V>, key: string, make: () => V): V {
  const value = map.get(key) ?? make()
  map.set(key, value)
  return value
}

/** Thresholds of Fast0.2, Fast0.8 and Fast1.0. */
const leastSpeedups = [0.2, 0.8, 1]

function speeds(speedups: readonly number[], judged: number): Pick<RateScore, 'speedup' | 'fast'> {
  if (speedups.length === 0) return {}
  const share = (least: number) => speedups.filter((value) => value >= least).length / judged
  return {
    speedup: {value: geometricMean(speedups), candidates: speedups.length},
    fast: leastSpeedups.map((least) => ({least, share: share(least)})),
  }
}

/** A build includes linking: what does not link counts as not compiled, as in the benchmark. */
export function compiles({outcome}: Verdict): boolean {
  return outcome !== 'compile-failed' && outcome !== 'link-failed' && outcome !== 'not-covered'
}

/**
 * Whether the benchmark's own rule accepts the candidate in every case. A cheat found in the sources never ran, so its
 * values are unknown; the benchmark does not check hardware rules.
 */
export function passesLiteral(verdict: Verdict): boolean {
  if (verdict.outcome === 'correct') return true
  if (verdict.outcome === 'cheated') return verdict.literal
  const cases = 'cases' in verdict ? (verdict.cases ?? []) : []
  return cases.length > 0 && cases.every(({literal}) => literal)
}

function* scoresOf(board: Board, ks: readonly number[]): Generator<Score> {
  const tasks = [...board.tasks.values()].sort(
    (a, b) => a.level - b.level || byCodeUnit(a.category, b.category) || byCodeUnit(a.path, b.path),
  )
  const levels = groupBy(tasks, ({level}) => String(level))
  for (const [name, group] of levels) yield rates(board, {by: 'level', name}, group, ks)
  yield rates(board, {by: 'all', name: ''}, tasks, ks)
  for (const [name, group] of groupBy(tasks, ({level, category}) => `${level}/${category}`))
    yield rates(board, {by: 'category', name}, group, ks)
  for (const [name, group] of groupBy(tasks, ({path}) => path)) yield rates(board, {by: 'task', name}, group, ks)
  yield* failures(board, {by: 'all', name: ''}, tasks)
  for (const [name, group] of levels) yield* failures(board, {by: 'level', name}, group)
}

function rates(
  {author, executor, confirmedBy}: Board,
  scope: Scope,
  tasks: readonly TaskCounts[],
  ks: readonly number[],
): RateScore {
  const sum = (field: 'judged' | 'compiled' | 'correct' | 'literal' | 'notCovered' | 'unrun') =>
    tasks.reduce((total, task) => total + task[field], 0)
  const attempts = (field: 'compiled' | 'correct' | 'literal') =>
    tasks.map((task): Attempts => ({n: task.judged, c: task[field]}))
  const unrun = sum('unrun')
  return {
    kind: 'rates',
    author,
    executor,
    ...(confirmedBy && {confirmedBy}),
    scope,
    tasks: tasks.length,
    judged: sum('judged'),
    compiled: sum('compiled'),
    correct: sum('correct'),
    literal: sum('literal'),
    notCovered: sum('notCovered'),
    ...(unrun > 0 && {unrun}),
    compilation: ratesAt(attempts('compiled'), ks),
    execution: unrun > 0 ? [] : ratesAt(attempts('correct'), ks),
    literalExecution: unrun > 0 ? [] : ratesAt(attempts('literal'), ks),
    ...speeds(
      tasks.flatMap(({speedups}) => speedups),
      sum('judged'),
    ),
  }
}

function* failures(
  {author, executor, confirmedBy}: Board,
  scope: Scope,
  tasks: readonly TaskCounts[],
): Generator<FailureScore> {
  const whose = {author, executor, ...(confirmedBy && {confirmedBy})}
  const sums = new Map<string, Failure & {count: number}>()
  for (const [key, failure] of tasks.flatMap((task) => [...task.failures]))
    entry(sums, key, () => ({...failure, count: 0})).count += failure.count
  const total = [...sums.values()].reduce((sum, {count}) => sum + count, 0)
  const ordered = [...sums.values()].sort(
    (a, b) =>
      errorClasses.indexOf(a.class) - errorClasses.indexOf(b.class) || b.count - a.count || byCodeUnit(a.rule, b.rule),
  )
  for (const {class: name, rule, count} of ordered)
    yield {...whose, kind: 'failures', scope, class: name, rule, count, share: count / total}
}

function groupBy<T>(items: readonly T[], key: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const item of items) entry(groups, key(item), () => []).push(item)
  return groups
}
