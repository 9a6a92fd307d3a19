/** Counts by 32-bit key in a table of fixed size, so that memory does not grow with what is counted. */
export class CountTable {
  readonly #keys: Uint32Array
  readonly #counts: Uint32Array
  readonly #mask: number
  readonly #most: number
  #size = 0

  /** @param bits the table has 2^bits places of eight bytes */
  constructor(bits: number) {
    this.#keys = new Uint32Array(2 ** bits)
    this.#counts = new Uint32Array(2 ** bits)
    this.#mask = 2 ** bits - 1
    this.#most = 0.75 * 2 ** bits
  }

  /** How many more keys go in before it is three quarters full: beyond that, each search would be long. */
  get room(): number {
    return this.#most - this.#size
  }

  /** Returns the count before. Ask for room first: a table that is full is searched for ever. */
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
