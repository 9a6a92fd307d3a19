import {decompress} from 'fzstd'
import {
  parquetMetadataAsync,
  parquetRead,
  parquetReadObjects,
  type AsyncBuffer,
  type Compressors,
  type FileMetaData,
} from 'hyparquet'
import type {DataFile} from '../protocol.ts'

const compressors: Compressors = {ZSTD: (input, length) => decompress(input, new Uint8Array(length))}

/** What was read from the server, in bytes. */
export interface Meter {
  bytes: number
}

/** A Parquet file of which only parts are read; rows are counted through all files. */
export interface OpenFile {
  file: DataFile
  metadata: FileMetaData
  rows: number
  /** Number of its first row. */
  first: number
  part(meter: Meter): AsyncBuffer
}

/** Reads the footers. */
export async function openFiles(files: readonly DataFile[], token: string, meter: Meter): Promise<OpenFile[]> {
  const opened = await Promise.all(
    files.map(async (file) => {
      const part = (count: Meter) => rangesOf(file, token, count)
      return {file, part, metadata: await parquetMetadataAsync(part(meter))}
    }),
  )
  let first = 0
  return opened.map((one) => {
    const rows = Number(one.metadata.num_rows)
    const placed = {...one, rows, first}
    first += rows
    return placed
  })
}

function rangesOf({id, bytes}: DataFile, token: string, meter: Meter): AsyncBuffer {
  return {
    byteLength: bytes,
    async slice(start, end = bytes) {
      const headers = {authorization: `Bearer ${token}`, range: `bytes=${start}-${end - 1}`}
      const response = await fetch(`/api/files/${id}`, {headers})
      if (response.status !== 206) throw new Error('The data set has changed. Load the page again.')
      const buffer = await response.arrayBuffer()
      meter.bytes += buffer.byteLength
      return buffer
    },
  }
}

/** Rows of one file, from `start` to before `end`, with these columns or all; only the pages with them are read. */
export async function rowsOf(
  {metadata, part}: OpenFile,
  {start, end, columns, meter}: {start: number; end: number; columns?: readonly string[]; meter: Meter},
): Promise<Record<string, unknown>[]> {
  return parquetReadObjects({
    ...{file: gathered(part(meter)), metadata, compressors, rowStart: start, rowEnd: end, useOffsetIndex: true},
    ...(columns && {columns: [...columns]}),
  })
}

const blockBytes = 32_768

/** Indexes and short pages of many columns lie side by side: one request brings those of one block. */
function gathered(file: AsyncBuffer): AsyncBuffer {
  const blocks = new Map<number, Promise<ArrayBuffer>>()
  const blockAt = (from: number) => {
    const known = blocks.get(from) ?? file.slice(from, Math.min(from + blockBytes, file.byteLength))
    blocks.set(from, known as Promise<ArrayBuffer>)
    return known
  }
  return {
    byteLength: file.byteLength,
    async slice(start, end = file.byteLength) {
      const from = start - (start % blockBytes)
      if (end > from + blockBytes) return file.slice(start, end)
      return (await blockAt(from)).slice(start - from, end - from)
    },
  }
}

/** The parts in which columns of a whole file are read: its row groups. */
export function groupsOf({metadata}: OpenFile): {start: number; end: number}[] {
  let start = 0
  return metadata.row_groups.map(({num_rows}) => {
    const group = {start, end: start + Number(num_rows)}
    start = group.end
    return group
  })
}

/** Columns that a file has: an older data set lacks newer ones. */
export function knownColumns({metadata}: OpenFile, wanted: readonly string[]): string[] {
  const names = new Set(metadata.row_groups[0]?.columns.map(({meta_data}) => meta_data?.path_in_schema[0]))
  return wanted.filter((name) => names.has(name))
}

/** Short columns of some rows, each as soon as it is there; `from` counts in the file. */
export async function eachColumn(
  {metadata, part}: OpenFile,
  {start, end, columns, meter}: {start: number; end: number; columns: readonly string[]; meter: Meter},
  take: (name: string, from: number, cells: ArrayLike<unknown>) => void,
): Promise<void> {
  await parquetRead({
    ...{file: part(meter), metadata, compressors, columns: [...columns], rowStart: start, rowEnd: end},
    onChunk: ({columnName, columnData, rowStart}) => take(columnName, rowStart, columnData),
  })
}
