import {decode} from 'fast-png'
import {expect, test} from 'vitest'
import {inkOf, marksOf, pictureOf, pixelsOf} from '../../../../sources/docs/ocr/ink-marks.ts'

type Pixels = Parameters<typeof inkOf>[0]

function picture(width: number, data: readonly number[], form: Partial<Pixels> = {}): Pixels {
  const {depth = 8, channels = 1} = form
  const rowBytes = depth < 8 ? Math.ceil((width * depth) / 8) : width * channels
  const samples = depth === 16 ? Uint16Array.from(data) : Uint8Array.from(data)
  return {width, height: data.length / rowBytes, data: samples, depth, channels, text: {}, ...form} as Pixels
}

/** `#` dark, `.` not quite white, a row of the ink a line. */
function rowsOf(pixels: Pixels): string[] {
  const {width, height, dark, faint} = inkOf(pixels)
  const sign = (at: number) => [' ', '.', '#'][(dark[at] ?? 0) + (faint[at] ?? 0)]
  return Array.from({length: height}, (_, y) => Array.from({length: width}, (_, x) => sign(y * width + x)).join(''))
}

/** How each pixel looks at its centre, when the picture is enlarged four times. */
function pixelsSeen(pixels: Pixels): string[] {
  const rows = rowsOf(pixels).filter((_, y) => y % 4 === 1)
  return rows.map((row) =>
    [...row]
      .filter((_, x) => x % 4 === 1)
      .join('')
      .replaceAll('.', ' '),
  )
}

/** A picture of one pixel: `#`, `.` or a blank. */
const shadeOf = (data: readonly number[], form?: Partial<Pixels>) => rowsOf(picture(1, data, form))[0]?.[0]

test('small pictures are enlarged four times, and between the centres of pixels the light changes evenly', () => {
  expect(rowsOf(picture(2, [0, 255]))).toEqual(Array(4).fill('#####.  '))
  expect(rowsOf(picture(1, [0, 255]))).toEqual(['####', '####', '####', '####', '####', '....', '    ', '    '])
  expect(rowsOf(picture(2, [0, 255, 255, 255]))).toEqual([
    '#####.  ',
    '#####.  ',
    '#####.  ',
    '####..  ',
    '###..   ',
    '....    ',
    '        ',
    '        ',
  ])
})

test('large pictures are enlarged as far as four million pixels go', () => {
  const ink = inkOf(picture(1, Array<number>(250_001).fill(255)))
  expect([ink.width, ink.height, ink.dark.includes(1), ink.faint.includes(1)]).toEqual([3, 750_003, false, false])
})

test.each([
  [[178], {}, '#'],
  [[179], {}, '.'],
  [[237], {}, '.'],
  [[238], {}, ' '],
  [[45_874], {depth: 16}, '#'],
  [[45_875], {depth: 16}, '.'],
  [[60_947], {depth: 16}, '.'],
  [[60_948], {depth: 16}, ' '],
  [[255, 255, 0], {channels: 3}, '#'],
  [[255, 0, 255], {channels: 3}, '#'],
  [[0, 255, 255], {channels: 3}, '#'],
  [[255, 255, 30], {channels: 3}, '.'],
  [[255, 30, 255], {channels: 3}, '.'],
  [[30, 255, 255], {channels: 3}, '.'],
  [[0, 76], {channels: 2}, '.'],
  [[0, 77], {channels: 2}, '#'],
  [[255, 255], {channels: 2}, ' '],
  [[0, 0, 0, 76], {channels: 4}, '.'],
  [[0, 0, 0, 77], {channels: 4}, '#'],
  [[255, 255, 255, 255], {channels: 4}, ' '],
  [[0], {palette: [[255, 255, 0]]}, '#'],
  [[0], {palette: [[255, 255, 30]]}, '.'],
  [[0], {palette: [[255, 0, 255]]}, '#'],
  [[0], {palette: [[0, 255, 255]]}, '#'],
  [[0], {palette: [[0, 0, 0, 76]]}, '.'],
  [[0], {palette: [[0, 0, 0, 77]]}, '#'],
  [[0], {palette: [[0, 0, 0, 0]]}, ' '],
  [[1], {palette: [[0, 0, 0]]}, ' '],
  [[2 << 6], {depth: 2}, '#'],
  [[3 << 6], {depth: 2}, ' '],
  [[10 << 4], {depth: 4}, '#'],
  [[11 << 4], {depth: 4}, '.'],
  [[14 << 4], {depth: 4}, ' '],
] as [number[], Partial<Pixels>, string][])('the shade of %j in %j', (data, form, shade) => {
  expect(shadeOf(data, form)).toBe(shade)
})

test.each([
  [3, [0, 255, 0, 255, 0, 255], {}, ['# #', ' # ']],
  [2, [0, 65_535, 65_535, 0], {depth: 16}, ['# ', ' #']],
  [2, [0, 0, 0, 255, 255, 255, 255, 255, 255, 0, 0, 0], {channels: 3}, ['# ', ' #']],
  [3, [0, 255, 0, 0, 0, 255], {channels: 2}, ['# #']],
  [2, [0, 0, 0, 0, 0, 0, 0, 255], {channels: 4}, [' #']],
  [
    2,
    [1, 0, 0, 1],
    {
      palette: [
        [0, 0, 0],
        [255, 255, 255],
      ],
    },
    [' #', '# '],
  ],
  [10, [0b01011001, 0b10000000, 0b10110011, 0b01000000], {depth: 1}, ['# #  ##  #', ' #  ##  # ']],
  [5, [0b00110011, 0b00000000, 0b11001100, 0b11000000], {depth: 2}, ['# # #', ' # # ']],
  [3, [0x0f, 0x00, 0xf0, 0xf0], {depth: 4}, ['# #', ' # ']],
  [
    3,
    [0x01, 0x00],
    {
      depth: 4,
      palette: [
        [0, 0, 0],
        [255, 255, 255],
      ],
    },
    ['# #'],
  ],
] as [number, number[], Partial<Pixels>, string[]][])('%s pixels a row of %j in %j', (width, data, form, seen) => {
  expect(pixelsSeen(picture(width, data, form))).toEqual(seen)
})

test('what is no PNG has no pixels', () => {
  expect(pixelsOf(Buffer.from('no picture'))).toBeUndefined()
})

function inkFrom(rows: readonly string[]) {
  const width = rows[0]?.length ?? 0
  const dark = Uint8Array.from([...rows.join('')].map((sign) => Number(sign !== ' ')))
  return {width, height: rows.length, dark, faint: dark}
}

test('marks touch by sides and corners, from left to right; six pixels are dirt', () => {
  const rows = [
    '     b   ',
    '    b    ',
    'aaa b    ',
    'aaaa b   ',
    '      bb ',
    'ccc      ',
    'ccc  ddd ',
    '     ddd ',
    '    e    ',
  ]
  const {marks, labels} = marksOf(inkFrom(rows))
  expect(marks).toEqual([
    {left: 0, top: 0, right: 8, bottom: 5, area: 13, label: 1},
    {left: 4, top: 6, right: 8, bottom: 9, area: 7, label: 3},
  ])
  expect([...labels].map(String).join('').replaceAll('0', ' ').match(/.{9}/g)).toEqual([
    '     1   ',
    '    1    ',
    '111 1    ',
    '1111 1   ',
    '      11 ',
    '222      ',
    '222  333 ',
    '     333 ',
    '    3    ',
  ])
})

test('marks that reach the edges of a picture end there', () => {
  const {marks} = marksOf(inkFrom(['#      #', '#      #', '#      #', '#      #', '#      #', '#      #', '#      #']))
  expect(marks).toEqual([
    {left: 0, top: 0, right: 1, bottom: 7, area: 7, label: 1},
    {left: 7, top: 0, right: 8, bottom: 7, area: 7, label: 2},
  ])
})

function pictureOfBoxes(boxes: readonly (readonly [left: number, top: number, wide: number, high: number])[]) {
  const width = Math.max(...boxes.map(([left, , wide]) => left + wide)) + 3
  const height = Math.max(...boxes.map(([, top, , high]) => top + high)) + 3
  const labels = new Int32Array(width * height)
  const marks = boxes.map(([left, top, wide, high], at) => {
    for (let y = top; y < top + high; y += 1) labels.fill(at + 1, y * width + left, y * width + left + wide)
    return {left, top, right: left + wide, bottom: top + high, area: wide * high, label: at + 1}
  })
  return {marks, labels, width}
}

test.each([
  [20, 40, [52, 72]],
  [2, 20, [36, 72]],
  [3, 4, [56, 64]],
  [3, 5, [56, 72]],
  [5, 300, [33, 92]],
  [5, 100, [34, 72]],
  [4800, 40, [2432, 52]],
  [2400, 40, [2432, 72]],
])('a mark of %s × %s pixels is shown some 40 pixels high, with white around', (wide, high, size) => {
  const {marks, labels, width} = pictureOfBoxes([[2, 1, wide, high]])
  const shown = decode(pictureOf(marks, labels, width))
  expect([shown.width, shown.height]).toEqual(size)
  expect([shown.channels, shown.depth]).toEqual([1, 8])
})

test('a picture shows its own marks alone', () => {
  const {marks, labels, width} = pictureOfBoxes([
    [2, 3, 4, 40],
    [8, 3, 3, 40],
    [12, 3, 4, 40],
  ])
  const {width: wide, height, data} = decode(pictureOf([marks[0]!, marks[2]!], labels, width))
  const row = (y: number) =>
    [...data.slice(y * wide, (y + 1) * wide)].map((light) => (light < 128 ? '#' : ' ')).join('')
  const shown = `${' '.repeat(16)}####      ####${' '.repeat(16)}`
  expect(Array.from({length: height}, (_, y) => row(y))).toEqual([
    ...Array<string>(16).fill(' '.repeat(46)),
    ...Array<string>(40).fill(shown),
    ...Array<string>(16).fill(' '.repeat(46)),
  ])
})

test('edges of an enlarged mark are grey: at twice the size three quarters of ink, at a corner their square', () => {
  const {marks, labels, width} = pictureOfBoxes([[5, 7, 3, 20]])
  const {width: wide, data} = decode(pictureOf(marks, labels, width))
  const at = (x: number, y: number) => data[(16 + y) * wide + 16 + x]
  expect(Array.from({length: 8}, (_, x) => at(x - 1, 0))).toEqual([255, 112, 64, 64, 64, 64, 112, 255])
  expect(Array.from({length: 8}, (_, x) => at(x - 1, 9))).toEqual([255, 64, 0, 0, 0, 0, 64, 255])
  expect(Array.from({length: 42}, (_, y) => at(2, y - 1))).toEqual([255, 64, ...Array<number>(38).fill(0), 64, 255])
})
