import {join} from 'node:path'
import type {GeneralFiles, GeneralFormat} from '../../datasets/schema/general.ts'
import {arrowRows} from './arrow-rows.ts'
import {csvRows} from './csv-rows.ts'
import {assertData, headOf} from './file-fault.ts'
import type {FoundRow} from './found-row.ts'
import {jsonRows} from './json-rows.ts'
import {parquetRows} from './parquet-table.ts'

const readers: Readonly<Record<GeneralFormat, (path: string, columns?: readonly string[]) => AsyncIterable<FoundRow>>> =
  {parquet: parquetRows, arrow: arrowRows, jsonl: jsonRows, json: jsonRows, csv: csvRows}

/** A file's type by its first bytes; a name may be wrong. */
const beginnings: readonly [start: RegExp, format: GeneralFormat][] = [
  [/^PAR1/, 'parquet'],
  [/^(?:ARROW1|\xFF\xFF\xFF\xFF)/, 'arrow'],
]

/**
 * The rows of one file, read on demand. @param columns the relevant ones; a reader may return more @throws FileFault
 * when the file, or the rest of it, cannot be read
 */
export async function* rowsOf(
  root: string,
  {path, format}: Pick<GeneralFiles['files'][number], 'path' | 'format'>,
  columns?: readonly string[],
): AsyncIterable<FoundRow> {
  const file = join(root, path)
  const head = headOf(file)
  if (head.length === 0) return
  assertData(head)
  const start = head.toString('latin1')
  const found = beginnings.find(([mark]) => mark.test(start))?.[1]
  const isText = /^\s*[[{]/.test(start.replace(/^\xEF\xBB\xBF/, ''))
  const named = isText && (format === 'parquet' || format === 'arrow') ? 'json' : format
  yield* readers[found ?? named](file, columns)
}
