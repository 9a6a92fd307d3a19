import type {DocSection} from '../../../datasets/schema/document.ts'
import type {Facts} from '../section-facts.ts'

/**
 * What a page is about, by its prototypes: only an API can be called, a class is used by its members, a guide is a
 * topic. `first`: of a family whose members begin with the title, `asc_float2int16_rn`, the first declared.
 */
export type Subject = {kind: 'api'; first?: string} | {kind: 'class'; name: string; members: string[]} | {kind: 'guide'}

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
  if (titled.some((name) => declared.includes(name))) return {kind: 'api'}
  const first = declared.find((name) => titled.some((title) => title.includes('_') && name.startsWith(`${title}_`)))
  return first === undefined ? {kind: 'guide'} : {kind: 'api', first}
}
