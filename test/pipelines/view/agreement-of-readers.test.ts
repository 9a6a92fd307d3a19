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

test('kappa is the agreement beyond that of chance', () => {
  // Cohen (1960): 20 and 15 alike, 5 and 10 not: 0.7 observed, 0.5 by chance.
  const pairs: [Reading, Reading, number][] = [
    ['sound', 'sound', 20],
    ['sound', 'false', 5],
    ['false', 'sound', 10],
    ['false', 'false', 15],
  ]
  const readings = pairs.flatMap(([a, b, many]) => Array<[Reading, Reading]>(many).fill([a, b]))
  const all = [
    ...marks(
      'ann',
      readings.map(([a]) => a),
    ),
    ...marks(
      'bob',
      readings.map(([, b]) => b),
    ),
  ]
  const [agreement] = agreements(all)
  expect(agreement).toMatchObject({both: 50, alike: 35})
  expect(agreement?.kappa).toBeCloseTo(0.4)
})

test('readers without a row in common are not compared, and one mark for everything has no kappa', () => {
  expect(agreements([mark('ann', 1, 'sound'), mark('bob', 2, 'sound')])).toEqual([])
  const [agreement] = agreements([...marks('ann', ['sound', 'sound']), ...marks('bob', ['sound', 'sound'])])
  expect(agreement).toEqual({readers: ['ann', 'bob'], both: 2, alike: 2, kappa: undefined})
})
