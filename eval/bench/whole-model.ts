import {z} from 'zod'
import type {Executor} from '../../datasets/schema/executor.ts'
import type {TaskFolder} from '../../datasets/schema/source-folder.ts'
import type {OperatorCase, TaskCase} from '../../datasets/schema/task.ts'
import type {OpenCases} from '../cases.ts'
import type {CannExecutor} from '../executors/cann/cann.ts'
import type {Tools} from '../executors/tools.ts'
import {behaviourNames} from '../behaviours.ts'
import type {SandboxName} from '../executors/sandbox.ts'

// Vocabulary of benchmarks whose tasks and replies are models in Python.

export interface ModelTask {
  /** Files, functions and types are named after it. */
  name: string
  category: string
  /** Path of its module, in `root`. */
  path: string
  root: string
}

/** A Python that can run a benchmark's modules, as found by the benchmark. */
export interface FoundPython {
  /** Version of torch. */
  torch: string
}

/** Source of replies. */
export interface ReplySource {
  /** Changes with the replies. */
  readonly id: string
  /** The author of the replies, for tables. */
  readonly name: string
  /** A model that is asked instead: a teacher profile, samples per task, and the name of the benchmark's request. */
  readonly asks?: {profile: string; samples: number; mode: string}
  /**
   * @param names names of the task in replies @param element type of the task, if it is used with several
   */
  repliesTo(names: readonly string[], element?: string): Promise<readonly {reply: string; model?: string | undefined}[]>
}

/** What is judged, and by which judge. */
export interface ModelsAsked<Python extends FoundPython = FoundPython> {
  /** Name of the run. */
  name: string
  folder: TaskFolder
  /** Glob over `<category>/<name>` and names. */
  pattern: string
  source: ReplySource
  /** Tiers to judge, in the benchmark's order. */
  tiers: readonly string[]
  /** Calls with the benchmark's own inputs at each size. */
  trials: number
  /** A size with more input than this, in bytes, is skipped. */
  largestInput: number
  python: Python
  executor: Executor
  /** Compiles again what the twin opened; what it refuses is not opened. */
  confirming?: CannExecutor | undefined
  tools: Tools
  /** Cache for compiled files besides the twin. */
  cacheDirectory: string
  /** Candidates in progress at once. */
  concurrency: number
}

/** A task as an operator: names, sizes, and calls to try it with. */
export interface ModelCases {
  /** Shapes and types, one per line. */
  shapes: string
  /** Parameters of the constructor and of `forward`, as printed by Python: `eps=1e-05`. */
  made: readonly string[]
  called: readonly string[]
  /** Calls of the operator, with the module's float64 results for each output. */
  cases: readonly {
    operatorCase: OperatorCase
    expected: readonly Float64Array[]
    tolerance: {absolute: number; relative: number}
  }[]
  /** Rows of `test_cases.csv` for the same sizes, of a module by itself. */
  rows?: TaskCase[]
}

/** Folder for making cases. */
export interface CasesSetting<Python extends FoundPython = FoundPython> {
  python: Python
  sandbox: SandboxName
  workDirectory: string
  signal?: AbortSignal
}

/** A module of PyTorch that belongs to no checkout, as a task. */
export interface LoneModule {
  /** Changes with the module and whatever computes its answers. */
  identity: string
  /** Opens its calls, which are rows of its constants. */
  open: OpenCases
  /** Small calls, and their rows. @throws PipelineError `input-invalid` if none is found */
  calls(): Promise<ModelCases & Required<Pick<ModelCases, 'rows'>>>
  close(): Promise<void>
}

/** A reply that was not run. */
export const Refused = z.object({
  opened: z.literal(false),
  kind: z.enum(['unreadable', 'compile-failed', 'link-failed', 'refused-source']),
  why: z.string(),
  behaviour: z.enum(behaviourNames).optional(),
})

/** What failed of a call by the benchmark's own comparison, and by the stricter one. */
const Fault = z.object({literal: z.string().optional(), hardened: z.string().optional()})

const OpenedVerdict = z.object({
  opened: z.literal(true),
  /** The first fault of each tier, of whole models. */
  faults: z.array(Fault.extend({tier: z.string(), sizes: z.string(), family: z.string()})).default([]),
  /** Cases of an operator, right ones included. */
  cases: z.array(Fault.extend({case: z.string()})).default([]),
})

/** What every verdict on an attempt at a task of PyTorch has in common: the part that is shown. */
export const JudgedAttempt = z.object({
  task: z.object({name: z.string(), category: z.string()}),
  sampler: z.object({sample: z.int()}),
  verdict: z.union([Refused.omit({behaviour: true}), OpenedVerdict]),
})
export type JudgedAttempt = z.infer<typeof JudgedAttempt>
