import {kernelName} from '../../../cpp/op-def.ts'
import type {CraftDesign} from '../../../datasets/schema/crafted-operator.ts'
import type {SourceFile} from '../../../datasets/schema/operator.ts'
import type {OperatorTask} from '../../../datasets/schema/task.ts'
import {voice} from '../../../datasets/voice.ts'
import {randomFrom} from '../../../engine/random.ts'
import type {CheckedModule} from '../language/checked.ts'
import {lower, templates} from '../lower/lower.ts'
import {callsText, casesOf, casesText} from './craft-cases.ts'
import {descriptionText, readmeText} from './describe.ts'
import {difficultyOf} from './difficulty.ts'
import type {Crafted} from './tile-program.ts'
import {referenceText, torchText} from './craft-reference.ts'

/** A design's task, with every file of it, relative to the folder of the factory. */
interface CraftTaskFiles {
  /** Its reference has a path that is relative, too. */
  task: OperatorTask
  files: SourceFile[]
  /** Folders that hold nothing but this operator. */
  folders: string[]
}

/** Everything that a task needs, from the design of its operator. */
export function taskOf(design: CraftDesign, crafted: Crafted, checked: CheckedModule, seed: string): CraftTaskFiles {
  const {name, category} = design
  const snake = kernelName(name)
  const random = randomFrom(seed, 'craft-task', name)
  const said = voice(random.pick(['en', 'zh'] as const), random)
  const cases = casesOf(design, crafted.plan.tile, random)
  const description = descriptionText(design, crafted.plan.tile, said)
  const {level} = difficultyOf(design)
  const path = `tasks/level${level}/${category}/${name}`
  const begin = templates(checked, name)
  const answer = lower(checked, {operator: name}).files
  const task: OperatorTask = {
    origin: {repository: 'ascend-cot/ascendcraft', revision: seed, path, licence: 'Apache-2.0'},
    name,
    level,
    category,
    description,
    hostTemplate: begin.host,
    kernelTemplate: begin.kernel,
    cases,
    columns: Object.keys(cases[0]!),
    reference: {kind: 'typescript', path: `${path}/validation/reference.ts`},
    answer,
  }
  const operator = `operators/${category}/${snake}`
  return {
    task,
    folders: [path, operator],
    files: [
      {path: `${path}/api_desc.md`, text: description},
      {path: `${path}/validation/test_cases.csv`, text: casesText(cases)},
      {path: `${path}/validation/reference.ts`, text: referenceText(design, crafted.plan.tile)},
      {path: `${path}/validation/module.py`, text: torchText(design)},
      {path: `${path}/program.py`, text: crafted.text},
      ...[begin.host, begin.kernel].map((file) => ({path: `${path}/question/${file.path}`, text: file.text})),
      ...answer.map((file) => ({path: `${path}/answer/0/${file.path}`, text: file.text})),
      {path: `${operator}/README.md`, text: readmeText(design, said)},
      {path: `${operator}/tests/ttk_kernel_${snake}.csv`, text: callsText(design, cases)},
      ...answer.map((file) => ({path: `${operator}/${file.path}`, text: file.text})),
    ],
  }
}
