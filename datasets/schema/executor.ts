import type {OperatorSource, Side, SourceFile} from './operator.ts'
import type {OperatorCase} from './task.ts'
import type {Dtype} from './tensor.ts'
import type {ExecutorIdentity, Verdict, Violation} from './verdict.ts'

/** A whole operator to build: host and kernel files under `op_host/` and `op_kernel/`. */
export interface Program {
  /** Where its `op_host/` and `op_kernel/` stand among the files of a repository: `math/add`. Default: at the top. */
  folder?: string
  /** CamelCase operator type. */
  operator: string
  files: readonly SourceFile[]
  /** dtype of each input and output by OpDef name: decides `DTYPE_X` and the OpDef column. */
  dtypes: Readonly<Record<string, Dtype>>
}

/** One translation unit that is only compiled: a flattened file, or the snippet of a documentation page. */
export interface Unit extends Pick<OperatorSource, 'side' | 'tiling' | 'dtypes'> {
  text: string
}

/**
 * One side of a program that is only compiled: the kernel through its entry, with every template that the entry uses,
 * and the host file by file.
 */
export interface ProgramSide {
  side: Side
  program: Program
}

/** A program ready to run, in a directory of its own. `dispose` removes it. */
export interface Build {
  directory: string
  /** Symbols that the host side takes from elsewhere, mangled; undefined when the executor cannot tell. */
  imports?: readonly string[]
  dispose(): Promise<void>
}

/**
 * What one run did, as the executor observed it: the facts that ground a chain of thought. Bytes unless said otherwise.
 */
export interface RunTrace {
  blockDim: number
  tilingKey: number
  workspaceBytes: number
  /** The tiling structure's fields by name, in declaration order. */
  tiling: Record<string, number | number[]>
  /** Buffers of block 0: queues and temporary buffers. */
  buffers: {name: string; position: string; count: number; bytes: number; kind: 'queue' | 'buffer'}[]
  ubPeakBytes: number
  /** Calls of each API, summed over all blocks. */
  calls: Record<string, number>
  /** GM bytes read and written by each block: shows the split over cores. */
  blocks: {index: number; readBytes: number; writtenBytes: number}[]
}

export type Execution =
  | {
      outcome: 'ran'
      outputs: Uint8Array[]
      trace: RunTrace
      cpuSeconds: number
      tolerated?: Violation
      /** What tiling and kernel printed; of much, the end. */
      log: string
    }
  | {outcome: 'launch-failed'; message: string}
  | {outcome: 'violated'; violation: Violation}
  | {outcome: 'crashed'; cause: string; log: string}
  | {outcome: 'timed-out'; limitSeconds: number}

export interface ExecuteOptions {
  /**
   * Byte pattern that fills outputs before the launch. Default `nan`: every float is a signalling pattern, integers
   * 0xFE….
   */
  poison?: 'nan' | 'zero'
  /** The order in which blocks are scheduled; correct kernels do not depend on it. Default `forward`. */
  order?: 'forward' | 'reverse'
  /**
   * A broken rule after which the device goes on with the values it has does not end the run; the first is told as
   * `tolerated`.
   */
  tolerant?: boolean
}

/** Builds and runs operators. Never throws over a candidate: what it does is a value. */
export interface Executor {
  readonly identity: ExecutorIdentity
  /** What it can judge, one sentence, for reports. */
  readonly covers: string
  /** Compiles and links nothing; the answer is `compiled`, `compile-failed` or `not-covered`. */
  compile(what: Unit | ProgramSide, signal?: AbortSignal): Promise<Verdict>
  build(program: Program, signal?: AbortSignal): Promise<{ok: true; build: Build} | {ok: false; verdict: Verdict}>
  execute(build: Build, operatorCase: OperatorCase, options?: ExecuteOptions, signal?: AbortSignal): Promise<Execution>
}
