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
})

/** Optional fields are absent in records of before they were counted. */
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
 * One fixed call of an operator that was built and run, tiling and kernel: shapes, dtypes and attributes, and what the
 * executor observed. Whoever draws the inputs again by the seed and runs the same files gets the same outputs.
 */
export const Scenario = DrawnCall.extend({
  /** Where the call comes from; absent in records of before it was said. */
  call: CallOrigin.optional(),
  /** Absent in records of before it was checked. */
  formula: FormulaCheck.optional(),
  /** Inputs of which no core read a part, but by a bare pointer; of an executor that counts it. */
  unread: z.array(z.strictObject({tensor: z.string(), held: z.int(), read: z.int()})).optional(),
  /** With an input's name, what its values are drawn by, evenly. */
  seed: z.string(),
  trace: Trace,
  /** The first rule past which the device goes on; undefined when none was broken. */
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

/** A value that host code gave a name in a scenario's call. */
export const HostStep = z.strictObject({
  /** As it is written: `tiling->rows`, `blockNum`, `set_rows`, `SetBlockDim`. */
  name: z.string().min(1),
  /** On one line; '' where a function that was handed the name may have set it. */
  expression: z.string(),
  value: z.number(),
})
export type HostStep = z.infer<typeof HostStep>

/** Kernel code that ran in a scenario's call. */
export const RanKernel = SourceFile.extend({
  /**
   * First and last lines of its blocks that no core came to in this call, 1-based; absent where a kernel that prints
   * where it comes does not build.
   */
  idle: z.array(z.tuple([z.int().positive(), z.int().positive()])).optional(),
})
export type RanKernel = z.infer<typeof RanKernel>

/**
 * A logically pure host-kernel pair (paper 4.1.2): an operator reduced to one scenario, its code without the branches,
 * dtypes and functions that this scenario does not take. It was built again and gave the scenario's outputs to the bit.
 */
export const HostKernelPair = z.strictObject({
  /** Of the operator; the licence is the strictest of the files that went in. */
  origin: Origin,
  operator: z.string().min(1),
  /** Name of the kernel function. */
  entry: z.string().min(1),
  purpose: Purpose.optional(),
  scenario: Scenario,
  /** What the tiling of this scenario needs: definition, tiling structure, tiling function. */
  host: z.array(SourceFile).min(1),
  /** What its tiling computed in this call, in order; absent where a host that prints its steps does not build. */
  steps: z.array(HostStep).optional(),
  /** The entry with all that it reaches in one file, which still reads its tiling from the host. */
  kernel: RanKernel,
  /**
   * The same with the scenario's tiling values as constants and concrete dtypes, for a host that launches every core
   * and hands nothing over; absent where the kernel cannot do without its host.
   */
  alone: RanKernel.optional(),
  /** Why there is none: kebab-case, and what was seen. */
  notAlone: z.strictObject({reason: z.string(), detail: z.string()}).optional(),
  /** What a reduction left in that broke the code without it; empty when everything went that could. */
  kept: z.array(z.string()),
  /** Why its code is as it is; absent where that was not looked for. */
  decisions: z.array(Decision).optional(),
  executor: ExecutorIdentity,
})
export type HostKernelPair = z.infer<typeof HostKernelPair>

/** A pair, and further calls whose reductions gave the same code: what serves one of them serves all. */
export const CalledPair = z.strictObject({pair: HostKernelPair, more: z.array(Scenario)})
export type CalledPair = z.infer<typeof CalledPair>

/** What is asked for of a pair: its kernel without a host of its own, or the whole operator. */
export const PairRequest = z.strictObject({pair: HostKernelPair, form: z.enum(['kernel-only', 'full'])})
export type PairRequest = z.infer<typeof PairRequest>
