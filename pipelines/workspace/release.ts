import decontaminate from '../../datasets/contamination/decontaminate.ts'
import dedup from '../../datasets/dedup/dedup.ts'
import dedupDecisions from '../../datasets/dedup/dedup-decisions.ts'
import dedupPairs from '../../datasets/dedup/dedup-pairs.ts'
import dedupSignatures from '../../datasets/dedup/dedup-signatures.ts'
import exportGate from '../../datasets/gates/export-gate.ts'
import licenceGate from '../../datasets/gates/licence-gate.ts'
import markedGate from '../../datasets/gates/marked-gate.ts'
import parquet from '../../datasets/parquet/parquet.ts'
import {recordSchemas, type Config as DataConfig, type RecordOf, type SplitRow} from '../../datasets/schema/export.ts'
import split from '../../datasets/split.ts'
import stamp from '../../datasets/stamp.ts'
import {qwen3, type ChatFormat} from '../../datasets/tokens/chat-format.ts'
import {readChatFormat} from '../../datasets/tokens/read-chat-format.ts'
import {fromRun} from '../../engine/from-run.ts'
import {Pipeline} from '../../engine/pipeline.ts'
import type {FinishedRun} from '../../engine/run.ts'
import type {Stage} from '../../engine/stage.ts'
import {licencesFor, type Config} from './config.ts'
import {heldOut} from './held-out.ts'
import {refusedByReaders} from './mark-file.ts'
import {recipe, type Recipe} from './workspace.ts'

type Export = Config['export']

interface Release<C extends DataConfig> {
  /** Recipes whose records are released, if they ran. */
  reads: readonly string[]
  /** The first stages of the pipeline, if its records are only a part of those runs. */
  records?: (name: string, runs: readonly FinishedRun[]) => Pipeline<RecordOf[C]>
  /** Names in code by which copies are recognised. */
  api?: readonly string[]
  /** Stages that select among the records that passed all gates, in order. */
  chosen?: (config: Export) => readonly Stage<RecordOf[C], RecordOf[C]>[]
  /** Selects among the rows of a split. */
  mixed?: (config: Export) => Stage<SplitRow, SplitRow>
  /** Default: as configured. */
  testFraction?: number
}

/** Configurations without a conversation: their lengths are not counted in tokens. */
const withoutReplies: ReadonlySet<DataConfig> = new Set(['apis', 'errors'])

/**
 * The recipe `release-<name>`: records → no copies, no benchmark data, no forbidden licence, nothing unproven → the
 * Parquet files of that configuration of the data set.
 */
export function release<C extends DataConfig>(name: C, {reads, records = all(name), ...own}: Release<C>): Recipe {
  return recipe({reads}, async ({config, runs, datasetDirectory: directory}) => {
    const {maxTokens, testFraction, codec, refuseMarked, dedupRanges: ranges} = config.export
    const format = withoutReplies.has(name) ? undefined : await chatFormat(config)
    const compared = {config: name, ...(own.api && {api: own.api})}
    const given = records(`release-${name}`, runs)
    const unique =
      ranges === undefined
        ? given.via(dedup(compared))
        : given
            .via(dedupSignatures({...compared, ranges}))
            .via(dedupPairs())
            .via(dedupDecisions({config: name}))
    const proven = unique
      .via(decontaminate({config: name, ...(await heldOut(config, directory))}))
      .via(licenceGate({config: name, allow: licencesFor(config, name)}))
      .via(exportGate({config: name, ...(format && {maxTokens, format})}))
    const stamped = proven.through(own.chosen?.(config.export) ?? []).via(stamp({config: name, runs}))
    // Readers name rows as they are in the data set, which is with their stamp.
    const marked = await refusedByReaders(directory, name, refuseMarked)
    const read = Object.keys(marked).length === 0 ? stamped : stamped.via(markedGate({config: name, marked}))
    const rows = read.via(split({config: name, testFraction: own.testFraction ?? testFraction}))
    return (own.mixed ? rows.via(own.mixed(config.export)) : rows).via(
      parquet({config: name, directory, codec, ...(format && {format})}),
    )
  })
}

const all =
  <C extends DataConfig>(name: C): NonNullable<Release<C>['records']> =>
  (run, runs) =>
    Pipeline.from(run, runs, fromRun(recordSchemas[name]))

/**
 * How the data set's target model reads a conversation.
 * @throws PipelineError `config-invalid` when `export.tokenizer` is not such a model
 */
export async function chatFormat({export: {tokenizer}}: Config): Promise<ChatFormat> {
  return tokenizer === undefined ? qwen3 : readChatFormat(tokenizer)
}
