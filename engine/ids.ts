import {hash} from 'node:crypto'

/**
 * Canonical JSON (RFC 8785): keys sorted by UTF-16 code unit, no white space, numbers as JavaScript prints them. Equal
 * values give equal text; a key with the value `undefined` is treated as absent.
 */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value !== 'object') {
    const text = JSON.stringify(value)
    if (text === undefined || (typeof value === 'number' && !Number.isFinite(value)))
      throw new TypeError(`canonicalJson: ${String(value)} has no JSON form`)
    return text
  }
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  const fields = value as Record<string, unknown>
  const members: string[] = []
  for (const key of Object.keys(fields).sort()) {
    if (fields[key] !== undefined) members.push(`${JSON.stringify(key)}:${canonicalJson(fields[key])}`)
  }
  return `{${members.join(',')}}`
}

/** Hexadecimal digits of an id. */
const idLength = 32

/** The id of a record: the first 32 hex digits (128 bits) of the SHA-256 of its canonical JSON. */
export function contentId(value: unknown): string {
  return envelopeOf(value).id
}

/** A record as it is kept: its canonical JSON, and its id. */
export interface Envelope {
  id: string
  json: string
}

export function envelopeOf(value: unknown): Envelope {
  const json = canonicalJson(value)
  return {id: textId(json), json}
}

/** The same hash over a text that is already canonical. */
export function textId(text: string): string {
  return hash('sha256', text).slice(0, idLength)
}
