import {z} from 'zod'
import type {Verdict} from '../../datasets/schema/verdict.ts'

/** Parts of a verdict that the candidate's author can learn from. */
export const Evidence = z.strictObject({
  /** Of the verdict; `unreadable` or an error code if there is none. */
  outcome: z.string(),
  /** The first errors of the compiler, at most three. */
  errors: z
    .array(
      z.strictObject({
        /** A file of the candidate. */
        file: z.string(),
        /** From 1. */
        line: z.int(),
        /** In the compiler's words. */
        message: z.string(),
      }),
    )
    .optional(),
  /** Of the linker, of a crash or of a launch: the end of the output. */
  log: z.string().optional(),
  /** The rule that was broken, in kebab case. */
  rule: z.string().optional(),
  /** What happened. */
  message: z.string().optional(),
  /** What helps. */
  fix: z.string().optional(),
  /** From the failing run, or the first case with wrong values. */
  case: z.string().optional(),
  /** The first wrong element: what was seen, and what was expected. */
  wrong: z.string().optional(),
  /** Cases that are right. */
  passed: z.int().optional(),
  /** Cases that were run. */
  cases: z.int().optional(),
})
export type Evidence = z.infer<typeof Evidence>

/** How far a candidate came; a stage after the first failure is `skipped`. */
export const Stages = z.strictObject({
  /** Whether the code was found in the completion. */
  extract: z.enum(['passed', 'failed']),
  /** Whether it compiles and links. */
  compile: z.enum(['passed', 'failed', 'skipped']),
  /** Whether every case ran to its end without breaking a rule. */
  run: z.enum(['passed', 'failed', 'skipped']),
  /** Whether the results are right, and earned. */
  verify: z.enum(['passed', 'failed', 'skipped']),
})
export type Stages = z.infer<typeof Stages>

const errorsShown = 3
const logShown = 2000

export function evidenceOf(verdict: Verdict): Evidence {
  const {outcome} = verdict
  switch (verdict.outcome) {
    case 'compile-failed': {
      const errors = verdict.diagnostics.filter(({severity}) => severity === 'error').slice(0, errorsShown)
      if (errors.length === 0) return {outcome, log: tail(verdict.log)}
      return {outcome, errors: errors.map(({file, line, message}) => ({file, line, message}))}
    }
    case 'link-failed':
      return {outcome, log: tail(verdict.log)}
    case 'launch-failed':
      return {outcome, case: verdict.case, message: verdict.message}
    case 'crashed':
      return {outcome, case: verdict.case, message: verdict.cause, log: tail(verdict.log)}
    case 'timed-out':
      return {outcome, case: verdict.case, message: `it ran for more than ${verdict.limitSeconds} s`}
    case 'violated': {
      const {rule, message, fix} = verdict.violation
      return {outcome, case: verdict.case, rule, message, fix}
    }
    case 'cheated':
      return {outcome, rule: verdict.rule, message: verdict.detail}
    case 'mismatched':
    case 'correct': {
      const passed = verdict.cases.filter(({literal, hardened}) => literal && hardened).length
      const first = verdict.cases.find(({reason}) => reason !== '')
      const wrong = first && {case: first.case, wrong: first.reason}
      return {outcome, ...wrong, passed, cases: verdict.cases.length}
    }
    case 'not-covered':
      return {outcome, message: `${verdict.executor.name} lacks ${verdict.missing.join(', ')}`}
    case 'compiled':
      return {outcome}
  }
}

export function stagesOf({outcome}: Verdict): Stages {
  const extract = 'passed' as const
  if (outcome === 'compile-failed' || outcome === 'link-failed')
    return {extract, compile: 'failed', run: 'skipped', verify: 'skipped'}
  if (outcome === 'not-covered') return {extract, compile: 'skipped', run: 'skipped', verify: 'skipped'}
  if (outcome === 'correct') return {extract, compile: 'passed', run: 'passed', verify: 'passed'}
  if (outcome === 'mismatched' || outcome === 'cheated')
    return {extract, compile: 'passed', run: 'passed', verify: 'failed'}
  return {extract, compile: 'passed', run: 'failed', verify: 'skipped'}
}

const tail = (text: string) => text.trim().slice(-logShown)
