import {DocSection} from '../../datasets/schema/document.ts'

/** A section as pages give it; the page lies where its title says unless a path is given. */
export function docSection(part: Partial<DocSection> & {page: string; path?: string; heading?: string}): DocSection {
  const {path, heading, ...given} = part
  return DocSection.parse({
    origin: {repository: 'r', revision: 'v', path: path ?? `${part.page}.md`, lines: [3, 9], licence: 'Apache-2.0'},
    language: 'zh',
    headings: heading === undefined ? [part.page] : [part.page, heading],
    role: 'function',
    markdown: '把数据搬运到另一处。',
    context: '',
    ...given,
  })
}
