import type {Edit} from '../../../datasets/schema/edit-facts.ts'
import {callsOf} from '../../facts/bracketed.ts'
import {isMissing} from './name-reasons.ts'
import {failedStatements, type Reason, reasons, type Scene} from './reason.ts'

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
