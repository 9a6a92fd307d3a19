import {createHash} from 'node:crypto'
import {describe, expect, test} from 'vitest'
import {chunkSizes, ContentChunker} from '../../../datasets/parquet/content-chunks.ts'

const text = (number: number) =>
  createHash('sha256')
    .update(String(number))
    .digest('hex')
    .repeat(1 + ((number * 37) % 120))

/** First rows of the chunks of a nullable column of texts; `undefined` is null. */
function chunks(values: readonly (string | undefined)[]): number[] {
  const chunker = new ContentChunker()
  const first = [0]
  for (const [row, value] of values.entries()) {
    chunker.rollLevel(value === undefined ? 0 : 1)
    if (value !== undefined) chunker.roll(Buffer.from(value))
    if (chunker.endsBefore() && row > 0) first.push(row)
  }
  return first
}

const numbers = Array.from({length: 1500}, (_, number) => number)
const column = numbers.map((number) => (number % 7 === 0 ? undefined : text(number)))

describe('chunks by content', () => {
  test('begin where pyarrow 26.0.1 begins pages of the same column with use_content_defined_chunking', () => {
    expect(chunks(column)).toEqual([0, 316, 632, 947, 1264])
  })

  test('begin where pyarrow does in texts inside structures of a list', () => {
    const chunker = new ContentChunker()
    const first = [0]
    for (const row of numbers) {
      const items = Array.from({length: row % 4}, (_, item) => text(row + item))
      for (const [item, value] of (items.length > 0 ? items : [undefined]).entries()) {
        chunker.rollLevel(value === undefined ? 1 : 4)
        chunker.rollLevel(item === 0 ? 0 : 1)
        if (value !== undefined) chunker.roll(Buffer.from(value))
        if (item === 0 && chunker.endsBefore()) first.push(row)
      }
    }
    expect(first).toEqual([0, 181, 361, 541, 721, 901, 1081, 1261, 1400])
  })

  test('move near an inserted row only', () => {
    const inserted = [...column.slice(0, 700), 'one more', ...column.slice(700)]
    expect(chunks(inserted)).toEqual([0, 316, 632, 948, 1265])
  })

  test('hold no more than the largest size and one value', () => {
    const same = Array.from({length: 600}, () => 'a'.repeat(10_000))
    const first = chunks(same)
    const rows = Math.ceil(chunkSizes.max_chunk_size / 10_002)
    expect(first.slice(0, 4)).toEqual([0, rows - 1, 2 * rows - 1, 3 * rows - 1])
  })
})

/** The same in whole numbers of 64 bits: after which of these bytes, rolled one at a time, a chunk ends. */
function endsOf(bytes: Uint8Array, smallest: number, largest: number, bits: number): number[] {
  const ends: number[] = []
  const entry = (run: number, byte: number) =>
    createHash('md5').update(Buffer.alloc(64, run)).update(Buffer.alloc(64, byte)).digest().readBigUInt64BE()
  let [hash, run, size] = [0n, 0, 0]
  for (const [at, byte] of bytes.entries()) {
    size += 1
    if (size >= smallest) hash = BigInt.asUintN(64, (hash << 1n) + entry(run, byte))
    const isMatch = size >= smallest && hash >> BigInt(64 - bits) === 0n
    if (isMatch) run = (run + 1) % 8
    if ((isMatch && run === 0) || size >= largest) {
      ends.push(at)
      size = 0
    }
  }
  return ends
}

test.each([
  ['no smallest size', 0, 64, 2],
  ['a mean near the smallest', 16, 80, 2],
  ['a larger mean', 8, 520, 5],
])('chunks of %s end where the hash of all bytes says', (_, smallest, largest, bits) => {
  let texts = 0
  for (let seed = 0; seed < 40; seed += 1) {
    const bytes = Buffer.concat(
      Array.from({length: 20}, (__, part) => createHash('sha256').update(`${seed} ${part}`).digest()),
    )
    const chunker = new ContentChunker({min_chunk_size: smallest, max_chunk_size: largest, norm_level: 0})
    const ends: number[] = []
    for (const [at, byte] of bytes.entries()) {
      chunker.roll(Uint8Array.of(byte))
      if (chunker.endsBefore()) ends.push(at)
    }
    expect(ends).toEqual(endsOf(bytes, smallest, largest, bits))
    if (ends.length > 1) texts += 1
  }
  expect(texts).toBeGreaterThan(0)
})

test('a level is two bytes, the lower first', () => {
  const sizes = {min_chunk_size: 0, max_chunk_size: 64, norm_level: 0}
  const [levels, bytes] = [new ContentChunker(sizes), new ContentChunker(sizes)]
  for (let at = 0; at < 400; at += 1) {
    levels.rollLevel(at * 7)
    bytes.roll(Uint8Array.of((at * 7) & 0xff, (at * 7) >> 8))
    expect(levels.endsBefore()).toBe(bytes.endsBefore())
  }
})
