import {readFile} from 'node:fs/promises'
import {basename, extname, join} from 'node:path'
import type {ReferenceText} from '../../eval/bench/benchmark.ts'
import {isCheckout, judgesModels, loadBenchmarks} from '../../eval/bench/load-benchmark.ts'
import apiNames from '../../eval/executors/api-names.json' with {type: 'json'}
import {loadTasks, type LoadTasks} from '../../eval/tasks/operator-tasks.ts'
import type {TaskFolder} from '../../datasets/schema/source-folder.ts'
import {modulePath, type OperatorTask} from '../../datasets/schema/task.ts'
import type {Config} from './config.ts'
import {walk} from '../../engine/files.ts'
import {bundled} from './workspace.ts'

/**
 * The project's policy on what must not be learnt, as input for `decontaminate`.
 * @param directory root of the data set, which records what was removed
 */
export async function heldOut(config: Config, directory: string) {
  const reference = await heldOutTexts(config)
  return {reference, boilerplate: await idiomTexts(), api, operators: config.export.refuseOperatorsBy, directory}
}

/**
 * Every held-out task and every task of the given benchmark checkouts: descriptions, templates, answers and reference
 * programs.
 * @throws PipelineError `input-missing` for a missing folder
 */
export async function heldOutTexts(config: Config): Promise<ReferenceText[]> {
  const held = config.sources.heldOut ?? [await bundled('heldout')]
  const references: ReferenceText[] = []
  const folders: {folder: TaskFolder; load: LoadTasks}[] = held.map((folder) => ({folder, load: loadTasks}))
  for (const root of config.sources.benchmarks) {
    const own = [...(await loadBenchmarks()).values()].find((one) => isCheckout(root, one))
    if (own && judgesModels(own)) references.push(...(await own.texts(root)))
    else folders.push({folder: {root}, load: own?.load ?? loadTasks})
  }
  for (const {folder, load} of folders) {
    for (const task of await load(folder, () => [])) references.push(await textsOf(task))
  }
  return references
}

/**
 * The bundled operators, known to differ from the held-out tasks. Both have the same author, so part of their wording
 * is idiom; what a benchmark's answers share with them is idiom too. Never add code of unknown origin here: it would
 * excuse a leak.
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

/** Names that the API declares, which even independent code must use. */
export const api: readonly string[] = apiNames.names

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
