import {z} from 'zod'
import {CostPipe} from './optimisation.ts'

/** A line of the operator's files, 1-based. */
const Place = z.strictObject({path: z.string(), line: z.int().positive()})

/** An instruction, by its API and where it stands; `place` is absent where the line is not known. */
const Instruction = z.strictObject({pipe: CostPipe, api: z.string(), place: Place.optional()})

/**
 * What held an instruction back last. `queue`: a tensor of a queue, filled (DeQue) or free (AllocTensor). `event`:
 * WaitFlag. `barrier`: PipeBarrier, or one among cores. `scalar`: the scalar unit read or wrote what another pipe works
 * on. `issue`: the scalar unit, which gives out all instructions, was busy. `gm`: the bandwidth of GM was taken.
 */
const WaitKind = z.enum(['queue', 'event', 'barrier', 'scalar', 'issue', 'gm'])

const TimelineWait = z.strictObject({
  kind: WaitKind,
  /** The call that waits, with its line. '' for `issue` and `gm`. */
  api: z.string(),
  place: Place.optional(),
  /** The queue, the event or the barrier; else ''. */
  name: z.string(),
  /** The instruction that it waits for. */
  by: Instruction,
})
export type TimelineWait = z.infer<typeof TimelineWait>

/** Modelled cycles from the first instruction of the core. */
const Span = z.strictObject({pipe: CostPipe, start: z.number().nonnegative(), end: z.number().nonnegative()})

/** `bytes` of a copy; `repeats` of 256 bytes of a vector instruction; a scalar access has neither. */
const TimelineInterval = Span.extend({
  ...Instruction.shape,
  bytes: z.int().optional(),
  repeats: z.int().optional(),
  waitsFor: TimelineWait.optional(),
})
export type TimelineInterval = z.infer<typeof TimelineInterval>

/** A pipe does nothing before its next instruction. */
const Stall = Span.extend({cause: TimelineWait})
export type Stall = z.infer<typeof Stall>

const CoreTimeline = z.strictObject({
  /** Of the block that ran on it. */
  index: z.int(),
  /** Modelled cycles to the end of the last instruction. */
  cycles: z.number(),
  /**
   * The cost model's figure for this block, which adds up tiles as alike and whole. Equal to `cycles` if they are and
   * copies do not share bandwidth.
   */
  modelledCycles: z.number(),
  /** Busy cycles of each pipe, the same as in the cost model if no instruction is missing. */
  busy: z.record(CostPipe, z.number()),
  /** Share of the shorter of MTE2 and V, in busy cycles, during which both work; 0 to 1. */
  overlap: z.number(),
  intervals: z.array(TimelineInterval),
  stalls: z.array(Stall),
  /** Instructions after the last interval that the run did not give: all figures but `modelledCycles` lack them. */
  left: z.int(),
})
export type CoreTimeline = z.infer<typeof CoreTimeline>

/** When each pipe of each core works and waits, by the cost model. Modelled, never measured. */
export const Timeline = z.strictObject({
  cyclesPerMicrosecond: z.number(),
  /** Position in `cores` of the one that the cost model calls slowest. */
  slowest: z.int(),
  cores: z.array(CoreTimeline).min(1),
})
export type Timeline = z.infer<typeof Timeline>
