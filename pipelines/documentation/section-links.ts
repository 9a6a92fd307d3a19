import type {DocSection, EvidenceReason, SectionRole} from '../../datasets/schema/document.ts'
import {classOf, isOfNames, pageKey} from './page-title.ts'
import {readPrototypes} from './prototype.ts'
import {ruleTopics} from './rule-topics.ts'
import {roleOf} from './segment.ts'
import {namesIn, partsOf} from './search-words.ts'
import {type Call, callsIn, contentOf} from './section-content.ts'

/** A section that bears on another. */
export interface Link {
  id: number
  why: EvidenceReason
  about: string
  role: SectionRole
}

interface Part {
  id: number
  role: SectionRole
}

interface Page {
  /** Folders, and the file. */
  path: string[]
  lead: string
  /** What it can be called by; none for a guide, and none where the interface is deprecated. */
  names: string[]
  ofClass: string | undefined
  parts: Part[]
  /** Counts of arguments that its prototypes take; empty if none could be read. */
  arities: Set<number>
  /** What its examples call. */
  calls: Call[]
}

/** A section and its page. */
interface Place {
  page: Page
  part: Part
}

/** Which sections of a documentation set bear on which, by names, calls, references and rules. */
export class SectionLinks {
  readonly #pages = new Map<string, Page>()
  readonly #pageOf: Page[] = []
  readonly #roles: SectionRole[] = []
  readonly #byName = new Map<string, Page[]>()
  readonly #byHeading = new Map<string, Place[]>()
  readonly #byTopic: Place[][] = ruleTopics.map(() => [])
  readonly #byRole = new Map<Page, ReadonlyMap<SectionRole, number[]>>()
  /** In how many sections a name is called or named. */
  readonly #uses = new Map<string, number>()

  /** @param id the section's number: how many were added before it */
  add(section: DocSection, id: number): void {
    const page = this.#pageFor(section)
    this.#pageOf[id] = page
    this.#roles[id] = section.role
    const heading = section.headings.at(-1)!
    const part = {id, role: section.role}
    const {prose, code} = contentOf(section)
    // An example that only sends to a sample elsewhere shows nothing.
    if (section.role !== 'example' || code !== '' || prose.length > 200) page.parts.push(part)
    if (section.role === 'prototype') for (const arity of aritiesIn(code)) page.arities.add(arity)
    const calls = callsIn(code)
    if (section.role === 'example') page.calls.push(...calls)
    for (const name of new Set([...calls.map((call) => call.name), ...namesIn(prose)]))
      this.#uses.set(name, (this.#uses.get(name) ?? 0) + 1)
    // A list of interfaces explains nothing.
    if (/(?:列表|汇总|list|index)$/i.test(section.page)) return
    if (heading.length >= 4 && roleOf(heading) === 'other') append(this.#byHeading, heading, {page, part})
    if (section.role !== 'other') return
    for (const [index, {explained}] of ruleTopics.entries())
      if (explained.test(heading)) this.#byTopic[index]!.push({page, part})
  }

  /** The other sections of the page, those that tell most of an interface first, of one kind the nearest first. */
  samePage(id: number): Link[] {
    const byRole = this.#sorted(this.#pageOf[id]!)
    return order.flatMap((role) =>
      outwardFrom(id, byRole.get(role) ?? []).map((other) => ({id: other, role, why: 'same-page' as const, about: ''})),
    )
  }

  /** Called when all sections are known. */
  #sorted(page: Page): ReadonlyMap<SectionRole, number[]> {
    const known = this.#byRole.get(page)
    if (known) return known
    const byRole = new Map<SectionRole, number[]>()
    for (const {id, role} of page.parts) append(byRole, role, id)
    this.#byRole.set(page, byRole)
    return byRole
  }

  /** Sections of other pages, by what leads there; each section once. */
  otherPages(section: DocSection, id: number): Link[] {
    if (section.role === 'support' || section.role === 'headers') return []
    const {prose, code} = contentOf(section)
    const own = this.#pageOf[id]!
    const links = [
      ...this.#referred(prose, own),
      ...this.#called(section, code, own),
      ...this.#named(prose, own),
      ...this.#rules(`${prose}\n${code}`, own),
      ...this.#sameName(own),
    ]
    const seen = new Set<number>()
    return links.filter((link) => link.id !== id && !seen.has(link.id) && seen.add(link.id))
  }

  /** The role of the section of that number. */
  roleAt(id: number): SectionRole {
    return this.#roles[id]!
  }

  #pageFor(section: DocSection): Page {
    const key = pageKey(section)
    const known = this.#pages.get(key)
    if (known) return known
    const isName = isOfNames(section.page)
    const lead = section.page.replace(/[（(].*$/, '').trim()
    // `Pad Tiling` is not a name, `SetFlag/WaitFlag` are two.
    const isCallable = isName && !/\s/.test(lead) && !/废弃|deprecated/i.test(section.page)
    const page: Page = {
      path: section.origin.path.split('/'),
      lead,
      names: isCallable ? calledBy(lead).filter(isTelling) : [],
      ofClass: classOf(section.origin.path),
      parts: [],
      arities: new Set(),
      calls: [],
    }
    for (const name of page.names) append(this.#byName, name, page)
    this.#pages.set(key, page)
    return page
  }

  /** What the section's own code calls; else what its page's example calls of the same kind of interface. */
  #called({role}: DocSection, code: string, own: Page): Link[] {
    const calls = callsIn(code)
    const isUsed = isInterface(own) && ['function', 'prototype', 'parameters', 'constraints'].includes(role)
    const borrowed = calls.length === 0 && isUsed
    const taken = borrowed
      ? this.#interfaces(
          own.calls.filter(({name}) => isAkin(name, own.lead)),
          own,
          '',
        ).slice(0, 1)
      : this.#interfaces(calls, own, code).slice(0, 3)
    return taken.flatMap(({page, name}) =>
      linksTo(page, name, 'calls', ['prototype', 'function', 'constraints', 'example']),
    )
  }

  #named(prose: string, own: Page): Link[] {
    const uses = namesIn(prose)
      .filter(isCompound)
      .map((name) => ({name, arity: -1}))
    return this.#interfaces(uses, own, prose)
      .slice(0, 2)
      .flatMap(({page, name}) => linksTo(page, name, 'names', ['function', 'constraints']))
  }

  /** The interfaces of other pages among names, the least common ones first: everything calls AllocTensor. */
  #interfaces(uses: readonly Call[], own: Page, text: string): {page: Page; name: string}[] {
    const found = new Map<Page, string>()
    const once = new Map(uses.map((use) => [use.name, use]))
    const rarest = [...once.values()].sort(
      (a, b) => this.#uses.get(a.name)! - this.#uses.get(b.name)! || (a.name < b.name ? -1 : 1),
    )
    for (const {name, arity} of rarest) {
      const page = namesIn(own.lead).includes(name) ? undefined : this.#resolve(name, arity, own, text)
      if (page && !found.has(page)) found.set(page, name)
    }
    return [...found].map(([page, name]) => ({page, name}))
  }

  /** Of pages of one name the one whose class is at hand, with as many arguments, and nearest in the tree. */
  #resolve(name: string, arity: number, own: Page, text: string): Page | undefined {
    const said = text.toLowerCase()
    const isNamed = ({ofClass}: Page) => ofClass !== undefined && said.includes(ofClass.toLowerCase())
    const isAtHand = (page: Page) =>
      page.ofClass === undefined || isNamed(page) || sharedFolders(page, own) >= near(own)
    const fit = (this.#byName.get(name) ?? []).filter((page) => page !== own && isInterface(page) && isAtHand(page))
    const score = (page: Page) =>
      (page.arities.has(arity) ? 100 : 0) + (isNamed(page) ? 50 : 0) + sharedFolders(page, own)
    const [best, next] = fit.sort((a, b) => score(b) - score(a))
    // A dozen pages are called DataCopy: if it is unclear which one is meant, none is used.
    return next && score(best!) === score(next) ? undefined : best
  }

  /** Sections whose heading the text sends to: `请参见通用地址对齐约束`. */
  #referred(prose: string, own: Page): Link[] {
    return [...prose.matchAll(reference)].flatMap(({1: words = ''}) => {
      const text = words.trim()
      for (let length = text.length; length >= 4; length -= 1) {
        const heading = text.slice(0, length)
        const places = (this.#byHeading.get(heading) ?? []).filter(({page}) => page !== own)
        // If several have such a heading, the relevant one is in the same folder or above.
        const fit = places.length === 1 ? places : places.filter(({page}) => isAbove(page, own))
        const nearest = nearestOf(fit, own)
        if (nearest) return [{...nearest, why: 'names' as const, about: heading}]
      }
      return []
    })
  }

  #rules(text: string, own: Page): Link[] {
    return ruleTopics.flatMap(({said}, index) => {
      const about = said.exec(text)?.[0]
      if (about === undefined) return []
      const guides = this.#byTopic[index]!.filter(({page}) => !isInterface(page) && holdsFor(page, own))
      const nearest = nearestOf(guides, own)
      return nearest === undefined ? [] : [{...nearest, why: 'constraint' as const, about}]
    })
  }

  #sameName(own: Page): Link[] {
    if (!isInterface(own)) return []
    const pages = new Set(own.names.flatMap((name) => this.#byName.get(name) ?? []))
    const near = [...pages].filter((page) => page !== own && isInterface(page) && page.lead === own.lead)
    return near
      .sort((a, b) => sharedFolders(b, own) - sharedFolders(a, own))
      .slice(0, 2)
      .flatMap((page) => linksTo(page, own.lead, 'same-name', ['function']))
  }
}

const order: readonly SectionRole[] = [
  'prototype',
  'constraints',
  'example',
  'parameters',
  'function',
  'data-types',
  'returns',
  'pipe',
  'other',
]

const reference = /(?:参见|参考|参阅|详见|请见|refer to|\bsee)\s*([^。，；、：\n()（）]{4,40})/gi

/** Numbers in rising order, the nearest to `id` first, of two as near the lower one; without `id` itself. */
function outwardFrom(id: number, numbers: readonly number[]): number[] {
  const from = numbers.findIndex((number) => number >= id)
  let above = from < 0 ? numbers.length : from
  let below = above - 1
  if (numbers[above] === id) above += 1
  const found: number[] = []
  while (below >= 0 || above < numbers.length) {
    const isBelow = above >= numbers.length || (below >= 0 && id - numbers[below]! <= numbers[above]! - id)
    found.push(isBelow ? numbers[below--]! : numbers[above++]!)
  }
  return found
}

function append<Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = lists.get(key)
  if (list) list.push(value)
  else lists.set(key, [value])
}

function isInterface(page: Page): boolean {
  return page.parts.some(({role}) => role === 'prototype')
}

function linksTo(page: Page, about: string, why: EvidenceReason, roles: readonly SectionRole[]): Link[] {
  return roles.flatMap((role) => {
    const part = page.parts.find((one) => one.role === role)
    return part ? [{id: part.id, role, why, about}] : []
  })
}

/** The one of another page that is nearest in the tree; pages above apply to all below. */
function nearestOf(places: readonly Place[], own: Page): Pick<Link, 'id' | 'role'> | undefined {
  const others = places.filter(({page}) => page !== own)
  const nearness = ({page}: Place) => (isAbove(page, own) ? 100 : 0) + sharedFolders(page, own)
  const nearest = others.sort((a, b) => nearness(b) - nearness(a) || a.part.id - b.part.id)[0]
  return nearest && {id: nearest.part.id, role: nearest.part.role}
}

/** Whether a page is in the folder of another, or in one above it. */
function isAbove(page: Page, own: Page): boolean {
  return sharedFolders(page, own) === page.path.length - 1
}

/** Rules of another layer of the API are other rules; those above, of the same layer and of guides hold. */
function holdsFor(page: Page, own: Page): boolean {
  const shared = sharedFolders(page, own)
  return isAbove(page, own) || shared === 0 || shared >= 3
}

/** Folders that pages share whose interfaces belong together. */
function near(own: Page): number {
  return Math.max(1, own.path.length - 2)
}

/** Leading folders that two pages have in common. */
function sharedFolders(a: Page, b: Page): number {
  let shared = 0
  while (shared < Math.min(a.path.length, b.path.length) && a.path[shared] === b.path[shared]) shared += 1
  return shared
}

/** Of `SetFlag/WaitFlag` both, of `TBuf::Get` the last. */
function calledBy(lead: string): string[] {
  return lead.split('/').flatMap((name) => namesIn(name).slice(-1))
}

/** Whether a name can only mean an interface: `min` and `Tiling` are words as well. */
function isTelling(name: string): boolean {
  return /[A-Z]/.test(name) || name.includes('_')
}

/** Whether names share a word that tells: `WaitIterateAll` waits for `IterateAll`. */
function isAkin(a: string, b: string): boolean {
  const shared = partsOf(b).filter((part) => part.length >= 4 && partsOf(a).includes(part))
  return shared.some((part) => !['copy', 'data', 'type', 'tensor', 'buffer', 'tiling'].includes(part))
}

/** In prose a capital alone makes a word, not a name. */
function isCompound(name: string): boolean {
  return /[a-z\d][A-Z]|[A-Z]{2}[a-z]|_/.test(name)
}

/** How many arguments the functions take that are declared; fewer where parameters have defaults. */
function aritiesIn(code: string): number[] {
  return readPrototypes(code).flatMap(({parameters}) => {
    const needed = parameters.filter(({defaultValue}) => defaultValue === undefined).length
    return Array.from({length: parameters.length - needed + 1}, (_, more) => needed + more)
  })
}
