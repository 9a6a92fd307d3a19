import {createHash} from 'node:crypto'
import {stat} from 'node:fs/promises'
import {
  asyncBufferFromFile,
  parquetMetadataAsync,
  parquetReadObjects,
  readOffsetIndex,
  type AsyncBuffer,
} from 'hyparquet'
import {compressors} from 'hyparquet-compressors'

/** Bytes of a file's pages by the hash of what they hold. */
async function pagesOf(path: string): Promise<Map<string, number>> {
  const file = await asyncBufferFromFile(path)
  const {row_groups} = await parquetMetadataAsync(file)
  const pages = new Map<string, number>()
  for (const {columns} of row_groups) {
    for (const {offset_index_offset: offset, offset_index_length: length} of columns) {
      if (offset === undefined || length === undefined) continue
      const view = new DataView(await file.slice(Number(offset), Number(offset) + length))
      for (const page of readOffsetIndex({view, offset: 0}).page_locations) {
        const bytes = await file.slice(Number(page.offset), Number(page.offset) + page.compressed_page_size)
        pages.set(createHash('sha256').update(Buffer.from(bytes)).digest('hex'), page.compressed_page_size)
      }
    }
  }
  return pages
}

/** What of a changed file stands in the old one too: pages that kept their bytes, in bytes of the new file. */
export async function keptPages(before: string, after: string): Promise<{pages: number; kept: number; share: string}> {
  const [old, fresh] = [await pagesOf(before), await pagesOf(after)]
  const kept = [...fresh].filter(([hash]) => old.has(hash)).reduce((sum, [, bytes]) => sum + bytes, 0)
  const {size} = await stat(after)
  return {pages: fresh.size, kept, share: percent(kept / size)}
}

/** Bytes that hyparquet asks for to read one row by the page index, footer included. */
export async function rowRead(path: string, row: number): Promise<{bytes: number; share: string; footer: number}> {
  const whole = await asyncBufferFromFile(path)
  const seen = {bytes: 0}
  const file: AsyncBuffer = {
    byteLength: whole.byteLength,
    async slice(start, end = whole.byteLength) {
      seen.bytes += end - start
      return await whole.slice(start, end)
    },
  }
  // The length of the footer is in the last 8 bytes: a reader that asks for more than it needs is not the file's fault.
  const tail = new DataView(await whole.slice(whole.byteLength - 8, whole.byteLength))
  const footer = tail.getUint32(0, true) + 8
  const metadata = await parquetMetadataAsync(file, {initialFetchSize: footer})
  await parquetReadObjects({file, metadata, compressors, rowStart: row, rowEnd: row + 1, useOffsetIndex: true})
  return {bytes: seen.bytes, share: percent(seen.bytes / whole.byteLength), footer}
}

const percent = (share: number) => `${(100 * share).toFixed(2)} %`
