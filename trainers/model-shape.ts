import {readFile} from 'node:fs/promises'
import {join} from 'node:path'
import {z} from 'zod'
import {isSystemError, PipelineError} from '../engine/errors.ts'
import type {ModelShape} from './plan.ts'

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
  const parsed = ModelConfig.safeParse(jsonOf(text))
  if (parsed.success) return shapeOf(parsed.data)
  throw new PipelineError('input-invalid', `${file} does not describe a language model: ${problems(parsed.error)}`, {
    fix: 'Give the folder of a model saved by transformers.',
    evidence: {path: file},
  })
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
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
