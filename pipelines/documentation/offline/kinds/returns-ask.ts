import type {Prototype} from '../../prototype.ts'
import type {Facts} from '../../section-facts.ts'
import {type Base, mentioning} from '../ask-base.ts'

/** What an interface returns, where the page tells several cases. */
export interface ReturnsAsk {
  kind: 'returns'
  api: string
  sentences: string[]
  /** Values that the page explains one by one: `true`, `GRAPH_SUCCESS`. */
  values: string[]
  prototypes: Prototype[]
}

/** What a class's members return is asked member by member, of the sentences that name one. */
export function returnsAsks(own: Facts, page: Facts, {api, subject}: Base): ReturnsAsk[] {
  const said = own.said.returns ?? []
  if ((own.unread.returns ?? []).length > 0) return []
  if (subject.kind === 'class')
    return subject.members.flatMap((member) => {
      const prototypes = page.prototypes.filter((prototype) => prototype.name === member)
      return returnsAsk(`${subject.name}::${member}`, mentioning(said, [member]), prototypes)
    })
  return returnsAsk(api, said, page.prototypes)
}

function returnsAsk(api: string, sentences: readonly string[], prototypes: readonly Prototype[]): ReturnsAsk[] {
  const values = valuesIn(sentences)
  // What each of several functions returns is no value of one.
  if (values.length < 2 || prototypes.some(({name}) => values.includes(name))) return []
  return [{kind: 'returns', api, sentences: [...sentences], values, prototypes: prototypes.slice(0, 3)}]
}

/** What is said on the result where no values are told apart: a part of what the interface does. */
export function plainReturns(page: Facts): string[] {
  const said = page.said.returns ?? []
  if ((page.unread.returns ?? []).length > 0) return []
  return valuesIn(said).length < 2 ? said : []
}

function valuesIn(sentences: readonly string[]): string[] {
  return sentences.flatMap((sentence) => /^(-?(?:\w+::)*\w+)\s*[：:，,](?!:)/.exec(sentence)?.[1] ?? [])
}
