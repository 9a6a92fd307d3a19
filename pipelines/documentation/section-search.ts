import {Jieba} from '@node-rs/jieba'
import {dict} from '@node-rs/jieba/dict.js'
import MiniSearch, {type SearchResult} from 'minisearch'
import type {DocSection} from '../../datasets/schema/document.ts'

/** BM25 over the sections of a documentation set: Chinese words, and names of code as one word each. */
export class SectionSearch {
  readonly #words = tokenizer()
  /** In how many sections a word stands. */
  readonly #frequency = new Map<string, number>()
  readonly #pages: string[] = []
  readonly #index: MiniSearch<{id: number; title: string; text: string}>

  constructor() {
    const tokenize = this.#words
    this.#index = new MiniSearch({
      fields: ['title', 'text'],
      tokenize,
      searchOptions: {boost: {title: 3}, tokenize},
    })
  }

  /** @returns the section's number, by which it is found */
  add(section: DocSection): number {
    const id = this.#pages.push(pageKey(section)) - 1
    this.#index.add({id, title: section.headings.join(' '), text: section.markdown})
    for (const word of new Set(this.#words(section.markdown)))
      this.#frequency.set(word, (this.#frequency.get(word) ?? 0) + 1)
    return id
  }

  /** Numbers of the sections that answer a question best, best first. */
  answering(question: string, count: number): number[] {
    return numbers(this.#index.search(question)).slice(0, count)
  }

  /** Numbers of sections of other pages that bear on a section, best first. */
  related(section: DocSection, count: number, isFit: (id: number) => boolean): number[] {
    const own = pageKey(section)
    const query = this.#tellingWords(`${section.headings.join(' ')} ${section.markdown}`).join(' ')
    const filter = ({id}: SearchResult) => this.#pages[Number(id)] !== own && isFit(Number(id))
    return numbers(this.#index.search(query, {filter})).slice(0, count)
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

function numbers(results: readonly SearchResult[]): number[] {
  return results.map(({id}) => Number(id))
}

function pageKey(section: DocSection): string {
  return `${section.origin.repository}/${section.origin.path}`
}

function tokenizer(): (text: string) => string[] {
  const jieba = Jieba.withDict(dict)
  return (text) => [
    ...(text.match(/[A-Za-z_]\w+/g) ?? []).map((word) => word.toLowerCase()),
    ...jieba.cut((text.match(/\p{Script=Han}+/gu) ?? []).join(' ')).filter((word) => word.length > 1),
  ]
}
