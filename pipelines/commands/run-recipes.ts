import type {Config} from '../workspace/config.ts'
import type {Teachers} from '../../engine/llm/connect.ts'
import type {Pipeline} from '../../engine/pipeline.ts'
import {type RunRecord, FinishedRun, openRun} from '../../engine/run.ts'
import {openWorkspace, type Workspace} from '../workspace/workspace.ts'
import {checkOutputs, draftPipelines} from './drafts.ts'
import {executorOnce, type ExecutorOnce} from './executor.ts'
import {explained, type Terminal} from './terminal.ts'
import {blamed, loadRecipes, tellMistyped, type LoadedRecipe} from './recipe-file.ts'
import {tellLicences} from './licence-notice.ts'
import {writeReport, writing} from './report.ts'
import {noting} from '../workspace/noted-workspace.ts'
import {saveSequence} from '../workspace/runs.ts'
import {printSummary} from './run-summary.ts'
import {describeSpending} from './stage-line.ts'
import {checkTeachers, connectTeachers, teachersAsked} from './teachers.ts'
import {foresee, watchedRun, type Watched, fewRun} from './watched-run.ts'
import {workerHands} from './worker-hands.ts'
import {workspaceWorld, type World} from './world.ts'
import {basename, join, resolve} from 'node:path'
import type {StageCounts} from '../../engine/progress.ts'
import {dropReasons} from '../report/drop-reasons.ts'
import {reasons} from './status.ts'
import {rmSync} from 'node:fs'
import {askedName, readAsked} from '../../engine/asked-file.ts'
import {shownExchange} from './exchanges.ts'
import {asValue, describe, inOrder, stepsFrom} from './inspect.ts'
import {PipelineError} from '../../engine/errors.ts'
import {nearest} from '../../engine/nearest.ts'
import {clock} from '../../engine/counted.ts'

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

/**
 * 1 if records failed, or if a recipe made nothing: then the command did not do what was asked, and says why and what
 * to do. A finished run that is resumed still has its records.
 */
export function exitCode(records: readonly RunRecord[], terminal: Terminal): number {
  const barren = records.flatMap((record) => nothingDone(record) ?? [])
  for (const {why, advice} of barren) terminal.say(`error: ${why}\n  → ${advice}`)
  return barren.length > 0 || records.some(({counts}) => counts.some(({failed}) => failed > 0)) ? 1 : 0
}

interface Barren {
  why: string
  advice: string
}

function nothingDone({recipe, reads, counts}: RunRecord): Barren | undefined {
  const [first] = counts
  const barren = counts.find(({written}) => written === 0)
  if (!first || !barren) return undefined
  const {stage, read} = barren
  const why = reasons(barren)
  const nothing = `${recipe} made nothing:`
  if (barren !== first) {
    const because = why === '' ? '' : ` (${why})`
    const none = read === 1 ? 'did not pass its only record' : `passed none of its ${read} records`
    return {why: `${nothing} ${stage} ${none}${because}.`, advice: adviceOn(barren)}
  }
  if (why !== '')
    return {why: `${nothing} ${stage} could not use anything that it read (${why}).`, advice: adviceOn(first)}
  if (!reads) return {why: `${nothing} ${stage} found nothing to read.`, advice: 'Check its source folder.'}
  const names = reads.map(({directory}) => basename(directory)).join(' and ')
  return {
    why: `${nothing} the runs it reads${names === '' ? '' : ` (${names})`} hold no records.`,
    advice: 'First make them hold some: `ascend-cot status` shows where each run lost its records.',
  }
}

const others = 'With more input (a larger --limit, more folders), other records may pass.'

/** What the two most frequent reasons mean, and what to do about them. */
function adviceOn({stage, reasons: drops, failures}: StageCounts): string {
  if (Object.keys(failures).length > 0) return 'See `ascend-cot failed`, then run `ascend-cot resume`.'
  const frequent = Object.entries(drops).sort((a, b) => b[1] - a[1])
  const told = frequent.slice(0, 2).flatMap(([reason]) => {
    const known = dropReasons.named(reason)
    return known ? [`${reason}: ${known.means} What to do: ${known.do}`] : []
  })
  if (told.length > 0) return [...told, others].join('\n  → ')
  return `See what ${stage} said of each record in the report, or with \`ascend-cot inspect <id>\`.`
}

/** Prints which runs a recipe reads and, for runs that this command did not make, when they finished. */
export function tellSources(pipeline: Pipeline<unknown>, made: readonly LoadedRecipe[], terminal: Terminal): void {
  const sources = pipeline.origins.flatMap((origin) => FinishedRun.safeParse(origin).data ?? [])
  if (sources.length === 0) return
  const names = sources.map(({directory, ended}) => {
    const name = basename(directory)
    const fresh = ended === undefined || made.some((recipe) => recipe.name === name)
    return fresh ? name : `${name} (finished ${ended.slice(0, 16).replace('T', ' ')})`
  })
  terminal.say(`${pipeline.name} reads ${names.join(', ')}`)
}

/** The folder for trials in an output folder: not a run, so no release reads it. */
const trials = 'try'

/**
 * `run --try=10`: sends the first records that reach each teacher, takes them through all stages, and shows requests,
 * replies and the outcome of each record. Replies are cached, so that the run does not pay for them again.
 */
async function tryTeachers(
  pipeline: Pipeline<unknown>,
  watched: Watched,
  {count, json}: {count: number; json: boolean},
): Promise<void> {
  const directory = join(resolve(watched.config.out), trials, pipeline.name)
  rmSync(directory, {recursive: true, force: true})
  try {
    await fewRun(pipeline, watched, {directory, few: count})
  } finally {
    await showTrial(directory, watched, json)
  }
}

/** Each request with its reply, then each record's path to the end. */
async function showTrial(directory: string, {config, world: {terminal}}: Watched, json: boolean): Promise<void> {
  const records = new Set<string>()
  for await (const entry of readAsked(join(directory, askedName))) {
    terminal.print(shownExchange(entry, config, json))
    records.add(entry.input)
  }
  const run = await openRun(directory)
  if (!run) return
  try {
    for (const id of records) {
      const way = inOrder(stepsFrom(id, [run]), [run])
      terminal.print(json ? JSON.stringify({id, way: way.map(asValue)}) : [`● ${id}`, ...way.map(describe)].join('\n'))
    }
  } finally {
    run.close()
  }
}

/** The teacher profiles that the bundled stages use. */
export const teacherNames: readonly string[] = [
  'documentation',
  'vision',
  'kernel',
  'perplexity',
  'project',
  'candidates',
  'correction',
  'craft',
]

/**
 * Without this check, a mistyped profile would never be used and everything silently written offline.
 * @param own whether the user's own recipes are involved, whose stages may use other names
 * @throws PipelineError `config-invalid` for a name that looks like one of ours
 */
export function checkTeacherNames(teachers: Config['teachers'], own: boolean, terminal: Terminal): void {
  for (const name of Object.keys(teachers).filter((one) => !teacherNames.includes(one))) {
    const guess = nearest(name, teacherNames)
    const unasked = `No stage uses the teacher profile ${name}`
    const ours = `No bundled stage uses the teacher profile ${name}`
    const asked = `Stages use ${teacherNames.join(', ')}.`
    if (guess !== undefined && !own) {
      throw new PipelineError('config-invalid', `${unasked}; everything would be written offline.`, {
        fix: `Did you mean teachers.${guess}? ${asked}`,
        evidence: {profile: name},
      })
    }
    if (!own) terminal.say(`warning: ${unasked}; only \`eval --candidates ${name}\` uses it. ${asked}`)
    else if (guess !== undefined) terminal.say(`warning: ${ours}; did you mean teachers.${guess}?`)
  }
}

/** Recipes of one command, one after another. */
interface WholeRun {
  /** The previous recipe has ended. */
  begin(recipe: string): void
  /** `then projects, evaluated, card: about 0:40 left in all`, without the time if it is unknown. */
  left(): string
}

/** @param usual seconds of each recipe on some machine; scaled to this machine as recipes finish */
export function wholeRun(
  recipes: readonly string[],
  usual: ReadonlyMap<string, number> | undefined,
  now: () => number,
): WholeRun {
  const [ended, begun] = [
    {usual: 0, real: 0},
    {at: -1, since: 0},
  ]
  const usualOf = (at: number) => usual?.get(recipes[at] ?? '') ?? 0
  const elapsed = () => (now() - begun.since) / 1000
  return {
    begin(recipe) {
      if (begun.at >= 0) {
        ended.usual += usualOf(begun.at)
        ended.real += elapsed()
      }
      Object.assign(begun, {at: recipes.indexOf(recipe), since: now()})
    },
    left() {
      const rest = recipes.slice(begun.at + 1)
      const pace = ended.usual > 0 ? ended.real / ended.usual : 1
      const later = rest.reduce((sum, recipe) => sum + (usual?.get(recipe) ?? 0), 0) * pace
      const seconds = later + Math.max(0, usualOf(begun.at) * pace - elapsed())
      const time = usual === undefined ? '' : `about ${clock(seconds)} left in all`
      if (rest.length === 0) return time
      return `then ${rest.join(', ')}${time === '' ? '' : `: ${time}`}`
    },
  }
}
