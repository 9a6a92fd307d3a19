import type {DocSection, SectionRole} from '../../../datasets/schema/document.ts'
import {type Facts, pageFacts, sectionFacts} from '../section-facts.ts'

/**
 * Why a section gives no question: `not-asked-by-role`, other sections' answers tell it, or it is on products;
 * `not-read-whole`, some of what an answer would need is not understood; `nothing-to-ask`, it says too little.
 */
export function silenceOf(section: DocSection): 'not-asked-by-role' | 'not-read-whole' | 'nothing-to-ask' {
  if (toldElsewhere.includes(section.role)) return 'not-asked-by-role'
  const own = sectionFacts(section)
  const isCut = (own.unread[section.role] ?? []).length > 0 || isAboutUnread(section, own)
  return isCut ? 'not-read-whole' : 'nothing-to-ask'
}

const toldElsewhere: readonly SectionRole[] = ['support', 'headers', 'pipe']

/** A call is told with all of its parameters. */
function isAboutUnread(section: DocSection, own: Facts): boolean {
  const {parameters} = section.role === 'prototype' ? pageFacts(section) : own
  return parameters.some(({unread}) => unread.length > 0)
}
