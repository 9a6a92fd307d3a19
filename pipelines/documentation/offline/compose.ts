import type {DocSection} from '../../../datasets/schema/document.ts'
import {contentId} from '../../../engine/ids.ts'
import {randomFrom} from '../../../engine/random.ts'
import type {Ask} from './ask.ts'
import {asksOf, wordlessAsksOf} from './asks.ts'
import {chinese} from './chinese/chinese-writers.ts'
import type {Draft} from './draft.ts'
import {english} from './english/english-writers.ts'
import {readSection} from './page-subject.ts'
import {write} from './writers.ts'

/**
 * Questions, reasoning and answers from computed facts alone. In another language than the page's only what numbers,
 * types and code tell: nothing is translated. The same section and seed give the same words.
 */
export function draftsOf(
  section: DocSection,
  seed: string,
  language: DocSection['language'] = section.language,
  reading = readSection(section),
): {ask: Ask; draft: Draft}[] {
  const {page, headings, markdown} = section
  const random = randomFrom(seed, 'documentation-cot', contentId({page, headings, markdown}))
  const asks = (language === section.language ? asksOf : wordlessAsksOf)(section, random, reading)
  const writers = language === 'zh' ? chinese : english
  return asks.map((ask) => ({ask, draft: {...write(ask, writers), ...besides(ask)}}))
}

/** What goes with the words: the result of the listing, and the passages of other pages that were used. */
function besides(ask: Ask): Pick<Draft, 'expected' | 'evidence'> {
  if (ask.kind !== 'example' && ask.kind !== 'topic-code') return {}
  const evidence = ask.called.map(({source}) => source)
  const expected = ask.kind === 'example' ? ask.example.result : undefined
  return {...(expected === undefined ? {} : {expected}), ...(evidence.length > 0 ? {evidence} : {})}
}
