import {combined, kindTally, readStats, type ConfigStats} from '../../datasets/card/stats.ts'
import type {LabelledCandidate} from '../../datasets/schema/candidate.ts'
import type {Config} from '../../datasets/schema/export.ts'
import {labels} from '../../datasets/schema/label.ts'
import type {Artifact} from '../../datasets/schema/sample.ts'
import type {ExecutorIdentity} from '../../datasets/schema/verdict.ts'
import type {ReportConfig, ReportInput, Tally} from './input.ts'
import {ErrorTally} from './tally-errors.ts'

interface ReportSources extends Pick<ReportInput, 'scores' | 'jobs' | 'manifest' | 'paths'> {
  /** Root of the data set, and the Parquet artifacts below it. */
  directory: string
  artifacts: readonly Artifact[]
  /** All labelled candidates, streamed from the run that labelled them. */
  candidates: AsyncIterable<LabelledCandidate>
}

/**
 * Reads the report's numbers: of rows from the Parquet files themselves, of labels from all candidates.
 * @throws PipelineError `input-invalid` when a file is not what its artifact says
 */
export async function collectReport({directory, artifacts, candidates, ...given}: ReportSources): Promise<ReportInput> {
  const executors = new Map<string, ExecutorIdentity>()
  const tally = new ErrorTally()
  const judged = await tallyCandidates(candidates, executors, tally)
  const errors = tally.result(given.scores)
  const stats = await readStats(directory, artifacts)
  for (const {tallies} of stats) addExecutors(tallies[identities] ?? [], executors)
  return {
    ...given,
    configs: stats.map(configPart),
    ...(judged.total > 0 ? {candidates: judged} : {}),
    ...(errors ? {errors} : {}),
    executors: [...executors.values()],
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

/** Counts of who wrote the rows of a configuration. */
const writers: {readonly [C in Config]: string} = {
  ...{sft: 'teacher', dpo: 'rejected_sampler', apis: '', errors: 'sampler', kto: 'sampler', optimisation: ''},
}

/** Whole identities of who judged rows; those of pairs are among the candidates'. */
const identities = 'executor+compiler+soc+executor_fingerprint'

function addExecutors(tally: Tally, executors: Map<string, ExecutorIdentity>): void {
  for (const [identity] of tally) {
    const [name = '', compiler = '', soc = '', fingerprint = ''] = identity.split(combined)
    if (fingerprint !== '') executors.set(fingerprint, {name, compiler, soc, fingerprint})
  }
}

function configPart({config, splits, tallies}: ConfigStats): ReportConfig {
  const tally = (key: string): Tally => tallies[key] ?? []
  return {
    config,
    splits: splits.map(({split, rows, files, bytes}) => ({split, rows, files, bytes})),
    kinds: tally(kindTally[config]),
    teachers: tally(writers[config]),
    licences: tally('licence'),
  }
}
