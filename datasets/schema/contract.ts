import {z} from 'zod'
import {Dtype} from './tensor.ts'

/** The source: a file relative to the operator's folder, and its line, 1-based. */
const Place = z.strictObject({path: z.string().min(1), line: z.int().positive()})

const Value = z.union([z.boolean(), z.number(), z.string(), z.array(z.number())])

const ExampleTensor = z.strictObject({
  /** Name in the call; '' if only the position identifies it. */
  name: z.string(),
  dtype: Dtype,
  shape: z.array(z.int().nonnegative()),
  /** Row-major; present if given and few. */
  values: z.array(z.number()).optional(),
  range: z.tuple([z.number(), z.number()]).optional(),
})
export type ExampleTensor = z.infer<typeof ExampleTensor>

/** A human-written call: from a test, an example or a table of cases. */
export const ContractExample = z.strictObject({
  /** In order; null for an omitted optional one. */
  inputs: z.array(ExampleTensor.nullable()),
  outputs: z.array(ExampleTensor),
  attributes: z.array(z.strictObject({name: z.string(), value: Value})),
  place: Place,
})
export type ContractExample = z.infer<typeof ContractExample>

/**
 * A size as written on a page: a number, or an expression of symbols, `numRois`, `2*D`. The same symbol is the same
 * size everywhere in a contract.
 */
export const Dimension = z.union([z.int().nonnegative(), z.string()])
export type Dimension = z.infer<typeof Dimension>

/** What a page says about one parameter; anything it omits is absent. */
export const ContractParameter = z.strictObject({
  name: z.string().min(1),
  kind: z.enum(['input', 'output', 'attribute']),
  optional: z.boolean(),
  dtypes: z.array(Dtype),
  /** Allowed shapes. */
  shapes: z.array(z.array(Dimension)),
  /** Allowed numbers of dimensions. */
  ranks: z.array(z.int().nonnegative()),
  /** The parameter with the same shape. */
  like: z.string().optional(),
  range: z.tuple([z.number(), z.number()]).optional(),
  /**
   * Some of its values are indices into another tensor, such as the batch of a region, so they cannot be drawn at
   * random.
   */
  hasPlaces: z.boolean().optional(),
  default: Value.optional(),
  place: Place,
})
export type ContractParameter = z.infer<typeof ContractParameter>

/** How an operator is called, according to its tests, examples and pages. */
export const Contract = z.strictObject({
  examples: z.array(ContractExample),
  parameters: z.array(ContractParameter),
})
export type Contract = z.infer<typeof Contract>

/** Where a call comes from. `inferred`: drawn by names, and consistent with the operator's shape inference. */
export const CallOrigin = z.strictObject({
  contract: z.enum(['example', 'page', 'inferred', 'none']),
  place: Place.optional(),
})
export type CallOrigin = z.infer<typeof CallOrigin>

/** Whether a call's outputs match the operator's formula. `none`: no formula covers the call. */
export const FormulaCheck = z.enum(['agrees', 'none'])
