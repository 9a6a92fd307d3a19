import {existsSync} from 'node:fs'
import {resolve} from 'node:path'
import {fileURLToPath, pathToFileURL} from 'node:url'
import type {Config} from '../core/config.ts'
import {isSystemError, PipelineError} from '../core/errors.ts'
import type {Teachers} from '../core/llm/connect.ts'
import type {Pipeline} from '../core/pipeline.ts'
import type {RunRecord} from '../core/run.ts'
import {openWorkspace, type Recipe, type Workspace} from '../workspace.ts'
import {makeExecutor} from './executor.ts'
import {writeReport} from './report.ts'
import {saveSequence} from './runs.ts'
import {printSummary} from './summary.ts'
import {connectTeachers} from './teachers.ts'
import {watchedRun} from './watched-run.ts'
import type {World} from './world.ts'

interface How {
  json: boolean
  /** Start although the forecast passes the budget; the budget itself still holds. */
  startAnyway: boolean
}

interface Session {
  config: Config
  world: World
  workspace: Workspace
  teachers: Teachers
  how: How
}

/** `ascend-cot run <recipe…>`: the recipes one after another, then summary and report. Exit code 1 when records failed. */
export async function run(names: readonly string[], config: Config, world: World, how: How): Promise<number> {
  const recipes = await Promise.all(names.map(loadRecipe))
  const teachers = connectTeachers(config, world)
  const session: Session = {config, world, workspace: openWorkspace(config, (wanted) => makeExecutor(wanted, world.terminal)), teachers, how}
  await saveSequence(config.out, names.map(recipeName))
  const records: RunRecord[] = []
  const started = world.now()
  try {
    for (const recipe of recipes) records.push(await runRecipe(await recipe(session.workspace), session))
  } finally {
    teachers.close()
  }
  const reportFile = await writeReport(config.out)
  await printSummary({config, records, reportFile, seconds: (world.now() - started) / 1000, spending: teachers.spending()}, world, how)
  return records.some((record) => record.counts.some((count) => count.failed > 0)) ? 1 : 0
}

/** A recipe that joins finished runs takes all of them, or what is exported would not be what was made. */
function runRecipe(pipeline: Pipeline<unknown>, {config, world, teachers, how: {startAnyway}}: Session): Promise<RunRecord> {
  const limit = pipeline.stages[0]?.name === 'from-run' ? undefined : config.limit
  return watchedRun(pipeline, {config, world, teachers, startAnyway, limit})
}

/** A recipe's name when it is one of ours, else the path of a file that default-exports one. */
async function loadRecipe(nameOrPath: string): Promise<Recipe> {
  const own = fileURLToPath(new URL(`../recipes/${nameOrPath}.ts`, import.meta.url))
  const file = existsSync(own) ? own : resolve(nameOrPath)
  if (!existsSync(file)) {
    throw new PipelineError('recipe-missing', `There is no recipe ${nameOrPath}.`, {
      fix: 'Use one of those in pipelines/recipes (documentation, kernels, candidates, preference, release-sft, release-dpo, card), or give the path of your own.', scope: 'run',
    })
  }
  const module = (await import(pathToFileURL(file).href).catch((error: unknown) => { throw notAModule(file, error) })) as {default?: Recipe}
  if (typeof module.default !== 'function') {
    throw new PipelineError('input-invalid', `${file} does not default-export a recipe.`, {fix: 'See pipelines/recipes for what one looks like.', scope: 'run'})
  }
  return module.default
}

/** Outside of a package of type "module", Node takes a `.ts` file for CommonJS, which cannot require our modules. */
function notAModule(file: string, error: unknown): unknown {
  if (!isSystemError(error, 'ERR_REQUIRE_CYCLE_MODULE') && !isSystemError(error, 'ERR_REQUIRE_ASYNC_MODULE')) return error
  return new PipelineError('input-invalid', `${file} is not an ES module.`, {fix: `Rename it to ${file.replace(/\.ts$/, '.mts')}.`, scope: 'run', cause: error})
}

function recipeName(nameOrPath: string): string {
  return nameOrPath.replace(/^.*\//, '').replace(/\.m?ts$/, '')
}
