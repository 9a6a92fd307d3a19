import {existsSync, readdirSync} from 'node:fs'
import {join} from 'node:path'
import {PipelineError} from '../../engine/errors.ts'
import {ownModule} from '../../engine/own-package.ts'
import type {Benchmark, Mode, ModelBenchmark, OperatorBenchmark, TaughtMode} from './benchmark.ts'

const fileOf = (name: string) => ownModule(`./${name}/benchmark`, import.meta.url)

/** Folders next to this file that contain a benchmark. */
function benchmarkNames(): string[] {
  return readdirSync(new URL('.', import.meta.url))
    .filter((name) => existsSync(fileOf(name)))
    .sort()
}

/** A benchmark by the name of its folder; undefined when there is no such benchmark. */
export async function findBenchmark(name: string): Promise<Benchmark | undefined> {
  if (!benchmarkNames().includes(name)) return undefined
  return ((await import(fileOf(name).href)) as {default: Benchmark}).default
}

/** All of them, by the names of their folders. */
export async function loadBenchmarks(): Promise<Map<string, Benchmark>> {
  return new Map(await Promise.all(benchmarkNames().map(async (name) => [name, await loadBenchmark(name)] as const)))
}

/** Whether a folder is a checkout, by its subfolders; never for the usual layout. */
export function isCheckout(root: string, {checkout}: Pick<Benchmark, 'checkout'>): boolean {
  return checkout?.every((folder) => existsSync(join(root, folder))) === true
}

/** `reference/ and prompt_generators/` */
export function foldersOf({checkout}: Pick<ModelBenchmark, 'checkout'>): string {
  return checkout.map((folder) => `${folder}/`).join(' and ')
}

export function judgesModels(benchmark: Benchmark): benchmark is ModelBenchmark {
  return 'tiers' in benchmark
}

const isTaught = (mode: Mode): mode is TaughtMode => mode.chinese !== undefined

/** The modes that are also used for samples, by their names, which must differ. */
export async function taughtModes(): Promise<Readonly<Record<string, TaughtMode>>> {
  const all = [...(await loadBenchmarks()).values()].flatMap((one) =>
    judgesModels(one) ? [] : Object.entries(one.modes),
  )
  return Object.fromEntries(all.flatMap(([name, mode]) => (isTaught(mode) ? [[name, mode]] : [])))
}

/** @throws PipelineError `config-invalid` when there is no such benchmark */
export async function loadBenchmark(name: string): Promise<Benchmark> {
  const benchmark = await findBenchmark(name)
  if (benchmark) return benchmark
  const fix = `Use ${benchmarkNames().join(' or ')}.`
  throw new PipelineError('config-invalid', `There is no benchmark ${name}.`, {fix})
}

/** @throws PipelineError `config-invalid` when the benchmark has no such mode */
export function modeOf({modes}: Pick<OperatorBenchmark, 'modes'>, name: string): Mode {
  const mode = modes[name]
  if (mode) return mode
  const fix = `Use --mode ${Object.keys(modes).join(' or --mode ')}.`
  throw new PipelineError('config-invalid', `Unknown mode: --mode ${name}.`, {fix})
}
