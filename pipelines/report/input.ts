import type {Config, Split} from '../../datasets/schema/export.ts'
import type {ErrorClass} from '../../datasets/schema/error-class.ts'
import type {FirstError} from '../../datasets/schema/error-cluster.ts'
import type {JobRecord, Progress} from '../../datasets/schema/job.ts'
import type {Score} from '../../datasets/schema/score.ts'
import type {ExecutorIdentity} from '../../datasets/schema/verdict.ts'
import type {TaskType} from '../../eval/scores/table.ts'

/** A count by name, in the order in which it is shown. */
export type Tally = readonly (readonly [name: string, count: number])[]

export interface ReportConfig {
  config: Config
  splits: readonly {split: Split; rows: number; files: number; bytes: number}[]
  /** Rows by kind, for dpo by the labels of both sides. */
  kinds: Tally
  teachers: Tally
  licences: Tally
}

export interface FailureGroup {
  /** The run that judged them. */
  run: string
  /** A model's name, or another author. */
  author: string
  failures: {class: ErrorClass; rule: string; count: number}[]
}

/** One kind of failure, shown by its first candidate. */
export interface ErrorExample {
  class: ErrorClass
  rule: string
  signature: string
  api: string
  count: number
  outcome: string
  task: string
  author: string
  error: FirstError
}

export interface ReportErrors {
  groups: readonly FailureGroup[]
  examples: readonly ErrorExample[]
}

/** A training job with everything that it reported. */
export interface ReportJob {
  record: JobRecord
  progress: readonly Progress[]
  /** Runs that scored its model. */
  scores: readonly string[]
  /** What its data set was made from; [] if the data set has changed since. */
  sources: readonly {repository: string; revision: string; licence: string; rows: number}[]
}

/** What the runs of a folder made, in numbers. */
export interface ReportInput {
  configs: readonly ReportConfig[]
  /** Every judged candidate, paired or not; absent when no candidates were made. `executors`: by executor and label. */
  candidates?: {total: number; labels: Tally; outcomes: Tally; samplers: Tally; executors: Tally}
  /** Absent when nothing failed. */
  errors?: ReportErrors
  jobs: readonly ReportJob[]
  /** SHA-256 of the data set's `manifest.json`; null without one. */
  manifest: string | null
  executors: readonly ExecutorIdentity[]
  /** Score lines of every evaluation, by the name of its run, and the task types of its benchmark. */
  scores: readonly {run: string; lines: readonly Score[]; types: readonly TaskType[]}[]
  paths: readonly {what: string; path: string}[]
}
