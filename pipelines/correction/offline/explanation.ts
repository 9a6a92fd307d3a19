import type {ApiEntry} from '../../../datasets/schema/api-entry.ts'
import type {SourceFile} from '../../../datasets/schema/operator.ts'
import type {Failure} from '../../../datasets/schema/correction.ts'
import type {CompileError} from '../compile-error.ts'
import type {Edit, CodeStatement as Statement} from '../../../datasets/schema/edit-facts.ts'
import type {FailureFacts} from '../failure-facts.ts'
import type {Message} from '../../telling/tell-message.ts'
import {
  namesOf,
  type Reason,
  statementsIn,
  statementsOfFile,
  changedArgument,
  changedWord,
  failedStatements,
  type Replaced,
  type Scene,
  sitesOf,
  stepsOf,
} from './reason.ts'
import {reasonFor} from './step-reasons.ts'
import {traceOf} from './fault-traces.ts'
import {callsOf} from '../../facts/bracketed.ts'

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

const says = (situation: string, values: Message['values']): Message => ({topic: 'rests', situation, values})

/** How the code shows that nothing else is affected; nothing where it does not. */
export function restOf(edit: Edit, edits: readonly Edit[], scene: Scene): Message[] {
  const queue = balanced(edit, scene)
  if (queue) return [queue]
  if (edit.kind !== 'replaced') return []
  return onlyThere(edit, scene) ?? sameText(edit, edits, scene) ?? sameCall(edit, edits, scene)
}

const steps = ['AllocTensor', 'EnQue', 'DeQue', 'FreeTensor']

/** The right code has as many of each step of the queue that the change is about. */
function balanced(edit: Edit, {right}: Scene): Message | undefined {
  const statements = edit.kind === 'replaced' ? [edit.after] : statementsIn(edit)
  const call = statements.flatMap(callsOf).find(({name}) => steps.includes(name))
  const file = right.find(({path}) => path === edit.path)
  if (!call || !file) return undefined
  const queue = call.receiver
  const [each = 0, ...others] = steps.map((step) => stepsOf(queue, step, file).length)
  return each > 0 && others.every((count) => count === each) ? says('balanced', {queue, each}) : undefined
}

/** A name that is written nowhere else. */
function onlyThere(edit: Replaced, scene: Scene): Message[] | undefined {
  const {wrong} = changedWord(edit) ?? {}
  if (wrong === undefined || !/^[A-Za-z_]\w*$/.test(wrong)) return undefined
  const uses = scene.failed.flatMap(statementsOfFile).flatMap(({tokens}) => tokens.filter(({text}) => text === wrong))
  return uses.length === 1 ? [says('only-there', {name: wrong})] : undefined
}

const mostLines = 3

/** Other lines of the file that no change and no message is about. */
function others(edit: Replaced, edits: readonly Edit[], scene: Scene) {
  const changed = edits.filter(({path}) => path === edit.path).map(({line}) => line)
  return failedStatements(edit.path, scene).filter(({line, lastLine}) => {
    const isRefused = scene.log.includes(`${edit.path}:${line}:`)
    return !isRefused && !changed.some((one) => one >= line && one <= lastLine)
  })
}

/** The field of a structure that another line fills in the right way. */
function sameText(edit: Replaced, edits: readonly Edit[], scene: Scene): Message[] | undefined {
  const [site] = sitesOf(edit)
  const changed = site && changedArgument(site)
  if (!site || !changed || site.after.mark !== '{' || changed.right.length < 4) return undefined
  const lines = others(edit, edits, scene)
    .filter(({text}) => text.includes(`${site.after.name}`) && text.includes(changed.right))
    .map(({line}) => line)
  return lines.length > 0 && lines.length <= mostLines ? [says('same-text', {lines, text: changed.right})] : undefined
}

/** Calls of the same function with as many arguments as are right. */
function sameCall(edit: Replaced, edits: readonly Edit[], scene: Scene): Message[] {
  const [right] = callsOf(edit.after)
  const [wrong] = callsOf(edit.before)
  if (!right || wrong?.name !== right.name || wrong.args.length === right.args.length) return []
  const lines = others(edit, edits, scene)
    .filter((one) => callsOf(one).some(({name, args}) => name === right.name && args.length === right.args.length))
    .map(({line}) => line)
  return lines.length > 0 && lines.length <= mostLines
    ? [says('same-call', {lines, name: right.name, count: right.args.length})]
    : []
}
