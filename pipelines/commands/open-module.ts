import {statSync} from 'node:fs'
import {extname} from 'node:path'
import {PipelineError} from '../../engine/errors.ts'
import type {ModelBenchmark} from '../../eval/bench/benchmark.ts'
import {judgesModels, loadBenchmarks} from '../../eval/bench/load-benchmark.ts'
import type {LoneModule} from '../../eval/bench/whole-model.ts'
import type {Config} from '../workspace/config.ts'
import {sandboxOf} from './executor.ts'
import type {World} from './world.ts'

/** For a command that is to be typed next. */
export const pythonFlag = (python: string) => (python === 'python3' ? '' : ` --python ${python}`)

/** By its name: whether it is there is another question. */
export const isModule = (path: string) => extname(path) === '.py'

/** @throws PipelineError `input-missing` */
export function checkModule(path: string): void {
  if (statSync(path, {throwIfNoEntry: false})?.isFile()) return
  throw new PipelineError('input-missing', `There is no module ${path}.`, {
    fix: 'Name a Python file with a class Model and a function get_inputs.',
  })
}

export interface ModulesBenchmark {
  benchmark: ModelBenchmark
  alone: NonNullable<ModelBenchmark['cases']['alone']>
}

/** The benchmark in whose form a module may stand by itself. */
export async function benchmarkOfModules(): Promise<ModulesBenchmark> {
  for (const benchmark of (await loadBenchmarks()).values())
    if (judgesModels(benchmark) && benchmark.cases.alone) return {benchmark, alone: benchmark.cases.alone}
  throw new TypeError('no benchmark has modules that stand by themselves')
}

/**
 * Opens a module of PyTorch as a task.
 * @throws PipelineError `input-missing`, `input-invalid`, `toolchain-missing` without torch, `sandbox-missing`
 */
export async function openModule(
  path: string,
  {python: command, config, world}: {python: string; config: Config; world: World},
): Promise<LoneModule> {
  checkModule(path)
  const {benchmark, alone} = await benchmarkOfModules()
  const python = await benchmark.findPython(command)
  return alone(path, {python, signal: world.signal, ...(await sandboxOf(config))})
}
