import {join} from 'node:path'
import {mkdir, writeFile} from 'node:fs/promises'
import parquet from '../../datasets/parquet/parquet.ts'
import {manifestText} from '../../datasets/hub/manifest.ts'
import type {Config, SplitRow} from '../../datasets/schema/export.ts'
import type {CotSample} from '../../datasets/schema/sample.ts'
import type {PlanWorld} from '../../trainers/make-plan.ts'
import {temporaryFolder} from '../helpers/temporary.ts'
import {collect, dpoRow, kernelSample, pair, recordingContext, sample, sftRow, side, stream} from '../datasets/rows.ts'

/** 30 rows on pages and 50 on operators, several to each. */
export function samples(): CotSample[] {
  const origin = {repository: 'r', revision: '1', licence: 'Apache-2.0'}
  const pages = Array.from({length: 30}, (_, row) =>
    sample({prompt: `page ${row}?`, origin: {...origin, path: `docs/${Math.floor(row / 3)}.md`}}),
  )
  const operators = Array.from({length: 50}, (_, row) => {
    const path = `math/op_${Math.floor(row / 4)}/op_kernel/k.cpp`
    return kernelSample({prompt: `operator ${row}?`, kind: row % 2 ? 'project' : 'kernel', origin: {...origin, path}})
  })
  return [...pages, ...operators]
}

export function pairRows(): SplitRow[] {
  return Array.from({length: 12}, (_, row) =>
    dpoRow(
      pair({
        task: `task-${Math.floor(row / 2)}`,
        prompt: `task ${Math.floor(row / 2)}`,
        strategy: row % 3 === 0 ? 'compile-fail' : 'execution-fail',
        chosen: side({reasoning: 'r', answer: `right ${row}`}),
        rejected: side({reasoning: 'w', answer: `wrong ${row}`}),
      }),
    ),
  )
}

/** A data set as a release leaves it. */
export async function dataset(directory: string, rows: Partial<Record<Config, SplitRow[]>> = {}): Promise<string> {
  const all = {sft: samples().map((one) => sftRow(one)), dpo: pairRows(), ...rows}
  const artifacts = []
  for (const [config, given] of Object.entries(all))
    artifacts.push(
      ...(await collect(parquet({config: config as Config, directory}).run(stream(given), recordingContext()))),
    )
  await writeFile(join(directory, 'manifest.json'), manifestText(artifacts))
  return directory
}

export const qwen3Config = {
  architectures: ['Qwen3ForCausalLM'],
  num_hidden_layers: 36,
  hidden_size: 4096,
  intermediate_size: 12288,
  num_attention_heads: 32,
  num_key_value_heads: 8,
  head_dim: 128,
  vocab_size: 151936,
  tie_word_embeddings: false,
  rope_theta: 1000000,
}

export async function modelFolder(config: Record<string, unknown> = qwen3Config, below?: string): Promise<string> {
  const folder = below ?? (await temporaryFolder())
  await mkdir(folder, {recursive: true})
  await writeFile(join(folder, 'config.json'), JSON.stringify(config))
  return folder
}

export async function planWorld(over: Partial<PlanWorld> = {}): Promise<PlanWorld> {
  const folder = await temporaryFolder()
  return {
    jobs: join(folder, 'jobs'),
    cache: join(folder, 'cache'),
    hub: () => Promise.reject(new Error('no network')),
    earlierJob: () => Promise.resolve(undefined),
    ...over,
  }
}
