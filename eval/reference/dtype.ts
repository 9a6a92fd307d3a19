import {getFloat16, setFloat16} from '@petamoriken/float16'
import {dtypeBytes, type Dtype} from '../../datasets/schema/tensor.ts'

interface Codec {
  read(view: DataView, offset: number): number
  /** Rounds to nearest, ties to even. */
  write(view: DataView, offset: number, value: number): void
}

const integerRanges: Partial<Record<Dtype, readonly [number, number]>> = {
  int8: [-128, 127], uint8: [0, 255], int16: [-32768, 32767], uint16: [0, 65535], int32: [-(2 ** 31), 2 ** 31 - 1], uint32: [0, 2 ** 32 - 1],
  // Values are doubles, so the far ends of 64-bit integers cannot be told apart; what a double holds exactly is carried exactly.
  int64: [-(2 ** 53), 2 ** 53], uint64: [0, 2 ** 53], bool: [0, 1],
}

const codecs: Record<Dtype, Codec> = {
  float16: {read: (view, at) => getFloat16(view, at, true), write: (view, at, value) => setFloat16(view, at, value, true)},
  bfloat16: {read: readBfloat16, write: (view, at, value) => view.setUint16(at, bfloat16Bits(value), true)},
  float32: {read: (view, at) => view.getFloat32(at, true), write: (view, at, value) => view.setFloat32(at, value, true)},
  float64: {read: (view, at) => view.getFloat64(at, true), write: (view, at, value) => view.setFloat64(at, value, true)},
  int8: {read: (view, at) => view.getInt8(at), write: (view, at, value) => view.setInt8(at, value)},
  uint8: {read: (view, at) => view.getUint8(at), write: (view, at, value) => view.setUint8(at, value)},
  int16: {read: (view, at) => view.getInt16(at, true), write: (view, at, value) => view.setInt16(at, value, true)},
  uint16: {read: (view, at) => view.getUint16(at, true), write: (view, at, value) => view.setUint16(at, value, true)},
  int32: {read: (view, at) => view.getInt32(at, true), write: (view, at, value) => view.setInt32(at, value, true)},
  uint32: {read: (view, at) => view.getUint32(at, true), write: (view, at, value) => view.setUint32(at, value, true)},
  int64: {read: (view, at) => Number(view.getBigInt64(at, true)), write: (view, at, value) => view.setBigInt64(at, BigInt(value), true)},
  uint64: {read: (view, at) => Number(view.getBigUint64(at, true)), write: (view, at, value) => view.setBigUint64(at, BigInt(value), true)},
  bool: {read: (view, at) => view.getUint8(at), write: (view, at, value) => view.setUint8(at, value)},
  // Two float32 an element, real part first; the callers' arrays are interleaved likewise.
  complex64: {read: (view, at) => view.getFloat32(at, true), write: (view, at, value) => view.setFloat32(at, value, true)},
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
 * @throws RangeError for an integer dtype when a value is no integer or out of range: wrapping would hide a faulty reference
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
  const exponent = value === 0 ? format.minExponent : Math.max(format.minExponent, Math.floor(Math.log2(Math.abs(value))))
  return 2 ** (exponent - format.mantissaBits)
}

const floatFormats: Partial<Record<Dtype, {mantissaBits: number; minExponent: number}>> = {
  float16: {mantissaBits: 10, minExponent: -14}, bfloat16: {mantissaBits: 7, minExponent: -126}, float32: {mantissaBits: 23, minExponent: -126},
  float64: {mantissaBits: 52, minExponent: -1022}, complex64: {mantissaBits: 23, minExponent: -126},
}

function stepBytes(dtype: Dtype): number {
  return dtype === 'complex64' ? 4 : dtypeBytes[dtype]
}

const scratch = new DataView(new ArrayBuffer(4))

function readBfloat16(view: DataView, at: number): number {
  scratch.setUint32(0, view.getUint16(at, true) << 16)
  return scratch.getFloat32(0)
}

/**
 * The sixteen bits nearest to a double. Going through float32 would round twice, so that step rounds to odd: what is cut off
 * stays visible in the last bit, and the second rounding decides as if it had seen the double.
 */
function bfloat16Bits(value: number): number {
  if (Number.isNaN(value)) return 0x7fc0
  const nearest = Math.fround(value)
  scratch.setFloat32(0, nearest)
  let bits = scratch.getUint32(0)
  if (nearest !== value) {
    if (Math.abs(nearest) > Math.abs(value)) bits -= 1
    bits |= 1
  }
  return (bits + 0x7fff + ((bits >>> 16) & 1)) >>> 16
}
