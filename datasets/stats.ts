import {join} from 'node:path'
import {asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects, type FileMetaData} from 'hyparquet'
import {compressors} from 'hyparquet-compressors'
import {PipelineError} from '../engine/errors.ts'
import {configs, type Config, type Split} from './schema/export.ts'
import type {Artifact} from './schema/sample.ts'

interface SplitStats {
  split: Split
  rows: number
  files: number
  /** On disk. */
  bytes: number
  /** Before compression, as the footers state it. */
  uncompressedBytes: number
}

interface TokenStats {
  total: number
  median: number
  p90: number
  max: number
}

/** What the files of one configuration hold, read back from the files. */
export interface ConfigStats {
  config: Config
  splits: SplitStats[]
  /** Rows by value of a column, most frequent first; rows without a value do not count. */
  tallies: Record<string, [value: string, rows: number][]>
  tokens: TokenStats
}

/** Columns that are counted; a name with `+` counts the combinations of several columns. */
const counted: {readonly [C in Config]: readonly string[]} = {
  sft: [
    'kind',
    'language',
    'teacher',
    'kind+teacher+model',
    'licence',
    'licence+repository+revision',
    'outcome',
    'executor+compiler+soc+executor_fingerprint',
  ],
  dpo: [
    'strategy',
    'chosen_label+rejected_label',
    'chosen_label',
    'rejected_label',
    'chosen_sampler',
    'rejected_sampler',
    'rejected_outcome',
    'chosen_label+chosen_outcome',
    'rejected_label+rejected_outcome',
    'licence',
    'licence+repository+revision',
    'chosen_executor+chosen_executor_fingerprint',
    'rejected_executor+rejected_executor_fingerprint',
    'task',
  ],
  apis: ['kind', 'language', 'product', 'licence', 'licence+repository+revision', 'kind+licence'],
  errors: [
    'class',
    'label',
    'sampler',
    'outcome',
    'rule',
    'task',
    'licence',
    'licence+repository+revision',
    'executor+compiler+soc+executor_fingerprint',
  ],
}

const tokenColumns: {readonly [C in Config]: readonly string[]} = {
  sft: ['tokens'],
  dpo: ['chosen_tokens', 'rejected_tokens'],
  apis: [],
  errors: [],
}

/** The count that tells the rows of a configuration apart, where a table has one line for each. */
export const kindTally: {readonly [C in Config]: string} = {
  sft: 'kind',
  dpo: 'chosen_label+rejected_label',
  apis: 'kind',
  errors: 'class',
}

export const combined = ' · '

/**
 * Reads the short columns of all Parquet artifacts, a row group at a time.
 * @throws PipelineError `input-invalid` when a file does not hold what its artifact says
 */
export async function readStats(directory: string, artifacts: readonly Artifact[]): Promise<ConfigStats[]> {
  const stats: ConfigStats[] = []
  for (const config of configs) {
    const files = artifacts.filter((artifact) => artifact.kind === 'parquet' && artifact.config === config)
    if (files.length > 0) stats.push(await readConfig(directory, config, files))
  }
  return stats
}

async function readConfig(directory: string, config: Config, artifacts: readonly Artifact[]): Promise<ConfigStats> {
  const tallies = new Map(counted[config].map((key) => [key, new Map<string, number>()]))
  const tokens = new Map<number, number>()
  const splits = new Map<Split, SplitStats>()
  const wanted = [...new Set([...counted[config].flatMap((key) => key.split('+')), ...tokenColumns[config]])]
  for (const artifact of artifacts) {
    const file = await asyncBufferFromFile(join(directory, artifact.path)).catch((cause: unknown) => {
      throw unreadable(artifact, 'cannot be opened', cause)
    })
    const metadata = await parquetMetadataAsync(file).catch((cause: unknown) => {
      throw unreadable(artifact, 'is not a Parquet file', cause)
    })
    if (Number(metadata.num_rows) !== artifact.rows || file.byteLength !== artifact.bytes) {
      throw unreadable(
        artifact,
        `holds ${metadata.num_rows} rows in ${file.byteLength} bytes, expected ${artifact.rows} in ${artifact.bytes}`,
      )
    }
    addSplit(splits, artifact, metadata)
    let rowStart = 0
    for (const group of metadata.row_groups) {
      const rowEnd = rowStart + Number(group.num_rows)
      const rows = await parquetReadObjects({file, metadata, compressors, columns: wanted, rowStart, rowEnd})
      for (const row of rows) addRow(row, tallies, tokens, tokenColumns[config])
      rowStart = rowEnd
    }
  }
  return {
    config,
    splits: [...splits.values()],
    tallies: Object.fromEntries(
      [...tallies].map(([key, tally]) => [key, [...tally].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))]),
    ),
    tokens: summary(tokens),
  }
}

function addSplit(splits: Map<Split, SplitStats>, artifact: Artifact, metadata: FileMetaData): void {
  const split = artifact.split === 'test' ? 'test' : 'train'
  const stats = splits.get(split) ?? {split, rows: 0, files: 0, bytes: 0, uncompressedBytes: 0}
  splits.set(split, stats)
  stats.rows += artifact.rows
  stats.files += 1
  stats.bytes += artifact.bytes
  stats.uncompressedBytes += metadata.row_groups.reduce((sum, group) => sum + Number(group.total_byte_size), 0)
}

function addRow(
  row: Record<string, unknown>,
  tallies: ReadonlyMap<string, Map<string, number>>,
  tokens: Map<number, number>,
  tokenNames: readonly string[],
): void {
  for (const [key, tally] of tallies) {
    const values = key
      .split('+')
      .map((name) => row[name])
      .filter((value) => value !== null && value !== undefined)
    if (values.length === 0) continue
    const value = values.join(combined)
    tally.set(value, (tally.get(value) ?? 0) + 1)
  }
  for (const name of tokenNames) {
    const count = Number(row[name])
    tokens.set(count, (tokens.get(count) ?? 0) + 1)
  }
}

/** Exact, from a histogram: at most as many entries as there are different lengths. */
function summary(histogram: ReadonlyMap<number, number>): TokenStats {
  const sorted = [...histogram].sort(([a], [b]) => a - b)
  const rows = sorted.reduce((sum, [, count]) => sum + count, 0)
  const at = (share: number) => {
    let seen = 0
    for (const [length, count] of sorted) {
      seen += count
      if (seen >= share * rows) return length
    }
    return 0
  }
  return {
    total: sorted.reduce((sum, [length, count]) => sum + length * count, 0),
    median: at(0.5),
    p90: at(0.9),
    max: sorted.at(-1)?.[0] ?? 0,
  }
}

function unreadable(artifact: Artifact, what: string, cause?: unknown): PipelineError {
  return new PipelineError('input-invalid', `${artifact.path} ${what}.`, {
    fix: 'Run the release recipe again; the data set folder was changed after the export.',
    scope: 'run',
    cause,
    evidence: {path: artifact.path},
  })
}
