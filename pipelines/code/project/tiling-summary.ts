import {plainNumber} from '../../facts/call-of-host.ts'
import type {RunTrace} from '../../../datasets/schema/executor.ts'
import {jsonIn} from '../../../engine/json.ts'

type TilingValue = number | readonly number[]

/** What the host of a scenario hands to its kernel. */
interface TilingSummary {
  tiling: Readonly<Record<string, TilingValue>>
  tilingKey: number
  blockDim: number
}

type Scored = {found: false; detail: string} | {found: true; score: number; wrong: string[]; exact: boolean}

/** The summary as a reply gives it: one fenced block of JSON. */
export function summaryText({tiling, tilingKey, blockDim}: RunTrace): string {
  const fields = Object.entries(tiling).map(([name, value]) => [name, printed(value)] as const)
  const summary = {tiling: Object.fromEntries(fields), tiling_key: tilingKey, block_dim: blockDim}
  const text = JSON.stringify(summary, undefined, 2).replace(/\[[\s\d.,eE+-]*\]/g, (list) => list.replace(/\s+/g, ' '))
  return `\`\`\`json\n${text}\n\`\`\``
}

function printed(value: TilingValue): TilingValue {
  return typeof value === 'number' ? plainNumber(value) : value.map(plainNumber)
}

/** Of all tiling fields, tiling key and block count the share that a reply states as they were computed. */
export function scoreSummary(reply: string, {tiling, tilingKey, blockDim}: TilingSummary): Scored {
  const said = summaryIn(reply)
  if (!said)
    return {found: false, detail: `no block of JSON with tiling, tiling_key and block_dim: ${reply.slice(-80)}`}
  const fields = isRecord(said['tiling']) ? said['tiling'] : {}
  const checks = [
    ...Object.entries(tiling).map(([name, value]) => ({name, said: fields[name], value})),
    {name: 'tiling_key', said: said['tiling_key'], value: tilingKey},
    {name: 'block_dim', said: said['block_dim'], value: blockDim},
  ]
  const wrong = checks.filter((check) => !isEqual(check.said, check.value))
  return {
    found: true,
    score: (checks.length - wrong.length) / checks.length,
    wrong: wrong.map((check) => `${check.name} is ${short(check.value)}, not ${short(check.said)}`),
    exact: wrong.every(({name}) => name !== 'tiling_key' && name !== 'block_dim'),
  }
}

/** The last one, as reasoning may try others first. */
function summaryIn(reply: string): Record<string, unknown> | undefined {
  const blocks = [...reply.matchAll(/```(?:json)?\s*\n([^]*?)```/g)].map(([, text]) => text as string)
  for (const text of [...blocks, reply].reverse()) {
    const value = jsonIn(text.trim())
    if (isRecord(value) && 'tiling' in value) return value
  }
  return undefined
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isEqual(said: unknown, value: TilingValue): boolean {
  if (typeof value !== 'number')
    return Array.isArray(said) && said.length === value.length && value.every((one, at) => isEqual(said[at], one))
  if (typeof said !== 'number') return false
  // Floats come as 32 bits, and a reply writes the decimal that was meant.
  return said === value || (!Number.isInteger(value) && Math.abs(said - value) <= 1e-6 * Math.abs(value))
}

function short(value: unknown): string {
  return value === undefined ? 'missing' : JSON.stringify(value).slice(0, 60)
}
