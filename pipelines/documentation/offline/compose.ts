import type {DocSection} from '../../../datasets/schema/document.ts'
import {contentId} from '../../../engine/ids.ts'
import {randomFrom} from '../../../engine/random.ts'
import {addsNothing, asksOf} from './asks.ts'
import {writeChinese} from './chinese.ts'
import {writeEnglish} from './english.ts'

/** The words of one sample before it is checked. */
export interface Draft {
  question: string
  reasoning: string
  answer: string
}

/** Questions, reasoning and answers from computed facts alone, in the language of the page. Same section and seed, same words. */
export function composeOffline(section: DocSection, seed: string): {drafts: Draft[]; repeating: Draft[]} {
  const random = randomFrom(
    seed,
    'documentation-cot',
    contentId({page: section.page, headings: section.headings, markdown: section.markdown}),
  )
  const write = section.language === 'zh' ? writeChinese : writeEnglish
  const written = asksOf(section, random).map((ask) => ({isBare: addsNothing(ask), draft: write(ask, random)}))
  const some = (isBare: boolean) => written.filter((each) => each.isBare === isBare).map(({draft}) => draft)
  return {drafts: some(false), repeating: some(true)}
}
