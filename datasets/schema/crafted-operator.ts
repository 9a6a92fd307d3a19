import {z} from 'zod'
import {Decision} from './decision.ts'
import {OperatorTask} from './task.ts'
import {Dtype} from './tensor.ts'
import {Verdict} from './verdict.ts'

/** A number, a name, or a function with its operands: `['add', 'x', ['exp', 'y']]`. */
export type Expression = number | string | [name: string, ...Expression[]]
export const Expression: z.ZodType<Expression> = z.lazy(() =>
  z.union([z.number(), z.string().min(1), z.tuple([z.string()]).rest(Expression)]),
) as z.ZodType<Expression>

/**
 * Which elements a tensor has for the grid of rows and columns that an operator works on: one for each place, each
 * column or each row, or a single one; `table` has rows of its own, which `index` chooses from; `windows` has a row for
 * each window of rows.
 */
export const Layout = z.enum(['full', 'columns', 'rows', 'one', 'table', 'windows'])
export type Layout = z.infer<typeof Layout>

const Reduction = z.enum(['sum', 'max', 'min'])
export type Reduction = z.infer<typeof Reduction>

/** What an operator of the factory computes, and how its program divides the work: all else follows from it. */
export const CraftDesign = z.strictObject({
  /** CamelCase. */
  name: z.string().min(1),
  category: z.string().min(1),
  /** Form of the calculation, such as `rows`. */
  form: z.enum(['elements', 'rows', 'columns', 'all', 'scan', 'windows', 'lookup']),
  inputs: z
    .array(
      z.strictObject({
        name: z.string(),
        layout: Layout,
        type: Dtype,
        /** Values for which it is defined and well conditioned. */
        domain: z.tuple([z.number(), z.number()]),
      }),
    )
    .min(1),
  /** Numbers of the caller's: the default, and another value that some cases pass. */
  attributes: z.array(z.strictObject({name: z.string(), value: z.number(), other: z.number()})),
  /**
   * Reductions in their order: of an expression, and what is made of the result, `found`, over `n` elements. A stage
   * may use the ones before it by name.
   */
  stages: z.array(z.strictObject({name: z.string(), reduce: Reduction, of: Expression, made: Expression})),
  /** Of a scan: the value before the first row, and the next one of the one before, `before`. */
  scan: z.strictObject({start: z.number(), next: Expression}).optional(),
  /** Of windows: rows in one, and from one to the next. */
  window: z.strictObject({size: z.int().positive(), step: z.int().positive()}).optional(),
  outputs: z.array(z.strictObject({name: z.string(), layout: Layout, type: Dtype, value: Expression})).min(1),
  /** Type that it computes in. */
  compute: z.enum(['float32', 'int32']),
  /** How the work is divided into tiles and over cores. */
  strategy: z.enum(['runs', 'turns', 'row-fits', 'row-split', 'strips', 'meeting']),
  /** Copies of each input and output buffer. */
  depth: z.union([z.literal(1), z.literal(2)]),
  /** Most elements of a tile, and most cores; without them what the unified buffer and the chip have. */
  bounds: z
    .strictObject({tile: z.int().positive().optional(), cores: z.int().positive().max(48).optional()})
    .optional(),
})
export type CraftDesign = z.infer<typeof CraftDesign>

/** A design as the factory draws it. */
export const DrawnDesign = z.strictObject({
  design: CraftDesign,
  /** Equal for designs that differ in numbers and names only, or in the order of operands that may be exchanged. */
  structure: z.string().min(1),
})
export type DrawnDesign = z.infer<typeof DrawnDesign>

/** What the factory is asked for. */
export const CraftOrder = z.strictObject({
  /** Designs that differ in structure. */
  designs: z.int().positive(),
})
export type CraftOrder = z.infer<typeof CraftOrder>

/** Steps of a curriculum: what makes an operator harder to write. */
export const Difficulty = z.strictObject({
  /** Functions in its formulas. */
  functions: z.int(),
  /** Reductions and scans. */
  reductions: z.int(),
  /** Element types. */
  types: z.int(),
  /** Whether a row can be longer than a tile, or the rows end in the middle of one. */
  tails: z.boolean(),
  /** 1 to 3; the level of its task. */
  level: z.int().min(1).max(3),
})
export type Difficulty = z.infer<typeof Difficulty>

/** A program of the tile language that was found correct, with all that was derived from its design. */
export const CraftedOperator = DrawnDesign.extend({
  difficulty: Difficulty,
  program: z.string(),
  /** Elements of a tile. */
  tile: z.int(),
  task: OperatorTask,
  decisions: z.array(Decision),
  verdict: Verdict,
})
export type CraftedOperator = z.infer<typeof CraftedOperator>
