import type {Config} from '../workspace/config.ts'
import type {Teachers} from '../../engine/llm/connect.ts'
import type {Pipeline} from '../../engine/pipeline.ts'
import type {RunRecord} from '../../engine/run.ts'
import {openWorkspace, type Workspace} from '../workspace/workspace.ts'
import {checkOutputs, draftPipelines} from './drafts.ts'
import {executorOnce, type ExecutorOnce} from './executor.ts'
import {exitCode, tellSources} from './outcome.ts'
import {explained} from './terminal.ts'
import {blamed, loadRecipes, tellMistyped} from './recipe-file.ts'
import {tellLicences} from './licence-notice.ts'
import {writeReport, writing} from './report.ts'
import {noting} from '../workspace/noted-workspace.ts'
import {saveSequence} from '../workspace/runs.ts'
import {printSummary} from './run-summary.ts'
import {describeSpending} from './stage-line.ts'
import {checkTeacherNames} from './teacher-names.ts'
import {checkTeachers, connectTeachers, teachersAsked} from './teachers.ts'
import {tryTeachers} from './tried.ts'
import {foresee, watchedRun, type Watched} from './watched-run.ts'
import {wholeRun} from './whole-run.ts'
import {workerHands} from './worker-hands.ts'
import {workspaceWorld, type World} from './world.ts'

interface How {
  json: boolean
  /** Start even if the forecast exceeds the budget; the budget itself still applies. */
  startAnyway: boolean
  /** Usual seconds of each recipe, if known. */
  seconds?: ReadonlyMap<string, number>
  /** What to do instead of a run. */
  trial?: Trial | undefined
}

/**
 * `show`: show this many requests of each recipe as they would be sent. `ask`: send this many records of each recipe to
 * the teachers, and show the outcomes.
 */
export type Trial = {show: number} | {ask: number}

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
export async function run(asked: readonly string[], config: Config, world: World, how: How): Promise<number> {
  const recipes = await loadRecipes(asked, config.out)
  checkTeacherNames(
    config.teachers,
    recipes.some(({file}) => file !== undefined),
    world.terminal,
  )
  const executor = executorOnce(config, world)
  const workspace = openWorkspace(config, executor.plan, workspaceWorld(world))
  const drafts = await explained(
    world.terminal,
    'reading recipes, sources and earlier runs',
    draftPipelines(recipes, workspace),
  )
  if (!(how.trial && 'show' in how.trial)) await checkTeachers(teachersAsked(drafts, config), config, world)
  checkOutputs(config)
  const teachers = connectTeachers(config, world)
  const session: Session = {config, world, workspace, executor, teachers, how}
  if (!how.trial) await saveSequence(config.out, recipes)
  const records: RunRecord[] = []
  const started = world.now()
  const whole = wholeRun(
    recipes.map(({name}) => name),
    how.seconds,
    world.now,
  )
  try {
    for (const recipe of recipes) {
      const {workspace: noted, answers} = noting(session.workspace)
      const pipeline = await recipe.make(noted)
      tellSources(pipeline, recipes, world.terminal)
      await tellMistyped(recipe, config.out, world.terminal)
      await tellLicences(pipeline, config, world.terminal)
      whole.begin(recipe.name)
      const hands = how.trial ? undefined : workerHands({config, world, recipe: recipe.file ?? recipe.name, answers})
      const watched = {...watchedOf(pipeline, session), hands, ...(recipes.length > 1 && {ahead: whole.left})}
      const {trial} = how
      if (trial) await blamed(recipe, () => tryOut(pipeline, watched, trial, how))
      else records.push(await blamed(recipe, () => watchedRun(pipeline, watched)))
    }
  } finally {
    teachers.close()
  }
  if (how.trial) {
    const spent = describeSpending(teachers.spending())
    if (!how.json && spent !== '') world.terminal.print(spent)
    return 0
  }
  const reportFile = await explained(world.terminal, writing, writeReport(config.out))
  await printSummary(
    {config, records, reportFile, seconds: (world.now() - started) / 1000, spending: teachers.spending()},
    world,
    how,
  )
  return exitCode(records, world.terminal)
}

/** A recipe that joins finished runs must read all of them, or the export would be incomplete. */
function watchedOf(pipeline: Pipeline<unknown>, {config, world, executor, teachers, how}: Session) {
  const limit = pipeline.stages[0]?.readsRuns ? undefined : config.limit
  return {config, world, teachers, startAnyway: how.startAnyway, limit, prepare: executor.open}
}

async function tryOut(pipeline: Pipeline<unknown>, watched: Watched, trial: Trial, {json}: How): Promise<void> {
  if (teachersAsked([pipeline], watched.config).length === 0)
    watched.world.terminal.say(`${pipeline.name} uses no configured teacher: nothing would be sent`)
  if ('show' in trial) await foresee(pipeline, watched, {...trial, json})
  else await tryTeachers(pipeline, watched, {count: trial.ask, json})
}
