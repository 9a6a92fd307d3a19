import type {DocSection} from '../../datasets/schema/document.ts'
import type {Prototype} from './prototype.ts'
import type {Facts} from './section-facts.ts'

/**
 * What a page is about, by its prototypes: only an API can be called, a class is used by its members, a guide is a
 * topic. `first`: of a family whose members begin with the title, `asc_float2int16_rn`, or of functions for several
 * purposes under a title of their own, the first declared. `isType`: it is named in code rather than called.
 */
type Subject =
  | {kind: 'api'; first?: string; areSeveral?: true; isType?: true}
  | {kind: 'class'; name: string; members: string[]}
  | {kind: 'guide'}

export function subjectOf(section: Pick<DocSection, 'page'>, page: Facts): Subject {
  const declared = [...new Set(page.prototypes.map((prototype) => prototype.name))]
  const titled: string[] = section.page.match(/[A-Za-z_]\w*/g) ?? []
  const members = declared.filter((name) => !titled.includes(name) && !name.startsWith('~'))
  const constructors = page.prototypes.filter(
    (prototype) => titled.includes(prototype.name) && prototype.returns === '',
  )
  const isClass =
    /^[A-Z]\w+$/.test(section.page) &&
    members.length > 0 &&
    (!declared.includes(section.page) || constructors.length > 0)
  if (isClass) return {kind: 'class', name: section.page, members}
  const isTitled = ({name}: Prototype) => titled.includes(name)
  if (page.prototypes.some(isTitled) || page.macros.some(isTitled)) return {kind: 'api'}
  if (page.types.some(isTitled)) return {kind: 'api', isType: true}
  const first = declared.find((name) => titled.some((title) => title.includes('_') && name.startsWith(`${title}_`)))
  if (first !== undefined) return {kind: 'api', first}
  const together = firstOfSeveral(page)
  return together === undefined ? {kind: 'guide'} : {kind: 'api', first: together, areSeveral: true}
}

/** A page on two functions or more has both described; a constructor is its class's. */
function firstOfSeveral({prototypes, parameters, said}: Facts): string | undefined {
  const isOfFunctions = prototypes.every(({returns, name}) => returns !== '' && !/^operator/.test(name))
  const areSeveral = prototypes.some(({name}) => name !== prototypes[0]!.name)
  return isOfFunctions && areSeveral && parameters.length > 0 && said.function !== undefined
    ? prototypes[0]?.name
    : undefined
}
