import type {Prototype} from '../../prototype.ts'
import type {Facts, ParameterFact} from '../../section-facts.ts'
import type {Base} from '../ask-base.ts'

/** How an interface is called: its one form with every parameter, or what sets its forms apart. */
export interface FormsAsk {
  kind: 'forms'
  api: string
  prototypes: Prototype[]
  /** Parameters that every form has. */
  shared: string[]
  forms: FormFact[]
  parameters: ParameterFact[]
}

/** What sets one form of a call apart. */
export interface FormFact {
  /** The function's name where the forms have different ones, else ''. */
  name: string
  /** Parameters that not every form has. */
  own: string[]
  /** An earlier form (0-based) with the same parameter names, and the parameters whose type differs. */
  twin: {form: number; differs: {name: string; here: string; there: string}[]} | undefined
}

export function formsAsk(own: Facts, page: Facts, {api, hasNeed}: Base): FormsAsk[] {
  const prototypes = own.prototypes.filter(isNamedAndShort).slice(0, 4)
  if (prototypes.length === 0 || (hasNeed && isPlain(prototypes))) return []
  const lists = prototypes.map(parameterNames)
  const shared = lists[0]!.filter((name) => lists.every((list) => list.includes(name)))
  const namesDiffer = new Set(prototypes.map((prototype) => prototype.name)).size > 1
  const forms = prototypes.map((prototype, index) => ({
    name: namesDiffer ? prototype.name : '',
    own: lists[index]!.filter((name) => !shared.includes(name)),
    twin: twinOf(prototypes, index),
  }))
  return [{kind: 'forms', api, prototypes, shared, forms, parameters: page.parameters}]
}

/** One form with a single parameter, or none, and nothing to choose: a part of what the interface does. */
export function isPlain([only, ...others]: readonly Prototype[]): boolean {
  if (!only || others.length > 0 || only.parameters.length > 1) return false
  return only.templates.length === 0 && only.parameters.every(({defaultValue}) => defaultValue === undefined)
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

/** The fact that the page's table has of a parameter. */
export function factOf(name: string, parameters: readonly ParameterFact[]): ParameterFact | undefined {
  return parameters.find((each) => each.structure === '' && each.names.includes(name))
}
