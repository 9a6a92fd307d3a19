import {expect, test} from 'vitest'
import {bracketOf} from '../../../../sources/docs/ocr/sign-shape.ts'
import {drawn, rows, type Point} from '../../../helpers/drawn-marks.ts'

/** A bar of forty rows and four columns that fills its picture from the first row to the last. */
const bar = (faint: Point) => {
  const {marks, place} = drawn(rows(40, [0, 4]), {top: 0, below: 0, faint: [faint]})
  return bracketOf(marks, place)
}

// Feet are looked for half a width to one and a half beside the bar, a twentieth of its height around its ends.
test.each<[Point, string | undefined]>([
  [[9, 0], '|'],
  [[10, 0], undefined],
  [[13, 0], undefined],
  [[14, 0], '|'],
  [[0, 0], undefined],
  [[1, 0], undefined],
  [[2, 0], '|'],
  [[10, 1], undefined],
  [[10, 2], '|'],
  [[10, 37], '|'],
  [[10, 38], undefined],
  [[10, 39], undefined],
  [[0, 39], undefined],
])('a shadow at %j beside a bar is a foot or not: %s', (faint, bracket) => {
  expect(bar(faint)).toBe(bracket)
})
