import {createHash} from 'node:crypto'
import {describe, expect, test} from 'vitest'
import {chunkSizes, ContentChunker} from '../../datasets/content-chunks.ts'

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
