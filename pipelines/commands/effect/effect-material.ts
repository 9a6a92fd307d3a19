import {readFile} from 'node:fs/promises'
import {basename, join} from 'node:path'
import {z} from 'zod'
import {behindOpening} from '../../../cpp/code-pieces.ts'
import {parquetRows} from '../../../datasets/parquet/parquet-rows.ts'
import {readJsonLines, walk, writeWhole} from '../../../engine/files.ts'
import {PipelineError} from '../../../engine/errors.ts'
import {randomFrom} from '../../../engine/random.ts'
import type {EffectItem} from '../../../eval/effect/effect-item.ts'
import {effectRows, type EffectRow} from '../../../eval/effect/effect-rows.ts'
import {
  apartFrom,
  codeItems,
  heldOut,
  heldOutFiles,
  ownThought,
  reasoningItems,
} from '../../../eval/effect/unseen-rows.ts'
import {interfaceItems, type KnownInterface} from '../../../eval/effect/interface-questions.ts'
import {rankingPairs, type Fault} from '../../../eval/effect/ranking.ts'
import {equalPairs} from '../../../eval/effect/readings.ts'
import {findData, type DataAccess} from '../../../trainers/data-source.ts'
import {viewFiles} from '../../preference/mutations/mutation.ts'
import {mutationsByClass} from '../../preference/mutations.ts'
import type {EffectWorker} from './effect-worker.ts'

/** How many texts are measured. */
export interface EffectSizes {
  /** Number of device files, and of host files. */
  files: number
  pairs: number
  questions: number
  /** Requests for which the model writes its own reasoning. */
  thoughts: number
}

export interface Material {
  training: EffectRow[]
  raw: string[]
  items: EffectItem[]
  /** Requests for reasoning, and the rows that they belong to. */
  asked: EffectRow[]
  /** What was excluded from the held-out rows, and how much overlap with training rows remains. */
  heldOut: {rows: number; sameOperator: number; seen: number; share: number}
}

interface Wanted {
  data: string
  on: readonly string[]
  raw: readonly string[]
  seed: string
  sizes: EffectSizes
  folder: string
  model: string
}

/** Tokens of a file that count: the pilot's windows. */
const codeTokens = 512

/** All items that every arm is measured on, from rows that no arm is trained on; fixed by the seed. */
export async function effectMaterial(wanted: Wanted, access: DataAccess, worker: EffectWorker): Promise<Material> {
  const {data, on, seed, sizes} = wanted
  const training = await rowsOf(data, ['train'], access)
  const candidates = await Promise.all(
    on.length === 0 ? [rowsOf(data, ['test'], access)] : on.map((one) => rowsOf(one, ['train', 'test'], access)),
  )
  const held = heldOut(candidates.flat(), training)
  const files = heldOutFiles(held.rows, sizes.files, randomFrom(seed, 'files'))
  if (files.length === 0) throw nothingHeldOut(on.length === 0 ? [data] : on)
  const thinking = files.filter(({side, reasoning}) => side === 'kernel' && reasoning !== '')
  const interfaces = (await Promise.all([data, ...on].map((one) => interfacesOf(one, access)))).flat()
  const taught = new Set(training.filter(({kind}) => kind === 'documentation').map(({path}) => path))
  const items = [
    ...codeItems(files, codeTokens),
    ...reasoningItems(files),
    ...(await pairsOf(held.rows, wanted, worker)),
    ...interfaceItems(
      interfaces.filter(({path}) => !taught.has(path)),
      sizes.questions,
      randomFrom(seed, 'interfaces'),
    ),
    ...(await generalItems(wanted, worker)),
  ]
  const {left, share, rows} = held
  return {
    training,
    raw: await rawCode(wanted.raw, files),
    items,
    asked: thinking.slice(0, sizes.thoughts),
    heldOut: {rows: rows.length, ...left, share},
  }
}

function nothingHeldOut(on: readonly string[]): PipelineError {
  return new PipelineError('input-invalid', `Every kernel row of ${on.join(', ')} is close to a training row.`, {
    fix: 'Pass --on <folder> with a data set made from other repositories.',
  })
}

async function rowsOf(source: string, splits: readonly string[], access: DataAccess): Promise<EffectRow[]> {
  const found = await Promise.all(splits.map((split) => filesOf(source, 'sft', split, access)))
  return effectRows(found.flat())
}

/** A data set may lack a split or a configuration, but must exist. */
async function filesOf(source: string, config: string, split: string, access: DataAccess): Promise<readonly string[]> {
  try {
    return (await findData({source, config, split}, access)).files
  } catch (error) {
    const isOptional = config !== 'sft' || split !== 'train'
    if (isOptional && error instanceof PipelineError && error.code === 'input-missing') return []
    throw error
  }
}

const Interface = z.object({
  name: z.string(),
  path: z.string(),
  prototypes: z.array(
    z.object({text: z.string(), parameters: z.array(z.object({name: z.string(), type: z.string()}))}),
  ),
  alignment: z.array(z.object({bytes: z.number(), of: z.array(z.string())})),
})

async function interfacesOf(source: string, access: DataAccess): Promise<(KnownInterface & {path: string})[]> {
  const found = await Promise.all(['train', 'test'].map((split) => filesOf(source, 'apis', split, access)))
  const interfaces: (KnownInterface & {path: string})[] = []
  for (const file of found.flat())
    for await (const row of parquetRows(file, Object.keys(Interface.shape))) interfaces.push(Interface.parse(row))
  return interfaces
}

/** Mutations look for device code where projects keep it. */
const sideOf = {kernel: 'op_kernel', host: 'op_host'} as const

/** Faults that may be planted in a text, of every class. */
export function faultsOf(text: string, path: string): Fault[] {
  const side = path.startsWith('op_host/') ? sideOf.host : sideOf.kernel
  const sources = viewFiles([{path: `${side}/${basename(path)}`, text}])
  return Object.entries(mutationsByClass).flatMap(([name, mutations]) =>
    mutations.flatMap((mutation) =>
      mutation.places(sources).map(({start, end, replacement}) => ({
        class: name,
        strategy: mutation.name,
        start,
        end,
        replacement,
      })),
    ),
  )
}

/** Pairs are cut down to those of equal length, so more are drawn than needed. */
const surplus = 6

async function pairsOf(rows: readonly EffectRow[], {seed, sizes, folder, model}: Wanted, worker: EffectWorker) {
  const device = rows.filter(({kind, side}) => kind === 'kernel' && side === 'kernel')
  const random = randomFrom(seed, 'pairs')
  const drawn = rankingPairs(device, {faultsOf, most: sizes.pairs * surplus, random})
  const [items, out] = [join(folder, 'pairs.jsonl'), join(folder, 'pair-lengths.jsonl')]
  await writeWhole(items, jsonLines(drawn.flat()))
  await worker.ask('count', {model, items, out})
  const counts = new Map<string, readonly number[]>()
  for await (const {id, tokens} of readJsonLines(out, z.object({id: z.string(), tokens: z.array(z.int())})))
    counts.set(id, tokens)
  return equalPairs(drawn, counts).slice(0, sizes.pairs).flat()
}

const General = z.object({group: z.string(), name: z.string(), text: z.string()})

async function generalItems({folder}: Wanted, worker: EffectWorker): Promise<EffectItem[]> {
  const out = join(folder, 'general.jsonl')
  await worker.ask('general', {out})
  const items: EffectItem[] = []
  for await (const {group, name, text} of readJsonLines(out, General))
    items.push({
      id: `forgetting ${name}`,
      measure: 'forgetting',
      unit: name,
      variant: 'plain',
      group,
      before: '',
      parts: [text],
      most: {last: codeTokens},
    })
  return items
}

/** Device files of folders, except those close to measured code. */
async function rawCode(folders: readonly string[], measured: readonly EffectRow[]): Promise<string[]> {
  const texts: string[] = []
  for (const folder of folders)
    for await (const path of walk(folder)) {
      if (!/(?:^|\/)op_kernel\/.*\.(?:cpp|h|hpp)$/.test(path)) continue
      texts.push(behindOpening(await readFile(join(folder, path), 'utf8')))
    }
  return apartFrom(measured, texts)
}

export const jsonLines = (records: readonly object[]): string =>
  records.map((one) => `${JSON.stringify(one)}\n`).join('')

export const thoughtRequests = (rows: readonly EffectRow[]): string => jsonLines(rows.map(ownThought))
