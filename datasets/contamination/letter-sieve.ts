/** Passage lengths, in letters: for a run of words, the longest that fits. */
const scales = [32, 16, 8] as const

/**
 * Cheaply proves that a text shares no run of words with others, without finding words: segmenting Chinese is
 * expensive. A run of words is a run of letters, so a text with the words has their rarest passage of letters. Texts
 * that pass may still share none.
 */
export class LetterSieve {
  readonly #passages = scales.map(() => new Set<number>())
  readonly #bits = scales.map(() => new Uint8Array(1 << 17))
  #mayAll = false

  /** Adds the runs of `length` words to look for; words as `words` gives them. */
  add(words: readonly string[], length: number, isWanted: (start: number) => boolean): void {
    const starts = [0]
    const parts = words.map(lettersOf)
    for (const part of parts) starts.push((starts.at(-1) as number) + part.length)
    const all = new Uint16Array(starts.at(-1) as number)
    for (const [index, part] of parts.entries()) all.set(part, starts[index])
    const hashes = scales.map((scale) => passages(all, scale))
    for (let start = 0; start < Math.max(1, words.length - length + 1); start += 1) {
      if (!isWanted(start)) continue
      const [from, to] = [starts[start] as number, starts[Math.min(words.length, start + length)] as number]
      const scale = scales.findIndex((letters) => letters <= to - from)
      if (scale < 0) this.#mayAll = true
      // Neighbouring runs mostly have the same least passage, so far fewer passages are kept than runs.
      else this.#keep(scale, least(hashes[scale] as Int32Array, from, to - (scales[scale] as number)))
    }
  }

  #keep(scale: number, hash: number): void {
    this.#passages[scale]?.add(hash)
    const bits = this.#bits[scale] as Uint8Array
    bits[bitOf(hash) >>> 3] = (bits[bitOf(hash) >>> 3] as number) | (1 << (bitOf(hash) & 7))
  }

  /** Whether the text may have one of the runs. */
  mayHave(text: string): boolean {
    if (this.#mayAll) return true
    const letters = lettersOf(ascii.test(text) ? text : text.normalize('NFKC').toLowerCase())
    return scales.some((scale, index) => this.#hasOne(letters, scale, index))
  }

  #hasOne(letters: Uint16Array, scale: number, index: number): boolean {
    const known = this.#passages[index] as Set<number>
    const bits = this.#bits[index] as Uint8Array
    if (known.size === 0 || letters.length < scale) return false
    const hashes = passages(letters, scale)
    for (let at = 0; at < hashes.length; at += 1) {
      const hash = hashes[at] as number
      const bit = bitOf(hash)
      if (((bits[bit >>> 3] as number) >>> (bit & 7)) & 1 && known.has(hash)) return true
    }
    return false
  }
}

const bitOf = (hash: number) => hash >>> 12

function least(hashes: Int32Array, from: number, to: number): number {
  let found = hashes[from] as number
  for (let index = from + 1; index <= to; index += 1) found = Math.min(found, hashes[index] as number)
  return found
}

const base = 0x01000193

/** Mixed hashes of all passages of this many letters. */
function passages(letters: Uint16Array, length: number): Int32Array {
  const hashes = new Int32Array(Math.max(0, letters.length - length + 1))
  let power = 1
  for (let count = 0; count < length; count += 1) power = Math.imul(power, base)
  let hash = 0
  for (let index = 0; index < Math.min(length, letters.length); index += 1)
    hash = (Math.imul(hash, base) + (letters[index] as number)) | 0
  for (let first = 0; first < hashes.length; first += 1) {
    hashes[first] = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
    const gone = Math.imul(letters[first] as number, power)
    hash = (Math.imul(hash, base) + (letters[first + length] as number) - gone) | 0
  }
  return hashes
}

const ascii = /^[\x00-\x7f]*$/

/** Letters and digits as `words` has them, ignoring those beyond 16 bits on both sides. */
function lettersOf(normal: string): Uint16Array {
  const letters = new Uint16Array(normal.length)
  let count = 0
  for (let index = 0; index < normal.length; index += 1) {
    const letter = folded[normal.charCodeAt(index)] as number
    if (letter !== 0) {
      letters[count] = letter
      count += 1
    }
  }
  return letters.subarray(0, count)
}

/** For each code unit: itself if a letter, lower-cased if ASCII; otherwise 0. */
const folded = Uint16Array.from({length: 0x10000}, (_, unit) => {
  const letter = String.fromCharCode(unit)
  if (!/[\p{L}\p{N}_]/u.test(letter)) return 0
  return unit < 0x80 ? letter.toLowerCase().charCodeAt(0) : unit
})
