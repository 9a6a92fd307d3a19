import type {ModelledCost} from '../../../datasets/schema/optimisation.ts'
import type {Message} from '../../telling/tell-message.ts'
import {bytes, micros} from '../../telling/figures.ts'

/** What a step removed from an operator, described for the operator that lacks it. */
export interface Cause {
  /** What of the profile it shows in. */
  about: 'overlap' | 'pipe' | 'cores'
  /** What the catalogue calls it, by the faster version; default: the step's own name. */
  situation?(after: ModelledCost): string
  /** Numbers of the slower and the faster version. */
  values(before: ModelledCost, after: ModelledCost): Message['values']
  /** A bound on the speed of the fix, from the same run's modelled times; undefined if they do not give one. */
  atLeast(cost: ModelledCost): number | undefined
}

/** Vector cores of the chip that the model is of. */
export const chip = 48

const perCopy = (all: number, copies: number) => bytes(Math.round(all / Math.max(copies, 1)))

/** With tiles that overlap, the busiest pipe decides. */
const busiest = ({pipes}: ModelledCost) => Math.max(pipes.MTE2, pipes.V + pipes.S, pipes.MTE3)

/** What a tile takes of each pipe on the block with most. */
function perTile({pipes, work}: ModelledCost): Message['values'] {
  const [computing, into] = [pipes.V + pipes.S, pipes.MTE2].map((time) => time / work.tiles) as [number, number]
  return {
    in: micros(into),
    computing: micros(computing),
    out: micros(pipes.MTE3 / work.tiles),
    longer: micros(Math.max(into, computing)),
  }
}

/** Of the side on which there are fewer copies then: counts of all cores, times of the slowest one. */
function copies(before: ModelledCost, after: ModelledCost): Message['values'] {
  const isIn = before.work.copiesIn > after.work.copiesIn
  const [unit, count, all] = isIn
    ? (['MTE2', 'copiesIn', 'readBytes'] as const)
    : (['MTE3', 'copiesOut', 'writtenBytes'] as const)
  return {
    unit,
    cores: before.cores,
    copies: before.work[count],
    size: perCopy(before[all], before.work[count]),
    time: micros(before.pipes[unit]),
    fewer: after.work[count],
    larger: perCopy(after[all], after.work[count]),
    after: micros(after.pipes[unit]),
  }
}

const fewCores: Cause = {
  about: 'cores',
  situation: ({cores}) => (cores < chip ? 'fixed-cores' : 'few-cores'),
  values: (before, after) => ({
    cores: before.cores,
    chip,
    share: bytes(Math.round(before.readBytes / before.cores)),
    more: after.cores,
    smaller: bytes(Math.round(after.readBytes / after.cores)),
  }),
  atLeast: ({microseconds, cores}) => (cores < chip ? (microseconds * cores) / chip : undefined),
}

/** Waits that only the slower version has, and how many a tile, where all tiles have as many; else 0. */
function waits({work, cores}: ModelledCost, after: ModelledCost): Message['values'] {
  const drains = work.drains - after.work.drains
  const each = drains / cores / work.tiles
  return {drains, each: Number.isInteger(each) ? each : 0}
}

export const causes: Readonly<Record<string, Cause>> = {
  'single-buffer-in': {about: 'overlap', values: perTile, atLeast: busiest},
  'single-buffer-out': {about: 'overlap', values: perTile, atLeast: busiest},
  'barrier-in-loop': {about: 'overlap', values: waits, atLeast: busiest},
  'split-copies': {about: 'pipe', values: copies, atLeast: () => undefined},
  'copies-row-by-row': {about: 'pipe', values: copies, atLeast: () => undefined},
  'copied-in-twice': {
    about: 'pipe',
    values: (before, after) => ({read: bytes(before.readBytes), needed: bytes(after.readBytes)}),
    atLeast: ({pipes}) => Math.max(pipes.MTE2 / 2, pipes.V + pipes.S, pipes.MTE3),
  },
  'smaller-tiles': {
    about: 'pipe',
    values: (before, after) => ({
      copied: before.work.copiesIn > after.work.copiesIn ? 'yes' : 'no',
      ...copies(before, after),
      tiles: before.work.tiles,
      largerTiles: after.work.tiles,
      instructions: before.work.vectorInstructions,
      fewerInstructions: after.work.vectorInstructions,
    }),
    atLeast: () => undefined,
  },
  'fewer-cores': fewCores,
  'one-core': fewCores,
  'scalar-loop': {
    about: 'pipe',
    values: ({cores, work, pipes}) => ({cores, accesses: work.scalarAccesses, scalar: micros(pipes.S)}),
    atLeast: ({pipes}) => Math.max(pipes.MTE2, pipes.V, pipes.MTE3),
  },
}
