import {join, resolve} from 'node:path'
import type {Executor} from '../../datasets/schema/executor.ts'
import type {HubAccess} from '../../datasets/hub/hub.ts'
import type {SourceFolder, TaskFolder} from '../../datasets/schema/source-folder.ts'
import {sourceKinds} from '../../sources/kinds.ts'
import type {Config} from './config.ts'
import {localFolders} from './source-folders.ts'
import {PipelineError} from '../../engine/errors.ts'
import {ownRoot, ownVersion} from '../../engine/own-package.ts'
import type {Pipeline} from '../../engine/pipeline.ts'
import {asFinished, readRunRecord, type FinishedRun} from '../../engine/run.ts'

/** Root of the installed package: where the bundled corpus lies. */

/** What a recipe is made from. */
export interface Workspace {
  readonly config: Config
  /**
   * The folders of a kind of source: those that are configured, else the bundled one.
   * @throws PipelineError `input-missing` when there is neither
   */
  sources(kind: string): Promise<SourceFolder[]>
  /** The Hub, as this machine speaks to it. */
  hub(): Promise<HubAccess>
  /** Told to who waits, on the way to something that takes long. */
  say(text: string): void
  /** The executor that judges; probed, precompiled and shared on first use. */
  executor(): Promise<Executor>
  /** A run of another recipe in the same output folder, to read from. */
  finished(recipe: string): Promise<FinishedRun>
  /** Those of several runs that exist; none where there is none of them. */
  found(recipes: readonly string[]): Promise<FinishedRun[]>
  /**
   * The same where something has to be read: what a release is made of.
   * @throws PipelineError `run-missing` when there is none of them
   */
  existing(recipes: readonly string[]): Promise<FinishedRun[]>
  /** Drop reasons of the latest runs of these recipes, by recipe and stage, for the card. */
  dropReasons(recipes: readonly string[]): Promise<DropReasons[]>
  /** The folder that the data set is written to. */
  readonly datasetDirectory: string
}

interface DropReasons {
  recipe: string
  stage: string
  reasons: Record<string, number>
}

/** A recipe file's default export. */
export type Recipe = (workspace: Workspace) => Promise<Pipeline<unknown>> | Pipeline<unknown>

/** Run directory of a recipe. */
export function runDirectory(config: Config, recipe: string): string {
  return join(resolve(config.out), recipe)
}

/** What of the world a workspace needs: where the Hub is, and who listens. */
export type WorkspaceWorld = Pick<Workspace, 'hub' | 'say'>

export function openWorkspace(
  config: Config,
  makeExecutor: (config: Config) => Promise<Executor>,
  {hub, say}: WorkspaceWorld,
): Workspace {
  let executor: Promise<Executor> | undefined
  const recordOf = (recipe: string) => readRunRecord(runDirectory(config, recipe))
  const finished = async (recipe: string) => asFinished(runDirectory(config, recipe), await recordOf(recipe))
  const found = async (recipes: readonly string[]) => {
    const records = await Promise.all(recipes.map(recordOf))
    return Promise.all(recipes.filter((_, index) => records[index] !== undefined).map(finished))
  }
  return {
    config,
    hub,
    say,
    sources: (kind) => sourcesOf(config, kind),
    executor: () => (executor ??= makeExecutor(config)),
    datasetDirectory: join(resolve(config.out), 'dataset'),
    async dropReasons(recipes) {
      const records = (await Promise.all(recipes.map(recordOf))).filter((record) => record !== undefined)
      return records.flatMap(({recipe, counts}) =>
        counts
          .filter(({reasons}) => Object.keys(reasons).length > 0)
          .map(({stage, reasons}) => ({recipe, stage, reasons})),
      )
    },
    finished,
    found,
    async existing(recipes) {
      const runs = await found(recipes)
      if (runs.length === 0) throw noneOf(recipes, resolve(config.out))
      return runs
    },
  }
}

async function sourcesOf(config: Config, name: string): Promise<SourceFolder[]> {
  const configured = await localFolders(config, name)
  if (configured) return configured
  const kind = sourceKinds.find((one) => one.name === name)
  if (kind?.bundled !== undefined) return [await bundled(kind.bundled)]
  throw new PipelineError('input-missing', `There is nothing to read: no folder is given for sources.${name}.`, {
    fix: kind
      ? `Give one with --${kind.flag}.`
      : `The kinds of source are ${sourceKinds.map((one) => one.name).join(', ')}.`,
    scope: 'run',
  })
}

/** Said before a run directory is made: an empty one would stand in the way of other releases. */
function noneOf(recipes: readonly string[], out: string): PipelineError {
  return new PipelineError('run-missing', `Nothing to read: ${out} holds no run of ${recipes.join(' or ')}.`, {
    fix: `Run the recipe that fills it first: ${recipes.join(' or ')}.`,
    scope: 'run',
    evidence: {out},
  })
}

/** A folder of the starter corpus, with its provenance. */
export async function bundled(path: string): Promise<Record<keyof SourceFolder, string>> {
  return {
    root: join(ownRoot, 'sources/starter', path),
    repository: 'ascend-cot/starter',
    revision: ownVersion(),
    licence: 'Apache-2.0',
    // Installed or built, the corpus has other folders around it, and the same provenance.
    top: ownRoot,
  }
}

/** The tasks that candidates are sampled for: the configured ones, else the bundled ones with the bundled operators. */
export async function trainingTasks(config: Config): Promise<TaskFolder[]> {
  if (config.sources.tasks) return config.sources.tasks
  const {root: operators} = await bundled('operators')
  return [{...(await bundled('tasks')), operators}]
}
