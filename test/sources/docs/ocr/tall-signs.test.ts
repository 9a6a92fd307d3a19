import {describe, expect, test} from 'vitest'
import {tallSignOf} from '../../../../sources/docs/ocr/sign-shape.ts'
import {drawn, mirrored, rows, type Run, type Shape} from '../../../helpers/drawn-marks.ts'

describe('a tall sign', () => {
  const bar: Run = [0, 16]
  const tall = (shape: Shape) => {
    const {marks, place} = drawn(shape)
    expect(marks).toHaveLength(1)
    return tallSignOf(marks[0]!, place)
  }
  const thick = (from: readonly number[]): Shape => from.map((one) => [[one, 3]])
  const sum = (ends: [top: Run, bottom: Run] = [bar, bar]) => [
    ...rows(2, ends[0]),
    ...thick([1, 2, 3, 4, 5, 6, 7, 8, 8, 7, 6, 5, 4, 3, 2, 1]),
    ...rows(2, ends[1]),
  ]
  const legs: Run[] = [
    [1, 3],
    [12, 3],
  ]
  const product = (...below: Shape) => [...rows(3, bar), ...rows(17 - below.length, ...legs), ...below]

  test('of a bar above and below and one tip to the right is a sum', () => {
    expect(tall(sum())).toBe('sum')
    expect(tall(mirrored(sum()))).toBeUndefined()
    expect(
      tall(
        sum([
          [0, 14],
          [0, 14],
        ]),
      ),
    ).toBe('sum')
    expect(tall(sum([[0, 13], bar]))).toBeUndefined()
    expect(tall(sum([bar, [0, 13]]))).toBeUndefined()
    expect(
      tall([...rows(2, bar), ...thick([1, 2, 3, 4, 5, 6, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7]), ...rows(2, bar)]),
    ).toBeUndefined()
    expect(
      tall([...rows(2, bar), ...thick([7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 6, 5, 4, 3, 2, 1]), ...rows(2, bar)]),
    ).toBeUndefined()
  })

  test('of a bar above and two legs is a product', () => {
    expect(tall(product())).toBe('product')
    expect(
      tall(
        product(
          [
            [0, 5],
            [11, 5],
          ],
          [
            [0, 5],
            [11, 5],
          ],
        ),
      ),
    ).toBe('product')
    expect(tall(product([bar]))).toBeUndefined()
    expect(tall([...rows(3, [3, 9]), ...product().slice(3)] as Shape)).toBeUndefined()
  })

  test('has legs at its sides', () => {
    const inset = (...two: Run[]) => tall([...rows(3, bar), ...rows(17, ...two)])
    expect(inset([4, 3], [9, 3])).toBe('product')
    expect(inset([5, 3], [12, 3])).toBeUndefined()
    expect(inset([1, 3], [8, 3])).toBeUndefined()
    expect(inset([1, 2], [6, 2], [12, 3])).toBeUndefined()
    expect(inset([6, 3])).toBeUndefined()
  })

  test.each([5, 9, 14])('is told by its rows above, at and below the middle: row %s', (at) => {
    expect(tall(product().with(at, [[1, 14]]))).toBeUndefined()
    expect(
      tall(
        sum().with(at, [
          [1, 6],
          [8, 4],
        ]),
      ),
    ).toBeUndefined()
  })

  test.each([4, 7, 8, 11, 12, 15])('is not told by its other rows: row %s', (at) => {
    expect([
      tall(product().with(at, [[1, 14]])),
      tall(
        sum().with(at, [
          [1, 6],
          [8, 4],
        ]),
      ),
    ]).toEqual(['product', 'sum'])
  })

  test('has its bar in the first rows', () => {
    const late = (at: number) => tall([...rows(at, [2, 12]), [bar], ...rows(19 - at, ...legs)])
    expect([late(2), late(3)]).toEqual(['product', undefined])
  })
})
