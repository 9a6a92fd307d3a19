import {formatFiles} from '../../../datasets/operator-reply.ts'
import type {Failure} from '../../../datasets/schema/correction.ts'
import {code, paragraph, paragraphs, type Voice} from '../../../datasets/voice.ts'
import type {CompileError} from '../compile-error.ts'
import type {FailureFacts} from '../failure-facts.ts'
import {causeText, declared, isOnCall} from './cause-text.ts'
import {changesText} from './change-text.ts'
import {readingOf} from './observation-text.ts'

/** From what was seen to its cause, and from the cause to what has to be written; then how the right code works. */
export function reasoningOf({reference}: Failure, facts: FailureFacts, voice: Voice): string {
  const {say} = voice
  return paragraphs([
    facts.error ? readError(facts.error, facts, voice) : '',
    facts.observed ? readingOf(facts.observed) : '',
    changesText(facts.changes, {ofRun: !facts.error, voice}),
    elsewhere(facts, voice),
    facts.error || reference.reasoning === ''
      ? ''
      : `${say('The corrected code, thought through:', '改正后的代码的思路：')}\n${reference.reasoning}`,
  ])
}

function readError(error: CompileError, {changes, api}: FailureFacts, voice: Voice): string {
  const here = changes.filter(({path, line}) => path === error.file && Math.abs(line - error.line) <= 1)
  const {say} = voice
  const place = say(`${error.file}, line ${error.line}`, `${error.file}第${error.line}行`)
  const only = say(`The error is in ${place}: ${code(error.text)}.`, `错误在${place}：${code(error.text)}。`)
  const first =
    error.errors === 1
      ? only
      : say(
          `The log holds ${error.errors} errors; later ones may follow from the first: ${place}, ${code(error.text)}.`,
          `日志里有${error.errors}个错误，后面的可能由第一个引起，所以先看第一个：${place}，${code(error.text)}。`,
        )
  const given = api && isOnCall(error.cause, error.text) ? argumentsGiven(api.name, here) : undefined
  return paragraph(voice, [
    first,
    causeText(error.cause, error.text, voice),
    api && given !== undefined ? declared(api, given, voice) : '',
  ])
}

/** Arguments of the only corrected call of an interface. */
function argumentsGiven(name: string, changes: FailureFacts['changes']): number | undefined {
  const text = changes.flatMap(({added}) => added).join('\n')
  const calls = [
    ...text.matchAll(new RegExp(`(?<!\\w)${name}\\s*(?:<[^;(){}=]*>)?\\s*\\(([^()]*(?:\\([^()]*\\)[^()]*)*)\\)`, 'g')),
  ]
  const [only, ...others] = calls
  if (!only || others.length > 0) return undefined
  return topLevel(only[1]!)
}

function topLevel(list: string): number {
  const flat = list.replace(/\([^()]*\)|<[^<>]*>/g, '')
  return flat.trim() === '' ? 0 : flat.split(',').length
}

/** The place of the error and that of the fault may be apart: then it is said. */
function elsewhere({error, changes}: FailureFacts, {say}: Voice): string {
  const [only, ...others] = changes
  if (!error || !only || others.length > 0) return ''
  const isThere = only.path === error.file && Math.abs(only.line - error.line) <= 1
  return isThere
    ? ''
    : say(
        `The fault is elsewhere: line ${error.line} shows what line ${only.line} of ${only.path} lacks.`,
        `出错的地方不在编译器停下的地方：它在第${error.line}行发现的问题，根子在${only.path}的第${only.line}行。`,
      )
}

/** The error in a sentence, and the files that change. */
export function answerOf({error, observed, right}: FailureFacts, {say}: Voice): string {
  const cause = error
    ? say(`Cause: ${error.message} at ${code(error.text)}.`, `原因：${code(error.text)}处，${error.message}。`)
    : `Cause: ${shortly(observed)}`
  return paragraphs([cause, formatFiles(right)])
}

function shortly(observed: FailureFacts['observed']): string {
  switch (observed?.kind) {
    case 'rule':
      return `${code(observed.api)} breaks the rule ${code(observed.rule)}; the code below keeps it.`
    case 'numbers':
      return 'wrong values; the code below computes the right ones.'
    case 'stopped':
      return `the run does not finish (${observed.how}); with the code below it does.`
    default:
      return 'it does not link; the code below does.'
  }
}
