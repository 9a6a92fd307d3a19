import type {Failure} from '../../datasets/schema/correction.ts'
import type {SourceFile} from '../../datasets/schema/operator.ts'
import type {ApiEntry} from '../../datasets/schema/api-entry.ts'
import {type Change, changesBetween} from './code-changes.ts'
import {type CompileError, compileErrorOf} from './compile-error.ts'
import {type Observation, observationOf} from './observation.ts'

/** All that is known of a failed candidate and of what makes it right. */
export interface FailureFacts {
  operator: string
  changes: Change[]
  /** The files that change, as they failed and as they are right; in the order of the request. */
  failed: SourceFile[]
  right: SourceFile[]
  error: CompileError | undefined
  observed: Observation | undefined
  /** The interface that the corrected lines call, as it is documented; undefined where no page tells it. */
  api: ApiEntry | undefined
}

type Unexplained = {
  reason: 'no-own-error' | 'not-clang' | 'fault-is-a-cheat' | 'nothing-changes'
  detail: string
}

/** What can be told of a failure, or why nothing can. */
export function factsOf(
  {task, verdict, files, reference}: Failure,
  apis: ReadonlyMap<string, ApiEntry>,
): FailureFacts | Unexplained {
  if (verdict.outcome === 'cheated') return {reason: 'fault-is-a-cheat', detail: verdict.rule}
  const isCompile = verdict.outcome === 'compile-failed'
  if (isCompile && !/clang/i.test(verdict.executor.compiler))
    return {reason: 'not-clang', detail: `${verdict.executor.compiler}: its messages differ from Huawei's compiler`}
  const changes = changesBetween(files, reference.files)
  if (changes.length === 0) return {reason: 'nothing-changes', detail: task.name}
  const error = isCompile ? compileErrorOf(verdict, files) : undefined
  if (isCompile && !error) return {reason: 'no-own-error', detail: `${task.name}: ${verdict.diagnostics[0]?.message}`}
  const paths = new Set([...changes.map(({path}) => path), ...(error ? [error.file] : [])])
  const those = (all: readonly SourceFile[]) => all.filter(({path}) => paths.has(path))
  const called = calledIn(changes.flatMap(({added}) => added)).find((name) => apis.has(name))
  return {
    operator: task.name,
    changes,
    failed: those(files),
    right: those(reference.files),
    error,
    observed: observationOf(verdict),
    api: called === undefined ? undefined : apis.get(called),
  }
}

function calledIn(lines: readonly string[]): string[] {
  return [...lines.join('\n').matchAll(/(?<![\w])([A-Z]\w+)\s*(?:<[^;(){}=]*>)?\s*\(/g)].map(([, name = '']) => name)
}
