import {formatFiles} from '../../../datasets/operator-reply.ts'
import type {CodeStatement as Statement, Edit} from '../../../datasets/schema/edit-facts.ts'
import {paragraphs, type Voice} from '../../../datasets/voice.ts'
import {callsOf} from '../../facts/bracketed.ts'
import {type Message, tell, tellAll} from '../../telling/tell-message.ts'
import type {CompileError} from '../compile-error.ts'
import type {FailureFacts} from '../failure-facts.ts'
import {causeOf} from './cause-text.ts'
import {type Fault, isAt} from './explanation.ts'
import {consequenceOf, readingOf} from './observation-text.ts'
import {namesOf, type Replaced, sitesOf} from './reason.ts'

const says = (situation: string, values: Message['values'] = {}): Message => ({topic: 'corrections', situation, values})

/** From what was seen to its cause, from the cause back to what was seen, and to what has to be written. */
export function reasoningOf({error, observed}: FailureFacts, faults: readonly Fault[], voice: Voice): string {
  const [first, ...others] = faults as [Fault, ...Fault[]]
  const isOnly = others.length === 0
  const told = new Set(first.rest.map((one) => JSON.stringify(one)))
  const fresh = (rest: readonly Message[]) => rest.filter((one) => !told.has(JSON.stringify(one)))
  const led = first.trace.length > 0 || !observed || !isOnly ? first.trace : [consequenceOf(observed)]
  return paragraphs([
    tellAll([...(error ? readError(error, first) : []), ...(observed ? readingOf(observed) : [])], voice),
    tellAll([...where(first, error, voice), ...first.reason.why, ...led], voice),
    tellAll([...mended(first, !error), ...first.rest], voice),
    ...others.map((fault) => {
      const {reason, rest} = fault
      return tellAll(
        [another(fault, error), place(fault, voice), ...reason.why, ...mended(fault, true), ...fresh(rest)],
        voice,
      )
    }),
    observed && !isOnly ? tell(says('first-met'), voice) : '',
  ])
}

function readError({file: path, line, text, cause, errors}: CompileError, {edit, reason}: Fault): Message[] {
  const right = edit.kind === 'replaced' ? edit.after.text : ''
  // The fault already says that the name does not exist.
  const isSaid = (cause.kind === 'undeclared' || cause.kind === 'member') && namesOf(reason.fault).includes(cause.name)
  const causes = causeOf(cause, right).filter(({situation}) => !isSaid || situation === 'guess')
  return [says('error', {path, line, text, errors}), ...causes]
}

/** The place of the error and that of the fault may be apart. */
function where(first: Fault, error: CompileError | undefined, voice: Voice): readonly Message[] {
  const {edit, reason} = first
  if (!error) return [place(first, voice)]
  // The place of the error has been stated.
  if (isAt(edit, error)) return reason.fault
  if (edit.kind === 'added') return [says('elsewhere-missing', {line: error.line}), ...reason.fault]
  return [says('elsewhere', {line: error.line, fault: edit.line, path: edit.path}), ...reason.fault]
}

function another({edit}: Fault, error: CompileError | undefined): Message {
  if (!error) return says('another')
  return says(error.others.some((other) => isAt(edit, other)) ? 'later' : 'unmentioned')
}

function place({edit: {kind, path, line}, reason: {fault}}: Fault, voice: Voice): Message {
  return says(kind === 'added' ? 'gap' : 'place', {path, line, fault: tellAll(fault, voice)})
}

const longestQuoted = 140

/** What to write; empty if the fault already says it. @param isPlaced whether its place is stated */
function mended({edit, reason}: Fault, isPlaced: boolean): Message[] {
  switch (edit.kind) {
    case 'replaced': {
      const after = shortest(edit)
      return after === '' ? [] : [says('replace', {after})]
    }
    case 'added': {
      const text = edit.statements.map((one) => one.text).join(' ')
      const isSaid = namesOf([...reason.fault, ...reason.why]).some((one) => one.includes(text))
      if (isSaid) return isPlaced ? [] : [says('add-it', {line: edit.line})]
      return text.length > longestQuoted ? [] : [says(isPlaced ? 'add-there' : 'add', {text, line: edit.line})]
    }
    case 'removed':
      return [edit.statements.length > 1 ? says('remove-lines') : says('remove', {text: edit.statements[0]!.text})]
    case 'moved':
      return moved(edit)
    case 'unwrapped':
      return [says('unwrap')]
    case 'marks':
      return []
  }
}

/** By the nearest statement about the same tensor; other statements that it passes do not matter. */
function moved({statement, isLater, passed}: Extract<Edit, {kind: 'moved'}>): Message[] {
  const [tensor = ''] = callsOf(statement)[0]?.args ?? []
  const about = passed.filter(({tokens}) => /^[A-Za-z_]\w*$/.test(tensor) && tokens.some(({text}) => text === tensor))
  const those = about.length > 0 ? about : passed
  const beside = isLater ? those.at(-1) : those[0]
  return beside ? [says(isLater ? 'behind' : 'before', {beside: beside.text})] : []
}

/** The right statement, or of a long one the call or list that differs. */
function shortest(edit: Replaced): string {
  const {after} = edit
  const whole = after.text.replace(/ \{$/, '')
  if (whole.length <= longestQuoted) return whole
  const {start, rightEnd} = edit.differs
  const fitting = sitesOf(edit).map(
    (site) => `${site.after.name}${site.after.mark}${site.after.args.join(', ')}${closing[site.after.mark]}`,
  )
  const quoted = fitting.filter((text) => text.length <= longestQuoted).at(-1)
  if (quoted !== undefined) return quoted
  const stretch = joined(after, start, rightEnd)
  // One argument of a long list is named by the fault.
  return /^,|,$/.test(stretch) ? '' : stretch
}

const closing = {'(': ')', '[': ']', '{': '}'} as const

function joined({tokens}: Statement, start: number, end: number): string {
  return tokens
    .slice(start, end)
    .map(({text}) => text)
    .join('')
}

/** The cause in a sentence, or one for each of several; and the files that change. */
export function answerOf({right}: FailureFacts, faults: readonly Fault[], voice: Voice): string {
  const told = faults.map(({reason}) => tellAll(reason.fault, voice))
  const listed = told.map((fault, at) => `${at + 1}. ${fault}`)
  const cause =
    told.length === 1
      ? tell(says('cause', {fault: told[0]!}), voice)
      : [tell(says('causes'), voice), ...listed].join('\n')
  return paragraphs([cause, formatFiles(right)])
}
