import type {DocSection} from '../../datasets/schema/document.ts'
import {namesIn} from './search-words.ts'

export function pageKey({origin}: Pick<DocSection, 'origin'>): string {
  return `${origin.repository}/${origin.path}`
}

/** Whether a title is nothing but names: brackets only distinguish pages of the same name. */
export function isOfNames(title: string): boolean {
  return /^[\w:/~\s-]+$/.test(title.replace(/[（(].*$/, ''))
}

/** The class whose folder contains a page; undefined if the folder is not a class's. */
export function classOf(path: string): string | undefined {
  const folder = path.split('/').at(-2) ?? ''
  return /^[A-Z][a-z]*[A-Z]\w*$/.test(folder) || /(?:侧接口|类)$/.test(folder) ? namesIn(folder)[0] : undefined
}
