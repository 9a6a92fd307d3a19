import {formatFiles} from '../../../datasets/operator-reply.ts'
import type {Failure} from '../../../datasets/schema/correction.ts'
import {code, paragraph, paragraphs, type Voice} from '../../../datasets/voice.ts'
import {callsOf} from '../../facts/bracketed.ts'
import type {CompileError} from '../compile-error.ts'
import type {Edit} from '../../../datasets/schema/edit-facts.ts'
import type {FailureFacts} from '../failure-facts.ts'
import type {CodeStatement as Statement} from '../../../datasets/schema/edit-facts.ts'
import {causeText} from './cause-text.ts'
import {type Fault, isAt} from './explanation.ts'
import {consequenceOf, readingOf} from './observation-text.ts'
import {type Replaced, sitesOf} from './reason.ts'

/** From what was seen to its cause, and from the cause to what has to be written; then how the right code works. */
export function reasoningOf(
  {reference}: Failure,
  {error, observed}: FailureFacts,
  faults: readonly Fault[],
  voice: Voice,
): string {
  const {say} = voice
  const [first, ...others] = faults as [Fault, ...Fault[]]
  return paragraphs([
    error ? readError(error, first, voice) : '',
    observed ? readingOf(observed, voice) : '',
    paragraph(voice, [
      error && !isAt(first.edit, error) ? elsewhere(error, first.edit, voice) : '',
      faultText(first, observed && others.length === 0 ? consequenceOf(observed, voice) : '', voice),
    ]),
    ...others.map((fault) => paragraph(voice, [another(fault, error, voice), faultText(fault, '', voice)])),
    observed && others.length > 0
      ? say(
          'A run ends at what it meets first, so what it showed does not tell all of them.',
          '运行停在最先遇到的错误上，因此运行结果没有显示全部错误。',
        )
      : '',
    error || reference.reasoning === ''
      ? ''
      : `${say('The corrected operator, thought through:', '改正后的算子的思路：')}\n${reference.reasoning}`,
  ])
}

function readError({file, line, text, cause, errors}: CompileError, {edit}: Fault, voice: Voice): string {
  const {say} = voice
  const place = say(`${file}, line ${line}`, `${file}第${line}行`)
  const first =
    errors === 1
      ? say(`The error is in ${place}: ${code(text)}.`, `错误在${place}：${code(text)}。`)
      : say(
          `The log holds ${errors} errors; the first is in ${place}: ${code(text)}.`,
          `日志里有${errors}个错误，第一个在${place}：${code(text)}。`,
        )
  return paragraph(voice, [first, causeText(cause, edit.kind === 'replaced' ? edit.after.text : '', voice)])
}

/** The place of the error and that of the fault may be apart. */
function elsewhere({line}: CompileError, edit: Edit, {say}: Voice): string {
  return say(
    `The fault is elsewhere: line ${line} only shows what line ${edit.line} of ${edit.path} does to it.`,
    `出错的地方不是根源：第${line}行的问题来自${edit.path}的第${edit.line}行。`,
  )
}

function another({edit}: Fault, error: CompileError | undefined, {say}: Voice): string {
  if (!error) return say('There is another fault.', '还有一处错误。')
  return error.others.some((other) => isAt(edit, other))
    ? say('A later message is about another fault.', '后面的报错说的是另一处错误。')
    : say('The code has another fault, which this message does not speak of.', '代码里还有一处错误，这条报错没有说到。')
}

function faultText({edit, reason: {fault, why}}: Fault, consequence: string, voice: Voice): string {
  const place = voice.say(`${edit.path}, line ${edit.line}: ${fault}`, `${edit.path}第${edit.line}行：${fault}`)
  return paragraph(voice, [place, why, consequence, mended(edit, `${fault}${why}`, voice)])
}

const longestQuoted = 140

/** What has to be written; '' where the fault says it already. */
function mended(edit: Edit, said: string, {say}: Voice): string {
  switch (edit.kind) {
    case 'replaced': {
      const after = shortest(edit)
      return after === '' ? '' : say(`It has to be ${code(after)}.`, `要写成${code(after)}。`)
    }
    case 'added': {
      const text = edit.statements.map((one) => one.text).join(' ')
      if (text.length > longestQuoted || said.includes(text)) return ''
      return say(`${code(text)} has to come before line ${edit.line}.`, `要在第${edit.line}行之前加上${code(text)}。`)
    }
    case 'removed':
      return edit.statements.length > 1
        ? say('These lines have to go.', '这几行要去掉。')
        : say(`${code(edit.statements[0]!.text)} has to go.`, `${code(edit.statements[0]!.text)}要去掉。`)
    case 'moved':
      return movedText(edit, say)
    case 'unwrapped':
      return say('The block has to go, and what stands in it stays.', '这一层代码块要去掉，里面的内容保留。')
    case 'marks':
      return ''
  }
}

/** By the nearest statement about the same tensor; others that it passes are no reason. */
function movedText({statement, isLater, passed}: Extract<Edit, {kind: 'moved'}>, say: Voice['say']): string {
  const [tensor = ''] = callsOf(statement)[0]?.args ?? []
  const about = passed.filter(({tokens}) => /^[A-Za-z_]\w*$/.test(tensor) && tokens.some(({text}) => text === tensor))
  const those = about.length > 0 ? about : passed
  const beside = isLater ? those.at(-1) : those[0]
  if (!beside) return ''
  return isLater
    ? say(`It has to come behind ${code(beside.text)}.`, `它要移到${code(beside.text)}之后。`)
    : say(`It has to come before ${code(beside.text)}.`, `它要移到${code(beside.text)}之前。`)
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
export function answerOf({right}: FailureFacts, faults: readonly Fault[], {say}: Voice): string {
  const [only, ...others] = faults as [Fault, ...Fault[]]
  const listed = faults.map(({reason}, at) => `${at + 1}. ${reason.fault}`).join('\n')
  const cause =
    others.length === 0
      ? say(`Cause: ${only.reason.fault}`, `原因：${only.reason.fault}`)
      : say(`Causes:\n${listed}`, `原因：\n${listed}`)
  return paragraphs([cause, formatFiles(right)])
}
