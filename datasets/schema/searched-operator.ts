import {z} from 'zod'
import {CraftDesign, DrawnDesign} from './crafted-operator.ts'
import {Decision} from './decision.ts'
import {SourceFile} from './operator.ts'
import {ModelledCost} from './optimisation.ts'
import {OperatorTask} from './task.ts'
import {Verdict} from './verdict.ts'

/** What a step of a search changes: the copies of buffers, the length of tiles, the cores, or how work is divided. */
export const Knob = z.enum(['depth', 'tile', 'cores', 'division'])
export type Knob = z.infer<typeof Knob>

/** A correct program of an operator, with its modelled cost. */
export const FoundProgram = z.strictObject({
  design: CraftDesign,
  program: z.string().min(1),
  /** Elements of a tile. */
  tile: z.int().positive(),
  files: z.array(SourceFile).min(1),
  verdict: Verdict,
  cost: ModelledCost,
  /** Why the program is as it is. */
  decisions: z.array(Decision),
})
export type FoundProgram = z.infer<typeof FoundProgram>

/** A program of a search that is faster than the one before it. */
export const SearchStep = FoundProgram.extend({
  knob: Knob,
  /** Modelled time of the one before divided by its own. */
  gain: z.number().gt(1),
  /** Why it is faster than the one before, by the figures of both. */
  because: z.array(Decision).min(1),
})
export type SearchStep = z.infer<typeof SearchStep>

/** A search for faster programs of one operator: what it began with, and each step that it took. */
export const SearchedOperator = DrawnDesign.extend({
  task: OperatorTask,
  /** The call that all costs are of. */
  sizes: z.string(),
  start: FoundProgram,
  steps: z.array(SearchStep).min(1),
  /** Different programs of the search, also those that do not run. */
  tried: z.int().positive(),
})
export type SearchedOperator = z.infer<typeof SearchedOperator>
