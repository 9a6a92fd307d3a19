import {compress} from '@bokuweb/zstd-wasm'
import {snappyCompress} from 'hyparquet-writer/src/snappy.js'
import {ByteWriter} from 'hyparquet-writer'
import {writeMetadata} from 'hyparquet-writer/src/metadata.js'
import type {FileMetaData, SchemaElement, ColumnChunk, SchemaTree} from 'hyparquet'
import {zstdReady} from '../../engine/zstd.ts'
import {openHashedFile} from '../hashed-file.ts'
import {hubFeature, parquetElements, storedBytes, type ColumnType} from './column-types.ts'
import {chunkSizes, smallChunkSizes} from './content-chunks.ts'
import {schemaPathResolver} from 'hyparquet-writer/src/schema.js'
import {ChunkWriter, type ColumnOptions} from './column-chunk.ts'

export type Codec = 'zstd' | 'snappy'

interface ParquetFileOptions {
  codec: Codec
  /**
   * A row group ends at a row with a suitable id once it holds half of this many bytes before encoding, and at the
   * latest at this many…
   */
  rowGroupBytes: number
  /** …or this many rows. */
  rowGroupRows: number
}

/** The shape of a file: what the writer, the Hub and the card must agree on. */
type FileColumns = readonly {name: string; type: ColumnType; pages?: 'small'}[]

/** A Parquet file being written under a temporary name. Rows are cells by column name. */
export interface ParquetFile {
  /** @param id content id of the row, in hexadecimal digits: decides whether a row group may end after it */
  /** @param id of the record, by which row groups end; without one, only by size */
  write(row: Readonly<Record<string, unknown>>, id?: string): Promise<void>
  /** Bytes on disk so far, the open row group not included. */
  bytes(): number
  rows(): number
  /** Writes the footer and syncs; the file keeps its temporary name until `publish`. */
  finish(): Promise<{bytes: number; sha256: string; rows: number}>
  publish(path: string): Promise<void>
  /** Removes what was written. */
  discard(): Promise<void>
}

const magic = Buffer.from('PAR1')

/**
 * Opens a file next to `path`. Pages end by content and are compressed at once, so memory holds the open row group's
 * compressed bytes and one page per column. The bytes depend only on rows and options.
 * @throws PipelineError `disk-full` or `output-unwritable`
 */
export async function createParquetFile(
  path: string,
  columns: FileColumns,
  options: ParquetFileOptions,
): Promise<ParquetFile> {
  await zstdReady()
  const file = await openHashedFile(path)
  const schema: SchemaElement[] = [
    {name: 'schema', num_children: columns.length},
    ...columns.flatMap(({name, type}) => parquetElements(name, type)),
  ]
  const encoder = encoderOf(options.codec)
  const groups: FileMetaData['row_groups'] = []
  const placed: PlacedChunk[] = []
  const small = new Set(columns.filter(({pages}) => pages === 'small').map(({name}) => name))
  let group = new RowGroup(schema, encoder, small)
  let rows = 0
  await file.append(magic)

  async function writeGroup(): Promise<void> {
    if (group.rows === 0) return
    const {chunks, metadata} = group.finish(file.bytes())
    for (const {bytes} of chunks) await file.append(bytes)
    groups.push(metadata)
    placed.push(...chunks.map(({chunk, columnIndex, offsetIndex}) => ({chunk, columnIndex, offsetIndex})))
    rows += group.rows
    group = new RowGroup(schema, encoder, small)
  }

  return {
    async write(row, id = '') {
      group.add(row, storedBytes(row))
      if (isFull(group, id, options)) await writeGroup()
    },
    bytes: () => file.bytes(),
    rows: () => rows + group.rows,
    async finish() {
      await writeGroup()
      await file.append(footer({schema, groups, placed, columns, rows, at: file.bytes(), codec: options.codec}))
      return {bytes: file.bytes(), sha256: await file.end(), rows}
    },
    publish: file.publish,
    discard: file.discard,
  }
}

/** One in this many row ids ends a row group that is half full. */
const groupEndsEvery = 64

/** Content-based ends leave the groups after an inserted row unchanged. */
function isFull({rows, bytes}: RowGroup, id: string, {rowGroupBytes, rowGroupRows}: ParquetFileOptions): boolean {
  if (bytes >= rowGroupBytes || rows >= rowGroupRows) return true
  const half = bytes >= rowGroupBytes / 2 || rows >= rowGroupRows / 2
  return half && Number.parseInt(id.slice(0, 8), 16) % groupEndsEvery === 0
}

/** Readers that only support snappy do not support the newer dictionaries: parquetjs-lite refuses them. */
function encoderOf(codec: Codec) {
  return {
    codec: codec === 'zstd' ? ('ZSTD' as const) : ('SNAPPY' as const),
    compressors: {ZSTD: (input: Uint8Array) => compress(input, 3), SNAPPY: snappyCompress},
    dictionary: codec === 'zstd',
  }
}

interface Footer {
  schema: SchemaElement[]
  groups: FileMetaData['row_groups']
  placed: readonly PlacedChunk[]
  columns: FileColumns
  rows: number
  /** Its offset in the file. */
  at: number
  codec: Codec
}

/** Page indexes, then the metadata. */
function footer({schema, groups, placed, columns, rows, at, codec}: Footer): Uint8Array {
  const writer = new ByteWriter()
  writer.offset = at
  for (const {chunk, columnIndex} of placed) {
    chunk.column_index_offset = BigInt(writer.offset)
    chunk.column_index_length = columnIndex.length
    writer.appendBytes(columnIndex)
  }
  for (const {chunk, offsetIndex} of placed) {
    chunk.offset_index_offset = BigInt(writer.offset)
    chunk.offset_index_length = offsetIndex.length
    writer.appendBytes(offsetIndex)
  }
  writeMetadata(writer, {
    // parquetjs-lite refuses a newer one.
    version: codec === 'snappy' ? 1 : 2,
    created_by: 'ascend-cot',
    schema,
    num_rows: BigInt(rows),
    row_groups: groups,
    metadata_length: 0,
    key_value_metadata: [
      {key: 'huggingface', value: footerFeatures(columns)},
      {key: 'content_defined_chunking', value: JSON.stringify(chunkSizes)},
    ],
  })
  writer.appendBytes(magic)
  return writer.getBytes()
}

/** The file's features for `datasets`: key `huggingface`, in the form of its own writer. */
function footerFeatures(columns: FileColumns): string {
  return JSON.stringify({info: {features: Object.fromEntries(columns.map(({name, type}) => [name, hubFeature(type)]))}})
}

/** A chunk with its page index, encoded: a long file has many pages, whose indexes are written at its end. */
interface PlacedChunk {
  chunk: ColumnChunk
  columnIndex: Uint8Array
  offsetIndex: Uint8Array
}

type Row = Readonly<Record<string, unknown>>

/** Rows are passed to columns in batches: one at a time costs several times as much. */
const lotRows = 64
const lotBytes = 1_000_000

/** The open row group of a file. */
class RowGroup {
  readonly #columns: {name: string; chunk: ChunkWriter}[]
  #lot: Row[] = []
  #lotBytes = 0
  rows = 0
  /** Before encoding. */
  bytes = 0

  /** @param small names of the columns with small pages */
  constructor(schema: SchemaElement[], options: ColumnOptions, small: ReadonlySet<string>) {
    const resolve = schemaPathResolver(schema)
    const tops = (resolve([])[0] as SchemaTree).children
    this.#columns = tops.flatMap(({element: {name}}) => {
      const own = small.has(name) ? {...options, pages: smallChunkSizes} : options
      return leavesBelow(resolve([name])).map((path) => ({name, chunk: new ChunkWriter(path, own)}))
    })
  }

  add(row: Row, bytes: number): void {
    this.#lot.push(row)
    this.#lotBytes += bytes
    this.rows += 1
    this.bytes += bytes
    if (this.#lot.length >= lotRows || this.#lotBytes >= lotBytes) this.#pass()
  }

  /** @param start offset of the group in the file */
  finish(start: number): {chunks: (PlacedChunk & {bytes: Uint8Array})[]; metadata: FileMetaData['row_groups'][number]} {
    this.#pass()
    let at = start
    let uncompressed = 0n
    const chunks = this.#columns.map(({chunk: writer}) => {
      const {bytes, chunk, index} = writer.finish()
      const here = at
      place(chunk, BigInt(here))
      at += bytes.length
      uncompressed += chunk.meta_data.total_uncompressed_size
      return {bytes, chunk, columnIndex: index.columnIndex(), offsetIndex: index.offsetIndex(here)}
    })
    const metadata = {
      columns: chunks.map(({chunk}) => chunk),
      total_byte_size: uncompressed,
      num_rows: BigInt(this.rows),
      file_offset: BigInt(start),
      total_compressed_size: BigInt(at - start),
    }
    return {chunks, metadata}
  }

  #pass(): void {
    for (const {name, chunk} of this.#columns) chunk.add(this.#lot.map((row) => row[name]))
    this.#lot = []
    this.#lotBytes = 0
  }
}

function place(chunk: ColumnChunk, start: bigint): void {
  chunk.file_offset += start
  const data = chunk.meta_data
  if (!data) return
  data.data_page_offset += start
  if (data.dictionary_page_offset !== undefined) data.dictionary_page_offset += start
}

/** Every path from the root to a leaf that continues this one. */
function leavesBelow(path: SchemaTree[]): SchemaTree[][] {
  const {children} = path.at(-1) as SchemaTree
  return children.length === 0 ? [path] : children.flatMap((child) => leavesBelow([...path, child]))
}
