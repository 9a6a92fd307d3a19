import {parquetSchema, readColumnIndex, readOffsetIndex, type FileMetaData, type SchemaElement} from 'hyparquet'
import {readColumn} from 'hyparquet/src/column.js'
import {DEFAULT_PARSERS} from 'hyparquet/src/convert.js'
import {describe, expect, test} from 'vitest'
import {ChunkWriter, type ColumnOptions} from '../../../datasets/parquet/column-chunk.ts'

const root: SchemaElement = {name: 'root', num_children: 1}
const leaf = (type: NonNullable<SchemaElement['type']>, more: Partial<SchemaElement> = {}): SchemaElement[] => [
  {name: 'cell', type, repetition_type: 'OPTIONAL', ...more},
]
const text = leaf('BYTE_ARRAY', {converted_type: 'UTF8'})
const listOfTexts: SchemaElement[] = [
  {name: 'cell', converted_type: 'LIST', num_children: 1, repetition_type: 'OPTIONAL'},
  {name: 'list', num_children: 1, repetition_type: 'REPEATED'},
  {name: 'element', type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'OPTIONAL'},
]

/** From the root of a schema of one column down to its leaf. */
function pathOf(below: SchemaElement[]) {
  const path = [parquetSchema({schema: [root, ...below]} as unknown as FileMetaData)]
  for (let next = path[0]?.children[0]; next; next = next.children[0]) path.push(next)
  return path
}

const plain: ColumnOptions = {codec: 'UNCOMPRESSED', compressors: {}, dictionary: true}
/** Pages end after so many bytes of levels and values; 31 bits of a hash hardly ever end one by its content. */
const pagesOf = (bytes: number) => ({min_chunk_size: bytes, max_chunk_size: bytes + 32, norm_level: -30})

function written(below: SchemaElement[], cells: readonly unknown[], options: Partial<ColumnOptions> = {}) {
  const writer = new ChunkWriter(pathOf(below), {...plain, ...options})
  writer.add(cells)
  const {bytes, chunk, index} = writer.finish()
  const view = (encoded: Uint8Array) => new DataView(encoded.slice().buffer)
  const pages = readOffsetIndex({view: view(index.offsetIndex(1000)), offset: 0}).page_locations
  const element = below.at(-1) as SchemaElement
  return {bytes, meta: chunk.meta_data, file: chunk.file_offset, pages, nulls: () => nullsOf(view(index.columnIndex()))}
  function nullsOf(from: DataView) {
    return readColumnIndex({view: from, offset: 0}, element).null_counts
  }
}

/** What a reader finds in the bytes of a chunk. */
function read(below: SchemaElement[], {bytes}: {bytes: Uint8Array}, rows: number): unknown[] {
  const schemaPath = pathOf(below)
  const element = below.at(-1) as SchemaElement
  const decoder = {
    pathInSchema: schemaPath.slice(1).map((one) => one.element.name),
    type: element.type,
    element,
    schemaPath,
    codec: 'UNCOMPRESSED',
    utf8: true,
    parsers: DEFAULT_PARSERS,
  }
  const reader = {view: new DataView(bytes.slice().buffer), offset: 0}
  const all = {groupStart: 0, selectStart: 0, selectEnd: rows, groupRows: rows}
  const {data} = readColumn(reader, all, decoder as unknown as Parameters<typeof readColumn>[2])
  return data.flatMap((part) => Array.from(part as unknown[]))
}

const cycle = <T>(values: readonly T[], rows: number) =>
  Array.from({length: rows}, (_, row) => values[row % values.length])
const words = (count: number, length = 4) =>
  Array.from({length: count}, (_, number) => String(number).padStart(length, 'w'))
const numbers = (count: number) => Array.from({length: count}, (_, number) => number)
const hasDictionary = (below: SchemaElement[], cells: readonly unknown[], options: Partial<ColumnOptions> = {}) =>
  written(below, cells, options).meta.encodings.includes('RLE_DICTIONARY')

describe('a written chunk', () => {
  test('says of plain values what a reader has to know', () => {
    const chunk = written(text, ['pear', null, 'fig', 'äpfel'])
    expect(chunk.meta).toEqual({
      type: 'BYTE_ARRAY',
      encodings: ['PLAIN'],
      path_in_schema: ['cell'],
      codec: 'UNCOMPRESSED',
      num_values: 4n,
      total_uncompressed_size: BigInt(chunk.bytes.length),
      total_compressed_size: BigInt(chunk.bytes.length),
      data_page_offset: 0n,
      statistics: {min_value: Buffer.from('fig'), max_value: Buffer.from('äpfel'), null_count: 1n},
    })
    expect(chunk.file).toBe(0n)
    expect(chunk.pages).toEqual([{offset: 1000n, compressed_page_size: chunk.bytes.length, first_row_index: 0n}])
    expect(chunk.nulls()).toEqual([1n])
    expect(read(text, chunk, 4)).toEqual(['pear', null, 'fig', 'äpfel'])
  })

  test('has its data pages behind its dictionary, which stands at its start', () => {
    const cells = [...cycle(words(3), 40), null]
    const chunk = written(text, cells)
    const [page] = chunk.pages
    expect(chunk.meta).toMatchObject({
      encodings: ['PLAIN', 'RLE_DICTIONARY'],
      num_values: 41n,
      dictionary_page_offset: 0n,
      total_uncompressed_size: BigInt(chunk.bytes.length),
      total_compressed_size: BigInt(chunk.bytes.length),
      statistics: {min_value: Buffer.from('www0'), max_value: Buffer.from('www2'), null_count: 1n},
    })
    expect(chunk.meta.data_page_offset).toBe((page?.offset ?? 0n) - 1000n)
    // Three words of four bytes with their lengths, behind a header of a few bytes.
    expect(Number(chunk.meta.data_page_offset)).toBeGreaterThan(3 * 8)
    expect((page?.offset ?? 0n) - 1000n + BigInt(page?.compressed_page_size ?? 0)).toBe(BigInt(chunk.bytes.length))
    expect(read(text, chunk, 41)).toEqual(cells)
  })

  test('holds numbers, truth values and lists as it was given them', () => {
    const integers = [1, null, -(2 ** 31), 2 ** 31 - 1]
    expect(read(leaf('INT32'), written(leaf('INT32'), integers), 4)).toEqual(integers)
    const doubles = [0.1, -1e300, null]
    expect(read(leaf('DOUBLE'), written(leaf('DOUBLE'), doubles), 3)).toEqual(doubles)
    const flags = [true, false, null, true]
    const chunk = written(leaf('BOOLEAN'), flags)
    expect(read(leaf('BOOLEAN'), chunk, 4)).toEqual(flags)
    expect(chunk.meta.statistics).toEqual({min_value: false, max_value: true, null_count: 1n})
    const lists = [['a', 'b'], [], null, [null, 'c']]
    const nested = written(listOfTexts, lists)
    // The two groups of a list are two levels here; readers of files make one of them.
    expect(read(listOfTexts, nested, 4)).toEqual([[['a', 'b']], [[]], [], [[null, 'c']]])
    expect(nested.meta).toMatchObject({num_values: 6n, path_in_schema: ['cell', 'list', 'element']})
    expect(nested.meta.statistics).toMatchObject({null_count: 3n})
  })

  test('has no page where it was given no cell', () => {
    const chunk = written(text, [])
    expect(chunk.pages).toEqual([])
    expect(chunk.meta).toMatchObject({num_values: 0n, encodings: ['PLAIN'], total_compressed_size: 0n})
  })
})

describe('pages', () => {
  /** A definition level takes 2 bytes. */
  const limit = {pages: pagesOf(64), dictionary: false}
  const rowsOf = (below: SchemaElement[], cells: readonly unknown[], options: Partial<ColumnOptions> = limit) =>
    written(below, cells, options).pages.map(({first_row_index: row}) => Number(row))

  test('end before the row that reaches the largest size', () => {
    // 24 bytes a row: four rows make 96.
    expect(
      rowsOf(
        text,
        Array.from({length: 11}, () => 'a'.repeat(22)),
      ),
    ).toEqual([0, 3, 7])
    expect(
      rowsOf(
        text,
        Array.from({length: 11}, () => 'a'.repeat(21)),
      ),
    ).toEqual([0, 4, 9])
  })

  test('count 4 bytes of a 32-bit number, 8 of a double, 1 of a truth value and none of a null', () => {
    const ends = (type: NonNullable<SchemaElement['type']>, cell: unknown) =>
      rowsOf(
        leaf(type),
        Array.from({length: 100}, () => cell),
      )[1]
    // 96 bytes and 6, 10, 3 or 2 bytes a row, of which the last begins the next page.
    expect(ends('INT32', 7)).toBe(15)
    expect(ends('DOUBLE', 7)).toBe(9)
    expect(ends('BOOLEAN', true)).toBe(31)
    expect(ends('BOOLEAN', false)).toBe(31)
    expect(ends('BYTE_ARRAY', null)).toBe(47)
  })

  test('never end within a row, and count its levels twice in lists', () => {
    const long = Array.from({length: 9}, () => 'a'.repeat(20))
    expect(rowsOf(listOfTexts, [['a'], long, ['b'], ['c']])).toEqual([0, 2])
    // 24 bytes an item: 20 of text and two levels.
    expect(
      rowsOf(
        listOfTexts,
        Array.from({length: 9}, () => ['a'.repeat(20)]),
      ),
    ).toEqual([0, 3, 7])
  })

  test('that wait for a dictionary are written in their order, with it or without', () => {
    const few = cycle(words(3), 100)
    const many = [...few, ...words(140, 1100)]
    for (const cells of [few, many]) {
      const chunk = written(text, cells, {pages: pagesOf(64)})
      expect(chunk.pages.length).toBeGreaterThan(5)
      expect(read(text, chunk, cells.length)).toEqual(cells)
      expect(chunk.pages.map(({first_row_index: row}) => Number(row))).toEqual(rowsOf(text, cells))
      expect(chunk.meta.total_uncompressed_size).toBe(BigInt(chunk.bytes.length))
    }
  })

  test('end where the footer says by default', () => {
    const cells = Array.from({length: 5}, () => 'a'.repeat(2 ** 19 - 2))
    expect(rowsOf(text, cells, {dictionary: false})).toEqual([0, 1, 3])
  })
})

describe('a dictionary', () => {
  test('is written where it takes half the room at most, its numbers included', () => {
    // 14 words of 4 bytes with their lengths: 112 bytes, and half a byte a row; 32 rows of 8 bytes are twice as much.
    expect(hasDictionary(text, cycle(words(14), 32))).toBe(true)
    expect(hasDictionary(text, cycle(words(14), 31))).toBe(false)
    expect(hasDictionary(text, [...cycle(words(14), 32), null])).toBe(false)
    expect(hasDictionary(leaf('INT32'), cycle(numbers(14), 32))).toBe(true)
    expect(hasDictionary(leaf('INT32'), cycle(numbers(14), 31))).toBe(false)
  })

  test('counts 4 bytes for the length of a text and 8 for a number', () => {
    // Of 16 values in 36 rows, those of 9 bytes would pay and those of 8 do not.
    expect(hasDictionary(text, cycle(words(16, 5), 36))).toBe(true)
    expect(hasDictionary(text, cycle(words(16, 4), 36))).toBe(false)
    expect(hasDictionary(leaf('INT32'), cycle(numbers(16), 36))).toBe(false)
    expect(hasDictionary(leaf('INT32'), cycle(numbers(16), 37))).toBe(true)
  })

  test('takes one bit a row of two values, or of a single one', () => {
    const nulls = (count: number) => Array.from({length: count}, () => null)
    // 2 × (5 + 60 / 8) = 5 × 5, of one value of a byte and its length.
    const five = ['\0', '\0', '\0', '\0', '\0']
    expect(hasDictionary(text, [...five, ...nulls(55)])).toBe(true)
    expect(hasDictionary(text, [...five, ...nulls(56)])).toBe(false)
    // 2 × (9 + 36 / 8) = 3 × 9: an empty text is its length alone.
    const two = ['\0', '', '\0', '', '\0', '']
    expect(hasDictionary(text, [...two, ...nulls(30)])).toBe(true)
    expect(hasDictionary(text, [...two, ...nulls(31)])).toBe(false)
  })

  test('is none of truth values, of nulls alone, and where none is wanted', () => {
    expect(hasDictionary(leaf('BOOLEAN'), cycle([true, false], 1000))).toBe(false)
    expect(hasDictionary(text, [null, null])).toBe(false)
    expect(hasDictionary(text, cycle(words(2), 1000), {dictionary: false})).toBe(false)
  })

  test('holds 128 KiB at most', () => {
    const kibibyte = 1020
    expect(hasDictionary(text, cycle(words(128, kibibyte), 300))).toBe(true)
    expect(hasDictionary(text, [...cycle(words(128, kibibyte), 300), 'one more'])).toBe(false)
  })
})
