import {z} from 'zod'
import {Observation} from './decision.ts'
import {DrawnInput} from './operator-call.ts'
import {Origin} from './origin.ts'
import {TensorSpec} from './tensor.ts'
import {ExecutorIdentity} from './verdict.ts'

/** What a run shows where a kernel is wrong: a rule of the executor, an error of the compiler, or other values. */
export const Shown = z.union([z.strictObject({refused: z.string()}), z.enum(['not-built', 'wrong'])])
export type Shown = z.infer<typeof Shown>

/** A number; `NaN` and infinities, which JSON has no number for, are text. */
const Value = z.union([z.number(), z.string()])
export type Value = z.infer<typeof Value>

export const valueOf = (value: number): Value => (Number.isFinite(value) ? value : String(value))

/** A question about an interface that small kernels answer: one that is right, and one that should not be so. */
export const WorkedQuestion = z.strictObject({
  /** As code names it, without its class. */
  api: z.string().min(1),
  /** Of its page. */
  origin: Origin,
  page: z.string().min(1),
  /** Kebab-case; the catalogue has its words. */
  situation: z.string().min(1),
  /** What the words speak of, by name. */
  values: z.record(z.string(), z.union([z.number(), z.string(), z.array(z.string())])),
  inputs: z.array(DrawnInput),
  outputs: z.array(TensorSpec),
  /** The file of the kernel. */
  text: z.string(),
  /** The file of the host, where it hands the kernel a tiling or a workspace, or launches several cores. */
  host: z.string().optional(),
  other: z.strictObject({text: z.string(), shows: Shown}).optional(),
  /** Values of outputs by the formula, in exact arithmetic, by name; of their first elements. */
  expected: z.record(z.string(), z.array(Value)),
})
export type WorkedQuestion = z.infer<typeof WorkedQuestion>

/** The same after its kernels ran. */
export const WorkedRun = WorkedQuestion.extend({
  /** The first values of each output. */
  results: z.record(z.string(), z.array(Value)),
  observed: Observation.optional(),
  executor: ExecutorIdentity,
})
export type WorkedRun = z.infer<typeof WorkedRun>
