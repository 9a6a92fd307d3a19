import {existsSync} from 'node:fs'
import {readFile} from 'node:fs/promises'
import {join, resolve} from 'node:path'
import {PipelineError, isSystemError} from '../engine/errors.ts'
import {againCommand} from './job-folder.ts'
import {shippedSpecs} from './read-spec.ts'
import type {PlannedModel, ModelShape} from './plan.ts'
import type {JobSpec} from './spec.ts'
import {z} from 'zod'
import {jsonIn} from '../engine/json.ts'

/** The part of an earlier job that another one starts from. */
export interface EarlierJob {
  id: string
  folder: string
  spec: Pick<JobSpec, 'tuning'>
  model: Pick<PlannedModel, 'path' | 'adapter'>
  /** Its last checkpoint, absolute; null if it left none. */
  checkpoint: string | null
}

export interface ModelAccess {
  /** By its id, or the newest one of a name. */
  earlierJob(idOrName: string): Promise<EarlierJob | undefined>
  /** The folder in which the Hub's own tools keep models, if known. */
  modelCache?: string | undefined
}

export interface FoundModel extends PlannedModel {
  /** Local folder of config, tokenizer and chat template; null if they are not available. */
  files: string | null
  /** The job that made it. */
  parent: EarlierJob | null
}

/**
 * Finds the model that a job starts from: a folder, a model on the Hub, or an earlier job's model.
 * @throws PipelineError `input-missing` for a missing folder, job or checkpoint
 */
export async function findModel({name, revision}: JobSpec['model'], access: ModelAccess): Promise<FoundModel> {
  const given = name.value
  if (given.startsWith('job:')) return fromJob(given.slice('job:'.length), access)
  const files = await folderOf(given, revision, access)
  const isFolder = files !== null && files === resolve(given)
  return {path: isFolder ? files : given, adapter: null, shape: await shapeIn(files), files, parent: null}
}

async function fromJob(given: string, access: ModelAccess): Promise<FoundModel> {
  const parent = await access.earlierJob(given)
  if (!parent) throw noJob(given, await shippedSpecs())
  const {checkpoint, model, spec} = parent
  if (checkpoint === null) throw leftNothing(parent)
  if (spec.tuning.kind.value === 'full') {
    return {path: checkpoint, adapter: null, shape: await readShape(checkpoint), files: checkpoint, parent}
  }
  // If it started from an adapter itself, that adapter was merged into its base first.
  const path = model.adapter === null ? model.path : join(parent.folder, 'merged')
  const base = await folderOf(path, undefined, access)
  const files = existsSync(join(checkpoint, 'tokenizer.json')) ? checkpoint : base
  return {path, adapter: checkpoint, shape: await shapeIn(base), files, parent}
}

function noJob(given: string, shipped: readonly string[]): PipelineError {
  const first = shipped.includes(given) ? `Run it first: \`ascend-cot train ${given}\`; or choose` : 'Name'
  return new PipelineError('input-missing', `There is no job ${given}.`, {
    fix: `${first} a job that \`ascend-cot train status\` lists, or a model: --set model.name=<folder>.`,
  })
}

/** @param job a job without a checkpoint, which cannot be resumed */
export function leftNothing({id, folder}: {id: string; folder: string}): PipelineError {
  return new PipelineError('input-missing', `The job ${id} left no checkpoint.`, {
    fix:
      `If it is still running, wait for one (\`ascend-cot train status ${id}\`); ` +
      `otherwise start it again: \`${againCommand(folder)}\`.`,
  })
}

const shapeIn = async (folder: string | null) => (folder === null ? null : readShape(folder))

const hubName = /^[\w-][\w.-]*\/[\w-][\w.-]*$/

async function folderOf(name: string, revision: string | undefined, {modelCache}: ModelAccess): Promise<string | null> {
  const folder = resolve(name)
  if (existsSync(join(folder, 'config.json'))) return folder
  if (!hubName.test(name) || existsSync(folder) || existsSync(resolve(name.split('/')[0] ?? '')))
    throw new PipelineError('input-missing', `${folder} is not a model folder: it has no config.json.`, {
      fix: 'Give a folder saved by transformers, a model on the Hub (owner/name), or job:<id>.',
      evidence: {folder},
    })
  return modelCache === undefined
    ? null
    : cachedFolder(join(modelCache, `models--${name.replace('/', '--')}`), revision)
}

/** See https://huggingface.co/docs/huggingface_hub/guides/manage-cache. */
async function cachedFolder(repository: string, revision = 'main'): Promise<string | null> {
  const commit = await readFile(join(repository, 'refs', revision), 'utf8').catch(() => revision)
  const folder = join(repository, 'snapshots', commit.trim())
  return existsSync(join(folder, 'config.json')) ? folder : null
}

const count = z.int().positive()

const Rope = z.looseObject({factor: z.number().optional(), original_max_position_embeddings: count.optional()})

/** Keys of a `config.json` of the Qwen3 family, dense or with experts. */
const ModelConfig = z.looseObject({
  architectures: z.array(z.string()).min(1),
  num_hidden_layers: count,
  hidden_size: count,
  intermediate_size: count.optional(),
  num_attention_heads: count,
  num_key_value_heads: count.optional(),
  head_dim: count.nullish(),
  vocab_size: count,
  tie_word_embeddings: z.boolean().default(true),
  max_position_embeddings: count.nullish(),
  /** Extended, as by YaRN. */
  rope_scaling: Rope.nullish(),
  rope_theta: z.number().positive().optional(),
  /** The place used by newer releases of transformers. */
  rope_parameters: Rope.extend({rope_theta: z.number().positive().optional()}).nullish(),
  num_experts: z.int().nonnegative().nullish(),
  num_experts_per_tok: z.int().nonnegative().nullish(),
  moe_intermediate_size: z.int().nonnegative().nullish(),
})

/**
 * The shape of a model in a folder; null without a `config.json`.
 * @throws PipelineError `input-invalid` for one that is not a supported model
 */
export async function readShape(folder: string): Promise<ModelShape | null> {
  const file = join(folder, 'config.json')
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (isSystemError(error, 'ENOENT')) return undefined
    throw error
  })
  if (text === undefined) return null
  const parsed = ModelConfig.safeParse(jsonIn(text))
  if (parsed.success) return shapeOf(parsed.data)
  throw new PipelineError('input-invalid', `${file} does not describe a language model: ${problems(parsed.error)}`, {
    fix: 'Give the folder of a model saved by transformers.',
    evidence: {path: file},
  })
}

const problems = (error: z.ZodError) =>
  error.issues.map(({path, message}) => `${path.join('.') || 'file'}: ${message}`).join('; ')

function shapeOf(config: z.infer<typeof ModelConfig>): ModelShape {
  const heads = config.num_attention_heads
  const shape = {
    architecture: config.architectures[0] as string,
    layers: config.num_hidden_layers,
    hidden: config.hidden_size,
    feedForward: config.intermediate_size ?? 0,
    heads,
    keyValueHeads: config.num_key_value_heads ?? heads,
    headSize: config.head_dim ?? Math.floor(config.hidden_size / heads),
    vocabulary: config.vocab_size,
    tiedEmbeddings: config.tie_word_embeddings,
    context: contextOf(config),
    ropeTheta: config.rope_theta ?? config.rope_parameters?.rope_theta ?? 10_000,
    experts: config.num_experts ?? 0,
    expertsPerToken: config.num_experts_per_tok ?? 0,
    expertFeedForward: config.moe_intermediate_size ?? 0,
  }
  return {...shape, parameters: parametersOf(shape)}
}

function contextOf({max_position_embeddings: own, rope_scaling, rope_parameters}: z.infer<typeof ModelConfig>) {
  const {factor = 1, original_max_position_embeddings: original = 0} = {...rope_parameters, ...rope_scaling}
  return own ? Math.max(own, factor * original) : null
}

/** All weights of a Qwen3: norms of queries and keys included, no bias anywhere. */
function parametersOf(shape: Omit<ModelShape, 'parameters'>): number {
  const {hidden, heads, keyValueHeads, headSize, layers, experts, vocabulary} = shape
  const attention = hidden * headSize * (2 * heads + 2 * keyValueHeads) + 2 * headSize
  const feedForward =
    experts > 0 ? hidden * experts * (1 + 3 * shape.expertFeedForward) : 3 * hidden * shape.feedForward
  const embeddings = vocabulary * hidden * (shape.tiedEmbeddings ? 1 : 2)
  return embeddings + layers * (attention + feedForward + 2 * hidden) + hidden
}
