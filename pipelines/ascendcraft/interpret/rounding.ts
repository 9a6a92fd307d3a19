import {roundTo} from '../../../datasets/dtype.ts'
import type {ElementType} from '../language/dtypes.ts'

type Round = (value: number) => number

const single = new Float64Array(1)

function short(type: 'float16' | 'bfloat16'): Round {
  return (value) => {
    single[0] = value
    return roundTo(single, type)[0] as number
  }
}

/** What an element of a type becomes of a number; integers wrap as the device's do. */
export const roundings: Readonly<Record<ElementType, Round>> = {
  float32: Math.fround,
  float16: short('float16'),
  bfloat16: short('bfloat16'),
  // Values are doubles: what they hold exactly is carried exactly.
  int64: (value) => value,
  int32: (value) => value | 0,
  int16: (value) => (value << 16) >> 16,
  int8: (value) => (value << 24) >> 24,
  uint8: (value) => value & 255,
  bool: (value) => (value === 0 ? 0 : 1),
}

/** To nearest, ties to even. */
function rint(value: number): number {
  const floor = Math.floor(value)
  const rest = value - floor
  if (rest !== 0.5) return Math.round(value)
  return floor % 2 === 0 ? floor : floor + 1
}

/** Rounding modes of `tl.cast` to whole numbers. `none` and no mode at all are to nearest. */
export const castRoundings: Readonly<Record<string, Round>> = {
  none: rint,
  rint,
  floor: Math.floor,
  ceil: Math.ceil,
  trunc: Math.trunc,
}

const ranges: Partial<Record<ElementType, readonly [number, number]>> = {
  int32: [-(2 ** 31), 2 ** 31 - 1],
  int16: [-32_768, 32_767],
  int8: [-128, 127],
  uint8: [0, 255],
}

/** Whole numbers beyond the type's range become its ends, as a conversion on the device does. */
export function saturate(value: number, type: ElementType): number {
  const range = ranges[type]
  if (!range) return value
  if (Number.isNaN(value)) return 0
  return Math.min(range[1], Math.max(range[0], value))
}
