import {expect, test} from 'vitest'
import {CountTable} from '../../../pipelines/general/ngram-model.ts'
import {NgramModel, unitsOf} from '../../../pipelines/general/ngram-model.ts'

const units = (...numbers: number[]) => Uint32Array.from(numbers)

test('a unit is a word, a Han character, any number or a mark', () => {
  expect(unitsOf('Sum of 12 和 34').length).toBe(5)
  expect(unitsOf('12')).toEqual(unitsOf('9'))
  expect(unitsOf('Word')).toEqual(unitsOf('word'))
  expect(unitsOf('ab cd')).not.toEqual(unitsOf('ab ce'))
})

test('the number of a unit is its FNV-1a hash, of a number 1', () => {
  // From the test vectors of the hash's authors.
  expect([...unitsOf('a b FooBar')]).toEqual([0xe40c292c, 0xe70c2de5, 0xbf9cf968])
  expect([...unitsOf('7 12 ½ a1')]).toEqual([1, 1, 1, 0xe40c292c, 1])
  expect(unitsOf('')).toHaveLength(0)
})

test('of more than 2000 units four windows of 500 are looked at, as far apart as can be', () => {
  const word = (at: number) =>
    [676, 26, 1].map((power) => 'abcdefghijklmnopqrstuvwxyz'[Math.floor(at / power) % 26]).join('')
  const words = Array.from({length: 3004}, (_, at) => word(at))
  const all = unitsOf(words.slice(0, 2000).join(' '))
  expect(all).toHaveLength(2000)
  const numbers = Uint32Array.from(words.flatMap((one) => [...unitsOf(one)]))
  const from = (...starts: number[]) => starts.flatMap((start) => [...numbers.slice(start, start + 500)])
  const seen = (length: number) => [...unitsOf(words.slice(0, length).join(' '))]
  expect([...all]).toEqual([...numbers.slice(0, 2000)])
  expect(seen(2001)).toEqual(from(0, 500, 1000, 1501))
  expect(seen(2002)).toEqual(from(0, 500, 1001, 1502))
  expect(seen(3004)).toEqual(from(0, 834, 1669, 2504))
})

test('of a long text the end is looked at as well as the beginning', () => {
  const long = `first ${'middle '.repeat(5000)}last`
  const seen = unitsOf(long)
  expect(seen.length).toBe(2000)
  expect([seen[0], seen.at(-1)]).toEqual([unitsOf('first')[0], unitsOf('last')[0]])
})

test('probabilities are those of Witten and Bell, worked out by hand', () => {
  const model = new NgramModel(10)
  model.learn(units(7, 8, 7, 9))
  // One unit: counts 7 twice, 8 and 9 once; four seen, three types; (2 + 3 · 1/4) / (4 + 3).
  const seven = (2 + 3 / 4) / 7
  expect(model.perplexity(units(7))).toBeCloseTo(1 / seven, 10)
  // 8 after 7: alone (1 + 3/4) / 7, after one unit (1 + 2 · that) / (2 + 2).
  const eight = (1 + 2 * ((1 + 3 / 4) / 7)) / 4
  expect(model.perplexity(units(7, 8))).toBeCloseTo(1 / Math.sqrt(seven * eight), 10)
})

test('a unit is looked at after two others too, and after none that were never seen', () => {
  const model = new NgramModel(10)
  model.learn(units(7, 8, 7, 9))
  const alone = [(2 + 3 / 4) / 7, (1 + 3 / 4) / 7, (0 + 3 / 4) / 7] as const
  const [seven, eight, other] = alone
  // 8 after 7, then 7 after 8, then 7 after 7 and 8.
  const second = (1 + 2 * eight) / 4
  const third = (1 + (1 + seven) / 2) / 2
  expect(model.perplexity(units(7, 8, 7))).toBeCloseTo((seven * second * third) ** (-1 / 3), 10)
  // Nothing was ever seen after 5, nor after 5 and 8: what is known of the unit alone, or after 8, stands.
  expect(model.perplexity(units(5, 8, 7))).toBeCloseTo((other * eight * ((1 + seven) / 2)) ** (-1 / 3), 10)
  expect(model.perplexity(units())).toBe(1)
})

test('what was learned can be forgotten', () => {
  const model = new NgramModel(10)
  model.learn(units(7, 8, 7, 9))
  const before = model.perplexity(units(7, 8))
  model.forget()
  expect(model.perplexity(units(7, 8))).toBe(1)
  model.learn(units(7, 8, 7, 9))
  expect(model.perplexity(units(7, 8))).toBe(before)
})

test('a text of 131,072 units may be learned where nothing else is said, and no longer one', () => {
  const model = new NgramModel()
  expect(model.learn(new Uint32Array(131_073))).toBe(false)
  expect(model.learn(new Uint32Array(131_072))).toBe(true)
})

test('probabilities of all that may follow sum to one, with room for what was never seen', () => {
  const model = new NgramModel(10)
  model.learn(units(1, 2, 1, 3, 1, 2, 2))
  const known = [1, 2, 3].map((unit) => 1 / model.perplexity(units(unit)))
  const unseen = 1 / model.perplexity(units(99))
  expect(known.reduce((sum, one) => sum + one, unseen)).toBeCloseTo(1, 10)
})

test('a table tells how much room is left, and what is in it takes no more', () => {
  const table = new CountTable(4)
  expect(table.room).toBe(12)
  const keys = Array.from({length: 12}, (_, at) => at * 977 + 5)
  expect(keys.map((key) => table.add(key))).toEqual(keys.map(() => 0))
  expect([table.room, table.add(5), table.get(5), table.get(1)]).toEqual([0, 1, 2, 0])
  table.clear()
  expect([table.room, ...keys.map((key) => table.get(key))]).toEqual([12, ...keys.map(() => 0)])
})

test('a text is learned whole or not at all: whatever was learned, every text has a probability', () => {
  const model = new NgramModel(8)
  const text = (from: number) => Uint32Array.from({length: 12}, (_, at) => from + ((at * 7) % 9))
  const learned = Array.from({length: 40}, (_, at) => model.learn(text(at * 100)))
  expect(new Set(learned.slice(0, 3))).toEqual(new Set([true]))
  expect(learned.at(-1)).toBe(false)
  const before = Array.from({length: 60}, (_, at) => model.perplexity(text(at * 50)))
  expect(before.every(Number.isFinite)).toBe(true)
  expect(model.learn(text(4000))).toBe(false)
  expect(Array.from({length: 60}, (_, at) => model.perplexity(text(at * 50)))).toEqual(before)
})

test('no text has a probability of zero, though some n-grams share a hash', () => {
  const model = new NgramModel()
  // So many that some meet in 32 bits; what follows them in the second text never did in the first.
  const many = 120_000
  for (let from = 0; from < many; from += 1000)
    expect(model.learn(Uint32Array.from({length: 1000}, (_, at) => from + at))).toBe(true)
  for (let at = 0; at < many; at += 1)
    expect(model.perplexity(units(at, 4_000_000)) < Number.POSITIVE_INFINITY, String(at)).toBe(true)
})

test('room is wanted for contexts as well as for what follows them', () => {
  const model = new NgramModel(8)
  // Of words that never come again, each text has 24 contexts at most and 33 n-grams; 36 must be free, of 96 and 192.
  const texts = Array.from({length: 6}, (_, at) => Uint32Array.from({length: 12}, (_, word) => 100 * at + word))
  expect(texts.map((text) => model.learn(text))).toEqual([true, true, true, false, false, false])
})
