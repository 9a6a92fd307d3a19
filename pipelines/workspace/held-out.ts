import {readFile} from 'node:fs/promises'
import {basename, extname, join} from 'node:path'
import {isMultiKernelBench, readMultiKernelBench} from '../../eval/bench/multikernelbench/read-checkout.ts'
import apiNames from '../../eval/executors/api-names.json' with {type: 'json'}
import {loadTasks} from '../../eval/tasks/operator-tasks.ts'
import {modulePath, type OperatorTask} from '../../datasets/schema/task.ts'
import type {Config} from './config.ts'
import {walk} from '../../engine/files.ts'
import {bundled} from './workspace.ts'

/** Texts that must not come back in training data. */
interface ReferenceText {
  name: string
  /** CamelCase operator type. */
  operator: string
  texts: string[]
}

/**
 * The policy for the whole project on what must not be learnt, as `decontaminate` takes it.
 * @param directory root of the data set, which tells what was removed
 */
export async function heldOut(config: Config, directory: string) {
  const reference = await heldOutTexts(config)
  return {reference, boilerplate: await idiomTexts(), api, operators: config.export.refuseOperatorsBy, directory}
}

/**
 * Every held-out task and every task of the given benchmark checkouts: descriptions, templates, answers and reference
 * programs.
 * @throws PipelineError `input-missing` for a folder that is not there
 */
export async function heldOutTexts(config: Config): Promise<ReferenceText[]> {
  const held = config.sources.heldOut ?? [await bundled('heldout')]
  const [others, checkouts] = [config.sources.benchmarks.filter(isMultiKernelBench), config.sources.benchmarks]
  const folders = [...held, ...checkouts.filter((root) => !others.includes(root)).map((root) => ({root}))]
  const references = (await Promise.all(others.map(multiKernelTexts))).flat()
  for (const folder of folders) {
    for (const task of await loadTasks(folder, () => [])) references.push(await textsOf(task))
  }
  return references
}

/**
 * The bundled operators, known to be other ones than the held-out tasks. Both come from one hand, so a share of their
 * words is idiom; what a benchmark's answers share with them is idiom too. Never add code of unknown origin here: it
 * would excuse a leak.
 */
export async function idiomTexts(): Promise<string[]> {
  const texts: string[] = []
  for (const part of ['operators', 'tasks']) {
    const {root} = await bundled(part)
    for await (const path of walk(root)) {
      if (['.cpp', '.h', '.md'].includes(extname(path))) texts.push(await readFile(join(root, path), 'utf8'))
    }
  }
  return texts
}

/** Names that the API declares, of which a copy cannot do without. */
export const api: readonly string[] = apiNames.names

/** Examples that a request shows are kept out with the tasks: some of them answer one. */
async function multiKernelTexts(root: string): Promise<ReferenceText[]> {
  const {tasks, examples} = await readMultiKernelBench(root)
  return [
    ...tasks.map(({path, name, module}) => ({name: path, operator: name, texts: [module]})),
    ...examples.map(({path, name, texts}) => ({name: path, operator: name, texts})),
  ]
}

async function textsOf(task: OperatorTask): Promise<ReferenceText> {
  const texts = [
    task.description,
    task.hostTemplate.text,
    task.kernelTemplate.text,
    ...task.answer.map((file) => file.text),
  ]
  const folder = join(modulePath(task), '..')
  for await (const path of walk(folder)) {
    if (['.py', '.cpp'].includes(extname(basename(path)))) texts.push(await readFile(join(folder, path), 'utf8'))
  }
  return {name: task.origin.path, operator: task.name, texts}
}
