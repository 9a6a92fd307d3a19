import {createReadStream} from 'node:fs'
import {open} from 'node:fs/promises'
import {zstdReady} from '../../engine/zstd.ts'
import {asFileFault} from './file-fault.ts'
import type {FoundRow} from './found-row.ts'
import {lz4Content} from './lz4-frame.ts'

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
