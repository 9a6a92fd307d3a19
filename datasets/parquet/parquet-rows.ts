import {asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects} from 'hyparquet'
import {compressors} from 'hyparquet-compressors'

/** Rows in memory at a time, with their pages: a row group has tens of megabytes of text. */
const atOnce = 1000

/** Rows of a Parquet file in their order, with only these columns; read with the page index, in batches. */
export async function* parquetRows(path: string, columns: readonly string[]): AsyncIterable<Record<string, unknown>> {
  const file = await asyncBufferFromFile(path)
  const metadata = await parquetMetadataAsync(file)
  const reading = {file, metadata, compressors, columns: [...columns], useOffsetIndex: true}
  let groupStart = 0
  for (const {num_rows} of metadata.row_groups) {
    const groupEnd = groupStart + Number(num_rows)
    for (let rowStart = groupStart; rowStart < groupEnd; rowStart += atOnce)
      yield* await parquetReadObjects({...reading, rowStart, rowEnd: Math.min(rowStart + atOnce, groupEnd)})
    groupStart = groupEnd
  }
}
