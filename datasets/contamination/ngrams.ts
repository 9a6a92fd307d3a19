/** Hash of the empty text, for `hashOn`. */
export const emptyHash = 0x811c9dc5

/** FNV-1a over UTF-16 code units, 32 bits: of the text hashed so far, followed by this one. */
export function hashOn(before: number, text: string): number {
  let hash = before
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return hash
}

/** The finaliser of MurmurHash3: every input bit reaches every output bit. */
export function mix(value: number): number {
  let hash = value ^ (value >>> 16)
  hash = Math.imul(hash, 0x85ebca6b)
  hash ^= hash >>> 13
  hash = Math.imul(hash, 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

/**
 * Hashes of all runs of `n` tokens, in order, as integers below 2^53: two 32-bit hashes cut to fit a double, so that a
 * million runs collide about once in ten thousand sets. A list shorter than `n` has one run, itself; an empty one has
 * none.
 */
export function ngrams(tokens: readonly string[], n: number): number[] {
  return runsOf(tokenHashes(tokens), n)
}

/** What `runsOf` makes runs of: for texts whose runs of several lengths are needed. */
export function tokenHashes(tokens: readonly string[]): Uint32Array {
  const hashes = new Uint32Array(tokens.length)
  for (let index = 0; index < tokens.length; index += 1) hashes[index] = hashOn(emptyHash, tokens[index] as string)
  return hashes
}

/** As `ngrams` gives them. */
export function runsOf(hashes: Uint32Array, n: number): number[] {
  if (hashes.length === 0) return []
  const runs: number[] = []
  const length = Math.min(n, hashes.length)
  for (let start = 0; start + length <= hashes.length; start += 1) {
    let high = 0
    let low = 0
    for (let index = start; index < start + length; index += 1) {
      const hash = hashes[index] as number
      high = (Math.imul(high, 31) + hash) | 0
      low = Math.imul(low ^ hash, 0x9e3779b1)
    }
    runs.push(asRun(high, low))
  }
  return runs
}

/** The run of this token alone, as `ngrams` gives it. */
export const runOf = (hash: number) => asRun(hash, Math.imul(hash, 0x9e3779b1))

/** The run of these two tokens. */
export const pairOf = (first: number, second: number) =>
  asRun(Math.imul(first, 31) + second, Math.imul(Math.imul(first, 0x9e3779b1) ^ second, 0x9e3779b1))

const asRun = (high: number, low: number) => mix(high) * 0x200000 + (mix(low) >>> 11)

/** 32-bit hashes of the same runs: enough if a few collisions do no harm. */
export function runHashes(hashes: Uint32Array, n: number): Int32Array {
  const length = Math.min(n, hashes.length)
  const runs = new Int32Array(length === 0 ? 0 : hashes.length - length + 1)
  for (let start = 0; start < runs.length; start += 1) {
    let run = 0
    for (let index = start; index < start + length; index += 1)
      run = (Math.imul(run, 0x9e3779b1) + (hashes[index] as number)) | 0
    runs[start] = mix(run)
  }
  return runs
}
