import type {GlobalFact, MoveFact} from '../../datasets/schema/code-facts.ts'
import {movementApis} from '../../cpp/interfaces.ts'
import type {Call, Declaration, FunctionSyntax} from '../../cpp/syntax.ts'
import {variableOf} from './variable.ts'

/** Tensors in global memory, with the address that each is bound to. */
export function globalFacts(declarations: readonly Declaration[], functions: readonly FunctionSyntax[]): GlobalFact[] {
  const set = functions.flatMap(({calls}) => calls).filter(({name}) => name === 'SetGlobalBuffer')
  return declarations.flatMap(({type, name}): GlobalFact[] => {
    const element = /^(?:AscendC::)?GlobalTensor\s*<(.*)>$/.exec(type)?.[1]
    if (element === undefined) return []
    const call = set.find(({receiver}) => variableOf(receiver) === name)
    return [{name, type: element.trim(), address: call?.args[0] ?? '', length: call?.args[1] ?? ''}]
  })
}

/** Copies between global memory and a core, or inside a core, in the order of the method. */
export function moveFacts({name: method, calls}: FunctionSyntax, globals: readonly GlobalFact[]): MoveFact[] {
  return calls
    .filter(({name, args}) => movementApis.has(name) && args.length >= 2)
    .map((call) => moveFact(call, method, globals))
}

function moveFact({name: api, args}: Call, method: string, globals: readonly GlobalFact[]): MoveFact {
  const [target = '', from = '', ...others] = args
  const amount = others.join(', ')
  if (isGlobal(target, globals)) return {api, direction: 'out', method, local: from, global: target, amount}
  if (isGlobal(from, globals)) return {api, direction: 'in', method, local: target, global: from, amount}
  return {api, direction: 'inside', method, local: target, global: '', amount}
}

function isGlobal(argument: string, globals: readonly GlobalFact[]): boolean {
  const variable = variableOf(argument)
  return globals.some(({name}) => name === variable) || /(?:gm|global)(?:_|tensor)?$/i.test(variable)
}
