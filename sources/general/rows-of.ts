import {join} from 'node:path'
import type {GeneralFiles, GeneralFormat} from '../../datasets/schema/general.ts'
import {assertData, headOf, asFileFault, fetchAgain, FileFault} from './file-fault.ts'
import type {FoundRow} from './found-row.ts'
import {jsonRows} from './json-rows.ts'
import {createReadStream, closeSync, fstatSync, openSync, readSync} from 'node:fs'
import {open} from 'node:fs/promises'
import {zstdReady} from '../../engine/zstd.ts'
import {lz4Content} from './lz4-frame.ts'
import {pipeline, Readable} from 'node:stream'
import {CsvError, parse} from 'csv-parse'
import {decoded} from './decoded.ts'
import {asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects, parquetSchema} from 'hyparquet'
import {compressors} from 'hyparquet-compressors'
import {cutShort} from './unpacked.ts'

const readers: Readonly<Record<GeneralFormat, (path: string, columns?: readonly string[]) => AsyncIterable<FoundRow>>> =
  {parquet: parquetRows, arrow: arrowRows, jsonl: jsonRows, json: jsonRows, csv: csvRows}

/** A file's type by its first bytes; a name may be wrong. */
const beginnings: readonly [start: RegExp, format: GeneralFormat][] = [
  [/^PAR1/, 'parquet'],
  [/^(?:ARROW1|\xFF\xFF\xFF\xFF)/, 'arrow'],
]

/**
 * The rows of one file, read on demand. @param columns the relevant ones; a reader may return more @throws FileFault
 * when the file, or the rest of it, cannot be read
 */
export async function* rowsOf(
  root: string,
  {path, format}: Pick<GeneralFiles['files'][number], 'path' | 'format'>,
  columns?: readonly string[],
): AsyncIterable<FoundRow> {
  const file = join(root, path)
  const head = headOf(file)
  if (head.length === 0) return
  assertData(head)
  const start = head.toString('latin1')
  const found = beginnings.find(([mark]) => mark.test(start))?.[1]
  const isText = /^\s*[[{]/.test(start.replace(/^\xEF\xBB\xBF/, ''))
  const named = isText && (format === 'parquet' || format === 'arrow') ? 'json' : format
  yield* readers[found ?? named](file, columns)
}

/**
 * Rows of an Arrow file, one record batch after another: the stream format, which Hugging Face `datasets` keeps, or the
 * file format (Feather).
 */
export async function* arrowRows(path: string): AsyncIterable<FoundRow> {
  const {RecordBatchReader} = await import('apache-arrow')
  await enableCompression()
  const handle = (await isFileFormat(path)) ? await open(path) : undefined
  let number = 0
  try {
    const reader = handle ? await RecordBatchReader.from(handle) : await RecordBatchReader.from(createReadStream(path))
    for await (const batch of reader) {
      for (const row of batch) yield {number: (number += 1), value: plain(row)}
    }
  } catch (error) {
    throw asFileFault(error, 'Arrow')
  } finally {
    await handle?.close()
  }
}

async function isFileFormat(path: string): Promise<boolean> {
  const file = await open(path)
  try {
    const {buffer} = await file.read(Buffer.alloc(6), 0, 6, 0)
    return buffer.toString('latin1') === 'ARROW1'
  } finally {
    await file.close()
  }
}

/** The library detects compressed batches, but leaves decompression to its user. */
async function enableCompression(): Promise<void> {
  const {compressionRegistry, CompressionType} = await import('apache-arrow')
  const {decompress} = await import('@bokuweb/zstd-wasm')
  await zstdReady()
  compressionRegistry.set(CompressionType.ZSTD, {decode: decompress})
  compressionRegistry.set(CompressionType.LZ4_FRAME, {decode: lz4Content})
}

/** Rows and lists of the library as plain values. */
function plain(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value
  if (Symbol.iterator in value && 'toArray' in value) return [...(value as unknown as Iterable<unknown>)].map(plain)
  const fields = 'toJSON' in value && typeof value.toJSON === 'function' ? (value.toJSON() as object) : value
  if (Array.isArray(fields)) return fields.map(plain)
  return Object.fromEntries(Object.entries(fields).map(([name, inner]) => [name, plain(inner)]))
}

/** A cell may hold a whole chain of thought, and no more than a row of another format. */
const longestRow = 64 * 1024 * 1024

/** Signs between cells, in order of preference for a header with equally many of two. */
const separators = [',', '\t', ';', '|']

/** Rows of a table as text: commas, tabs or what else its header has between its names. Rows are numbered from 1. */
async function* csvRows(path: string): AsyncIterable<FoundRow> {
  const header = await firstLine(path)
  const counted = separators.map((sign) => header.split(sign).length)
  const delimiter = separators[counted.indexOf(Math.max(...counted))] ?? ','
  // A pipeline forwards errors of reading the file.
  const parser = pipeline(
    Readable.from(decoded(path)),
    parse({
      delimiter,
      columns: true,
      bom: true,
      relax_quotes: true,
      relax_column_count: true,
      skip_empty_lines: true,
      max_record_size: longestRow,
    }),
    () => undefined,
  )
  let number = 0
  try {
    for await (const value of parser) yield {number: (number += 1), value: value as unknown}
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    if (error.code === 'CSV_QUOTE_NOT_CLOSED')
      throw new FileFault('file-cut-short', `is cut short: a quote in row ${number + 1} is never closed`, fetchAgain)
    throw new FileFault('file-damaged', `is not a table after row ${number}: ${error.message}`, fetchAgain, error)
  }
}

async function firstLine(path: string): Promise<string> {
  let head = ''
  for await (const text of decoded(path)) {
    head += text
    if (/[\r\n]/.test(head)) break
  }
  return /^[^\r\n]*/.exec(head)?.[0] ?? ''
}

/** Rows decoded at once; a row group may hold far more. A page index locates their pages. */
const most = 1000

/**
 * Rows of a Parquet file, one part of a row group after another.
 * @param columns those that are read, where the file has them; all when undefined
 */
async function* parquetRows(path: string, columns?: readonly string[]): AsyncIterable<FoundRow> {
  if (!endsAsParquet(path)) throw await cutShort(path, 'Parquet, whose last bytes say what it holds')
  try {
    yield* readRows(path, columns)
  } catch (error) {
    throw asFileFault(error, 'Parquet')
  }
}

async function* readRows(path: string, columns?: readonly string[]): AsyncIterable<FoundRow> {
  const file = await asyncBufferFromFile(path)
  const metadata = await parquetMetadataAsync(file)
  const there = parquetSchema(metadata).children.map(({element}) => element.name)
  const wanted = columns && there.filter((name) => columns.includes(name))
  const reading = {file, metadata, compressors, useOffsetIndex: true, ...(wanted && {columns: wanted})}
  let number = 0
  for (const group of metadata.row_groups) {
    const end = number + Number(group.num_rows)
    while (number < end) {
      const rowEnd = Math.min(number + most, end)
      const rows = await parquetReadObjects({...reading, rowStart: number, rowEnd})
      for (const value of rows) yield {number: (number += 1), value}
      if (rows.length === 0) return
    }
  }
}

function endsAsParquet(path: string): boolean {
  const file = openSync(path, 'r')
  try {
    const end = Buffer.alloc(4)
    readSync(file, end, 0, 4, Math.max(0, fstatSync(file).size - 4))
    return end.toString('latin1') === 'PAR1'
  } finally {
    closeSync(file)
  }
}
