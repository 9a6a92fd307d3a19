import {asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects} from 'hyparquet'
import {compressors} from 'hyparquet-compressors'

/** Rows of a Parquet file in their order, with these columns alone; a row group is in memory at a time. */
export async function* parquetRows(path: string, columns: readonly string[]): AsyncIterable<Record<string, unknown>> {
  const file = await asyncBufferFromFile(path)
  const metadata = await parquetMetadataAsync(file)
  let rowStart = 0
  for (const {num_rows} of metadata.row_groups) {
    const rowEnd = rowStart + Number(num_rows)
    yield* await parquetReadObjects({file, metadata, compressors, columns: [...columns], rowStart, rowEnd})
    rowStart = rowEnd
  }
}
