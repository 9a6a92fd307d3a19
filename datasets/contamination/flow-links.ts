import {hashOn, pairOf} from './ngrams.ts'

/** Names of a statement that count: more stand in tables only. */
const mostPlaces = 8

/**
 * What flows where in a function: each place of a name, and the place in the statement before that has the same name.
 * Other names change none of it, and neither do statements between that touch none of these. Names that meet no other
 * name flow nowhere and do not count.
 */
export class Flow {
  readonly #places: {name: string; place: number}[] = []
  readonly #meeting = new Set<string>()

  /**
   * @param hash of the statement
   * @param tokens folded, `v` for a name of the author's
   * @param names the tokens as they were written
   */
  add(hash: number, tokens: readonly string[], names: readonly string[]): void {
    const first = this.#places.length
    for (let index = 0; index < tokens.length && this.#places.length < first + mostPlaces; index += 1) {
      if (tokens[index] === 'v' && tokens[index + 1] !== '(')
        this.#places.push({name: names[index] as string, place: hashOn(hash, `@${index}`)})
    }
    const own = this.#places.slice(first)
    if (own.some(({name}) => name !== own[0]?.name)) for (const {name} of own) this.#meeting.add(name)
  }

  /** Hashes. */
  links(): number[] {
    const last = new Map<string, number>()
    const links: number[] = []
    for (const {name, place} of this.#places) {
      if (!this.#meeting.has(name)) continue
      const before = last.get(name)
      last.set(name, place)
      if (before !== undefined) links.push(pairOf(before, place))
    }
    return links
  }
}
