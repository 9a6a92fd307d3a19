import {languageOf, type Language} from '../../../../datasets/voice.ts'
import type {Evidence} from '../../../../datasets/schema/document.ts'
import {factsOfPage} from '../../section-facts.ts'
import {hasWord, purposeOf} from '../ask-base.ts'

/** What an interface does that a listing calls, by the page of that interface. */
export interface CalledFact {
  name: string
  purpose: string
  source: Evidence
}

const mostCalled = 3
const longestPurpose = 80

/** Of the evidence beside a section what tells the purpose of an interface that the code calls. */
export function calledIn(code: string, evidence: readonly Evidence[]): CalledFact[] {
  const found = evidence
    .filter(({why, role, about}) => why === 'calls' && role === 'function' && hasWord(code, about))
    .map((source) => ({name: source.about, purpose: purposeIn(source.markdown), source}))
    .filter(({purpose}) => purpose !== '' && purpose.length <= longestPurpose)
  return [...new Map(found.map((fact) => [fact.name, fact])).values()].slice(0, mostCalled)
}

/** The section stands alone in the evidence, without the heading that says what it is. */
function purposeIn(markdown: string): string {
  return purposeOf(factsOfPage(`## 功能说明\n\n${markdown}`))
}

/** Of interfaces that a row names beside its own, those whose pages say in the row's language what they are for. */
export function purposesIn<T extends {purpose: string}>(language: Language, called: readonly T[]): T[] {
  return called.filter(({purpose}) => languageOf(purpose) === language)
}
