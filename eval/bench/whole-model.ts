import type {Executor} from '../../datasets/schema/executor.ts'
import type {TaskFolder} from '../../datasets/schema/source-folder.ts'
import type {OperatorCase} from '../../datasets/schema/task.ts'
import type {Tools} from '../executors/tools.ts'
import type {SandboxName} from '../executors/sandbox.ts'

// What benchmarks speak of whose tasks are models in Python, and whose replies bring one too.

export interface ModelTask {
  /** Files, functions and types are named after it. */
  name: string
  category: string
  /** Of its module, in `root`. */
  path: string
  root: string
}

/** A Python that can run a benchmark's modules, as the benchmark found it. */
export interface FoundPython {
  /** Version of torch. */
  torch: string
}

/** Where replies come from. */
export interface ReplySource {
  /** Changes with the replies. */
  readonly id: string
  /** As tables name whose replies they are. */
  readonly name: string
  /**
   * @param names what a reply may call the task
   * @param element type in which the task is asked for, where it is asked for in several
   */
  repliesTo(names: readonly string[], element?: string): Promise<readonly {reply: string; model?: string | undefined}[]>
}

/** What is judged, and by what. */
export interface ModelsAsked<Python extends FoundPython = FoundPython> {
  /** Name of the run. */
  name: string
  folder: TaskFolder
  /** Glob over `<category>/<name>` and names. */
  pattern: string
  source: ReplySource
  /** Some of the benchmark's, in its order. */
  tiers: readonly string[]
  /** Calls with the benchmark's own inputs at each size. */
  trials: number
  /** A size with more input than this is left out, in bytes. */
  largestInput: number
  python: Python
  executor: Executor
  tools: Tools
  /** Keeps what is compiled beside the twin. */
  cacheDirectory: string
  /** Candidates in progress at once. */
  concurrency: number
}

/** A task as an operator: names, sizes, and calls to try it with. */
export interface ModelCases {
  /** Shapes and types, a line each. */
  shapes: string
  /** Parameters of the constructor and of `forward`, as Python writes them: `eps=1e-05`. */
  made: readonly string[]
  called: readonly string[]
  /** Calls of the operator, with what the module gives in float64 for each output. */
  cases: readonly {
    operatorCase: OperatorCase
    expected: readonly Float64Array[]
    tolerance: {absolute: number; relative: number}
  }[]
}

/** Where cases are made. */
export interface CasesSetting<Python extends FoundPython = FoundPython> {
  python: Python
  sandbox: SandboxName
  workDirectory: string
  signal?: AbortSignal
}
