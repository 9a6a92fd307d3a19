import {expect, test} from 'vitest'
import {wrongSums} from '../../../pipelines/facts/sums.ts'

test.each([
  ['24 × 2048 = 49152 bytes'],
  ['24 × 2048 = 49,152 of 196,608 bytes'],
  ['(149 + 64 − 1) / 64 = 3, where 149 / 64 = 2.33'],
  ['7 / 2 = 3, 7 / 2 = 4 or 7 / 2 = 3.5'],
  ['20,500 = 47 × 432 + 196'],
  ['40 × (8 + 2) = 400'],
  ['212 / 64 × 64 = 192'],
])('a sum that comes out is none: %s', (text) => expect(wrongSums(text)).toEqual([]))

test.each([
  ['24 × 2048 = 49150 bytes', '24 × 2048 = 49150: it is 49152'],
  ['7 / 2 = 5', '7 / 2 = 5: it is 3.5'],
  ['20,500 = 47 × 432 + 195', '20,500 = 47 × 432 + 195: it is 20499'],
  ['(149 + 64 − 1) / 64 = 2', '(149 + 64 − 1) / 64 = 2: it is 3.3125'],
])('a sum that does not is said with what it comes to: %s', (text, expected) =>
  expect(wrongSums(text)).toEqual([expected]),
)

test.each([
  ['n = 3 + 4'],
  ['x * 2 = 5'],
  ['a[2] = 3 - 1'],
  ['1 + 1 = 2 × 1'],
  ['3 + 4 = 8 %'],
  ['version 1.2.3 = 4'],
  ['the range 3-4 = 7 entries'],
  ['1.5 * 2 = 4'],
])('what is no sum of whole numbers is not judged: %s', (text) => expect(wrongSums(text)).toEqual([]))
