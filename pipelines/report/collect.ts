import {combined, kindTally, readStats, type ConfigStats} from '../../datasets/card/stats.ts'
import type {LabelledCandidate} from '../../datasets/schema/candidate.ts'
import type {Config} from '../../datasets/schema/export.ts'
import {labels} from '../../datasets/schema/label.ts'
import type {Artifact} from '../../datasets/schema/sample.ts'
import type {ExecutorIdentity} from '../../datasets/schema/verdict.ts'
import type {ReportConfig, ReportInput, Tally, ErrorExample, FailureGroup, ReportErrors} from './input.ts'
import {errorClasses} from '../../datasets/schema/error-class.ts'
import {classifyCandidate} from '../../eval/taxonomy.ts'
import {errorEntry} from '../correction/error-entries.ts'
import {api} from '../workspace/held-out.ts'

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

/** How many kinds of failure are shown per class and rule, most frequent first. */
const kindsOfAClass = 4

/** Counts failures as candidates are streamed; memory grows with the number of different ones. */
export class ErrorTally {
  readonly #names = new Set(api)
  readonly #groups = new Map<string, FailureGroup>()
  readonly #kinds = new Map<string, ErrorExample>()

  add(candidate: LabelledCandidate): void {
    const failure = classifyCandidate(candidate)
    if (!failure) return
    const author = candidate.sampler.kind === 'model' ? candidate.sampler.model : candidate.sampler.kind
    const group = this.#groups.get(author) ?? {run: 'candidates', author, failures: []}
    this.#groups.set(author, group)
    const counted = group.failures.find((one) => one.class === failure.class && one.rule === failure.rule)
    if (counted) counted.count += 1
    else group.failures.push({...failure, count: 1})
    this.#addKind(candidate, failure, author)
  }

  #addKind(candidate: LabelledCandidate, failure: Pick<ErrorExample, 'class' | 'rule'>, author: string): void {
    const {signature, api, error, task, outcome} = errorEntry(candidate, failure, this.#names)
    const key = JSON.stringify([failure.class, failure.rule, signature, api])
    const known = this.#kinds.get(key)
    if (known) known.count += 1
    else this.#kinds.set(key, {...failure, signature, api, count: 1, outcome, task, author, error})
  }

  /** The counts, including the failures that evaluations counted themselves. */
  result(scores: ReportInput['scores']): ReportErrors | undefined {
    const groups = [...this.#groups.values(), ...scores.flatMap(groupsOf)]
    if (groups.length === 0) return undefined
    return {groups, examples: mostFrequent([...this.#kinds.values()])}
  }
}

/** The failures of an evaluation, by model. */
function groupsOf({run, lines}: ReportInput['scores'][number]): FailureGroup[] {
  const groups = new Map<string, FailureGroup>()
  for (const line of lines) {
    if (line.kind !== 'failures' || line.scope.by !== 'all') continue
    const group = groups.get(line.author) ?? {run, author: line.author, failures: []}
    groups.set(line.author, group)
    group.failures.push({class: line.class, rule: line.rule, count: line.count})
  }
  return [...groups.values()]
}

function mostFrequent(kinds: readonly ErrorExample[]): ErrorExample[] {
  const rank = (kind: ErrorExample) => errorClasses.indexOf(kind.class)
  const order = (a: ErrorExample, b: ErrorExample) =>
    rank(a) - rank(b) || b.count - a.count || (textOf(a) < textOf(b) ? -1 : 1)
  const seen = new Map<string, number>()
  return [...kinds].sort(order).filter((kind) => {
    const before = seen.get(groupKey(kind)) ?? 0
    seen.set(groupKey(kind), before + 1)
    return before < kindsOfAClass
  })
}

const groupKey = (kind: ErrorExample) => `${kind.class} ${kind.rule}`
const textOf = ({rule, signature, api}: ErrorExample) => JSON.stringify([rule, signature, api])
