import type {Facts} from '../section-facts.ts'
import {weight} from '../sentences.ts'
import type {Ask} from './ask.ts'
import {type Base, mentioning, purposeOf} from './ask-base.ts'

export function purposeAsk(own: Facts, page: Facts, api: string): Ask[] {
  const sentences = purposeFirst(own)
  const operands = page.parameters.filter(({direction, structure}) => direction !== '' && structure === '').slice(0, 5)
  const constraints = (page.said.constraints ?? []).filter((line) => weight(line) >= 3).slice(0, 2)
  if (sentences.length === 0) return []
  // One short sentence would make the answer a copy of it.
  if (sentences.join('').length < 20 && constraints.length + operands.length === 0) return []
  return [{kind: 'purpose', api, sentences, prototype: page.prototypes[0], operands, constraints}]
}

function purposeFirst(own: Facts): string[] {
  const first = purposeOf(own)
  const isLongFormula = (sentence: string) => /^\$.{120,}/s.test(sentence)
  const others = (own.said.function ?? []).filter((sentence) => sentence !== first && !isLongFormula(sentence))
  const whole = [first, ...others].filter(Boolean)
  // A list that is cut tells one rule of several for all of them.
  return whole.join('').length <= longestPurpose ? whole : whole.slice(0, 1)
}

const longestPurpose = 1200

/** What a class's members return is asked member by member, of the sentences that name one. */
export function returnsAsks(own: Facts, page: Facts, base: Base): Ask[] {
  const said = own.said.returns ?? []
  const {subject} = base
  if (subject.kind === 'class')
    return subject.members.flatMap((member) => memberReturnsAsk(subject.name, member, said, page))
  if (said.length === 0) return []
  return [{kind: 'returns', ...base, sentences: said.slice(0, 4), prototypes: page.prototypes.slice(0, 3)}]
}

function memberReturnsAsk(owner: string, member: string, said: readonly string[], page: Facts): Ask[] {
  const sentences = mentioning(said, [member])
  if (sentences.length === 0) return []
  const prototypes = page.prototypes.filter((prototype) => prototype.name === member)
  return [{kind: 'returns', api: `${owner}::${member}`, purpose: '', sentences, prototypes}]
}
