import {z} from 'zod'
import {JudgedCandidate} from './candidate.ts'
import {Work} from './scenario.ts'

/** Copies from GM; the vector unit; the scalar unit; copies to GM. */
export const CostPipe = z.enum(['MTE2', 'V', 'S', 'MTE3'])
export type CostPipe = z.infer<typeof CostPipe>

/**
 * Whether tiles overlap: `full`, copies in, computation and copies out of different tiles at once; `in-part`, a queue
 * with a single block keeps two of them apart; `none`, one after the other.
 */
export const Overlap = z.enum(['full', 'in-part', 'none'])
export type Overlap = z.infer<typeof Overlap>

/** What a run would take by published rates of the chip and what the executor counted. Modelled, never measured. */
export const ModelledCost = z.strictObject({
  /** From the first instruction to the last one of the block that takes longest. */
  microseconds: z.number().positive(),
  /** Comes on top, the same for every kernel. */
  launchMicroseconds: z.number(),
  /** What each pipe of that block is busy for. */
  pipes: z.record(CostPipe, z.number()),
  /** The one that is busy longest. */
  bottleneck: CostPipe,
  overlap: Overlap,
  /** Cores that have something to do, and blocks that were launched. */
  cores: z.int(),
  blockDim: z.int(),
  /** Of all blocks. */
  readBytes: z.int(),
  writtenBytes: z.int(),
  /** Of all blocks, but `tiles`, the most of one. */
  work: Work,
})
export type ModelledCost = z.infer<typeof ModelledCost>

/** `cost` is of those that are correct and whose costs the model knows; `sizes` says of which call. */
export const CostedCandidate = JudgedCandidate.extend({
  cost: ModelledCost.optional(),
  sizes: z.string().optional(),
})
export type CostedCandidate = z.infer<typeof CostedCandidate>
