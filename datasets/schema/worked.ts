import {z} from 'zod'
import {Observation} from './decision.ts'
import {DrawnInput} from './operator-call.ts'
import {Origin} from './origin.ts'
import {TensorSpec} from './tensor.ts'
import {ExecutorIdentity} from './verdict.ts'

/** What a run shows about a wrong kernel: a rule of the executor, an error of the compiler, or other values. */
export const Shown = z.union([z.strictObject({refused: z.string()}), z.enum(['not-built', 'wrong'])])
export type Shown = z.infer<typeof Shown>

/** A number; `NaN` and infinities, which JSON cannot represent, are text. */
const Value = z.union([z.number(), z.string()])
export type Value = z.infer<typeof Value>

export const valueOf = (value: number): Value => (Number.isFinite(value) ? value : String(value))

/** A question about an interface that small kernels answer: a correct one, and a wrong one. */
export const WorkedQuestion = z.strictObject({
  /** Its name in code, without its class. */
  api: z.string().min(1),
  /** Of its page. */
  origin: Origin,
  page: z.string().min(1),
  /** Kebab-case; worded in the catalogue. */
  situation: z.string().min(1),
  /** Values for the wording, by name. */
  values: z.record(z.string(), z.union([z.number(), z.string(), z.array(z.string())])),
  inputs: z.array(DrawnInput),
  outputs: z.array(TensorSpec),
  /** The file of the kernel. */
  text: z.string(),
  /** The host file, if it passes a tiling or a workspace to the kernel, or launches several cores. */
  host: z.string().optional(),
  other: z.strictObject({text: z.string(), shows: Shown}).optional(),
  /** Output values from the formula, in exact arithmetic, by name; first elements only. */
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
