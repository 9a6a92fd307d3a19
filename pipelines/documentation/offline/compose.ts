import type {DocSection} from '../../../datasets/schema/document.ts'
import {contentId} from '../../../engine/ids.ts'
import {randomFrom} from '../../../engine/random.ts'
import {addsNothing} from './adds-nothing.ts'
import type {Ask} from './ask.ts'
import {asksOf} from './asks.ts'
import {writeChinese} from './chinese.ts'
import type {Draft} from './draft.ts'
import {writeEnglish} from './english.ts'

/**
 * Questions, reasoning and answers from computed facts alone, in the language of the page. The same section and seed
 * give the same words. `repeating` holds the drafts whose answer adds nothing to their reasoning.
 */
export function composeOffline(section: DocSection, seed: string): {drafts: Draft[]; repeating: Draft[]} {
  const drafts: Draft[] = []
  const repeating: Draft[] = []
  for (const {ask, draft} of draftsOf(section, seed)) (addsNothing(ask) ? repeating : drafts).push(draft)
  return {drafts, repeating}
}

/** Every question that a section supports, by kind, with what is written on it. */
export function draftsOf(section: DocSection, seed: string): {ask: Ask; draft: Draft}[] {
  const {page, headings, markdown} = section
  const random = randomFrom(seed, 'documentation-cot', contentId({page, headings, markdown}))
  const write = section.language === 'zh' ? writeChinese : writeEnglish
  return asksOf(section, random).map((ask) => ({ask, draft: write(ask, random)}))
}
