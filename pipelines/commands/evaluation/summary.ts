import type {Score} from '../../../datasets/schema/score.ts'
import type {Damage} from '../../../eval/bench/damaged-answers.ts'
import {explain, type KnownFault} from '../../../eval/bench/known-faults.ts'
import type {ExceptionRow} from '../../../eval/scores/page.ts'
import {asException, type Coverage, type Result} from './results.ts'
import type {Author, EvalRequest} from './request.ts'

/** Everything that an evaluation found, before it is put into words. */
export interface Summary {
  request: Pick<EvalRequest, 'root' | 'candidates' | 'tasks' | 'allCases' | 'maxInputMib'>
  author: Author
  revision: string
  results: readonly Result[]
  coverage: Coverage
  scores: readonly Score[]
  /** Of the benchmark's own answers only. */
  exceptions: readonly ExceptionRow[] | undefined
  damaged: readonly Damage[]
  /** Tasks that are not whole, replies to no task: what never became a candidate. */
  left: readonly string[]
}

/**
 * What is expected to be correct and is not, with what is known of it: a fault that is listed, or damage of this checkout in the very
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
  const without = results.length - answers.length
  const literal = judged.filter((one) => one.literal).length
  return (
    `Answers: ${answers.length}; judged ${judged.length}, correct ${judged.filter(({hardened}) => hardened).length} (${literal} by the literal rule), known faults ${exceptions.length - unexplained}, ` +
    `unexplained ${unexplained}, not judged ${answers.length - judged.length}${without > 0 ? `; tasks without an answer ${without}` : ''}`
  )
}

/** `Cases: 1370 of 1807 judged; left out: 423 with more than 16 MiB of input, 14 reference-failed` */
export function caseLine(
  {cases, casesJudged, skipped}: Coverage,
  {allCases, maxInputMib}: Pick<EvalRequest, 'allCases' | 'maxInputMib'>,
): string {
  const reasons = Object.entries(skipped)
    .sort(([, a], [, b]) => b - a)
    .map(
      ([reason, count]) => `${count} ${reason === 'too-large' ? `with more than ${maxInputMib} MiB of input` : reason}`,
    )
  return `Cases: ${casesJudged} of ${cases} judged${reasons.length > 0 ? `; left out: ${reasons.join(', ')}` : ''}${allCases ? '; no limit on the size of inputs' : ''}`
}

/** Source: facts of the benchmark at f238a63: the binding of each names or orders what its definition does not. */
const unpassable = ['MseLossGradV2', 'BatchNormV3', 'LayerNormV4', 'TopKV3', 'GatherV3']

/** The conditions of an evaluation, a sentence each; they stand above every table. */
export function notesOf({request, author, revision, results, coverage, exceptions, damaged, left}: Summary): string[] {
  const notes = [
    `NPUKernelBench at ${revision === 'unversioned' ? 'a folder without version control' : `commit ${revision}`}, ${coverage.tasks} tasks${request.tasks === '*' ? '' : ` that match ${request.tasks}`}.`,
  ]
  if (author.kind === 'answers') notes.push("The candidates are the benchmark's own answers.")
  else notes.push(...modelNotes(author))
  notes.push(
    exceptions
      ? `${sumLine(results, exceptions)}.`
      : `${coverage.candidates} candidates, ${coverage.judged} of them judged.`,
  )
  notes.push(`${caseLine(coverage, request)}.`)
  notes.push(
    ...damaged.map(
      ({task, path, line, what}) =>
        `The answer of ${task} is damaged in this checkout: ${path} line ${line}, ${what}. At commit f238a63 it is whole.`,
    ),
  )
  return [...notes, ...left]
}

function modelNotes(author: Exclude<Author, {kind: 'answers'}>): string[] {
  const {mode, shape, cases} = author.evaluation
  const samples =
    author.kind === 'model'
      ? `${author.samples} ${author.samples === 1 ? 'sample' : 'samples'} a task`
      : 'replies from a file'
  const shapes =
    shape === 'static'
      ? 'static shape: each case is a task of its own'
      : 'dynamic shape: one candidate serves all cases'
  const rows = cases ?? (shape === 'static' && author.kind === 'model' ? 1 : undefined)
  const notes = [
    `Mode ${mode}, ${shapes}${rows === undefined ? '' : `, the first ${rows === 1 ? 'case' : `${rows} cases`} of each task`}; ${samples}.`,
  ]
  if (mode === 'kernel-only')
    notes.push(
      `In kernel-only mode as published, 5 tasks cannot be passed as they are wired, since their bindings call another interface than their definitions generate: ${unpassable.join(', ')}.`,
    )
  return notes
}
