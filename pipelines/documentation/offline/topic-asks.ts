import type {DocSection} from '../../../datasets/schema/document.ts'
import type {ExampleFact, Facts} from '../section-facts.ts'
import {isDeclarations, stripComments} from '../snippet.ts'
import {weight} from '../sentences.ts'
import type {Ask} from './ask.ts'
import {mostBinding} from './ask-base.ts'
import {apisIn, isWholeCode} from './listing.ts'

/**
 * A guide is asked by its headings: prose is answered by the paragraphs and lists that bind most, each of them whole;
 * a listing is asked for and explained by what it calls and by what the text says about it.
 */
export function topicAsks(section: DocSection, own: Facts): Ask[] {
  const base = {page: topicName(section), heading: section.headings.slice(1).at(-1) ?? ''}
  const said = (own.said[section.role] ?? []).filter((sentence) => sentence.length >= 10)
  const general = said.filter((point) => point.length <= 200 && !/^(?:例如|比如|for example)/i.test(point))
  const brief = mostBinding(general, 3)
  const asks: Ask[] = own.examples
    .filter(teachesCode)
    .slice(0, 2)
    .map((example) => ({kind: 'topic-code', ...base, example, apis: apisIn(example.code), points: brief}))
  const points = mainPassages(own.passages[section.role] ?? [])
  const length = points.join('').length
  if (said.length >= 3 && length >= 40 && length <= 1200) asks.push({kind: 'topic', ...base, points})
  return asks
}

/** Passages by how much they bind, in the order of the page, until half of all sentences are there. */
function mainPassages(passages: readonly string[][]): string[] {
  const kept = passages
    .map((passage) => passage.filter((sentence) => sentence.length >= 10))
    .filter(({length}) => length > 0)
  const total = kept.flat().length
  const binding = kept.map((passage, index) => ({passage, index, score: Math.max(...passage.map(weight))}))
  const chosen: typeof binding = []
  for (const one of binding.sort((a, b) => b.score - a.score || a.index - b.index))
    if (chosen.flatMap(({passage}) => passage).length * 2 < total) chosen.push(one)
  return chosen.sort((a, b) => a.index - b.index).flatMap(({passage}) => passage)
}

function teachesCode({code}: ExampleFact): boolean {
  return isWholeCode(code) && apisIn(code).length > 0 && !isDeclarations(stripComments(code))
}

/** A guide's title such as 概述 or 算子实现 says nothing without the chapter that it stands in. */
function topicName({origin, language, page}: DocSection): string {
  const chapter = origin.path.split('/').at(-2) ?? ''
  const needsChapter = language === 'zh' && page.length <= 8 && /\p{Script=Han}/u.test(chapter) && chapter !== page
  return needsChapter ? `${chapter}：${page}` : page
}
