import type {Config} from '../workspace/config.ts'
import type {Teachers} from '../../engine/llm/connect.ts'
import {PipelineError} from '../../engine/errors.ts'
import {Pipeline} from '../../engine/pipeline.ts'
import type {RunRecord} from '../../engine/run.ts'
import {openWorkspace, type Workspace} from '../workspace/workspace.ts'
import {makeExecutor} from './executor.ts'
import {exitCode, tellSources} from './outcome.ts'
import {blamed, loadRecipes, type LoadedRecipe} from './recipe-file.ts'
import {tellLicences} from './licence-notice.ts'
import {writeReport} from './report.ts'
import {saveSequence} from '../workspace/runs.ts'
import {printSummary} from './run-summary.ts'
import {checkTeacherNames} from './teacher-names.ts'
import {checkTeachers, connectTeachers, draftOf, needsExecutor, teachersAsked} from './teachers.ts'
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
      const early = await beforeJudging(recipe, session)
      if (how.dryRun !== undefined && early?.whole) {
        await foresee(early.pipeline, watchedOf(early.pipeline, session), shownOf(how))
        continue
      }
      if (early && !how.startAnyway && how.dryRun === undefined) await refuseEarly(early.pipeline, session)
      const pipeline = await recipe.make(session.workspace)
      tellSources(pipeline, recipes, world.terminal)
      await tellLicences(pipeline, config, world.terminal)
      if (how.dryRun === undefined) records.push(await blamed(recipe, () => runRecipe(pipeline, session)))
      else await blamed(recipe, () => foresee(pipeline, watchedOf(pipeline, session), shownOf(how)))
    }
  } finally {
    teachers.close()
  }
  if (how.dryRun !== undefined) return 0
  const reportFile = await writeReport(config.out)
  await printSummary(
    {config, records, reportFile, seconds: (world.now() - started) / 1000, spending: teachers.spending()},
    world,
    how,
  )
  return exitCode(records, world.terminal)
}

function runRecipe(pipeline: Pipeline<unknown>, session: Session): Promise<RunRecord> {
  return watchedRun(pipeline, watchedOf(pipeline, session))
}

/** A recipe that joins finished runs takes all of them, or what is exported would not be what was made. */
function watchedOf(pipeline: Pipeline<unknown>, {config, world, teachers, how}: Session) {
  const limit = pipeline.stages[0]?.readsRuns ? undefined : config.limit
  return {config, world, teachers, startAnyway: how.startAnyway, limit}
}

const shownOf = ({dryRun = 0, json}: How) => ({show: dryRun, json})

interface Early {
  pipeline: Pipeline<unknown>
  /** No teacher is asked behind it. */
  whole: boolean
}

/** The stages that need no executor, put together without one; undefined where the recipe itself has to tell why. */
async function beforeJudging({make}: LoadedRecipe, {workspace, config}: Session): Promise<Early | undefined> {
  if (Object.keys(config.teachers).length === 0) return undefined
  try {
    const {name, origins, stages} = await make(draftOf(workspace))
    const judging = stages.findIndex(needsExecutor)
    const before = judging === -1 ? stages : stages.slice(0, judging)
    const whole = stages.slice(before.length).every(({teacher}) => !teacher || !config.teachers[teacher])
    return {pipeline: Pipeline.of(name, origins, before), whole}
  } catch {
    return undefined
  }
}

/**
 * What is asked before any code is judged is forecast before the twin is compiled, which may take minutes.
 * @throws PipelineError `budget-exceeded`
 */
async function refuseEarly(before: Pipeline<unknown>, session: Session): Promise<void> {
  const {config, world} = session
  if (config.budget.tokens === undefined && config.budget.cost === undefined) return
  const silent = {...world, terminal: {...world.terminal, say() {}}}
  try {
    await foresee(before, {...watchedOf(before, session), world: silent})
  } catch (error) {
    // Anything else is met again, and told, by the recipe itself.
    if (error instanceof PipelineError && (error.code === 'budget-exceeded' || error.code === 'interrupted'))
      throw error
  }
}
