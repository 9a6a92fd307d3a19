import {z} from 'zod'
import {SourceFile} from './operator.ts'

/** A task as shown to a model, without its answer. */
export const CraftTask = z.strictObject({
  /** Of the benchmark, e.g. `layer_norm`. */
  name: z.string().min(1),
  /** The operator's type in CamelCase that its files declare. */
  operator: z.string().min(1),
  category: z.string().min(1),
  /** The PyTorch module that defines what to compute. */
  reference: z.string().min(1),
  /** Shapes and types of inputs and outputs, one per line. */
  shapes: z.string().min(1),
})
export type CraftTask = z.infer<typeof CraftTask>

/** What a run omits, for ablations. */
export const Ablation = z.enum(['dsl', 'examples', 'passes', 'feedback', 'alignment'])
export type Ablation = z.infer<typeof Ablation>

export const CraftSetting = z.strictObject({
  /** Most replies per step. */
  rounds: z.int().positive(),
  /** Who lowers programs to Ascend C. */
  lowering: z.enum(['compiler', 'model']),
  without: z.array(Ablation),
})
export type CraftSetting = z.infer<typeof CraftSetting>

/** `program`: the task to the tile language. `direct`: the task to Ascend C at once. The others lower. */
export const CraftStep = z.enum(['program', 'direct', 'lowering', 'host', 'init', 'compute', 'aligned'])
export type CraftStep = z.infer<typeof CraftStep>

/** Why a reply was rejected, and by which check; the text is the feedback to the model. */
export const CraftFinding = z.strictObject({
  by: z.enum(['reader', 'checker', 'interpreter', 'compiler', 'judge']),
  text: z.string().min(1),
})
export type CraftFinding = z.infer<typeof CraftFinding>

/** One reply of the model. */
export const CraftRound = z.strictObject({
  step: CraftStep,
  /** 1, 2 … within the step. */
  round: z.int().positive(),
  reply: z.string(),
  reasoning: z.string(),
  promptTokens: z.int().nonnegative(),
  completionTokens: z.int().nonnegative(),
  finding: CraftFinding.optional(),
})
export type CraftRound = z.infer<typeof CraftRound>

/** The outcome of a task. Files are present only if the judge found them correct. */
export const Crafted = z.strictObject({
  task: CraftTask,
  setting: CraftSetting,
  model: z.string().min(1),
  state: z.enum(['correct', 'compiled', 'not-compiled']),
  /** The program of the tile language that the files were lowered from. */
  program: z.string().optional(),
  files: z.array(SourceFile),
  rounds: z.array(CraftRound).min(1),
})
export type Crafted = z.infer<typeof Crafted>
