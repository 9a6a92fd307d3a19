import {expect, test} from 'vitest'
import {clock, counted, inThousands} from '../../engine/counted.ts'

test.each([
  [0, '0 replies'],
  [1, '1 reply'],
  [2, '2 replies'],
  [1000, '1,000 replies'],
  [2086850, '2,086,850 replies'],
])('%i agrees with its noun', (count, text) => {
  expect(counted(count, 'reply', 'replies')).toBe(text)
  expect(counted(count, 'row')).toBe(`${inThousands(count)} ${count === 1 ? 'row' : 'rows'}`)
})

test('a clock counts hours from the first on', () => {
  expect([0, 65, 3599.6, 7265].map(clock)).toEqual(['0:00', '1:05', '1:00:00', '2:01:05'])
})
