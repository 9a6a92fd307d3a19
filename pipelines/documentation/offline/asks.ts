import type {DocSection} from '../../../datasets/schema/document.ts'
import type {Random} from '../../../engine/random.ts'
import type {Facts} from '../section-facts.ts'
import type {Ask} from './ask.ts'
import {type Base, displayName} from './ask-base.ts'
import {checkAsk} from './kinds/check-ask.ts'
import {constraintsAsk} from './kinds/constraints-ask.ts'
import {exampleAsks} from './kinds/example-ask.ts'
import {formsAsk} from './kinds/forms-ask.ts'
import {needAsk} from './kinds/need-ask.ts'
import {parameterAsks} from './kinds/parameter-ask.ts'
import {returnsAsks} from './kinds/returns-ask.ts'
import {topicAsks} from './kinds/topic-ask.ts'
import {readSection, type Subject} from './page-subject.ts'

/** The questions that a section supports; none when it says nothing that stands alone. */
export function asksOf(section: DocSection, random: Random, reading = readSection(section)): Ask[] {
  const {own, page, subject} = reading
  if (subject.kind === 'guide') return topicAsks(section, own)
  const hasNeed = (page.said.function ?? []).length > 0
  return interfaceAsks(section, own, page, {api: nameOf(section, subject), subject, hasNeed}, random)
}

/** A family has no function of its title's name: it is named by its first. */
function nameOf(section: DocSection, subject: Subject): string {
  const first = subject.kind === 'api' ? subject.first : undefined
  if (first === undefined) return displayName(section)
  return section.language === 'zh' ? `${first}等接口` : `${first} and its family`
}

/**
 * The questions that numbers, types and code answer without a word of the page: for an answer in a language that the
 * page is not written in. A title in the page's own script would stand in every sentence, so it refuses the page.
 */
export function wordlessAsksOf(section: DocSection, random: Random, reading = readSection(section)): Ask[] {
  const {page, subject} = reading
  if (subject.kind !== 'api' || subject.first !== undefined || !/^[\x20-\x7E]+$/.test(section.page)) return []
  const base: Base = {api: section.page, subject, hasNeed: true}
  if (section.role === 'parameters' || isOnlyOnTypes(section, page)) return checkAsk(page, base, random)
  const [own, all] = [withoutWords(reading.own), withoutWords(page)]
  if (section.role === 'prototype') return formsAsk(own, all, base)
  return section.role === 'example' ? exampleAsks(own, all, base, []) : []
}

function interfaceAsks(section: DocSection, own: Facts, page: Facts, base: Base, random: Random): Ask[] {
  const isOfClass = base.subject.kind === 'class'
  switch (section.role) {
    case 'function':
      return needAsk(own, page, base, section)
    case 'prototype':
      return formsAsk(own, page, base)
    case 'parameters':
      return [...parameterAsks(own, page, base, random), ...(isOfClass ? [] : checkAsk(page, base, random))]
    case 'data-types':
      return isOnlyOnTypes(section, page) ? checkAsk(page, base, random) : []
    case 'constraints':
      return constraintsAsk(own, page, base)
    case 'example':
      return exampleAsks(own, page, base, section.evidence ?? [])
    case 'returns':
      return returnsAsks(own, page, base)
    case 'other':
      return topicAsks(section, own)
    case 'pipe':
    case 'support':
    case 'headers':
      return []
  }
}

/** Types are checked with the parameters where the page has a table of them. */
function isOnlyOnTypes({role}: DocSection, page: Facts): boolean {
  return role === 'data-types' && page.parameters.length === 0
}

function withoutWords({prototypes, macros, types, parameters, examples}: Facts): Facts {
  return {
    prototypes,
    macros,
    types,
    parameters: parameters.map((parameter) => ({...parameter, meaning: [], choices: [], unread: []})),
    examples: examples.map(({code, result}) => ({
      lead: '',
      code: withoutHanComments(code),
      ...(result ? {result} : {}),
    })),
    uses: prototypes.map(() => ''),
    said: {},
    passages: {},
    unread: {},
  }
}

function withoutHanComments(code: string): string {
  return code.replace(/[^\S\n]*\/\/[^\n]*\p{Script=Han}[^\n]*/gu, '').replace(/\/\*[^*]*\p{Script=Han}[^]*?\*\//gu, '')
}
