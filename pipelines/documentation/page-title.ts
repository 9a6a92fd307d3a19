import type {DocSection} from '../../datasets/schema/document.ts'
import {namesIn} from './search-words.ts'

export function pageKey({origin}: Pick<DocSection, 'origin'>): string {
  return `${origin.repository}/${origin.path}`
}

/** The names that a title gives: brackets only distinguish pages of the same name. */
export function titleNames(title: string): {names: string[]; isName: boolean} {
  const lead = title.replace(/[（(].*$/, '')
  return {names: namesIn(lead), isName: /^[\w:/~\s-]+$/.test(lead)}
}

/** Names of a page's folder: `TQue`, or `Matmul` of `Matmul-Kernel侧接口`. */
export function familiesOf(path: string): string[] {
  return namesIn(path.split('/').at(-2) ?? '')
}

/** The class whose folder contains a page; undefined if the folder is not a class's. */
export function classOf(path: string): string | undefined {
  const folder = path.split('/').at(-2) ?? ''
  return /^[A-Z][a-z]*[A-Z]\w*$/.test(folder) || /(?:侧接口|类)$/.test(folder) ? namesIn(folder)[0] : undefined
}
