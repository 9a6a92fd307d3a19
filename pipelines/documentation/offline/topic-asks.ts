import type {DocSection} from '../../../datasets/schema/document.ts'
import type {ExampleFact, Facts} from '../section-facts.ts'
import {isDeclarations, stripComments} from '../snippet.ts'
import type {Ask} from './ask.ts'
import {mostBinding} from './ask-base.ts'
import {apisIn, isWholeCode} from './listing.ts'

/**
 * A guide is asked by its headings: prose is answered by the sentences that bind most, never more than half of the
 * section; a listing is asked for and explained by what it calls and by what the text says about it.
 */
export function topicAsks(section: DocSection, own: Facts): Ask[] {
  const base = {page: topicName(section), heading: section.headings.slice(1).at(-1) ?? ''}
  const said = (own.said[section.role] ?? []).filter((sentence) => sentence.length >= 10)
  const brief = mostBinding(said, 3).filter((point) => point.length <= 200)
  const asks: Ask[] = own.examples
    .filter(teachesCode)
    .slice(0, 2)
    .map((example) => ({kind: 'topic-code', ...base, example, apis: apisIn(example.code), points: brief}))
  const points = mostBinding(said, Math.min(5, Math.ceil(said.length / 2)))
  const length = points.join('').length
  if (said.length >= 3 && length >= 40 && length <= 1200) asks.push({kind: 'topic', ...base, points})
  return asks
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
