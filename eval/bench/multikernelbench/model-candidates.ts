import {basename} from 'node:path'
import {contentId} from '../../../engine/ids.ts'
import {each, type Stage} from '../../../engine/stage.ts'
import {TaskFolder} from '../../../datasets/schema/source-folder.ts'
import {patternTest} from '../../tasks/select-tasks.ts'
import {readMultiKernelBench} from './read-checkout.ts'
import {categories} from './tiers.ts'
import {ModelCandidate} from './verdict.ts'

/** Where replies come from. */
export interface ReplySource {
  /** Changes with the replies. */
  readonly id: string
  /** As tables name whose replies they are. */
  readonly name: string
  /** @param names what a reply may call the task */
  repliesTo(names: readonly string[]): Promise<readonly {reply: string; model?: string | undefined}[]>
}

interface ModelCandidatesOptions {
  source: ReplySource
  /** Glob over `<category>/<name>` and names. Default all. */
  pattern?: string
}

/** Checkout of MultiKernelBench → replies to the tasks of its seven categories; a task without one is dropped. */
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
      for (const task of await modelTasks(root, pattern)) {
        const rows = await source.repliesTo([task.name, `${task.category}/${task.name}`, task.path])
        if (rows.length === 0) context.drop(task.path, 'no-reply', `${source.name} holds no reply to ${task.name}`)
        for (const [sample, {reply, model = source.name}] of rows.entries())
          found.push({task, sampler: {model, sample}, reply})
      }
      return found
    }),
  }
}

/** Tasks of the seven categories that a glob matches, in the order of the categories. */
export async function modelTasks(root: string, pattern = '*'): Promise<ModelCandidate['task'][]> {
  const matches = patternTest(pattern)
  const {tasks} = await readMultiKernelBench(root)
  return categories.flatMap((category) =>
    tasks
      .filter((task) => task.category === category)
      .map(({path, module}) => ({name: basename(path), category, path: `${path}.py`, root, module: contentId(module)}))
      .filter(({name}) => matches(name) || matches(`${category}/${name}`)),
  )
}
