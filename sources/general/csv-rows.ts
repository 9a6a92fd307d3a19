import {pipeline, Readable} from 'node:stream'
import {CsvError, parse} from 'csv-parse'
import {decoded} from './decoded.ts'
import {fetchAgain, FileFault} from './file-fault.ts'
import type {FoundRow} from './found-row.ts'

/** A cell may hold a whole chain of thought, and no more than a row of another format. */
const longestRow = 64 * 1024 * 1024

/** Signs between cells, in order of preference for a header with equally many of two. */
const separators = [',', '\t', ';', '|']

/** Rows of a table as text: commas, tabs or what else its header has between its names. Rows are numbered from 1. */
export async function* csvRows(path: string): AsyncIterable<FoundRow> {
  const header = await firstLine(path)
  const counted = separators.map((sign) => header.split(sign).length)
  const delimiter = separators[counted.indexOf(Math.max(...counted))] ?? ','
  // A pipeline forwards errors of reading the file.
  const parser = pipeline(
    Readable.from(decoded(path)),
    parse({
      delimiter,
      columns: true,
      bom: true,
      relax_quotes: true,
      relax_column_count: true,
      skip_empty_lines: true,
      max_record_size: longestRow,
    }),
    () => undefined,
  )
  let number = 0
  try {
    for await (const value of parser) yield {number: (number += 1), value: value as unknown}
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    if (error.code === 'CSV_QUOTE_NOT_CLOSED')
      throw new FileFault('file-cut-short', `is cut short: a quote in row ${number + 1} is never closed`, fetchAgain)
    throw new FileFault('file-damaged', `is not a table after row ${number}: ${error.message}`, fetchAgain, error)
  }
}

async function firstLine(path: string): Promise<string> {
  let head = ''
  for await (const text of decoded(path)) {
    head += text
    if (/[\r\n]/.test(head)) break
  }
  return /^[^\r\n]*/.exec(head)?.[0] ?? ''
}
