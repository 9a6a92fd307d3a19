import {mkdir, open} from 'node:fs/promises'
import {join} from 'node:path'
import {Jieba} from '@node-rs/jieba'
import {dict} from '@node-rs/jieba/dict.js'
import MiniSearch from 'minisearch'
import {DocSection} from '../../datasets/schema/document.ts'
import {readJsonLines} from '../../engine/files.ts'
import type {Context, Stage} from '../../engine/stage.ts'
import {parseBlocks} from './blocks.ts'

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

interface Entry {
  id: number
  page: string
  title: string
  text: string
  passage: string
}

async function* relateAll(
  sections: AsyncIterable<DocSection>,
  context: Context,
  limits: Required<RelateOptions>,
): AsyncIterable<DocSection> {
  const words = tokenizer()
  const frequency = new Map<string, number>()
  const index = new MiniSearch<Entry>({
    fields: ['title', 'text'],
    storeFields: ['page', 'passage'],
    tokenize: words,
    searchOptions: {boost: {title: 3}, tokenize: words},
  })
  await mkdir(context.directory, {recursive: true})
  const waiting = join(context.directory, 'sections.jsonl')
  const file = await open(waiting, 'w')
  try {
    let id = 0
    for await (const section of sections) {
      index.add({
        id,
        page: pageKey(section),
        title: section.headings.join(' '),
        text: section.markdown,
        passage: passageOf(section, limits.passageCharacters),
      })
      id += 1
      for (const word of new Set(words(section.markdown))) frequency.set(word, (frequency.get(word) ?? 0) + 1)
      await file.write(`${JSON.stringify(section)}\n`)
    }
  } finally {
    await file.close()
  }
  for await (const section of readJsonLines(waiting, DocSection)) {
    const query = tellingWords(words(`${section.headings.join(' ')} ${section.markdown}`), frequency).join(' ')
    const found = index.search(query, {
      filter: (result) =>
        (result as unknown as Entry).page !== pageKey(section) && (result as unknown as Entry).passage !== '',
    })
    yield {...section, related: found.slice(0, limits.passages).map((result) => (result as unknown as Entry).passage)}
  }
}

/** The eight rarest words that other sections have too: common words would match every page and cost the most. */
function tellingWords(words: readonly string[], frequency: ReadonlyMap<string, number>): string[] {
  const count = (word: string) => frequency.get(word) ?? 0
  return [...new Set(words)]
    .filter((word) => count(word) > 1)
    .sort((a, b) => count(a) - count(b) || (a < b ? -1 : 1))
    .slice(0, 8)
}

function pageKey(section: DocSection): string {
  return `${section.origin.repository}/${section.origin.path}`
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

function tokenizer(): (text: string) => string[] {
  const jieba = Jieba.withDict(dict)
  return (text) => [
    ...(text.match(/[A-Za-z_]\w+/g) ?? []).map((word) => word.toLowerCase()),
    ...jieba.cut((text.match(/\p{Script=Han}+/gu) ?? []).join(' ')).filter((word) => word.length > 1),
  ]
}
