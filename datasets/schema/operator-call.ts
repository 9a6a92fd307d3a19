import {z} from 'zod'
import {Dtype, TensorSpec} from './tensor.ts'

/** An input of a call: with values drawn from `range`. */
export const DrawnInput = TensorSpec.extend({
  range: z.tuple([z.number(), z.number()]),
  /** Given instead of drawn, row-major: an axis, a list of sizes, indices. */
  values: z.array(z.number()).optional(),
})
export type DrawnInput = z.infer<typeof DrawnInput>

/** One call of an operator, except for drawn values: shapes, dtypes and attributes. */
export const DrawnCall = z.strictObject({
  /** dtype of each input and output by OpDef name, as the program is built. */
  dtypes: z.record(z.string(), Dtype),
  inputs: z.array(DrawnInput),
  /** By OpDef name; others have their default. */
  attributes: z.record(z.string(), z.union([z.boolean(), z.number(), z.string(), z.array(z.number())])),
  outputs: z.array(TensorSpec),
})
export type DrawnCall = z.infer<typeof DrawnCall>
