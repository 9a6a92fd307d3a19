import {readFileSync, readdirSync} from 'node:fs'
import {byCodeUnit} from '../../../engine/code-unit-order.ts'
import {PipelineError} from '../../../engine/errors.ts'

/** A worked program that may appear in prompts. */
export interface CraftExample {
  name: string
  category: string
  /** What is special about its shapes, e.g. `rows larger than UB`. */
  shapes: string
  text: string
}

const heading = /^# (category|shapes): (.+)$/gm

/**
 * Programs of a folder of examples and of the folders in it. Each starts with comments `# category: ...` and `# shapes:
 * ...`; without a category, the name of its folder is used. Fails with `input-invalid` if the folder contains
 * solutions: these answer the benchmark's tasks and must not appear in prompts.
 */
export function readExamples(folder: URL): CraftExample[] {
  if (/\/solutions(\/|$)/.test(folder.pathname)) {
    throw new PipelineError('input-invalid', 'Solutions of the benchmark cannot be examples of prompts.', {
      fix: 'Name the folder of examples.',
      scope: 'record',
    })
  }
  const files = readdirSync(folder, {recursive: true, encoding: 'utf8'}).filter((file) => file.endsWith('.py'))
  return files.sort(byCodeUnit).map((file) => {
    const text = readFileSync(new URL(file, `${folder.href.replace(/\/$/, '')}/`), 'utf8')
    const said = new Map([...text.matchAll(heading)].map(([, key, value]) => [key!, value!.trim()]))
    const parts = file.split('/')
    const name = parts.at(-1)!.replace(/\.py$/, '')
    return {name, category: said.get('category') ?? parts.at(-2) ?? '', shapes: said.get('shapes') ?? '', text}
  })
}

const words = (text: string) => new Set(text.toLowerCase().match(/[a-z0-9]+/g) ?? [])

/**
 * The examples that help most with a task: those of its category first, among them those whose shapes are described
 * most like the task's, then by name.
 */
export function chooseExamples(
  examples: readonly CraftExample[],
  task: {category: string; shapes: string},
  count: number,
): CraftExample[] {
  const wanted = words(task.shapes)
  const likeness = ({category, shapes}: CraftExample): number => {
    const shared = [...words(shapes)].filter((word) => wanted.has(word)).length
    return (category === task.category ? 1000 : 0) + shared
  }
  return [...examples].sort((a, b) => likeness(b) - likeness(a) || byCodeUnit(a.name, b.name)).slice(0, count)
}
