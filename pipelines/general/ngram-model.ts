/** One word, one Han character, one number or one mark. */
const unit = /\p{Script=Han}|\p{L}+|\p{N}+|[^\s\p{L}\p{N}]/gu

/** For a longer text, this many units in four windows over its length are used, so that its end counts too. */
const mostUnits = 2000
const windows = 4

/** The units of a text as numbers. All numbers are one unit: which number comes next says nothing about the writing. */
export function unitsOf(text: string): Uint32Array {
  const all = text.toLowerCase().match(unit) ?? []
  if (all.length <= mostUnits) return Uint32Array.from(all, hashOf)
  const each = mostUnits / windows
  const starts = Array.from({length: windows}, (_, at) => Math.floor((at * (all.length - each)) / (windows - 1)))
  return Uint32Array.from(
    starts.flatMap((start) => all.slice(start, start + each)),
    hashOf,
  )
}

const number = /^\p{N}/u

/** FNV-1a over UTF-16 units. */
function hashOf(text: string): number {
  if (number.test(text)) return 1
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash >>> 0
}

const join = (context: number, next: number) => mixed(Math.imul(context, 0x9e3779b1) ^ next)
const ofContext = (context: number) => mixed(context ^ 0x5bd1e995)

/** A unit is counted alone, after one other, and after two. */
const orders = 3

/**
 * A trigram model with Witten–Bell smoothing: a unit seen n times after a context with t different successors out of c
 * has probability (n + t·p') / (c + t), where p' is that of the shorter context, and finally 1 / (vocabulary + 1).
 * Source: Chen and Goodman, An Empirical Study of Smoothing Techniques for Language Modeling, 1998, section 2.4.
 */
export class NgramModel {
  readonly #ngrams: CountTable
  readonly #contexts: CountTable
  readonly #types: CountTable

  /** @param bits of its largest table; 20 use 16 MB */
  constructor(bits = 20) {
    this.#ngrams = new CountTable(bits)
    // A context mostly has more than one successor.
    this.#contexts = new CountTable(bits - 1)
    this.#types = new CountTable(bits - 1)
  }

  forget(): void {
    for (const table of [this.#ngrams, this.#contexts, this.#types]) table.clear()
  }

  /** Learns a text; returns false, and learns none of it, if its tables might not have room for all of it. */
  learn(units: Uint32Array): boolean {
    if (Math.min(this.#ngrams.room, this.#contexts.room) < orders * units.length) return false
    for (let at = 0; at < units.length; at += 1) {
      for (let order = 0; order < orders && order <= at; order += 1) {
        const context = contextOf(units, at, order)
        const before = this.#ngrams.add(join(context, units[at] as number))
        this.#contexts.add(ofContext(context))
        if (before === 0) this.#types.add(ofContext(context))
      }
    }
    return true
  }

  /** e to the mean surprise per unit: how many equally likely successors the text seems to choose from each time. */
  perplexity(units: Uint32Array): number {
    let surprise = 0
    for (let at = 0; at < units.length; at += 1) surprise -= Math.log(this.#probability(units, at))
    return Math.exp(surprise / Math.max(units.length, 1))
  }

  #probability(units: Uint32Array, at: number): number {
    let probability = 1 / (this.#types.get(ofContext(contextOf(units, at, 0))) + 1)
    for (let order = 0; order < orders && order <= at; order += 1) {
      const context = contextOf(units, at, order)
      const seen = this.#contexts.get(ofContext(context))
      if (seen === 0) break
      // If two n-grams share a hash, the second does not look new, and yet its context has a successor.
      const types = Math.max(this.#types.get(ofContext(context)), 1)
      const count = this.#ngrams.get(join(context, units[at] as number))
      probability = (count + types * probability) / (seen + types)
    }
    return probability
  }
}

/** The units before a place, as one number; none for order 0. */
function contextOf(units: Uint32Array, at: number, order: number): number {
  let context = order + 1
  for (let back = order; back > 0; back -= 1) context = join(context, units[at - back] as number)
  return context
}

/** Counts by 32-bit key in a table of fixed size, so that memory does not grow with what is counted. */
export class CountTable {
  readonly #keys: Uint32Array
  readonly #counts: Uint32Array
  readonly #mask: number
  readonly #most: number
  #size = 0

  /** @param bits the table has 2^bits slots of eight bytes */
  constructor(bits: number) {
    this.#keys = new Uint32Array(2 ** bits)
    this.#counts = new Uint32Array(2 ** bits)
    this.#mask = 2 ** bits - 1
    this.#most = 0.75 * 2 ** bits
  }

  /** How many more keys fit before it is three quarters full: beyond that, searches become slow. */
  get room(): number {
    return this.#most - this.#size
  }

  /** Returns the count before. Check for room first: a search in a full table never ends. */
  add(key: number): number {
    const at = this.#place(key)
    const before = this.#counts[at] as number
    if (before === 0) {
      this.#keys[at] = key
      this.#size += 1
    }
    this.#counts[at] = before + 1
    return before
  }

  clear(): void {
    this.#counts.fill(0)
    this.#size = 0
  }

  get(key: number): number {
    return this.#counts[this.#place(key)] as number
  }

  #place(key: number): number {
    let at = mixed(key) & this.#mask
    while (this.#counts[at] !== 0 && this.#keys[at] !== key) at = (at + 1) & this.#mask
    return at
  }
}

/** Spreads keys that differ in few bits (the finaliser of MurmurHash3). */
export function mixed(key: number): number {
  let hash = key
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
