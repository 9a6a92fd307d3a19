import {expect, test} from 'vitest'
import {CountTable} from '../../../pipelines/general/ngram-table.ts'
import {NgramModel, unitsOf} from '../../../pipelines/general/ngram-model.ts'

const units = (...numbers: number[]) => Uint32Array.from(numbers)

test('a unit is a word, a Han character, any number or a mark', () => {
  expect(unitsOf('Sum of 12 和 34').length).toBe(5)
  expect(unitsOf('12')).toEqual(unitsOf('9'))
  expect(unitsOf('Word')).toEqual(unitsOf('word'))
  expect(unitsOf('ab cd')).not.toEqual(unitsOf('ab ce'))
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

test('probabilities of all that may follow sum to one, with room for what was never seen', () => {
  const model = new NgramModel(10)
  model.learn(units(1, 2, 1, 3, 1, 2, 2))
  const known = [1, 2, 3].map((unit) => 1 / model.perplexity(units(unit)))
  const unseen = 1 / model.perplexity(units(99))
  expect(known.reduce((sum, one) => sum + one, unseen)).toBeCloseTo(1, 10)
})

test('a full table counts on what it has and forgets nothing', () => {
  const table = new CountTable(4)
  const added = Array.from({length: 20}, (_, key) => table.add(key * 977 + 5))
  expect(added.filter((before) => before === undefined)).toHaveLength(8)
  expect(table.size).toBe(12)
  expect([table.add(5), table.get(5), table.get(19 * 977 + 5)]).toEqual([1, 2, 0])
})
