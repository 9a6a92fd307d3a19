import {readFile, stat} from 'node:fs/promises'
import {basename, dirname, join} from 'node:path'
import {Template} from '@huggingface/jinja'
import {Tokenizer} from '@huggingface/tokenizers'
import {z} from 'zod'
import {isSystemError, PipelineError} from '../engine/errors.ts'
import {contentId} from '../engine/ids.ts'
import {qwen3, type ChatFormat} from './chat-format.ts'
import {countInPieces} from './token-count.ts'

/** What is read of `tokenizer.json`; the library reads the rest. */
const TokenizerFile = z.looseObject({
  model: z.looseObject({type: z.string().optional()}),
  added_tokens: z.array(z.looseObject({content: z.string(), special: z.boolean().optional()})).default([]),
})

const NamedTemplate = z.looseObject({name: z.string(), template: z.string()})

/** Of `tokenizer_config.json`: a template, or several of which `default` is meant. */
const TokenizerConfig = z.looseObject({
  chat_template: z.union([z.string(), z.array(NamedTemplate)]).optional(),
  bos_token: z.unknown().optional(),
  eos_token: z.unknown().optional(),
})

/**
 * The format of a model whose files lie in a folder: `tokenizer.json`, and beside it the chat template in
 * `chat_template.jinja` or `tokenizer_config.json`. Without a template, Qwen3's is taken.
 * @param path the folder, or the `tokenizer.json` in it
 * @param key who named it, in messages
 * @throws PipelineError `config-invalid` naming the file and what is wrong with it
 */
export async function readChatFormat(path: string, key = 'export.tokenizer'): Promise<ChatFormat> {
  return formatIn(path).catch((error: unknown) => {
    if (!(error instanceof PipelineError)) throw error
    const {code, message, fix, evidence} = error
    throw new PipelineError(code, `${key}: ${message}`, {fix, evidence, scope: 'run'})
  })
}

/** The chat template in the folder of a model; undefined where it has none. */
export async function readChatTemplate(folder: string): Promise<string | undefined> {
  const configText = await readText(join(folder, 'tokenizer_config.json'))
  const config = parsed(join(folder, 'tokenizer_config.json'), configText ?? '{}', TokenizerConfig)
  return (await readText(join(folder, 'chat_template.jinja'))) ?? templateOf(config)
}

async function formatIn(path: string): Promise<ChatFormat> {
  const folder = (await isFolder(path)) ? path : dirname(path)
  const file = folder === path ? join(folder, 'tokenizer.json') : path
  const tokenizerText = await readText(file)
  if (tokenizerText === undefined) throw unusable(file, 'it is not there')
  const configText = await readText(join(folder, 'tokenizer_config.json'))
  const tokenizer = parsed(file, tokenizerText, TokenizerFile)
  const config = parsed(join(folder, 'tokenizer_config.json'), configText ?? '{}', TokenizerConfig)
  const template = await readChatTemplate(folder)
  const counter = guarded(file, () => new Tokenizer(tokenizer, config))
  const count = (text: string) => counter.encode(text, {add_special_tokens: false}).ids.length
  const {render, renderHead} = template === undefined ? qwen3 : templateFormat(folder, template, config)
  return {
    name: basename(folder),
    fingerprint: contentId([tokenizerText, template ?? qwen3.fingerprint]),
    render,
    renderHead,
    tokens: (prompt, reply) => countInPieces(render(prompt, reply), count),
    vocabulary: {
      tokenizer: basename(folder),
      fingerprint: contentId([tokenizerText]),
      count: (text) => countInPieces(text, count),
    },
    reserved: tokenizer.added_tokens.filter(({special}) => special).map(({content}) => content),
  }
}

function templateOf({chat_template: template}: z.infer<typeof TokenizerConfig>): string | undefined {
  return typeof template === 'object' ? template.find(({name}) => name === 'default')?.template : template
}

function templateFormat(
  folder: string,
  source: string,
  config: z.infer<typeof TokenizerConfig>,
): Pick<ChatFormat, 'render' | 'renderHead'> {
  const template = guarded(`the chat template in ${folder}`, () => new Template(source))
  const marks = {bos_token: spelling(config.bos_token), eos_token: spelling(config.eos_token)}
  const rendered = (messages: readonly Message[], addGenerationPrompt: boolean) =>
    guarded(`the chat template in ${folder}`, () =>
      template.render({...marks, messages, add_generation_prompt: addGenerationPrompt}),
    )
  return {
    renderHead: (prompt) => rendered([{role: 'user', content: prompt}], true),
    render: (prompt, reply) =>
      rendered(
        [
          {role: 'user', content: prompt},
          {role: 'assistant', content: reply},
        ],
        false,
      ),
  }
}

interface Message {
  role: 'user' | 'assistant'
  content: string
}

/** A token is written as its text, or as a description with its text. */
function spelling(token: unknown): string {
  if (typeof token === 'string') return token
  return typeof token === 'object' && token !== null && 'content' in token ? String(token.content) : ''
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
}

async function readText(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch((error: unknown) => {
    if (isSystemError(error, 'ENOENT') || isSystemError(error, 'ENOTDIR')) return undefined
    throw unusable(file, error instanceof Error ? error.message : String(error))
  })
}

function parsed<T>(file: string, text: string, schema: z.ZodType<T>): T {
  const value = guarded(file, () => JSON.parse(text) as unknown)
  const result = schema.safeParse(value)
  if (result.success) return result.data
  throw unusable(file, z.prettifyError(result.error).replaceAll('\n', ' '))
}

/** What a library says of a file that is not what it expects. */
function guarded<T>(file: string, action: () => T): T {
  try {
    return action()
  } catch (error) {
    throw unusable(file, error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error))
  }
}

function unusable(file: string, why: string): PipelineError {
  return new PipelineError('config-invalid', `${file} cannot be used: ${why}.`, {
    fix: 'Give the folder of a Hugging Face model, with its tokenizer.json; where that is a git-lfs pointer, fetch it.',
    scope: 'run',
    evidence: {file},
  })
}
