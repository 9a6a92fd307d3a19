import type {HostKernelPair} from '../../../datasets/schema/scenario.ts'
import {dtypeBytes, elementCount, type TensorSpec} from '../../../datasets/schema/tensor.ts'

/** What the cores write of the output, where each byte of it is written once. */
export interface Share {
  /** Whether a core reads as much as it writes: then its share is also what its tiles are cut from. */
  isWhole: boolean
  output: TensorSpec
  /** Elements, or whole rows where all shares are that. */
  isRows: boolean
  row: number
  /** Of a core that has most, and of those that have less but some; in order. */
  sizes: {size: number; cores: number}[]
  total: number
}

/** Undefined where the run does not tell the shares. */
export function shareOf({scenario: {inputs, outputs, trace}}: HostKernelPair): Share | undefined {
  const [output, ...others] = outputs
  const written = trace.blocks.map(({writtenBytes}) => writtenBytes).filter((bytes) => bytes > 0)
  if (!output || others.length > 0 || written.length === 0) return undefined
  const size = dtypeBytes[output.dtype]
  const count = elementCount(output.shape)
  if (written.reduce((sum, bytes) => sum + bytes, 0) !== count * size) return undefined
  const row = (output.shape.length > 1 ? output.shape.at(-1) : undefined) ?? 1
  const isRows = row > 1 && written.every((bytes) => bytes % (row * size) === 0)
  const unit = isRows ? row * size : size
  const sizes = [...new Set(written)]
    .sort((a, b) => b - a)
    .map((bytes) => ({size: bytes / unit, cores: written.filter((one) => one === bytes).length}))
  const largest = Math.max(0, ...inputs.map(({shape}) => elementCount(shape)))
  return {isWhole: isRows || count >= largest, output, isRows, row, sizes, total: (count * size) / unit}
}
