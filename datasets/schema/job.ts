import {z} from 'zod'

export const Method = z.enum(['sft', 'dpo', 'kto', 'grpo'])
export type Method = z.infer<typeof Method>

export const JobState = z.enum(['queued', 'running', 'succeeded', 'failed', 'cancelled', 'lost'])
export type JobState = z.infer<typeof JobState>

/** One report of a trainer on its way. */
export const Progress = z.strictObject({
  /** Optimiser steps done, and to do in all; `total` is 0 where the trainer does not say. */
  step: z.int().nonnegative(),
  total: z.int().nonnegative(),
  /** null where the trainer wrote NaN or infinity, which Parquet and JSON have no word for. */
  loss: z.number().nullable(),
  learningRate: z.number().nullable(),
  gradientNorm: z.number().nullable(),
  /** Everything else that it reports in numbers, under its own names: `rewards/margins`, `reward_std`. */
  metrics: z.record(z.string(), z.number()),
})
export type Progress = z.infer<typeof Progress>

/** A line of `metrics.jsonl` of a job: the report, the attempt, and the byte of its log behind the report. */
export const MetricsLine = Progress.extend({attempt: z.int().positive(), at: z.int().nonnegative()})
export type MetricsLine = z.infer<typeof MetricsLine>

const Attempt = z.strictObject({
  number: z.int().positive(),
  /**
   * What the backend calls it: a process id with its start time, a Slurm job, a name in a namespace. null from before
   * it was submitted until its name was known.
   */
  handle: z.string().nullable(),
  submitted: z.iso.datetime(),
  /** As it was last asked for. */
  state: JobState,
  /** In plain words: exit code, a scheduler's reason. */
  detail: z.string(),
  /** The checkpoint that it went on from; null started anew. */
  resumedFrom: z.string().nullable(),
})

/** `job.json` of a job: what it is, what it was made from, and how it went. */
export const JobRecord = z.strictObject({
  id: z.string(),
  name: z.string(),
  method: Method,
  engine: z.string(),
  backend: z.string(),
  /** SHA-256 of the specification as it was resolved; it is beside this file as `spec.yaml`. */
  spec: z.hex(),
  /** Model that training started from; `job` where an earlier job made it. */
  base: z.strictObject({
    /** As the specification names it. */
    name: z.string(),
    revision: z.string().nullable(),
    job: z.string().nullable(),
    /** A Hub name or an absolute folder, and the adapter on top of it where the earlier job trained one. */
    path: z.string(),
    adapter: z.string().nullable(),
  }),
  data: z.strictObject({
    source: z.string(),
    config: z.string(),
    split: z.string(),
    rows: z.int().nonnegative(),
    /** Of the rows that are trained on. */
    sha256: z.hex(),
    /** SHA-256 of the data set's `manifest.json`; null where it has none. */
    manifest: z.hex().nullable(),
  }),
  /** Package versions in the trainer's environment. */
  versions: z.record(z.string(), z.string()),
  /** What the specification came to on these machines. */
  arithmetic: z.strictObject({
    world: z.int().positive(),
    dataParallel: z.int().positive(),
    accumulation: z.int().positive(),
    steps: z.int().positive(),
    warmupSteps: z.int().nonnegative(),
    epochs: z.number(),
  }),
  /** Folder that the trainer writes checkpoints into. */
  output: z.string(),
  attempts: z.array(Attempt),
})
export type JobRecord = z.infer<typeof JobRecord>
