import {join} from 'node:path'
import {asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects} from 'hyparquet'
import {compressors} from 'hyparquet-compressors'
import type {ColumnType} from './column-types.ts'
import {columns} from './columns.ts'
import type {Config} from '../schema/export.ts'
import type {Artifact} from '../schema/sample.ts'

/** Bytes of the rows of `<config>/<split>` once they are loaded. */
export type LoadedBytes = ReadonlyMap<string, number>

/** What `datasets` will count for every split of the Parquet files below a data set's root. */
export async function loadedBytes(directory: string, artifacts: readonly Artifact[]): Promise<LoadedBytes> {
  const sums = new Map<string, number>()
  for (const {kind, path, config, split} of artifacts) {
    if (kind !== 'parquet') continue
    const key = `${config}/${split}`
    sums.set(key, (sums.get(key) ?? 0) + (await arrowBytes(join(directory, path), columns[config as Config])))
  }
  return sums
}

/**
 * Bytes of a file's rows in Arrow memory: what `datasets` counts as `num_bytes` when it loads the file. It reads
 * batches of as many rows as the first row group has, never across row groups, and adds up their `nbytes`.
 */
async function arrowBytes(path: string, columns: readonly {name: string; type: ColumnType}[]): Promise<number> {
  const file = await asyncBufferFromFile(path)
  const metadata = await parquetMetadataAsync(file)
  const batch = Number(metadata.row_groups[0]?.num_rows ?? 0)
  let bytes = 0
  let rowStart = 0
  for (const {num_rows} of metadata.row_groups) {
    const rows = Number(num_rows)
    const cuts = cutsOf(rows, batch)
    // One column at a time, so that no whole row group need be in memory.
    for (const {name, type} of columns) {
      const range = {columns: [name], rowStart, rowEnd: rowStart + rows}
      const cells = await parquetReadObjects({file, metadata, compressors, ...range})
      bytes += columnBytes(
        type,
        cells.map((cell) => cell[name]),
        cuts,
      )
    }
    rowStart += rows
  }
  return bytes
}

/** 0, the start of each further batch, and the end. */
function cutsOf(rows: number, batch: number): number[] {
  const cuts = [0]
  while ((cuts.at(-1) as number) < rows) cuts.push(Math.min(rows, (cuts.at(-1) as number) + batch))
  return cuts
}

const widths = {int32: 4, float64: 8}

/**
 * `nbytes` of an array that was read whole and is cut into slices at `cuts`. pyarrow counts four bytes of offset per
 * value (without the format's extra one), a validity bit only if the array contains a null (always for numbers, as its
 * Parquet reader creates them with one), and for bits every byte that a slice touches.
 */
export function columnBytes(type: ColumnType, values: readonly unknown[], cuts: readonly number[]): number {
  const bits = bitmapBytes(cuts)
  const validity = values.some((value) => value === null || value === undefined) ? bits : 0
  if (type === 'string') return validity + 4 * values.length + textBytes(values)
  if (type === 'bool') return validity + bits
  if (typeof type === 'string') return bits + widths[type] * values.length
  if ('list' in type) {
    const {inner, ends} = flattened(values as (unknown[] | null)[])
    const innerCuts = cuts.map((cut) => ends[cut] as number)
    return validity + 4 * values.length + columnBytes(type.list, inner, innerCuts)
  }
  const fields = values as (Record<string, unknown> | null)[]
  return Object.entries(type.struct).reduce(
    (sum, [field, inner]) =>
      sum +
      columnBytes(
        inner,
        fields.map((value) => value?.[field]),
        cuts,
      ),
    validity,
  )
}

function bitmapBytes(cuts: readonly number[]): number {
  let bytes = 0
  for (let index = 1; index < cuts.length; index += 1)
    bytes += Math.ceil((cuts[index] as number) / 8) - Math.floor((cuts[index - 1] as number) / 8)
  return bytes
}

function textBytes(values: readonly unknown[]): number {
  let bytes = 0
  for (const value of values) if (typeof value === 'string') bytes += Buffer.byteLength(value)
  return bytes
}

function flattened(lists: readonly (readonly unknown[] | null)[]): {inner: unknown[]; ends: number[]} {
  const inner: unknown[] = []
  const ends = [0]
  for (const list of lists) {
    for (const value of list ?? []) inner.push(value)
    ends.push(inner.length)
  }
  return {inner, ends}
}
