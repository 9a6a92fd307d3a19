import type {ColumnChunk, FileMetaData, SchemaElement, SchemaTree} from 'hyparquet'
import {schemaPathResolver} from 'hyparquet-writer/src/schema.js'
import {ChunkWriter, type ColumnOptions} from './column-chunk.ts'
import {smallChunkSizes} from './content-chunks.ts'

/** A chunk with its page index, encoded: a long file has many pages, whose indexes are written at its end. */
export interface PlacedChunk {
  chunk: ColumnChunk
  columnIndex: Uint8Array
  offsetIndex: Uint8Array
}

type Row = Readonly<Record<string, unknown>>

/** Rows are passed to columns in batches: one at a time costs several times as much. */
const lotRows = 64
const lotBytes = 1_000_000

/** The open row group of a file. */
export class RowGroup {
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
