import type {OperatorSource, SourceFile} from './operator.ts'
import type {OperatorCase} from './task.ts'
import type {Dtype} from './tensor.ts'
import type {ExecutorIdentity, Verdict, Violation} from './verdict.ts'

/** A whole operator to build: host and kernel files under `op_host/` and `op_kernel/`. */
export interface Program {
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
  | {outcome: 'ran'; outputs: Uint8Array[]; trace: RunTrace; cpuSeconds: number; tolerated?: Violation}
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
  /** Compiles one unit; the answer is `compiled`, `compile-failed` or `not-covered`. */
  compile(unit: Unit, signal?: AbortSignal): Promise<Verdict>
  build(program: Program, signal?: AbortSignal): Promise<{ok: true; build: Build} | {ok: false; verdict: Verdict}>
  execute(build: Build, operatorCase: OperatorCase, options?: ExecuteOptions, signal?: AbortSignal): Promise<Execution>
}
