import {createHash} from 'node:crypto'
import {mkdir, open, rename, rm} from 'node:fs/promises'
import {dirname} from 'node:path'
import {compress, init} from '@bokuweb/zstd-wasm'
import {ByteWriter, ParquetWriter} from 'hyparquet-writer'
import {writeIndexes} from 'hyparquet-writer/src/indexes.js'
import {writeMetadata} from 'hyparquet-writer/src/metadata.js'
import {asOutputError, temporaryBeside} from '../engine/files.ts'
import {hubFeature, parquetElements, storedBytes, type ColumnType} from './column-types.ts'

export type Codec = 'zstd' | 'snappy'

interface ParquetFileOptions {
  codec: Codec
  /** A row group is written when it holds this many bytes before encoding… */
  rowGroupBytes: number
  /** …or this many rows. */
  rowGroupRows: number
}

/** The shape of a file: what the writer, the Hub and the card must agree on. */
type FileColumns = readonly {name: string; type: ColumnType}[]

/** A Parquet file being written under a temporary name. Rows are cells by column name. */
export interface ParquetFile {
  write(row: Readonly<Record<string, unknown>>): Promise<void>
  /** Bytes on disk so far, the open row group not included. */
  bytes(): number
  rows(): number
  /** Writes the footer and syncs; the file keeps its temporary name until `publish`. */
  finish(): Promise<{bytes: number; sha256: string; rows: number}>
  publish(path: string): Promise<void>
  /** Removes what was written. */
  discard(): Promise<void>
}

/**
 * Opens a file next to `path`. At most one row group is held in memory. The bytes depend on the rows and options alone.
 * @throws PipelineError `disk-full` or `output-unwritable`
 */
export async function createParquetFile(
  path: string,
  columns: FileColumns,
  options: ParquetFileOptions,
): Promise<ParquetFile> {
  await zstdReady()
  const guard = async <T>(action: () => Promise<T>): Promise<T> =>
    action().catch((error: unknown) => {
      throw asOutputError(error, path)
    })
  const file = await guard(() => openHashedFile(path))
  const sink = new ByteWriter(1 << 20)
  const writer = parquetWriter(sink, columns, options.codec)
  // Readers that know only snappy know neither RLE_DICTIONARY nor a footer of version 2: parquetjs-lite refuses both.
  const encoding = options.codec === 'snappy' ? {encoding: 'PLAIN' as const} : {}
  const finishFooter = () => (options.codec === 'snappy' ? finishAsVersion1(writer) : writer.finish())
  let group: Readonly<Record<string, unknown>>[] = []
  let groupBytes = 0
  let rows = 0

  async function drain(): Promise<void> {
    await file.append(sink.getBytes())
    sink.index = 0
  }

  async function writeGroup(): Promise<void> {
    if (group.length === 0) return
    const columnData = columns.map(({name}) => ({
      name,
      data: group.map((row) => row[name]),
      columnIndex: true,
      ...encoding,
    }))
    await writer.write({columnData, rowGroupSize: group.length})
    rows += group.length
    group = []
    groupBytes = 0
    await drain()
  }

  return {
    async write(row) {
      group.push(row)
      groupBytes += storedBytes(row)
      if (groupBytes >= options.rowGroupBytes || group.length >= options.rowGroupRows) await guard(writeGroup)
    },
    bytes: () => sink.offset,
    rows: () => rows + group.length,
    finish: () =>
      guard(async () => {
        await writeGroup()
        await finishFooter()
        await drain()
        return {bytes: sink.offset, sha256: await file.end(), rows}
      }),
    publish: (final) => guard(() => file.publish(final)),
    discard: () => file.discard(),
  }
}

function parquetWriter(sink: ByteWriter, columns: FileColumns, codec: Codec): ParquetWriter {
  return new ParquetWriter({
    writer: sink,
    schema: [
      {name: 'schema', num_children: columns.length},
      ...columns.flatMap(({name, type}) => parquetElements(name, type)),
    ],
    codec: codec === 'zstd' ? 'ZSTD' : 'SNAPPY',
    compressors: {ZSTD: (input) => compress(input, 3)},
    kvMetadata: [{key: 'huggingface', value: footerFeatures(columns)}],
    createdBy: 'ascend-cot',
  })
}

/** A file under a temporary name, hashed while it is written. */
interface HashedFile {
  append(bytes: Uint8Array): Promise<void>
  /** Syncs and closes it. @returns the SHA-256 of all that was appended */
  end(): Promise<string>
  publish(path: string): Promise<void>
  discard(): Promise<void>
}

async function openHashedFile(path: string): Promise<HashedFile> {
  const temporary = temporaryBeside(path)
  await mkdir(dirname(path), {recursive: true})
  const handle = await open(temporary, 'wx')
  const hash = createHash('sha256')
  return {
    async append(bytes) {
      hash.update(bytes)
      await handle.appendFile(bytes)
    },
    async end() {
      await handle.sync()
      await handle.close()
      return hash.digest('hex')
    },
    publish: (final) => rename(temporary, final),
    async discard() {
      await handle.close().catch(() => undefined)
      await rm(temporary, {force: true})
    },
  }
}

/** What `ParquetWriter.finish` does, with version 1 in the footer where it has a fixed 2. */
function finishAsVersion1({
  writer,
  pendingIndexes,
  createdBy,
  schema,
  num_rows,
  row_groups,
  kvMetadata,
}: ParquetWriter): void {
  writeIndexes(writer, pendingIndexes)
  const keys = kvMetadata && {key_value_metadata: kvMetadata}
  writeMetadata(writer, {version: 1, created_by: createdBy, schema, num_rows, row_groups, metadata_length: 0, ...keys})
  writer.appendBytes(new TextEncoder().encode('PAR1'))
}

// A second init() swaps the WebAssembly instance under calls in progress: output then compresses worse, differently, or
// not at all.
let initialized: Promise<void> | undefined
function zstdReady(): Promise<void> {
  initialized ??= init()
  return initialized
}

/** What `datasets` reads back as the features of the file: key `huggingface`, as its own writer leaves it. */
function footerFeatures(columns: FileColumns): string {
  return JSON.stringify({info: {features: Object.fromEntries(columns.map(({name, type}) => [name, hubFeature(type)]))}})
}
