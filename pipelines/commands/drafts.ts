import {resolve} from 'node:path'
import type {Executor} from '../../datasets/schema/executor.ts'
import {TaskFolder} from '../../datasets/schema/source-folder.ts'
import {PipelineError} from '../../engine/errors.ts'
import type {Pipeline} from '../../engine/pipeline.ts'
import {assertWritable} from '../../engine/room.ts'
import {assertFolder} from '../../sources/input-folder.ts'
import type {Config} from '../workspace/config.ts'
import type {Workspace} from '../workspace/workspace.ts'
import type {LoadedRecipe} from './recipe-file.ts'

/** @throws PipelineError `disk-full` or `output-unwritable` for a folder that is not writable */
export function checkOutputs({out, cache}: Pick<Config, 'out' | 'cache'>): void {
  for (const folder of [out, cache]) assertWritable(resolve(folder))
}

type Drafted = Pick<LoadedRecipe, 'name' | 'file' | 'make' | 'teacher'>

/**
 * The pipelines of recipes, built without an executor, so that their teachers and inputs are known before anything is
 * compiled. Runs that they will make for one another are treated as finished. A recipe that cannot be built yet is
 * skipped, and reports its error when its turn comes.
 * @throws PipelineError `input-missing` for a missing folder, `config-invalid`, `teacher-missing`
 */
export async function draftPipelines(recipes: readonly Drafted[], workspace: Workspace): Promise<Pipeline<unknown>[]> {
  const {teachers, sources, executor} = workspace.config
  const isGiven = [teachers, ...Object.values(sources)].some((one) => Object.keys(one ?? {}).length > 0)
  if (!isGiven && recipes.every(({teacher, file}) => teacher === undefined && file === undefined)) return []
  const willRun = (name: string) => recipes.some((one) => one.name === name)
  const runsOf = async (name: string) => (willRun(name) ? [await workspace.finished(name)] : workspace.found([name]))
  const draft: Workspace = {
    ...workspace,
    executor: () => Promise.resolve(unprepared(executor.soc)),
    confirming: () => Promise.resolve(executor.confirm === 'none' ? undefined : unprepared(executor.soc)),
    found: async (names) => (await Promise.all(names.map(runsOf))).flat(),
  }
  const drafted = await Promise.all(recipes.map((recipe) => draftOf(recipe, draft)))
  const pipelines = drafted.filter((one) => one !== undefined)
  for (const pipeline of pipelines) await checkFolders(pipeline)
  return pipelines
}

/** Errors that no earlier recipe can fix. */
const beforehand: ReadonlySet<string> = new Set(['input-missing', 'config-invalid', 'teacher-missing'])

async function draftOf({make}: Drafted, draft: Workspace): Promise<Pipeline<unknown> | undefined> {
  try {
    return await make(draft)
  } catch (error) {
    if (error instanceof PipelineError && beforehand.has(error.code)) throw error
    return undefined
  }
}

async function checkFolders({name, origins}: Pipeline<unknown>): Promise<void> {
  for (const origin of origins) {
    const {root, operators} = TaskFolder.safeParse(origin).data ?? {}
    for (const folder of [root, operators]) {
      if (folder === undefined) continue
      await assertFolder(resolve(folder), {holds: `folder for ${name}`, fix: 'Check the path.'})
    }
  }
}

const unable = () => Promise.reject(new TypeError('this executor only serves to build a recipe'))
const unprepared = (soc: string): Executor => ({
  identity: {name: 'unprepared', fingerprint: 'unprepared', compiler: 'none', soc},
  covers: 'nothing',
  compile: unable,
  build: unable,
  execute: unable,
})
