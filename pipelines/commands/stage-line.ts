import {clock, counted, inThousands} from '../../engine/counted.ts'
import {byCodeUnit} from '../../engine/code-unit-order.ts'
import {present, waitingText} from '../../engine/elsewhere/workforce.ts'
import type {Spending} from '../../engine/llm/connect.ts'
import type {StageCounts} from '../../engine/progress.ts'
import {wrappedItems} from './text-table.ts'

/** A piece of a line; if there is not enough room, the pieces of the lowest rank are dropped first. */
interface Part {
  text: string
  rank: number
}

export interface StageLine {
  count: StageCounts
  /** The stage before it; undefined for the first. */
  upstream: StageCounts | undefined
  /** How many records will reach it, as far as is known while the previous stage is running. */
  estimate?: number | undefined
  /** Since the recipe was started. */
  seconds: number
  /** State of the recipe. Stages before a limit never see the end of their input, finished or not. */
  state: 'running' | 'finished' | 'stopped'
  /** Width of the stage's name, in cells. */
  nameWidth: number
  /** Width of the whole line, in cells. */
  width: number
}

const always = 9
/** Counts and pace are never dropped, unlike the bar and the resumed count. */
const [aCount, aPace] = [5, 3]

/**
 * `  ▸ documentation-cot  ████████░░░░░░░░  60/118  → 55  3 dropped  12/s  ETA 0:05`, as much of it as fits. If pace or
 * counts do not fit, they go on the next line.
 */
export function stageLine({count, upstream, estimate, seconds, state, nameWidth, width}: StageLine): string[] {
  const ended = count.ended || state === 'finished'
  const name = {text: `  ${signOf(ended, state, count.read)} ${count.stage.padEnd(nameWidth)}`, rank: always}
  if (count.read === 0 && !ended) return [fitted([name], width)]
  const known = upstream?.ended ? upstream.written : undefined
  const total = known ?? (ended ? undefined : estimate)
  const counts = amounts(count, upstream === undefined, total, known === undefined ? '~' : '')
  const parts = ended || state === 'stopped' ? counts : [...counts, ...pace(count, total, seconds)]
  const [least, rest] = [parts.filter(needed), parts.filter((part) => !needed(part))]
  if (joined([name, ...least, ...paces(rest)]).length <= width) return [fitted([name, ...parts], width)]
  if (joined([name, ...least]).length <= width) return [joined([name, ...least]), ...below(paces(rest), width)]
  return [fitted([name], width), ...below([...least, ...paces(rest)], width)]
}

const needed = ({rank}: Part) => rank >= aCount
const paces = (parts: readonly Part[]) => parts.filter(({rank}) => rank >= aPace)

function below(parts: readonly Part[], width: number): string[] {
  return parts.length === 0 ? [] : wrappedItems(`      ${joined(parts).trimStart()}`, 6, width).split('\n')
}

function signOf(ended: boolean, state: StageLine['state'], read: number): string {
  if (ended) return '✓'
  if (state === 'stopped') return '✗'
  return read > 0 ? '▸' : ' '
}

function amounts(count: StageCounts, first: boolean, total: number | undefined, about: string): Part[] {
  const parts: Part[] = []
  if (total !== undefined && !count.ended) parts.push({text: bar(count.read, total), rank: 1})
  // The first stage reads folders, not records.
  if (!first)
    parts.push({text: (total === undefined ? `${count.read}` : `${count.read}/${about}${total}`).padStart(11), rank: 8})
  parts.push({text: `→ ${count.written}`, rank: 7})
  if (count.failed > 0) parts.push({text: `${count.failed} failed`, rank: 6})
  if (count.dropped > 0) parts.push({text: `${count.dropped} dropped`, rank: 5})
  if (count.reused > 0) parts.push({text: `${count.reused} done before`, rank: 2})
  return parts
}

/** Empty before the first record is done; never `0.0/s`, which reads as a stall. */
function pace(count: StageCounts, total: number | undefined, seconds: number): Part[] {
  const {read, written, dropped, failed, reused} = count
  // Resumed records came at once, and say nothing about the pace.
  if (written + dropped + failed === 0 || read === reused || seconds <= 0) return []
  const rate = (read - reused) / seconds
  const parts: Part[] = []
  if (rate >= 0.05) parts.push({text: `${rate >= 10 ? rate.toFixed(0) : rate.toFixed(1)}/s`, rank: 3})
  // A stage that has read all its input waits for the next stage, which has its own pace.
  if (total !== undefined && read < total) parts.push({text: `ETA ${clock((total - read) / rate)}`, rank: 4})
  return parts
}

const joined = (parts: readonly Part[]) => parts.map(({text}) => text).join('  ')

function fitted(parts: readonly Part[], width: number): string {
  const text = joined(parts)
  const lowest = Math.min(...parts.map(({rank}) => rank))
  if (text.length <= width || lowest >= aCount) return text.trimEnd()
  return fitted(
    parts.filter(({rank}) => rank !== lowest),
    width,
  )
}

/**
 * `      green 66 (28 %)  orange 81 (34 %)  purple 93 (39 %)  152/min`: outputs by the stage's own names for them, and
 * records per minute. '' for a stage without names.
 */
export function tallyLine(count: StageCounts, seconds: number): string {
  const tallies = byName(count)
  const sum = tallies.reduce((total, [, amount]) => total + amount, 0)
  if (sum === 0) return ''
  const shares = tallies.map(([name, amount]) => `${name} ${amount} (${Math.round((amount / sum) * 100)} %)`)
  const done = count.accepted + count.dropped + count.failed - count.reused
  const pace = done > 0 && seconds > 0 ? [`${((done / seconds) * 60).toFixed(0)}/min`] : []
  return `      ${[...shares, ...pace].join('  ')}`
}

/** `      4 workers  310/s  7 batches wait`; '' where this process works. */
export function workforceLine({workforce, ended}: StageCounts): string {
  if (!workforce || ended) return ''
  const workers = present(workforce)
  const busy = workers.filter(({holds}) => holds !== '')
  const rate = busy.reduce((sum, one) => sum + one.rate, 0)
  const pace = rate > 0 ? `  ${rate >= 10 ? rate.toFixed(0) : rate.toFixed(1)}/s` : ''
  return `      ${counted(workers.length, 'worker')}${pace}  ${waitingText(workforce)}`
}

const byName = ({tallies}: StageCounts) => Object.entries(tallies).sort(([one], [other]) => byCodeUnit(one, other))

/**
 * How many records reach each stage in the end, extrapolated from what the earlier stages made so far. Unknown while a
 * whole-set stage has read all its input but not written all its output.
 */
export function estimates(counts: readonly StageCounts[]): (number | undefined)[] {
  const totals: (number | undefined)[] = [undefined]
  for (const count of counts) totals.push(outputsOf(count, totals.at(-1)))
  return totals
}

function outputsOf(count: StageCounts, inputs: number | undefined): number | undefined {
  const {read, written, accepted, dropped, failed, expected, ended} = count
  if (ended) return written
  if (expected !== undefined) return expected
  const done = accepted + dropped + failed
  if (accepted > 0) return Math.round((written / done) * Math.max(inputs ?? read, done))
  return written > 0 && inputs !== undefined && read < inputs ? written + inputs - read : undefined
}

/** `documentation-segment 16→118 (2 dropped)`, for use within a line; `judge 240→240 (green 66, orange 174)`. */
export function stageInWords(count: StageCounts): string {
  const tallies = byName(count).map(([name, amount]) => `${name} ${amount}`)
  const extra = [
    ...tallies,
    workforceLine(count).trim(),
    count.dropped > 0 ? `${count.dropped} dropped` : '',
    count.failed > 0 ? `${count.failed} failed` : '',
  ]
  const words = extra.filter((part) => part !== '').join(', ')
  return `${count.stage} ${count.read}→${count.written}${words === '' ? '' : ` (${words})`}`
}

/** `12 requests, 3 from cache, 4,500 tokens, 0.0123 USD, failed: 2 cut`; '' when no request was made. */
export function describeSpending(spending: Readonly<Spending>): string {
  const {requests, cachedReplies, tokens, trimmed, faults, cost, currency} = spending
  if (requests === 0 && cachedReplies === 0) return ''
  const money = cost > 0 ? `, ${cost.toFixed(4)} ${currency}` : ''
  const cut = trimmed > 0 ? `, control tokens removed from ${counted(trimmed, 'reply', 'replies')}` : ''
  const kinds = Object.entries(faults).map(([kind, count]) => `${inThousands(count)} ${kind}`)
  const failed = kinds.length > 0 ? `, failed: ${kinds.join(', ')}` : ''
  const parts = [counted(requests, 'request'), `${inThousands(cachedReplies)} from cache`, counted(tokens, 'token')]
  return `${parts.join(', ')}${money}${failed}${cut}`
}

function bar(done: number, total: number): string {
  const width = 16
  const filled = total === 0 ? width : Math.min(width, Math.round((done / total) * width))
  return '█'.repeat(filled) + '░'.repeat(width - filled)
}
