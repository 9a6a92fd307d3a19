import {z} from 'zod'
import {JudgedCandidate} from './candidate.ts'
import {SourceFile} from './operator.ts'
import {Origin} from './origin.ts'
import {PreferenceSide, StageVersions, Teacher} from './sample.ts'
import {Work} from './scenario.ts'
import {Verdict} from './verdict.ts'

/** Copies from GM; the vector unit; the scalar unit; copies to GM. */
export const CostPipe = z.enum(['MTE2', 'V', 'S', 'MTE3'])
export type CostPipe = z.infer<typeof CostPipe>

/**
 * Whether tiles overlap: `full`, copies in, computation and copies out of different tiles at once; `in-part`, a queue
 * with a single block separates two of them; `none`, one after the other.
 */
export const Overlap = z.enum(['full', 'in-part', 'none'])
export type Overlap = z.infer<typeof Overlap>

const SlowestBlock = z.strictObject({
  readBytes: z.int(),
  writtenBytes: z.int(),
  copies: z.int(),
  vectorInstructions: z.int(),
  vectorRepeats: z.int(),
  /** Between tiles. */
  drains: z.int(),
  tiles: z.int(),
  /** Microseconds of copies in and out side by side: they share the bandwidth of GM. */
  copying: z.number(),
})

/** A run's time by the chip's published rates and the executor's counts. Modelled, never measured. */
export const ModelledCost = z.strictObject({
  /** From the first to the last instruction of the slowest block. */
  microseconds: z.number().positive(),
  /** Added on top, the same for every kernel. */
  launchMicroseconds: z.number(),
  /** Busy time of each pipe of that block. */
  pipes: z.record(CostPipe, z.number()),
  /** The busiest pipe. */
  bottleneck: CostPipe,
  overlap: Overlap,
  /** Cores with work, and launched blocks. */
  cores: z.int(),
  blockDim: z.int(),
  /** Of all blocks. */
  readBytes: z.int(),
  writtenBytes: z.int(),
  /** Of all blocks, except `tiles`, the maximum of one. */
  work: Work,
  /** The block that the times are of; absent in older records. */
  slowest: SlowestBlock.optional(),
})
export type ModelledCost = z.infer<typeof ModelledCost>

/** `cost` exists for correct ones that the model covers; `sizes` names the call. */
export const CostedCandidate = JudgedCandidate.extend({
  cost: ModelledCost.optional(),
  sizes: z.string().optional(),
})
export type CostedCandidate = z.infer<typeof CostedCandidate>

/** A side of a pair of correct operators. */
const CostedSide = PreferenceSide.extend({cost: ModelledCost})

/** Two correct operators for one request, the chosen one modelled faster. Counted separately from `PreferencePair`. */
export const OptimisationPair = z.strictObject({
  kind: z.literal('pair'),
  task: z.string().min(1),
  prompt: z.string().min(1),
  chosen: CostedSide,
  rejected: CostedSide,
  /** The call that both costs refer to. */
  sizes: z.string(),
  /** Modelled time of the rejected one divided by that of the chosen one; above 1. */
  margin: z.number().gt(1),
  /** How the chosen one differs from the rejected one. */
  step: z.string().min(1),
  origin: Origin,
  stages: StageVersions,
})
export type OptimisationPair = z.infer<typeof OptimisationPair>

/** One step of optimisation: a correct operator, what limits it according to a run's counts, and the faster one. */
export const OptimisationSample = z.strictObject({
  kind: z.literal('sample'),
  task: z.string().min(1),
  prompt: z.string().min(1),
  reasoning: z.string().min(1),
  answer: z.string().min(1),
  /** The files of the answer. */
  files: z.array(SourceFile).min(1),
  language: z.enum(['zh', 'en']),
  before: ModelledCost,
  after: ModelledCost,
  sizes: z.string(),
  /** How the faster one differs from the slower one. */
  step: z.string().min(1),
  origin: Origin,
  teacher: Teacher,
  stages: StageVersions,
  /** Of the answer. */
  verdict: Verdict,
})
export type OptimisationSample = z.infer<typeof OptimisationSample>

export const Optimisation = z.discriminatedUnion('kind', [OptimisationPair, OptimisationSample])
export type Optimisation = z.infer<typeof Optimisation>
