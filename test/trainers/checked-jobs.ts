import {cp, mkdir, rm, writeFile} from 'node:fs/promises'
import {join, resolve} from 'node:path'
import {decontaminationPath} from '../../datasets/contamination/decontamination-file.ts'
import type {EarlierJob} from '../../trainers/find-model.ts'
import {type PlannedJob, arithmeticOf} from '../../trainers/make-plan.ts'
import type {ModelShape} from '../../trainers/plan.ts'
import type {JobFacts} from '../../trainers/preflight/checked-job.ts'
import type {FindingCode, Severity} from '../../trainers/preflight/finding.ts'
import {preflight} from '../../trainers/preflight/preflight.ts'
import {readSpec} from '../../trainers/read-spec.ts'
import type {TrainingRow} from '../../trainers/training-rows.ts'
import {temporaryFolder} from '../helpers/temporary.ts'
import {stream} from '../datasets/rows.ts'

export const user = (content: string) => [{role: 'user', content}]
export const assistant = (content: string) => [{role: 'assistant', content}]
export const thought = (answer: string, reasoning = 'Because.') => `<think>\n${reasoning}\n</think>\n\n${answer}`

export const sftRow = (number: number, over: TrainingRow = {}): TrainingRow => ({
  id: `${number}`.padStart(32, '0'),
  kind: 'kernel',
  prompt: user(`Question ${number}?`),
  completion: assistant(thought(`Answer ${number}.`)),
  ...over,
})

export const dpoRow = (number: number, over: TrainingRow = {}): TrainingRow => ({
  id: `${number}`.padStart(32, '0'),
  task: `task ${number}`,
  strategy: 'execution-fail',
  chosen_label: 'green',
  rejected_label: 'orange',
  chosen_sampler: 'model',
  prompt: user(`Task ${number}`),
  chosen: assistant(thought(`right ${number}`)),
  rejected: assistant(thought(`wrong ${number}`)),
  ...over,
})

export const rows = (count: number, over: TrainingRow = {}) => Array.from({length: count}, (_, at) => sftRow(at, over))
export const pairs = (count: number, over: TrainingRow = {}) => Array.from({length: count}, (_, at) => dpoRow(at, over))
/** Sound rows, and one that is not. */
export const with1 = (over: TrainingRow) => [...rows(7), sftRow(7, over)]
export const pairs1 = (over: TrainingRow) => [...pairs(7), dpoRow(7, over)]

export interface Given {
  name?: string
  set?: Record<string, string>
  rows?: readonly TrainingRow[]
  facts?: Partial<JobFacts>
  shape?: ModelShape
  template?: 'none' | string
  tokenizer?: false
  parent?: {tuning: Record<string, string>}
  resume?: string
  leftOut?: number
  decontaminated?: false
}

const fixture = resolve('test/fixtures/tokenizer')

/** Files of a model, with another template or none. */
async function modelFiles({template, tokenizer}: Given): Promise<string | null> {
  if (tokenizer === false) return null
  if (template === undefined) return fixture
  const folder = await temporaryFolder()
  await cp(fixture, folder, {recursive: true})
  if (template === 'none') await rm(join(folder, 'chat_template.jinja'))
  else await writeFile(join(folder, 'chat_template.jinja'), template)
  return folder
}

export async function planned(given: Given): Promise<PlannedJob> {
  const name = given.name ?? 'starter-sft'
  const sound = {'hyperparameters.warmupRatio': '0', 'hyperparameters.globalBatch': '2', 'hyperparameters.steps': '4'}
  const set = {...(name.startsWith('starter') ? sound : {}), ...given.set}
  const spec = await readSpec(name, {...set, ...(name === 'starter-dpo' ? {'model.name': 'a/b', ...given.set} : {})})
  const root = await temporaryFolder()
  await mkdir(join(root, 'decontamination'))
  for (const config of ['sft', 'dpo'] as const)
    if (given.decontaminated !== false) await writeFile(join(root, decontaminationPath(config)), '{}')
  const all = given.rows ?? (spec.method === 'dpo' ? pairs(8) : rows(8))
  const parent: EarlierJob | null = given.parent
    ? {
        id: 'sft-0',
        folder: '/jobs/sft-0',
        spec: await readSpec('starter-sft', given.parent.tuning),
        model: {path: 'a/b', adapter: null},
        checkpoint: '/jobs/sft-0/output/checkpoint-1',
      }
    : null
  const model = {path: 'a/b', adapter: null, shape: given.shape ?? tiny}
  return {
    plan: {
      id: 'job-0',
      spec,
      folder: '/jobs/job-0',
      output: '/jobs/job-0/output',
      model,
      data: {files: [], rows: all.length, sha256: 'a'.repeat(64), manifest: null},
      arithmetic: arithmeticOf(spec, all.length),
      versions: {},
      resume: given.resume ?? null,
    },
    rows: {
      columns: Object.keys(all[0] ?? {}),
      read: () => stream(all),
      count: all.length,
      leftOut: given.leftOut ?? 0,
      sha256: 'a'.repeat(64),
    },
    data: {root, files: [], manifest: null},
    model: {...model, files: await modelFiles(given), parent},
  }
}

const shapeOf = (parameters: number): ModelShape => ({
  architecture: 'Qwen3ForCausalLM',
  layers: 64,
  hidden: 5120,
  feedForward: 25600,
  heads: 64,
  keyValueHeads: 8,
  headSize: 128,
  vocabulary: 151936,
  tiedEmbeddings: false,
  context: 40_960,
  ropeTheta: 1e6,
  experts: 0,
  expertsPerToken: 0,
  expertFeedForward: 0,
  parameters,
})
export const tiny = {...shapeOf(1e6), layers: 2, hidden: 64, vocabulary: 300}
export const big = shapeOf(32_762_123_264)

export const sound: JobFacts = {
  probe: {versions: {trl: '1.16.0', peft: '0.21.0', torch: '2.13.0'}, keys: ['max_length', 'learning_rate']},
  keys: ['max_length', 'learning_rate'],
  devices: null,
  freeBytes: 1e12,
  checkpoints: [],
  unwritable: null,
  missingCommand: null,
  before: null,
}

/** Answers of an environment on Ascend. */
export const npu = {probe: {versions: {trl: '1', peft: '1', 'torch-npu': '2'}, keys: null}}

export async function checked(given: Given) {
  return preflight(await planned(given), {...sound, ...given.facts})
}

export async function traps(given: Given): Promise<Partial<Record<FindingCode, Severity>>> {
  const {findings} = await checked(given)
  return Object.fromEntries(
    findings.filter(({code}) => !usual.includes(code)).map(({code, severity}) => [code, severity]),
  )
}

/** What a sound job says as well. */
export const usual: readonly FindingCode[] = ['lengths', 'pairs']

/** What was planted, the finding that it has to be, how grave it is, and words that the person needs. */
export type Planted = [what: string, code: FindingCode, severity: Severity, given: Given, words?: string]
