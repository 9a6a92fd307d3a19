import {describe, expect, test} from 'vitest'
import {layoutOf, type Place} from '../../../../sources/docs/ocr/formula-layout.ts'
import type {Mark} from '../../../../sources/docs/ocr/ink-marks.ts'

// Boxes in pixels. Letters stand on 120 and are 20 tall, unless a test is about just that.

type Box = [left: number, top: number, right: number, bottom: number, ink?: number]

/** A row with each sign as its name; what is made of several marks has all their names, in the order of their sizes. */
function read(boxes: Record<string, Box>): string {
  const names = Object.keys(boxes)
  const marks = Object.values(boxes).map(([left, top, right, bottom, ink = 0.6], label): Mark => {
    return {left, top, right, bottom, label, area: ink * (right - left) * (bottom - top)}
  })
  const one = (place: Place): string => {
    if (place.kind === 'run') return place.marks.map((parts) => parts.map(({label}) => names[label]).join('')).join(' ')
    if (place.kind === 'fraction') return `{${row(place.above)} / ${row(place.below)}}`
    if (place.kind === 'root') return `root{${row(place.inside)}}`
    if (place.kind === 'big') return `${names[place.sign.label]}{${row(place.below)} to ${row(place.above)}}`
    return `${place.kind}{${row(place.row)}}`
  }
  const row = (places: readonly Place[]) => places.map(one).join(' ')
  return row(layoutOf(marks))
}

const letters: Record<string, Box> = {a: [0, 100, 10, 120], b: [60, 100, 70, 120], c: [80, 100, 90, 120]}

describe('a fraction', () => {
  const over: Box = [10, 70, 20, 90]
  const under: Box = [10, 110, 20, 130]
  const withBar = (bar: Box, more: Record<string, Box> = {}) => read({a: over, bar, b: under, ...more}) === '{a / b}'

  test('has a bar three times as wide as it is tall, and nearly all ink', () => {
    expect(withBar([0, 95, 30, 105, 1])).toBe(true)
    expect(withBar([0, 95, 29, 105, 1])).toBe(false)
    expect(withBar([0, 95, 30, 105, 0.81])).toBe(true)
    expect(withBar([0, 95, 30, 105, 0.8])).toBe(false)
  })

  test('has marks on both sides, which may reach one pixel into the bar', () => {
    const bar: Box = [0, 95, 30, 105, 1]
    expect(read({a: [10, 70, 20, 96], bar, b: [10, 104, 20, 130]})).toBe('{a / b}')
    expect(read({a: [10, 70, 20, 97], bar, b: under})).not.toContain('/')
    expect(read({a: over, bar, b: [10, 103, 20, 130]})).not.toContain('/')
    expect(read({a: over, bar})).not.toContain('/')
    expect(read({bar, b: under})).not.toContain('/')
  })

  test('has what lies above or below its bar by the middle', () => {
    const bar: Box = [20, 95, 50, 105, 1]
    const inside = {a: [30, 70, 40, 90], bar, b: [30, 110, 40, 130]} satisfies Record<string, Box>
    expect(read({...inside, l: [16, 70, 26, 90]})).toBe('{l a / b}')
    expect(read({...inside, l: [15, 70, 25, 90]})).not.toContain('l a')
    expect(read({...inside, r: [44, 70, 54, 90]})).toBe('{a r / b}')
    expect(read({...inside, r: [45, 70, 55, 90]})).not.toContain('a r')
    expect(read({...inside, l: [16, 110, 26, 130]})).toBe('{a / l b}')
  })

  test('is none where a single bar as wide stands there', () => {
    const bar: Box = [0, 95, 50, 100, 1]
    const low: Box = [20, 115, 30, 130]
    expect(read({o: [5, 85, 45, 90, 1], bar, b: low})).toBe('{o / b}')
    expect(read({o: [4, 85, 46, 90, 1], bar, b: low})).not.toContain('/')
    expect(read({o: [4, 85, 46, 90, 1], a: [20, 70, 30, 80], bar, b: low})).toContain('/')
    expect(read({o: [4, 70, 46, 85], bar, b: low})).toBe('{o / b}')
    expect(read({a: [20, 70, 30, 85], bar, o: [4, 105, 46, 120]})).toBe('{a / o}')
    expect(read({a: [20, 70, 30, 85], bar, o: [4, 105, 46, 110, 1]})).not.toContain('/')
    expect(read({a: [20, 70, 30, 85], bar, o: [6, 105, 44, 110, 1]})).toBe('{a / o}')
  })

  test('has a bar that is nine tenths as wide as what stands there', () => {
    const wide: Record<string, Box> = {a: [0, 70, 10, 90], c: [40, 70, 50, 90]}
    const bar = (width: number): Record<string, Box> => ({bar: [2, 95, 2 + width, 105, 1], b: [20, 110, 30, 130]})
    expect(read({...wide, ...bar(46)})).toBe('{a c / b}')
    expect(read({...wide, ...bar(45)})).not.toContain('/')
  })

  test('may stand in another one that is hardly wider, and have a bar of one pixel', () => {
    const inner: Record<string, Box> = {inner: [1, 120, 59, 124, 1], b: [20, 95, 30, 115], c: [20, 130, 30, 150]}
    expect(read({...inner, outer: [0, 80, 60, 84, 1], a: [20, 50, 30, 70]})).toBe('{a / {b / c}}')
    expect(withBar([0, 95, 30, 96, 1])).toBe(true)
  })

  test('stands beside others, each in its place of the row', () => {
    const at = (left: number, name: string, width: number): Record<string, Box> => ({
      [`${name}1`]: [left + 10, 70, left + 20, 90],
      [`${name}_`]: [left, 98, left + width, 102, 1],
      [`${name}2`]: [left + 10, 110, left + 20, 130],
    })
    const all = {...at(0, 'p', 30), m: [40, 98, 55, 102, 1] as Box, ...at(60, 'q', 40), ...at(120, 'r', 35)}
    expect(read(all)).toBe('{p1 / p2} m {q1 / q2} {r1 / r2}')
  })
})

describe('a root', () => {
  const hook: Box = [0, 80, 50, 130, 0.2]
  const inside = (box: Box, root: Box = hook) => read({root, x: box}) === 'root{x}'

  test('is hollow, and spans what is under its roof, by a pixel less', () => {
    expect(inside([20, 100, 30, 120])).toBe(true)
    expect(inside([20, 100, 30, 120], [0, 80, 50, 130, 0.4])).toBe(true)
    expect(inside([20, 100, 30, 120], [0, 80, 50, 130, 0.41])).toBe(false)
    expect([inside([1, 100, 30, 120]), inside([0, 100, 30, 120])]).toEqual([true, false])
    expect([inside([20, 100, 51, 120]), inside([20, 100, 52, 120])]).toEqual([true, false])
    expect([inside([20, 81, 30, 120]), inside([20, 80, 30, 120])]).toEqual([true, false])
    expect([inside([20, 100, 30, 131]), inside([20, 100, 30, 132])]).toEqual([true, false])
  })

  test('has what stands beside it beside it, and may stand in another', () => {
    expect(read({root: hook, x: [20, 100, 30, 120], a: [60, 100, 70, 120]})).toBe('root{x} a')
    expect(read({inner: [10, 70, 70, 130, 0.2], outer: [0, 60, 90, 140, 0.2], x: [30, 100, 40, 120]})).toBe(
      'root{root{x}}',
    )
  })
})

describe('parts of a sign', () => {
  test('lie one above the other for more than six tenths of the narrower', () => {
    const dot = (left: number) => read({i: [0, 100, 20, 120], d: [left, 90, left + 10, 95]})
    expect(dot(13)).toBe('id')
    expect(dot(14)).toBe('i sup{d}')
    expect(read({d: [29, 90, 79, 95], i: [0, 100, 60, 120]})).toBe('id')
    expect(read({d: [30, 90, 80, 95], i: [0, 100, 60, 120]})).toBe('i sup{d}')
    expect(dot(-3)).toBe('id')
    expect(dot(-4)).not.toContain('id')
  })

  test('of a tall and wide sign are its limits, where they begin behind it', () => {
    const sum = (sign: Box, limit: Box) => read({s: sign, n: limit, ...letters, d: [100, 100, 110, 120]})
    const below: Box = [-40, 130, -30, 140]
    expect(sum([-50, 94, -20, 130], below)).toBe('s{n to } a b c d')
    expect(sum([-50, 95, -20, 130], below)).toBe('sn a b c d')
    // 0.6 of its height.
    expect(sum([-50, 80, -20, 130], below)).toBe('s{n to } a b c d')
    expect(sum([-49, 80, -20, 130], below)).toBe('sn a b c d')
    expect(sum([-50, 80, -20, 130], [-40, 129, -30, 140])).toBe('s{n to } a b c d')
    expect(sum([-50, 80, -20, 130], [-40, 128, -30, 140])).toBe('sn a b c d')
    expect(sum([-50, 80, -20, 130], [-40, 70, -30, 81])).toBe('s{ to n} a b c d')
    expect(sum([-50, 80, -20, 130], [-40, 70, -30, 82])).toBe('sn a b c d')
  })
})

/** A sign between the first letter and the others. */
const beside = (s: Box, more: Record<string, Box> = {}) => read({...letters, ...more, s})

describe('a sign stands above the line', () => {
  test.each<[string, Box, boolean]>([
    ['where it ends more than half a letter above it', [20, 90, 30, 109], true],
    ['not where it ends half a letter above it', [20, 90, 30, 110], false],
    ['where it is small and ends nine tenths above it', [20, 93, 30, 101], true],
    ['not where it is small and ends lower', [20, 94, 30, 102], false],
    ['as others do from 0.45 of a letter on', [20, 96, 30, 105], true],
    ['not below that', [20, 97, 30, 105], false],
  ])('%s', (_, box, isAbove) => {
    expect(beside(box)).toBe(isAbove ? 'a sup{s} b c' : 'a s b c')
  })
})

describe('a sign stands below the line', () => {
  test.each<[string, Box, boolean]>([
    ['where it ends more than a fifth of a letter below it', [20, 105, 30, 125], true],
    ['not where it ends a fifth below it', [20, 104, 30, 124], false],
    ['where it begins below 0.87 of a letter', [20, 103, 30, 125], true],
    ['not where it begins above that', [20, 102, 30, 125], false],
    ['not where it is narrow and short, as a comma', [20, 110, 28, 126], false],
    ['where it is short, but 0.45 of a letter wide', [20, 110, 29, 126], true],
    ['where it is narrow, but 0.85 of a letter tall', [20, 109, 28, 126], true],
  ])('%s', (_, box, isBelow) => {
    expect(beside(box)).toBe(isBelow ? 'a sub{s} b c' : 'a s b c')
  })

  test('and nothing stands above or below a line that has not begun', () => {
    expect(read({s: [-20, 80, -10, 100], ...letters})).toBe('s sub{a b c}')
  })
})

describe('what goes on above the line', () => {
  const after = (t: Record<string, Box>) => beside([20, 90, 30, 105], t)

  test.each<[string, Record<string, Box>, boolean]>([
    ['a point whose middle lies 0.65 of a letter above', {t: [34, 104, 38, 109]}, true],
    ['no lower point', {t: [34, 104, 38, 110]}, false],
    ['no mark as tall as that and 0.35 wide', {t: [34, 104, 41, 109]}, false],
    ['no mark as wide as that and 0.35 tall', {t: [34, 103, 38, 110]}, false],
    ['a minus whose middle lies 0.95 above', {t: [34, 99, 44, 102, 1]}, true],
    ['no lower minus', {t: [34, 100, 44, 103, 1]}, false],
    ['an equals sign only as high as a minus', {t: [34, 101, 44, 103, 1], u: [34, 107, 44, 109, 1]}, false],
  ])('%s', (_, marks, goesOn) => {
    const name = Object.keys(marks).join('')
    expect(after(marks)).toBe(goesOn ? `a sup{s ${name}} b c` : `a sup{s} ${name} b c`)
  })
})

describe('what goes on below the line', () => {
  test.each<[string, Box, boolean]>([
    ['a comma that ends 0.35 of a letter below', [34, 120, 38, 128], true],
    ['none that ends higher', [34, 119, 38, 127], false],
    ['a mark less than 0.7 of a letter tall', [34, 115, 38, 128], true],
    ['no taller one', [34, 114, 38, 128], false],
  ])('%s', (_, t, goesOn) => {
    expect(beside([20, 108, 30, 128], {t})).toBe(goesOn ? 'a sub{s t} b c' : 'a sub{s} t b c')
  })
})

describe('the line', () => {
  /** Ends between half of 11 and half of 20 above it: raised where letters are low. */
  const raised: Box = [20, 94, 30, 112]

  test('has the height of its lowest letters, of those above half of the tallest', () => {
    expect(beside(raised)).toBe('a s b c')
    expect(beside(raised, {x: [40, 109, 50, 120]})).toBe('a sup{s} x b c')
    expect(beside(raised, {x: [40, 110, 50, 120]})).toBe('a s x b c')
    expect(beside(raised, {x: [40, 110, 50, 121]})).toBe('a sup{s} x b c')
    expect(beside(raised, {x: [40, 111, 50, 122]})).toBe('a s x b c')
  })

  test('is that of the first letter, which no minus and no bracket is', () => {
    const begun = (f: Box) => read({f, ...letters, s: [20, 90, 30, 112]})
    const online = 'f a s b c'
    // Ten pixels are half of the usual height, 24 six fifths of it.
    expect(begun([-20, 113, -10, 123])).toBe(online)
    expect(begun([-20, 113, -10, 124])).not.toBe(online)
    expect(begun([-20, 101, -12, 125])).not.toBe(online)
    expect(begun([-20, 100, -12, 125])).toBe(online)
    expect(begun([-20, 100, -10, 125])).not.toBe(online)
  })
})

describe('an equals sign tells the line', () => {
  /** 24 wide with its middle at 110: letters are 15.6 tall and stand near 118.9. */
  const equals: Record<string, Box> = {e: [30, 105, 54, 108, 1], f: [30, 112, 54, 115, 1]}
  /** Raised above a line at 121 or lower, not above one at 118.9. */
  const side = (bottom: number, s: Box = [14, 98, 24, 113]) =>
    read({
      ...equals,
      ...{a: [0, bottom - 20, 10, bottom], b: [60, bottom - 20, 70, bottom], s},
    }).split(' ')[1]

  test('as that of letters near to it, else by itself', () => {
    expect([116, 117, 120, 121, 122, 125].map((bottom) => side(bottom))).toEqual([
      ...['s', 's', 's', 'sup{s}', 's', 's'],
    ])
  })

  test('0.37 of its width below its middle, give or take less than 0.09', () => {
    const wide: Record<string, Box> = {e: [30, 100, 130, 104, 1], f: [30, 116, 130, 120, 1]}
    const raised = (bottom: number, end: number) =>
      read({...wide, a: [0, bottom - 80, 20, bottom], b: [140, bottom - 80, 160, bottom], s: [22, 70, 28, end]})
    // Without a line of letters near enough, it lies at 147; half of 65 above the line a sign is raised.
    expect([raised(155, 118), raised(156, 118)]).toEqual(['a sup{s} ef b', 'a s ef b'])
    expect([raised(139, 110), raised(138, 110)].map((one) => one.split(' ')[1])).toEqual(['s', 'sup{s}'])
  })
})
