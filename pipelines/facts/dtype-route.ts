import type {ApiFacts, DtypeList} from '../../datasets/schema/code-facts.ts'
import {checkOf} from './checks.ts'
import type {Branch} from '../../cpp/syntax.ts'

/** What a list of types decides: where it is chosen, which tensors are looked up in it, and what comes after. */
export interface DtypeRoute {
  /** Functions that return the list, with the branches that lead there. */
  chosen: {method: string; branches: readonly Branch[]}[]
  /** Functions that look types of tensors up, and the status that the caller gets where one is not there. */
  lookups: {method: string; tensors: string[]; status: string | undefined}[]
  /** Conversions and computations that a plan makes of what passed. */
  steps: {plan: string; texts: string[]}[]
}

/** The way of a tensor's type through a file of an operator's interface. */
export function dtypeRoute({functions, statuses, steps}: ApiFacts, {name}: DtypeList): DtypeRoute {
  const chosen = functions.flatMap(({name: method, statements}) =>
    statements
      .filter(({kind, text, loops}) => kind === 'return' && text === name && loops.length === 0)
      .map(({branches}) => ({method, branches})),
  )
  const choosers = new Set(chosen.map(({method}) => method))
  const lookups = functions.flatMap(({name: method, statements}) => {
    const holding = statements.filter(({target, call}) => target !== '' && call && choosers.has(call.name))
    const isList = (text: string) =>
      text === name || holding.some(({target}) => target === text) || choosers.has(text.replace(/\(.*$/, ''))
    const tensors = statements.flatMap((one) => {
      const check = checkOf(one, {isApi: true})
      const [tensor = '', list = ''] = check?.kind === 'dtype-in' ? check.subjects : []
      return tensor !== '' && isList(list) ? [tensor] : []
    })
    return tensors.length > 0 ? [{method, tensors: [...new Set(tensors)], status: new Map(statuses).get(method)}] : []
  })
  const later = steps.map(([plan, all]) => ({
    plan,
    texts: all.filter(({kind}) => kind === 'cast' || kind === 'compute').map(({text}) => text),
  }))
  return {chosen, lookups, steps: later.filter(({texts}) => texts.length > 0)}
}
