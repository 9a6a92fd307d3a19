import {rm} from 'node:fs/promises'
import {join} from 'node:path'
import type {DataType, Field, Table, Vector} from 'apache-arrow'
import type {Stage} from '../../engine/stage.ts'
import {openHashedFile} from '../hashed-file.ts'
import {hubFeature, type ColumnType} from '../parquet/column-types.ts'
import {columns} from '../parquet/columns.ts'
import {parquetRows} from '../parquet/parquet-rows.ts'
import {configs, Split, type Config} from '../schema/export.ts'
import {Artifact} from '../schema/sample.ts'

interface ArrowOptions {
  /** Root of the data set; files go to `views/arrow/` below it. */
  directory: string
  /** If false, files of an earlier export are removed. */
  wanted: boolean
}

/** Rows of one record batch. */
const batchRows = 500

/**
 * Writes the data also as Arrow files (Feather, version 2), for tools that map them into memory: the columns of the
 * Parquet files, from which rows are read back, with the features that `datasets` restores. One batch is in memory at a
 * time. Passes the artifacts through.
 */
export default function arrowFiles({directory, wanted}: ArrowOptions): Stage<Artifact, Artifact> {
  async function* run(artifacts: AsyncIterable<Artifact>): AsyncIterable<Artifact> {
    const data: Artifact[] = []
    for await (const artifact of artifacts) {
      data.push(artifact)
      yield artifact
    }
    await rm(join(directory, 'views/arrow'), {recursive: true, force: true})
    if (!wanted) return
    for (const config of configs) {
      for (const split of Split.options) {
        const own = data.filter((one) => one.kind === 'parquet' && one.config === config && one.split === split)
        if (own.length === 0) continue
        const path = `views/arrow/${config}-${split}.arrow`
        const written = await writeArrow(join(directory, path), config, rowsOf(directory, own, config))
        yield {kind: 'view', path, config, split, ...written}
      }
    }
  }

  return {name: 'arrow-files', version: 1, options: {directory, wanted}, input: Artifact, output: Artifact, run}
}

type Row = Readonly<Record<string, unknown>>

async function* rowsOf(directory: string, files: readonly Artifact[], config: Config): AsyncIterable<Row> {
  const names = columns[config].map(({name}) => name)
  for (const {path} of files) yield* parquetRows(join(directory, path), names)
}

async function writeArrow(
  path: string,
  config: Config,
  rows: AsyncIterable<Row>,
): Promise<{rows: number; bytes: number; sha256: string}> {
  const arrow = await import('apache-arrow')
  const writer = new arrow.RecordBatchFileWriter()
  const file = await openHashedFile(path)
  let count = 0

  async function write(): Promise<void> {
    for await (const batch of batched(rows)) {
      count += batch.length
      for (const one of tableOf(arrow, config, batch).batches) writer.write(one)
    }
    if (count === 0) writer.write(tableOf(arrow, config, []))
    writer.finish()
    writer.close()
  }

  async function drain(): Promise<void> {
    for await (const chunk of writer) await file.append(chunk)
  }

  try {
    await Promise.all([drain(), write()])
    const sha256 = await file.end()
    await file.publish(path)
    return {rows: count, bytes: file.bytes(), sha256}
  } finally {
    await file.discard()
  }
}

async function* batched(rows: AsyncIterable<Row>): AsyncIterable<Row[]> {
  let batch: Row[] = []
  for await (const row of rows) {
    batch.push(row)
    if (batch.length < batchRows) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

type Arrow = typeof import('apache-arrow')

function tableOf(arrow: Arrow, config: Config, rows: readonly Row[]): Table {
  const own = columns[config]
  const fields = own.map(({name, type}) => fieldOf(arrow, name, type))
  const features = Object.fromEntries(own.map(({name, type}) => [name, hubFeature(type)]))
  const schema = new arrow.Schema(fields, new Map([['huggingface', JSON.stringify({info: {features}})]]))
  const vectors = fields.map((field): [string, Vector] => [
    field.name,
    arrow.vectorFromArray(
      rows.map((row) => row[field.name] ?? null),
      field.type,
    ),
  ])
  return new arrow.Table(schema, Object.fromEntries(vectors))
}

const fieldOf = (arrow: Arrow, name: string, type: ColumnType): Field =>
  new arrow.Field(name, arrowType(arrow, type), true)

function arrowType(arrow: Arrow, type: ColumnType): DataType {
  if (type === 'string') return new arrow.Utf8()
  if (type === 'int32') return new arrow.Int32()
  if (type === 'float64') return new arrow.Float64()
  if (type === 'bool') return new arrow.Bool()
  if ('list' in type) return new arrow.List(fieldOf(arrow, 'item', type.list))
  return new arrow.Struct(Object.entries(type.struct).map(([name, inner]) => fieldOf(arrow, name, inner)))
}
