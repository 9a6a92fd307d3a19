import type {CraftStep, CraftTask} from '../../../datasets/schema/crafted.ts'
import {kernelName} from '../../../cpp/op-def.ts'
import {formatFiles} from '../../../datasets/operator-reply.ts'
import type {SourceFile} from '../../../datasets/schema/operator.ts'
import {loadPrompt, renderPrompt} from '../../../engine/prompt.ts'
import {languagePage} from '../language/language-page.ts'
import type {CraftExample} from './examples.ts'
import {interfacesOf} from './interfaces.ts'

const load = (name: string) => loadPrompt(new URL(`${name}.md`, import.meta.url))
const programPrompt = load('program-request')
const examplesPrompt = load('examples')
const directPrompt = load('direct-request')
const passPrompt = load('pass-request')
const rules = {
  host: load('rules-host'),
  init: load('rules-init'),
  compute: load('rules-compute'),
  aligned: load('rules-alignment'),
}

/** Texts that a model may be shown, for keys. */
export const craftPrompts: readonly string[] = [
  ...[programPrompt, examplesPrompt, directPrompt, passPrompt],
  ...Object.values(rules),
]

/** Steps of lowering one by one, in their order. */
export const passes = ['host', 'init', 'compute', 'aligned'] as const
type Lowering = (typeof passes)[number] | 'lowering'

/** Stage 1: the task to a program of the tile language. */
export function programRequest(task: CraftTask, examples: readonly CraftExample[]): string {
  const {name, category, reference, shapes} = task
  const shown = examples.map((one) => `## ${one.name}: ${one.shapes}\n\n\`\`\`python\n${one.text.trimEnd()}\n\`\`\``)
  const text = shown.length > 0 ? [examplesPrompt.trimEnd(), ...shown].join('\n\n') : ''
  const values = {name, category, reference: reference.trimEnd(), shapes}
  return renderPrompt(programPrompt, {...values, language: languagePage().trimEnd(), examples: text})
}

const titles: Record<Lowering, string> = {
  host: 'host function and tiling',
  init: 'members, queues and buffers of the kernel',
  compute: 'copies and computation',
  aligned: 'copies of any number of elements',
  lowering: 'all of the operator',
}

/** Files that an operator has, all of which every reply of lowering holds. */
export function pathsOf({operator}: CraftTask): string[] {
  const snake = kernelName(operator)
  return [`op_host/${snake}_tiling.h`, `op_host/${snake}.cpp`, `op_kernel/${snake}.cpp`]
}

function formOf(task: CraftTask): string {
  const empty = pathsOf(task).map((path) => ({path, text: '...\n'}))
  return `Answer with all files, each below its banner in a block of its own:\n\n${formatFiles(empty)}`
}

function rulesOf(step: Lowering, aligned: boolean): string {
  if (step !== 'lowering') return rules[step].trimEnd()
  const steps = passes.filter((pass) => aligned || pass !== 'aligned')
  return steps.map((pass) => rules[pass].trimEnd()).join('\n')
}

interface PassRequest {
  task: CraftTask
  step: Lowering
  program: string
  /** What the passes before have left. */
  files: readonly SourceFile[]
  /** Whether there is a pass for copies of any number of elements. */
  aligned: boolean
}

/** A pass of lowering: task, code so far, rules and interfaces. */
export function passRequest({task, step, program, files, aligned}: PassRequest): string {
  return renderPrompt(passPrompt, {
    title: titles[step],
    operator: task.operator,
    program: program.trimEnd(),
    code: files.length > 0 ? formatFiles(files) : 'There is none yet.',
    rules: rulesOf(step, aligned),
    interfaces: interfacesOf(step),
    form: formOf(task),
  })
}

/** Without the tile language: the task to Ascend C at once. */
export function directRequest(task: CraftTask, aligned: boolean): string {
  const {operator, reference, shapes} = task
  const step: CraftStep = 'direct'
  return renderPrompt(directPrompt, {
    operator,
    reference: reference.trimEnd(),
    shapes,
    rules: aligned
      ? `${rules.aligned.trimEnd()}\n- Loads and stores double-buffer through queues.`
      : '- Loads and stores double-buffer through queues.',
    interfaces: interfacesOf(step),
    form: formOf(task),
  })
}
