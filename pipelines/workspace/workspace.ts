import {join, resolve} from 'node:path'
import type {Executor} from '../../datasets/schema/executor.ts'
import type {HubAccess} from '../../datasets/hub/hub.ts'
import type {SourceFolder, TaskFolder} from '../../datasets/schema/source-folder.ts'
import {sourceKinds} from '../../sources/kinds.ts'
import type {Config} from './config.ts'
import {meantRecipe} from './recipe-names.ts'
import {localFolders} from './source-folders.ts'
import {PipelineError} from '../../engine/errors.ts'
import {withoutTeacher} from '../../engine/llm/model.ts'
import {ownRoot, ownVersion} from '../../engine/own-package.ts'
import type {Pipeline} from '../../engine/pipeline.ts'
import {asFinished, readRunRecord, type FinishedRun, type RunRecord} from '../../engine/run.ts'

/** What a recipe is built from. */
export interface Workspace {
  /** The configuration: file, variables and flags together, checked, defaults filled in. */
  readonly config: Config
  /**
   * The folders of a kind of source: the configured ones, or the bundled one.
   * @throws PipelineError `input-missing` when there is neither
   */
  sources(kind: string): Promise<SourceFolder[]>
  /** Access to the Hub from this machine. */
  hub(): Promise<HubAccess>
  /** Tells the user what a long wait is for. */
  say(text: string): void
  /**
   * The executor that judges; probed, precompiled and shared on first use.
   * @param need that it runs what it compiles, or also traces the runs; default neither
   * @throws PipelineError `config-invalid` when it does not go so far
   */
  executor(need?: 'runs' | 'traces'): Promise<Executor>
  /**
   * The second executor, which is asked about what the first finds correct; undefined without `executor.confirm`.
   * @throws PipelineError `config-invalid` when both are the same
   */
  confirming(): Promise<Executor | undefined>
  /**
   * A run of another recipe in the same output folder, to read from.
   * @throws PipelineError `run-missing` when it is not there or did not finish
   */
  finished(recipe: string): Promise<FinishedRun>
  /** The runs among several that exist; may be empty. */
  found(recipes: readonly string[]): Promise<FinishedRun[]>
  /** The descriptions of the latest runs of several recipes, of those that exist. */
  records(recipes: readonly string[]): Promise<RunRecord[]>
  /** The folder that the data set is written to. */
  readonly datasetDirectory: string
}

/** A recipe file's default export. */
export interface Recipe {
  (workspace: Workspace): Promise<Pipeline<unknown>> | Pipeline<unknown>
  /** Recipes whose runs it declares to read. */
  readonly reads?: readonly string[]
  /** Without it the recipe is refused before anything runs. */
  readonly teacher?: NeededTeacher
}

/** What a recipe needs. */
interface Reads {
  /** Recipes whose runs it reads: those that exist, at least one. */
  reads?: readonly string[]
  /** Recipes whose runs are also read if they exist. */
  also?: readonly string[]
  /** A model that it cannot do without. */
  teacher?: NeededTeacher
}

/** A teacher that a recipe requires. */
interface NeededTeacher {
  /** Its name below `teachers` in the configuration. */
  profile: string
  /** What works without one, in a sentence. */
  otherwise: string
}

/** The input of a recipe that declares what it reads. */
type Given = Omit<Workspace, 'finished' | 'found'> & {
  /** The runs of `reads` that exist. */
  readonly runs: readonly FinishedRun[]
  /** The runs of `also` that exist. */
  readonly along: readonly FinishedRun[]
}

/**
 * A recipe that declares which runs it reads; everything that shows or orders recipes uses that declaration. A file
 * with a recipe as its default export runs by path: `ascend-cot run worked ./my-rows.ts`.
 * @throws PipelineError, when the recipe is made: `run-missing` when there is no run of `reads`, `teacher-missing` when
 *   its teacher is not configured
 * @example
 * ```ts
 * // my-rows.ts
 * import {fromRun} from 'ascend-cot/from-run'
 * import {Pipeline} from 'ascend-cot/pipeline'
 * import {recipe} from 'ascend-cot/recipe'
 * import {CotSample} from 'ascend-cot/schema/sample'
 *
 * // The rows of `worked`, and those of `kernels` where there are any.
 * export default recipe({reads: ['worked'], also: ['kernels']}, ({runs, along}) =>
 *   Pipeline.from('my-rows', [...runs, ...along], fromRun(CotSample)),
 * )
 * ```
 */
export function recipe(
  {reads = [], also = [], teacher}: Reads,
  make: (given: Given) => Promise<Pipeline<unknown>> | Pipeline<unknown>,
): Recipe {
  for (const [key, names] of Object.entries({reads, also})) if (!areNames(names)) throw notNames(key, names)
  const made: Recipe = async (workspace) => {
    if (teacher && !workspace.config.teachers[teacher.profile]) throw withoutTeacher(teacher.profile, teacher.otherwise)
    const [runs, along] = await Promise.all([workspace.found(reads), workspace.found(also)])
    if (runs.length === 0 && reads.length > 0) throw await noneOf(reads, workspace.config.out)
    return make({...workspace, runs, along})
  }
  return Object.assign(made, {reads: [...reads, ...also], ...(teacher && {teacher})})
}

/** A user's file may be JavaScript, or TypeScript that nothing has checked. */
const areNames = (names: unknown) => Array.isArray(names) && names.every((name) => typeof name === 'string')

function notNames(key: string, names: unknown): PipelineError {
  return new PipelineError('config-invalid', `A recipe's \`${key}\` is ${shown(names)}, which is no list of names.`, {
    fix: `Give the names of recipes in brackets, such as \`${key}: ['worked']\`.`,
  })
}

const shown = (value: unknown) =>
  typeof value === 'function' ? 'a function' : (JSON.stringify(value) ?? String(value)).slice(0, 60)

/** Checked before a run directory is made: an empty one would block other releases. */
async function noneOf(recipes: readonly string[], out: string): Promise<PipelineError> {
  const guesses = await Promise.all(recipes.map((name) => meantRecipe(name, out)))
  const meant = [...new Set(guesses.filter((guess) => guess !== undefined))].join(' or ')
  const names = recipes.join(' or ')
  // Nothing that runs before can fix a mistyped name.
  const code = meant === '' ? 'run-missing' : 'config-invalid'
  return new PipelineError(code, `Nothing to read: ${resolve(out)} holds no run of ${names}.`, {
    fix: meant === '' ? `Run ${names} first.` : `Did you mean ${meant}? If not, run ${names} first.`,
    evidence: {out: resolve(out)},
  })
}

/** Run directory of a recipe: an absolute path, `<out>/<recipe>`. It need not exist. */
export function runDirectory(config: Config, recipe: string): string {
  return join(resolve(config.out), recipe)
}

/** The part of the world that a workspace needs: the Hub's address, and a listener for messages. */
export type WorkspaceWorld = Pick<Workspace, 'hub' | 'say'>

/**
 * A workspace over a configuration. Nothing is read or started before it is asked for.
 * @param makeExecutor called once for each executor, on its first use, with the configuration for that one
 */
export function openWorkspace(
  config: Config,
  makeExecutor: (config: Config) => Promise<Executor>,
  {hub, say}: WorkspaceWorld,
): Workspace {
  let executor: Promise<Executor> | undefined
  let second: Promise<Executor> | undefined
  const first = () => (executor ??= makeExecutor(config))
  const recordOf = (recipe: string) => readRunRecord(runDirectory(config, recipe))
  const finished = async (recipe: string) => asFinished(runDirectory(config, recipe), await recordOf(recipe))
  const found = async (recipes: readonly string[]) => {
    const records = await Promise.all(recipes.map(recordOf))
    const own = recipes.filter((_, index) => records[index] !== undefined)
    const elsewhere = recipes.includes('candidates') ? config.samples.candidatesFrom : []
    return Promise.all([...own.map(finished), ...elsewhere.map(candidatesIn)])
  }
  return {
    config,
    hub,
    say,
    sources: (kind) => sourcesOf(config, kind),
    executor: async (need) => reaching(await first(), need),
    async confirming() {
      const {confirm: level, ...options} = config.executor
      if (level === 'none') return undefined
      const {identity} = await first()
      if (identity.name === level) throw confirmsItself(level)
      return (second ??= makeExecutor({...config, executor: {...options, confirm: 'none', kind: 'cann', level}}))
    },
    datasetDirectory: join(resolve(config.out), 'dataset'),
    async records(recipes) {
      return (await Promise.all(recipes.map(recordOf))).filter((record) => record !== undefined)
    },
    finished,
    found,
  }
}

/**
 * The run of `candidates` in another output folder.
 * @throws PipelineError `run-missing`
 */
async function candidatesIn(folder: string): Promise<FinishedRun> {
  const directory = join(resolve(folder), 'candidates')
  const record = await readRunRecord(directory)
  if (record) return asFinished(directory, record)
  throw new PipelineError('run-missing', `${directory} holds no run.`, {
    fix: 'Name output folders with a finished run of `candidates` in `samples.candidatesFrom`.',
    evidence: {folder},
  })
}

function confirmsItself(level: string): PipelineError {
  return new PipelineError('config-invalid', `${level} judges already, so that it cannot confirm.`, {
    fix: 'Name another level as `executor.confirm`, or leave it out.',
  })
}

/** What only runs gives no facts, and what only compiles gives no labels: that is said before any work. */
function reaching(executor: Executor, need: 'runs' | 'traces' | undefined): Executor {
  const {reach, identity} = executor
  if (reach === undefined || need === undefined || need === reach) return executor
  const lacks = need === 'traces' ? 'see what a run did inside' : 'run anything'
  throw new PipelineError(
    'config-invalid',
    `This recipe asks more than ${identity.name} can do: it does not ${lacks}.`,
    {
      fix:
        need === 'traces' ? 'Use the twin for it: `--executor twin`.' : 'Use the twin, or a level of CANN that runs.',
    },
  )
}

async function sourcesOf(config: Config, name: string): Promise<SourceFolder[]> {
  const configured = await localFolders(config, name)
  if (configured) return configured
  const kind = sourceKinds.find((one) => one.name === name)
  if (kind?.bundled !== undefined) return [await bundled(kind.bundled)]
  throw new PipelineError('input-missing', `Nothing to read: no folder is given for sources.${name}.`, {
    fix: kind
      ? `Set it with --${kind.flag}.`
      : `The kinds of source are ${sourceKinds.map((one) => one.name).join(', ')}.`,
  })
}

/** A folder of the starter corpus, with its provenance. */
export async function bundled(path: string): Promise<Record<keyof SourceFolder, string>> {
  return {
    root: join(ownRoot, 'sources/starter', path),
    repository: 'ascend-cot/starter',
    revision: ownVersion(),
    licence: 'Apache-2.0',
    // The corpus is in different folders when installed or built, but has the same provenance.
    top: ownRoot,
  }
}

/** The tasks that candidates are sampled for: the configured ones, or the bundled ones with the bundled operators. */
export async function trainingTasks(config: Config): Promise<TaskFolder[]> {
  if (config.sources.tasks) return config.sources.tasks
  const {root: operators} = await bundled('operators')
  return [{...(await bundled('tasks')), operators}]
}
