import {z} from 'zod'
import {PipelineError} from '../errors.ts'
import type {AnyStage} from '../pipeline.ts'
import {stageKey} from '../stage-key.ts'
import {differences, Fingerprint, fingerprintOf} from './fingerprint.ts'

/** All that a worker needs to make the stage of a run again. */
export const WorkOrder = z.strictObject({
  /** Raised when older workers could not read it. */
  format: z.literal(1),
  /** Name of a recipe, or the path of a user's own. */
  recipe: z.string(),
  /** The run's configuration; the worker replaces what names places of its machine. */
  config: z.unknown(),
  /** What the recipe learned about earlier runs and sources while it was made. */
  answers: z.record(z.string(), z.unknown()),
  seed: z.string(),
  /** The place of the stage in the pipeline, from 0. */
  index: z.int().nonnegative(),
  fingerprint: Fingerprint,
})
export type WorkOrder = z.infer<typeof WorkOrder>

/** @throws Error with the first fault */
export const readWorkOrder = (text: string): WorkOrder => WorkOrder.parse(JSON.parse(text))

/**
 * Whether a stage that was made here is the one of the run.
 * @throws PipelineError `config-invalid` that names every difference
 */
export async function ensureSame(order: WorkOrder, stage: AnyStage | undefined): Promise<void> {
  const {fingerprint: wanted, seed} = order
  if (!stage) throw otherStage([`the recipe ${order.recipe} has no stage ${order.index + 1} here`])
  const here = await fingerprintOf(stage, stageKey(stage, seed))
  const found = differences(wanted, here)
  if (found.length > 0) throw otherStage(found)
}

function otherStage(found: readonly string[]): PipelineError {
  return new PipelineError('config-invalid', `This machine would not give the run's results: ${found.join('; ')}.`, {
    fix: 'Use the same image, or install the same package, compiler and Python as on the machine of the run.',
    evidence: {differences: [...found]},
  })
}
