import {closeSync, fstatSync, openSync, readSync} from 'node:fs'
import {asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects, parquetSchema} from 'hyparquet'
import {compressors} from 'hyparquet-compressors'
import {asFileFault} from './file-fault.ts'
import type {FoundRow} from './found-row.ts'
import {cutShort} from './unpacked.ts'

/** Rows decoded at once; a row group may hold far more. A page index locates their pages. */
const most = 1000

/**
 * Rows of a Parquet file, one part of a row group after another.
 * @param columns those that are read, where the file has them; all when undefined
 */
export async function* parquetRows(path: string, columns?: readonly string[]): AsyncIterable<FoundRow> {
  if (!endsAsParquet(path)) throw await cutShort(path, 'Parquet, whose last bytes say what it holds')
  try {
    yield* readRows(path, columns)
  } catch (error) {
    throw asFileFault(error, 'Parquet')
  }
}

async function* readRows(path: string, columns?: readonly string[]): AsyncIterable<FoundRow> {
  const file = await asyncBufferFromFile(path)
  const metadata = await parquetMetadataAsync(file)
  const there = parquetSchema(metadata).children.map(({element}) => element.name)
  const wanted = columns && there.filter((name) => columns.includes(name))
  const reading = {file, metadata, compressors, useOffsetIndex: true, ...(wanted && {columns: wanted})}
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

function endsAsParquet(path: string): boolean {
  const file = openSync(path, 'r')
  try {
    const end = Buffer.alloc(4)
    readSync(file, end, 0, 4, Math.max(0, fstatSync(file).size - 4))
    return end.toString('latin1') === 'PAR1'
  } finally {
    closeSync(file)
  }
}
