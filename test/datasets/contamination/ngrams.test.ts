import fc from '../../helpers/properties.ts'
import {describe, expect, test} from 'vitest'
import {signature, similarity} from '../../../datasets/dedup/minhash.ts'
import {
  emptyHash,
  hashOn,
  mix,
  ngrams,
  pairOf,
  runHashes,
  runOf,
  tokenHashes,
} from '../../../datasets/contamination/ngrams.ts'

test('tokens are hashed by FNV-1a, and hashes mixed by the finaliser of MurmurHash3', () => {
  // Published test vectors.
  expect([...tokenHashes(['', 'a', 'foobar'])]).toEqual([0x811c9dc5, 0xe40c292c, 0xbf9cf968])
  expect([0, 1].map(mix)).toEqual([0, 0x514e28b7])
})

describe('runs of tokens', () => {
  const letters = [...'abcdefgh']
  test('there is one for each place where it can begin, and one of a list that is shorter', () => {
    expect([1, 2, 7, 8, 9].map((n) => ngrams(letters, n).length)).toEqual([8, 7, 2, 1, 1])
    expect([1, 2, 7, 8, 9].map((n) => runHashes(tokenHashes(letters), n).length)).toEqual([8, 7, 2, 1, 1])
    expect(ngrams([], 3)).toEqual([])
    expect([...runHashes(tokenHashes([]), 3)]).toEqual([])
  })

  test('equal runs have equal hashes wherever they stand, and others do not', () => {
    const word = fc.constantFrom('a', 'b', 'c', 'add', 'mul')
    fc.assert(
      fc.property(fc.array(word, {minLength: 3, maxLength: 12}), fc.integer({min: 1, max: 4}), (tokens, n) => {
        const length = Math.min(n, tokens.length)
        const texts = Array.from({length: tokens.length - length + 1}, (_, at) =>
          tokens.slice(at, at + length).join(' '),
        )
        for (const hashes of [ngrams(tokens, n), [...runHashes(tokenHashes(tokens), n)]]) {
          expect(hashes).toHaveLength(texts.length)
          const pairs = new Set(texts.map((text, at) => `${text} ${hashes[at]}`))
          expect(pairs.size).toBe(new Set(texts).size)
          expect(new Set(hashes).size).toBe(new Set(texts).size)
        }
      }),
    )
  })

  test('one of one token and one of two are made without a list', () => {
    const hash = (token: string) => hashOn(emptyHash, token)
    for (const token of ['', 'a', 'foobar', 'Add then Mul']) expect(runOf(hash(token))).toBe(ngrams([token], 1)[0])
    for (const [first, second] of [
      ['a', 'b'],
      ['b', 'a'],
      ['a', 'a'],
      ['DataCopy', ''],
    ] as const)
      expect(pairOf(hash(first), hash(second))).toBe(ngrams([first, second], 2)[0])
    expect(hashOn(hash('foo'), 'bar')).toBe(hash('foobar'))
  })

  test('a hash is a whole number below 2^53, and most pass 2^32', () => {
    const hashes = ngrams(
      Array.from({length: 1000}, (_, at) => `w${at}`),
      5,
    )
    expect(hashes.every((hash) => Number.isSafeInteger(hash) && hash >= 0)).toBe(true)
    expect(hashes.filter((hash) => hash > 2 ** 32).length).toBeGreaterThan(950)
  })
})

describe('signatures', () => {
  const words = (from: number, to: number) => Array.from({length: to - from}, (_, at) => `w${from + at}`)

  test('estimate the share of runs of five that two texts have in common', () => {
    const [whole, low] = [words(0, 2000), signature(words(0, 2000)).low]
    for (const share of [0.25, 0.5, 0.75]) {
      const other = [...whole.slice(0, 2000 * share), ...words(5000, 7000 - 2000 * share)]
      expect(similarity(low, signature(other).low)).toBeCloseTo(share / (2 - share), 0)
      expect(Math.abs(similarity(low, signature(other).low) - share / (2 - share))).toBeLessThan(0.15)
    }
    expect(similarity(low, low)).toBe(1)
    expect(similarity(low, signature(words(9000, 11_000)).low)).toBeLessThan(0.05)
  })

  test('have fourteen bands, which only like texts share', () => {
    const [text, other] = [words(0, 300), words(1000, 1300)]
    const near = [...text.slice(0, 295), 'x', ...text.slice(296)]
    const shared = (a: readonly string[], b: readonly string[]) =>
      signature(a).bands.filter((band, at) => band === signature(b).bands[at]).length
    expect(signature(text).bands).toHaveLength(14)
    expect(signature(text).low).toHaveLength(112)
    expect(new Set(signature(text).bands).size).toBe(14)
    expect([shared(text, text), shared(text, other)]).toEqual([14, 0])
    expect(shared(text, near)).toBeGreaterThan(5)
  })

  test('a name that only one text has makes short texts unlike', () => {
    const text = words(0, 40)
    const of = (...names: string[]) => signature(text, names).low
    expect(similarity(of('Add'), of('Add'))).toBe(1)
    // 36 runs in common, 16 of each name apart: 36 of 68.
    expect(Math.abs(similarity(of('Add'), of('Mul')) - 36 / 68)).toBeLessThan(0.15)
    expect(Math.abs(similarity(of('Add'), of()) - 36 / 52)).toBeLessThan(0.15)
  })
})
