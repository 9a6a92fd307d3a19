import {readTurn, turnsIn, type Turn} from './turns.ts'

/** Why a row is not one question and its answer. */
export interface Unfit {
  reason: string
  detail: string
}

/** A cell's text, and its reasoning if the cell has both. */
export interface Said {
  text: string
  thought: string
}

const thoughtParts = new Set(['thinking', 'reasoning', 'thought', 'think'])

/** Keys under which an object keeps its text. */
const textKeys = ['text', 'content', 'value', 'thinking', 'reasoning', 'thought']

type Fields = Readonly<Record<string, unknown>>

/**
 * A cell as text. Whole numbers that were read exactly are text; a number that lost digits on its way (JSON knows no
 * limit, JavaScript does), NaN and everything else is refused. Nothing at all is ''.
 */
export function textOf(value: unknown, what: string): string | Unfit {
  const said = saidIn(value, what)
  return 'reason' in said ? said : said.text
}

/** The same, with reasoning: content in parts, or a turn in its own list, may have both. */
export function saidIn(value: unknown, what: string): Said | Unfit {
  if (value === undefined || value === null) return {text: '', thought: ''}
  if (typeof value === 'string') return {text: value, thought: ''}
  if (typeof value === 'bigint' || Number.isSafeInteger(value)) return {text: String(value), thought: ''}
  if (typeof value === 'number') return {reason: 'number-not-exact', detail: `${what} is the number ${value}`}
  const parts = partsOf(value)
  if (parts) return saidInParts(parts, what)
  const turns = turnsIn(value)
  if (turns?.length === 1) return saidInTurn(turns[0] as Turn, what)
  return {reason: 'not-text', detail: `${what} is ${kindOf(value)}`}
}

/** A turn's text, with reasoning next to its content or among its parts. */
export function saidInTurn({content, thought: apart}: Turn, what: string): Said | Unfit {
  const said = saidIn(content, what)
  if ('reason' in said || apart === undefined) return said
  const thought = textOf(apart, 'reasoning')
  return typeof thought === 'string'
    ? {text: said.text, thought: thought.trim() === '' ? said.thought : thought}
    : thought
}

/** Content in parts: texts, or objects that say by `type` what they are. An object alone with a text is such a part. */
function partsOf(value: unknown): readonly Fields[] | undefined {
  const list = Array.isArray(value) ? (value as unknown[]) : [value]
  const isPart = (one: unknown): one is Fields =>
    typeof one === 'object' && one !== null && !Array.isArray(one) && readTurn(one).name === ''
  if (list.length === 0 || !list.every(isPart)) return undefined
  const isTold = (one: Fields) => typeof one['type'] === 'string' || partText(one) !== undefined
  return list.every(isTold) ? list : undefined
}

const partText = (part: Fields) => textKeys.map((key) => part[key]).find((one) => typeof one === 'string')

function saidInParts(parts: readonly Fields[], what: string): Said | Unfit {
  const texts: string[] = []
  const thoughts: string[] = []
  for (const part of parts) {
    const text = partText(part)
    const type = String(part['type'] ?? '').toLowerCase()
    if (text === undefined)
      return {reason: 'not-text', detail: `${what} holds ${type === '' ? 'no text' : `a part ${type}`}`}
    if (thoughtParts.has(type)) thoughts.push(text)
    else texts.push(text)
  }
  return {text: texts.join('\n\n'), thought: thoughts.join('\n\n')}
}

/** A description of a value, for messages. */
export function kindOf(value: unknown): string {
  if (value === null || value === undefined) return 'nothing'
  return Array.isArray(value) ? `a list of ${value.length}` : `a ${typeof value}`
}
