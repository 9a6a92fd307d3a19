/** A cache of results by their inputs; the oldest are removed above `most` bytes. */
export class Known<T> {
  readonly #most: number
  readonly #bytesOf: (value: T) => number
  readonly #known = new Map<string, Promise<T>>()
  readonly #sizes = new Map<string, number>()
  #bytes = 0

  constructor(most: number, bytesOf: (value: T) => number) {
    this.#most = most
    this.#bytesOf = bytesOf
  }

  /** The result of a key's first request, shared by concurrent and later requests. A failure is not cached. */
  get(key: string, compute: () => Promise<T>): Promise<T> {
    const known = this.#known.get(key)
    if (known) return known
    const made = compute()
    this.#known.set(key, made)
    made.then(
      (value) => this.#keep(key, this.#bytesOf(value)),
      () => this.#known.delete(key),
    )
    return made
  }

  #keep(key: string, bytes: number): void {
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

export function byteLengths(arrays: readonly ArrayBufferView[]): number {
  return arrays.reduce((sum, {byteLength}) => sum + byteLength, 0)
}
