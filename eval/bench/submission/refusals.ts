import type {Verdict} from '../../../datasets/schema/verdict.ts'
import {PipelineError} from '../../../engine/errors.ts'
import {behaviourOf} from '../../behaviours.ts'
import type {Failure, Opened} from './submission.ts'
import type {BrokenSource} from './source-whitelist.ts'

type Refused = Extract<Opened, {ok: false}>

export function refused(kind: Refused['kind'], why: string, log = ''): Refused {
  return {ok: false, kind, why, log}
}

export function refusedSource({rule, where, seen}: BrokenSource): Refused {
  const behaviour = behaviourOf(rule, seen)
  return {...refused('refused-source', `${rule}: ${where}: ${seen}`), ...(behaviour && {behaviour})}
}

/** A run refused by a rule. @param kind of the failure @param seen what the rule was broken with */
export function broken(kind: Failure['kind'], rule: string, seen: string): Failure {
  const behaviour = behaviourOf(rule, seen)
  return {outcome: 'failed', kind, why: `${rule}: ${seen}`, ...(behaviour && {behaviour})}
}

/**
 * @param by who said so, where it is another than the twin @throws PipelineError `executor-failed` where the executor
 *   cannot tell
 */
export function refusedBuild(verdict: Verdict, by?: string): Refused {
  const named = (said: string) => (by === undefined ? said : `${by}: ${said}`)
  if (verdict.outcome === 'compile-failed') {
    const first = verdict.diagnostics.find(({severity}) => severity === 'error')
    const said = first ? `${first.file}:${first.line}: ${first.message}` : firstError(verdict.log)
    return refused('compile-failed', named(said), verdict.log)
  }
  if (verdict.outcome === 'link-failed') return refused('link-failed', named(firstError(verdict.log)), verdict.log)
  const missing = verdict.outcome === 'not-covered' ? verdict.missing.join(', ') : verdict.outcome
  throw new PipelineError('executor-failed', `The executor cannot judge the operator: ${missing}.`, {
    fix: 'Judge it on another executor; the twin lacks these names.',
    evidence: {missing},
  })
}

export function firstError(log: string): string {
  return log.split('\n').find((line) => /error/.test(line)) ?? log.slice(0, 200)
}
