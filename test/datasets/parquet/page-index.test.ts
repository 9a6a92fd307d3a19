import {createHash} from 'node:crypto'
import {readFile} from 'node:fs/promises'
import {join} from 'node:path'
import {
  asyncBufferFromFile,
  parquetMetadataAsync,
  parquetReadObjects,
  parquetSchema,
  readColumnIndex,
  readOffsetIndex,
  type AsyncBuffer,
  type ColumnChunk,
  type SchemaElement,
} from 'hyparquet'
import {compressors} from 'hyparquet-compressors'
import {describe, expect, test} from 'vitest'
import type {ColumnType} from '../../../datasets/parquet/column-types.ts'
import parquet from '../../../datasets/parquet/parquet.ts'
import {createParquetFile, type Codec} from '../../../datasets/parquet/parquet-file.ts'
import type {Config, SplitRow} from '../../../datasets/schema/export.ts'
import {temporaryFolder} from '../../helpers/temporary.ts'
import {
  apiEntry,
  apiRow,
  collect,
  dpoRow,
  errorEntry,
  errorRow,
  kernelSample,
  pair,
  recordingContext,
  sample,
  sftRow,
  stream,
} from '../rows.ts'

/** Hardly compressible text of so many characters. */
function noise(seed: string, characters: number): string {
  let text = ''
  for (let block = 0; text.length < characters; block += 1)
    text += createHash('sha512').update(`${seed} ${block}`).digest('base64')
  return text.slice(0, characters)
}

interface Row {
  id: string
  language: string
  text: string
  files: {path: string | null; text: string}[]
  rounds: number | null
}

const columns = [
  {name: 'id', type: 'string'},
  {name: 'language', type: 'string'},
  {name: 'text', type: 'string'},
  {name: 'files', type: {list: {struct: {path: 'string', text: 'string'}}}},
  {name: 'rounds', type: 'int32'},
] satisfies {name: string; type: ColumnType}[]

const long = (index: number): Row => ({
  id: createHash('md5').update(`${index}`).digest('hex'),
  language: index % 2 === 0 ? 'en' : 'zh',
  text: noise(`${index}`, 6000),
  files: Array.from({length: index % 4}, (_, file) => ({path: null, text: noise(`${file} of ${index}`, 4000)})),
  rounds: null,
})
const longRows = Array.from({length: 300}, (_, index) => long(index))

async function opened(path: string) {
  const file = await asyncBufferFromFile(path)
  return {path, file, metadata: await parquetMetadataAsync(file)}
}

async function written(rows: readonly Row[], {codec = 'zstd', rowGroupBytes = 64_000_000}: Partial<Sizes> = {}) {
  const path = join(await temporaryFolder(), 'rows.parquet')
  const file = await createParquetFile(path, columns, {codec, rowGroupBytes, rowGroupRows: 50_000})
  for (const row of rows) await file.write({...row}, row.id)
  await file.finish()
  await file.publish(path)
  return await opened(path)
}

interface Sizes {
  codec: Codec
  rowGroupBytes: number
}

async function offsetIndex(file: AsyncBuffer, {offset_index_offset: offset, offset_index_length}: ColumnChunk) {
  const start = Number(offset)
  const view = new DataView(await file.slice(start, start + Number(offset_index_length)))
  return readOffsetIndex({view, offset: 0}).page_locations
}

async function columnIndex(file: AsyncBuffer, chunk: ColumnChunk, element: SchemaElement) {
  const start = Number(chunk.column_index_offset)
  const view = new DataView(await file.slice(start, start + Number(chunk.column_index_length)))
  return readColumnIndex({view, offset: 0}, element)
}

const pathOf = (chunk: ColumnChunk) => chunk.meta_data?.path_in_schema.join('.') ?? ''

async function pagesOf({file, metadata}: Awaited<ReturnType<typeof written>>): Promise<Set<string>> {
  const hashes = new Set<string>()
  for (const chunk of metadata.row_groups.flatMap(({columns}) => columns)) {
    for (const {offset, compressed_page_size: bytes} of await offsetIndex(file, chunk)) {
      const page = Buffer.from(await file.slice(Number(offset), Number(offset) + bytes))
      hashes.add(`${pathOf(chunk)} ${bytes} ${createHash('sha256').update(page).digest('hex')}`)
    }
  }
  return hashes
}

const bytesIn = (pages: Iterable<string>) => [...pages].reduce((sum, page) => sum + Number(page.split(' ')[1]), 0)

describe('the page index', () => {
  const sets: Record<string, SplitRow[]> = {
    sft: [sftRow(sample()), sftRow(kernelSample()), sftRow(sample({prompt: 'Another?'}))],
    dpo: [dpoRow(pair()), dpoRow(pair({task: 'Other'}))],
    apis: [apiRow(apiEntry()), apiRow(apiEntry({name: 'Other', examples: [], parameters: []}))],
    errors: [errorRow(errorEntry()), errorRow(errorEntry({candidate: 'other'}))],
  }
  for (const [config, rows] of Object.entries(sets)) {
    test(`stands behind every chunk of ${config}, of single pages and of nested columns too`, async () => {
      const directory = await temporaryFolder()
      const stage = parquet({config: config as Config, directory})
      const [artifact] = await collect(stage.run(stream(rows), recordingContext()))
      const {file, metadata} = await opened(join(directory, artifact?.path ?? ''))
      for (const {columns, num_rows} of metadata.row_groups) {
        for (const chunk of columns) {
          expect(chunk.column_index_offset, pathOf(chunk)).toBeDefined()
          const pages = await offsetIndex(file, chunk)
          const {data_page_offset, dictionary_page_offset, total_compressed_size} = chunk.meta_data ?? {}
          expect(pages[0], pathOf(chunk)).toMatchObject({offset: data_page_offset, first_row_index: 0n})
          const first = dictionary_page_offset ?? data_page_offset
          const last = pages.at(-1)
          expect(Number(last?.offset) + (last?.compressed_page_size ?? 0)).toBe(
            Number(first) + Number(total_compressed_size),
          )
          expect(pages.every((page) => page.first_row_index < num_rows)).toBe(true)
        }
      }
    })
  }

  test('says what a page holds at least and at most, and how many nulls', async () => {
    const {file, metadata} = await written(longRows)
    const chunk = metadata.row_groups[0]?.columns.find((one) => pathOf(one) === 'text') as ColumnChunk
    const pages = await offsetIndex(file, chunk)
    expect(pages.length).toBeGreaterThan(2)
    const element = parquetSchema(metadata).children.find((one) => one.element.name === 'text')?.element
    const {min_values, max_values, null_pages, null_counts} = await columnIndex(file, chunk, element as SchemaElement)
    const all = longRows.map(({text}) => text)
    for (const [page, {first_row_index}] of pages.entries()) {
      const end = pages[page + 1]?.first_row_index ?? longRows.length
      const texts = all.slice(Number(first_row_index), Number(end)).sort()
      expect(String(min_values[page]) <= (texts[0] ?? '')).toBe(true)
      expect((texts[0] ?? '').startsWith(String(min_values[page]))).toBe(true)
      expect(String(max_values[page]) >= (texts.at(-1) ?? '')).toBe(true)
    }
    expect(null_pages).toEqual(pages.map(() => false))
    expect(null_counts).toEqual(pages.map(() => 0n))
    const absent = metadata.row_groups[0]?.columns.find((one) => pathOf(one) === 'rounds') as ColumnChunk
    const rounds = parquetSchema(metadata).children.find((one) => one.element.name === 'rounds')?.element
    expect(await columnIndex(file, absent, rounds as SchemaElement)).toMatchObject({
      null_pages: [true],
      null_counts: [300n],
    })
  })

  test('leads a reader to any row without the pages of others', async () => {
    const {file, metadata} = await written(longRows)
    let read = 0
    const counted: AsyncBuffer = {
      byteLength: file.byteLength,
      slice: (start, end = file.byteLength) => {
        read += end - start
        return file.slice(start, end)
      },
    }
    for (let rowStart = 0; rowStart < longRows.length; rowStart += 13) {
      const one = {rowStart, rowEnd: rowStart + 1, useOffsetIndex: true}
      read = 0
      expect(await parquetReadObjects({file: counted, metadata, compressors, ...one})).toEqual([longRows[rowStart]])
      expect(read).toBeLessThan(file.byteLength / 2)
    }
  })
})

describe('pages by content', () => {
  test('keep their bytes when a row is inserted among others', async () => {
    const before = await pagesOf(await written(longRows))
    const after = await pagesOf(await written([...longRows.slice(0, 150), long(1000), ...longRows.slice(150)]))
    const kept = [...after].filter((page) => before.has(page))
    expect(bytesIn(kept) / bytesIn(after)).toBeGreaterThan(0.6)
    expect(kept.length).toBeLessThan(after.size)
  })

  test('end row groups as well, so that the groups behind an inserted row stay as they were', async () => {
    const size = {rowGroupBytes: 2_000_000}
    const rows = Array.from({length: 900}, (_, index) => long(index))
    const groups = async (of: readonly Row[]) => {
      const {path, metadata} = await written(of, size)
      const bytes = await readFile(path)
      return metadata.row_groups.map(({file_offset: at, total_compressed_size: length}) =>
        createHash('sha256')
          .update(bytes.subarray(Number(at), Number(at) + Number(length)))
          .digest('hex'),
      )
    }
    const before = await groups(rows)
    const after = await groups([...rows.slice(0, 60), long(2000), ...rows.slice(60)])
    expect(before.length).toBeGreaterThan(5)
    expect(after.filter((group) => before.includes(group)).length).toBeGreaterThanOrEqual(before.length - 2)
  })

  test('are stated in the footer with the sizes that they were cut by', async () => {
    const {metadata} = await written(longRows.slice(0, 3))
    expect(metadata.key_value_metadata).toContainEqual({
      key: 'content_defined_chunking',
      value: '{"min_chunk_size":262144,"max_chunk_size":1048576,"norm_level":0}',
    })
  })
})

describe('dictionaries', () => {
  const encodingOf = async (rows: Row[], column: string, sizes: Partial<Sizes> = {}) => {
    const {metadata} = await written(rows, sizes)
    const chunk = metadata.row_groups[0]?.columns.find((one) => pathOf(one) === column)
    return chunk?.meta_data?.encodings
  }

  test('hold the values of columns that have few', async () => {
    expect(await encodingOf(longRows, 'language')).toEqual(['PLAIN', 'RLE_DICTIONARY'])
    expect(await encodingOf(longRows, 'id')).toEqual(['PLAIN'])
    expect(await encodingOf(longRows, 'text')).toEqual(['PLAIN'])
  })

  test('are given up for large ones, and nothing is lost', async () => {
    // Ten texts fill more than a page before the others come, of which there are too many to be listed.
    const rows = longRows.map((row, index) => ({...row, text: noise(`${index < 200 ? index % 10 : index % 40}`, 6000)}))
    expect(await encodingOf(rows, 'text')).toEqual(['PLAIN'])
    const {file} = await written(rows)
    expect(await parquetReadObjects({file, compressors})).toEqual(rows)
  })

  test('are not used for readers of snappy files', async () => {
    expect(await encodingOf(longRows, 'language', {codec: 'snappy'})).toEqual(['PLAIN'])
  })
})
