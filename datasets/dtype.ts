import {Float16Array} from '@petamoriken/float16'
import type {Dtype} from './schema/tensor.ts'

/** Memory layout of elements: little-endian, as on every processor that the twin runs on. */
interface Codec {
  array: NumberArray | typeof BigInt64Array | typeof BigUint64Array
  /** The values of all bits, if the array cannot hold the dtype itself: a lookup is many times faster than decoding. */
  read?(): Float64Array
  /** Rounds to nearest, ties to even. */
  bits?(value: number): number
}

type NumberArray =
  | typeof Float32Array
  | typeof Float64Array
  | typeof Int8Array
  | typeof Uint8Array
  | typeof Int16Array
  | typeof Uint16Array
  | typeof Int32Array
  | typeof Uint32Array

const integerRanges: Partial<Record<Dtype, readonly [number, number]>> = {
  int8: [-128, 127],
  uint8: [0, 255],
  int16: [-32768, 32767],
  uint16: [0, 65535],
  int32: [-(2 ** 31), 2 ** 31 - 1],
  uint32: [0, 2 ** 32 - 1],
  // Values are doubles, so large 64-bit integers cannot be distinguished; what a double represents exactly is kept
  // exactly.
  int64: [-(2 ** 53), 2 ** 53],
  uint64: [0, 2 ** 53],
  bool: [0, 1],
}

const codecs: Record<Dtype, Codec> = {
  float16: {
    array: Uint16Array,
    read: valuesOf((bits) => new Float16Array(bits.buffer)),
    bits: (value) => shortFloatBits(value, float16),
  },
  bfloat16: {
    array: Uint16Array,
    read: valuesOf((bits) => new Float32Array(Uint32Array.from(bits, (one) => one << 16).buffer)),
    bits: (value) => shortFloatBits(value, bfloat16),
  },
  float32: {array: Float32Array},
  float64: {array: Float64Array},
  int8: {array: Int8Array},
  uint8: {array: Uint8Array},
  int16: {array: Int16Array},
  uint16: {array: Uint16Array},
  int32: {array: Int32Array},
  uint32: {array: Uint32Array},
  int64: {array: BigInt64Array},
  uint64: {array: BigUint64Array},
  bool: {array: Uint8Array},
  // Two float32 per element, real part first; the callers' arrays are interleaved likewise.
  complex64: {array: Float32Array},
}

export function isInteger(dtype: Dtype): boolean {
  return integerRanges[dtype] !== undefined
}

/** Smallest and largest value that `encode` accepts; ±Infinity for floats. */
export function valueRange(dtype: Dtype): readonly [number, number] {
  return integerRanges[dtype] ?? [-Infinity, Infinity]
}

/**
 * Doubles → dense little-endian elements, rounded to the dtype (to nearest, ties to even; overflow gives an infinity).
 * @throws RangeError for an integer dtype when a value is not an integer or out of range: wrapping would hide a faulty
 *   reference
 */
export function encode(values: ArrayLike<number>, dtype: Dtype): Uint8Array {
  checkRange(values, dtype)
  const {array, bits} = codecs[dtype]
  const held = new array(values.length)
  if (isBig(held)) for (let index = 0; index < held.length; index += 1) held[index] = BigInt(values[index] as number)
  else if (bits) for (let index = 0; index < held.length; index += 1) held[index] = bits(values[index] as number)
  else held.set(values)
  return new Uint8Array(held.buffer)
}

function checkRange(values: ArrayLike<number>, dtype: Dtype): void {
  const range = integerRanges[dtype]
  if (!range) return
  const [low, high] = range
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index] as number
    if (!(Number.isInteger(value) && value >= low && value <= high))
      throw new RangeError(`element ${index}: ${value} is not a ${dtype} (an integer in [${low}, ${high}])`)
  }
}

/** Dense little-endian elements → doubles. complex64 gives two doubles per element. */
export function decode(bytes: Uint8Array, dtype: Dtype): Float64Array {
  const {array, read} = codecs[dtype]
  const step = array.BYTES_PER_ELEMENT
  const aligned = bytes.byteOffset % step === 0 ? bytes : bytes.slice()
  const held = new array(aligned.buffer as ArrayBuffer, aligned.byteOffset, Math.floor(aligned.byteLength / step))
  if (isBig(held)) return Float64Array.from(held, Number)
  const values = new Float64Array(held)
  if (!read) return values
  const known = read()
  for (let index = 0; index < values.length; index += 1) values[index] = known[values[index] as number] as number
  return values
}

function isBig(held: InstanceType<Codec['array']>): held is BigInt64Array<ArrayBuffer> | BigUint64Array<ArrayBuffer> {
  return held instanceof BigInt64Array || held instanceof BigUint64Array
}

/** The values nearest to `values` that the dtype can represent. */
export function roundTo(values: ArrayLike<number>, dtype: Dtype): Float64Array {
  return decode(encode(values, dtype), dtype)
}

/** Distance from `value` to the next larger magnitude that the dtype can represent; 0 for integers. */
export function unitInLastPlace(value: number, dtype: Dtype): number {
  const format = floatFormats[dtype]
  if (!format || !Number.isFinite(value)) return 0
  return powerOfTwo(Math.max(format.minExponent, exponentOf(value)) - format.mantissaBits)
}

/** The exponent of a finite value's magnitude: read from its bits, because a logarithm is not exact. */
function exponentOf(value: number): number {
  scratch[0] = value
  return (((scratchWords[1] as number) >>> 20) & 0x7ff) - 1023
}

const smallestPower = -1074
/** All powers of two in a double's range: a lookup is many times faster than `2 **`. */
const powers = Float64Array.from({length: 1023 - smallestPower + 1}, (_, index) => 2 ** (index + smallestPower))
const powerOfTwo = (exponent: number) => powers[exponent - smallestPower] as number

/** Powers of two of the smallest and the largest normal values of a floating type. */
export function exponentRange(dtype: Dtype): readonly [number, number] {
  const {minExponent} = floatFormats[dtype] ?? {minExponent: 0}
  return [minExponent, 1 - minExponent]
}

/** The largest finite value of a floating type. */
export function largestOf(dtype: Dtype): number {
  const {mantissaBits, minExponent} = floatFormats[dtype] ?? {mantissaBits: 0, minExponent: 0}
  return (2 - 2 ** -mantissaBits) * 2 ** (1 - minExponent)
}

interface FloatFormat {
  mantissaBits: number
  /** Exponent of the smallest normal value. */
  minExponent: number
}

const float16: FloatFormat = {mantissaBits: 10, minExponent: -14}
const bfloat16: FloatFormat = {mantissaBits: 7, minExponent: -126}

const floatFormats: Partial<Record<Dtype, FloatFormat>> = {
  float16,
  bfloat16,
  float32: {mantissaBits: 23, minExponent: -126},
  float64: {mantissaBits: 52, minExponent: -1022},
  complex64: {mantissaBits: 23, minExponent: -126},
}

const scratch = new Float64Array(1)
const scratchWords = new Uint32Array(scratch.buffer)

/** All 65,536 values of a 16-bit type, made when they are first asked for. */
function valuesOf(read: (bits: Uint16Array<ArrayBuffer>) => ArrayLike<number>): () => Float64Array {
  let values: Float64Array | undefined
  return () => (values ??= Float64Array.from(read(Uint16Array.from({length: 1 << 16}, (_, bits) => bits))))
}

/**
 * The bits of a 16-bit float nearest to a double, ties to even. Rounds once, in units of the last place: going through
 * float32 would round twice. A mantissa that rounds up to the next power of two carries into the exponent
 * automatically, up to infinity.
 */
function shortFloatBits(value: number, {mantissaBits, minExponent}: FloatFormat): number {
  const infinity = (2 - 2 * minExponent + 1) << mantissaBits
  if (Number.isNaN(value)) return infinity | (1 << (mantissaBits - 1))
  const sign = value < 0 || Object.is(value, -0) ? 1 << 15 : 0
  const exponent = Math.max(minExponent, exponentOf(value))
  if (exponent > 1 - minExponent) return sign | infinity
  const units = Math.abs(value) * powerOfTwo(mantissaBits - exponent)
  // Doubles at 2^52 are one apart, so this addition rounds to an integer, ties to even.
  const rounded = units + 2 ** 52 - 2 ** 52
  return sign | Math.min(infinity, ((exponent - minExponent) << mantissaBits) + rounded)
}
