import type {BufferFact} from '../../datasets/schema/code-facts.ts'
import type {FunctionSyntax} from '../../cpp/syntax.ts'
import {variableOf} from './variable.ts'

/**
 * Queues that order the pipes: those by which one function hands a tile to another. A queue whose tiles are only
 * allocated and freed orders nothing. One side may stand in an included file, as of a base class, or in a function that
 * gets the queue as an argument.
 * @param given the text of the included files
 */
export function passingQueues(
  buffers: readonly BufferFact[],
  functions: readonly FunctionSyntax[],
  given: string,
): string[] {
  return buffers.map(({name}) => name).filter((name) => isPassedOn(name, functions, given))
}

function isPassedOn(queue: string, functions: readonly FunctionSyntax[], given: string): boolean {
  const sides = functions.flatMap((one) => {
    const names = [queue, ...parametersFor(queue, one, functions)]
    return one.calls.filter(({receiver}) => names.includes(variableOf(receiver))).map(({name}) => name)
  })
  const isOwn = sides.includes('EnQue') || sides.includes('DeQue')
  const isGiven = (api: string) => new RegExp(`\\b${queue}\\s*\\.\\s*(?:template\\s+)?${api}\\b`).test(given)
  return ['EnQue', 'DeQue'].every((api) => sides.includes(api) || (isOwn && isGiven(api)))
}

/** Parameters of a function that are this queue in some call of it. */
function parametersFor(queue: string, one: FunctionSyntax, functions: readonly FunctionSyntax[]): string[] {
  if (!one.parameters.some(isQueue)) return []
  const calls = functions.flatMap((other) => other.calls).filter(({name}) => name === one.name)
  return one.parameters.flatMap((parameter, index) =>
    isQueue(parameter) && calls.some(({args}) => variableOf(args[index] ?? '') === queue) ? parameter.name : [],
  )
}

function isQueue({type}: FunctionSyntax['parameters'][number]): boolean {
  return /\bTQue(?:Bind)?\b/.test(type)
}
