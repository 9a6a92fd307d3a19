import MiniSearch from 'minisearch'
import type {DocSection, SectionRole} from '../../datasets/schema/document.ts'
import {familiesOf, pageKey, titleNames} from './page-title.ts'
import {elsewhere, roleFitOf, type RoleFit, subjectOfQuestion} from './question-intent.ts'
import {inChinese, namesIn, partsOf, wordCutter} from './search-words.ts'

interface Indexed {
  id: number
  /** The page's title: names whole and by their parts. */
  name: string[]
  /** Folders of the page: the class or family that it belongs to. */
  place: string[]
  /** Headings below the title. */
  heading: string[]
  text: string[]
}

interface Page {
  title: string
  /** Names of the title; those in brackets tell pages of one name apart. */
  names: string[]
  /** Whether the title is nothing but names. */
  isName: boolean
  /** Names of its folder, the class that it belongs to. */
  families: string[]
  roles: Set<SectionRole>
}

/**
 * BM25 over the sections of a documentation set: Chinese words, and names of code as one word each. A question's
 * section is the one whose page has the name in the question and whose role matches its intent.
 */
export class SectionSearch {
  readonly #words = wordCutter()
  /** In how many sections a word stands. */
  readonly #frequency = new Map<string, number>()
  readonly #pages = new Map<string, Page>()
  readonly #sections: {page: Page; role: SectionRole; heading: string}[] = []
  /** Titles that are names. */
  readonly #named = new Set<string>()
  readonly #index = new MiniSearch<Indexed>({
    fields: ['name', 'place', 'heading', 'text'],
    // Fields come as lists of words.
    tokenize: (text) => text.split('\n'),
    processTerm: (term) => (term === '' ? null : term),
    stringifyField: (value) => (Array.isArray(value) ? value.join('\n') : String(value)),
    searchOptions: {boost: {name: 4, place: 1.5, heading: 3}},
  })

  /** @returns the section's number, by which it is found */
  add(section: DocSection): number {
    const page = this.#pageFor(section)
    const heading = section.headings.slice(1).at(-1) ?? ''
    const id = this.#sections.push({page, role: section.role, heading}) - 1
    const text = this.#words(section.markdown)
    this.#index.add({
      id,
      name: [...this.#words(section.page), ...namesIn(section.page).flatMap(asParts)],
      place: this.#words(section.origin.path.split('/').slice(-3, -1).join(' ')),
      heading: section.headings.slice(1).flatMap((heading) => this.#words(heading)),
      text,
    })
    for (const word of new Set(text)) this.#frequency.set(word, (this.#frequency.get(word) ?? 0) + 1)
    return id
  }

  /** Numbers of the sections that answer a question best, best first. */
  answering(question: string, count: number): number[] {
    // Among English words `get` is a word; in a Chinese sentence it is a name.
    const isChinese = /\p{Script=Han}/u.test(question)
    const asked = new Set(namesIn(question).filter((name) => isChinese || /[A-Z_\d]/.test(name)))
    const isNamed = [...asked].some((name) => this.#named.has(name))
    const fit = roleFitOf(question)
    const weights = this.#termWeights(question, [...asked])
    const pageFits = new Map<Page, number>()
    const pageFitOf = (page: Page) => {
      const known = pageFits.get(page) ?? pageFit(page, asked, question)
      pageFits.set(page, known)
      return known
    }
    return this.#index
      .search([...weights.keys()].join('\n'), {boostTerm: (term) => weights.get(term) ?? 1})
      .map(({id, score}) => {
        const {page, role, heading} = this.#sections[Number(id)]!
        const isHeaded = heading.length >= 3 && question.includes(heading)
        const fits = roleFit(fit, role, page) ** (isNamed && page.roles.has('prototype') ? 1 : 0.35)
        return {id: Number(id), score: score * fits * pageFitOf(page) * (isHeaded ? 2 : 1)}
      })
      .sort((a, b) => b.score - a.score || a.id - b.id)
      .slice(0, count)
      .map(({id}) => id)
  }

  /** Numbers of sections of other pages that have most of a section's rarest words, best first. */
  similar(section: DocSection, count: number, isFit: (id: number) => boolean): number[] {
    const own = this.#pages.get(pageKey(section))
    const words = this.#tellingWords(`${section.headings.join(' ')} ${section.markdown}`)
    return this.#index
      .search(words.join('\n'), {
        fields: ['heading', 'text'],
        filter: ({id, terms}) =>
          terms.length * 4 >= words.length * 3 && this.#sections[Number(id)]!.page !== own && isFit(Number(id)),
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

  /** Question words count little, and not at all if they are everywhere: they are the most expensive. */
  #termWeights(question: string, names: readonly string[]): Map<string, number> {
    const subject = this.#words(subjectOfQuestion(question))
    const common = this.#sections.length / 12
    const rest = this.#words(question).filter((word) => (this.#frequency.get(word) ?? 0) < common)
    const parts = [...names.flatMap(asParts), ...subject.map((word) => partMark + word)]
    return new Map([
      ...rest.map((word) => [word, 0.2] as const),
      ...parts.map((part) => [part, 0.3] as const),
      ...inChinese(subject).map((word) => [word, 0.5] as const),
      ...subject.map((word) => [word, 1] as const),
    ])
  }

  #pageFor(section: DocSection): Page {
    const key = pageKey(section)
    const page = this.#pages.get(key) ?? pageOf(section)
    page.roles.add(section.role)
    this.#pages.set(key, page)
    if (page.isName) for (const name of page.names) this.#named.add(name)
    return page
  }
}

const partMark = '~'

function asParts(name: string): string[] {
  return partsOf(name).map((part) => partMark + part)
}

function pageOf({page: title, origin}: DocSection): Page {
  return {title, ...titleNames(title), families: familiesOf(origin.path), roles: new Set()}
}

function roleFit(fit: RoleFit, role: SectionRole, page: Page): number {
  let best = fit[role] ?? 1
  for (const wanted in fit) {
    const by = fit[wanted as SectionRole]! * 0.8
    if (by <= best || page.roles.has(wanted as SectionRole)) continue
    if (elsewhere[wanted as SectionRole]?.find((one) => page.roles.has(one)) === role) best = by
  }
  return best
}

/** A page whose title names the question's subject comes before those that only mention it. */
function pageFit({title, names, isName, families}: Page, asked: ReadonlySet<string>, question: string): number {
  const share = names.filter((name) => asked.has(name)).length / Math.max(1, names.length)
  const named = share === 0 ? 1 : (isName ? 4 : 2) * share ** 0.5
  const isOfFamily = share > 0 && families.some((name) => asked.has(name))
  const isTitled = !isName && title.length >= 4 && question.includes(title)
  return Math.max(1, named) * (isOfFamily ? 1.5 : 1) * (isTitled ? 3 : 1)
}
