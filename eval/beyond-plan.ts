import type {RunTrace} from '../datasets/schema/executor.ts'
import type {TaskCase} from '../datasets/schema/task.ts'
import type {RunEvidence} from './integrity.ts'
import {atlasA2} from './cost.ts'
import {elementsOf} from './large-row.ts'

/**
 * Inputs and outputs of the one case beyond a host's plan, in bytes: below it, a program that is right up to some size
 * and wrong from there on is noticed; above it, nothing is said. Twice what UB of all cores holds is 18 MiB, for one
 * tile each of everything. 25 such runs of the bundled operators took 7.5 s.
 */
export const mostBeyond = 2 ** 24

/** Tiles that each core gets beyond those that the busiest block had: a loop may stop at a fixed number of them. */
const more = 2

/**
 * Bytes with which every core of the chip has more tiles than the runs so far gave the busiest of their blocks: a host
 * that counts its blocks or its tiles too low leaves the rest undone. A tile is what a block moved at once, or what the
 * queues have room for where that is more.
 */
export function bytesBeyond(runs: readonly RunEvidence[], cores = atlasA2.cores): number {
  return Math.max(
    0,
    ...runs.flatMap(({trace}) =>
      (trace?.blocks ?? []).map(({readBytes, writtenBytes, work}) => {
        const tiles = Math.max(1, work?.tiles ?? 1)
        return cores * Math.max((readBytes + writtenBytes) / tiles, roomOf(trace)) * (tiles + more)
      }),
    ),
  )
}

/** Bytes of one tile of each queue; memory that is no queue holds no tile. */
function roomOf(trace: RunTrace | undefined): number {
  return (trace?.buffers ?? []).reduce((sum, {kind, bytes}) => sum + (kind === 'queue' ? bytes : 0), 0)
}

/** The judged row that moves most, and how many bytes a row of the table moves that was too large to be judged. */
export function largestJudged(
  runs: readonly {row: TaskCase; evidence: readonly RunEvidence[]}[],
  table: readonly TaskCase[],
): {row: TaskCase; bytes: number; tableBytes: number} | undefined {
  const sized = runs.map(({row, evidence}) => ({row, bytes: Math.max(0, ...evidence.map(movedBytes))}))
  const [largest] = sized.sort((a, b) => b.bytes - a.bytes)
  if (!largest) return undefined
  const most = Math.max(...table.map(elementsOf))
  return {...largest, tableBytes: largest.bytes * (most / elementsOf(largest.row))}
}

function movedBytes({inputs, outputs}: RunEvidence): number {
  return [...inputs, ...outputs].reduce((sum, {length}) => sum + length, 0)
}
