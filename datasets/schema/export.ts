import {z} from 'zod'
import {ApiEntry} from './api-entry.ts'
import {ErrorEntry} from './error-entry.ts'
import {OptimisationPair} from './optimisation.ts'
import {CotSample, PreferencePair} from './sample.ts'
import {UnpairedReply} from './unpaired.ts'

/** The configurations of the data set, and the record type of each. */
export interface RecordOf {
  sft: CotSample
  dpo: PreferencePair
  apis: ApiEntry
  errors: ErrorEntry
  kto: UnpairedReply
  optimisation: OptimisationPair
}
export type Config = keyof RecordOf

export const recordSchemas: {readonly [C in Config]: z.ZodType<RecordOf[C]>} = {
  sft: CotSample,
  dpo: PreferencePair,
  apis: ApiEntry,
  errors: ErrorEntry,
  kto: UnpairedReply,
  optimisation: OptimisationPair,
}

/** In the order used by cards and reports. */
export const configs = Object.keys(recordSchemas) as Config[]

export const Split = z.enum(['train', 'test'])
export type Split = z.infer<typeof Split>

/**
 * A record with its place in the data set. `id` is the content id of the record, so a row leads back to the run that
 * made it.
 */
export const SplitRow = z.discriminatedUnion('config', [
  z.strictObject({config: z.literal('sft'), id: z.string().min(1), split: Split, record: CotSample}),
  z.strictObject({config: z.literal('dpo'), id: z.string().min(1), split: Split, record: PreferencePair}),
  z.strictObject({config: z.literal('apis'), id: z.string().min(1), split: Split, record: ApiEntry}),
  z.strictObject({config: z.literal('errors'), id: z.string().min(1), split: Split, record: ErrorEntry}),
  z.strictObject({config: z.literal('kto'), id: z.string().min(1), split: Split, record: UnpairedReply}),
  z.strictObject({config: z.literal('optimisation'), id: z.string().min(1), split: Split, record: OptimisationPair}),
])
export type SplitRow = z.infer<typeof SplitRow>
