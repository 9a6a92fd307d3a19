import {z} from 'zod'
import {Dtype} from './tensor.ts'

/** Where it is said: a file relative to the operator's folder, and its line, 1-based. */
const Place = z.strictObject({path: z.string().min(1), line: z.int().positive()})

const Value = z.union([z.boolean(), z.number(), z.string(), z.array(z.number())])

const ExampleTensor = z.strictObject({
  /** As the call has it; '' where the place alone tells which it is. */
  name: z.string(),
  dtype: Dtype,
  shape: z.array(z.int().nonnegative()),
  /** Row-major, where they are given and few. */
  values: z.array(z.number()).optional(),
  range: z.tuple([z.number(), z.number()]).optional(),
})
export type ExampleTensor = z.infer<typeof ExampleTensor>

/** A call that people wrote: of a test, of an example, of a table of cases. */
export const ContractExample = z.strictObject({
  /** In order; null for an optional one that is not handed over. */
  inputs: z.array(ExampleTensor.nullable()),
  outputs: z.array(ExampleTensor),
  attributes: z.array(z.strictObject({name: z.string(), value: Value})),
  place: Place,
})
export type ContractExample = z.infer<typeof ContractExample>

/**
 * A size as a page writes it: a number, or an expression of symbols, `numRois`, `2*D`. The same symbol is the same size
 * everywhere in a contract.
 */
export const Dimension = z.union([z.int().nonnegative(), z.string()])
export type Dimension = z.infer<typeof Dimension>

/** What a page says of one parameter; what it does not say is absent. */
export const ContractParameter = z.strictObject({
  name: z.string().min(1),
  kind: z.enum(['input', 'output', 'attribute']),
  optional: z.boolean(),
  dtypes: z.array(Dtype),
  /** Shapes that it may have, any of them. */
  shapes: z.array(z.array(Dimension)),
  /** How many dimensions it may have. */
  ranks: z.array(z.int().nonnegative()),
  /** The parameter whose shape is its own as well. */
  like: z.string().optional(),
  range: z.tuple([z.number(), z.number()]).optional(),
  /** Among its values are places in another tensor, as the batch of a region: none can be drawn. */
  hasPlaces: z.boolean().optional(),
  default: Value.optional(),
  place: Place,
})
export type ContractParameter = z.infer<typeof ContractParameter>

/** What an operator's own tests, examples and pages say of how it is called. */
export const Contract = z.strictObject({
  examples: z.array(ContractExample),
  parameters: z.array(ContractParameter),
})
export type Contract = z.infer<typeof Contract>

/** Where a call comes from. `inferred`: drawn by names, and in agreement with the operator's inference of shapes. */
export const CallOrigin = z.strictObject({
  contract: z.enum(['example', 'page', 'inferred', 'none']),
  place: Place.optional(),
})
export type CallOrigin = z.infer<typeof CallOrigin>

/** Whether a call's outputs are what the operator's formula gives. `none`: no formula understands the call. */
export const FormulaCheck = z.enum(['agrees', 'none'])
