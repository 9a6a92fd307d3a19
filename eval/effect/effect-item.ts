import {z} from 'zod'

/** What is asked of a model: each has a rule of its own by which bits become a reading. */
const measures = ['code', 'reasoning', 'ranking', 'interfaces', 'forgetting'] as const
export type Measure = (typeof measures)[number]

export const ChatMessages = z.array(z.object({role: z.string(), content: z.string()}))
export type ChatMessages = z.infer<typeof ChatMessages>

/** A text whose bits are asked for, as `effect.py` reads it; the other fields say what its bits are for. */
export interface EffectItem {
  id: string
  measure: Measure
  /** What readings are resampled over: a file, a row, a pair or a question. */
  unit: string
  /** Which of the unit's texts: `none`, `own`, `other` or `sampled` reasoning; `right` or `wrong`. */
  variant: string
  /** What units are told apart by: device or host code, a class of faults, English or Python. */
  group: string
  messages?: ChatMessages
  before: string
  parts: readonly string[]
  /** Tokens that are kept: of the messages and the last part the first ones, of `before` the last ones. */
  most: {messages?: number; before?: number; last?: number}
}

/** What `effect.py score` says of an item: bits, tokens and bytes of every part. */
export const ItemBits = z.strictObject({
  id: z.string(),
  parts: z.array(z.strictObject({bits: z.number(), tokens: z.int(), bytes: z.int()})),
})
export type ItemBits = z.infer<typeof ItemBits>
