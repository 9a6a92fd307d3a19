import type {Config} from '../workspace/config.ts'
import type {Teachers} from '../../engine/llm/connect.ts'
import type {Pipeline} from '../../engine/pipeline.ts'
import type {RunRecord} from '../../engine/run.ts'
import {openWorkspace, type Workspace} from '../workspace/workspace.ts'
import {checkOutputs, draftPipelines} from './drafts.ts'
import {executorOnce, type ExecutorOnce} from './executor.ts'
import {exitCode, tellSources} from './outcome.ts'
import {explained} from './terminal.ts'
import {blamed, loadRecipes} from './recipe-file.ts'
import {tellLicences} from './licence-notice.ts'
import {writeReport, writing} from './report.ts'
import {saveSequence} from '../workspace/runs.ts'
import {printSummary} from './run-summary.ts'
import {checkTeacherNames} from './teacher-names.ts'
import {checkTeachers, connectTeachers, teachersAsked} from './teachers.ts'
import {foresee, watchedRun} from './watched-run.ts'
import {workspaceWorld, type World} from './world.ts'

interface How {
  json: boolean
  /** Start even if the forecast exceeds the budget; the budget itself still holds. */
  startAnyway: boolean
  /** Shows this many requests of each recipe and sends none. */
  dryRun?: number | undefined
}

interface Session {
  config: Config
  world: World
  workspace: Workspace
  executor: ExecutorOnce
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
  const executor = executorOnce(config, world)
  const workspace = openWorkspace(config, executor.plan, workspaceWorld(world))
  const drafts = await explained(
    world.terminal,
    'reading recipes, sources and what earlier runs made',
    draftPipelines(
      recipes.map(({make}) => make),
      workspace,
    ),
  )
  if (how.dryRun === undefined) await checkTeachers(teachersAsked(drafts, config), config, world)
  checkOutputs(config)
  const teachers = connectTeachers(config, world)
  const session: Session = {config, world, workspace, executor, teachers, how}
  if (how.dryRun === undefined) await saveSequence(config.out, recipes)
  const records: RunRecord[] = []
  const started = world.now()
  try {
    for (const recipe of recipes) {
      const pipeline = await recipe.make(session.workspace)
      tellSources(pipeline, recipes, world.terminal)
      await tellLicences(pipeline, config, world.terminal)
      const watched = watchedOf(pipeline, session)
      if (how.dryRun !== undefined && teachersAsked([pipeline], config).length === 0)
        world.terminal.say(`${pipeline.name} asks no teacher that is configured: nothing would be sent`)
      if (how.dryRun === undefined) records.push(await blamed(recipe, () => watchedRun(pipeline, watched)))
      else await blamed(recipe, () => foresee(pipeline, watched, shownOf(how)))
    }
  } finally {
    teachers.close()
  }
  if (how.dryRun !== undefined) return 0
  const reportFile = await explained(world.terminal, writing, writeReport(config.out))
  await printSummary(
    {config, records, reportFile, seconds: (world.now() - started) / 1000, spending: teachers.spending()},
    world,
    how,
  )
  return exitCode(records, world.terminal)
}

/** A recipe that joins finished runs takes all of them, or what is exported would not be what was made. */
function watchedOf(pipeline: Pipeline<unknown>, {config, world, executor, teachers, how}: Session) {
  const limit = pipeline.stages[0]?.readsRuns ? undefined : config.limit
  return {config, world, teachers, startAnyway: how.startAnyway, limit, prepare: executor.open}
}

const shownOf = ({dryRun = 0, json}: How) => ({show: dryRun, json})
