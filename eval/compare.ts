import assert from 'node:assert/strict'
import {elementCount, type Dtype, type TensorSpec} from '../datasets/schema/tensor.ts'
import {decode, exponentRange, isInteger, largestOf, unitInLastPlace} from '../datasets/dtype.ts'

interface Tolerance {
  absolute: number
  relative: number
}

/** An element by its flat row-major index. */
interface ComparedElement {
  index: number
  seen: number
  expected: number
}

/** How one output compares with what was expected. Errors are null when an element on either side is not finite. */
export interface Comparison {
  ok: boolean
  worstAbsolute: number | null
  worstRelative: number | null
  /** The worst element: its flat row-major index, and the two values. Undefined when no element could be compared. */
  worst?: ComparedElement
  /** The first element that fails, if one does. */
  first?: ComparedElement
  /** Why it is not ok; '' when it is. */
  reason: string
}

/** `check_precision` of the benchmark of operators: fails if both errors exceed 1e-3. */
export const benchmarkTolerance: Tolerance = {absolute: 1e-3, relative: 1e-3}

/**
 * Our tolerance if a task states none. Steps of one unit in the last place: float16 2^-10, bfloat16 2^-7, float32
 * 2^-23; the float32 figure is the accuracy that the Ascend C API promises for float, the two others are two steps.
 */
const hardenedTolerances: Partial<Record<Dtype, Tolerance>> = {
  float16: {absolute: 1e-3, relative: 2e-3},
  bfloat16: {absolute: 4e-3, relative: 1.6e-2},
  float32: {absolute: 1e-4, relative: 1e-4},
  float64: {absolute: 1e-9, relative: 1e-9},
  complex64: {absolute: 1e-4, relative: 1e-4},
}

/** Added to |expected| before dividing, as the benchmark does; our rule divides without it. */
const relativeFloor = 1e-7

/**
 * The benchmark's exact rule: an element fails when its absolute and relative errors both exceed the tolerance;
 * one value that is not finite on either side fails the whole output. It compares as many elements as both sides have:
 * length, shape and dtype are ignored.
 */
export function compareLiteral(
  expected: Float64Array,
  seen: Float64Array,
  tolerance: Tolerance = benchmarkTolerance,
): Comparison {
  const length = Math.min(expected.length, seen.length)
  const scan = scanErrors(expected, seen, length, (absolute, relative) =>
    Math.min(absolute / tolerance.absolute, relative / tolerance.relative),
  )
  if (scan.nonFinite !== undefined) return failure(expected, seen, scan.nonFinite, 'not finite')
  return summary(expected, seen, scan, `abs > ${tolerance.absolute} and rel > ${tolerance.relative}`)
}

/**
 * Our rule for one output as bytes. Besides the errors it requires: the exact byte length, NaN and infinities exactly
 * where expected, integers and bool equal, bool only 0 or 1. Small outputs get no free pass from an absolute tolerance:
 * it shrinks with the largest expected magnitude below 1. One unit in the last place is always allowed: a value halfway
 * between two representable ones may be rounded either way. The same holds at both ends of the type: beyond the largest
 * value by less than the tolerance it may be infinite, and below the smallest normal one of every type except float16
 * it may be zero. (The pages of Exp, Ln, Sqrt and Div flush such results if a mode can be chosen and none is; for
 * devices without the choice they say nothing.) @param scale largest magnitude summed into an element: cancelled terms
 * were rounded at their own size
 */
export function compareHardened(
  spec: TensorSpec,
  expected: Float64Array,
  bytes: Uint8Array,
  stated?: Tolerance,
  scale = 0,
): Comparison {
  const count = elementCount(spec.shape) * (spec.dtype === 'complex64' ? 2 : 1)
  assert.equal(
    expected.length,
    count,
    `the reference gives ${expected.length} values for ${spec.name} ${JSON.stringify(spec.shape)}`,
  )
  const seen = decode(bytes, spec.dtype)
  if (seen.length !== count) {
    return {
      ok: false,
      worstAbsolute: null,
      worstRelative: null,
      reason: `${seen.length} elements where ${count} are expected`,
    }
  }
  const tolerance = stated ?? hardenedTolerances[spec.dtype] ?? benchmarkTolerance
  const odd = findSpecialMismatch(expected, seen, spec.dtype, tolerance)
  if (odd) return failure(expected, seen, odd.index, odd.problem)
  if (isInteger(spec.dtype) && !stated)
    return summary(
      expected,
      seen,
      scanErrors(expected, seen, count, (absolute) => (absolute > 0 ? Infinity : 0)),
      'integers must be equal',
    )
  const smallest = spec.dtype === 'float16' ? 0 : 2 ** exponentRange(spec.dtype)[0]
  const absoluteLimit = stated
    ? stated.absolute
    : tolerance.absolute * Math.max(Math.min(1, largestFinite(expected)), scale)
  const scan = scanErrors(expected, seen, count, (absolute, _, wanted) =>
    absolute <= unitInLastPlace(wanted, spec.dtype) || (Math.abs(wanted) < smallest && absolute < smallest)
      ? 0
      : Math.min(ratio(absolute, absoluteLimit), ratio(absolute, tolerance.relative * Math.abs(wanted))),
  )
  return summary(expected, seen, scan, `abs > ${absoluteLimit.toExponential(1)} and rel > ${tolerance.relative}`)
}

interface Scan {
  worstAbsolute: number
  worstRelative: number
  /** The element that exceeds its limits most (or comes closest), and by which factor; fails above 1. */
  index: number
  excess: number
  /** The first that exceeds its limits. */
  first?: number
  nonFinite?: number
}

function scanErrors(
  expected: Float64Array,
  seen: Float64Array,
  length: number,
  excessOf: (absolute: number, relative: number, expected: number) => number,
): Scan {
  const scan: Scan = {worstAbsolute: 0, worstRelative: 0, index: 0, excess: -1}
  for (let index = 0; index < length; index += 1) {
    const wanted = expected[index] as number
    const got = seen[index] as number
    if (!Number.isFinite(wanted) || !Number.isFinite(got)) {
      scan.nonFinite ??= index
      continue
    }
    if (wanted === got) {
      if (scan.excess < 0) Object.assign(scan, {excess: 0, index})
      continue
    }
    const absolute = Math.abs(wanted - got)
    const relative = absolute / (Math.abs(wanted) + relativeFloor)
    if (absolute > scan.worstAbsolute) scan.worstAbsolute = absolute
    if (relative > scan.worstRelative) scan.worstRelative = relative
    const excess = excessOf(absolute, relative, wanted)
    if (excess > 1) scan.first ??= index
    if (excess > scan.excess) {
      scan.excess = excess
      scan.index = index
    }
  }
  return scan
}

/** x / 0 is 0 for x = 0 here: no error is within any limit. */
function ratio(error: number, limit: number): number {
  return error === 0 ? 0 : error / limit
}

/**
 * Position of a bool that is neither 0 nor 1, as in an unwritten output; undefined if there is none. PyTorch reads
 * every such byte as true.
 */
export function oddBool({name, dtype}: TensorSpec, bytes: Uint8Array): string | undefined {
  const index = dtype === 'bool' ? bytes.findIndex((byte) => byte > 1) : -1
  return index < 0 ? undefined : `${name}: element ${index} is ${bytes[index]}, a bool that is neither 0 nor 1`
}

function findSpecialMismatch(
  expected: Float64Array,
  seen: Float64Array,
  dtype: Dtype,
  {relative}: Tolerance,
): {index: number; problem: string} | undefined {
  const nearlyInfinite = isInteger(dtype) ? Infinity : largestOf(dtype) / (1 + relative)
  const overflows = (value: number, other: number) =>
    Math.abs(value) === Infinity && Math.sign(value) === Math.sign(other) && Math.abs(other) >= nearlyInfinite
  for (let index = 0; index < expected.length; index += 1) {
    const wanted = expected[index] as number
    const got = seen[index] as number
    if (dtype === 'bool' && got !== 0 && got !== 1) return {index, problem: 'a bool that is neither 0 nor 1'}
    if (Number.isFinite(wanted) && Number.isFinite(got)) continue
    if (!Object.is(wanted, got) && !overflows(wanted, got) && !overflows(got, wanted))
      return {
        index,
        problem: Number.isNaN(got)
          ? 'NaN (computed, or left by an output that was never written)'
          : 'infinity or NaN in the wrong place',
      }
  }
  return undefined
}

function largestFinite(values: Float64Array): number {
  let largest = 0
  for (let index = 0; index < values.length; index += 1) {
    const magnitude = Math.abs(values[index] as number)
    if (magnitude > largest && magnitude !== Infinity) largest = magnitude
  }
  return largest
}

function failure(expected: Float64Array, seen: Float64Array, index: number, problem: string): Comparison {
  const worst = elementOf(expected, seen, index)
  return {ok: false, worstAbsolute: null, worstRelative: null, worst, reason: describe(worst, problem)}
}

function summary(expected: Float64Array, seen: Float64Array, scan: Scan, limits: string): Comparison {
  const ok = scan.excess <= 1
  const {worstAbsolute, worstRelative, index} = scan
  if (scan.excess < 0) return {ok, worstAbsolute, worstRelative, reason: ''}
  const worst = elementOf(expected, seen, index)
  const first = scan.first === undefined ? {} : {first: elementOf(expected, seen, scan.first)}
  return {ok, worstAbsolute, worstRelative, worst, ...first, reason: ok ? '' : describe(worst, limits)}
}

function elementOf(expected: Float64Array, seen: Float64Array, index: number): ComparedElement {
  return {index, seen: seen[index] as number, expected: expected[index] as number}
}

function describe({index, seen, expected}: ComparedElement, problem: string): string {
  return `element ${index} is ${seen}, expected ${expected} (${problem})`
}
