import {mix, ngrams} from './ngrams.ts'

// Word 5-grams in 14 bands of 8 rows: the parameters of FineWeb (Penedo et al. 2024, arXiv:2406.17557). Two texts meet
// in a band with probability 1 − (1 − s^8)^14 at Jaccard similarity s: 56 % at 0.7, 77 % at 0.75, 92 % at 0.8, 99.6 %
// at 0.86.
const shingleTokens = 5
const bands = 14
const rows = 8
const hashes = bands * rows

/**
 * Band hashes, and the low 8 bits of each of the 112 minima (b-bit minwise hashing: Li and König 2010,
 * arXiv:0910.3349).
 */
interface Signature {
  bands: Uint32Array
  low: Uint8Array
}

const seeds = Uint32Array.from({length: hashes}, (_, index) => mix(index + 0x9e3779b9))

export function signature(tokens: readonly string[]): Signature {
  const minima = new Uint32Array(hashes).fill(0xffffffff)
  for (const run of new Set(ngrams(tokens, shingleTokens))) {
    const shingle = mix((run / 0x200000) ^ (run >>> 0))
    for (let index = 0; index < hashes; index += 1) {
      const hash = mix(shingle ^ (seeds[index] ?? 0))
      if (hash < (minima[index] ?? 0)) minima[index] = hash
    }
  }
  const bandHashes = new Uint32Array(bands)
  for (let band = 0; band < bands; band += 1) {
    let hash = band + 1
    for (let row = 0; row < rows; row += 1) hash = mix((Math.imul(hash, 31) + (minima[band * rows + row] ?? 0)) | 0)
    bandHashes[band] = hash
  }
  return {bands: bandHashes, low: Uint8Array.from(minima)}
}

/** Unbiased estimate of the Jaccard similarity; 8 bits agree by chance once in 256. */
export function similarity(a: Uint8Array, b: Uint8Array): number {
  let equal = 0
  for (let index = 0; index < hashes; index += 1) if (a[index] === b[index]) equal += 1
  const chance = 1 / 256
  return Math.max(0, (equal / hashes - chance) / (1 - chance))
}

/**
 * Signatures seen so far, numbered in the order they were added. About 500 bytes a signature, outside the JavaScript
 * heap.
 */
interface SignatureIndex {
  /** The first signature added whose estimated similarity is at least `threshold`. */
  find(signature: Signature, threshold: number): {number: number; similarity: number} | undefined
  add(signature: Signature): number
}

export function signatureIndex(): SignatureIndex {
  let count = 0
  let lows = new Uint8Array(hashes * 1024)
  const tables = Array.from({length: bands}, () => bandTable())
  const low = (number: number) => lows.subarray(number * hashes, (number + 1) * hashes)
  return {
    find(wanted, threshold) {
      let best: number | undefined
      for (const [band, table] of tables.entries()) {
        for (const number of table.get(wanted.bands[band] ?? 0)) {
          if ((best === undefined || number < best) && similarity(wanted.low, low(number)) >= threshold) best = number
        }
      }
      return best === undefined ? undefined : {number: best, similarity: similarity(wanted.low, low(best))}
    },
    add(added) {
      if ((count + 1) * hashes > lows.length) lows = grown(lows)
      lows.set(added.low, count * hashes)
      for (const [band, table] of tables.entries()) table.put(added.bands[band] ?? 0, count)
      return count++
    },
  }
}

function grown(array: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(array.length * 2)
  larger.set(array)
  return larger
}

/** A multimap from 32-bit hash to number with open addressing: a JavaScript Map would take ten times the memory. */
function bandTable(): {get(hash: number): Iterable<number>; put(hash: number, number: number): void} {
  let keys = new Uint32Array(2048)
  let numbers = new Int32Array(2048).fill(-1)
  let used = 0

  function insert(hash: number, number: number): void {
    let slot = hash & (keys.length - 1)
    while (numbers[slot] !== -1) slot = (slot + 1) & (keys.length - 1)
    keys[slot] = hash
    numbers[slot] = number
  }

  function grow(): void {
    const [oldKeys, oldNumbers] = [keys, numbers]
    keys = new Uint32Array(oldKeys.length * 2)
    numbers = new Int32Array(oldKeys.length * 2).fill(-1)
    for (const [slot, number] of oldNumbers.entries()) if (number !== -1) insert(oldKeys[slot] ?? 0, number)
  }

  return {
    *get(hash) {
      for (let slot = hash & (keys.length - 1); numbers[slot] !== -1; slot = (slot + 1) & (keys.length - 1)) {
        if (keys[slot] === hash) yield numbers[slot] ?? -1
      }
    },
    put(hash, number) {
      if (used * 4 >= keys.length * 3) grow()
      insert(hash, number)
      used += 1
    },
  }
}
