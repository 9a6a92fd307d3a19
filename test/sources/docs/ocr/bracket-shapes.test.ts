import {describe, expect, test} from 'vitest'
import {bracketOf} from '../../../../sources/docs/ocr/sign-shape.ts'
import {type Around, drawn, mirrored, type Point, rows, type Run, type Shape} from '../../../helpers/drawn-marks.ts'

function bracket(shape: Shape, around?: Around): string | undefined {
  const {marks, place} = drawn(shape, around)
  expect(marks).toHaveLength(1)
  return bracketOf(marks, place)
}

const solid = (wide: number, high: number) => rows(high, [0, wide])
/** One run of two pixels in each row. */
const stroke = (...from: number[]): Shape => from.map((one) => [[one, 2]])

/** A stem of two pixels, 20 rows high, with feet where they are named. */
function stem({
  wide = 8,
  high = 20,
  from = 0,
  thick = 2,
  feet = {},
}: {
  wide?: number
  high?: number
  from?: number
  thick?: number
  feet?: Readonly<Record<number, Run>>
}): Shape {
  return Array.from({length: high}, (_, y) => [feet[y] ?? (y === 0 && from > 0 ? [0, wide] : [from, thick])])
}

const foot: Run = [0, 8]
const square = stem({feet: {0: foot, 19: foot}})
const floor = stem({feet: {19: foot}})
const ceiling = stem({feet: {0: foot}})
const round = stroke(6, 5, 4, 3, 2, 2, 1, 1, 0, 0, 0, 0, 1, 1, 2, 2, 3, 4, 5, 6)
const curly = stroke(6, 5, 4, 4, 4, 4, 4, 4, 2, 0, 0, 2, 4, 4, 4, 4, 4, 4, 5, 6)

test.each([
  ['(', round],
  ['[', square],
  ['{', curly],
  ['⌊', floor],
  ['⌈', ceiling],
])('%s is known, and its mirror image closes', (opening, shape) => {
  const closing = ({'(': ')', '[': ']', '{': '}', '⌊': '⌋', '⌈': '⌉'} as Record<string, string>)[opening]
  expect([bracket(shape), bracket(mirrored(shape))]).toEqual([opening, closing])
})

describe('a bracket', () => {
  test('is one mark', () => {
    const {marks, place} = drawn(square)
    expect([bracketOf([], place), bracketOf([...marks, ...marks], place), bracketOf(marks, place)]).toEqual([
      undefined,
      undefined,
      '[',
    ])
  })

  test('is twelve pixels high or more', () => {
    expect([11, 12, 13].map((high) => bracket(solid(2, high)))).toEqual([undefined, '|', '|'])
  })

  test('is at most 0.42 as wide as high', () => {
    const wide = (pixels: number) => bracket(stem({wide: pixels, high: 50, feet: {0: [0, pixels], 49: [0, pixels]}}))
    expect([20, 21, 22].map(wide)).toEqual(['[', '[', undefined])
  })

  test('has one run of ink in each of its rows', () => {
    const ring = [...rows(1, [0, 8]), ...rows(18, [0, 2], [6, 2]), ...rows(1, [0, 8])]
    expect(bracket(ring)).toBeUndefined()
    expect(
      bracket(
        square.with(18, [
          [0, 2],
          [6, 2],
        ]),
      ),
    ).toBeUndefined()
  })
})

describe('a bar', () => {
  test('is less than a fifth as wide as high', () => {
    expect([3, 4].map((wide) => bracket(solid(wide, 20)))).toEqual(['|', undefined])
  })

  test('fills more than 0.6 of its width, its ends apart', () => {
    const with40 = (from: number, count: number, run: Run) =>
      [...solid(5, 40)].toSpliced(from, count, ...rows(count, run))
    expect(bracket(with40(20, 1, [0, 4]))).toBe('|')
    expect(bracket(with40(20, 1, [0, 3]))).toBeUndefined()
    expect(bracket(with40(1, 1, [0, 3]))).toBe('|')
    expect(bracket(with40(2, 1, [0, 3]))).toBeUndefined()
    expect(bracket(with40(37, 1, [0, 3]))).toBeUndefined()
    expect(bracket(with40(38, 1, [0, 3]))).toBe('|')
    expect(bracket(with40(20, 1, [2, 3]))).toBeUndefined()
  })

  // A bar of 3 × 40 pixels at (10, 5): beside its ends are columns 6 and 7, 15 and 16, rows 3 to 6 and 43 to 46.
  const beside = (...faint: Point[]) => bracket(solid(3, 40), {left: 10, top: 5, faint})

  test.each([
    [6, 3],
    [7, 6],
    [15, 3],
    [16, 6],
    [6, 43],
    [7, 46],
    [15, 46],
    [16, 43],
  ])('with a shadow beside an end, at %s, %s, has lost its feet', (x, y) => {
    expect(beside([x, y])).toBeUndefined()
  })

  test('may have shadows close to it, far from it, and beside its middle', () => {
    const near = [5, 8, 9, 13, 14, 17].flatMap((x) => [3, 6, 43, 46].map((y): Point => [x, y]))
    const apart = [6, 7, 15, 16].flatMap((x) => [2, 7, 20, 42, 47].map((y): Point => [x, y]))
    expect(beside(...near, ...apart)).toBe('|')
  })

  test('at the edge of its picture has nothing beyond', () => {
    const bar = solid(3, 40)
    // Column 16 of a row is the neighbour of column 0 of the next.
    expect(
      bracket(bar, {
        left: 0,
        top: 5,
        right: 14,
        faint: [
          [13, 4],
          [14, 4],
          [15, 4],
          [16, 4],
          [15, 5],
        ],
      }),
    ).toBe('|')
    expect(
      bracket(bar, {
        left: 10,
        top: 5,
        right: 0,
        faint: [
          [0, 5],
          [1, 5],
          [2, 5],
          [3, 5],
          [2, 6],
        ],
      }),
    ).toBe('|')
    expect(bracket(bar, {left: 10, top: 0, below: 0})).toBe('|')
    expect(bracket(bar, {left: 10, top: 0, below: 0, faint: [[6, 0]]})).toBeUndefined()
    expect(bracket(bar, {left: 10, top: 0, below: 0, faint: [[15, 39]]})).toBeUndefined()
    expect(bracket(bar, {left: 2, top: 5, faint: [[0, 5]]})).toBe('|')
    expect(bracket(bar, {left: 3, top: 5, faint: [[0, 5]]})).toBeUndefined()
  })
})

describe('what has corners', () => {
  test('has its feet within an eighth of its ends', () => {
    const feet = (above: number, below: number) => bracket(stem({feet: {[above]: foot, [below]: foot}}))
    expect([feet(2, 17), feet(0, 16), feet(3, 19), feet(3, 16)]).toEqual(['[', undefined, undefined, undefined])
  })

  test('has feet that are wider than 0.85 of it', () => {
    expect(bracket(stem({feet: {0: [0, 7], 10: [0, 3], 19: foot}}))).toBe('[')
    expect(bracket(stem({feet: {0: [0, 6], 19: foot}}))).toBeUndefined()
    expect(bracket(stem({feet: {0: foot, 19: [0, 6]}}))).toBeUndefined()
    expect(bracket(stem({feet: {0: [0, 5], 19: foot}}))).toBe('⌊')
    expect(bracket(stem({feet: {0: foot, 19: [0, 5]}}))).toBe('⌈')
  })

  test('has a stem on the left: it begins before a fifth and ends before 0.65', () => {
    const middle = (run: Run) => [5, 14].map((y) => bracket(stem({feet: {0: foot, [y]: run, 19: foot}})))
    expect(middle([1, 2])).toEqual(['[', '['])
    expect(middle([0, 5])).toEqual(['[', '['])
    expect(middle([0, 6])).toEqual([undefined, undefined])
    expect([4, 15].map((y) => bracket(stem({feet: {0: foot, [y]: [0, 6], 19: foot}})))).toEqual(['[', '['])
    const aside = [[[0, 8]], ...rows(18, [2, 2]), [[0, 8]]] as Shape
    expect(bracket(aside)).toBeUndefined()
  })

  test('has a stem down to the end without a foot', () => {
    expect(bracket(stem({feet: {0: foot, 15: [0, 6]}}))).toBeUndefined()
    expect(bracket(stem({feet: {0: foot, 19: [0, 6]}}))).toBeUndefined()
    expect(bracket(stem({feet: {4: [0, 6], 19: foot}}))).toBeUndefined()
    expect(bracket(stem({feet: {0: foot, 4: [0, 6]}}))).toBe('⌈')
    expect(bracket(stem({feet: {15: [0, 6], 19: foot}}))).toBe('⌊')
  })

  // The marks stand at (4, 4), 8 × 20 pixels: the corner that ⌊ lacks is at columns 9 to 11, rows 2 to 6.
  test.each([
    [
      '⌊',
      floor,
      [
        [9, 2],
        [11, 6],
      ],
      [
        [8, 4],
        [12, 4],
        [10, 1],
        [10, 7],
      ],
    ],
    [
      '⌈',
      ceiling,
      [
        [9, 21],
        [11, 25],
      ],
      [
        [8, 24],
        [12, 24],
        [10, 20],
        [10, 26],
      ],
    ],
    [
      '⌋',
      mirrored(floor),
      [
        [4, 2],
        [6, 3],
      ],
      [
        [3, 4],
        [7, 4],
        [5, 1],
        [5, 7],
      ],
    ],
    [
      '⌉',
      mirrored(ceiling),
      [
        [4, 25],
        [6, 24],
      ],
      [
        [3, 24],
        [7, 24],
        [5, 20],
        [5, 26],
      ],
    ],
  ] as [string, Shape, Point[], Point[]][])(
    '%s with a shadow where a foot would be is open',
    (sign, shape, faint, other) => {
      for (const point of faint) expect(bracket(shape, {faint: [point]})).toBeUndefined()
      expect(bracket(shape, {faint: other})).toBe(sign)
    },
  )

  test('with both feet has no shadow to fear', () => {
    expect(
      bracket(square, {
        faint: [
          [10, 3],
          [10, 24],
        ],
      }),
    ).toBe('[')
  })
})

describe('what is round or has a tip', () => {
  test('⟨ leads to its tip evenly, and is no brace', () => {
    expect(bracket(stroke(6, 6, 5, 4, 4, 3, 2, 2, 1, 0, 0, 1, 2, 2, 3, 4, 4, 5, 6, 6))).toBeUndefined()
  })

  test('both of its ends lead to the right, by a quarter of its width', () => {
    const inner = [2, 2, 1, 1, 0, 0, 0, 0, 1, 1, 2, 2]
    const ends = (above: number[], below: number[]) => bracket(stroke(...above, ...inner, ...below))
    expect(ends([6, 5, 4, 3], [3, 4, 5, 6])).toBe('(')
    expect(ends([1, 1, 2, 2], [3, 4, 5, 6])).toBeUndefined()
    expect(ends([6, 5, 4, 3], [2, 2, 1, 1])).toBeUndefined()
    expect(ends([2, 2, 2, 2], [3, 4, 5, 6])).toBe('(')
    expect(ends([6, 5, 4, 3], [2, 2, 2, 2])).toBe('(')
  })

  test('its halves are alike', () => {
    const [above, below] = [curly.slice(0, 10), round.slice(10)]
    expect([bracket([...above, ...below]), bracket([...round.slice(0, 10), ...curly.slice(10)])]).toEqual([
      undefined,
      undefined,
    ])
  })
})
