import type {Prototype} from '../prototype.ts'
import type {Facts} from '../section-facts.ts'
import type {Ask, FormFact} from './ask.ts'
import type {Base} from './ask-base.ts'

/** Which forms there are, and what sets each apart. */
export function prototypeAsk(own: Facts, page: Facts, base: Base): Ask[] {
  const prototypes = own.prototypes.filter(isNamedAndShort).slice(0, 4)
  if (prototypes.length === 0) return []
  const lists = prototypes.map(parameterNames)
  const shared = lists[0]!.filter((name) => lists.every((list) => list.includes(name)))
  const namesDiffer = new Set(prototypes.map((prototype) => prototype.name)).size > 1
  const forms = prototypes.map((prototype, index) => ({
    name: namesDiffer ? prototype.name : '',
    own: lists[index]!.filter((name) => !shared.includes(name)),
    twin: twinOf(prototypes, index),
  }))
  return [{kind: 'prototypes', ...base, prototypes, shared, forms, parameters: page.parameters}]
}

function isNamedAndShort({parameters, text}: Prototype): boolean {
  return parameters.every(({name}) => name !== '') && text.length < 900
}

function parameterNames({parameters}: Prototype): string[] {
  return parameters.map(({name}) => name)
}

function twinOf(prototypes: readonly Prototype[], index: number): FormFact['twin'] {
  const here = prototypes[index]!
  const form = prototypes.slice(0, index).findIndex((there) => areNamedAlike(there, here))
  if (form < 0) return undefined
  const there = prototypes[form]!
  const differs = here.parameters.flatMap(({name, type}, at) => {
    const other = there.parameters[at]!.type
    return type === other ? [] : [{name, here: type, there: other}]
  })
  return {form, differs}
}

function areNamedAlike(one: Prototype, other: Prototype): boolean {
  return one.name === other.name && parameterNames(one).join() === parameterNames(other).join()
}
