import type {Prototype} from '../../prototype.ts'
import type {ParameterFact} from '../../parameter-table.ts'
import type {Facts} from '../../section-facts.ts'
import type {Base} from '../ask-base.ts'

/** How an interface is called: its one form with every parameter, or what sets its forms apart. */
export interface FormsAsk {
  kind: 'forms'
  api: string
  forms: Form[]
  /** Parameters that every form has. */
  shared: string[]
  parameters: ParameterFact[]
  /** What the page says between the declarations. */
  notes: string[]
}

/** Declarations that differ in nothing but the types of some parameters. */
export interface Form {
  /** The first of them. */
  prototype: Prototype
  /** The function's name where the forms have different ones, else ''. */
  name: string
  /** When it is the one to call, in the page's words; '' where they say nothing. */
  use: string
  /** Parameters that not every form has. */
  own: string[]
  /** Parameters with several types, or with another type than in a form of the same names; their types here. */
  variants: {name: string; types: string[]}[]
  /** Where several parameters vary together: their names, and the types that go together. */
  together: {names: string[]; types: string[][]} | undefined
  /** Its template parameters where the forms have different ones. */
  templates: string[]
}

const mostForms = 6

export function formsAsk(own: Facts, page: Facts, {api, hasNeed}: Base): FormsAsk[] {
  const prototypes = own.prototypes.filter(isNamedAndShort)
  if (prototypes.length === 0 || (hasNeed && isPlain(prototypes)) || isBare(prototypes)) return []
  const useOf = (prototype: Prototype) => own.uses[own.prototypes.indexOf(prototype)] ?? ''
  const groups = alike(prototypes, useOf)
  // A page may declare forms for chips of other architectures without saying so.
  if (prototypes.some(({text}) => /Arch(?!2201)\d{4}|M3[01]0\b/.test(text))) return []
  if (!prototypes.every((prototype) => isTold(prototype, page.parameters))) return []
  // What each of several forms is for may stand in what is not understood.
  if (groups.length > 1 && (own.unread.prototype ?? []).length > 0) return []
  // Some of the forms are not the forms.
  if (groups.length > mostForms) return []
  const lists = groups.map(([first]) => parameterNames(first!))
  const shared = lists[0]!.filter((name) => lists.every((list) => list.includes(name)))
  const namesDiffer = new Set(prototypes.map((prototype) => prototype.name)).size > 1
  const templatesDiffer = new Set(groups.map(([first]) => templateNames(first!).join())).size > 1
  const forms = groups.map((group, index) => ({
    prototype: group[0]!,
    name: namesDiffer ? group[0]!.name : '',
    use: useOf(group[0]!),
    own: lists[index]!.filter((name) => !shared.includes(name)),
    variants: [...variantsOf(group), ...otherTypes(group[0]!, groups)],
    together: togetherOf(group),
    templates: templatesDiffer ? templateNames(group[0]!) : [],
  }))
  return [{kind: 'forms', api, forms, shared, parameters: page.parameters, notes: notesOf(own, forms)}]
}

/** Whether the page says what to pass for each parameter, all of it. */
function isTold({parameters, templates}: Prototype, facts: readonly ParameterFact[]): boolean {
  // Where nothing is described, the types are all there is to tell.
  if (facts.every(({meaning}) => meaning.length === 0)) return true
  const isWhole = (fact: ParameterFact | undefined) =>
    fact !== undefined && fact.meaning.length > 0 && fact.unread.length === 0
  const given = parameters.every(
    ({name, type}) => isWhole(factOf(name, facts)) && membersOf(type, facts).every(isWhole),
  )
  const named = templates.filter(({name}) => facts.some(({names}) => names.includes(name)))
  return given && named.every(({name}) => isWhole(factOf(name, facts)))
}

const longestNotes = 900

/** What is not said of one of the forms already. */
function notesOf({said}: Facts, forms: readonly Form[]): string[] {
  const notes = (said.prototype ?? []).filter((note) => !forms.some(({use}) => use !== '' && note.startsWith(use)))
  return notes.join('').length <= longestNotes ? notes : []
}

/** One form with a single parameter, or none, and nothing to choose: a part of what the interface does. */
export function isPlain([only, ...others]: readonly Prototype[]): boolean {
  if (!only || others.length > 0 || only.parameters.length > 1) return false
  return only.templates.length === 0 && only.parameters.every(({defaultValue}) => defaultValue === undefined)
}

/** Forms that take nothing: there is nothing to ask about their call. */
function isBare(prototypes: readonly Prototype[]): boolean {
  return prototypes.every(({parameters, templates}) => parameters.length === 0 && templates.length === 0)
}

/** A parameter pack is any number of parameters: their count and types are not what the declaration says. */
function isNamedAndShort({parameters, text}: Prototype): boolean {
  return parameters.every(({name, type}) => name !== '' && !type.includes('...')) && text.length < 900
}

function parameterNames({parameters}: Prototype): string[] {
  return parameters.map(({name}) => name)
}

function templateNames({templates}: Prototype): string[] {
  return templates.map(({name}) => name).filter(Boolean)
}

/** Declarations with the same names, that are told to be for the same. */
function alike(prototypes: readonly Prototype[], useOf: (prototype: Prototype) => string): Prototype[][] {
  const groups = new Map<string, Prototype[]>()
  for (const prototype of prototypes) {
    const key = [prototype.name, ...parameterNames(prototype), '<', ...templateNames(prototype), useOf(prototype)].join(
      ' ',
    )
    groups.set(key, [...(groups.get(key) ?? []), prototype])
  }
  return [...groups.values()]
}

function variantsOf(group: readonly Prototype[]): Form['variants'] {
  return parameterNames(group[0]!).flatMap((name, at) => {
    const types = [...new Set(group.map(({parameters}) => parameters[at]!.type))]
    return types.length > 1 ? [{name, types}] : []
  })
}

/** Of several types for each of two parameters not every combination is declared. */
function togetherOf(group: readonly Prototype[]): Form['together'] {
  const names = variantsOf(group).map(({name}) => name)
  if (names.length < 2) return undefined
  const typesIn = ({parameters}: Prototype) => parameters.filter(({name}) => names.includes(name)).map(({type}) => type)
  return {names, types: group.map(typesIn)}
}

/** The parameters of which some declaration has another type. */
export function variedIn(forms: readonly Form[]): Form['variants'] {
  return forms.flatMap(({variants}) => variants)
}

/** Where another form has the same parameters, what sets this one apart is a type. */
function otherTypes(here: Prototype, groups: readonly Prototype[][]): Form['variants'] {
  const names = parameterNames(here)
  const firsts = groups.map((group) => group[0]!)
  const like = firsts.filter((first) => first !== here && parameterNames(first).join() === names.join())
  return here.parameters.flatMap(({name, type}, at) =>
    like.some(({parameters}) => parameters[at]!.type !== type) ? [{name, types: [type]}] : [],
  )
}

/** The members of a structure that the page has a table of. */
export function membersOf(type: string, parameters: readonly ParameterFact[]): ParameterFact[] {
  return parameters.filter(({structure}) => structure !== '' && new RegExp(`(?<!\\w)${structure}(?!\\w)`).test(type))
}

/** What the page's tables say of a parameter, where they agree; its first letter may differ there. */
export function factOf(name: string, parameters: readonly ParameterFact[]): ParameterFact | undefined {
  const own = parameters.filter((each) => each.structure === '')
  const like = name.toLowerCase()
  const named = own.filter((each) => each.names.includes(name))
  if (named.length > 0) return agreeing(named)
  return own.find(({names}) => names.some((each) => each.length > 3 && each.toLowerCase() === like))
}

/** Tables of several forms may say different things of one name; then none of them is said of all. */
function agreeing(facts: readonly ParameterFact[]): ParameterFact | undefined {
  const told = new Set(facts.map(({meaning, choices}) => JSON.stringify([meaning, choices])))
  return told.size === 1 ? facts[0] : undefined
}

/** What later versions may use: today there is nothing to choose. */
export function saysReserved(text: string): boolean {
  return /预留|保留(?:参数|字段|位|值|，|。|$)|\breserved\b/i.test(text)
}

export function isReserved(name: string, parameters: readonly ParameterFact[]): boolean {
  return parameters.some(({names, meaning}) => names.includes(name) && meaning.some(saysReserved))
}
