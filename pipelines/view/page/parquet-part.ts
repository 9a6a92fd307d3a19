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
import {numbered, type Meter, type OpenFile, type OpenFiles} from './rows-protocol.ts'

const compressors: Compressors = {ZSTD: (input, length) => decompress(input, new Uint8Array(length))}

/** Reads the footers. */
export const openParquet: OpenFiles = async (files, token, meter) => {
  const opened = await Promise.all(
    files.map(async (file) => {
      const part = (count: Meter) => rangesOf(file, token, count)
      return {file, part, metadata: await parquetMetadataAsync(part(meter))}
    }),
  )
  return numbered(opened.map(openFile))
}

interface Opened {
  file: DataFile
  metadata: FileMetaData
  part(meter: Meter): AsyncBuffer
}

function openFile({file, metadata, part}: Opened): Omit<OpenFile, 'first'> {
  const names = new Set(metadata.row_groups[0]?.columns.map(({meta_data}) => meta_data?.path_in_schema[0]))
  return {
    file,
    rows: Number(metadata.num_rows),
    groups: groupsOf(metadata),
    known: (wanted) => wanted.filter((name) => names.has(name)),
    // Only the pages with these rows are read.
    rowsOf: ({start, end, columns, meter}) =>
      parquetReadObjects({
        ...{file: gathered(part(meter)), metadata, compressors, rowStart: start, rowEnd: end, useOffsetIndex: true},
        ...(columns && {columns: [...columns]}),
      }),
    eachColumn: ({start, end, columns, meter}, take) =>
      parquetRead({
        ...{file: part(meter), metadata, compressors, columns: [...columns], rowStart: start, rowEnd: end},
        onChunk: ({columnName, columnData, rowStart}) => take(columnName, rowStart, columnData),
      }),
  }
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

/** Its row groups. */
function groupsOf({row_groups}: FileMetaData): {start: number; end: number}[] {
  let start = 0
  return row_groups.map(({num_rows}) => {
    const group = {start, end: start + Number(num_rows)}
    start = group.end
    return group
  })
}
