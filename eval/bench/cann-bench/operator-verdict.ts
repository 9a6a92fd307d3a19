import {z} from 'zod'
import {behaviourNames} from '../../behaviours.ts'
import {Refused} from '../whole-model.ts'

/** An operator with a reply to it. */
export const OperatorCandidate = z.object({
  task: z.object({
    name: z.string(),
    category: z.string(),
    path: z.string(),
    root: z.string(),
    /** Id of what it is judged by. */
    content: z.string(),
  }),
  sampler: z.object({model: z.string(), sample: z.int().nonnegative()}),
  reply: z.string(),
})
export type OperatorCandidate = z.infer<typeof OperatorCandidate>

const CaseVerdict = z.object({
  case: z.string(),
  /** Bytes of input. */
  bytes: z.number(),
  /** What the benchmark's own comparison says of its own inputs; absent if it passes. */
  literal: z.string().optional(),
  /** The first fault by the stricter one, of all calls. */
  hardened: z.string().optional(),
  /** Of a refusal. */
  behaviour: z.enum(behaviourNames).optional(),
  /** On the chip, by the published rates, next to the time for the bytes alone. */
  modelled: z.object({microseconds: z.number(), rooflineMicroseconds: z.number()}).optional(),
})
export type CaseVerdict = z.infer<typeof CaseVerdict>

const verdict = z.discriminatedUnion('opened', [
  Refused,
  z.object({
    opened: z.literal(true),
    cases: z.array(CaseVerdict),
    /** Cases that were not run, by what they are: `17: 256 MiB`. */
    leftOut: z.array(z.string()),
  }),
])
export type OperatorVerdict = z.infer<typeof verdict>

export const JudgedOperator = OperatorCandidate.omit({reply: true}).extend({
  /** Id of the reply's text. */
  reply: z.string(),
  verdict,
})
export type JudgedOperator = z.infer<typeof JudgedOperator>
