import {diffLines} from 'diff'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {PipelineError} from '../../../engine/errors.ts'
import {arithmeticOf} from '../../../trainers/make-plan.ts'
import type {Engine, Step} from '../../../trainers/engines/engine.ts'
import type {JobPlan, ModelShape} from '../../../trainers/plan.ts'
import {readSpec, shippedSpecs} from '../../../trainers/read-spec.ts'
import type {JobSpec} from '../../../trainers/spec.ts'
import {golden} from '../../helpers/golden.ts'
import {companions, engines} from './plans.ts'

// Every spec that is shipped, as every trainer would read it, a refusal included: the first of each method in full, the
// others in the lines that differ from it.

const folder = 'test/fixtures/trainers-specs'
/** Rows of the paper's documentation and kernel data, in round figures: enough for real numbers of steps. */
const rows = 12_800

const dense = {
  architecture: 'Qwen3ForCausalLM',
  headSize: 128,
  vocabulary: 151_936,
  context: 40_960,
  ropeTheta: 1_000_000,
}
const noExperts = {experts: 0, expertsPerToken: 0, expertFeedForward: 0}
const wide = {...dense, ...noExperts, keyValueHeads: 8}

/** From the models' `config.json` on the Hub. */
const shapes: Record<string, ModelShape> = {
  'Qwen/Qwen3-0.6B': shape(28, 1024, 3072, {heads: 16, tiedEmbeddings: true, parameters: 596_049_920}),
  'Qwen/Qwen3-1.7B': shape(28, 2048, 6144, {heads: 16, tiedEmbeddings: true, parameters: 1_720_574_976}),
  'Qwen/Qwen3-4B': shape(36, 2560, 9728, {heads: 32, tiedEmbeddings: true, parameters: 4_022_468_096}),
  'Qwen/Qwen3-8B': shape(36, 4096, 12_288, {heads: 32, tiedEmbeddings: false, parameters: 8_190_735_360}),
  'Qwen/Qwen3-14B': shape(40, 5120, 17_408, {heads: 40, tiedEmbeddings: false, parameters: 14_768_307_200}),
  'Qwen/Qwen3-32B': shape(64, 5120, 25_600, {heads: 64, tiedEmbeddings: false, parameters: 32_762_123_264}),
  'Qwen/Qwen3-Coder-30B-A3B-Instruct': {
    ...shape(48, 2048, 6144, {heads: 32, tiedEmbeddings: false, parameters: 30_532_122_624}),
    architecture: 'Qwen3MoeForCausalLM',
    keyValueHeads: 4,
    experts: 128,
    expertsPerToken: 8,
    expertFeedForward: 768,
    ropeTheta: 10_000_000,
  },
}

type Rest = Pick<ModelShape, 'heads' | 'tiedEmbeddings' | 'parameters'>

function shape(layers: number, hidden: number, feedForward: number, rest: Rest): ModelShape {
  return {...wide, layers, hidden, feedForward, ...rest}
}

/** The model that a chain of jobs starts from. */
async function startOf(spec: JobSpec): Promise<string> {
  const name = spec.model.name.value
  return name.startsWith('job:') ? startOf(await readSpec(name.slice('job:'.length))) : name
}

async function planFor(spec: JobSpec): Promise<JobPlan> {
  const start = await startOf(spec)
  const job = `/jobs/${spec.name}`
  const trained = spec.model.name.value !== start
  return {
    id: spec.name,
    spec,
    folder: job,
    output: `${job}/output`,
    model: {path: trained ? '/jobs/before/output' : `/models/${start}`, adapter: null, shape: shapes[start] ?? null},
    data: {files: [`${job}/data/train.parquet`], rows, sha256: 'ab'.repeat(32), manifest: null},
    arithmetic: arithmeticOf(spec, rows),
    versions: {},
    resume: null,
  }
}

/** A flag with its value on each line, as people read commands. */
function stepText({name, argv, ...rest}: Step): string {
  const words = argv.map((word) => (typeof word === 'string' ? word : `<${word.rendezvous}>`)).join(' ')
  return `--- step ${name}\n${words.replaceAll(' --', '\n  --')}\n${JSON.stringify(rest)}\n`
}

/** What whoever trains with it writes beside the spec; one that is made for Megatron divides otherwise elsewhere. */
function besides({name}: Engine, own: string): Record<string, string> {
  if (name === 'mindspeed-llm') return {engine: name, 'environment.checkout': '/opt/MindSpeed-LLM'}
  if (name === own || own !== 'mindspeed-llm') return {engine: name}
  const alone = {'parallel.tensor': '1', 'parallel.pipeline': '1', 'parallel.context': '1'}
  return {engine: name, ...alone, 'parallel.sharding': 'zero3'}
}

async function pageOf(engine: Engine, name: string, own: string): Promise<string> {
  try {
    const plan = await planFor(await readSpec(name, besides(engine, own)))
    const {files, steps} = engine.render(plan, companions)
    const texts = files.filter(({path}) => !path.startsWith('python/')).map(({path, text}) => `--- ${path}\n${text}`)
    return [...steps.map(stepText), ...texts].join('')
  } catch (error) {
    if (error instanceof PipelineError) return `refused: ${error.code}: ${error.message}\n`
    throw error
  }
}

async function textOf(name: string): Promise<string> {
  const {engine: own} = await readSpec(name)
  const pages: [string, string][] = []
  for (const engine of engines) pages.push([engine.name, await pageOf(engine, name, own)])
  expect(Object.fromEntries(pages)[own], 'its own trainer takes it').not.toContain('refused')
  return pages
    .map(([engine, page]) => `=== ${engine}\n${page}`)
    .join('\n')
    .replaceAll(new RegExp(`/jobs/${name}(?=[/"])`, 'g'), '/jobs/<job>')
}

const first = {sft: 'sft-8b', dpo: 'dpo'}

/** The lines that a text has and another has not, and those it lacks, below the file or step that they are of. */
function changes(before: string, after: string): string {
  const isHead = (line: string) => /^(?:===|---) /.test(line)
  let [place, told] = ['', '']
  const lines = diffLines(before, after).flatMap(({added, removed, value}) => {
    const own = value.trimEnd().split('\n')
    if (!added && !removed) {
      place = own.findLast(isHead) ?? place
      return []
    }
    const heads = place === told ? [] : [place]
    told = place
    return [...heads, ...own.map((line) => `${added ? '+' : '-'} ${line}`)]
  })
  return `${lines.join('\n')}\n`
}

test.each(await shippedSpecs())('%s', async (name) => {
  const base = (await readSpec(name)).method === 'dpo' ? first.dpo : first.sft
  const text = await textOf(name)
  golden(join(folder, `${name}.txt`), name === base ? text : changes(await textOf(base), text))
})
