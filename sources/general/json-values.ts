/**
 * The text of one value; undefined for one that is longer than a row may be, and skipped without being kept in memory.
 */
type ValueText = string | undefined

const [quote, backslash, comma] = ['"', '\\', ','].map((one) => one.charCodeAt(0))
const opening = new Set(['[', '{'].map((one) => one.charCodeAt(0)))
const closing = new Set([']', '}'].map((one) => one.charCodeAt(0)))
const isBlank = (code: number) => code === 32 || (code >= 9 && code <= 13) || code === 0xfeff

/**
 * Splits a text into values by its brackets: the elements of a list, or values one after another, over as many lines as
 * they take. Whether they are JSON is checked later.
 * @param isList whether the text begins as a list, whose elements are wanted
 * @returns whether the text ended where a value, and the list, does
 */
export async function* valuesIn(
  texts: AsyncIterable<string>,
  {isList, longest}: {isList: boolean; longest: number},
): AsyncGenerator<ValueText, boolean> {
  const cutter = new Cutter(isList ? 1 : 0, longest)
  for await (const text of texts) yield* cutter.cut(text)
  return cutter.isWhole
}

class Cutter {
  readonly #floor: number
  readonly #longest: number
  #depth = 0
  #inString = false
  #escaped = false
  #pieces: string[] = []
  #length = 0

  constructor(floor: number, longest: number) {
    this.#floor = floor
    this.#longest = longest
  }

  get isWhole(): boolean {
    return this.#depth === 0 && this.#length === 0
  }

  /** Values that end in this part of the text. */
  *cut(text: string): Iterable<ValueText> {
    let start = this.#length > 0 ? 0 : -1
    const ended = (end: number) => {
      this.#keep(text.slice(start, end))
      start = -1
      return this.#take()
    }
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at)
      if (this.#inString) {
        this.#inside(code)
        continue
      }
      const isOutside = this.#depth <= this.#floor
      if (isOutside && start === -1 && (isBlank(code) || code === comma)) continue
      // What ends a number or a word of a list.
      if (isOutside && start !== -1 && (code === comma || closing.has(code))) yield ended(at)
      const before = this.#depth
      if (code === quote) this.#inString = true
      else if (opening.has(code)) this.#depth += 1
      else if (closing.has(code)) this.#depth = Math.max(0, before - 1)
      const isFrame = Math.min(before, this.#depth) < this.#floor
      if (!isFrame && start === -1 && code !== comma) start = at
      if (!isFrame && this.#depth === this.#floor && before > this.#floor) yield ended(at + 1)
    }
    if (start !== -1) this.#keep(text.slice(start))
  }

  #inside(code: number): void {
    if (this.#escaped) this.#escaped = false
    else if (code === backslash) this.#escaped = true
    else if (code === quote) this.#inString = false
  }

  #keep(piece: string): void {
    this.#length += piece.length
    if (this.#length > this.#longest) this.#pieces = []
    else this.#pieces.push(piece)
  }

  #take(): ValueText {
    const value = this.#length > this.#longest ? undefined : this.#pieces.join('')
    this.#pieces = []
    this.#length = 0
    return value
  }
}
