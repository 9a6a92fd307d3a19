import {asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects} from 'hyparquet'
import {compressors} from 'hyparquet-compressors'
import type {FoundRow} from './found-row.ts'

/** Rows decoded at once; a row group may hold far more. A page index tells which pages they stand in. */
const most = 1000

/**
 * Rows of a Parquet file, one part of a row group after another.
 * @param columns those that are read; all when undefined
 */
export async function* parquetRows(path: string, columns?: readonly string[]): AsyncIterable<FoundRow> {
  const file = await asyncBufferFromFile(path)
  const metadata = await parquetMetadataAsync(file)
  const reading = {file, metadata, compressors, useOffsetIndex: true, ...(columns && {columns: [...columns]})}
  let number = 0
  for (const group of metadata.row_groups) {
    const end = number + Number(group.num_rows)
    while (number < end) {
      const rowEnd = Math.min(number + most, end)
      const rows = await parquetReadObjects({...reading, rowStart: number, rowEnd})
      for (const value of rows) yield {number: (number += 1), value}
      if (rows.length === 0) return
    }
  }
}
