import {PipelineError} from '../errors.ts'

/** Text without the values of the keys. */
export type Redact = (text: string) => string

const mark = '[key hidden]'
/** A shorter key may be a plain word ("test", "EMPTY"): hidden everywhere, it would make texts unreadable. */
const shortestAnywhere = 8

/**
 * Hides keys in what an endpoint says: some echo the headers they received. Keys are found as they are and as URLs,
 * JSON, HTML and base64 spell them (also inside longer base64 text, such as that of `Bearer …`), in any case. A short
 * key is hidden only after `Bearer`.
 */
export function redactor(keys: readonly (string | undefined)[]): Redact {
  const spellings = keys.flatMap((key) => (key === undefined || key === '' ? [] : patternsOf(key)))
  if (spellings.length === 0) return (text) => text
  // Longest first: one key may begin with another.
  const pattern = new RegExp(spellings.sort((a, b) => b.length - a.length).join('|'), 'gi')
  return (text) => text.replace(pattern, mark)
}

function patternsOf(key: string): string[] {
  const plain = [key, encodeURIComponent(key), JSON.stringify(key).slice(1, -1), escapeHtml(key)].map(escapePattern)
  if (key.length < shortestAnywhere) return plain.map((spelling) => `(?<=\\bBearer(?:\\s|\\+|%20)+)${spelling}`)
  return [...new Set([...plain, ...base64Forms(key).map(escapePattern)])]
}

/**
 * Base64 spells a text in three ways, depending on its offset; its outermost letters also hold bits of its neighbours.
 */
function base64Forms(key: string): string[] {
  const whole = [0, 1, 2].map((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(key)])
    const text = bytes.toString('base64').replace(/=+$/, '')
    return text.slice(before === 0 ? 0 : before + 1, bytes.length % 3 === 0 ? undefined : -1)
  })
  return whole.flatMap((text) => [text, text.replaceAll('+', '-').replaceAll('/', '_')])
}

function escapeHtml(text: string): string {
  const entities: Record<string, string> = {'&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;'}
  return text.replace(/[&<>"']/g, (character) => entities[character] as string)
}

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&')
}

/** The same value with every text in it redacted, names of fields too. */
export function redactValue<T>(value: T, redact: Redact): T {
  return hidden(value, redact) as T
}

function hidden(value: unknown, redact: Redact): unknown {
  if (typeof value === 'string') return redact(value)
  if (Array.isArray(value)) return value.map((entry) => hidden(entry, redact))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [redact(name), hidden(entry, redact)]))
}

/** Redacts an error and its causes, in place: code that already holds the error must not print the key either. */
export function redactError(error: unknown, redact: Redact): void {
  const seen = new Set<unknown>()
  for (let current = error; current instanceof Error && !seen.has(current); current = current.cause) {
    seen.add(current)
    // The stack repeats the message, and is built from it only once.
    replace(current, 'stack', redact(current.stack ?? ''))
    replace(current, 'message', redact(current.message))
    if (current instanceof PipelineError) {
      replace(current, 'fix', redact(current.fix))
      replace(current, 'evidence', redactValue(current.evidence, redact))
    }
    if (typeof current.cause === 'string') replace(current, 'cause', redact(current.cause))
  }
}

/** Replaces getters too: the message of a DOMException cannot be assigned. */
function replace(error: Error, name: string, value: unknown): void {
  const enumerable = name !== 'message' && name !== 'stack'
  Object.defineProperty(error, name, {value, configurable: true, writable: true, enumerable})
}
