import {type Bracketed, callsOf} from '../../facts/bracketed.ts'
import type {CodeStatement as Statement} from '../../../datasets/schema/edit-facts.ts'
import {isMissing} from './name-reasons.ts'
import {isOperation, operation} from './operations.ts'
import {failedStatements, kindOf, type Reason, type Replaced, reasons, type Scene} from './reason.ts'
import {escaped} from './text-relations.ts'

const because = reasons('call-reasons')

/** Another function than the right one, another receiver, or a form of use that the interface does not have. */
export function callReason(edit: Replaced, scene: Scene): Reason | undefined {
  const [wrong, right] = [firstCall(edit.before), firstCall(edit.after)]
  if (!right) return undefined
  const form = returned(edit, right) ?? address(edit, right) ?? compound(edit, right)
  if (form || !wrong) return form
  if (wrong.name === right.name) return receiver(edit, wrong, right, scene)
  return (
    invented(wrong, right, scene) ??
    handOver(wrong, right) ??
    scalarForTile(wrong, right, scene) ??
    plainCopy(wrong, right, scene) ??
    otherOperation(wrong, right, scene)
  )
}

function firstCall(statement: Statement): Bracketed | undefined {
  return callsOf(statement).find(({name}) => !/^(?:if|for|while|switch|return)$/.test(name))
}

/** `y = Exp(x, n)` for `Exp(y, x, n)`. */
function returned({before}: Replaced, right: Bracketed): Reason | undefined {
  const [, target, name] = /^([\w.>[\]-]+) = (?:AscendC::)?(\w+)\(/.exec(before.text) ?? []
  if (target === undefined || name !== right.name || target !== right.args[0]) return undefined
  return because('returned', {name, target})
}

/** `gm = (__gm__ T*)x` for `gm.SetGlobalBuffer(…)`. */
function address({before}: Replaced, {name, receiver: tensor, args: [, count = 'none']}: Bracketed) {
  const isOne = name === 'SetGlobalBuffer' && before.text.startsWith(`${tensor} = `)
  return isOne ? because('address', {tensor, count}) : undefined
}

/** `y += x` for `Add(y, …)`. */
function compound({before}: Replaced, right: Bracketed): Reason | undefined {
  const [, target, mark] = /^(.+?) ([-+*/]=) .+;$/.exec(before.text) ?? []
  const does = operation(right)
  if (mark === undefined || target === undefined || target !== right.args[0] || !does) return undefined
  return because('compound', {mark, target}, {why: [because.says('compound-why', {}), does]})
}

function receiver(edit: Replaced, wrong: Bracketed, right: Bracketed, scene: Scene): Reason | undefined {
  if (wrong.receiver === right.receiver) return undefined
  const isNested = /^AscendC::\w+$/.test(wrong.receiver)
  if (isNested && (right.receiver === '' || right.receiver === 'AscendC'))
    return because('nested', {name: right.name, namespace: wrong.receiver})
  if (!/^(?:EnQue|DeQue|AllocTensor|FreeTensor)$/.test(right.name)) return undefined
  return otherQueue(edit, wrong, right, scene)
}

/** A tensor that goes into, or comes from, another queue than its own. */
function otherQueue({path, line}: Replaced, wrong: Bracketed, right: Bracketed, scene: Scene): Reason | undefined {
  const statements = failedStatements(path, scene)
  const [tensor] = right.args
  const values = {name: right.name, wrong: wrong.receiver, right: right.receiver}
  if (tensor !== undefined) {
    const isFrom = (one: Statement, queue: string) => one.text.includes(` ${tensor} = ${queue}.`)
    const from = statements.findLast((one) => one.line <= line && one.text.includes(` ${tensor} = `))
    if (from && isFrom(from, right.receiver)) return because('other-queue', {...values, tensor, line: from.line})
    const later = statements.find((one) => one.line > line && isFrom(one, right.receiver) && /\bDeQue\b/.test(one.text))
    return later && right.name === 'EnQue'
      ? because('missed-queue', {...values, tensor, line: later.line}, {why: because.says('missed-queue-why', values)})
      : undefined
  }
  const takes = new RegExp(`${escaped(right.receiver)}\\.(?:template )?${right.name}\\b`)
  if (statements.some(({text}) => takes.test(text))) return undefined
  const why = because.says(right.name === 'AllocTensor' ? 'wrong-queue-alloc' : 'wrong-queue-take', values)
  return because('wrong-queue', values, {why})
}

/** A function that the interface does not have. */
function invented({name, receiver}: Bracketed, right: Bracketed, scene: Scene): Reason | undefined {
  // A documented one may only be missing where this was compiled.
  if (scene.apis.has(name) || !isMissing(name, scene) || (receiver !== 'AscendC' && receiver !== '')) return undefined
  const does = operation(right)
  return does && because('invented', {name, right: right.name, does})
}

function handOver(wrong: Bracketed, right: Bracketed): Reason | undefined {
  if (wrong.receiver !== right.receiver) return undefined
  const names = [wrong.name, right.name].join(' ')
  if (names === 'AllocTensor DeQue') return because('alloc-for-deque', {queue: right.receiver})
  return names === 'DeQue AllocTensor' ? because('deque-for-alloc', {queue: right.receiver}) : undefined
}

/** One element by the scalar unit for a whole tile. */
function scalarForTile(wrong: Bracketed, {name, args}: Bracketed, scene: Scene): Reason | undefined {
  if (wrong.name !== 'SetValue' || kindOf(wrong.receiver, scene) === undefined) return undefined
  const [index = '0', value = ''] = wrong.args
  const foreign = /^(\w*f|std::\w+)\(/.exec(value)?.[1]
  if (foreign !== undefined && isOperation(name)) return because('host-function', {foreign, name, count: args.at(-1)!})
  if (!/^DataCopy/.test(name)) return undefined
  const [to = '', from = ''] = args
  return because('scalar-write', {target: wrong.receiver, index, name, from, to})
}

function plainCopy(wrong: Bracketed, right: Bracketed, scene: Scene): Reason | undefined {
  if (wrong.name !== 'DataCopy' || right.name !== 'DataCopyPad') return undefined
  if (wrong.args[0] !== right.args[0] || wrong.args[1] !== right.args[1]) return undefined
  const count = wrong.args[2] ?? ''
  if (/^\{/.test(count) || /^(?:copy|pad)$/.test(kindOf(count, scene) ?? ''))
    return because('pad-parameters', {count, parameters: right.args.slice(2).join(', ')})
  const values = {count, parameters: right.args[2] ?? ''}
  const isFixed = /^\d+$/.test(count)
  return because(isFixed ? 'fixed-copy' : 'plain-copy', values, {why: because.says('plain-copy-why', values)})
}

/** An instruction that is there, for another one. */
function otherOperation(wrong: Bracketed, right: Bracketed, scene: Scene): Reason | undefined {
  const [was, does] = [operation(wrong), operation(right)]
  if (!was || !does || wrong.args.join() !== right.args.join()) return undefined
  const values = {wrong: wrong.name, right: right.name}
  if (scene.errors.length === 0) return because('other-operation', values, {why: [was, does], fromCode: false})
  const isKnown = right.args.every((text) => kindOf(text, scene) !== undefined)
  return isKnown ? because('foreign-arguments', {...values, given: right.args, does}) : undefined
}
