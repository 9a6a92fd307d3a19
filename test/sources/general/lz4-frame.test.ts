import {describe, expect, test} from 'vitest'
import {lz4Content} from '../../../sources/general/lz4-frame.ts'

const size = (count: number) => [count & 255, (count >> 8) & 255, (count >> 16) & 255, (count >>> 24) & 255]
const text = (value: string) => [...Buffer.from(value)]
const header = (flags = 0x40, block = 0x40) => [...size(0x184d2204), flags, block]
const checksum = [0]
const block = (...bytes: number[]) => [...size(bytes.length), ...bytes]
const stored = (...bytes: number[]) => [...size((bytes.length | 0x80000000) >>> 0), ...bytes]
const end = size(0)
const read = (...parts: number[][]) => Buffer.from(lz4Content(Uint8Array.from(parts.flat()))).toString()

describe('a frame of LZ4, byte for byte as its format says', () => {
  test.each<[string, number[][], string]>([
    ['without a block', [header(), checksum, end], ''],
    ['a block as it is', [header(), checksum, stored(...text('as it is')), end], 'as it is'],
    ['literals alone', [header(), checksum, block(0x30, ...text('abc')), end], 'abc'],
    // Three literals, then six bytes from three back, which is more than is there; then one literal.
    [
      'a part that repeats itself',
      [header(), checksum, block(0x32, ...text('abc'), 3, 0, 0x10, 33), end],
      'abcabcabc!',
    ],
    [
      'a part from further back',
      [header(), checksum, block(0x60, ...text('abcdef'), 6, 0, 0x10, 33), end],
      'abcdefabcd!',
    ],
    ['a long run', [header(), checksum, block(0x1f, 97, 1, 0, 255, 2, 0x10, 33), end], `${'a'.repeat(277)}!`],
    ['many literals', [header(), checksum, block(0xf0, 255, 0, ...text('b'.repeat(270))), end], 'b'.repeat(270)],
    [
      'a block that refers to the one before',
      [header(), checksum, block(0x40, ...text('long')), block(0x00, 4, 0, 0x10, 33), end],
      'longlong!',
    ],
    [
      'sizes and checksums, which are passed over',
      [header(0x5c), size(3), size(0), checksum, block(0x30, ...text('abc')), size(7), end, size(8)],
      'abc',
    ],
    ['a size of the content', [header(0x48), size(3), size(0), checksum, block(0x30, ...text('abc')), end], 'abc'],
    // A distance of 260 is 4 and one times 256.
    [
      'a part from far back',
      [
        header(),
        checksum,
        block(0xf0, 245, ...text('wxyz'), ...text('.'.repeat(256))),
        block(0x00, 4, 1, 0x10, 33),
        end,
      ],
      `wxyz${'.'.repeat(256)}wxyz!`,
    ],
    [
      'a block as large as it may be',
      [header(), checksum, stored(...Array<number>(65_536).fill(97)), end],
      'a'.repeat(65_536),
    ],
    [
      'a larger kind of block',
      [header(0x40, 0x50), checksum, stored(...Array<number>(65_537).fill(97)), end],
      'a'.repeat(65_537),
    ],
    ['as much as a block may hold', [header(), checksum, run(65_536), end], 'a'.repeat(65_536)],
    [
      'a block as large as it may be, behind one of a byte',
      [header(), checksum, stored(98), stored(...Array<number>(65_536).fill(97)), end],
      `b${'a'.repeat(65_536)}`,
    ],
    [
      'literals with what tells their number, as large as a block may be',
      [header(), checksum, literals(65_279), end],
      'c'.repeat(65_279),
    ],
    [
      'a part one byte longer than its distance',
      [header(), checksum, block(0x30, ...text('abc'), 3, 0, 0x10, 33), end],
      'abcabca!',
    ],
    [
      'a number of literals that needs no more bytes',
      [header(), checksum, block(0xe0, ...text('fourteen bytes')), end],
      'fourteen bytes',
    ],
    [
      'a length that needs no more bytes',
      [header(), checksum, block(0x1e, 97, 1, 0, 0x10, 33), end],
      `${'a'.repeat(19)}!`,
    ],
    [
      'several blocks, each as large as it may be',
      [header(), checksum, ...[98, 99, 100].map((byte) => stored(...Array<number>(65_536).fill(byte))), end],
      ['b', 'c', 'd'].map((byte) => byte.repeat(65_536)).join(''),
    ],
  ])('%s', (_, parts, content) => {
    expect(read(...parts)).toBe(content)
  })
})

test.each([
  [0x40, 16],
  [0x50, 18],
  [0x60, 20],
  [0x70, 22],
])('blocks of kind %i hold 2^%i bytes', (kind, bits) => {
  const content = (count: number) => lz4Content(Uint8Array.from([header(0x40, kind), checksum, run(count), end].flat()))
  expect(content(2 ** bits)).toHaveLength(2 ** bits)
  expect(() => content(2 ** bits + 1)).toThrow('damaged')
})

test('a frame among other bytes begins and ends where it is said to', () => {
  const frame = [header(), checksum, stored(...text('abc'))].flat()
  const among = Uint8Array.from([...text('before'), ...frame, ...end, ...end])
  const read = (length: number) => Buffer.from(lz4Content(among.subarray(6, 6 + length))).toString()
  expect(read(frame.length + 4)).toBe('abc')
  expect(() => read(frame.length)).toThrow(RangeError)
  expect(() => read(frame.length - 1)).toThrow('a damaged LZ4 frame')
})

/** So many literals and nothing else. */
function literals(count: number): number[] {
  const more = count - 15
  const length = [...Array<number>(Math.floor(more / 255)).fill(255), more % 255]
  return block(0xf0, ...length, ...Array<number>(count).fill(99))
}

/** A letter, then so many in all by repeating it, and no literals in the end. */
function run(count: number): number[] {
  const more = count - 1 - 4 - 15
  return block(0x1f, 97, 1, 0, ...Array<number>(Math.floor(more / 255)).fill(255), more % 255, 0)
}

describe('what is none is refused, not guessed', () => {
  test.each<[string, number[][]]>([
    ['other bytes', [text('PAR1PAR1PAR1PAR1')]],
    ['another version', [header(0x80), checksum, end]],
    ['an older version', [header(0x00), checksum, end]],
    ['a dictionary, which nobody has', [header(0x41), size(1), checksum, end]],
    ['no size of blocks', [header(0x40, 0x00), checksum, end]],
    ['cut in a block', [header(), checksum, size(9), text('abc')]],
    ['cut before its end', [header(), checksum, block(0x30, ...text('abc'))]],
    ['a block that ends within literals', [header(), checksum, block(0x50, ...text('abc')), end]],
    ['a block that ends within a length', [header(), checksum, block(0xf0, 255), end]],
    ['a part from before the beginning', [header(), checksum, block(0x30, ...text('abc'), 4, 0, 0x10, 33), end]],
    ['a part from nowhere', [header(), checksum, block(0x30, ...text('abc'), 0, 0, 0x10, 33), end]],
    [
      'more than a block may hold',
      [header(), checksum, block(0x1f, 97, 1, 0, ...Array<number>(300).fill(255), 0, 0x10, 33), end],
    ],
    ['one byte more than a block may hold', [header(), checksum, run(65_537), end]],
    // Behind a block of a byte there is room for a block and much more.
    ['one byte more than a block may hold, with room for it', [header(), checksum, stored(98), run(65_537), end]],
    [
      'one literal more than a block may hold, with room for it',
      [header(), checksum, stored(98), block(...run(65_536).slice(4, -1), 0x10, 33), end],
    ],
    ['literals with what tells their number, one byte too large', [header(), checksum, literals(65_280), end]],
    ['a block one byte larger than it may be', [header(), checksum, stored(...Array<number>(65_537).fill(97)), end]],
    ['a frame of another kind', [size(0x184d2a50), [0x40, 0x40], checksum, end]],
    ['literals beyond the end, in bytes that go on', [header(), checksum, block(0x40, ...text('ab')), end, text('cd')]],
  ])('%s', (_, parts) => {
    expect(() => read(...parts)).toThrow(RangeError)
  })
})
