import type {CaseResult, Verdict, Violation} from '../../datasets/schema/verdict.ts'

/** What a run of a wrong operator showed. */
export type Observation =
  | ({kind: 'rule'; case: string} & Omit<Violation, 'fix'>)
  | {
      kind: 'numbers'
      /** Cases that fail, with the worst element of each, and how many there are in all. */
      failing: Pick<CaseResult, 'case' | 'reason' | 'fault'>[]
      cases: number
      /** The inputs of the task pass; what fails are other sizes or values. */
      passesItsOwn: boolean
    }
  | {kind: 'stopped'; case: string; how: 'crashed' | 'timed-out' | 'launch-failed'; detail: string}
  | {kind: 'link'; log: string}

/** Undefined if nothing ran, or nothing failed. */
export function observationOf(verdict: Verdict): Observation | undefined {
  switch (verdict.outcome) {
    case 'violated': {
      return {kind: 'rule', case: verdict.case, ...verdict.violation}
    }
    case 'mismatched':
      return numbersOf(verdict)
    case 'crashed':
      return {kind: 'stopped', case: verdict.case, how: 'crashed', detail: verdict.cause}
    case 'timed-out':
      return {kind: 'stopped', case: verdict.case, how: 'timed-out', detail: `${verdict.limitSeconds} s`}
    case 'launch-failed':
      return {kind: 'stopped', case: verdict.case, how: 'launch-failed', detail: verdict.message}
    case 'link-failed':
      return {kind: 'link', log: verdict.log.slice(0, 1200).trim()}
    default:
      return undefined
  }
}

function numbersOf({cases}: Extract<Verdict, {outcome: 'mismatched'}>): Observation {
  const failing = cases.filter(({literal, hardened}) => !literal || !hardened)
  return {
    kind: 'numbers',
    failing: failing.map(({case: id, reason, fault}) => ({case: id, reason, ...(fault && {fault})})),
    cases: cases.length,
    passesItsOwn: cases.every(({literal}) => literal),
  }
}
