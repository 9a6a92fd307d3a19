import {hashOn, pairOf} from './ngrams.ts'

/** Most names counted per statement: only tables have more. */
const mostPlaces = 8

/**
 * Data flow in a function: each place of a name, linked to the place in an earlier statement with the same name.
 * Renaming does not change it, nor do statements in between that use none of these names. Names that interact with no
 * other name do not count.
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
