import {existsSync} from 'node:fs'
import {readFile} from 'node:fs/promises'
import {join, resolve} from 'node:path'
import {z} from 'zod'
import {PipelineError} from '../../engine/errors.ts'
import {jsonIn} from '../../engine/json.ts'

interface Checkpoint {
  /** A Hub name or an absolute folder. */
  model: string
  /** Absolute folder of a LoRA adapter for it; null for a full model. */
  adapter: string | null
  /** Whether its chat template has think blocks; true if no template is available, as Qwen3's has them. */
  thinking: boolean
}

const AdapterConfig = z.object({base_model_name_or_path: z.string().min(1)})

/**
 * The checkpoint to serve in a trainer's folder or under a name on the Hub.
 * @param name a folder with `config.json`, one with `adapter_config.json`, or `owner/name`
 * @throws PipelineError `input-missing` when it is neither, `input-invalid` when the adapter does not name its base
 */
export async function readCheckpoint(name: string): Promise<Checkpoint> {
  const folder = resolve(name)
  if (existsSync(join(folder, 'adapter_config.json'))) {
    const model = await baseOf(folder)
    return {model, adapter: folder, thinking: await hasThinkBlocks(folder, model)}
  }
  if (existsSync(join(folder, 'config.json')))
    return {model: folder, adapter: null, thinking: await hasThinkBlocks(folder)}
  if (!existsSync(folder) && /^[\w.-]+\/[\w.-]+$/.test(name)) return {model: name, adapter: null, thinking: true}
  throw new PipelineError('input-missing', `${name} is not a model: it has no config.json or adapter_config.json.`, {
    fix: "Give a trainer's checkpoint folder, `job:<id>`, or a model on the Hub as owner/name.",
  })
}

async function baseOf(folder: string): Promise<string> {
  const path = join(folder, 'adapter_config.json')
  const read = AdapterConfig.safeParse(jsonIn(await readFile(path, 'utf8')))
  if (read.success) return read.data.base_model_name_or_path
  throw new PipelineError('input-invalid', `${path} does not name the model that the adapter belongs to.`, {
    fix: 'Set `base_model_name_or_path` to the base model, as PEFT writes it.',
  })
}

/** Newer versions of transformers keep the template in a file, older ones in the tokenizer's configuration. */
async function hasThinkBlocks(...folders: string[]): Promise<boolean> {
  const paths = folders.flatMap((folder) => [
    join(folder, 'chat_template.jinja'),
    join(folder, 'tokenizer_config.json'),
  ])
  const texts = await Promise.all(paths.map((path) => readFile(path, 'utf8').catch(() => undefined)))
  const templates = texts.filter((text) => text !== undefined && /chat_template|\{%/.test(text))
  return templates.length === 0 || templates.some((text) => text?.includes('<think>'))
}
