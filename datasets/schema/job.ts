import {z} from 'zod'

export const Method = z.enum(['sft', 'dpo', 'kto', 'grpo'])
export type Method = z.infer<typeof Method>

export const JobState = z.enum(['queued', 'running', 'succeeded', 'failed', 'cancelled', 'lost'])
export type JobState = z.infer<typeof JobState>

/** One progress report of a trainer. */
export const Progress = z.strictObject({
  /** Optimiser steps done, and to do in all; `total` is 0 if the trainer does not say. */
  step: z.int().nonnegative(),
  total: z.int().nonnegative(),
  /** null if the trainer wrote NaN or infinity, which JSON cannot represent. */
  loss: z.number().nullable(),
  learningRate: z.number().nullable(),
  gradientNorm: z.number().nullable(),
  /** All other reported numbers, under its own names: `rewards/margins`, `reward_std`. */
  metrics: z.record(z.string(), z.number()),
})
export type Progress = z.infer<typeof Progress>

/** A line of `metrics.jsonl` of a job: the report, the attempt, and the log offset after the report. */
export const MetricsLine = Progress.extend({attempt: z.int().positive(), at: z.int().nonnegative()})
export type MetricsLine = z.infer<typeof MetricsLine>

const Attempt = z.strictObject({
  number: z.int().positive(),
  /**
   * The backend's handle: a process id with its start time, a Slurm job, a name in a namespace. null until it is known.
   */
  handle: z.string().nullable(),
  submitted: z.iso.datetime(),
  /** State when last queried. */
  state: JobState,
  /** In plain words: exit code, a scheduler's reason. */
  detail: z.string(),
  /** The checkpoint that it resumed from; null if it started from scratch. */
  resumedFrom: z.string().nullable(),
})

/** `job.json` of a job: what it is, what it was made from, and how it went. */
export const JobRecord = z.strictObject({
  id: z.string(),
  name: z.string(),
  method: Method,
  engine: z.string(),
  backend: z.string(),
  /** SHA-256 of the resolved specification, which is next to this file as `spec.yaml`. */
  spec: z.hex(),
  /** Model that training started from; `job` if an earlier job made it. */
  base: z.strictObject({
    /** As named in the specification. */
    name: z.string(),
    revision: z.string().nullable(),
    job: z.string().nullable(),
    /** A Hub name or an absolute folder, and the adapter on top of it if the earlier job trained one. */
    path: z.string(),
    adapter: z.string().nullable(),
  }),
  data: z.strictObject({
    source: z.string(),
    config: z.string(),
    split: z.string(),
    rows: z.int().nonnegative(),
    /** Hash of the training rows. */
    sha256: z.hex(),
    /** SHA-256 of the data set's `manifest.json`; null without one. */
    manifest: z.hex().nullable(),
  }),
  /** Package versions in the trainer's environment. */
  versions: z.record(z.string(), z.string()),
  /** The specification's result on these machines. */
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
