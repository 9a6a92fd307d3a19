import type {KernelFacts} from '../../datasets/schema/code-facts.ts'
import {knownNames, vectorApis} from '../../cpp/interfaces.ts'
import {balanced} from '../../cpp/tokenized.ts'
import {withoutBrackets} from './decisions/cleaned.ts'
import {variableOf} from './variable.ts'

/** What one output queue carries, as a formula over the inputs that were copied in: `z = x + y`. */
interface Formula {
  output: string
  expression: string
}

/** Longer formulas say less than the list of steps. */
const longest = 120

/**
 * Follows values through the compute methods, call by call, from input queues to output queues. Only for straight code:
 * a branch, a loop or a call that is not understood gives up the whole, because a wrong formula is worse than none.
 */
export function formulas(facts: KernelFacts): Formula[] {
  const names = {taken: queueNames(facts, 'in'), put: queueNames(facts, 'out')}
  const found: Formula[] = []
  for (const {syntax, role} of facts.methods) {
    if (role !== 'compute') continue
    const calls = facts.methods.some(
      (method) =>
        method.syntax.owner === syntax.owner &&
        method.syntax !== syntax &&
        syntax.calls.some((call) => call.name === method.syntax.name),
    )
    if (
      calls ||
      syntax.calls.some((call) => vectorApis.has(call.name) && (call.branches.length > 0 || call.loops.length > 0))
    )
      return []
    const followed = follow(syntax.calls, names)
    if (!followed) return []
    found.push(...followed)
  }
  return found.filter(({expression}) => expression.length <= longest && /[^\w]/.test(expression))
}

function follow(
  calls: KernelFacts['methods'][number]['syntax']['calls'],
  names: Readonly<Record<'taken' | 'put', ReadonlyMap<string, string>>>,
): Formula[] | undefined {
  const values = new Map<string, string>()
  const found: Formula[] = []
  for (const {name, receiver, args, result} of calls) {
    // `xLocal` is what the samples of the vendor call the tile of `x`.
    const side = name === 'EnQue' ? names.put : names.taken
    const queue = side.get(variableOf(receiver)) ?? /^(\w+?)_?[lL]ocal$/.exec(result ?? variableOf(args[0] ?? ''))?.[1]
    if (name === 'DeQue' && result !== undefined && queue !== undefined) values.set(result, queue)
    else if (name === 'EnQue' && queue !== undefined) {
      const expression = values.get(variableOf(args[0] ?? ''))
      if (expression !== undefined) found.push({output: queue, expression: withoutBrackets(expression)})
    } else if (vectorApis.has(name) && (receiver === '' || receiver === 'AscendC') && args.length >= 2) {
      const formula = vectorApis.get(name)?.formula
      if (formula === undefined) return undefined
      if (!tensorSources(name, formula).every((index) => values.has(variableOf(args[index] ?? '')))) return undefined
      values.set(variableOf(args[0] as string), fill(formula, args, values))
    } else if (!knownNames.has(name) && args.some((one) => values.has(variableOf(one)))) return undefined
  }
  return found
}

/** Arguments that must be tensors whose content is known. */
function tensorSources(name: string, formula: string): number[] {
  const {operands = []} = vectorApis.get(name) ?? {}
  const used = [...formula.matchAll(/\$(\d)/g)].map((match) => Number(match[1]))
  return [...(/\bdst\b/.test(formula) ? [0] : []), ...used.filter((index) => operands[index]?.kind !== 'scalar')]
}

function fill(formula: string, args: readonly string[], values: ReadonlyMap<string, string>): string {
  const value = (argument: string) => values.get(variableOf(argument)) ?? scalar(argument)
  const text = formula
    .replace(/\bdst\b/g, value(args[0] as string))
    .replace(/\$(\d)/g, (_, index: string) => value(args[Number(index)] ?? '?'))
  return formula === '$1' ? text : wrap(text)
}

function scalar(argument: string): string {
  const text = argument
    .replace(/static_cast<[^<>]*>\(([^()]*)\)/g, '$1')
    .replace(/^\(\w+\)\s*/, '')
    .replace(/(?<![\w.])(\d+\.\d*)f\b/g, '$1')
  return /^-?[\d.]+$/.test(text) ? text : wrap(text)
}

function wrap(text: string): string {
  return /^[\w.|]+$|^\|[^|]*\|$/.test(text) || isOneCall(text) ? text : `(${text})`
}

/** `exp(x)`; the bracket of `exp(x) - exp(y)` closes before the end. */
function isOneCall(text: string): boolean {
  const [name = ''] = /^[\w.]+(?=\()/.exec(text) ?? []
  return name !== '' && text === `${name}(${balanced(text, name.length)})`
}

/** Short names of queues: the kernel argument that is copied into or out of each; one queue may serve both ways. */
function queueNames({methods, moves, globals}: KernelFacts, way: 'in' | 'out'): Map<string, string> {
  const names = new Map<string, string>()
  for (const {syntax} of methods) {
    for (const {local, global, direction} of moves.filter(
      (move) => move.method === syntax.name && move.direction === way,
    )) {
      const argument =
        variableOf(globals.find(({name}) => name === variableOf(global))?.address ?? '') || variableOf(global)
      const call =
        direction === 'in'
          ? syntax.calls.find(({name, args}) => name === 'EnQue' && variableOf(args[0] ?? '') === variableOf(local))
          : syntax.calls.find(({name, result}) => name === 'DeQue' && result === variableOf(local))
      if (call) names.set(variableOf(call.receiver), argument)
    }
  }
  return names
}
