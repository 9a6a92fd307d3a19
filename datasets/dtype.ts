import {getFloat16} from '@petamoriken/float16'
import {dtypeBytes, type Dtype} from './schema/tensor.ts'

interface Codec {
  read(view: DataView, offset: number): number
  /** Rounds to nearest, ties to even. */
  write(view: DataView, offset: number, value: number): void
}

const integerRanges: Partial<Record<Dtype, readonly [number, number]>> = {
  int8: [-128, 127],
  uint8: [0, 255],
  int16: [-32768, 32767],
  uint16: [0, 65535],
  int32: [-(2 ** 31), 2 ** 31 - 1],
  uint32: [0, 2 ** 32 - 1],
  // Values are doubles, so the far ends of 64-bit integers cannot be told apart; what a double holds exactly is carried
  // exactly.
  int64: [-(2 ** 53), 2 ** 53],
  uint64: [0, 2 ** 53],
  bool: [0, 1],
}

const codecs: Record<Dtype, Codec> = {
  float16: {
    read: (view, at) => float16Values()[view.getUint16(at, true)] as number,
    write: (view, at, value) => view.setUint16(at, shortFloatBits(value, float16), true),
  },
  bfloat16: {read: readBfloat16, write: (view, at, value) => view.setUint16(at, shortFloatBits(value, bfloat16), true)},
  float32: {
    read: (view, at) => view.getFloat32(at, true),
    write: (view, at, value) => view.setFloat32(at, value, true),
  },
  float64: {
    read: (view, at) => view.getFloat64(at, true),
    write: (view, at, value) => view.setFloat64(at, value, true),
  },
  int8: {read: (view, at) => view.getInt8(at), write: (view, at, value) => view.setInt8(at, value)},
  uint8: {read: (view, at) => view.getUint8(at), write: (view, at, value) => view.setUint8(at, value)},
  int16: {read: (view, at) => view.getInt16(at, true), write: (view, at, value) => view.setInt16(at, value, true)},
  uint16: {read: (view, at) => view.getUint16(at, true), write: (view, at, value) => view.setUint16(at, value, true)},
  int32: {read: (view, at) => view.getInt32(at, true), write: (view, at, value) => view.setInt32(at, value, true)},
  uint32: {read: (view, at) => view.getUint32(at, true), write: (view, at, value) => view.setUint32(at, value, true)},
  int64: {
    read: (view, at) => Number(view.getBigInt64(at, true)),
    write: (view, at, value) => view.setBigInt64(at, BigInt(value), true),
  },
  uint64: {
    read: (view, at) => Number(view.getBigUint64(at, true)),
    write: (view, at, value) => view.setBigUint64(at, BigInt(value), true),
  },
  bool: {read: (view, at) => view.getUint8(at), write: (view, at, value) => view.setUint8(at, value)},
  // Two float32 an element, real part first; the callers' arrays are interleaved likewise.
  complex64: {
    read: (view, at) => view.getFloat32(at, true),
    write: (view, at, value) => view.setFloat32(at, value, true),
  },
}

export function isInteger(dtype: Dtype): boolean {
  return integerRanges[dtype] !== undefined
}

/** Smallest and largest value that `encode` takes; ±Infinity for floats. */
export function valueRange(dtype: Dtype): readonly [number, number] {
  return integerRanges[dtype] ?? [-Infinity, Infinity]
}

/**
 * Doubles → dense little-endian elements, rounded to the dtype (to nearest, ties to even; overflow gives an infinity).
 * @throws RangeError for an integer dtype when a value is no integer or out of range: wrapping would hide a faulty
 *   reference
 */
export function encode(values: ArrayLike<number>, dtype: Dtype): Uint8Array {
  const step = stepBytes(dtype)
  const bytes = new Uint8Array(values.length * step)
  const view = new DataView(bytes.buffer)
  const {write} = codecs[dtype]
  const range = integerRanges[dtype]
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index] as number
    if (range && !(Number.isInteger(value) && value >= range[0] && value <= range[1])) {
      throw new RangeError(`element ${index}: ${value} is not a ${dtype} (an integer in [${range[0]}, ${range[1]}])`)
    }
    write(view, index * step, value)
  }
  return bytes
}

/** Dense little-endian elements → doubles. complex64 gives two doubles an element. */
export function decode(bytes: Uint8Array, dtype: Dtype): Float64Array {
  const step = stepBytes(dtype)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const {read} = codecs[dtype]
  const values = new Float64Array(Math.floor(bytes.byteLength / step))
  for (let index = 0; index < values.length; index += 1) values[index] = read(view, index * step)
  return values
}

/** The values that the dtype can hold nearest to `values`. */
export function roundTo(values: ArrayLike<number>, dtype: Dtype): Float64Array {
  return decode(encode(values, dtype), dtype)
}

/** Distance from `value` to the next larger magnitude that the dtype can hold; 0 for integers. */
export function unitInLastPlace(value: number, dtype: Dtype): number {
  const format = floatFormats[dtype]
  if (!format || !Number.isFinite(value)) return 0
  return 2 ** (Math.max(format.minExponent, exponentOf(value)) - format.mantissaBits)
}

/** The power of two that a finite value's magnitude begins with: read off its bits, as a logarithm is not exact. */
function exponentOf(value: number): number {
  scratch.setFloat64(0, value)
  return ((scratch.getUint16(0) >>> 4) & 0x7ff) - 1023
}

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
  /** Of the smallest normal value. */
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

function stepBytes(dtype: Dtype): number {
  return dtype === 'complex64' ? 4 : dtypeBytes[dtype]
}

const scratch = new DataView(new ArrayBuffer(8))

function readBfloat16(view: DataView, at: number): number {
  scratch.setUint32(0, view.getUint16(at, true) << 16)
  return scratch.getFloat32(0)
}

let halves: Float64Array | undefined

/** All 65,536 values: looking one up is forty times faster than decoding it. */
function float16Values(): Float64Array {
  if (halves) return halves
  halves = new Float64Array(1 << 16)
  for (let bits = 0; bits < halves.length; bits += 1) {
    scratch.setUint16(0, bits)
    halves[bits] = getFloat16(scratch, 0)
  }
  return halves
}

/**
 * The bits of a 16-bit float nearest to a double, ties to even. Rounds once, in units of the last place: going through
 * float32 would round twice. A mantissa that rounds up to the next power of two carries into the exponent by itself, up
 * to infinity.
 */
function shortFloatBits(value: number, {mantissaBits, minExponent}: FloatFormat): number {
  const infinity = (2 - 2 * minExponent + 1) << mantissaBits
  if (Number.isNaN(value)) return infinity | (1 << (mantissaBits - 1))
  scratch.setFloat64(0, value)
  const high = scratch.getUint32(0)
  const sign = (high >>> 31) << 15
  const exponent = Math.max(minExponent, ((high >>> 20) & 0x7ff) - 1023)
  if (exponent > 1 - minExponent) return sign | infinity
  const units = Math.abs(value) / 2 ** (exponent - mantissaBits)
  // Doubles at 2^52 are one apart, so this addition rounds to an integer, ties to even.
  const rounded = units + 2 ** 52 - 2 ** 52
  return sign | Math.min(infinity, ((exponent - minExponent) << mantissaBits) + rounded)
}
