import {existsSync, readdirSync} from 'node:fs'
import {PipelineError} from '../../engine/errors.ts'
import {ownModule} from '../../engine/own-package.ts'
import type {Benchmark, Mode} from './benchmark.ts'

const fileOf = (name: string) => ownModule(`./${name}/benchmark`, import.meta.url)

/** Folders beside this file that hold a benchmark. */
function benchmarkNames(): string[] {
  return readdirSync(new URL('.', import.meta.url))
    .filter((name) => existsSync(fileOf(name)))
    .sort()
}

/** A benchmark by the name of its folder; undefined when there is none of that name. */
export async function findBenchmark(name: string): Promise<Benchmark | undefined> {
  if (!benchmarkNames().includes(name)) return undefined
  return ((await import(fileOf(name).href)) as {default: Benchmark}).default
}

/** @throws PipelineError `config-invalid` when there is no benchmark of that name */
export async function loadBenchmark(name: string): Promise<Benchmark> {
  const benchmark = await findBenchmark(name)
  if (benchmark) return benchmark
  const fix = `Use ${benchmarkNames().join(' or ')}.`
  throw new PipelineError('config-invalid', `There is no benchmark ${name}.`, {fix, scope: 'run'})
}

/** @throws PipelineError `config-invalid` when the benchmark has no mode of that name */
export function modeOf({modes}: Pick<Benchmark, 'modes'>, name: string): Mode {
  const mode = modes[name]
  if (mode) return mode
  const fix = `Use --mode ${Object.keys(modes).join(' or --mode ')}.`
  throw new PipelineError('config-invalid', `--mode ${name} is not known.`, {fix, scope: 'run'})
}
