import {Config} from '../core/config.ts'
import {PipelineError} from '../core/errors.ts'
import {findRuns, readSequence} from './runs.ts'
import {run} from './run.ts'
import type {World} from './world.ts'

/** `ascend-cot resume`: every recipe of an output folder again, in order; what is finished is only read, what failed is tried again. */
export async function resume(out: string, world: World, how: {json: boolean; startAnyway: boolean}): Promise<number> {
  const runs = await findRuns(out)
  const recipes = await readSequence(out)
  const saved = Config.safeParse(runs.at(-1)?.record.config)
  if (!saved.success || recipes.length === 0) {
    throw new PipelineError('run-missing', `${out} does not say how its runs were started.`, {fix: 'Start them again with `ascend-cot run <recipe…>`; what they hold is not done again.', scope: 'run'})
  }
  return run(recipes, {...saved.data, out}, world, how)
}
