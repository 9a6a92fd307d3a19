import {expect, test} from 'vitest'
import type {Mark, Reading} from '../../../datasets/schema/mark.ts'
import {agreements, lastMarks} from '../../../pipelines/view/agreement-of-readers.ts'

const mark = (reader: string, id: number, reading: Reading): Mark => ({
  ...{id: String(id), config: 'sft', path: 'data/sft/train-00000-of-00001.parquet', row: id, mark: reading},
  ...{note: '', reader, at: '2026-01-01T00:00:00Z'},
})
const marks = (reader: string, readings: Reading[]) => readings.map((reading, id) => mark(reader, id, reading))

test('the last word of a reader about a row counts', () => {
  const all = [mark('ann', 1, 'sound'), mark('ann', 1, 'false'), mark('bob', 1, 'sound')]
  expect(lastMarks(all).get('ann')?.get('1')?.mark).toBe('false')
  expect(agreements(all)).toMatchObject([{readers: ['ann', 'bob'], both: 1, alike: 0}])
})

test.each([
  // Cohen (1960): 20 and 15 alike, 5 and 10 not: 0.7 observed, 0.5 by chance.
  {counts: [20, 5, 10, 15], alike: 35, kappa: 0.4},
  // 0.8 and 0.7 of them sound: 0.7 observed, 0.8 × 0.7 + 0.2 × 0.3 = 0.62 by chance.
  {counts: [30, 10, 5, 5], alike: 35, kappa: 0.08 / 0.38},
])('kappa is the agreement beyond that of chance: $counts', ({counts, alike, kappa}) => {
  const both: [Reading, Reading][] = [
    ['sound', 'sound'],
    ['sound', 'false'],
    ['false', 'sound'],
    ['false', 'false'],
  ]
  const readings = both.flatMap((pair, at) => Array<[Reading, Reading]>(counts[at] ?? 0).fill(pair))
  const of = (reader: string, side: 0 | 1) =>
    marks(
      reader,
      readings.map((pair) => pair[side]),
    )
  const [agreement] = agreements([...of('ann', 0), ...of('bob', 1)])
  expect(agreement).toMatchObject({both: 50, alike})
  expect(agreement?.kappa).toBeCloseTo(kappa)
})

test('readers without a row in common are not compared, and one mark for everything has no kappa', () => {
  expect(agreements([mark('ann', 1, 'sound'), mark('bob', 2, 'sound')])).toEqual([])
  const [agreement] = agreements([...marks('ann', ['sound', 'sound']), ...marks('bob', ['sound', 'sound'])])
  expect(agreement).toEqual({readers: ['ann', 'bob'], both: 2, alike: 2, kappa: undefined})
})
