import type {ApiEntry} from '../../datasets/schema/api-entry.ts'
import type {Failure} from '../../datasets/schema/correction.ts'
import type {SourceFile} from '../../datasets/schema/operator.ts'
import {callsOf} from '../facts/bracketed.ts'
import {type CompileError, compileErrorOf} from './compile-error.ts'
import type {EditFacts} from '../../datasets/schema/edit-facts.ts'
import {type Observation, observationOf} from './observation.ts'

/** All that is known of a failed candidate and of what makes it right. */
export interface FailureFacts {
  operator: string
  edits: EditFacts
  /** What is shown of the failed code: of code that does not compile the files at fault, else all that was written. */
  failed: SourceFile[]
  /** The files that change, as they are right. */
  right: SourceFile[]
  error: CompileError | undefined
  observed: Observation | undefined
  /** The interface that the corrected statements call, as it is documented; undefined if no page documents it. */
  api: ApiEntry | undefined
}

type Unusable = {
  reason: 'no-own-error' | 'not-clang' | 'fault-is-a-cheat' | 'nothing-changes'
  detail: string
}

/** The explanation of a failure, or why there is none. */
export function factsOf(
  {task, verdict, files, written, reference}: Failure,
  edits: EditFacts,
  apis: ReadonlyMap<string, ApiEntry>,
): FailureFacts | Unusable {
  if (verdict.outcome === 'cheated') return {reason: 'fault-is-a-cheat', detail: verdict.rule}
  const isCompile = verdict.outcome === 'compile-failed'
  if (isCompile && !/clang/i.test(verdict.executor.compiler))
    return {reason: 'not-clang', detail: `${verdict.executor.compiler}: its messages differ from Huawei's compiler`}
  if (edits.length === 0) return {reason: 'nothing-changes', detail: task.name}
  const error = isCompile ? compileErrorOf(verdict, files) : undefined
  if (isCompile && !error) return {reason: 'no-own-error', detail: `${task.name}: ${verdict.diagnostics[0]?.message}`}
  const changed = edits.map(({path}) => path)
  const shown = new Set(error ? [...changed, error.file] : [...written, ...changed])
  return {
    operator: task.name,
    edits,
    failed: files.filter(({path}) => shown.has(path)),
    right: reference.files.filter(({path}) => changed.includes(path)),
    error,
    observed: observationOf(verdict),
    api: calledIn(edits).flatMap((name) => apis.get(name) ?? [])[0],
  }
}

function calledIn(edits: EditFacts): string[] {
  const statements = edits.flatMap((edit) => {
    if (edit.kind === 'replaced') return [edit.after]
    return edit.kind === 'added' ? edit.statements : []
  })
  return statements.flatMap(callsOf).map(({name}) => name)
}
