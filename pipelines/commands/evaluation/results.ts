import {counted} from '../../../engine/counted.ts'
import type {JudgedCandidate} from '../../../datasets/schema/candidate.ts'
import {describeCheat} from '../../../eval/integrity.ts'
import {compiles, passesLiteral} from '../../../eval/score.ts'
import type {Exception} from '../../../eval/bench/known-faults.ts'
import type {Sizes} from '../../../datasets/schema/verdict.ts'
import type {JudgedAttempt, TaskOutcome} from './outcomes.ts'

type Verdict = JudgedCandidate['verdict']

/** One candidate, or a task without a candidate. */
export interface Result {
  task: string
  level: number
  category: string
  /** `sample 3, case 0` of a model's; '' of an answer. */
  attempt: string
  outcome: Verdict['outcome'] | 'not-judged'
  compiled: boolean
  /** Whether all judged cases pass by this rule. */
  literal: boolean
  hardened: boolean
  /** Cases that it was given. */
  cases: number
  /** The cases that decided its outcome, if any did. */
  failing: readonly string[]
  /** The class of its failure, as in the table of failures, with the broken rule; '' if it did not fail. */
  class: string
  /** What went wrong; '' when correct. */
  why: string
  /** Why there is no verdict, in one word, e.g. `too-large`; '' if there is one. */
  reason: string
}

/** How much of the request was judged. Cases are counted once per candidate. */
export interface Coverage {
  tasks: number
  candidates: number
  judged: number
  cases: number
  casesJudged: number
  /** Skipped cases, by reason. */
  skipped: Record<string, number>
  /** Judged cases by the sizes that they were judged with, if known. */
  sizes: Partial<Record<Sizes, number>>
}

export interface Collected {
  results: Result[]
  coverage: Coverage
  /** Most candidates of one task, a case of a static shape being a task: the largest k of pass@k. */
  mostAttempts: number
}

/** @param limit at most this many rows of each task were given to its candidates */
export function collectResults(outcomes: Iterable<TaskOutcome>, limit = Infinity): Collected {
  const results: Result[] = []
  const coverage: Coverage = {tasks: 0, candidates: 0, judged: 0, cases: 0, casesJudged: 0, skipped: {}, sizes: {}}
  let mostAttempts = 0
  for (const outcome of outcomes) {
    coverage.tasks += 1
    const byCases = new Map<string, number>()
    for (const attempt of outcome.attempts) {
      const skipped = count(coverage, attempt, limit)
      results.push(resultOf(attempt, limit, skipped))
      const key = attempt.candidate.task.cases.map((row) => row['case_id']).join(' ')
      byCases.set(key, (byCases.get(key) ?? 0) + 1)
    }
    mostAttempts = Math.max(mostAttempts, ...byCases.values())
    if (outcome.why) results.push(missing(outcome.task, outcome.why))
  }
  return {results, coverage, mostAttempts}
}

/** These say that a candidate could not be judged at all; every other drop of the judge is one case. */
const wholeCandidate = ['no-usable-case', 'reference-needs-python']

/** Adds one candidate, and returns how many of its cases were skipped. */
function count(coverage: Coverage, {candidate, verdict, drops, failure}: JudgedAttempt, limit: number): number {
  const cases = Math.min(candidate.task.cases.length, limit)
  const skip = (reason: string, many: number) => {
    if (many > 0) coverage.skipped[reason] = (coverage.skipped[reason] ?? 0) + many
  }
  const single = drops.filter(({reason}) => !wholeCandidate.includes(reason))
  for (const {reason} of single) skip(reason, 1)
  coverage.candidates += 1
  coverage.cases += cases
  if (verdict) {
    coverage.judged += 1
    coverage.casesJudged += cases - single.length
    for (const {sizes} of 'cases' in verdict ? (verdict.cases ?? []) : [])
      if (sizes) coverage.sizes[sizes] = (coverage.sizes[sizes] ?? 0) + 1
    return single.length
  }
  skip(failure === undefined ? (drops.at(-1)?.reason ?? 'not-reached') : 'judge-failed', cases - single.length)
  return cases
}

/** What tells a candidate from others of its task; '' for an answer. */
export function attemptName({task: {cases}, sampler}: Pick<JudgedCandidate, 'task' | 'sampler'>): string {
  if (sampler.kind !== 'model') return ''
  return [`sample ${sampler.sample}`, ...(cases.length === 1 ? [`case ${cases[0]?.['case_id']}`] : [])].join(', ')
}

function resultOf(
  {candidate: {task, sampler}, verdict, fault, drops, failure}: JudgedAttempt,
  limit: number,
  skipped: number,
): Result {
  const attempt = attemptName({task, sampler})
  if (!verdict)
    return {
      ...missing(
        task,
        failure === undefined
          ? (drops[0] ?? {reason: 'not-reached', detail: ''})
          : {reason: 'judge-failed', detail: failure},
      ),
      attempt,
    }
  return {
    task: task.name,
    level: task.level,
    category: task.category,
    attempt,
    outcome: verdict.outcome,
    compiled: compiles(verdict),
    literal: passesLiteral(verdict),
    hardened: verdict.outcome === 'correct',
    cases: Math.min(task.cases.length, limit) - skipped,
    failing: failingCases(verdict),
    class: fault ? `${fault.class} ${fault.rule}`.trim() : '',
    why: whyNot(verdict),
    reason: '',
  }
}

/** For a candidate without a usable case, the reason for its first case says more than that all were skipped. */
function missing(
  {name, level, category}: TaskOutcome['task'],
  {reason, detail}: {reason: string; detail: string},
): Result {
  return {
    task: name,
    level,
    category,
    attempt: '',
    outcome: 'not-judged',
    compiled: false,
    literal: false,
    hardened: false,
    cases: 0,
    failing: [],
    class: '',
    reason,
    why: detail === '' ? reason : `${reason}: ${detail}`,
  }
}

/**
 * An answer that should be correct and is not. A task without an answer, or with only cases above the size limit, is
 * not expected to be correct.
 */
export function asException({task, outcome, failing, reason}: Result): Exception | undefined {
  return outcome === 'correct' || outcome === 'compiled' || reason === 'no-answer' || reason === 'too-large'
    ? undefined
    : {task, outcome, cases: failing}
}

function failingCases(verdict: Verdict): string[] {
  const cases = 'cases' in verdict ? (verdict.cases ?? []) : []
  if (verdict.outcome === 'correct') return []
  if (cases.length > 0) return cases.filter(({literal, hardened}) => !literal || !hardened).map((one) => one.case)
  return 'case' in verdict ? [verdict.case] : []
}

/** One line; the verdict itself is in the run. */
function whyNot(verdict: Verdict): string {
  switch (verdict.outcome) {
    case 'correct':
    case 'compiled':
      return ''
    case 'not-covered':
      return verdict.missing.join(', ')
    case 'compile-failed':
      return (
        verdict.diagnostics
          .filter(({severity}) => severity === 'error')
          .slice(0, 2)
          .map(({file, line, message}) => `${file}:${line} ${message}`)
          .join(' · ') || verdict.log.slice(0, 200)
      )
    case 'link-failed':
      return verdict.log.split('\n')[0] ?? ''
    case 'launch-failed':
      return `case ${verdict.case}: ${verdict.message.replaceAll('\n', ' · ')}`
    case 'crashed':
      return `case ${verdict.case}: ${verdict.cause}`
    case 'timed-out':
      return `case ${verdict.case}: not finished after ${verdict.limitSeconds} s`
    case 'violated':
      return `case ${verdict.case}, ${verdict.violation.rule} in ${verdict.violation.api}: ${verdict.violation.message}`
    case 'cheated':
      return describeCheat(verdict)
    case 'mismatched': {
      const wrong = verdict.cases.filter((one) => !one.hardened || !one.literal)
      const literal = verdict.cases.filter((one) => !one.literal).length
      const share = `${wrong.length} of ${counted(verdict.cases.length, 'case')} (${literal} by the literal rule)`
      return `${share}; case ${wrong[0]?.case}: ${wrong[0]?.reason}`
    }
  }
}
