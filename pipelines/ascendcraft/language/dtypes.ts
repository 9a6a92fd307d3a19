import {elementTypes} from '../../../cpp/types.ts'

/** Types of buffers, named as PyTorch names them. */
const ofBuffers = ['float32', 'float16', 'bfloat16', 'int64', 'int32', 'int16', 'int8', 'uint8'] as const

/** `bool` is of tensors in GM only: a kernel loads them into `uint8`, 0 or 1. */
const ofLanguage = [...ofBuffers, 'bool'] as const

export type ElementType = (typeof ofLanguage)[number]

/** Bytes of an element. */
export const elementBytes = Object.fromEntries(ofLanguage.map((name) => [name, elementTypes[name].bytes])) as Readonly<
  Record<ElementType, number>
>

/** UB is copied in blocks of this many bytes, and a vector operand starts at a multiple of them. */
export const blockBytes = 32
/** UB of a vector core of Atlas A2 (910B), and what its runtime keeps of it. */
export const ubBytes = 196_608
export const ubReserved = 256
/** Vector cores of the chip that the benchmark names (910B2). */
export const vectorCores = 48

export function isFloat(type: ElementType): boolean {
  return type === 'float32' || type === 'float16' || type === 'bfloat16'
}

/** The smallest multiple of `unit` that is not below `value`. */
export function roundUp(value: number, unit: number): number {
  return Math.ceil(value / unit) * unit
}

export function isElementType(name: string): name is ElementType {
  return name in elementBytes
}
