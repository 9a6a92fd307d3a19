import {z} from 'zod'
import {behaviourNames} from '../../behaviours.ts'
import {Refused} from '../whole-model.ts'
import {elements, tierNames} from './tiers.ts'

/** A task of MultiKernelBench with a reply to it. */
export const ModelCandidate = z.object({
  task: z.object({
    /** Stem of the task's file; files, functions and types are named after it. */
    name: z.string(),
    category: z.string(),
    /** `reference/<category>/<stem>.py`. */
    path: z.string(),
    /** Folder of the checkout. */
    root: z.string(),
    /** Id of the module's text: a different text is a different task. */
    module: z.string(),
    /** Element type of the streams, of mHC's tasks. */
    element: z.enum(elements).optional(),
  }),
  sampler: z.object({model: z.string(), sample: z.int().nonnegative()}),
  reply: z.string(),
})
export type ModelCandidate = z.infer<typeof ModelCandidate>

/** One call of the model that was not fully correct. */
const Fault = z.object({
  tier: z.enum(tierNames),
  /** Sizes of the inputs. */
  sizes: z.string(),
  /** `own`: the benchmark's own inputs. */
  family: z.string(),
  /** The benchmark's own comparison; absent if it passes. */
  literal: z.string().optional(),
  /** The stricter comparison. */
  hardened: z.string().optional(),
  /** Of a refusal. */
  behaviour: z.enum(behaviourNames).optional(),
})
export type Fault = z.infer<typeof Fault>

/** Modelled time of a tier's largest call on the chip, next to the time for its bytes alone. */
const Modelled = z.object({
  microseconds: z.number(),
  /** Inputs and outputs once each, at the published bandwidth. */
  rooflineMicroseconds: z.number(),
  bottleneck: z.string(),
  cores: z.int(),
})

const TierVerdict = z.object({
  tier: z.enum(tierNames),
  /** Sizes of the inputs, by setting. */
  sizes: z.array(z.string()),
  /** Calls of the model. */
  calls: z.int(),
  literal: z.boolean(),
  hardened: z.boolean(),
  /** Sizes that were not run, with their input in MiB. */
  leftOut: z.array(z.string()),
  modelled: Modelled.optional(),
})
export type TierVerdict = z.infer<typeof TierVerdict>

/** Outputs of kernels that do not work, counted over the calls in which they differ from the right one. */
const MutantCount = z.object({name: z.string(), calls: z.int(), literal: z.int(), hardened: z.int()})

const verdict = z.discriminatedUnion('opened', [
  Refused,
  z.object({
    opened: z.literal(true),
    tiers: z.array(TierVerdict),
    /** The first of each tier. */
    faults: z.array(Fault),
    mutants: z.array(MutantCount),
    /** The executor that ran it again after the twin found it correct: tiers and faults are what that one found. */
    again: z.string().optional(),
  }),
])
export type ModelVerdict = z.infer<typeof verdict>

export const JudgedModel = ModelCandidate.omit({reply: true}).extend({
  /** Id of the reply's text. */
  reply: z.string(),
  verdict,
})
export type JudgedModel = z.infer<typeof JudgedModel>
