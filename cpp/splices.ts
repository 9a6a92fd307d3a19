interface Place {
  here: number
  there: number
}

/** A text without its splices, with a mapping of its positions to the original text. */
export class Splices {
  readonly text: string
  readonly #starts: readonly Place[]
  /** The part that was asked for last: most questions are about it or the next. */
  #last = 0

  private constructor(text: string, starts: readonly Place[]) {
    this.text = text
    this.#starts = starts
  }

  /** Undefined of a text that has none. */
  static of(source: string): Splices | undefined {
    if (!source.includes('\\')) return undefined
    const parts: string[] = []
    /** Where each part starts, in both texts. */
    const starts: Place[] = [{here: 0, there: 0}]
    let length = 0
    let from = 0
    for (const {0: mark, index} of source.matchAll(/\\[ \t\v\f]*(?:\r\n|\n|\r)/g)) {
      parts.push(source.slice(from, index))
      length += index - from
      from = index + mark.length
      starts.push({here: length, there: from})
    }
    return from === 0 ? undefined : new Splices(parts.join('') + source.slice(from), starts)
  }

  original(place: number): number {
    const {here, there} = this.#part('here', place)
    return there + place - here
  }

  spliced(place: number): number {
    const {here, there} = this.#part('there', place)
    return here + place - there
  }

  /** The last part that starts at a place or before it. */
  #part(side: keyof Place, place: number): Place {
    const starts = this.#starts
    while ((starts[this.#last]?.[side] ?? 0) > place) this.#last -= 1
    while ((starts[this.#last + 1]?.[side] ?? Number.POSITIVE_INFINITY) <= place) this.#last += 1
    return starts[this.#last] ?? {here: 0, there: 0}
  }
}
