import {lenientJson} from './lenient-json.ts'

const users = new Set(['user', 'human', 'prompter'])
const assistants = new Set(['assistant', 'gpt', 'model', 'bot', 'chatgpt', 'bard'])
const systems = new Set(['system', 'developer'])

/** Names under which templates and parsers keep reasoning separately. */
const thoughtKeys = ['reasoning_content', 'reasoning', 'thinking', 'thought', 'reasoningContent']

export interface Turn {
  role: 'user' | 'assistant' | 'system' | 'other'
  name: string
  content: unknown
  thought: unknown
}

type Fields = Readonly<Record<string, unknown>>

/** `role` and `content`, or `from` and `value` (sharegpt); without a name where a value is no turn. */
export function readTurn(value: unknown): Turn {
  const fields = (typeof value === 'object' && value !== null ? value : {}) as Fields
  const name = String(fields['role'] ?? fields['from'] ?? '').toLowerCase()
  const thought = thoughtKeys.map((key) => fields[key]).find((one) => one !== undefined && one !== null)
  return {role: roleOf(name), name, content: fields['content'] ?? fields['value'], thought}
}

function roleOf(name: string): Turn['role'] {
  if (users.has(name)) return 'user'
  if (assistants.has(name)) return 'assistant'
  return systems.has(name) ? 'system' : 'other'
}

/** The turns of a cell: a list, JSON of one or what Python prints for it, or an object of lists; else undefined. */
export function turnsIn(value: unknown): Turn[] | undefined {
  const list = typeof value === 'string' ? parsedList(value) : (rowsOfLists(value) ?? value)
  if (!Array.isArray(list) || list.length === 0) return undefined
  const turns = list.map(readTurn)
  return turns.every(({name}) => name !== '') ? turns : undefined
}

/** Whether a value is a list of turns, in one of these forms. */
export const isTurns = (value: unknown) => turnsIn(value) !== undefined

function parsedList(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined
  try {
    const value = lenientJson(text)
    return rowsOfLists(value) ?? value
  } catch {
    return undefined
  }
}

/** `datasets` keeps a `Sequence` of structs as a struct of lists. */
function rowsOfLists(value: unknown): Fields[] | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const {role, from} = value as Fields
  const names: unknown = role ?? from
  if (!Array.isArray(names)) return undefined
  const columns = Object.entries(value as Fields).filter(([, cells]) => Array.isArray(cells))
  return names.map((_, at) => Object.fromEntries(columns.map(([key, cells]) => [key, (cells as unknown[])[at]])))
}
