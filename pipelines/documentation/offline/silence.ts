import type {DocSection, SectionRole} from '../../../datasets/schema/document.ts'
import {readSection, type SectionReading} from './page-subject.ts'

/**
 * Why a section gives no question: `not-asked-by-role`, other sections' answers tell it, or it is on products;
 * `not-read-whole`, some of what an answer would need is not understood; `nothing-to-ask`, it says too little.
 */
export function silenceOf(
  section: DocSection,
  reading = readSection(section),
): 'not-asked-by-role' | 'not-read-whole' | 'nothing-to-ask' {
  if (toldElsewhere.includes(section.role)) return 'not-asked-by-role'
  const isCut = (reading.own.unread[section.role] ?? []).length > 0 || isAboutUnread(section, reading)
  return isCut ? 'not-read-whole' : 'nothing-to-ask'
}

const toldElsewhere: readonly SectionRole[] = ['support', 'headers', 'pipe']

/** A call is told with all of its parameters. */
function isAboutUnread({role}: DocSection, {own, page}: SectionReading): boolean {
  const {parameters} = role === 'prototype' ? page : own
  return parameters.some(({unread}) => unread.length > 0)
}
