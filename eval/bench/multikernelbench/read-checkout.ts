import {existsSync} from 'node:fs'
import {readFile} from 'node:fs/promises'
import {join} from 'node:path'
import {z} from 'zod'
import {walk} from '../../../engine/files.ts'
import type {ReferenceText} from '../benchmark.ts'

/** A task of MultiKernelBench, texts only. */
interface MultiKernelTask {
  /** `reference/<category>/<stem>.py` without the extension. */
  path: string
  category: string
  /** The stem, without the number that some begin with: `13_elu` → `elu`. */
  name: string
  /** The module of the reference, which is also what a model is shown. */
  module: string
}

/** A worked example from the benchmark's requests; some of them answer a task. */
interface MultiKernelExample {
  path: string
  /** `layer_norm` of `prompts/ascendc_new_model_layer_norm.py`. */
  name: string
  /** Its files; one if it is a Python file with C++ in strings. */
  texts: string[]
}

/** Tasks and worked examples of a checkout, in path order. */
export async function readMultiKernelBench(
  root: string,
): Promise<{tasks: MultiKernelTask[]; examples: MultiKernelExample[]}> {
  const tasks: MultiKernelTask[] = []
  for await (const file of walk(join(root, 'reference'))) {
    const [, category, stem] = /^([^/]+)\/([^_/][^/]*)\.py$/.exec(file) ?? []
    if (category === undefined || stem === undefined) continue
    const module = await readFile(join(root, 'reference', file), 'utf8')
    tasks.push({path: `reference/${category}/${stem}`, category, name: stem.replace(/^\d+_/, ''), module})
  }
  const examples: MultiKernelExample[] = []
  const prompts = existsSync(join(root, 'prompts')) ? walk(join(root, 'prompts')) : []
  for await (const file of prompts) {
    const [, name] = /_model_(\w+)\.(?:py|json)$/.exec(file) ?? []
    if (name === undefined) continue
    const text = await readFile(join(root, 'prompts', file), 'utf8')
    examples.push({path: `prompts/${file}`, name, texts: file.endsWith('.json') ? submitted(text) : inPython(text)})
  }
  return {tasks, examples}
}

const Submission = z.object({sources: z.array(z.object({content: z.string()}))})

function submitted(text: string): string[] {
  return Submission.parse(JSON.parse(text)).sources.map(({content}) => content)
}

/** Examples in requests are decontaminated like tasks: some of them answer one. */
export async function referenceTexts(root: string): Promise<ReferenceText[]> {
  const {tasks, examples} = await readMultiKernelBench(root)
  return [
    ...tasks.map(({path, name, module}) => ({name: path, operator: name, texts: [module]})),
    ...examples.map(({path, name, texts}) => ({name: path, operator: name, texts})),
  ]
}

/** The file, and its triple-quoted strings: host, kernel and binding. */
function inPython(text: string): string[] {
  const strings = [...text.matchAll(/("""|''')([\s\S]*?)\1/g)].map(([, , inner = '']) => inner)
  return [text.replace(/("""|''')[\s\S]*?\1/g, ' '), ...strings]
}
