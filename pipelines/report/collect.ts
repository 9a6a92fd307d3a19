import {join} from 'node:path'
import {asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects} from 'hyparquet'
import {compressors} from 'hyparquet-compressors'
import type {LabelledCandidate} from '../../datasets/schema/candidate.ts'
import {labels} from '../../datasets/schema/label.ts'
import type {Config} from '../../datasets/schema/export.ts'
import type {Artifact} from '../../datasets/schema/sample.ts'
import type {ExecutorIdentity} from '../../datasets/schema/verdict.ts'
import {kindTally, readStats, type ConfigStats} from '../../datasets/card/stats.ts'
import type {ReportConfig, ReportInput, ReportRun, ReportSample, Tally} from './input.ts'
import {configOf, isShown, readSample, type Place} from './read-sample.ts'
import {ErrorTally} from './tally-errors.ts'

interface ReportSources {
  title: string
  runs: readonly ReportRun[]
  /** Root of the data set, and the Parquet artifacts below it. */
  directory: string
  artifacts: readonly Artifact[]
  /** All labelled candidates, streamed from the run that labelled them. */
  candidates?: AsyncIterable<LabelledCandidate>
  /** Score lines of the evaluations among the runs. */
  scores?: ReportInput['scores']
  /** Training jobs of the folder. */
  jobs?: ReportInput['jobs']
  /** SHA-256 of the data set's manifest. */
  manifest?: string | null
  paths: readonly {what: string; path: string}[]
  /** Samples of each kind, and pairs of each combination of labels. Default 1: the viewer shows all. */
  samplesOfAKind?: number
}

/**
 * Reads the report's data: numbers and samples from the Parquet files themselves, labels from all candidates.
 * @throws PipelineError `input-invalid` when a file is not what its artifact says
 */
export async function collectReport({
  title,
  runs,
  directory,
  artifacts,
  candidates,
  scores = [],
  jobs = [],
  manifest = null,
  paths,
  samplesOfAKind = 1,
}: ReportSources): Promise<ReportInput> {
  const executors = new Map<string, ExecutorIdentity>()
  const tally = new ErrorTally()
  const judged = candidates && (await tallyCandidates(candidates, executors, tally))
  const errors = tally.result(scores)
  const stats = await readStats(directory, artifacts)
  const samples: ReportSample[] = []
  for (const place of await choose(directory, artifacts, samplesOfAKind))
    samples.push(await readSample(directory, place, executors))
  return {
    title,
    runs: [...runs],
    configs: stats.map(configPart),
    ...(judged && judged.total > 0 ? {candidates: judged} : {}),
    ...(errors ? {errors} : {}),
    executors: [...executors.values()],
    scores,
    jobs: [...jobs],
    manifest,
    samples,
    paths: [...paths],
  }
}

async function tallyCandidates(
  candidates: AsyncIterable<LabelledCandidate>,
  executors: Map<string, ExecutorIdentity>,
  errors: ErrorTally,
): Promise<NonNullable<ReportInput['candidates']>> {
  const counts = new Map<string, number>(labels.map((label) => [label, 0]))
  const outcomes = new Map<string, number>()
  const samplers = new Map<string, number>()
  const judges = new Map<string, number>()
  let total = 0
  for await (const candidate of candidates) {
    const {label, verdict, sampler, confirmation} = candidate
    errors.add(candidate)
    total += 1
    add(counts, label)
    add(outcomes, verdict.outcome)
    add(samplers, sampler.kind)
    const {first, second = verdict} = confirmation ?? {}
    for (const {executor} of first ? [first, second] : [second]) executors.set(executor.fingerprint, executor)
    const asked = first ? `${first.executor.name}, then ${second.executor.name}` : verdict.executor.name
    add(judges, `${asked}: ${label}`)
  }
  return {
    total,
    labels: [...counts],
    outcomes: byCount(outcomes),
    samplers: byCount(samplers),
    executors: byCount(judges),
  }
}

function add(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

const byCount = (counts: ReadonlyMap<string, number>): Tally =>
  [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))

/** Counts of who wrote the rows of a configuration, and who judged them. */
const people: {readonly [C in Config]: {teachers: string; executors: string}} = {
  sft: {teachers: 'teacher', executors: 'executor+compiler+soc+executor_fingerprint'},
  dpo: {teachers: 'rejected_sampler', executors: 'chosen_executor+chosen_executor_fingerprint'},
  apis: {teachers: '', executors: ''},
  errors: {teachers: 'sampler', executors: 'executor+compiler+soc+executor_fingerprint'},
  kto: {teachers: 'sampler', executors: 'executor+compiler+soc+executor_fingerprint'},
  optimisation: {teachers: '', executors: 'chosen_executor+chosen_executor_fingerprint'},
}

function configPart({config, splits, tallies}: ConfigStats): ReportConfig {
  const tally = (key: string): Tally => tallies[key] ?? []
  return {
    config,
    splits: splits.map(({split, rows, files, bytes}) => ({split, rows, files, bytes})),
    kinds: tally(kindTally[config]),
    teachers: tally(people[config].teachers),
    licences: tally('licence'),
    executors: tally(people[config].executors),
  }
}

/** The rows with the smallest ids of each kind: ids are hashes, so this is a random sample, and the same every time. */
async function choose(directory: string, artifacts: readonly Artifact[], each: number): Promise<Place[]> {
  const chosen = new Map<string, Place[]>()
  for (const artifact of artifacts.filter(isShown)) {
    const file = await asyncBufferFromFile(join(directory, artifact.path))
    const metadata = await parquetMetadataAsync(file)
    const columns = ['id', ...kindTally[configOf(artifact)].split('+')]
    let rowStart = 0
    for (const group of metadata.row_groups) {
      const rowEnd = rowStart + Number(group.num_rows)
      const rows = await parquetReadObjects({file, metadata, compressors, columns, rowStart, rowEnd})
      for (const [index, {id, ...kind}] of rows.entries()) {
        const key = `${artifact.config} ${Object.values(kind).join(' ')}`
        const places = [...(chosen.get(key) ?? []), {artifact, row: rowStart + index, id: String(id)}]
        chosen.set(key, places.sort((a, b) => (a.id < b.id ? -1 : 1)).slice(0, each))
      }
      rowStart = rowEnd
    }
  }
  return [...chosen].sort(([a], [b]) => (a > b ? -1 : 1)).flatMap(([, places]) => places)
}
