import {mkdir, open, rm} from 'node:fs/promises'
import {join} from 'node:path'
import {DocSection, type Evidence} from '../../datasets/schema/document.ts'
import {readJsonLines} from '../../engine/files.ts'
import type {Context, Stage} from '../../engine/stage.ts'
import {type Link, SectionLinks} from './section-links.ts'
import {PassageStore} from './passage-store.ts'
import {SectionSearch} from './section-search.ts'

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
