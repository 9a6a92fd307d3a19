import type {TensorSpec} from '../../datasets/schema/tensor.ts'
import {elementCount} from '../../datasets/schema/tensor.ts'
import type {Random} from '../../engine/random.ts'
import {exponentRange, isInteger, roundTo, unitInLastPlace, valueRange} from '../../datasets/dtype.ts'

/**
 * How a tensor's values are drawn, always inside the task's domain.
 * - `normal`: as the benchmark draws them, mean 0 and deviation 1
 * - `uniform`: over the whole domain
 * - `small`: a hundredth of the domain's width around zero, or around its lower end
 * - `large`: the outer tenth of the domain
 * - `boundary`: a shuffle of zeros, signed zeros, ones, halves, the domain's ends and their neighbours
 * - `zeros`, `ones`: constant, or the domain's nearest value
 * - `wide`: magnitudes spread evenly over the exponents of the type, of either sign; integers over their bits
 * - `infinite`, `nan`: as `uniform`, and one value in sixteen is a zero or an infinity of either sign, or NaN
 * - `denormal`: below the smallest normal number, and zeros of either sign
 * - `alike`: as `normal`, and half of the values are those of the first tensor of the type, in its places
 * - `scalars`: as `normal`, and tensors of one element hold neither 0 nor 1
 * - `finite`: as `normal`, whatever a task draws that is no number
 * - `pierced`: as `normal`, and one value of every other tensor is an infinity or NaN
 * - `repeated`: as `normal`, the first values over and over: where only the size is new
 * A domain that a task declares holds for all; where it declares none, `wide`, `infinite`, `nan` and `denormal` go
 * beyond [-10, 10].
 */
export const inputFamilies = [
  'normal',
  'uniform',
  'small',
  'large',
  'boundary',
  'zeros',
  'ones',
  'wide',
  'infinite',
  'nan',
  'denormal',
  'alike',
  'scalars',
  'finite',
  'pierced',
  'repeated',
] as const
export type InputFamily = (typeof inputFamilies)[number]

type Domain = readonly [number, number]

/**
 * Values of one tensor in row-major order, rounded to its dtype, none outside `domain`. complex64 gives two values per
 * element.
 */
export function drawValues(spec: TensorSpec, asked: InputFamily, random: Random, domain?: Domain): Float64Array {
  const family = isTouched(asked) ? 'normal' : asked
  const count = elementCount(spec.shape) * (spec.dtype === 'complex64' ? 2 : 1)
  const [low, high] = innerDomain(spec, domain ?? (isFurther(family) ? valueRange(spec.dtype) : defaultDomain(spec)))
  const draw = isInteger(spec.dtype)
    ? integerDraw(family, random, low, high)
    : (furtherDraw(spec, family, random, domain) ??
      floatDraw(family, random, low, high, unitInLastPlace(1, spec.dtype)))
  const values = new Float64Array(count)
  for (let index = 0; index < count; index += 1) values[index] = clamp(draw(), low, high)
  if (asked === 'scalars' && count === 1)
    values[0] = clamp(random.pick([-1, 1]) * random.integer(5, 12) * 0.25, low, high)
  if (asked === 'pierced' && !isInteger(spec.dtype) && count > 0 && random.unit() < 0.5) pierce(values, random, domain)
  return roundInside(values, spec, low, high)
}

const touched = ['alike', 'scalars', 'finite', 'pierced', 'repeated'] as const
type Drawn = Exclude<InputFamily, (typeof touched)[number]>

/** Whether a family is `normal` with single values changed afterwards. */
function isTouched(family: InputFamily): family is (typeof touched)[number] {
  return (touched as readonly InputFamily[]).includes(family)
}

function pierce(values: Float64Array, random: Random, domain: Domain | undefined): void {
  const allowed = [Infinity, -Infinity, NaN].filter((one) => !domain || (one >= domain[0] && one <= domain[1]))
  if (allowed.length > 0) values[random.integer(0, values.length - 1)] = random.pick(allowed)
}

/** Of the family `alike`: half of the values are those of another tensor, if the domain contains them. */
export function halfAlike(
  values: Float64Array,
  {other, random, domain = [-Infinity, Infinity]}: {other: Float64Array; random: Random; domain?: Domain | undefined},
): Float64Array {
  if (other.length === 0) return values
  return values.map((value, index) => {
    const one = other[index % other.length] as number
    return random.unit() < 0.5 && one >= domain[0] && one <= domain[1] ? one : value
  })
}

const further = ['wide', 'infinite', 'nan', 'denormal'] as const
type Further = (typeof further)[number]

/** Whether a family exceeds the default range when a task declares no domain. */
function isFurther(family: InputFamily): family is Further {
  return (further as readonly InputFamily[]).includes(family)
}

/** One value in this many is special; most tensors still have a row without any. */
const specialOne = 16

function furtherDraw(
  spec: TensorSpec,
  family: InputFamily,
  random: Random,
  domain: Domain | undefined,
): (() => number) | undefined {
  if (!isFurther(family)) return undefined
  const [lowest, highest] = exponentRange(spec.dtype)
  const sign = () => (random.unit() < 0.5 ? -1 : 1)
  const [low, high] = domain ?? defaultDomain(spec)
  const plain = () => low + (high - low) * random.unit()
  const specials = {infinite: [0, -0, Infinity, -Infinity], nan: [0, -0, NaN]}
  switch (family) {
    case 'wide':
      // A step below the largest, so that a sum of a few does not depend on the order of its terms.
      return () => sign() * 2 ** (lowest + (highest - 1 - lowest) * random.unit())
    case 'denormal':
      return () => (random.integer(1, specialOne) === 1 ? sign() * 0 : sign() * 2 ** lowest * random.unit())
    case 'infinite':
    case 'nan': {
      const special = specials[family].filter((value) => !domain || (value >= low && value <= high))
      return () => (special.length > 0 && random.integer(1, specialOne) === 1 ? random.pick(special) : plain())
    }
  }
}

function defaultDomain(spec: TensorSpec): Domain {
  if (spec.dtype === 'bool') return [0, 1]
  if (!isInteger(spec.dtype)) return [-10, 10]
  const [low, high] = valueRange(spec.dtype)
  return [Math.max(low, -100), Math.min(high, 100)]
}

function innerDomain(spec: TensorSpec, [low, high]: Domain): Domain {
  const [lowest, highest] = valueRange(spec.dtype)
  if (!(low <= high) || low > highest || high < lowest) {
    throw new RangeError(`domain of ${spec.name} is [${low}, ${high}]: empty, or outside of ${spec.dtype}`)
  }
  if (!isInteger(spec.dtype)) return [low, high]
  return [Math.ceil(Math.max(low, lowest)), Math.floor(Math.min(high, highest))]
}

function floatDraw(family: Drawn, random: Random, low: number, high: number, epsilon: number): () => number {
  const width = high - low
  const centre = clamp(0, low, high)
  const between = (from: number, to: number) => from + (to - from) * random.unit()
  const special = [
    0,
    -0,
    1,
    -1,
    0.5,
    -0.5,
    1 + epsilon,
    1 - epsilon,
    low,
    high,
    low + width * epsilon,
    high - width * epsilon,
  ].filter((value) => value >= low && value <= high)
  switch (family) {
    case 'normal':
      // A domain of one sign, such as (0, 10], is meant to be filled: mirror rather than clamp half of all values to
      // its end.
      if (low >= 0) return () => Math.abs(normal(random))
      return high <= 0 ? () => -Math.abs(normal(random)) : () => normal(random)
    case 'uniform':
      return () => between(low, high)
    case 'small':
      return () => between(Math.max(low, centre - width / 100), Math.min(high, centre + width / 100))
    case 'large':
      return () => (random.unit() < 0.5 ? between(low, low + width / 10) : between(high - width / 10, high))
    case 'boundary':
      return () => (random.unit() < 0.25 ? between(low, high) : random.pick(special))
    case 'zeros':
      return () => 0
    default:
      return () => 1
  }
}

function integerDraw(family: Drawn, random: Random, low: number, high: number): () => number {
  const special = [0, 1, -1, low, high, low + 1, high - 1].filter((value) => value >= low && value <= high)
  const tenth = Math.max(0, Math.floor((high - low) / 10))
  const centre = clamp(0, low, high)
  switch (family) {
    case 'normal':
    case 'uniform':
    case 'infinite':
    case 'nan':
    case 'denormal':
      return () => random.integer(low, high)
    case 'wide': {
      const bits = Math.log2(Math.max(-low, high, 1))
      return () => Math.trunc((random.unit() < 0.5 && low < 0 ? -1 : 1) * 2 ** (bits * random.unit()))
    }
    case 'small':
      return () => random.integer(Math.max(low, centre - 3), Math.min(high, centre + 3))
    case 'large':
      return () => (random.unit() < 0.5 ? random.integer(low, low + tenth) : random.integer(high - tenth, high))
    case 'boundary':
      return () => (random.unit() < 0.25 ? random.integer(low, high) : random.pick(special))
    case 'zeros':
      return () => 0
    case 'ones':
      return () => 1
  }
}

/** Box–Muller; `1 - unit()` keeps the logarithm away from 0. */
function normal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random.unit())) * Math.cos(2 * Math.PI * random.unit())
}

/** Rounding may step over an end of the domain that the dtype cannot hold; such a value moves one unit back inside. */
function roundInside(values: Float64Array, spec: TensorSpec, low: number, high: number): Float64Array {
  const rounded = roundTo(values, spec.dtype)
  for (let index = 0; index < rounded.length; index += 1) {
    const value = rounded[index] as number
    if (value < low) rounded[index] = value + unitInLastPlace(value, spec.dtype)
    else if (value > high) rounded[index] = value - unitInLastPlace(value, spec.dtype)
  }
  return rounded
}

function clamp(value: number, low: number, high: number): number {
  return value < low ? low : Math.min(value, high)
}
