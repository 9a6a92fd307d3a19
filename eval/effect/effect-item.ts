import {z} from 'zod'

/** Measures of a model: each has its own rule from bits to a reading. */
const measures = ['code', 'reasoning', 'ranking', 'interfaces', 'forgetting'] as const
export type Measure = (typeof measures)[number]

export const ChatMessages = z.array(z.object({role: z.string(), content: z.string()}))
export type ChatMessages = z.infer<typeof ChatMessages>

/** A text to be scored in bits, as read by `effect.py`; the other fields say what for. */
export interface EffectItem {
  id: string
  measure: Measure
  /** What readings are resampled over: a file, a row, a pair or a question. */
  unit: string
  /** Which of the unit's texts: `none`, `own`, `other` or `sampled` reasoning; `right` or `wrong`. */
  variant: string
  /** Grouping of units: device or host code, a class of faults, English or Python. */
  group: string
  messages?: ChatMessages
  before: string
  parts: readonly string[]
  /** Tokens to keep: the first ones of the messages and the last part, the last ones of `before`. */
  most: {messages?: number; before?: number; last?: number}
}

/** The output of `effect.py score` for an item: bits, tokens and bytes of every part. */
export const ItemBits = z.strictObject({
  id: z.string(),
  parts: z.array(z.strictObject({bits: z.number(), tokens: z.int(), bytes: z.int()})),
})
export type ItemBits = z.infer<typeof ItemBits>
