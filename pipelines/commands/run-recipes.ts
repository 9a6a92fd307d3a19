import type {Config} from '../workspace/config.ts'
import type {Teachers} from '../../engine/llm/connect.ts'
import type {Pipeline} from '../../engine/pipeline.ts'
import type {RunRecord} from '../../engine/run.ts'
import {openWorkspace, type Workspace} from '../workspace/workspace.ts'
import {makeExecutor} from './executor.ts'
import {exitCode, tellSources} from './outcome.ts'
import {blamed, loadRecipes} from './recipe-file.ts'
import {tellLicences} from './licence-notice.ts'
import {writeReport} from './report.ts'
import {saveSequence} from '../workspace/runs.ts'
import {printSummary} from './run-summary.ts'
import {checkTeacherNames} from './teacher-names.ts'
import {checkTeachers, connectTeachers, teachersAsked} from './teachers.ts'
import {watchedRun} from './watched-run.ts'
import {workspaceWorld, type World} from './world.ts'

interface How {
  json: boolean
  /** Start even if the forecast exceeds the budget; the budget itself still holds. */
  startAnyway: boolean
}

interface Session {
  config: Config
  world: World
  workspace: Workspace
  teachers: Teachers
  how: How
}

/**
 * `ascend-cot run <recipe…>`: the recipes one after another, then summary and report. Exit code 1 when records failed
 * or nothing was made.
 */
export async function run(names: readonly string[], config: Config, world: World, how: How): Promise<number> {
  const recipes = await loadRecipes(names, config.out)
  checkTeacherNames(
    config.teachers,
    recipes.some(({file}) => file !== undefined),
    world.terminal,
  )
  const teachers = connectTeachers(config, world)
  const session: Session = {
    config,
    world,
    workspace: openWorkspace(config, (wanted) => makeExecutor(wanted, world), workspaceWorld(world)),
    teachers,
    how,
  }
  await checkTeachers(
    await teachersAsked(
      recipes.map(({make}) => make),
      session.workspace,
    ),
    config,
    world,
  )
  await saveSequence(config.out, recipes)
  const records: RunRecord[] = []
  const started = world.now()
  try {
    for (const recipe of recipes) {
      const pipeline = await recipe.make(session.workspace)
      tellSources(pipeline, recipes, world.terminal)
      await tellLicences(pipeline, config, world.terminal)
      records.push(await blamed(recipe, () => runRecipe(pipeline, session)))
    }
  } finally {
    teachers.close()
  }
  const reportFile = await writeReport(config.out)
  await printSummary(
    {config, records, reportFile, seconds: (world.now() - started) / 1000, spending: teachers.spending()},
    world,
    how,
  )
  return exitCode(records, world.terminal)
}

/** A recipe that joins finished runs takes all of them, or what is exported would not be what was made. */
function runRecipe(
  pipeline: Pipeline<unknown>,
  {config, world, teachers, how: {startAnyway}}: Session,
): Promise<RunRecord> {
  const limit = pipeline.stages[0]?.readsRuns ? undefined : config.limit
  return watchedRun(pipeline, {config, world, teachers, startAnyway, limit})
}
