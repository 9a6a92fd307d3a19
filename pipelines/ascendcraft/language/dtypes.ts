/** Element types of the language, named as PyTorch names them, with the bytes of an element. */
export const elementBytes = {
  float32: 4,
  float16: 2,
  bfloat16: 2,
  int64: 8,
  int32: 4,
  int16: 2,
  int8: 1,
  uint8: 1,
  /** Of tensors in GM only: a kernel loads them into `uint8`, 0 or 1. */
  bool: 1,
} as const

export type ElementType = keyof typeof elementBytes

/** UB moves in blocks of so many bytes, and a vector operand starts at a multiple of them. */
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
