import {rint} from '../../../datasets/special-functions.ts'
import {castRoundings, type Rounding} from '../../../cpp/interfaces/casts.ts'
import {type ElementType, isFloat} from '../language/dtypes.ts'

type Round = (value: number) => number

const double = new Float64Array(1)
const words = new Uint32Array(double.buffer)

/** A format of 16 bits: bits of its fraction, power of two of its smallest normal value, its largest value. */
interface ShortFormat {
  fraction: number
  smallest: number
  largest: number
}

const shortFormats: Partial<Record<ElementType, ShortFormat>> = {
  float16: {fraction: 10, smallest: -14, largest: 65_504},
  bfloat16: {fraction: 7, smallest: -126, largest: (2 - 2 ** -7) * 2 ** 127},
}

const stepOf = (value: number, fraction: number, smallest: number): number => {
  double[0] = value
  const exponent = (((words[1] as number) >>> 20) & 0x7ff) - 1023
  return 2 ** (Math.max(exponent, smallest) - fraction)
}

/** To nearest, ties to even, as datasets/dtype.ts has it, but without a detour over bytes. */
function short({fraction, smallest, largest}: ShortFormat): Round {
  return (value) => {
    if (value === 0 || !Number.isFinite(value)) return value
    // The number to be added would be infinite itself.
    if (Math.abs(value) > 2 * largest) return value < 0 ? -Infinity : Infinity
    // Adding so large a number leaves a double no bits below the step; the addition rounds as IEEE 754 asks.
    const shift = stepOf(value, fraction, smallest) * 1.5 * 2 ** 52
    const rounded = value + shift - shift
    if (Math.abs(rounded) > largest) return value < 0 ? -Infinity : Infinity
    return rounded === 0 && value < 0 ? -0 : rounded
  }
}

/** What an element of a type becomes of a number; integers wrap as the device's do. */
export const roundings: Readonly<Record<ElementType, Round>> = {
  float32: Math.fround,
  float16: short(shortFormats.float16 as ShortFormat),
  bfloat16: short(shortFormats.bfloat16 as ShortFormat),
  // Values are doubles: what they hold exactly is carried exactly.
  int64: (value) => value,
  int32: (value) => value | 0,
  int16: (value) => (value << 16) >> 16,
  int8: (value) => (value << 24) >> 24,
  uint8: (value) => value & 255,
  bool: (value) => (value === 0 ? 0 : 1),
}

const toWhole: Readonly<Record<Rounding, Round>> = {
  none: rint,
  rint,
  floor: Math.floor,
  ceil: Math.ceil,
  trunc: Math.trunc,
}

const ranges: Partial<Record<ElementType, readonly [number, number]>> = {
  int64: [-(2 ** 63), 2 ** 63],
  int32: [-(2 ** 31), 2 ** 31 - 1],
  int16: [-32_768, 32_767],
  int8: [-128, 127],
  uint8: [0, 255],
}

/** Whole numbers beyond the type's range become its ends, as a conversion on the device does. */
function saturate(value: number, type: ElementType): number {
  const range = ranges[type]
  if (!range) return value
  if (Number.isNaN(value)) return 0
  // Integers have no -0.
  return Math.min(range[1], Math.max(range[0], value)) + 0
}

/** The neighbour of the nearest value in the direction of the mode. */
function directed(to: ElementType, mode: Rounding): Round {
  const nearest = roundings[to]
  if (mode === 'none' || mode === 'rint') return nearest
  const {fraction, smallest} = shortFormats[to] ?? {fraction: 23, smallest: -126}
  return (value) => {
    const found = nearest(value)
    if (found === value || !Number.isFinite(value)) return found
    const goesDown = mode === 'floor' || (mode === 'trunc' && value > 0)
    if (goesDown ? found < value : found > value) return found
    return nextTo(found, goesDown ? -1 : 1, {fraction, smallest})
  }
}

/** One step of a format towards `sign`. */
function nextTo(value: number, sign: number, {fraction, smallest}: Omit<ShortFormat, 'largest'>): number {
  if (!Number.isFinite(value))
    return -sign * Infinity === value ? Math.sign(value) * largestOf(fraction, smallest) : value
  const step = stepOf(value, fraction, smallest)
  // Below a power of two the steps are half as large.
  const isEdge = Math.abs(value) === step * 2 ** fraction && Math.sign(value) !== sign
  const next = value + sign * (isEdge && Math.abs(value) > 2 ** smallest ? step / 2 : step)
  return Math.abs(next) > largestOf(fraction, smallest) ? sign * Infinity : next
}

const largestOf = (fraction: number, smallest: number) => (2 - 2 ** -fraction) * 2 ** (1 - smallest)

/** What `tl.cast` makes of an element; without a rounding, the one that the device's conversion has first. */
export function conversion(from: ElementType, to: ElementType, asked: string | undefined): Round {
  const mode = (asked as Rounding | undefined) ?? castRoundings(from, to)?.[0] ?? 'rint'
  const whole = toWhole[mode]
  // Equal types copy; between float32 and itself an explicit rounding mode rounds to integers.
  if (from === to) return asked === undefined || asked === 'none' ? (value) => value : whole
  if (isFloat(to)) return directed(to, mode)
  return (value) => saturate(whole(value), to)
}
