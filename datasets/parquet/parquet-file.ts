import {compress} from '@bokuweb/zstd-wasm'
import {snappyCompress} from 'hyparquet-writer/src/snappy.js'
import {ByteWriter} from 'hyparquet-writer'
import {writeMetadata} from 'hyparquet-writer/src/metadata.js'
import type {FileMetaData, SchemaElement} from 'hyparquet'
import {zstdReady} from '../../engine/zstd.ts'
import {openHashedFile} from '../hashed-file.ts'
import {hubFeature, parquetElements, storedBytes, type ColumnType} from './column-types.ts'
import {chunkSizes} from './content-chunks.ts'
import {RowGroup, type PlacedChunk} from './row-group.ts'

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
