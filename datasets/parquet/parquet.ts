import assert from 'node:assert/strict'
import {readdir, rm} from 'node:fs/promises'
import {join} from 'node:path'
import {z} from 'zod'
import {asOutputError} from '../../engine/files.ts'
import {isSystemError} from '../../engine/errors.ts'
import type {Context, Stage} from '../../engine/stage.ts'
import {storable} from './column-types.ts'
import {cells, columns} from './columns.ts'
import {createParquetFile, type Codec, type ParquetFile} from './parquet-file.ts'
import {SplitRow, type Config, type Split} from '../schema/export.ts'
import {Artifact} from '../schema/sample.ts'
import {qwen3, type ChatFormat} from '../tokens/chat-format.ts'

export interface ParquetOptions {
  config: Config
  /** Root of the data set; files go to `data/<config>/` below it. */
  directory: string
  /** How tokens of conversations are counted. Default Qwen3's template, with o200k_base. */
  format?: ChatFormat
  /** Default zstd; snappy for readers that know nothing newer. */
  codec?: Codec
  /** A split continues in a new file once its file has this many bytes. Default 500 MB, the Hub's usual shard. */
  maxShardBytes?: number
  /** Default 32 MB before encoding: below the Hub viewer's limit of 100 MB; also bounds our memory. */
  rowGroupBytes?: number
  /** Default 50,000. */
  rowGroupRows?: number
}

interface OpenSplit {
  current: ParquetFile | undefined
  finished: {file: ParquetFile; bytes: number; sha256: string; rows: number}[]
}

const defaults = {
  format: qwen3,
  codec: 'zstd',
  maxShardBytes: 500_000_000,
  rowGroupBytes: 32_000_000,
  rowGroupRows: 50_000,
} as const

/**
 * Writes rows to `data/<config>/<split>-00000-of-000NN.parquet`, in input order. Nothing is inferred: types come from
 * the column table. Rows that a writer would have to alter are dropped as `unstorable-value`. Files appear under their
 * names only after the last row, replacing files of an earlier export of the same configuration.
 */
export default function parquet(options: ParquetOptions): Stage<SplitRow, Artifact> {
  const {config, directory, format, codec, maxShardBytes, rowGroupBytes, rowGroupRows} = {...defaults, ...options}
  const fileColumns = columns[config]
  const guard = z.strictObject(Object.fromEntries(fileColumns.map(({name, type}) => [name, storable(type)])))
  const folder = join(directory, 'data', config)

  async function closeShard(split: OpenSplit): Promise<void> {
    if (!split.current) return
    const file = split.current
    split.finished.push({file, ...(await file.finish())})
    split.current = undefined
  }

  async function add(row: SplitRow, splits: Map<Split, OpenSplit>, context: Context): Promise<void> {
    assert.equal(row.config, config, `parquet stage of "${config}" was given a row of "${row.config}"`)
    const parsed = guard.safeParse(cells(row, format))
    if (!parsed.success) {
      const detail = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ')
      context.drop(row, 'unstorable-value', detail)
      return
    }
    const split = splits.get(row.split) ?? {current: undefined, finished: []}
    splits.set(row.split, split)
    split.current ??= await createParquetFile(join(folder, `${row.split}.parquet`), fileColumns, {
      codec,
      rowGroupBytes,
      rowGroupRows,
    })
    await split.current.write(parsed.data, row.id)
    if (split.current.bytes() >= maxShardBytes) await closeShard(split)
  }

  async function* run(rows: AsyncIterable<SplitRow>, context: Context): AsyncIterable<Artifact> {
    const splits = new Map<Split, OpenSplit>()
    await removeTemporaries(folder)
    try {
      for await (const row of rows) await add(row, splits, context)
      for (const split of splits.values()) await closeShard(split)
      const artifacts = await publish(splits, config, directory)
      await removeOthers(folder, artifacts)
      yield* artifacts
    } finally {
      for (const split of splits.values()) {
        for (const file of [split.current, ...split.finished.map((shard) => shard.file)]) await file?.discard()
      }
    }
  }

  const shaping = {config, directory, format: format.fingerprint, codec, maxShardBytes, rowGroupBytes, rowGroupRows}
  return {name: 'parquet', version: 4, options: shaping, input: SplitRow, output: Artifact, run}
}

/** Train before test, whichever came first. */
async function publish(splits: ReadonlyMap<Split, OpenSplit>, config: Config, directory: string): Promise<Artifact[]> {
  const artifacts: Artifact[] = []
  for (const split of ['train', 'test'] as const) {
    const shards = splits.get(split)?.finished ?? []
    for (const [index, {file, bytes, sha256, rows}] of shards.entries()) {
      const path = `data/${config}/${split}-${number(index)}-of-${number(shards.length)}.parquet`
      await file.publish(join(directory, path))
      artifacts.push({kind: 'parquet', path, rows, bytes, sha256, config, split})
    }
  }
  return artifacts
}

const number = (value: number) => String(value).padStart(5, '0')

/** Left by a killed run; the run lock guarantees that no other process is writing them. */
async function removeTemporaries(folder: string): Promise<void> {
  for (const name of await names(folder)) {
    if (/^\.\w+\.parquet\.[0-9a-f]+\.tmp$/.test(name)) await rm(join(folder, name), {force: true})
  }
}

/** Otherwise an export with fewer shards would leave files that `load_dataset` reads as part of the split. */
async function removeOthers(folder: string, artifacts: readonly Artifact[]): Promise<void> {
  const keep = new Set(artifacts.map((artifact) => artifact.path.split('/').at(-1)))
  for (const name of await names(folder)) {
    if (/^(train|test)-\d{5}-of-\d{5}\.parquet$/.test(name) && !keep.has(name)) await rm(join(folder, name))
  }
}

async function names(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: unknown) => {
    if (isSystemError(error, 'ENOENT')) return []
    throw asOutputError(error, folder)
  })
}
