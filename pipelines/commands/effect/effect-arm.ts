import {existsSync} from 'node:fs'
import {readFile} from 'node:fs/promises'
import {join} from 'node:path'
import {z} from 'zod'
import {makeFolder, readJsonLines, removeFolder, writeWhole} from '../../../engine/files.ts'
import {randomFrom} from '../../../engine/random.ts'
import {armRows, type ArmSources} from '../../../eval/effect/arms.ts'
import {ItemBits, type EffectItem} from '../../../eval/effect/effect-item.ts'
import {reasoningItem} from '../../../eval/effect/unseen-rows.ts'
import {readingsOf, type Reading} from '../../../eval/effect/readings.ts'
import {yamlText} from '../../../trainers/engines/yaml-text.ts'
import {faultsOf, jsonLines, thoughtRequests, type Material} from './effect-material.ts'
import type {EffectWorker} from './effect-worker.ts'

export interface Training {
  tokens: number
  by: 'tokens' | 'code'
  window: number
  learningRate: number
  precision: 'fp32' | 'bf16'
}

/** What an arm cost, and its results. */
const Spent = z.object({
  tokens: z.int(),
  answer_tokens: z.int(),
  rows: z.int(),
  windows: z.int(),
  passes: z.number(),
  trainSeconds: z.number(),
  measureSeconds: z.number(),
})
type Spent = z.infer<typeof Spent>

/** An arm's training windows, and the file from which PyTorch reads them. */
const Windows = z.object({
  spent: Spent.omit({trainSeconds: true, measureSeconds: true}),
  device: z.enum(['cpu', 'cuda']),
})

export interface MeasuredArm {
  arm: string
  /** Which order of its rows; 0 for the model as it is. */
  order: number
  spent: Spent
  readings: Reading[]
}

interface ArmJob {
  arm: string
  order: number
  folder: string
  /** Of the untrained model. */
  model: string
  material: Material
  training: Training
  seed: string
  worker: EffectWorker
  now(): number
}

const nothing = {tokens: 0, answer_tokens: 0, rows: 0, windows: 0, passes: 0, trainSeconds: 0, measureSeconds: 0}

/** Name of the arm that is not trained. */
export const untrained = 'base'

/** Trains and measures an arm; finished work is read, not repeated. The trained model is removed. */
export async function measuredArm(job: ArmJob): Promise<MeasuredArm> {
  const {arm, order, folder, material} = job
  const spentFile = join(folder, 'spent.json')
  const made = existsSync(spentFile)
  const spent = made ? Spent.parse(JSON.parse(await readFile(spentFile, 'utf8'))) : await runArm(job)
  if (!made) await writeWhole(spentFile, `${JSON.stringify(spent)}\n`)
  const items = [...material.items, ...(await thoughtItems(job))]
  const bits: ItemBits[] = []
  for (const name of ['bits.jsonl', 'thought-bits.jsonl'])
    if (existsSync(join(folder, name)))
      for await (const one of readJsonLines(join(folder, name), ItemBits)) bits.push(one)
  return {arm, order, spent, readings: readingsOf(items, bits)}
}

async function runArm(job: ArmJob): Promise<Spent> {
  const {arm, folder, model, now} = job
  makeFolder(folder)
  const started = now()
  const [trained, spent] = arm === untrained ? [model, nothing] : await train(job)
  const measured = now()
  await measure(job, trained)
  if (trained !== model) await removeFolder(trained)
  return {...spent, trainSeconds: (measured - started) / 1000, measureSeconds: (now() - measured) / 1000}
}

async function train(job: ArmJob): Promise<[folder: string, Spent]> {
  const {arm, order, folder, model, material, training, seed, worker} = job
  const random = randomFrom(seed, 'arm', arm)
  const sources: ArmSources = {rows: material.training, raw: material.raw, random, spoil: spoiler(seed)}
  const files = {items: join(folder, 'rows.jsonl'), out: join(folder, 'windows.jsonl')}
  await writeWhole(files.items, jsonLines(armRows(arm, sources)))
  const {tokens, window, by} = training
  const said = await worker.ask('windows', {model, ...files, tokens, window, by, seed: order})
  const {spent, device} = Windows.parse(JSON.parse(said))
  const output = join(folder, 'model')
  // An interrupted attempt leaves no usable model.
  await removeFolder(output)
  const config = join(folder, 'sft.yaml')
  await writeWhole(config, yamlText(trainerKeys({model, data: files.out, output, order, training, device})))
  await worker.train(config)
  return [output, {...nothing, ...spent}]
}

/** As many faults as do not overlap, up to one for every 600 characters. */
function spoiler(seed: string): ArmSources['spoil'] {
  return (text, path) => {
    let spoilt = text
    let before = Infinity
    const most = Math.ceil(text.length / 600)
    const chosen = randomFrom(seed, 'spoil', path).shuffle(faultsOf(text, path)).slice(0, most)
    for (const {start, end, replacement} of chosen.sort((a, b) => b.start - a.start)) {
      if (end > before) continue
      spoilt = spoilt.slice(0, start) + replacement + spoilt.slice(end)
      before = start
    }
    return spoilt === text ? undefined : spoilt
  }
}

interface TrainerInput extends Pick<ArmJob, 'model' | 'order' | 'training'> {
  data: string
  output: string
  device: 'cpu' | 'cuda'
}

/** TRL's keys: one window a step, in an order by the seed, at a constant rate. */
function trainerKeys({model, data, output, order, training, device}: TrainerInput): Record<string, unknown> {
  return {
    model_name_or_path: model,
    // Steps of a small rate vanish in bfloat16, so weights stay in float32 whatever precision products use.
    dtype: 'float32',
    datasets: [{path: 'json', data_files: [data], split: 'train'}],
    output_dir: output,
    max_length: training.window,
    packing: false,
    completion_only_loss: true,
    num_train_epochs: 1,
    per_device_train_batch_size: 1,
    gradient_accumulation_steps: 1,
    gradient_checkpointing: false,
    learning_rate: training.learningRate,
    lr_scheduler_type: 'constant',
    weight_decay: 0,
    max_grad_norm: 1,
    bf16: training.precision === 'bf16',
    // transformers refuses bf16 without an accelerator unless forced.
    use_cpu: device === 'cpu',
    seed: order,
    data_seed: order,
    logging_steps: 10,
    save_strategy: 'no',
    report_to: 'none',
  }
}

async function measure({folder, material, worker}: ArmJob, model: string): Promise<void> {
  const items = join(folder, 'items.jsonl')
  await writeWhole(items, jsonLines(material.items))
  await worker.ask('score', {model, items, out: join(folder, 'bits.jsonl')})
  if (material.asked.length === 0) return
  const requests = join(folder, 'thought-requests.jsonl')
  await writeWhole(requests, thoughtRequests(material.asked))
  await worker.ask('sample', {model, items: requests, out: join(folder, 'thoughts.jsonl')})
  const thoughts = join(folder, 'thought-items.jsonl')
  await writeWhole(thoughts, jsonLines(await thoughtItems({folder, material})))
  await worker.ask('score', {model, items: thoughts, out: join(folder, 'thought-bits.jsonl')})
}

/** The code of rows, conditioned on the model's own reasoning about their requests. */
async function thoughtItems({folder, material}: Pick<ArmJob, 'folder' | 'material'>): Promise<EffectItem[]> {
  const path = join(folder, 'thoughts.jsonl')
  if (!existsSync(path)) return []
  const rows = new Map(material.asked.map((row) => [row.id, row]))
  const items: EffectItem[] = []
  for await (const {id, text} of readJsonLines(path, z.object({id: z.string(), text: z.string()}))) {
    const row = rows.get(id)
    if (row) items.push(reasoningItem(row, 'sampled', text))
  }
  return items
}
