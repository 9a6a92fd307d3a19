/** One printed number: what it says, and half a unit of its last digit. */
interface Shown {
  value: number
  slack: number
}

/**
 * An array as a page prints it: runs of numbers with a gap (`...`) between each two. An empty first or last run means
 * that the page leaves out the beginning or the end.
 */
export interface PrintedArray {
  runs: Shown[][]
}

const number = /[-+]?(?:nan|inf)\b|True|False|true|false|[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?|…/gi

/** Numbers and gaps of a text; brackets, commas and bits in brackets (`15(0b00001111)`) are passed over. */
export function parsePrinted(text: string): PrintedArray {
  const plain = text.replace(/\(0b[01]+\)/g, ' ').replace(/\.{3,}/g, ' … ')
  const runs: Shown[][] = [[]]
  for (const [token] of plain.matchAll(number)) {
    if (token === '…') runs.push([])
    else runs.at(-1)!.push(shown(token))
  }
  return {runs}
}

function shown(token: string): Shown {
  const word = token.toLowerCase().replace(/^[-+]/, '')
  const sign = token.startsWith('-') ? -1 : 1
  if (word === 'nan') return {value: Number.NaN, slack: 0}
  if (word === 'inf') return {value: sign * Number.POSITIVE_INFINITY, slack: 0}
  if (word === 'true' || word === 'false') return {value: word === 'true' ? 1 : 0, slack: 0}
  const [mantissa = '', exponent = '0'] = word.split('e')
  const decimals = mantissa.split('.')[1]?.length ?? 0
  return {value: Number(token), slack: 0.5 * 10 ** (Number(exponent) - decimals)}
}

export function isAbridged({runs}: PrintedArray): boolean {
  return runs.length > 1
}

export function countShown({runs}: PrintedArray): number {
  return runs.reduce((sum, run) => sum + run.length, 0)
}

/**
 * How many elements the printed array stands for, when its gaps are arithmetic progressions that what is printed on
 * both sides determines; undefined otherwise.
 */
export function determinedLength({runs}: PrintedArray): number | undefined {
  let length = runs[0]!.length
  for (let at = 1; at < runs.length; at += 1) {
    const missing = missingBetween(runs[at - 1]!, runs[at]!)
    if (missing === undefined) return undefined
    length += missing + runs[at]!.length
  }
  return length
}

function stepOf(before: readonly Shown[], after: readonly Shown[]): number | undefined {
  const pair = before.length > 1 ? before.slice(-2) : after.slice(0, 2)
  const [one, other] = pair
  return one && other ? other.value - one.value : undefined
}

function missingBetween(before: readonly Shown[], after: readonly Shown[]): number | undefined {
  const step = stepOf(before, after)
  const [last, first] = [before.at(-1), after[0]]
  if (step === undefined || step === 0 || !last || !first) return undefined
  const steps = (first.value - last.value) / step
  const whole = Math.round(steps)
  return whole >= 1 && Math.abs(steps - whole) < 0.02 * whole ? whole - 1 : undefined
}

/**
 * The values of an input of `length` elements: what is printed at its place (the last run at the end), progressions
 * continued, and what nothing determines repeated from the run before it.
 */
export function expand(printed: PrintedArray, length: number): number[] {
  const values: number[] = []
  const {runs} = printed
  // One gap alone must fill the array, so a progression that ends elsewhere is none.
  const [alone, whole] = [runs.length === 2 && runs[1]!.length > 0, determinedLength(printed)]
  const rest = (from: number) => runs.slice(from).reduce((sum, run) => sum + run.length, 0)
  runs.forEach((run, at) => {
    if (at > 0) {
      const before = runs[at - 1]!
      const determined = alone && whole !== length ? undefined : missingBetween(before, run)
      const room = Math.max(length - values.length - rest(at), 0)
      const step = stepOf(before, run) ?? 0
      const start = values.length
      for (let gap = 0; gap < (determined ?? room); gap += 1)
        values.push(determined === undefined ? cycled(values, start, gap) : continued(before, step, gap))
    }
    values.push(...run.map(({value}) => value))
  })
  const own = values.length
  while (values.length < length) values.push(cycled(values, own, values.length - own))
  return values
}

function continued(before: readonly Shown[], step: number, gap: number): number {
  return Number((before.at(-1)!.value + step * (gap + 1)).toPrecision(9))
}

function cycled(values: readonly number[], period: number, index: number): number {
  return values[index % Math.max(period, 1)] ?? 0
}

export interface Tolerance {
  absolute: number
  relative: number
}

interface Difference {
  index: number
  seen: number
  expected: number
}

export interface Comparison {
  /** Numbers compared. */
  shown: number
  /** Numbers that differ in a digit shown and are within the tolerance of what is shown. */
  near: number
  /** The first number that is neither. */
  first?: Difference
}

/**
 * Compares values with what a page prints of them, each at the digits shown. A value off by more counts as
 * near within the tolerance. The first run stands first and the last at the end; runs between gaps must follow
 * in this order, each at the first place where all of it agrees.
 */
export function compareShown(values: readonly number[], printed: PrintedArray, tolerance: Tolerance): Comparison {
  const end: Comparison = {shown: 0, near: 0}
  let from = 0
  printed.runs.forEach((run, at) => {
    if (end.first || run.length === 0) return
    const last = at === printed.runs.length - 1 && at > 0
    const start = last ? values.length - run.length : placeOf(values, run, {from, tolerance, anchored: at === 0})
    run.forEach((one, index) => {
      const seen = values[start + index] ?? Number.NaN
      end.shown += 1
      const verdict = judge(seen, one, tolerance)
      if (verdict === 'near') end.near += 1
      if (verdict === 'off') end.first ??= {index: start + index, seen, expected: one.value}
    })
    from = start + run.length
  })
  return end
}

interface Search {
  from: number
  tolerance: Tolerance
  anchored: boolean
}

function placeOf(values: readonly number[], run: readonly Shown[], {from, tolerance, anchored}: Search): number {
  if (anchored) return 0
  for (let start = from; start + run.length <= values.length; start += 1)
    if (run.every((one, index) => judge(values[start + index]!, one, tolerance) !== 'off')) return start
  return from
}

function judge(seen: number, {value, slack}: Shown, tolerance: Tolerance): 'same' | 'near' | 'off' {
  if (Object.is(seen, value) || seen === value) return 'same'
  if (!Number.isFinite(seen) || !Number.isFinite(value)) return 'off'
  const off = Math.abs(seen - value)
  if (off <= slack * (1 + 1e-6)) return 'same'
  const allowed = Math.max(tolerance.absolute, tolerance.relative * Math.abs(value))
  return off <= allowed + slack ? 'near' : 'off'
}
