import {z} from 'zod'

/** Element types by their torch names; `bool` is one byte. */
export const Dtype = z.enum([
  'float16',
  'bfloat16',
  'float32',
  'float64',
  'int8',
  'uint8',
  'int16',
  'uint16',
  'int32',
  'uint32',
  'int64',
  'uint64',
  'bool',
  'complex64',
])
export type Dtype = z.infer<typeof Dtype>

export const dtypeBytes: Record<Dtype, number> = {
  float16: 2,
  bfloat16: 2,
  float32: 4,
  float64: 8,
  int8: 1,
  uint8: 1,
  int16: 2,
  uint16: 2,
  int32: 4,
  uint32: 4,
  int64: 8,
  uint64: 8,
  bool: 1,
  complex64: 8,
}

/** Shape and type of a tensor, without its data. An empty shape is a scalar: one element. */
export const TensorSpec = z.strictObject({
  name: z.string().min(1),
  dtype: Dtype,
  shape: z.array(z.int().nonnegative()),
})
export type TensorSpec = z.infer<typeof TensorSpec>

/**
 * A tensor in memory: `data` holds the elements densely in row-major order, little endian. Never reaches disk as a
 * record.
 */
export interface Tensor extends TensorSpec {
  data: Uint8Array
}

export function elementCount(shape: readonly number[]): number {
  return shape.reduce((product, size) => product * size, 1)
}
