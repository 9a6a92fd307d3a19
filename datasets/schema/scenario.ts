import {z} from 'zod'
import {CallOrigin, FormulaCheck} from './contract.ts'
import {Decision} from './decision.ts'
import type {BlockWork, RunTrace} from './executor.ts'
import {DrawnCall} from './operator-call.ts'
import {OperatorProject, Purpose, SourceFile} from './operator.ts'
import {Origin} from './origin.ts'
import {ExecutorIdentity, Violation} from './verdict.ts'

/** @see BlockWork */
export const Work: z.ZodType<BlockWork> = z.strictObject({
  copiesIn: z.int(),
  copiesOut: z.int(),
  burstsIn: z.int(),
  burstsOut: z.int(),
  vectorInstructions: z.int(),
  vectorRepeats: z.int(),
  scalarAccesses: z.int(),
  waits: z.int(),
  drains: z.int(),
  tiles: z.int(),
  drained: z.int().optional(),
  synced: z.int().optional(),
})

/** Optional fields are absent in older records. */
const Trace: z.ZodType<RunTrace> = z.strictObject({
  blockDim: z.int(),
  tilingKey: z.number(),
  workspaceBytes: z.number(),
  tiling: z.record(z.string(), z.union([z.number(), z.array(z.number())])),
  buffers: z.array(
    z.strictObject({
      name: z.string(),
      position: z.string(),
      count: z.number(),
      bytes: z.number(),
      kind: z.enum(['queue', 'buffer']),
      filled: z.int().optional(),
    }),
  ),
  ubPeakBytes: z.number(),
  calls: z.record(z.string(), z.number()),
  repeats: z.record(z.string(), z.number()).optional(),
  blocks: z.array(
    z.strictObject({index: z.int(), readBytes: z.number(), writtenBytes: z.number(), work: Work.optional()}),
  ),
})

/**
 * One fixed call of an operator that was built and run, tiling and kernel: shapes, dtypes and attributes, and the
 * executor's observations. Drawing the inputs again from the seed and running the same files gives the same outputs.
 */
export const Scenario = DrawnCall.extend({
  /** Origin of the call; absent in older records. */
  call: CallOrigin.optional(),
  /** Absent in older records. */
  formula: FormulaCheck.optional(),
  /** Inputs that were partly unread, except through a raw pointer; if the executor counts this. */
  unread: z.array(z.strictObject({tensor: z.string(), held: z.int(), read: z.int()})).optional(),
  /** With an input's name, seeds the uniform draw of its values. */
  seed: z.string(),
  trace: Trace,
  /** The first broken rule that the device tolerates; undefined if none. */
  tolerated: Violation.optional(),
  /** SHA-256 of each output's bytes, in order. */
  digests: z.array(z.string().length(64)),
})
export type Scenario = z.infer<typeof Scenario>

/** An operator with the calls that ran; at least one. */
export const RanProject = z.strictObject({
  project: OperatorProject,
  scenarios: z.array(Scenario).min(1),
  executor: ExecutorIdentity,
})
export type RanProject = z.infer<typeof RanProject>

/** A named value of the host code in a scenario's call. */
export const HostStep = z.strictObject({
  /** As written: `tiling->rows`, `blockNum`, `set_rows`, `SetBlockDim`. */
  name: z.string().min(1),
  /** On one line; '' if a function that received the name may have set it. */
  expression: z.string(),
  value: z.number(),
})
export type HostStep = z.infer<typeof HostStep>

/** Kernel code that ran in a scenario's call. */
export const RanKernel = SourceFile.extend({
  /**
   * First and last lines of blocks that no core reached in this call, 1-based; absent if the instrumented kernel does
   * not build.
   */
  idle: z.array(z.tuple([z.int().positive(), z.int().positive()])).optional(),
})
export type RanKernel = z.infer<typeof RanKernel>

/**
 * A logically pure host-kernel pair (paper 4.1.2): an operator reduced to one scenario, its code without the branches,
 * dtypes and functions that this scenario does not use. It was rebuilt and gave bit-identical outputs.
 */
export const HostKernelPair = z.strictObject({
  /** Of the operator; the licence is the strictest of its files. */
  origin: Origin,
  operator: z.string().min(1),
  /** Name of the kernel function. */
  entry: z.string().min(1),
  purpose: Purpose.optional(),
  scenario: Scenario,
  /** What the tiling of this scenario needs: definition, tiling structure, tiling function. */
  host: z.array(SourceFile).min(1),
  /** What its tiling computed in this call, in order; absent if the instrumented host does not build. */
  steps: z.array(HostStep).optional(),
  /** The entry with everything that it reaches, in one file, which still reads its tiling from the host. */
  kernel: RanKernel,
  /**
   * The same with the scenario's tiling values as constants and concrete dtypes, for a host that only launches every
   * core; absent if the kernel cannot work without its host.
   */
  alone: RanKernel.optional(),
  /** Why it is absent: kebab-case, and what was seen. */
  notAlone: z.strictObject({reason: z.string(), detail: z.string()}).optional(),
  /** Parts that a reduction kept because the code breaks without them; empty if everything removable was removed. */
  kept: z.array(z.string()),
  /** The decisions in its code; absent if not examined. */
  decisions: z.array(Decision).optional(),
  executor: ExecutorIdentity,
})
export type HostKernelPair = z.infer<typeof HostKernelPair>

/** A pair, and further calls whose reductions gave the same code: what serves one serves all. */
export const CalledPair = z.strictObject({pair: HostKernelPair, more: z.array(Scenario)})
export type CalledPair = z.infer<typeof CalledPair>

/** What a request asks for: the pair's kernel without its own host, or the whole operator. */
export const PairRequest = z.strictObject({pair: HostKernelPair, form: z.enum(['kernel-only', 'full'])})
export type PairRequest = z.infer<typeof PairRequest>
