import {mix, runHashes, tokenHashes} from '../contamination/ngrams.ts'

// Word 5-grams in 14 bands of 8 rows: the parameters of FineWeb (Penedo et al. 2024, arXiv:2406.17557). Two texts share
// a band with probability 1 − (1 − s^8)^14 at Jaccard similarity s: 56 % at 0.7, 77 % at 0.75, 92 % at 0.8, 99.6 %
// at 0.86.
const shingleTokens = 5
export const bands = 14
const rows = 8
export const hashes = bands * rows

/** A name in one or both texts counts like this many shingles: a moved word counts like five. */
const nameWeight = 16

/**
 * Band hashes, and the low 8 bits of each of the 112 minima (b-bit minwise hashing: Li and König 2010,
 * arXiv:0910.3349).
 */
export interface Signature {
  bands: Uint32Array
  low: Uint8Array
}

/**
 * One hash function per minimum, `factor · x + term` in 32 bits: as good as any once `x` is well mixed, and half the
 * time of mixing again (Dietzfelbinger et al. 1997; datasketch and datatrove use the same family).
 */
const factors = Int32Array.from({length: hashes}, (_, index) => mix(index + 0x9e3779b9) | 1)
const terms = Int32Array.from({length: hashes}, (_, index) => mix(index + 0x3c6ef372) | 0)

/** @param names what a text is about: their presence weighs more than other words */
export function signature(tokens: readonly string[], names: Iterable<string> = []): Signature {
  const runs = runHashes(tokenHashes(tokens), shingleTokens)
  const named = tokenHashes([...names])
  // A repeated shingle does not change the minimum, so no lookup is needed.
  const shingles = new Int32Array(runs.length + named.length * nameWeight)
  shingles.set(runs)
  for (const [place, name] of named.entries())
    for (let copy = 0; copy < nameWeight; copy += 1)
      shingles[runs.length + place * nameWeight + copy] = mix(mix(name) + copy)
  const minima = Uint32Array.from(factors, (factor, index) => mix(leastHash(shingles, factor, terms[index] as number)))
  const bandHashes = new Uint32Array(bands)
  for (let band = 0; band < bands; band += 1) {
    let hash = band + 1
    for (let row = 0; row < rows; row += 1) hash = mix((Math.imul(hash, 31) + (minima[band * rows + row] ?? 0)) | 0)
    bandHashes[band] = hash
  }
  return {bands: bandHashes, low: Uint8Array.from(minima)}
}

/** The least hash of all shingles, as a signed 32-bit integer. This loop is most of the cost. */
function leastHash(shingles: Int32Array, factor: number, term: number): number {
  let least = 0x7fffffff
  for (let index = 0; index < shingles.length; index += 1) {
    const hash = (Math.imul(shingles[index] as number, factor) + term) | 0
    if (hash < least) least = hash
  }
  return least
}

/** Unbiased estimate of the Jaccard similarity; 8 bits agree by chance once in 256. */
export function similarity(a: Uint8Array, b: Uint8Array): number {
  let equal = 0
  for (let index = 0; index < hashes; index += 1) if (a[index] === b[index]) equal += 1
  const chance = 1 / 256
  return Math.max(0, (equal / hashes - chance) / (1 - chance))
}
