import type {ApiEntry} from '../../../datasets/schema/api-entry.ts'
import type {SourceFile} from '../../../datasets/schema/operator.ts'
import type {Failure} from '../../../datasets/schema/correction.ts'
import type {CompileError} from '../compile-error.ts'
import type {Edit} from '../../../datasets/schema/edit-facts.ts'
import type {FailureFacts} from '../failure-facts.ts'
import type {CodeStatement as Statement} from '../../../datasets/schema/edit-facts.ts'
import type {Message} from '../../telling/tell-message.ts'
import {namesOf, type Reason, statementsIn, statementsOfFile} from './reason.ts'
import {restOf} from './unaffected.ts'
import {reasonFor} from './step-reasons.ts'
import {traceOf} from './fault-traces.ts'

export interface Fault {
  edit: Edit
  reason: Reason
  /** How it leads to what was seen. */
  trace: readonly Message[]
  /** How the code shows that nothing else is affected. */
  rest: readonly Message[]
}

interface Unexplained {
  reason: 'change-unexplained' | 'cause-not-found' | 'needs-the-task'
  detail: string
}

/**
 * Every step with its reason; of code that does not compile, the one that the compiler's first error is about comes
 * first. Or why the failure cannot be explained: a step without a reason, no step that fits the error, or a fault that
 * the question, which holds no task, does not show.
 */
export function explain(
  {files, reference, verdict, task}: Failure,
  {edits, error, observed}: FailureFacts,
  apis: ReadonlyMap<string, ApiEntry>,
): readonly Fault[] | Unexplained {
  const {diagnostics, log} = verdict.outcome === 'compile-failed' ? verdict : {diagnostics: [], log: ''}
  const errors = diagnostics.filter(({severity}) => severity === 'error').map(({message}) => message)
  const scene = {apis, failed: files, right: reference.files, errors, log}
  const faults: Fault[] = []
  for (const edit of edits) {
    const reason = reasonFor(edit, scene)
    if (!reason) return {reason: 'change-unexplained', detail: describe(edit)}
    if (error && !reason.fromCode) return {reason: 'needs-the-task', detail: describe(edit)}
    const trace = observed ? traceOf(edit, reason, {observed, cases: task.cases}, scene) : []
    faults.push({edit, reason, trace, rest: restOf(edit, edits, scene)})
  }
  if (!error) return shownFirst(faults, observed, files)
  const main = faults.find(({edit}) => isAt(edit, error)) ?? faults.find((fault) => isNamed(fault, error))
  if (!main && faults.length > 1) return {reason: 'cause-not-found', detail: error.message}
  return main ? [main, ...faults.filter((fault) => fault !== main)] : faults
}

/** Of what ran, the fault in the call in which the run ended comes first, or in what that call is given. */
function shownFirst(
  faults: readonly Fault[],
  observed: FailureFacts['observed'],
  failed: readonly SourceFile[],
): readonly Fault[] {
  if (observed?.kind !== 'rule') return faults
  // A flag that stays set is met at the end, where only its pipes are known.
  const {from, to} = observed.seen?.values ?? {}
  const event = `HardEvent::${from}_${to}`.replaceAll('PIPE_', '')
  const isCall = (text: string) =>
    text.includes(`${observed.api}(`) ||
    text.includes(`${observed.api}<`) ||
    text.startsWith(`${observed.api} `) ||
    (text.includes(event) && /(?:Set|Wait)Flag/.test(text))
  const all = failed.flatMap(statementsOfFile)
  const shown =
    faults.find(({edit}) => [...statementsIn(edit), ...passedBy(edit)].some(({text}) => isCall(text))) ??
    faults.find(({edit}) => {
      const name = edit.kind === 'replaced' ? /(\w+)(?:\{.*\}| = .*);$/.exec(edit.before.text)?.[1] : undefined
      return name !== undefined && all.some(({text}) => isCall(text) && new RegExp(`\\b${name}\\b`).test(text))
    }) ??
    faults.find(({trace}) => trace.length > 0)
  return shown ? [shown, ...faults.filter((fault) => fault !== shown)] : faults
}

const passedBy = (edit: Edit): readonly Statement[] => (edit.kind === 'moved' ? edit.passed : [])

function describe(edit: Edit): string {
  return `${edit.path} line ${edit.line}, ${edit.kind}`
}

/** Whether the error is in the step's own lines; after a missing mark, the next line counts. */
export function isAt(edit: Edit, {file, line}: Pick<CompileError, 'file' | 'line'>): boolean {
  if (edit.path !== file) return false
  switch (edit.kind) {
    case 'replaced':
      return line >= edit.before.line && line <= edit.before.lastLine
    case 'removed':
      return line >= edit.line && line <= edit.statements.at(-1)!.lastLine
    case 'marks':
      return line >= edit.line && line <= edit.line + 1
    default:
      return line === edit.line
  }
}

function isNamed({reason}: Fault, {cause}: CompileError): boolean {
  const {name, api = name} = cause as {name?: string; api?: string}
  return api !== undefined && namesOf(reason.fault).includes(api)
}
