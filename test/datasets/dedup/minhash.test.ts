import {expect, test} from 'vitest'
import {bands, signature, similarity} from '../../../datasets/dedup/minhash.ts'

const words = (count: number, from = 0) => Array.from({length: count}, (_, at) => `word${at + from}`)
const alike = (a: readonly string[], b: readonly string[]) => similarity(signature(a).low, signature(b).low)
/** What all the runs of five words of two texts have in common. */
function jaccard(a: readonly string[], b: readonly string[]): number {
  const runs = (list: readonly string[]) => new Set(list.slice(4).map((_, at) => list.slice(at, at + 5).join(' ')))
  const [one, other] = [runs(a), runs(b)]
  const both = [...one].filter((run) => other.has(run)).length
  return both / (one.size + other.size - both)
}

test('a signature has a hash for each band and eight bits of each of its eight minima', () => {
  const {bands: hashes, low} = signature(words(50))
  expect([hashes.length, low.length, bands]).toEqual([14, 112, 14])
  expect(signature(words(50))).toEqual(signature(words(50)))
  expect(new Set(hashes).size).toBe(14)
})

test('texts of one run of five words each are alike only when they are the same', () => {
  expect(alike(words(5), words(5))).toBe(1)
  expect(alike(words(5), words(5, 1))).toBeLessThan(0.05)
  const [one, other] = [signature(words(5)), signature(words(5, 1))]
  expect([...one.bands].some((hash, band) => hash === other.bands[band])).toBe(false)
})

test.each([0, 2, 5, 10, 20, 40, 80, 200])('texts that have all but %i of 200 words in common', (shift) => {
  const [a, b] = [words(200), words(200, shift)]
  // 112 minima: a standard deviation of at most 0.047.
  expect(Math.abs(alike(a, b) - jaccard(a, b))).toBeLessThan(0.15)
})

test('a name counts like sixteen runs of words', () => {
  const text = words(36)
  const [named, other] = [signature(text, ['Add']), signature(text, ['Mul'])]
  // 32 runs in common, 16 on either side.
  expect(similarity(named.low, other.low)).toBeGreaterThan(0.35)
  expect(similarity(named.low, other.low)).toBeLessThan(0.65)
  expect(similarity(named.low, signature(text, ['Add']).low)).toBe(1)
  const without = similarity(named.low, signature(text).low)
  expect(Math.abs(without - 32 / 48)).toBeLessThan(0.15)
})

test('of equal bytes as many as chance makes count as none', () => {
  const bytes = (equal: number) => Uint8Array.from({length: 112}, (_, at) => (at < equal ? 1 : 2))
  const all = new Uint8Array(112).fill(1)
  const chance = 1 / 256
  expect([0, 1, 56, 111, 112].map((equal) => similarity(bytes(equal), all))).toEqual(
    [0, 1, 56, 111, 112].map((equal) => Math.max(0, (equal / 112 - chance) / (1 - chance))),
  )
  expect(similarity(all, all)).toBe(1)
  expect(similarity(bytes(0), all)).toBe(0)
})
