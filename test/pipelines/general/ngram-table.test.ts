import {expect, test} from 'vitest'
import {CountTable, mixed} from '../../../pipelines/general/ngram-model.ts'

test('keys are spread as MurmurHash3 ends', () => {
  expect([0, 1, 2, 0xffffffff].map(mixed)).toEqual([0, 0x514e28b7, 0x30f4c306, 0x81f16f39])
})

test('three quarters of the places may be taken', () => {
  expect([2, 3, 10].map((bits) => new CountTable(bits).room)).toEqual([3, 6, 768])
  const table = new CountTable(2)
  for (const key of [7, 7, 8]) table.add(key)
  expect(table.room).toBe(1)
})

test('keys that fall on one place, and over the end, are counted apart', () => {
  // All places are the last of the four.
  const keys = Array.from({length: 200}, (_, key) => key).filter((key) => (mixed(key) & 3) === 3)
  const [one, two, three, other] = keys as [number, number, number, number]
  const table = new CountTable(2)
  expect([table.add(one), table.add(two), table.add(one), table.add(three), table.add(one)]).toEqual([0, 0, 1, 0, 2])
  expect([one, two, three, other].map((key) => table.get(key))).toEqual([3, 1, 1, 0])
  expect(table.room).toBe(0)
})

test('a key of nought is one like the others', () => {
  const table = new CountTable(3)
  expect([table.get(0), table.add(0), table.get(0), table.room]).toEqual([0, 0, 1, 5])
  table.clear()
  expect([table.get(0), table.room, table.add(0)]).toEqual([0, 6, 0])
})
