import {join} from 'node:path'
import type {JobPlan} from '../plan.ts'
import type {RenderedFile, Step} from './engine.ts'
import {pythonFile} from './python-files.ts'
import {transformersEnvironment, weightType} from './transformers-arguments.ts'

interface BaseModel {
  path: string
  files: readonly RenderedFile[]
  steps: readonly Step[]
}

/**
 * The model that training starts from. An adapter from an earlier job is merged into the weights first: a trainer that
 * loads it as an adapter would use the model *without* it as the reference of a preference loss.
 */
export function baseModel(plan: JobPlan): BaseModel {
  const {model, folder, spec} = plan
  if (model.adapter === null) return {path: model.path, files: [], steps: []}
  const merged = join(folder, 'merged')
  const program = pythonFile('merge_adapter.py')
  const argv = [spec.environment.python, join(folder, 'rendered', program.path), model.path, model.adapter, merged]
  const step: Step = {
    name: 'merge-adapter',
    argv: [...argv, weightType(plan)],
    environment: transformersEnvironment(plan),
    everyNode: false,
    directory: folder,
  }
  return {path: merged, files: [program], steps: [step]}
}
