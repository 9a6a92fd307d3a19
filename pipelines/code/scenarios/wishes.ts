import type {OperatorDefinition} from '../../../cpp/op-def.ts'
import {absent} from './roles.ts'
import type {Candidate} from './drawn-call.ts'

const rankPatterns = [
  /\b([1-5]) ?-? ?(?:d|dims?|dimensions?|dimensional)\b/i,
  /\b(?:dim(?:ension)?s?|rank)\w*(?: num\w*| number)?[^\d\n]{0,40}?\b([1-5])\b/i,
]

/**
 * What tilings said they want, read off their own messages: so many dimensions, of an input that they name or of the
 * call as a whole. A wish that did not help when it was met is forgotten.
 */
export class Wishes {
  readonly #names: readonly string[]
  readonly #ranks = new Map<string, number>()
  readonly #heard = new Set<string>()

  constructor({inputs}: OperatorDefinition) {
    this.#names = inputs.map(({name}) => name)
  }

  meets({base, inputs}: Candidate): boolean {
    return [...this.#ranks].every(([name, rank]) => {
      if (name === '') return base.length === rank
      const role = inputs[name]
      return role === undefined || role === absent || role.shape(base).length === rank
    })
  }

  hear(message: string): void {
    for (const line of message.split('\n').slice(1)) this.#hearLine(line)
  }

  #hearLine(line: string): void {
    const rank = rankPatterns.map((pattern) => pattern.exec(line)?.[1]).find((digit) => digit !== undefined)
    if (rank === undefined) return
    const said = line.slice(line.indexOf(':') + 1)
    const name = this.#names.find((one) => new RegExp(`\\b${one}(?:shape|dim)?\\b`, 'i').test(said)) ?? ''
    const wish = `${name} ${rank}`
    if (this.#heard.has(wish)) {
      if (this.#ranks.get(name) === Number(rank)) this.#ranks.delete(name)
      return
    }
    this.#heard.add(wish)
    this.#ranks.set(name, Number(rank))
  }
}
