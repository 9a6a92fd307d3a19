import {basename} from 'node:path'
import {fileURLToPath} from 'node:url'
import {contentId} from '../../../engine/ids.ts'
import {each, type Stage} from '../../../engine/stage.ts'
import {TaskFolder} from '../../../datasets/schema/source-folder.ts'
import {patternTest} from '../../tasks/select-tasks.ts'
import type {ReplySource} from '../whole-model.ts'
import {readMultiKernelBench} from './read-checkout.ts'
import {categories, elements} from './tiers.ts'
import {ModelCandidate} from './verdict.ts'

interface ModelCandidatesOptions {
  source: ReplySource
  /** Glob over `<category>/<name>` and names. Default all. */
  pattern?: string
}

/**
 * Checkout of MultiKernelBench → replies to the tasks of its seven categories, and to those of mHC; a task without one
 * is dropped, or skipped if it is mHC's.
 */
export default function modelCandidates({
  source,
  pattern = '*',
}: ModelCandidatesOptions): Stage<TaskFolder, ModelCandidate> {
  return {
    name: 'model-candidates',
    version: 1,
    options: {source: source.id, pattern},
    input: TaskFolder,
    output: ModelCandidate,
    run: each(async ({root}, context) => {
      const found: ModelCandidate[] = []
      for (const task of [...(await modelTasks(root, pattern)), ...(await mhcTasks(pattern))]) {
        const rows = await source.repliesTo([task.name, `${task.category}/${task.name}`, task.path], task.element)
        if (rows.length === 0 && task.element === undefined)
          context.drop(task.path, 'no-reply', `${source.name} holds no reply to ${task.name}`)
        for (const [sample, {reply, model = source.name}] of rows.entries())
          found.push({task, sampler: {model, sample}, reply})
      }
      return found
    }),
  }
}

/** Folder of mHC's modules, which no checkout of the benchmark contains: written from the formulas of its paper. */
const mhcRoot = fileURLToPath(new URL('mhc', import.meta.url))

/** mHC's two tasks for each stream type, if a glob matches them. */
export async function mhcTasks(pattern = '*'): Promise<ModelCandidate['task'][]> {
  const tasks = await tasksBelow(mhcRoot, ['mhc'], pattern)
  return tasks.flatMap((task) => elements.map((element) => ({...task, element})))
}

/** Tasks of the seven categories that a glob matches, in the order of the categories. */
export function modelTasks(root: string, pattern = '*'): Promise<ModelCandidate['task'][]> {
  return tasksBelow(root, categories, pattern)
}

async function tasksBelow(root: string, wanted: readonly string[], pattern: string): Promise<ModelCandidate['task'][]> {
  const matches = patternTest(pattern)
  const {tasks} = await readMultiKernelBench(root)
  return wanted.flatMap((category) =>
    tasks
      .filter((task) => task.category === category)
      .map(({path, module}) => ({name: basename(path), category, path: `${path}.py`, root, module: contentId(module)}))
      .filter(({name}) => matches(name) || matches(`${category}/${name}`)),
  )
}
