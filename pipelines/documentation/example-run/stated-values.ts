import {unitInLastPlace} from '../../../datasets/dtype.ts'
import type {Dtype} from '../../../datasets/schema/tensor.ts'
import type {Stated, Written} from './page-result.ts'

/**
 * All values, where what is left out follows from what is given: `[1 1 1 ... 1]`, `[1 2 3 ... 512]`. Undefined where
 * it does not.
 * @param count elements of a constant, whose text does not say it
 */
export function wholeOf({runs, isOpen}: Stated, count: number | undefined): number[] | undefined {
  const given = runs.flat().map(({value}) => value)
  if (runs.length === 1 && !isOpen) return given
  if (isOpen || (runs[0]?.length ?? 0) < 2) return undefined
  if (given.every((value) => value === given[0]))
    return count === undefined ? undefined : given.concat(rest(given, count))
  return progression(runs.map((run) => run.map(({value}) => value)))
}

function rest(given: readonly number[], count: number): number[] {
  return Array<number>(Math.max(0, count - given.length)).fill(given[0] as number)
}

const longestProgression = 65_536

/** Equal steps from the first value to the last; undefined where a value of any run is not on the way. */
function progression(runs: readonly (readonly number[])[]): number[] | undefined {
  const [first = NaN, second = NaN] = runs[0] ?? []
  const last = runs.at(-1)?.at(-1) ?? NaN
  const steps = Math.round((last - first) / (second - first))
  if (!(steps > 0 && steps < longestProgression)) return undefined
  const step = (last - first) / steps
  const placeOf = (value: number) => Math.round((value - first) / step)
  const isOn = (value: number) => Math.abs(value - (first + placeOf(value) * step)) <= 1e-6 * Math.abs(step) + 1e-9
  let place = -1
  for (const run of runs) {
    for (const [index, value] of run.entries()) {
      const here = placeOf(value)
      if (!isOn(value) || here <= place || (index > 0 && here !== place + 1)) return undefined
      place = here
    }
  }
  return Array.from({length: steps + 1}, (_, index) => (index === steps ? last : first + index * step))
}

/** The values with what is left out filled in from the given ones, in one of several ways. */
export function filled(stated: Stated, count: number, way: number): number[] {
  const whole = wholeOf(stated, count)
  const given = stated.runs.flat().map(({value}) => value)
  const filler = (index: number) => given[(index + way * 3 + 1) % given.length] as number
  const values = Array.from({length: count}, (_, index) => whole?.[index] ?? filler(index))
  if (whole) return values
  for (const [index, {value}] of (stated.runs[0] ?? []).entries()) values[index] = value
  const tail = stated.runs.length > 1 && !stated.isOpen ? (stated.runs.at(-1) ?? []) : []
  for (const [index, {value}] of tail.entries()) values[count - tail.length + index] = value
  return values
}

/** What the page says that an output holds. */
interface Expectation {
  /** From the first element on. */
  head: Written[]
  /** Somewhere behind: where the operand ends is not said. */
  tail: Written[]
}

/** Values between two gaps stand nowhere that could be told, and are left out. */
export function expectationOf({runs, isOpen}: Stated): Expectation {
  const values = runs.map((run) => run.map(({value}) => value))
  const whole = runs.length > 1 && !isOpen ? progression(values) : undefined
  const unit = Math.max(...runs.flat().map((written) => written.unit))
  if (whole) return {head: whole.map((value) => ({value, unit})), tail: []}
  return {head: runs[0] ?? [], tail: runs.length > 1 && !isOpen ? (runs.at(-1) ?? []) : []}
}

/** The first place at which found values are not what the page says; `-1` where what it says of the end is nowhere. */
export function departure(found: Float64Array, stated: Stated, dtype: Dtype): number | undefined {
  const {head, tail} = expectationOf(stated)
  const index = head.findIndex((written, place) => !isSame(found[place] ?? NaN, written, dtype))
  if (index >= 0) return index
  const isAt = (from: number) => tail.every((written, place) => isSame(found[from + place] ?? NaN, written, dtype))
  for (let from = head.length; from + tail.length <= found.length; from += 1) if (isAt(from)) return undefined
  return -1
}

/** Further off than by the ways in which devices compute a function. */
export function isFarFrom(found: number, {value, unit}: Written): boolean {
  if (!Number.isFinite(found) || !Number.isFinite(value)) return !Object.is(found, value)
  return Math.abs(found - value) > 0.02 * Math.abs(value) + unit
}

/**
 * Whether a value is the one that the page writes: within what its writing leaves out and two units in the last place
 * of a short float, by which the device's own functions are off, or 1e-4 of a long one.
 */
function isSame(found: number, {value, unit}: Written, dtype: Dtype): boolean {
  if (Number.isNaN(value)) return Number.isNaN(found)
  if (!Number.isFinite(value)) return found === value
  const relative = dtype === 'float32' ? 1e-4 * Math.abs(value) : 2 * unitInLastPlace(value, dtype)
  return Math.abs(found - value) <= relative + unit
}
