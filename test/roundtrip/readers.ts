import {readdir} from 'node:fs/promises'
import {createHash} from 'node:crypto'
import {createRequire} from 'node:module'
import {join} from 'node:path'
import {asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects} from 'hyparquet'
import {compressors} from 'hyparquet-compressors'

// `npx tsx test/roundtrip/readers.ts <data set folder>`: of each Parquet file, what hyparquet reads of every column, as
// SHA-256 over rows of JSON, for readers.py to compare with. Files in snappy are read by parquetjs-lite as well, which
// leaves nulls and empty lists out: it has to find the same besides those.
const folder = join(process.argv[2] ?? '', 'data')

interface LiteReader {
  openFile(path: string): Promise<{getCursor(): {next(): Promise<unknown>}; close(): Promise<void>}>
}

async function rowsOfLite(path: string): Promise<unknown[]> {
  // The package ships no types.
  const {ParquetReader} = createRequire(import.meta.url)('parquetjs-lite') as {ParquetReader: LiteReader}
  const reader = await ParquetReader.openFile(path)
  const cursor = reader.getCursor()
  const rows: unknown[] = []
  for (let row = await cursor.next(); row; row = await cursor.next()) rows.push(row)
  await reader.close()
  return rows
}

/** Keys in order, numbers as the eight bytes of a double: what JSON writers of two languages agree on. */
function canonical(value: unknown): unknown {
  if (typeof value === 'number' || typeof value === 'bigint') {
    const bytes = Buffer.alloc(8)
    bytes.writeDoubleBE(Number(value))
    return `#${bytes.toString('hex')}`
  }
  if (Array.isArray(value)) return value.map(canonical)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([name, inner]) => [name, canonical(inner)]))
}

/** What both have: lists without their inner levels, nothing that is absent. */
function present(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(present)
  if ('list' in value && Array.isArray(value.list))
    return value.list.map((item: {element: unknown}) => present(item.element))
  const inner = Object.entries(value).map(([name, one]) => [name, present(one)] as const)
  return Object.fromEntries(inner.filter(([, one]) => one !== null && one !== undefined && !isNothing(one)))
}

const isNothing = (value: unknown) => typeof value === 'object' && value !== null && Object.keys(value).length === 0

const digestOf = (rows: readonly unknown[]) => {
  const digest = createHash('sha256')
  for (const row of rows) digest.update(`${JSON.stringify(canonical(row))}\n`)
  return digest.digest('hex')
}

const found: Record<string, {rows: number; sha256: string; codec: string; lite?: boolean}> = {}
for (const path of (await readdir(folder, {recursive: true})).filter((one) => one.endsWith('.parquet')).sort()) {
  const file = await asyncBufferFromFile(join(folder, path))
  const codec = (await parquetMetadataAsync(file)).row_groups[0]?.columns[0]?.meta_data?.codec ?? ''
  const rows = await parquetReadObjects({file, compressors})
  const lite = codec === 'SNAPPY' ? await rowsOfLite(join(folder, path)) : undefined
  const agrees = lite && digestOf(lite.map(present)) === digestOf(rows.map(present))
  found[path] = {rows: rows.length, sha256: digestOf(rows), codec, ...(lite && {lite: agrees === true})}
}
console.log(JSON.stringify(found, null, 2))
