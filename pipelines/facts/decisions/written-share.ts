import type {HostKernelPair} from '../../../datasets/schema/scenario.ts'
import {dtypeBytes, elementCount, type TensorSpec} from '../../../datasets/schema/tensor.ts'

/** What the cores write of the output, where each byte of it is written once. */
export interface Share {
  /** Whether a core reads as much as it writes: then its share is also what its tiles are cut from. */
  isWhole: boolean
  output: TensorSpec
  /** Elements, or whole rows where all shares are that. */
  isRows: boolean
  /** What is counted; elements of an output that has one for each row of the input count those rows. */
  unit: 'elements' | 'rows' | 'columns' | 'results'
  row: number
  /** Of a core that has most, and of those that have less but some; in order. */
  sizes: {size: number; cores: number}[]
  total: number
}

/** Undefined where the run does not tell the shares. */
export function shareOf({scenario: {inputs, outputs, trace}}: HostKernelPair): Share | undefined {
  const [output, ...others] = outputs
  if (!output || others.length > 0) return undefined
  const size = dtypeBytes[output.dtype]
  const count = elementCount(output.shape)
  const written = writtenOf(trace, count * size)
  if (written.length === 0) return undefined
  const row = (output.shape.length > 1 ? output.shape.at(-1) : undefined) ?? 1
  const isRows = row > 1 && written.every((bytes) => bytes % (row * size) === 0)
  const unit = isRows ? row * size : size
  const sizes = [...new Set(written)]
    .sort((a, b) => b - a)
    .map((bytes) => ({size: bytes / unit, cores: written.filter((one) => one === bytes).length}))
  const largest = Math.max(0, ...inputs.map(({shape}) => elementCount(shape)))
  const isWhole = isRows || count >= largest
  return {
    isWhole,
    output,
    isRows,
    unit: isRows ? 'rows' : unitOf(output, inputs),
    row,
    sizes,
    total: (count * size) / unit,
  }
}

/** Rows of an input, each of which gives one element; an output with a last dimension of 1 has rows itself. */
function unitOf({shape}: TensorSpec, inputs: readonly TensorSpec[]): Share['unit'] {
  const isColumn = shape.length > 1 && shape.at(-1) === 1
  const rows = String(isColumn ? shape.slice(0, -1) : shape)
  const isReduced = inputs.some((one) => one.shape.length > 1 && String(one.shape.slice(0, -1)) === rows)
  if (!isReduced || elementCount(shape) === 1) return 'elements'
  return isColumn ? 'rows' : 'results'
}

const sum = (all: readonly number[]) => all.reduce((one, other) => one + other, 0)

/**
 * Bytes of the output that each core with work writes, without what each puts into the workspace for the others to
 * read; none where these cannot be told apart.
 */
function writtenOf({blocks, calls, workspaceBytes}: HostKernelPair['scenario']['trace'], bytes: number): number[] {
  const written = blocks.map(({writtenBytes}) => writtenBytes).filter((one) => one > 0)
  const excess = (sum(written) - bytes) / written.length
  if (excess === 0) return written
  if (!(calls['SyncAll'] && workspaceBytes > 0 && excess > 0 && Number.isInteger(excess))) return []
  const own = written.map((one) => one - excess)
  const [first = 0, last = 0] = [own[0], own.at(-1)]
  return own.slice(0, -1).every((one) => one === first) && last > 0 && last <= first ? own : []
}

/** Whole rows counted as elements. */
export const inElements = (share: Share): Share => ({
  ...{...share, isRows: false, unit: 'elements', total: share.total * share.row},
  sizes: share.sizes.map(({size, cores}) => ({size: size * share.row, cores})),
})

/** What cores write of whole columns, counted in these. */
export function inColumns(share: Share): Share {
  const all = share.isRows ? inElements(share) : share
  const rows = all.total / all.row
  if (rows === 1 || all.row === 1 || all.sizes.some(({size}) => size % rows !== 0)) return share
  const sizes = all.sizes.map(({size, cores}) => ({size: size / rows, cores}))
  return {...all, unit: 'columns', total: all.row, sizes}
}
