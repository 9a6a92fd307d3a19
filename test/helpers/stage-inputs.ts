import {readFileSync} from 'node:fs'
import {join} from 'node:path'

export const stageCases = 'test/fixtures/stages'

const place = /^<(?:(\S+)\/)?in\.jsonl (\d+):(?: (\S+))?>$/

/**
 * What goes into a case. A long value that stands in another input, or earlier in the same, is told by its place
 * there: `<label/each-colour/in.jsonl 1: task>`, `<in.jsonl 1: task.answer>`.
 */
export function inputsOf(name: string): unknown[] {
  const known = read.get(name)
  if (known) return known
  const records: unknown[] = []
  read.set(name, records)
  for (const record of recordsIn(join(stageCases, name, 'in.jsonl'))) records.push(filled(record, name))
  return records
}

const read = new Map<string, unknown[]>()

function filled(value: unknown, name: string): unknown {
  if (typeof value === 'string') {
    const [whole, from = name, line, path] = place.exec(value) ?? []
    return whole === undefined ? value : valueAt(inputsOf(from)[Number(line) - 1], path?.split('.') ?? [], whole)
  }
  if (Array.isArray(value)) return value.map((one) => filled(one, name))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, filled(inner, name)]))
}

function valueAt(value: unknown, path: readonly string[], whole: string): unknown {
  const found = path.reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], value)
  if (found === undefined) throw new TypeError(`${whole} stands nowhere`)
  return structuredClone(found)
}

/** The records of a file, one a line. */
export function recordsIn(file: string): unknown[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as unknown)
}
