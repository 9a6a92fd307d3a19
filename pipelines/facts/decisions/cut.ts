import type {Step} from '../../../datasets/schema/executor.ts'
import type {HostKernelPair, Scenario} from '../../../datasets/schema/scenario.ts'
import {dtypeBytes, type TensorSpec} from '../../../datasets/schema/tensor.ts'
import {onlyType} from './copied-pieces.ts'
import type {TileLength} from './tile-length.ts'
import {inColumns, inElements, shareOf, type Share} from './written-share.ts'

/** What tiles are cut from. */
export interface Cut {
  share: Share | undefined
  /** Sizes of the shares, the largest first, where tiles are cut from these; none otherwise. */
  cut: number[]
  /** The length of a row where every row is cut by itself, and of all columns where those are. */
  row?: number
}

/** Shares and rows that tiles are cut from, by the lengths that the call's instructions copy. */
export function cutOf(pair: HostKernelPair, tile: TileLength | undefined, steps: readonly Step[][] | undefined): Cut {
  const share = shareOf(pair)
  const none = {share, cut: []}
  if (!tile || tile.isRow) return none
  const row = rowOf(pair.scenario.inputs)
  if (isStrip(tile)) return {share: share && inColumns(share), cut: [], ...(row > 1 && {row})}
  if (share?.isWhole && share.isRows === tile.isRows) return {share, cut: share.sizes.map(({size}) => size)}
  if (tile.isRows || !steps) return none
  const copied = lengthsOf(pair.scenario, steps)
  const isCut = (length: number) => lengthsIn(length, tile.value).every((one) => copied.has(one))
  if (row > 1 && isCut(row)) return {share, cut: [], row}
  const elements = share?.isRows && share.isWhole ? inElements(share) : undefined
  const sizes = elements?.sizes.map(({size}) => size) ?? []
  return elements && sizes.every(isCut) ? {share: elements, cut: sizes} : none
}

/** A strip of columns goes through all rows: a tile is one row of it. */
export const isStrip = ({field}: TileLength) => field === 'width'

const rowOf = (inputs: readonly TensorSpec[]) =>
  Math.max(0, ...inputs.map(({shape}) => (shape.length > 1 ? (shape.at(-1) ?? 0) : 0)))

const lengthsIn = (length: number, tile: number) => [length >= tile ? tile : 0, length % tile].filter((one) => one > 0)

/** Elements of one run of bytes, of every copy whose type is known. */
function lengthsOf({inputs, outputs}: Scenario, steps: readonly Step[][]): ReadonlySet<number> {
  const [read, written] = [onlyType(inputs), onlyType(outputs)]
  const lengths = steps
    .flat()
    .flatMap(({readBytes, burstsIn, writtenBytes, burstsOut}) => [
      ...(read && burstsIn > 0 ? [readBytes / burstsIn / dtypeBytes[read]] : []),
      ...(written && burstsOut > 0 ? [writtenBytes / burstsOut / dtypeBytes[written]] : []),
    ])
  return new Set(lengths)
}
