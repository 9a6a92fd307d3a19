import {join} from 'node:path'
import type {GeneralFiles} from '../../datasets/schema/general.ts'
import {arrowRows} from './arrow-rows.ts'
import type {FoundRow} from './found-row.ts'
import {jsonLines, jsonRows} from './json-rows.ts'
import {parquetRows} from './parquet-table.ts'

/**
 * The rows of one file, read as they are taken.
 * @param columns those that matter; a reader may give more
 */
export function rowsOf(
  root: string,
  {path, format}: Pick<GeneralFiles['files'][number], 'path' | 'format'>,
  columns?: readonly string[],
): AsyncIterable<FoundRow> {
  const file = join(root, path)
  if (format === 'parquet') return parquetRows(file, columns)
  if (format === 'arrow') return arrowRows(file)
  return format === 'jsonl' ? jsonLines(file) : jsonRows(file)
}
