import type {FunctionSyntax} from '../../../cpp/syntax.ts'
import type {KernelFacts} from '../../../datasets/schema/code-facts.ts'
import {variableOf} from '../variable.ts'
import {isReadFirst, type TileValue} from './tile-values.ts'

/** What a formula uses of the step before and leaves for the next one. */
interface Carried {
  tensors: string[]
  /** A sum that grows from tile to tile, or another state; undefined without one. */
  situation: 'lane-sums' | 'carried' | undefined
  /** The instruction that makes one value of a sum at the end; 'none' without one. */
  reduced: string
}

export function carriedBy(one: TileValue, facts: KernelFacts): Carried {
  const {target, overwritten, expression, shared, calls} = one
  const kept = [...overwritten, ...(isReadFirst(target, calls) ? [target] : [])]
  const tensors = shared.length > 0 ? [] : kept.filter((tensor) => isCarried(tensor, one, facts))
  const isSum = tensors.join() === target && expression.startsWith(`${target} + `) && namedOnce(target, expression)
  if (isSum) return {tensors, situation: 'lane-sums', reduced: reducedBy(one, facts)}
  return {tensors, situation: tensors.length > 0 ? 'carried' : undefined, reduced: 'none'}
}

const namedOnce = (name: string, expression: string) =>
  expression.split(/\W+/).filter((one) => one === name).length === 1

/** The instruction of another function that makes one value of a tensor; 'none' without one. */
function reducedBy({target, method}: TileValue, {methods, vectorCalls}: KernelFacts): string {
  const functions = methods.map(({syntax}) => syntax)
  const buffer = bufferBehind(target, method, functions)
  // Of the reductions only this one makes one value, and a sum.
  const reductions = vectorCalls.filter(({call, method: other}) => call.name === 'ReduceSum' && other !== method)
  const found = reductions.find(
    ({method: other, call}) => bufferBehind(variableOf(call.args[1] ?? ''), other, functions) === buffer,
  )
  return found?.call.name ?? 'none'
}

/**
 * Whether a tensor keeps its content from one call of a function to the next: a buffer outside of queues that no other
 * function writes, except for its first value, and that nothing of the function has to do with before.
 */
function isCarried(tensor: string, {method, calls}: TileValue, {methods, vectorCalls}: KernelFacts): boolean {
  const functions = methods.map(({syntax}) => syntax)
  const bufferOf = (name: string, inside: string) => bufferBehind(name, inside, functions)
  const buffer = bufferOf(tensor, method)
  const copies = functions.flatMap((one) =>
    one.calls.filter(({name}) => /^DataCopy(?:Pad)?$/.test(name)).map((call) => ({method: one.name, call})),
  )
  const writes = vectorCalls.filter(({method: other, call}) => other !== method && call.name !== 'Duplicate')
  const others = [...writes, ...copies].map((one) => bufferOf(variableOf(one.call.args[0] ?? ''), one.method))
  const [line] = calls.map((one) => one.line).sort((one, other) => one - other)
  const before = methods.flatMap(({syntax}) => (syntax.name === method ? syntax.calls : []))
  const isUsed = before.some(
    ({line: at, args, receiver}) => at < (line ?? 0) && [receiver, ...args].some((one) => variableOf(one) === tensor),
  )
  const isGiven = functions.some((one) => one.name === method && one.parameters.some(({name}) => name === tensor))
  const isOnce = functions.every((one) => one.calls.every(({name, loops}) => name !== method || loops.length === 0))
  return buffer !== undefined && !isUsed && !others.includes(buffer) && !(isGiven && isOnce)
}

/** The buffer outside of queues that a tensor is; of a parameter that of what callers pass on. */
function bufferBehind(name: string, inside: string, functions: readonly FunctionSyntax[]): string | undefined {
  const own = functions.filter((one) => one.name === inside)
  const [got] = own.flatMap(({assignments}) =>
    assignments.flatMap((one) => (one.name === name ? (/^(\w+)\.(?:template )?Get</.exec(one.value)?.[1] ?? []) : [])),
  )
  const at = own[0]?.parameters.findIndex((one) => one.name === name) ?? -1
  if (got !== undefined || at < 0) return got
  const passed = functions.flatMap((one) =>
    one.calls.flatMap((call) => (call.name === inside && one.name !== inside ? [{caller: one.name, call}] : [])),
  )
  const buffers = passed.map(({caller, call}) => bufferBehind(variableOf(call.args[at] ?? ''), caller, functions))
  return new Set(buffers).size === 1 ? buffers[0] : undefined
}
