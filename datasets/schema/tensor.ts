import {z} from 'zod'
import {dtypeNames, elementTypes} from '../../cpp/types.ts'

/** Element types by their torch names; `bool` is one byte. */
export const Dtype = z.enum(dtypeNames)
export type Dtype = z.infer<typeof Dtype>

/** Bytes of one element. */
export const dtypeBytes = Object.fromEntries(dtypeNames.map((name) => [name, elementTypes[name].bytes])) as Readonly<
  Record<Dtype, number>
>

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
