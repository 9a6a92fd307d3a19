import {readdir, readFile, stat} from 'node:fs/promises'
import {basename, dirname, join} from 'node:path'
import {Tokenizer} from '@huggingface/tokenizers'
import {z} from 'zod'
import {isSystemError, PipelineError} from '../../engine/errors.ts'
import {contentId} from '../../engine/ids.ts'
import {lostIn, qwen3, type ChatFormat} from './chat-format.ts'
import {completion} from './chat-turns.ts'
import {countInPieces} from './token-count.ts'
import {Template} from '@huggingface/jinja'

/** The fields of `tokenizer.json` read here; the library reads the rest. */
const TokenizerFile = z.looseObject({
  model: z.looseObject({type: z.string().optional()}),
  added_tokens: z.array(z.looseObject({content: z.string(), special: z.boolean().optional()})).default([]),
})

const NamedTemplate = z.looseObject({name: z.string(), template: z.string()})

/** From `tokenizer_config.json` or `chat_template.json`: a template, or several, of which `default` is used. */
const TokenizerConfig = z.looseObject({
  chat_template: z.union([z.string(), z.array(NamedTemplate), z.record(z.string(), z.string())]).nullish(),
  bos_token: z.unknown().optional(),
  eos_token: z.unknown().optional(),
})

/**
 * The format of a model from its folder: `tokenizer.json`, and the chat template in `chat_template.jinja`,
 * `chat_template.json` or `tokenizer_config.json`. Without a template, Qwen3's is used.
 * @param path the folder, or the `tokenizer.json` in it
 * @param key the configuration key, for messages
 * @throws PipelineError `config-invalid` naming the file and what is wrong with it
 */
export async function readChatFormat(path: string, key = 'export.tokenizer'): Promise<ChatFormat> {
  return formatIn(path).catch((error: unknown) => {
    if (!(error instanceof PipelineError)) throw error
    const {code, message, fix, evidence} = error
    throw new PipelineError(code, `${key}: ${message}`, {fix, evidence, scope: 'run'})
  })
}

/**
 * The chat template in a model's folder; undefined if it has none. Uses the search order of transformers.
 * @throws PipelineError `config-invalid` when there are several and none is the default
 */
export async function readChatTemplate(folder: string): Promise<string | undefined> {
  const own = await readText(join(folder, 'chat_template.jinja'))
  if (own !== undefined) return own
  const named: Record<string, string> = {}
  for (const name of ['chat_template.json', 'tokenizer_config.json']) {
    const file = join(folder, name)
    const {chat_template: found} = parsed(file, (await readText(file)) ?? '{}', TokenizerConfig)
    if (typeof found === 'string') return found
    const entries = Array.isArray(found) ? found.map((one) => [one.name, one.template]) : Object.entries(found ?? {})
    Object.assign(named, Object.fromEntries(entries))
  }
  const others = join(folder, 'additional_chat_templates')
  for (const name of await readdir(others).catch(() => []))
    if (name.endsWith('.jinja')) named[name.slice(0, -'.jinja'.length)] ??= (await readText(join(others, name))) ?? ''
  const names = Object.keys(named).sort()
  if (names.length === 0 || named['default'] !== undefined) return named['default']
  throw unusable(folder, `its chat templates are named ${names.join(', ')}, and none is the default`, {
    fix: `Copy the intended one to ${join(folder, 'chat_template.jinja')}.`,
  })
}

async function formatIn(path: string): Promise<ChatFormat> {
  const folder = (await isFolder(path)) ? path : dirname(path)
  const file = folder === path ? join(folder, 'tokenizer.json') : path
  const tokenizerText = await readText(file)
  if (tokenizerText === undefined) throw unusable(file, 'it does not exist')
  const configText = await readText(join(folder, 'tokenizer_config.json'))
  const tokenizer = parsed(file, tokenizerText, TokenizerFile)
  const config = parsed(join(folder, 'tokenizer_config.json'), configText ?? '{}', TokenizerConfig)
  const template = await readChatTemplate(folder)
  const counter = guarded(file, () => new Tokenizer(tokenizer, config))
  const count = (text: string) => counter.encode(text, {add_special_tokens: false}).ids.length
  const marks = {bos_token: spelling(config.bos_token), eos_token: spelling(config.eos_token)}
  const {render, renderHead} =
    template === undefined
      ? qwen3
      : guarded(`the chat template in ${folder}`, () => templateFormat(template, marks), ofTemplate)
  const format: ChatFormat = {
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
  const [reasoning, answer] = ['One tile fits.', 'Copy one tile.']
  const lost = lostIn(format, 'How many tiles?', completion(reasoning, answer), {reasoning, answer})
  return {...format, dropsReasoning: lost === 'reasoning'}
}

const ofTemplate = 'Correct the template, or use a model whose template accepts a question and a reply.'

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
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (isSystemError(error, 'ENOENT') || isSystemError(error, 'ENOTDIR')) return undefined
    throw unusable(file, error instanceof Error ? error.message : String(error))
  })
  if (text?.startsWith('version https://git-lfs.github.com/spec/') === true) {
    throw unusable(file, 'it is a Git LFS pointer, not the file itself', {
      fix: 'Run `git lfs pull` in the folder, or download the file itself.',
    })
  }
  return text?.replace(/^\uFEFF/, '')
}

function parsed<T>(file: string, text: string, schema: z.ZodType<T>): T {
  const value = guarded(file, () => JSON.parse(text) as unknown)
  const result = schema.safeParse(value)
  if (result.success) return result.data
  throw unusable(file, z.prettifyError(result.error).replaceAll('\n', ' '))
}

/** A library's message about an unexpected file. */
function guarded<T>(file: string, action: () => T, fix?: string): T {
  try {
    return action()
  } catch (error) {
    throw unusable(file, error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error), {fix})
  }
}

const ofFolder = 'Give the folder of a Hugging Face model, with its tokenizer.json.'

function unusable(file: string, why: string, {fix = ofFolder}: {fix?: string | undefined} = {}): PipelineError {
  return new PipelineError('config-invalid', `${file} cannot be used: ${why}.`, {
    fix,
    evidence: {file},
  })
}

type Rendering = Pick<ChatFormat, 'render' | 'renderHead'>
type Marks = Readonly<Record<'bos_token' | 'eos_token', string>>

/** Content of a turn for templates of text models, and for those of vision models. */
const contents: readonly ((text: string) => unknown)[] = [(text) => text, (text) => [{type: 'text', text}]]

/** A conversation that every template must render completely. */
const [question, answer] = ['Which unit copies?', 'The transfer unit copies.']

/**
 * Renders one question and one reply as a model's template does.
 * @throws Error with the fault in the template and its line
 */
function templateFormat(source: string, marks: Marks): Rendering {
  const template = parsedTemplate(source)
  const ways = contents.map((content) => renderingOf(template, marks, content))
  const [plain] = ways as [Rendering, ...Rendering[]]
  const way = ways.find((one) => faultOf(one) === undefined)
  if (way) return way
  const where = failingTag(source, (part) =>
    renderingOf(new Template(part), marks, contents[0]).render(question, answer),
  )
  throw new Error(`${faultOf(plain)}${where === '' ? '' : ` (${where})`}`)
}

function parsedTemplate(source: string): Template {
  try {
    return new Template(source)
  } catch (error) {
    const where = failingTag(source, (part) => void new Template(part))
    throw new Error(`${messageOf(error)}${where === '' ? '' : ` (${where})`}`, {cause: error})
  }
}

function renderingOf(template: Template, marks: Marks, content = contents[0]): Rendering {
  const rendered = (messages: readonly object[], addGenerationPrompt: boolean) =>
    template.render({...marks, messages, add_generation_prompt: addGenerationPrompt})
  const turn = (role: string, text: string) => ({role, content: content?.(text)})
  return {
    renderHead: (prompt) => rendered([turn('user', prompt)], true),
    render: (prompt, reply) => rendered([turn('user', prompt), turn('assistant', reply)], false),
  }
}

/** The fault of a template that does not render a conversation completely. */
function faultOf({render, renderHead}: Rendering): string | undefined {
  try {
    const [whole, head] = [render(question, answer), renderHead(question)]
    if (whole.trim() === '') return 'it renders neither a question nor its reply'
    if (!whole.includes(question) || !head.includes(question)) return 'it does not render the question'
    return whole.includes(answer) ? undefined : 'it does not render the reply'
  } catch (error) {
    return messageOf(error)
  }
}

const messageOf = (error: unknown) => (error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error))

/** Tags of a template, and comments, which may contain text that looks like one. */
const tag = /\{#[\s\S]*?#\}|\{%[\s\S]*?%\}|\{\{[\s\S]*?\}\}/g

/** Block statements; `set` only if it has no value. */
const blocks = new Set(['if', 'for', 'macro', 'call', 'filter', 'generation', 'raw', 'set'])

const longestShown = 80

/**
 * Where a template fails: `line 3, {% raw %}`. The library gives no position, so the template is tried up to each of
 * its tags, with open blocks closed; '' if none fails. @param attempt throws if the library does
 */
function failingTag(source: string, attempt: (template: string) => void): string {
  const open: string[] = []
  for (const {0: text, index} of source.matchAll(tag)) {
    if (text.startsWith('{#')) continue
    const [, end, name = ''] = /^\{%[-+]?\s*(end)?(\w+)/.exec(text) ?? []
    if (end !== undefined) open.pop()
    else if (blocks.has(name) && !(name === 'set' && text.includes('='))) open.push(name)
    const closed = [...open].reverse().map((one) => `{% end${one} %}`)
    if (!fails(() => attempt(source.slice(0, index + text.length) + closed.join('')))) continue
    const line = source.slice(0, index).split('\n').length
    return `line ${line}, ${text.length > longestShown ? `${text.slice(0, longestShown)}…` : text}`
  }
  return ''
}

function fails(action: () => void): boolean {
  try {
    action()
    return false
  } catch {
    return true
  }
}
