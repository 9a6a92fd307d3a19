import MiniSearch from 'minisearch'
import type {DocSection} from '../../datasets/schema/document.ts'
import {pageKey} from './page-title.ts'
import {wordCutter} from './search-words.ts'

interface Indexed {
  id: number
  /** Headings below the title. */
  heading: string[]
  text: string[]
}

/** BM25 over the sections of a documentation set: Chinese words, and names of code as one word each. */
export class SectionSearch {
  readonly #words = wordCutter()
  /** In how many sections a word stands. */
  readonly #frequency = new Map<string, number>()
  /** Of each section. */
  readonly #pages: string[] = []
  readonly #index = new MiniSearch<Indexed>({
    fields: ['heading', 'text'],
    // Fields come as lists of words.
    tokenize: (text) => text.split('\n'),
    processTerm: (term) => (term === '' ? null : term),
    stringifyField: (value) => (Array.isArray(value) ? value.join('\n') : String(value)),
    searchOptions: {boost: {heading: 3}},
  })

  /** @returns the section's number, by which it is found */
  add(section: DocSection): number {
    const id = this.#pages.push(pageKey(section)) - 1
    const text = this.#words(section.markdown)
    this.#index.add({id, heading: section.headings.slice(1).flatMap((heading) => this.#words(heading)), text})
    for (const word of new Set(text)) this.#frequency.set(word, (this.#frequency.get(word) ?? 0) + 1)
    return id
  }

  /** Numbers of sections of other pages that have most of a section's rarest words, best first. */
  similar(section: DocSection, count: number, isFit: (id: number) => boolean): number[] {
    const own = pageKey(section)
    const words = this.#tellingWords(`${section.headings.join(' ')} ${section.markdown}`)
    return this.#index
      .search(words.join('\n'), {
        filter: ({id, terms}) =>
          terms.length * 4 >= words.length * 3 && this.#pages[Number(id)] !== own && isFit(Number(id)),
      })
      .slice(0, count)
      .map(({id}) => Number(id))
  }

  /** The eight rarest words that other sections have too: common words would match every page and cost the most. */
  #tellingWords(text: string): string[] {
    const count = (word: string) => this.#frequency.get(word) ?? 0
    return [...new Set(this.#words(text))]
      .filter((word) => count(word) > 1)
      .sort((a, b) => count(a) - count(b) || (a < b ? -1 : 1))
      .slice(0, 8)
  }
}
