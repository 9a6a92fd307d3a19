import {diagnosticSignature} from '../../datasets/diagnostic-signature.ts'
import {LabelledCandidate, type JudgedCandidate} from '../../datasets/schema/candidate.ts'
import type {ErrorClass} from '../../datasets/schema/error-class.ts'
import {ErrorEntry} from '../../datasets/schema/error-entry.ts'
import type {Verdict} from '../../datasets/schema/verdict.ts'
import {contentId} from '../../engine/ids.ts'
import type {Stage} from '../../engine/stage.ts'

export interface ErrorEntriesOptions {
  /** Names of the interface that candidates are written for. */
  names: readonly string[]
  /** How a candidate failed; default: every failure is unclassified, and undefined for the best label. */
  classify?: (candidate: JudgedCandidate) => {class: ErrorClass; rule: string} | undefined
}

/** Labelled candidates → an entry for each that failed. */
export default function errorEntries(options: ErrorEntriesOptions): Stage<LabelledCandidate, ErrorEntry> {
  const {names, classify = unclassified} = options
  const known = new Set(names)
  return {
    name: 'error-entries',
    version: 2,
    options: {names: contentId(names), classified: classify !== unclassified},
    input: LabelledCandidate,
    output: ErrorEntry,
    // Not kept one by one: what `classify` says may change without a sign in the options.
    async *run(items, context) {
      for await (const candidate of items) {
        const failure = classify(candidate)
        if (failure)
          yield {
            ...errorEntry(candidate, failure, known),
            candidate: contentId(candidate),
            stages: {...context.stages},
          }
        else context.drop(candidate, 'not-failed')
      }
    },
  }
}

const unclassified: NonNullable<ErrorEntriesOptions['classify']> = ({verdict: {outcome}}) =>
  outcome === 'correct' ? undefined : {class: 'unclassified', rule: ''}

/** How a candidate failed, in short. */
export function errorEntry(
  candidate: LabelledCandidate,
  failure: {class: ErrorClass; rule: string},
  names: ReadonlySet<string>,
): Omit<ErrorEntry, 'candidate' | 'stages'> {
  const {task, sampler, label, verdict, files, unreadable} = candidate
  const built = unreadable === undefined ? diagnosticSignature(verdict, {names, files}) : undefined
  const {signature = '', api = verdict.outcome === 'violated' ? verdict.violation.api : '', code = ''} = built ?? {}
  const {file, line, column} = built?.place ?? {file: '', line: 0, column: 0}
  const message = unreadable ?? built?.message ?? said(verdict)
  return {
    task: task.name,
    sampler,
    label,
    outcome: verdict.outcome,
    ...failure,
    signature,
    api,
    error: {message, file, line, column, code},
    executor: verdict.executor,
    origin: task.origin,
  }
}

/** The first message of device or judge. */
function said(verdict: Verdict): string {
  switch (verdict.outcome) {
    case 'violated':
      return verdict.violation.message
    case 'mismatched':
      return verdict.cases.find(({reason}) => reason !== '')?.reason ?? ''
    case 'crashed':
      return verdict.cause
    case 'launch-failed':
      return verdict.message
    case 'timed-out':
      return `still running after ${verdict.limitSeconds} s`
    case 'cheated':
      return verdict.detail
    default:
      return ''
  }
}
