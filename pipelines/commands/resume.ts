import {Config} from '../workspace/config.ts'
import {PipelineError} from '../../engine/errors.ts'
import {evaluate} from './eval.ts'
import {savedRequest} from './evaluation/request.ts'
import {run} from './run-recipes.ts'
import {findRuns, ownRecipes, readSequence, type FoundRun} from '../workspace/runs.ts'
import type {World} from './world.ts'

interface How {
  json: boolean
  startAnyway: boolean
}

/**
 * `ascend-cot resume`: reruns every recipe of an output folder in order, then every evaluation. Finished work is only
 * read; failed records are retried.
 */
export async function resume(out: string, world: World, how: How): Promise<number> {
  const runs = await findRuns(out)
  const recipes = await readSequence(out)
  const files = await ownRecipes(out)
  const requests = await Promise.all(runs.map(async (found) => ({found, request: await savedRequest(found.directory)})))
  const codes: number[] = []
  if (recipes.length > 0) {
    const latest = runs.findLast(({record}) => recipes.includes(record.recipe)) ?? runs.at(-1)
    codes.push(
      await run(
        recipes.map((recipe) => files[recipe] ?? recipe),
        configOf(latest, out),
        world,
        how,
      ),
    )
  }
  for (const {found, request} of requests)
    if (request) codes.push(await evaluate({...request, ...how}, configOf(found, out), world))
  if (codes.length === 0) throw unknownStart(out)
  return Math.max(...codes)
}

function configOf(found: FoundRun | undefined, out: string): Config {
  const saved = Config.safeParse(found?.record.config)
  if (!saved.success) throw unknownStart(out)
  return {...saved.data, out}
}

function unknownStart(out: string): PipelineError {
  return new PipelineError('run-missing', `${out} does not record how its runs were started.`, {
    fix: 'Start them again with `ascend-cot run <recipe…>`; finished work is not repeated.',
  })
}
