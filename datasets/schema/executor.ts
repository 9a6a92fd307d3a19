import type {OperatorSource, Side, SourceFile} from './operator.ts'
import type {OperatorCase} from './task.ts'
import type {Dtype} from './tensor.ts'
import type {ExecutorIdentity, Verdict, Violation} from './verdict.ts'

/** A complete operator to build: host and kernel files under `op_host/` and `op_kernel/`. */
export interface Program {
  /** Path of its `op_host/` and `op_kernel/` in a repository: `math/add`. Default: at the top. */
  folder?: string
  /** CamelCase operator type. */
  operator: string
  files: readonly SourceFile[]
  /** dtype of each input and output by OpDef name: decides `DTYPE_X` and the OpDef column. */
  dtypes: Readonly<Record<string, Dtype>>
}

/** One translation unit that is only compiled: a flattened file, or a documentation page's snippet. */
export interface Unit extends Pick<OperatorSource, 'side' | 'tiling' | 'dtypes'> {
  text: string
}

/**
 * One side of a program that is only compiled: the kernel through its entry with every template that it uses, the host
 * file by file.
 */
export interface ProgramSide {
  side: Side
  program: Program
}

/** A program ready to run, in a directory of its own. `dispose` removes it. */
export interface Build {
  directory: string
  /** Undefined symbols of the host side, mangled; undefined if the executor does not know. */
  imports?: readonly string[]
  dispose(): Promise<void>
}

/** A block's work for a cost model, in addition to bytes. */
export interface BlockWork {
  /** Instructions that copy from GM (MTE2) and to it (MTE3). */
  copiesIn: number
  copiesOut: number
  /** Contiguous runs that these copy: rows of a strided copy. */
  burstsIn: number
  burstsOut: number
  vectorInstructions: number
  /** Of 256 bytes, by the widest operand of each instruction. */
  vectorRepeats: number
  /** GetValue and SetValue, of UB and GM, and operations that synchronise cores. */
  scalarAccesses: number
  /** DeQue and WaitFlag. */
  waits: number
  /** How often the scalar unit, which issues all instructions, waited for another pipe, so nothing later overlaps. */
  drains: number
  /** How often the most-used queue was filled. */
  tiles: number
  /** Between how many of these times the scalar unit waited, so that the copy of the later one was issued after it. */
  drained?: number | undefined
  /** Between how many of these times all cores waited for each other. */
  synced?: number | undefined
}

/** What one run did, as the executor observed it: the facts behind a chain of thought. Bytes unless said otherwise. */
export interface RunTrace {
  blockDim: number
  tilingKey: number
  workspaceBytes: number
  /** The tiling structure's fields by name, in declaration order. */
  tiling: Record<string, number | number[]>
  /** Buffers of block 0: queues and temporary buffers. `filled`: EnQue calls, of a queue. */
  buffers: {
    name: string
    position: string
    count: number
    bytes: number
    kind: 'queue' | 'buffer'
    filled?: number | undefined
  }[]
  ubPeakBytes: number
  /** Calls of each API, summed over all blocks. */
  calls: Record<string, number>
  /** Of the APIs that compute on the vector unit: 256-byte repeats, summed over all blocks. */
  repeats?: Record<string, number> | undefined
  /** GM bytes read and written by each block: shows the split over cores. `work`: of executors that count it. */
  blocks: {index: number; readBytes: number; writtenBytes: number; work?: BlockWork | undefined}[]
}

/** One instruction of a traced run. */
export interface Step {
  /** As the device calls it: `MTE2`, `V`, `MTE3`, `S`. */
  pipe: string
  api: string
  /** Counts those of its pipe, from 1. */
  number: number
  /** The last number that `twin::AtLine` got; 0: none. */
  place: number
  readBytes: number
  writtenBytes: number
  burstsIn: number
  burstsOut: number
  repeats: number
  /**
   * Up to which instruction of another pipe it waits, by which call and where; `name`: the queue or the event.
   */
  waits: {pipe: string; number: number; api: string; name: string; place: number}[]
}

export type Execution =
  | {
      outcome: 'ran'
      outputs: Uint8Array[]
      trace: RunTrace
      cpuSeconds: number
      tolerated?: Violation
      /** How many distinct bytes of each input the cores read; if the executor counts them. */
      inputs?: {name: string; readBytes: number}[]
      /** Of a traced run of vector cores, by block, in the order given out; only the first if there are very many. */
      steps?: Step[][]
      /** Output of tiling and kernel; only the end if long. */
      log: string
    }
  | {outcome: 'launch-failed'; message: string}
  | {outcome: 'violated'; violation: Violation}
  | {outcome: 'crashed'; cause: string; log: string}
  | {outcome: 'timed-out'; limitSeconds: number; byClock?: true | undefined}

/** What timed launches gave: several at addresses of their own, after some that were not counted. */
export interface MeasuredRun {
  /** Median of a launch on the device, in microseconds. */
  microseconds: number
  /** Distance between the quartiles, in microseconds. */
  spread: number
  repeats: number
  /** Of the last launch: to be compared again. */
  outputs: Uint8Array[]
}

export interface ExecuteOptions {
  /**
   * Byte pattern that fills outputs before the launch. Default `nan`: every float is a signalling pattern, integers
   * 0xFE….
   */
  poison?: 'nan' | 'zero'
  /** The order in which blocks are scheduled; correct kernels do not depend on it. Default `forward`. */
  order?: 'forward' | 'reverse'
  /** A broken rule that a device tolerates does not end the run; the first is reported as `tolerated`. */
  tolerant?: boolean
  /** Also gives each instruction, from an executor that sees them. */
  traced?: boolean
}

/** Builds and runs operators. Never throws because of a candidate: its behaviour is a value. */
export interface Executor {
  readonly identity: ExecutorIdentity
  /** What it can judge, in one sentence, for reports. */
  readonly covers: string
  /** How far it goes, where that is not all the way: it runs nothing, or it runs and sees nothing of a `RunTrace`. */
  readonly reach?: 'compiles' | 'runs'
  /** Compiles and links nothing; the answer is `compiled`, `compile-failed` or `not-covered`. */
  compile(what: Unit | ProgramSide, signal?: AbortSignal): Promise<Verdict>
  build(program: Program, signal?: AbortSignal): Promise<{ok: true; build: Build} | {ok: false; verdict: Verdict}>
  execute(build: Build, operatorCase: OperatorCase, options?: ExecuteOptions, signal?: AbortSignal): Promise<Execution>
  /** Where it can tell times: launches that are measured, or why they did not come to their end. */
  measure?(
    build: Build,
    operatorCase: OperatorCase,
    signal?: AbortSignal,
  ): Promise<MeasuredRun | Exclude<Execution, {outcome: 'ran'}>>
}
