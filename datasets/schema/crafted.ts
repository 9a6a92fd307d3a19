import {z} from 'zod'
import {SourceFile} from './operator.ts'

/** A task as a model is shown it: nothing of its answer. */
export const CraftTask = z.strictObject({
  /** Of the benchmark, e.g. `layer_norm`. */
  name: z.string().min(1),
  /** The operator's type in CamelCase that its files declare. */
  operator: z.string().min(1),
  category: z.string().min(1),
  /** The PyTorch module that says what is to be computed. */
  reference: z.string().min(1),
  /** Shapes and types of inputs and outputs, a line each. */
  shapes: z.string().min(1),
})
export type CraftTask = z.infer<typeof CraftTask>

/** What a run leaves out, for ablations. */
export const Ablation = z.enum(['dsl', 'examples', 'passes', 'feedback', 'alignment'])
export type Ablation = z.infer<typeof Ablation>

export const CraftSetting = z.strictObject({
  /** Replies that a step may take at most. */
  rounds: z.int().positive(),
  /** Who lowers programs to Ascend C. */
  lowering: z.enum(['compiler', 'model']),
  without: z.array(Ablation),
})
export type CraftSetting = z.infer<typeof CraftSetting>

/** `program`: the task to the tile language. `direct`: the task to Ascend C at once. The others lower. */
export const CraftStep = z.enum(['program', 'direct', 'lowering', 'host', 'init', 'compute', 'aligned'])
export type CraftStep = z.infer<typeof CraftStep>

/** Why a reply was not taken, and who said so; the text is what the model was told. */
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

/** What became of a task. Files are there only where the judge found them correct. */
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
