import {readFile} from 'node:fs/promises'
import {basename, extname, join} from 'node:path'
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

/** The policy for the whole project on what must not be learnt, as `decontaminate` takes it. */
export async function heldOut(config: Config) {
  const reference = await heldOutTexts(config)
  return {reference, boilerplate: await idiomTexts(), api, operators: config.export.refuseOperatorsBy}
}

/**
 * Every held-out task and every task of the given benchmark checkouts: descriptions, templates, answers and reference
 * programs.
 * @throws PipelineError `input-missing` for a folder that is not there
 */
export async function heldOutTexts(config: Config): Promise<ReferenceText[]> {
  const held = config.sources.heldOut ?? [await bundled('heldout')]
  const folders = [...held, ...config.sources.benchmarks.map((root) => ({root}))]
  const references: ReferenceText[] = []
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
