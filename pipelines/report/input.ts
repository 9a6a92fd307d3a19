import {z} from 'zod'
import {JobRecord, Progress} from '../../datasets/schema/job.ts'
import {ErrorClass} from '../../datasets/schema/error-class.ts'
import {FirstError} from '../../datasets/schema/error-cluster.ts'
import {Label} from '../../datasets/schema/label.ts'
import {configs, Split} from '../../datasets/schema/export.ts'
import {Score} from '../../datasets/schema/score.ts'
import {ExecutorIdentity} from '../../datasets/schema/verdict.ts'
import {StageCounts} from '../../engine/progress.ts'

/** A count by name, in the order in which it is shown. */
export const Tally = z.array(z.tuple([z.string(), z.int().nonnegative()]))
export type Tally = z.infer<typeof Tally>

export const ReportRun = z.object({
  recipe: z.string(),
  state: z.enum(['running', 'finished', 'stopped', 'interrupted']),
  startedAt: z.string().optional(),
  endedAt: z.string().optional(),
  counts: z.array(StageCounts),
  error: z.object({message: z.string(), fix: z.string()}).optional(),
})
export type ReportRun = z.infer<typeof ReportRun>

export const ReportConfig = z.strictObject({
  config: z.enum(configs),
  splits: z.array(z.strictObject({split: Split, rows: z.int(), files: z.int(), bytes: z.int()})),
  /** Rows by kind, for dpo by the labels of both sides. */
  kinds: Tally,
  teachers: Tally,
  licences: Tally,
  executors: Tally,
})
export type ReportConfig = z.infer<typeof ReportConfig>

const ReportSide = z.strictObject({
  title: z.string(),
  label: Label.optional(),
  reasoning: z.string(),
  answer: z.string(),
  /** Outcome and executor in one line; '' for prose. */
  verdict: z.string(),
  /** Messages of the compiler, the run or the comparison; [] if nothing failed. */
  said: z.array(z.string()),
})

export const ReportSample = z.strictObject({
  id: z.string(),
  config: z.enum(configs),
  split: Split,
  /** `documentation`, `kernel`, `preference` or `interface`, and so on. */
  kind: z.string(),
  prompt: z.string(),
  sides: z.array(ReportSide).min(1),
  source: z.string(),
  licence: z.string(),
  author: z.string(),
})
export type ReportSample = z.infer<typeof ReportSample>

const FailureGroup = z.strictObject({
  /** The run that judged them. */
  run: z.string(),
  /** A model's name, or another author. */
  author: z.string(),
  failures: z.array(z.strictObject({class: ErrorClass, rule: z.string(), count: z.int().positive()})),
})
export type FailureGroup = z.infer<typeof FailureGroup>

/** One kind of failure, shown by its first candidate. */
const ErrorExample = z.strictObject({
  class: ErrorClass,
  rule: z.string(),
  signature: z.string(),
  api: z.string(),
  count: z.int().positive(),
  outcome: z.string(),
  task: z.string(),
  author: z.string(),
  error: FirstError,
})
export type ErrorExample = z.infer<typeof ErrorExample>

const ReportErrors = z.strictObject({groups: z.array(FailureGroup), examples: z.array(ErrorExample)})
export type ReportErrors = z.infer<typeof ReportErrors>

const ReportSource = z.strictObject({
  repository: z.string(),
  revision: z.string(),
  licence: z.string(),
  rows: z.int().nonnegative(),
})

/** A training job with everything that it reported. */
const ReportJob = z.strictObject({
  record: JobRecord,
  progress: z.array(Progress),
  /** Runs that scored its model. */
  scores: z.array(z.string()),
  /** What its data set was made from; [] if the data set has changed since. */
  sources: z.array(ReportSource),
})
export type ReportJob = z.infer<typeof ReportJob>

const TaskType = z.object({name: z.string(), levels: z.array(z.int()).readonly()})

/** Everything that a report shows. Filled by `collectReport`; checked again before rendering. */
export const ReportInput = z.strictObject({
  title: z.string(),
  runs: z.array(ReportRun),
  configs: z.array(ReportConfig),
  /** Every judged candidate, paired or not; absent when no candidates were made. `executors`: by executor and label. */
  candidates: z
    .strictObject({total: z.int(), labels: Tally, outcomes: Tally, samplers: Tally, executors: Tally})
    .optional(),
  /** Absent when nothing failed. */
  errors: ReportErrors.optional(),
  jobs: z.array(ReportJob),
  /** SHA-256 of the data set's `manifest.json`; null without one. */
  manifest: z.hex().nullable(),
  executors: z.array(ExecutorIdentity),
  /** Score lines of every evaluation, by the name of its run, and the task types of its benchmark. */
  scores: z.array(z.strictObject({run: z.string(), lines: z.array(Score), types: z.array(TaskType)})),
  samples: z.array(ReportSample),
  paths: z.array(z.strictObject({what: z.string(), path: z.string()})),
})
export type ReportInput = z.infer<typeof ReportInput>
