/** A question and what came back, as a data set tells it; `thought` where it stands apart from the answer. */
export interface Told {
  prompt: string
  answer: string
  thought: string
}

/** Why a row is not one question and its answer. */
export interface Unfit {
  reason: string
  detail: string
}

const users = new Set(['user', 'human', 'prompter'])
const assistants = new Set(['assistant', 'gpt', 'model', 'bot', 'chatgpt', 'bard'])
const systems = new Set(['system', 'developer'])

/** Names under which templates and parsers keep what was thought apart. */
const thoughtKeys = ['reasoning_content', 'reasoning', 'thinking', 'thought', 'reasoningContent']

/**
 * Reads a list of turns: `role` and `content`, or `from` and `value` (sharegpt). One question and one answer are
 * wanted; a system message, which mostly tells how to format, is left out.
 */
export function toldInTurns(value: unknown): Told | Unfit {
  const list = typeof value === 'string' ? parsedList(value) : value
  if (!Array.isArray(list))
    return {reason: 'not-a-conversation', detail: `a list of turns was expected, seen ${kindOf(value)}`}
  const turns = list.map(readTurn)
  const strange = turns.find(({role}) => role === 'other')
  if (strange) return {reason: 'turn-of-a-tool', detail: strange.name}
  const [first, second, ...more] = turns.filter(({role}) => role !== 'system')
  if (more.length > 0) return {reason: 'several-turns', detail: `${more.length + 2} turns`}
  if (first?.role !== 'user' || second?.role !== 'assistant')
    return {reason: 'not-a-conversation', detail: 'a question and an answer were expected'}
  const prompt = textOf(first.content, 'prompt')
  if (typeof prompt !== 'string') return prompt
  const answer = textOf(second.content, 'answer')
  if (typeof answer !== 'string') return answer
  const thought = second.thought === undefined ? '' : textOf(second.thought, 'reasoning')
  return typeof thought === 'string' ? {prompt, answer, thought} : thought
}

interface Turn {
  role: 'user' | 'assistant' | 'system' | 'other'
  name: string
  content: unknown
  thought: unknown
}

function readTurn(value: unknown): Turn {
  const fields = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>
  const name = String(fields['role'] ?? fields['from'] ?? '').toLowerCase()
  const thought = thoughtKeys.map((key) => fields[key]).find((one) => one !== undefined && one !== null)
  return {role: roleOf(name), name, content: fields['content'] ?? fields['value'], thought}
}

function roleOf(name: string): Turn['role'] {
  if (users.has(name)) return 'user'
  if (assistants.has(name)) return 'assistant'
  return systems.has(name) ? 'system' : 'other'
}

function parsedList(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** Whether a value is a list of turns, or JSON of one. */
export function isTurns(value: unknown): boolean {
  const list = typeof value === 'string' && value.startsWith('[') ? parsedList(value) : value
  return Array.isArray(list) && list.length > 0 && list.every((turn) => readTurn(turn).name !== '')
}

/**
 * A cell as text. Whole numbers that were read exactly are text; a number that lost digits on its way (JSON knows no
 * limit, JavaScript does), NaN and everything else is refused. Nothing at all is ''.
 */
export function textOf(value: unknown, what: string): string | Unfit {
  if (value === undefined || value === null) return ''
  if (typeof value === 'string') return value
  if (typeof value === 'bigint' || Number.isSafeInteger(value)) return String(value)
  // A turn in a list of its own: how TRL keeps a prompt.
  if (Array.isArray(value) && value.length === 1 && isTurns(value)) return textOf(readTurn(value[0]).content, what)
  if (typeof value === 'number') return {reason: 'number-not-exact', detail: `${what} is the number ${value}`}
  return {reason: 'not-text', detail: `${what} is ${kindOf(value)}`}
}

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return 'nothing'
  return Array.isArray(value) ? `a list of ${value.length}` : `a ${typeof value}`
}
