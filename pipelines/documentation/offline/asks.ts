import type {DocSection} from '../../../datasets/schema/document.ts'
import type {Random} from '../../../engine/random.ts'
import {pageFacts, sectionFacts} from '../section-facts.ts'
import type {Ask} from './ask.ts'
import {type Base, displayName, purposeOf} from './ask-base.ts'
import {constraintAsks} from './constraint-asks.ts'
import {dataTypeAsk} from './data-type-ask.ts'
import {exampleAsks} from './example-asks.ts'
import {parameterAsks} from './parameter-asks.ts'
import {prototypeAsk} from './prototype-ask.ts'
import {purposeAsk, returnsAsks} from './purpose-asks.ts'
import {subjectOf} from './page-subject.ts'
import {topicAsks} from './topic-asks.ts'

/** The questions that a section supports; none when it says nothing that stands alone. */
export function asksOf(section: DocSection, random: Random): Ask[] {
  const own = sectionFacts(section)
  const page = pageFacts(section)
  const subject = subjectOf(section, page)
  if (subject.kind === 'guide') return topicAsks(section, own)
  const base: Base = {api: displayName(section), purpose: purposeOf(page), subject}
  const constraints = page.said.constraints ?? []
  switch (section.role) {
    case 'parameters':
      return parameterAsks(own, page, base, random)
    case 'data-types':
      return dataTypeAsk({lines: own.said['data-types'] ?? [], owner: '', api: base.api, constraints}, random)
    case 'constraints':
      return constraintAsks(own, page, base, random)
    case 'prototype':
      return prototypeAsk(own, page, base)
    case 'example':
      return exampleAsks(own, page, base)
    case 'function':
      return purposeAsk(own, page, base.api)
    case 'returns':
      return returnsAsks(own, page, base)
    case 'pipe':
      return own.said.pipe?.[0] ? [{kind: 'pipe', ...base, sentence: own.said.pipe[0]}] : []
    case 'other':
      return topicAsks(section, own)
    case 'support':
    case 'headers':
      return []
  }
}
