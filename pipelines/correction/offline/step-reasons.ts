import type {Edit} from '../../../datasets/schema/edit-facts.ts'
import {argumentReason} from './argument-reasons.ts'
import {callReason} from './call-reasons.ts'
import {expressionReason} from './expression-reasons.ts'
import {markReason} from './mark-reasons.ts'
import {nameReason, isMissing} from './name-reasons.ts'
import {missingReason} from './missing-reasons.ts'
import {type Reason, type Replaced, type Scene, failedStatements, reasons} from './reason.ts'
import {surplusReason} from './surplus-reasons.ts'
import {typeReason} from './type-reasons.ts'
import {valueReason} from './value-reasons.ts'
import {callsOf} from '../../facts/bracketed.ts'

const ofReplaced: readonly ((edit: Replaced, scene: Scene) => Reason | undefined)[] = [
  nameReason,
  callReason,
  argumentReason,
  expressionReason,
  typeReason,
  valueReason,
]

/** Why a step is needed; undefined where old and new text do not show it. */
export function reasonFor(edit: Edit, scene: Scene): Reason | undefined {
  switch (edit.kind) {
    case 'added':
      return missingReason(edit, scene)
    case 'removed':
      return surplusReason(edit, scene)
    case 'moved':
      return orderReason(edit)
    case 'unwrapped':
      return blockReason(edit, scene)
    case 'marks':
      return markReason(edit)
    case 'replaced':
      for (const reason of ofReplaced) {
        const found = reason(edit, scene)
        if (found) return found
      }
      return undefined
  }
}

const because = reasons('order-reasons')

/** A name that is declared in a block and used after it. */
export function blockReason({path, head, inner}: Extract<Edit, {kind: 'unwrapped'}>, scene: Scene): Reason | undefined {
  const end = inner.at(-1)?.lastLine ?? head.line
  const after = failedStatements(path, scene).filter(
    ({line, text}) => line >= end && !inner.some((one) => one.text === text),
  )
  for (const {text, line} of inner) {
    const name = /^(?:const )?[\w:]+(?:<.*?>)?[\s&*]+(\w+)(?:\{| = |;)/.exec(text)?.[1]
    if (name === undefined || !isMissing(name, scene)) continue
    const use = after.find((one) => new RegExp(`(?<![\\w.>])${name}\\b`).test(one.text))
    if (use) return because('block', {name, head: head.text, use: use.line, line})
  }
  return undefined
}

/** A statement that comes too early or too late: by what it passes. */
export function orderReason({statement, passed, isLater}: Extract<Edit, {kind: 'moved'}>): Reason | undefined {
  const call = callsOf(statement)[0]
  if (!call) return undefined
  const [tensor] = call.args
  const use = passed.find(({text}) => tensor !== undefined && new RegExp(`(?<![\\w.>])${tensor}\\b`).test(text))
  const beside = (start: string) => passed.find(({text}) => text.startsWith(start))?.text
  const early = {EnQue: 'enque-early', FreeTensor: 'free-early'}[call.name]
  if (early !== undefined && isLater && use && tensor !== undefined)
    return because(early, {tensor, queue: call.receiver, use: use.text})
  const [set, wait] = [beside('SetFlag'), beside('WaitFlag')]
  if (call.name === 'WaitFlag' && isLater && set !== undefined)
    return because('wait-early', {wait: statement.text, set})
  if (call.name !== 'SetFlag' || isLater || wait === undefined) return undefined
  return because('wait-early', {wait, set: statement.text})
}
