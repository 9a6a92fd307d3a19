import {mkdir, open} from 'node:fs/promises'
import {join} from 'node:path'
import {DocSection} from '../../datasets/schema/document.ts'
import {readJsonLines} from '../../engine/files.ts'
import type {Context, Stage} from '../../engine/stage.ts'
import {parseBlocks} from './blocks.ts'
import {SectionSearch} from './section-search.ts'

interface RelateOptions {
  /** Passages per section. Default 3. */
  passages?: number
  /** Longest passage; whole blocks only. Default 1,500. */
  passageCharacters?: number
}

/**
 * Gives every section the passages of other pages that fit it best (BM25 over Chinese words and identifiers), as
 * reference for a model. The whole set is indexed, so sections wait in the stage's directory until the last one has
 * been seen.
 */
export default function relate({
  passages = 3,
  passageCharacters = 1500,
}: RelateOptions = {}): Stage<DocSection, DocSection> {
  return {
    name: 'documentation-relate',
    version: 1,
    options: {passages, passageCharacters},
    input: DocSection,
    output: DocSection,
    run: (sections, context) => relateAll(sections, context, {passages, passageCharacters}),
  }
}

async function* relateAll(
  sections: AsyncIterable<DocSection>,
  context: Context,
  limits: Required<RelateOptions>,
): AsyncIterable<DocSection> {
  const search = new SectionSearch()
  const passages: string[] = []
  await mkdir(context.directory, {recursive: true})
  const waiting = join(context.directory, 'sections.jsonl')
  const file = await open(waiting, 'w')
  try {
    for await (const section of sections) {
      passages[search.add(section)] = passageOf(section, limits.passageCharacters)
      await file.write(`${JSON.stringify(section)}\n`)
    }
  } finally {
    await file.close()
  }
  for await (const section of readJsonLines(waiting, DocSection)) {
    const found = search.related(section, limits.passages, (id) => passages[id] !== '')
    yield {...section, related: found.map((id) => passages[id]!)}
  }
}

function passageOf(section: DocSection, limit: number): string {
  const kept: string[] = []
  let length = 0
  for (const block of parseBlocks(section.markdown)) {
    length += block.source.length
    if (length > limit) break
    kept.push(block.source)
  }
  return kept.length === 0 ? '' : `## ${section.headings.join(' / ')}\n\n${kept.join('\n\n')}`
}
