import {Template} from '@huggingface/jinja'
import type {ChatFormat} from './chat-format.ts'

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
export function templateFormat(source: string, marks: Marks): Rendering {
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
