import {join} from 'node:path'
import {asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects} from 'hyparquet'
import {compressors} from 'hyparquet-compressors'
import {PipelineError} from '../../engine/errors.ts'
import {configs, type Config, type Split} from '../schema/export.ts'
import type {Artifact} from '../schema/sample.ts'
import {LengthTally, type LengthStats} from '../tokens/token-lengths.ts'

interface SplitStats {
  split: Split
  rows: number
  files: number
  /** On disk. */
  bytes: number
}

/** The content of one configuration's files, read back from them. */
export interface ConfigStats {
  config: Config
  splits: SplitStats[]
  /** Rows by value of a column, most frequent first; rows without a value do not count. */
  tallies: Record<string, [value: string, rows: number][]>
  /** For all replies, then by kind; empty if rows have no replies. */
  lengths: LengthStats[]
}

/** Columns that are counted; a name with `+` counts the combinations of several columns. */
const counted: {readonly [C in Config]: string} = {
  sft: `tokenizer kind language teacher kind+teacher+model side+role+asks+proof contract formula counterfactuals licence
    licence+repository+revision outcome executor+compiler+soc+executor_fingerprint executor+outcome confirmation`,
  dpo: `tokenizer strategy chosen_label+rejected_label chosen_label rejected_label chosen_sampler rejected_sampler
    rejected_outcome chosen_label+chosen_outcome rejected_label+rejected_outcome licence licence+repository+revision
    chosen_executor+chosen_executor_fingerprint rejected_executor+rejected_executor_fingerprint
    chosen_executor+chosen_outcome rejected_executor+rejected_outcome chosen_executor+rejected_executor
    chosen_confirmation rejected_confirmation task`,
  apis: 'kind language product licence licence+repository+revision kind+licence',
  errors: `class label sampler outcome rule task licence licence+repository+revision
    executor+compiler+soc+executor_fingerprint executor+outcome`,
  kto: `tokenizer label colour sampler colour+outcome task licence licence+repository+revision
    executor+compiler+soc+executor_fingerprint executor+outcome confirmation`,
  optimisation: `tokenizer step task licence licence+repository+revision chosen_executor+chosen_executor_fingerprint
    rejected_executor+rejected_executor_fingerprint chosen_executor+chosen_outcome
    rejected_executor+rejected_outcome chosen_executor+rejected_executor`,
}

const tokenColumns: {readonly [C in Config]: readonly string[]} = {
  sft: ['tokens'],
  dpo: ['chosen_tokens', 'rejected_tokens'],
  apis: [],
  errors: [],
  kto: ['tokens'],
  optimisation: ['chosen_tokens', 'rejected_tokens'],
}

/** The count by which a configuration's rows are grouped in tables. */
export const kindTally: {readonly [C in Config]: string} = {
  sft: 'kind',
  dpo: 'chosen_label+rejected_label',
  apis: 'kind',
  errors: 'class',
  kto: 'colour',
  optimisation: 'step',
}

export const combined = ' · '

/**
 * Reads the short columns of all Parquet artifacts, a row group at a time.
 * @throws PipelineError `input-invalid` when a file does not match its artifact
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
  const keys = counted[config].split(/\s+/)
  const tallies = new Map(keys.map((key) => [key, new Map<string, number>()]))
  const lengths = new LengthTally()
  const splits = new Map<Split, SplitStats>()
  const wanted = [...new Set([...keys.flatMap((key) => key.split('+')), ...tokenColumns[config]])]
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
        `has ${metadata.num_rows} rows in ${file.byteLength} bytes, expected ${artifact.rows} in ${artifact.bytes}`,
      )
    }
    const missing = wanted.filter((name) => !metadata.schema.some((column) => column.name === name))
    if (missing.length > 0) throw ofAnotherVersion(artifact, missing)
    addSplit(splits, artifact)
    let rowStart = 0
    for (const group of metadata.row_groups) {
      const rowEnd = rowStart + Number(group.num_rows)
      const rows = await parquetReadObjects({file, metadata, compressors, columns: wanted, rowStart, rowEnd})
      for (const row of rows) {
        addRow(row, tallies)
        const kind = keyOf(row, kindTally[config]) ?? ''
        for (const name of tokenColumns[config]) lengths.add(kind, Number(row[name]))
      }
      rowStart = rowEnd
    }
  }
  return {
    config,
    splits: [...splits.values()],
    tallies: Object.fromEntries(
      [...tallies].map(([key, tally]) => [key, [...tally].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))]),
    ),
    lengths: lengths.result(),
  }
}

function ofAnotherVersion({path}: Artifact, missing: readonly string[]): PipelineError {
  return new PipelineError(
    'input-invalid',
    `${path} has no column ${missing.join(', ')}: an earlier version wrote it.`,
    {
      fix: 'Run the release that wrote it again, then `card`; finished records are not recomputed.',
      evidence: {path, missing: [...missing]},
    },
  )
}

function addSplit(splits: Map<Split, SplitStats>, artifact: Artifact): void {
  const split = artifact.split === 'test' ? 'test' : 'train'
  const stats = splits.get(split) ?? {split, rows: 0, files: 0, bytes: 0}
  splits.set(split, stats)
  stats.rows += artifact.rows
  stats.files += 1
  stats.bytes += artifact.bytes
}

function addRow(row: Record<string, unknown>, tallies: ReadonlyMap<string, Map<string, number>>): void {
  for (const [key, tally] of tallies) {
    const value = keyOf(row, key)
    if (value !== undefined) tally.set(value, (tally.get(value) ?? 0) + 1)
  }
}

/** The values of one column, or of several together; undefined if there are none. */
function keyOf(row: Record<string, unknown>, key: string): string | undefined {
  const values = key
    .split('+')
    .map((name) => row[name])
    .filter((value) => value !== null && value !== undefined)
  return values.length === 0 ? undefined : values.join(combined)
}

function unreadable(artifact: Artifact, what: string, cause?: unknown): PipelineError {
  return new PipelineError('input-invalid', `${artifact.path} ${what}.`, {
    fix: 'Run the release recipe again; the data set folder was changed after the export.',
    cause,
    evidence: {path: artifact.path},
  })
}
