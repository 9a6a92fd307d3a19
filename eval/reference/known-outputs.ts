/** Outputs that were computed, by what they were computed of; the oldest go when there are more bytes than `most`. */
export class KnownOutputs {
  readonly #most: number
  readonly #known = new Map<string, Promise<Uint8Array[]>>()
  readonly #sizes = new Map<string, number>()
  #bytes = 0

  constructor(most: number) {
    this.#most = most
  }

  /** What came of a key's first asking, for all that ask while it runs or after it. A failure is forgotten. */
  get(key: string, compute: () => Promise<Uint8Array[]>): Promise<Uint8Array[]> {
    const known = this.#known.get(key)
    if (known) return known
    const made = compute()
    this.#known.set(key, made)
    made.then(
      (outputs) => this.#keep(key, outputs),
      () => this.#known.delete(key),
    )
    return made
  }

  #keep(key: string, outputs: readonly Uint8Array[]): void {
    const bytes = outputs.reduce((sum, {length}) => sum + length, 0)
    this.#sizes.set(key, bytes)
    this.#bytes += bytes
    for (const [oldest, size] of this.#sizes) {
      if (this.#bytes <= this.#most) return
      this.#sizes.delete(oldest)
      this.#known.delete(oldest)
      this.#bytes -= size
    }
  }
}
