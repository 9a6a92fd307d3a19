import {describe, expect, test} from 'vitest'
import {layoutOf, type Place} from '../../../../sources/docs/ocr/formula-layout.ts'
import type {Mark} from '../../../../sources/docs/ocr/ink-marks.ts'

type Box = readonly [name: string, left: number, bottom: number, wide: number, high: number, area?: number]

/** Boxes by name, on a line at 100: `bottom` says how far a box ends above it (or below, where negative). */
function shown(...boxes: readonly Box[]): string {
  const names = new Map<number, string>()
  const marks = boxes.map(([name, left, bottom, wide, high, area = wide * high], at): Mark => {
    names.set(at + 1, name)
    return {left, right: left + wide, top: 100 - bottom - high, bottom: 100 - bottom, area, label: at + 1}
  })
  const nameOf = ({label}: Mark) => names.get(label) ?? '?'
  const row = (places: readonly Place[]): string => places.map(told).join(' ')
  const told = (place: Place): string => {
    if (place.kind === 'run') return place.marks.map((sign) => sign.map(nameOf).join('+')).join(',')
    if (place.kind === 'fraction') return `(${row(place.above)} / ${row(place.below)})`
    if (place.kind === 'root') return `root(${row(place.inside)})`
    if (place.kind === 'big') return `${nameOf(place.sign)}(${row(place.below)} to ${row(place.above)})`
    return `${place.kind}(${row(place.row)})`
  }
  return row(layoutOf(marks))
}

/** A letter as high as an x, 20 pixels, on the line. */
const x = (name: string, left: number, bottom = 0): Box => [name, left, bottom, 16, 20, 150]
const small = (name: string, left: number, bottom: number): Box => [name, left, bottom, 10, 14, 80]

test('letters of a line are one run, from left to right', () => {
  expect(shown(x('c', 40), x('a', 0), x('b', 20))).toBe('a,b,c')
  expect(shown(x('a', 0))).toBe('a')
  expect(shown()).toBe('')
})

describe('exponents and indices', () => {
  test('stand higher and lower than the line, in rows of their own', () => {
    expect(shown(x('a', 0), small('n', 18, 16), x('b', 40))).toBe('a sup(n) b')
    expect(shown(x('a', 0), small('i', 18, -8), x('b', 40))).toBe('a sub(i) b')
    expect(shown(x('a', 0), small('n', 18, 16), small('m', 30, 16), x('b', 50))).toBe('a sup(n,m) b')
    expect(shown(x('a', 0), small('i', 18, -8), small('n', 30, 16), x('b', 50))).toBe('a sub(i) sup(n) b')
  })

  test('begin no row', () => {
    expect(shown(small('n', 0, 16), x('a', 12), x('b', 40))).not.toMatch(/^sup|^sub/)
  })

  // A letter of 20 pixels: half of it is 10, a fifth 4, and 0.87 of it 17.4.
  test.each([
    [10, 'a,n,b'],
    [11, 'a sup(n) b'],
    [-4, 'a,n,b'],
    [-5, 'a sub(n) b'],
  ])('a small letter whose foot is %s pixels above the line', (bottom, row) => {
    expect(shown(x('a', 0), small('n', 18, bottom), x('b', 40))).toBe(row)
  })

  test.each([
    [22, 'a sub(n) b'],
    [23, 'a,n,b'],
  ])('a tall letter below the line, %s pixels high, is an index only where it begins low', (high, row) => {
    expect(shown(x('a', 0), ['n', 18, -5, 10, high, 80], x('b', 40))).toBe(row)
  })

  test.each([
    [8, 13, 'a,n,b'],
    [9, 13, 'a sub(n) b'],
    [8, 16, 'a,n,b'],
    [8, 17, 'a sub(n) b'],
  ])('what is %s × %s pixels and hangs below the line: a comma is narrow and low', (wide, high, row) => {
    expect(shown(x('a', 0), ['n', 18, -6, wide, high, 60], x('b', 40))).toBe(row)
  })

  test.each([
    [8, 18, 'a,n,b'],
    [8, 19, 'a sup(n) b'],
    [9, 18, 'a sup(n) b'],
  ])('what is %s pixels high, less than 0.45 of a letter, and stands %s above the line', (high, bottom, row) => {
    expect(shown(x('a', 0), ['n', 18, bottom, 10, high, 40], x('b', 40))).toBe(row)
  })

  test('keep the minus, the point and the comma within them', () => {
    const minus: Box = ['-', 18, 22, 8, 2]
    expect(shown(x('a', 0), minus, small('n', 28, 16), x('b', 50))).toBe('a sup(-,n) b')
    expect(shown(x('a', 0), small('1', 18, 16), ['.', 30, 16, 3, 3], small('5', 35, 16), x('b', 50))).toBe(
      'a sup(1,.,5) b',
    )
    expect(shown(x('a', 0), small('i', 18, -8), [',', 30, -10, 3, 6], small('j', 35, -8), x('b', 50))).toBe(
      'a sub(i,,,j) b',
    )
  })

  test('end at what stands on the line', () => {
    const dot = (bottom: number): Box => ['.', 30, bottom, 3, 3]
    expect(shown(x('a', 0), small('n', 18, 16), dot(0), x('b', 50))).toBe('a sup(n) .,b')
    expect(shown(x('a', 0), small('i', 18, -8), dot(0), x('b', 50))).toBe('a sub(i) .,b')
    // The middle of a point has to be 13 pixels above the line, of a minus 19.
    expect(shown(x('a', 0), small('n', 18, 16), dot(11), x('b', 50))).toBe('a sup(n) .,b')
    expect(shown(x('a', 0), small('n', 18, 16), dot(12), x('b', 50))).toBe('a sup(n,.) b')
    const minus = (bottom: number): Box => ['-', 30, bottom, 8, 2]
    expect(shown(x('a', 0), small('n', 18, 16), minus(18), x('b', 50))).toBe('a sup(n) -,b')
    expect(shown(x('a', 0), small('n', 18, 16), minus(19), x('b', 50))).toBe('a sup(n,-) b')
  })

  test('hold indices and exponents of their own', () => {
    expect(shown(x('a', 0), small('n', 18, 16), ['k', 30, 24, 7, 9, 40], x('b', 50))).toBe('a sup(n sup(k)) b')
  })
})

describe('a line', () => {
  test('stands on its first letter, where no sign tells', () => {
    expect(shown(x('a', 0, 0), x('b', 20, 0), x('c', 40, 24))).toBe('a,b sup(c)')
    expect(shown(x('a', 0, 24), x('b', 20, 0), x('c', 40, 0))).toBe('a sub(b,c)')
  })

  test('is told by the axis of =, and by the letters that stand a quarter of its size below', () => {
    // The sign is 30 wide, its middle at 11: letters stand 0.37 of its width below.
    const equals: Box[] = [
      ['=', 40, 13, 30, 2],
      ['=', 40, 7, 30, 2],
    ]
    expect(shown(x('a', 0), ...equals, x('b', 80))).toBe('a,=+=,b')
    expect(shown(small('a', 0, 16), ...equals, x('b', 80), x('c', 100))).toBe('a,=+=,b,c')
    expect(shown(x('a', 0), small('n', 18, 16), ...equals, x('b', 80), small('i', 98, -8))).toBe(
      'a sup(n) =+=,b sub(i)',
    )
    expect(shown(x('a', 0, 24), ...equals, x('b', 80, 24))).toBe('a,=+= sup(b)')
  })
})

describe('what tells of a line', () => {
  const brackets = (bottom: number): Box => ['(', 0, bottom, 6, 30, 60]

  test('no bracket and no comma before the first letter', () => {
    // A bracket hangs eight pixels below the line, and is half as high again as a letter.
    expect(shown(brackets(-8), x('a', 10), small('i', 28, -8), x('b', 50))).toBe('(,a sub(i) b')
    expect(shown([',', 0, -6, 3, 8], x('a', 10), small('i', 28, -8), x('b', 50))).toBe(',,a sub(i) b')
    expect(shown(['P', 0, 0, 20, 30, 300], x('a', 24), small('i', 44, -8), x('b', 60))).toBe('P,a sub(i) b')
    expect(shown(['-', 0, 9, 12, 2])).toBe('-')
  })

  test('its lower letters, where capitals stand beside them', () => {
    // Of a letter of 20 pixels half is 10, of a capital of 30 it is 15.
    const capital: Box = ['P', 0, 0, 24, 30, 300]
    expect(shown(capital, x('a', 26), small('n', 44, 12), x('b', 60))).toBe('P,a sup(n) b')
    expect(shown(capital, small('n', 26, 12), ['Q', 40, 0, 24, 30, 300])).toBe('P,n,Q')
    expect(shown(capital, small('n', 26, 16), ['Q', 40, 0, 24, 30, 300])).toBe('P sup(n) Q')
  })

  test('letters whose feet differ by seven hundredths of the tallest', () => {
    expect(shown(x('a', 0, 1), x('b', 20, 0), small('n', 38, 12), x('c', 60))).toBe('a,b sup(n) c')
  })
})

describe('what stays aside', () => {
  test('fractions within an exponent, where they stand high enough', () => {
    const fraction = (bottom: number): Box[] => [
      ['-', 30, bottom + 11, 12, 2],
      ['p', 32, bottom + 14, 8, 8, 40],
      ['q', 32, bottom, 8, 8, 40],
    ]
    const row = (bottom: number) => shown(x('a', 0), small('n', 18, 16), ...fraction(bottom), x('b', 60))
    expect([row(5), row(4)]).toEqual(['a sup(n (p / q)) b', 'a sup(n) (p / q) b'])
    expect(shown(x('a', 0), small('i', 18, -8), ...fraction(5), x('b', 60))).toBe('a sub(i) (p / q) b')
  })

  test('no tall sign and no root', () => {
    expect(
      shown(x('a', 0), small('n', 18, 16), ['r', 30, 6, 20, 22, 60], ['k', 34, 8, 10, 14, 80], x('b', 60)),
    ).toContain('root(k)')
  })

  test('a point is small both ways', () => {
    // Its middle is 14 pixels above the line; what is no point has to be 19 above.
    const row = (wide: number, high: number) =>
      shown(x('a', 0), small('n', 18, 16), ['.', 30, 14 - high / 2, wide, high, 9], x('b', 50))
    expect([row(6, 6), row(7, 6), row(6, 8)]).toEqual(['a sup(n,.) b', 'a sup(n) .,b', 'a sup(n) .,b'])
  })

  test('an i keeps its dot in an exponent, low as it is', () => {
    const dotted = (bottom: number): Box[] => [
      ['i', 30, bottom, 4, 8],
      ['i', 30, bottom + 10, 4, 3],
    ]
    const row = (bottom: number) => shown(x('a', 0), small('n', 18, 16), ...dotted(bottom), x('b', 50))
    expect([row(8), row(5)]).toEqual(['a sup(n sub(i+i)) b', 'a sup(n) i+i,b'])
    const equals: Box[] = [
      ['=', 30, 12, 10, 2],
      ['=', 30, 17, 10, 2],
    ]
    expect(shown(x('a', 0), small('n', 18, 16), ...equals, x('b', 50))).not.toContain('n,=')
  })

  test('a comma in an index hangs below the line, and is lower than a letter', () => {
    const row = (bottom: number, high = 6) =>
      shown(x('a', 0), small('i', 18, -8), [',', 30, bottom, 3, high], x('b', 50))
    expect([row(-8), row(-7)]).toEqual(['a sub(i,,) b', 'a sub(i) ,,b'])
    expect([row(-8, 12), row(-8, 14)]).toEqual(['a sub(i,,) b', 'a sub(i) ,,b'])
  })
})

describe('signs of several parts', () => {
  test('the dot of an i and the bars of = are one sign', () => {
    expect(shown(x('a', 0), ['i', 20, 0, 4, 20], ['i', 20, 24, 4, 4], x('b', 30))).toBe('a,i+i,b')
    expect(shown(x('a', 0), ['=', 20, 13, 20, 2], ['=', 20, 5, 20, 2], x('b', 45))).toBe('a,=+=,b')
  })

  test.each([
    [23, 10, true],
    [24, 10, false],
    [17, 10, true],
    [16, 10, false],
    [27, 4, true],
    [28, 4, false],
  ])('share more than 0.6 of the narrower one: the second begins at %s and is %s wide', (left, wide, joined) => {
    const row = shown(x('a', 0), ['i', 20, 0, 10, 20, 100], ['.', left, 24, wide, 4], x('b', 60))
    expect(row.includes('i+.')).toBe(joined)
  })
})

describe('a tall sign', () => {
  const tall = (high = 40, wide = 36): Box => ['S', 20, -10, wide, high, 400]
  const under = (bottom = -26): Box => ['k', 30, bottom, 10, 12, 60]
  const over = (bottom = 34): Box => ['n', 30, bottom, 10, 12, 60]

  test('has limits above and below it', () => {
    expect(shown(tall(), under(), over(), x('a', 60), x('b', 80))).toBe('S(k to n) a,b')
    expect(shown(tall(), under(), x('a', 60), x('b', 80))).toBe('S(k to ) a,b')
    expect(shown(tall(), over(), x('a', 60), x('b', 80))).toBe('S( to n) a,b')
  })

  test('is 1.8 times as high as its neighbours, and not much higher than wide', () => {
    const row = (high: number, wide = 36) => shown(tall(high, wide), under(), x('a', 60), x('b', 80), x('c', 100))
    expect(row(36)).toBe('S(k to ) a,b,c')
    expect(row(35)).toBe('S+k,a,b,c')
    expect(row(40, 24)).toBe('S(k to ) a,b,c')
    expect(row(40, 23)).toBe('S+k,a,b,c')
  })

  test('has its limits outside of it, by a pixel less at the most', () => {
    const row = (limit: Box) => shown(tall(), limit, x('a', 60), x('b', 80), x('c', 100))
    expect([row(over(29)), row(over(28))]).toEqual(['S( to n) a,b,c', 'S+n,a,b,c'])
    expect([row(under(-21)), row(under(-20))]).toEqual(['S(k to ) a,b,c', 'S+k,a,b,c'])
  })
})

describe('a fraction', () => {
  const bar = (left = 20, wide = 30, high = 2): Box => ['-', left, 9, wide, high]

  test('is a bar with something above and below', () => {
    expect(shown(x('y', 0), bar(), x('a', 27, 14), x('b', 27, -14), x('z', 60))).toBe('y (a / b) z')
    expect(shown(x('y', 0), bar(), x('a', 27, 14), x('z', 60))).not.toContain('/')
    expect(shown(x('y', 0), bar(), x('b', 27, -14), x('z', 60))).not.toContain('/')
  })

  test('has a bar three times as wide as high, and full', () => {
    const row = (one: Box) => shown(one, x('a', 27, 16), x('b', 27, -14))
    expect(row(bar(20, 30, 10))).not.toContain('/')
    expect(row(['-', 20, 8, 18, 6])).toBe('(a / b)')
    expect(row(['-', 20, 8, 17, 6])).not.toContain('/')
    expect(row(['-', 20, 9, 30, 2, 49])).toBe('(a / b)')
    expect(row(['-', 20, 9, 30, 2, 48])).not.toContain('/')
  })

  test('has parts whose centres lie between the ends of its bar, a pixel into it at the most', () => {
    const row = (above: Box, below: Box) => shown(bar(), above, below)
    expect(row(x('a', 13, 14), x('b', 27, -14))).toBe('(a / b)')
    expect(row(x('a', 12, 14), x('b', 27, -14))).not.toContain('(a /')
    expect(row(x('a', 41, 14), x('b', 27, -14))).toBe('(a / b)')
    expect(row(x('a', 42, 14), x('b', 27, -14))).not.toContain('(a /')
    expect(row(x('a', 27, 10), x('b', 27, -10))).toBe('(a / b)')
    expect(row(x('a', 27, 9), x('b', 27, -10))).not.toContain('/')
    expect(row(x('a', 27, 10), x('b', 27, -9))).not.toContain('/')
  })

  test('has a bar that is wider than 0.9 of both parts', () => {
    const row = (wide: number) => shown(['-', 20, 9, 27, 2], ['a', 20, 14, wide, 20, 150], x('b', 27, -14))
    expect(row(29)).toBe('(a / b)')
    expect(row(30)).not.toContain('/')
    const below = (wide: number) => shown(['-', 20, 9, 27, 2], x('a', 27, 14), ['b', 20, -14, wide, 20, 150])
    expect(below(29)).toBe('(a / b)')
    expect(below(30)).not.toContain('/')
  })

  test('is none of the bars of a sign: one as wide as 0.8 of another', () => {
    const row = (wide: number) => shown(['-', 20, 9, 30, 2], x('a', 27, 14), ['=', 20, 3, wide, 2])
    expect([row(24), row(25)]).toEqual(['(a / =)', expect.not.stringContaining('/')])
    const above = (wide: number) => shown(['-', 20, 9, 30, 2], ['=', 20, 14, wide, 2], x('b', 27, -14))
    expect([above(24), above(25)]).toEqual(['(= / b)', expect.not.stringContaining('/')])
  })

  test('stands beside others, and holds others', () => {
    const second: Box[] = [bar(70, 30), x('c', 77, 14), x('d', 77, -14)]
    const first: Box[] = [bar(), x('a', 27, 14), x('b', 27, -14)]
    expect(shown(...first, ...second)).toBe('(a / b) (c / d)')
    expect(shown(...first, ['+', 53, 3, 12, 12, 50], ...second)).toBe('(a / b) + (c / d)')
    const outer: Box = ['=', 15, -30, 40, 2]
    expect(shown(outer, ...first, x('e', 27, -56))).toBe('((a / b) / e)')
    const three = [bar(120, 20), x('e', 122, 14), x('f', 122, -14)]
    expect(shown(...second, ...three, ...first)).toBe('(a / b) (c / d) (e / f)')
  })

  test('within an exponent stays there', () => {
    const exponent: Box[] = [
      ['-', 30, 22, 12, 2],
      ['p', 32, 25, 8, 8, 40],
      ['q', 32, 12, 8, 8, 40],
    ]
    expect(shown(x('a', 0), small('n', 18, 16), ...exponent, x('b', 60))).toBe('a sup(n (p / q)) b')
  })
})

describe('a root', () => {
  const roof = (area = 100): Box => ['r', 20, -2, 40, 30, area]

  test('spans what stands under its roof', () => {
    expect(shown(x('y', 0), roof(), x('a', 30), x('z', 70))).toBe('y root(a) z')
    expect(shown(x('y', 0), roof(), x('a', 28), ['b', 45, 0, 12, 20, 150])).toBe('y root(a,b)')
  })

  test('is hollow', () => {
    expect(shown(x('y', 0), roof(480), x('a', 30), x('z', 70))).toBe('y root(a) z')
    expect(shown(x('y', 0), roof(481), x('a', 30), x('z', 70))).not.toContain('root')
  })

  test.each([
    [['a', 20, 0, 16, 20, 150], false],
    [['a', 21, 0, 16, 20, 150], true],
    [['a', 45, 0, 16, 20, 150], true],
    [['a', 46, 0, 16, 20, 150], false],
    [['a', 30, -3, 16, 20, 150], true],
    [['a', 30, -4, 16, 20, 150], false],
    [['a', 30, 0, 16, 27, 150], true],
    [['a', 30, 0, 16, 28, 150], false],
  ] as [Box, boolean][])('holds %j: %s', (inner, held) => {
    expect(shown(roof(), inner).includes('root(a)')).toBe(held)
  })

  test('lies within another, the widest first', () => {
    expect(shown(['R', 10, -6, 80, 40, 200], roof(), x('a', 30), x('b', 65))).toBe('root(root(a) b)')
  })
})
