import type {CaseResult, Diagnostic, Verdict} from '../../../datasets/schema/verdict.ts'
import type {Notes} from './code-view.tsx'
import {visible} from './code-lines.ts'

/** Compiler messages of a file, by line. */
export function notesOf(verdict: Verdict | null, path: string): Notes {
  const notes = new Map<number, Diagnostic[]>()
  if (verdict?.outcome !== 'compile-failed') return notes
  for (const one of verdict.diagnostics.filter(({file}) => file === path))
    notes.set(one.line, [...(notes.get(one.line) ?? []), one])
  return notes
}

/** What a verdict says beside its outcome: messages without a line in the candidate, the broken rule, failing cases. */
export function VerdictView({verdict, paths}: {verdict: Verdict; paths: readonly string[]}) {
  const said = saidOf(verdict, paths)
  const cases = 'cases' in verdict ? (verdict.cases ?? []) : []
  const failing = cases.filter(({literal, hardened}) => !literal || !hardened)
  return (
    <div class="verdict">
      {said.map((line, at) => (
        <p key={at} class="said">
          {visible(line)}
        </p>
      ))}
      {failing.length > 0 && <Failing failing={failing} of={cases.length} />}
      {cases.length > 0 && failing.length === 0 && <p class="quiet">All {cases.length} cases passed.</p>}
    </div>
  )
}

function Failing({failing, of}: {failing: readonly CaseResult[]; of: number}) {
  return (
    <details open={failing.length <= 4}>
      <summary>
        {failing.length} of {of} cases failed
      </summary>
      {failing.map((one) => (
        <p key={one.case} class="said">
          case {one.case}: {visible(firstWrong(one))}
        </p>
      ))}
    </details>
  )
}

/** The first wrong element in numbers, or the reason in words. */
function firstWrong({fault, reason}: CaseResult): string {
  if (fault?.kind !== 'element') return reason
  const {output, index, seen, expected, otherSize} = fault
  return `${output}[${index}] is ${seen}, expected ${expected}${otherSize ? ' (at another size)' : ''}`
}

const longestLog = 4000

function saidOf(verdict: Verdict, paths: readonly string[]): string[] {
  switch (verdict.outcome) {
    case 'compile-failed': {
      const elsewhere = verdict.diagnostics.filter(({severity, file}) => severity === 'error' && !paths.includes(file))
      const lines = elsewhere.map(({file, line, message}) => `${file}:${line}: ${message}`)
      return verdict.diagnostics.length === 0 ? [verdict.log.slice(-longestLog)] : lines
    }
    case 'link-failed':
      return [verdict.log.slice(-longestLog)]
    case 'launch-failed':
      return [`case ${verdict.case}: ${verdict.message}`]
    case 'crashed':
      return [`case ${verdict.case}: ${verdict.cause}`, verdict.log.slice(-longestLog)]
    case 'timed-out':
      return [`case ${verdict.case}: not finished after ${verdict.limitSeconds} s`]
    case 'violated': {
      const {rule, api, message, fix} = verdict.violation
      return [`case ${verdict.case}, rule ${rule} in ${api}: ${message}`, `What helps: ${fix}`]
    }
    case 'cheated':
      return [`${verdict.rule}: ${verdict.detail}`]
    case 'not-covered':
      return [`The executor lacks ${verdict.missing.join(', ')}.`]
    default:
      return []
  }
}
