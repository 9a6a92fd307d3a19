import {counted} from '../../../engine/counted.ts'
import type {Score} from '../../../datasets/schema/score.ts'
import type {Sizes} from '../../../datasets/schema/verdict.ts'
import type {Damage, OperatorBenchmark} from '../../../eval/bench/benchmark.ts'
import {explain, type KnownFault} from '../../../eval/bench/known-faults.ts'
import type {ExceptionRow} from '../../../eval/scores/page.ts'
import {asException, type Coverage, type Result} from './results.ts'
import type {Sampling} from '../../recipes/evaluation/sampling.ts'
import type {EvalRequest} from './request.ts'

/** Everything that an evaluation found, before formatting. */
export interface Summary {
  request: Pick<EvalRequest, 'root' | 'candidates' | 'tasks' | 'allCases' | 'maxInputMib'>
  benchmark: Pick<OperatorBenchmark, 'title' | 'modes' | 'undamaged' | 'taskTypes'>
  sampling: Sampling
  revision: string
  results: readonly Result[]
  coverage: Coverage
  scores: readonly Score[]
  /** Of the benchmark's own answers only. */
  exceptions: readonly ExceptionRow[] | undefined
  damaged: readonly Damage[]
  /** Damaged tasks, and replies to unknown tasks: what never became a candidate. */
  left: readonly string[]
}

/**
 * Answers that should be correct and are not, with the known cause: a listed fault, or damage in this checkout in the
 * file that does not compile. Neither changes a verdict.
 */
export function exceptionRows(
  results: readonly Result[],
  faults: readonly KnownFault[],
  damaged: readonly Damage[] = [],
): ExceptionRow[] {
  return results.flatMap((result) => {
    const exception = asException(result)
    if (!exception) return []
    const {task, outcome, why} = result
    const known: {fault: string; proof: string}[] = explain(exception, faults)
    const damage = damaged.find(
      (one) => one.task === task && outcome === 'compile-failed' && why.startsWith(`${one.path}:`),
    )
    if (damage && known.length === 0)
      known.push({fault: 'answer', proof: `${damage.path} line ${damage.line}: ${damage.what}.`})
    return [
      {
        task,
        outcome,
        why,
        fault: known.length > 0 ? [...new Set(known.map(({fault}) => fault))].join(', ') : 'unexplained',
        proof: known.map(({proof}) => proof).join(' '),
      },
    ]
  })
}

/** `Answers: 153; judged 150, correct 141 (143 by the literal rule), known faults 5, unexplained 4, not judged 3` */
export function sumLine(results: readonly Result[], exceptions: readonly ExceptionRow[]): string {
  const answers = results.filter(({reason}) => reason !== 'no-answer')
  const judged = answers.filter(({outcome}) => outcome !== 'not-judged')
  const unexplained = exceptions.filter(({fault}) => fault === 'unexplained').length
  const correct = judged.filter(({hardened}) => hardened).length
  const literal = judged.filter((one) => one.literal).length
  const without = results.length - answers.length
  const counts = [
    `judged ${judged.length}`,
    `correct ${correct} (${literal} by the literal rule)`,
    `known faults ${exceptions.length - unexplained}`,
    `unexplained ${unexplained}`,
    `not judged ${answers.length - judged.length}`,
  ]
  const line = `Answers: ${answers.length}; ${counts.join(', ')}`
  return without > 0 ? `${line}; tasks without an answer ${without}` : line
}

/** `Cases: 1370 of 1807 judged; skipped: 423 with more than 16 MiB of input, 14 reference-failed` */
export function caseLine(
  {cases, casesJudged, skipped}: Coverage,
  {allCases, maxInputMib}: Pick<EvalRequest, 'allCases' | 'maxInputMib'>,
): string {
  const named = (reason: string) => (reason === 'too-large' ? `with more than ${maxInputMib} MiB of input` : reason)
  const reasons = Object.entries(skipped)
    .sort(([, a], [, b]) => b - a)
    .map(([reason, count]) => `${count} ${named(reason)}`)
  return [
    `Cases: ${casesJudged} of ${cases} judged`,
    ...(reasons.length > 0 ? [`skipped: ${reasons.join(', ')}`] : []),
    ...(allCases ? ['no limit on the size of inputs'] : []),
  ].join('; ')
}

const sizeWords: Readonly<Record<Sizes, string>> = {
  fresh: 'were also run on sizes that the table does not list',
  pinned: 'had to be served as they are',
  fixed: 'have sizes that the table does not determine, or a reference that accepts no others',
  unserved: "have sizes for which the task's own answer accepts no alternatives",
}

/** `Of the cases whose runs all ended, 120 were also run on sizes that the table does not list`; '' if none were. */
function sizeLine({sizes}: Pick<Coverage, 'sizes'>): string {
  const counts = Object.entries(sizeWords).flatMap(([kind, words]) => {
    const count = sizes[kind as Sizes] ?? 0
    return count > 0 ? [`${count} ${words}`] : []
  })
  return counts.length > 0 ? `Of the cases whose runs all ended, ${counts.join('; ')}` : ''
}

/** The conditions of an evaluation, a sentence each; printed above every table. */
export function notesOf(summary: Summary): string[] {
  const {request, benchmark, sampling, results, coverage, exceptions, damaged, left} = summary
  return [
    placeNote(summary),
    ...(sampling.kind === 'answers'
      ? ["The candidates are the benchmark's own answers."]
      : modelNotes(sampling, benchmark)),
    exceptions
      ? `${sumLine(results, exceptions)}.`
      : `${counted(coverage.candidates, 'candidate')}, ${coverage.judged} of them judged.`,
    `${caseLine(coverage, request)}.`,
    ...[sizeLine(coverage)].filter(Boolean).map((line) => `${line}.`),
    ...damaged.map((damage) => [damageNote(damage), ...(benchmark.undamaged ? [benchmark.undamaged] : [])].join(' ')),
    ...left,
  ]
}

function placeNote({benchmark, revision, coverage, request}: Summary): string {
  const place = revision === 'unversioned' ? 'a folder without version control' : `commit ${revision}`
  const matching = request.tasks === '*' ? '' : ` that match ${request.tasks}`
  return `${benchmark.title} at ${place}, ${counted(coverage.tasks, 'task')}${matching}.`
}

function damageNote({task, path, line, what}: Damage): string {
  return `The answer of ${task} is damaged in this checkout: ${path} line ${line}, ${what}.`
}

const shapes = {
  static: 'static shape: each case is a task of its own',
  dynamic: 'dynamic shape: one candidate serves all cases',
}

function modelNotes(
  sampling: Exclude<Sampling, {kind: 'answers'}>,
  {modes}: Pick<OperatorBenchmark, 'modes'>,
): string[] {
  const {mode, shape, cases} = sampling.evaluation
  const rows = cases ?? (shape === 'static' && sampling.kind === 'model' ? 1 : undefined)
  const shown = rows === 1 ? 'case' : `${rows} cases`
  const put = [`Mode ${mode}`, shapes[shape], ...(rows === undefined ? [] : [`the first ${shown} of each task`])]
  return [`${put.join(', ')}; ${samplesOf(sampling)}.`, ...(modes[mode]?.notes ?? [])]
}

function samplesOf(sampling: Exclude<Sampling, {kind: 'answers'}>): string {
  if (sampling.kind === 'file') return 'replies from a file'
  return `${counted(sampling.samples, 'sample')} a task`
}
