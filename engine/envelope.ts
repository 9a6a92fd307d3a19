import {canonicalJson, textId} from './ids.ts'

/** A record on its way: its canonical JSON, and the hash of that as its id. */
export interface Envelope {
  id: string
  json: string
}

interface Known extends Envelope {
  /** The schema that the record is known to fit. */
  schema?: unknown
  /** What the record held, to tell whether it was changed since. */
  copy: unknown
}

/** A record passes its stages one after the other, so that few are on their way at once. */
const mostKnown = 256

const known = new Map<object, Known>()

/** Notes the envelope of a record as it is now, so that the stages that it passes need not make it again. */
export function remember(value: unknown, {id, json}: Envelope, schema?: unknown): void {
  if (!isContainer(value)) return
  known.delete(value)
  known.set(value, {id, json, schema, copy: copied(value)})
  for (const oldest of known.keys()) {
    if (known.size <= mostKnown) break
    known.delete(oldest)
  }
}

/** What was noted of a record that has not changed since. */
export function recall(value: unknown): (Envelope & {schema?: unknown}) | undefined {
  const found = isContainer(value) ? known.get(value) : undefined
  return found && isSame(value, found.copy) ? found : undefined
}

export function envelopeOf(value: unknown): Envelope {
  const found = recall(value)
  if (found) return found
  const json = canonicalJson(value)
  return {id: textId(json), json}
}

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null

/** Objects and lists anew; texts are shared, so that to compare them later costs nothing. */
function copied(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copied)
  if (!isContainer(value)) return value
  const copy: Record<string, unknown> = {}
  for (const [key, field] of Object.entries(value)) copy[key] = copied(field)
  return copy
}

function isSame(value: unknown, copy: unknown): boolean {
  if (value === copy) return true
  if (!isContainer(value) || !isContainer(copy) || Array.isArray(value) !== Array.isArray(copy)) return false
  const keys = Object.keys(value)
  if (keys.length !== Object.keys(copy).length) return false
  const [fields, before] = [value as Record<string, unknown>, copy as Record<string, unknown>]
  return keys.every((key) => key in before && isSame(fields[key], before[key]))
}
