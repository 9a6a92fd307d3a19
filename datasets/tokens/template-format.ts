import {Template} from '@huggingface/jinja'
import type {ChatFormat} from './chat-format.ts'

type Rendering = Pick<ChatFormat, 'render' | 'renderHead'>
type Marks = Readonly<Record<'bos_token' | 'eos_token', string>>

/** Content of a turn as templates of text models take it, and as those of models do that also see. */
const contents: readonly ((text: string) => unknown)[] = [(text) => text, (text) => [{type: 'text', text}]]

/** A conversation that every template renders: what is asked and answered has to come back. */
const [question, answer] = ['Which unit copies?', 'The transfer unit copies.']

/**
 * Renders one question and one reply as a model's template does.
 * @throws Error that says what is wrong with the template, and in which line
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

/** What is wrong with a template that does not render a conversation, or not all of it. */
function faultOf({render, renderHead}: Rendering): string | undefined {
  try {
    const [whole, head] = [render(question, answer), renderHead(question)]
    if (whole.trim() === '') return 'it renders nothing of a question and its reply'
    if (!whole.includes(question) || !head.includes(question)) return 'it renders no question'
    return whole.includes(answer) ? undefined : 'it renders no reply'
  } catch (error) {
    return messageOf(error)
  }
}

const messageOf = (error: unknown) => (error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error))

/** Tags of a template, and comments, which may hold what looks like one. */
const tag = /\{#[\s\S]*?#\}|\{%[\s\S]*?%\}|\{\{[\s\S]*?\}\}/g

/** Statements that a later one closes; `set` only where it gives no value. */
const blocks = new Set(['if', 'for', 'macro', 'call', 'filter', 'generation', 'raw', 'set'])

const longestShown = 80

/**
 * Where a template fails: `line 3, {% raw %}`. The library tells no place, so that the template is tried up to each of
 * its tags, what is open closed behind it; '' where none of these fails.
 * @param attempt throws where the library does
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
