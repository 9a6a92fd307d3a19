import type {SourceFile} from '../../datasets/schema/operator.ts'
import type {Diagnostic, Verdict} from '../../datasets/schema/verdict.ts'

/** The first error of a build that failed, with all that the compiler says of it. */
export interface CompileError {
  file: string
  line: number
  /** The source line that it points at, without indentation. */
  text: string
  message: string
  cause: Cause
  /** Errors in the whole log. */
  errors: number
  /** The next ones in the candidate's files, each in a line of its own; a few. */
  others: Pick<Diagnostic, 'file' | 'line' | 'message'>[]
  /** What the compiler printed of it: message, quoted line, notes. */
  log: string
}

/** What a message of clang's says, by its kind. */
export type Cause =
  | {kind: 'undeclared'; name: string; near: string}
  | {kind: 'count'; api: string; given: number; wanted: number[]}
  | {kind: 'conflict'; api: string; parameter: string; types: [string, string]}
  | {kind: 'other-kind'; api: string; wanted: string; given: string}
  | {kind: 'call'; api: string}
  | {kind: 'conversion'; from: string; to: string}
  | {kind: 'member'; name: string; of: string}
  | {kind: 'expected'; what: string}
  | {kind: 'redefinition'; name: string}
  | {kind: 'other'}

const longestLog = 1600

/** Undefined if no error is in the candidate's own files. */
export function compileErrorOf(
  {diagnostics, log}: Extract<Verdict, {outcome: 'compile-failed'}>,
  files: readonly SourceFile[],
): CompileError | undefined {
  const errors = diagnostics.filter(({severity}) => severity === 'error')
  const [first] = errors
  const source = files.find(({path}) => path === first?.file)
  const text = source?.text.split('\n')[(first?.line ?? 0) - 1]?.trim()
  if (!first || text === undefined || text === '') return undefined
  const {file, line, message} = first
  const notes = notesOf(first, diagnostics)
  const cause = causeOf(message, notes)
  return {
    file,
    line,
    text,
    message,
    cause,
    errors: errors.length,
    others: othersOf(errors, files),
    log: partOf(log, first),
  }
}

const mostOthers = 3

function othersOf([first, ...rest]: readonly Diagnostic[], files: readonly SourceFile[]): CompileError['others'] {
  const places = new Map<string, Diagnostic>()
  for (const error of rest) {
    const place = `${error.file}:${error.line}`
    const isOwn = files.some(({path}) => path === error.file)
    if (isOwn && place !== `${first?.file}:${first?.line}` && !places.has(place)) places.set(place, error)
  }
  return [...places.values()].slice(0, mostOthers).map(({file, line, message}) => ({file, line, message}))
}

function notesOf(error: Diagnostic, diagnostics: readonly Diagnostic[]): string[] {
  const after = diagnostics.slice(diagnostics.indexOf(error) + 1)
  const end = after.findIndex(({severity}) => severity === 'error')
  return (end < 0 ? after : after.slice(0, end)).map(({message}) => message)
}

/** From the line of the message up to that of the next error. */
function partOf(log: string, {file, line, column}: Diagnostic): string {
  const lines = log.split('\n')
  const start = lines.findIndex((one) => one.startsWith(`${file}:${line}:${column}: error:`))
  const from = lines.slice(Math.max(start, 0))
  const end = from.findIndex((one, index) => index > 0 && /^\S+:\d+:\d+: error:|^\d+ errors? generated/.test(one))
  const text = (end < 0 ? from : from.slice(0, end)).filter((one) => !/^In file included from /.test(one)).join('\n')
  return text.length <= longestLog ? text.trimEnd() : `${text.slice(0, text.lastIndexOf('\n', longestLog))}\n…`
}

const undeclared =
  /(?:undeclared identifier|unknown type name|no \w+ named) '(\w+)'(?! in ')(?:.*did you mean '([\w:]+)')?/

function causeOf(message: string, notes: readonly string[]): Cause {
  const call = /^no matching (?:member )?function for call to '(\w+)'/.exec(message)?.[1]
  if (call !== undefined) return causeOfCall(call, notes)
  const [, name, near = ''] = undeclared.exec(message) ?? []
  if (name !== undefined) return {kind: 'undeclared', name, near}
  const [, from, to] = /^no viable conversion from '([^']+)' to '([^']+)'/.exec(message) ?? []
  if (from !== undefined) return {kind: 'conversion', from, to: to!}
  const [, member, of] = /^no (?:member|type|template) named '(\w+)' in '([^']+)'/.exec(message) ?? []
  if (member !== undefined) return {kind: 'member', name: member, of: of!}
  const [, what] = /^expected (.+)$/.exec(message) ?? []
  if (what !== undefined) return {kind: 'expected', what}
  const [, again] = /^redefinition of '(\w+)'/.exec(message) ?? []
  return again === undefined ? {kind: 'other'} : {kind: 'redefinition', name: again}
}

/** Why none of the forms of a call was taken; forms may refuse it for different reasons, then no reason is given. */
function causeOfCall(api: string, notes: readonly string[]): Cause {
  const why = notes.filter((note) => /^candidate|requires/.test(note))
  const counts = why.flatMap((note) => matchOf(/requires (?:at least |at most )?(\d+) arguments?, but (\d+) w/, note))
  if (why.length > 0 && counts.length === why.length)
    return {kind: 'count', api, given: Number(counts[0]![2]), wanted: [...new Set(counts.map((one) => Number(one[1])))]}
  const [conflict] = why.flatMap((note) =>
    matchOf(/conflicting types for parameter '(\w+)' \('([^']+)' vs\. '([^']+)'\)/, note),
  )
  if (conflict && why.length === 1)
    return {kind: 'conflict', api, parameter: conflict[1]!, types: [conflict[2]!, conflict[3]!]}
  const [other] = why.flatMap((note) => matchOf(/could not match '([^']+)' against '([^']+)'/, note))
  return other && why.length === 1
    ? {kind: 'other-kind', api, wanted: other[1]!, given: other[2]!}
    : {kind: 'call', api}
}

function matchOf(pattern: RegExp, text: string): RegExpExecArray[] {
  const found = pattern.exec(text)
  return found ? [found] : []
}
