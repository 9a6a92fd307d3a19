import {mkdir, open, rm, type FileHandle} from 'node:fs/promises'
import {join} from 'node:path'
import {DocSection, Evidence} from '../../datasets/schema/document.ts'
import {readJsonLines} from '../../engine/files.ts'
import type {Context, Stage} from '../../engine/stage.ts'
import {type Link, SectionLinks} from './section-links.ts'
import {z} from 'zod'
import {parseBlocks} from '../../datasets/blocks.ts'
import MiniSearch from 'minisearch'
import {pageKey} from './page-title.ts'
import {wordCutter} from './search-words.ts'

interface RelateOptions {
  /** Characters of evidence from the section's own page. Default 6,000. */
  ownCharacters?: number
  /** Characters of evidence from other pages. Default 6,000. */
  otherCharacters?: number
  /** Longest passage; whole blocks only. Default 2,500: an example of median length fits. */
  passageCharacters?: number
}

/**
 * Gives every section its evidence: the other sections of its page, APIs that its code calls or its text names,
 * sections that explain the rules that it relies on, pages of the same name; if no other page was found, the most
 * similar ones. APIs, constraints and examples alternate, so that all three are included while the budget lasts. The
 * whole set is indexed, so sections are stored in the stage's directory until the last one has been seen.
 */
export default function relate({
  ownCharacters = 6000,
  otherCharacters = 6000,
  passageCharacters = 2500,
}: RelateOptions = {}): Stage<DocSection, DocSection> {
  const limits = {ownCharacters, otherCharacters, passageCharacters}
  return {
    name: 'documentation-relate',
    version: 3,
    options: limits,
    input: DocSection,
    output: DocSection,
    run: (sections, context) => relateAll(sections, context, limits),
  }
}

async function* relateAll(
  sections: AsyncIterable<DocSection>,
  {directory, expect}: Context,
  limits: Required<RelateOptions>,
): AsyncIterable<DocSection> {
  await mkdir(directory, {recursive: true})
  const [waiting, stored] = [join(directory, 'sections.jsonl'), join(directory, 'passages.jsonl')]
  const passages = await PassageStore.at(stored, limits.passageCharacters)
  try {
    const [search, links, count] = await indexAll(sections, waiting, passages)
    expect?.(count)
    let id = 0
    for await (const section of readJsonLines(waiting, DocSection)) {
      const own = await draw(links.samePage(id), limits.ownCharacters, limits, passages)
      const others = links.otherPages(section, id)
      const found = others.length > 0 ? others : alike(section, search, links)
      const other = await draw(found, limits.otherCharacters, limits, passages)
      yield {...section, evidence: [...own, ...other]}
      id += 1
    }
  } finally {
    await passages.close()
  }
  for (const path of [waiting, stored]) await rm(path, {force: true})
}

async function indexAll(
  sections: AsyncIterable<DocSection>,
  waiting: string,
  passages: PassageStore,
): Promise<[SectionSearch, SectionLinks, number]> {
  let count = 0
  const [search, links] = [new SectionSearch(), new SectionLinks()]
  const file = await open(waiting, 'w')
  try {
    for await (const section of sections) {
      links.add(section, search.add(section))
      await passages.add(section)
      count += 1
      await file.write(`${JSON.stringify(section)}\n`)
    }
  } finally {
    await file.close()
  }
  return [search, links, count]
}

function alike(section: DocSection, search: SectionSearch, links: SectionLinks): Link[] {
  if (['support', 'headers', 'returns', 'prototype', 'data-types'].includes(section.role)) return []
  const tells = (id: number) => ['function', 'constraints', 'example', 'other'].includes(links.roleAt(id))
  return search
    .similar(section, 2, tells)
    .map((id) => ({id, role: links.roleAt(id), why: 'similar' as const, about: ''}))
}

/** Passages in turns: of an interface, of a constraint, of an example, until the budget is used. */
async function draw(
  links: readonly Link[],
  budget: number,
  {passageCharacters}: Required<RelateOptions>,
  passages: PassageStore,
): Promise<Evidence[]> {
  const turns = [0, 1, 2].map((turn) => links.filter((link) => turnOf(link) === turn))
  const drawn: Evidence[] = []
  let left = budget
  for (let round = 0; turns.some((turn) => round < turn.length); round += 1)
    for (const {id, why, about} of turns.flatMap((turn) => turn.slice(round, round + 1))) {
      const passage = await passages.read(id, Math.min(left, passageCharacters))
      if (!passage) continue
      left -= passage.markdown.length
      drawn.push({why, about, ...passage})
    }
  return drawn
}

function turnOf({why, role}: Link): number {
  if (why === 'constraint' || role === 'constraints') return 1
  return role === 'example' ? 2 : 0
}

const Stored = z.strictObject({
  passage: Evidence.pick({origin: true, page: true, headings: true, role: true}),
  blocks: z.array(z.string()),
})

/** The beginnings of sections, on disk: memory holds where each one lies, and how long its first block is. */
export class PassageStore {
  readonly #file: FileHandle
  /** Longest beginning, in characters. */
  readonly #longest: number
  /** Where each one begins in the file, and at last where the file ends. */
  readonly #offsets = [0]
  readonly #firstBlocks: number[] = []

  private constructor(file: FileHandle, longest: number) {
    this.#file = file
    this.#longest = longest
  }

  static async at(path: string, longest: number): Promise<PassageStore> {
    return new PassageStore(await open(path, 'w+'), longest)
  }

  /** Sections are numbered in the order in which they come. */
  async add({origin, page, headings, role, markdown}: DocSection): Promise<void> {
    const blocks = wholeBlocks(
      parseBlocks(markdown).map(({source}) => source),
      this.#longest,
    )
    const line = Buffer.from(`${JSON.stringify({passage: {origin, page, headings, role}, blocks})}\n`)
    const from = this.#offsets.at(-1)!
    await this.#file.write(line, 0, line.length, from)
    this.#offsets.push(from + line.length)
    this.#firstBlocks.push(blocks[0]?.length ?? Number.POSITIVE_INFINITY)
  }

  /** Whole blocks from a section's begin, as far as they fit; undefined if not even the first one does. */
  async read(id: number, characters: number): Promise<Omit<Evidence, 'why' | 'about'> | undefined> {
    // A page may have a thousand sections, each of which needs all others.
    if (this.#firstBlocks[id]! > characters) return undefined
    const [from, to] = [this.#offsets[id]!, this.#offsets[id + 1]!]
    const bytes = Buffer.alloc(to - from)
    await this.#file.read(bytes, 0, bytes.length, from)
    const {passage, blocks} = Stored.parse(JSON.parse(bytes.toString('utf8')))
    const fitting = wholeBlocks(blocks, characters)
    return fitting.length === 0 ? undefined : {...passage, markdown: fitting.join('\n\n')}
  }

  async close(): Promise<void> {
    await this.#file.close()
  }
}

function wholeBlocks(blocks: readonly string[], limit: number): string[] {
  const kept: string[] = []
  let length = 0
  for (const block of blocks) {
    length += block.length + (kept.length > 0 ? 2 : 0)
    if (length > limit) break
    kept.push(block)
  }
  return kept
}

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
