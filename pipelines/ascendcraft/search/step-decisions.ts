import type {Arithmetic, Decision} from '../../../datasets/schema/decision.ts'
import type {ModelledCost} from '../../../datasets/schema/optimisation.ts'
import type {FoundProgram, Knob} from '../../../datasets/schema/searched-operator.ts'
import {bytes, micros} from '../../telling/figures.ts'
import {divisions} from '../factory/design-decisions.ts'
import {programOf} from '../factory/tile-program.ts'
import {vectorCores} from '../language/dtypes.ts'

/** Before a step and after it. */
type Sides = readonly [before: FoundProgram, after: FoundProgram]

/**
 * Why the program after a step is faster: what it does otherwise, from the plans of both, then what that spares the
 * slowest core, from what their runs counted.
 */
export function stepDecisions(knob: Knob, before: FoundProgram, after: FoundProgram): Decision[] {
  const sides: Sides = [before, after]
  return [changeOf[knob](sides), ...(knob === 'depth' && after.design.depth === 2 ? [] : spared(sides))]
}

/** The same between any two programs of one operator. */
export const gainsOf = (before: FoundProgram, after: FoundProgram): Decision[] => [
  ...spared([before, after]),
  ...sharedBandwidth(before, after),
]

const changeOf: Readonly<Record<Knob, (sides: Sides) => Decision>> = {
  tile: (sides) => {
    const [before, after] = sides
    if (after.tile > before.tile) return roomFor('tile', 'searched-longer', sides)
    return after.cost.cores > before.cost.cores ? coresOf('tile', 'searched-narrower', sides) : sooner(sides)
  },
  depth: (sides) => (sides[1].design.depth === 2 ? overlapped(sides) : roomFor('depth', 'searched-single', sides)),
  cores: (sides) => coresOf('cores', 'searched-more', sides),
  division: (sides) => {
    const [before, after] = sides
    const {design, tile} = after
    const situation = `searched-${divisions[design.strategy]}`
    const [old, now] = [before.cost.readBytes, after.cost.readBytes]
    const values = {tile, read: bytes(old), needed: bytes(now), again: isLess(old, now) ? 'yes' : 'no'}
    return {topic: 'division', situation, subject: 'n_cores', values, because: []}
  },
}

const arithmetic = (name: string, expression: string, parts: readonly number[], result: number): Arithmetic => {
  const names = expression.match(/[a-z]+(?!\w*\()/g) ?? []
  const values = names.map((one, at): [string, number] => [one, parts[at]!])
  const worked = values.reduce((text, [one, value]) => text.replace(one, () => String(value)), expression)
  return {kind: 'arithmetic', name, expression, values, worked: worked.replaceAll('*', '×'), result}
}

const short = (value: number) => Number(value.toPrecision(3))

/** Where the chip keeps the tile: a longer one fits, and what it takes at most. */
function roomFor(topic: 'tile' | 'depth', situation: string, [before, after]: Sides): Decision {
  const {fixed, perElement, room, taken} = programOf(after.design).plan
  const fits =
    fixed === 0
      ? arithmetic('taken', 'bytes * tile', [perElement, after.tile], taken)
      : arithmetic('taken', 'fixed + bytes * tile', [fixed, perElement, after.tile], taken)
  const values = {before: before.tile, after: after.tile, room}
  return {topic, situation, subject: 'tile', values, because: [fits]}
}

/** A change below this share is none. */
const leastChange = 0.02
const isLess = (before: number, after: number) => after < before * (1 - leastChange)

/** What of the slowest core's work is less: its bytes, or else its copies and its vector instructions. */
function spared([{cost: before}, {cost: after}]: Sides): Decision[] {
  const [old, now] = [before.slowest, after.slowest]
  if (!old || !now) return []
  const [moved, left] = [old, now].map((one) => one.readBytes + one.writtenBytes) as [number, number]
  if (isLess(moved, left)) return [lessWork([moved, left])]
  if (isLess(left, moved))
    return isLess(old.copies, now.copies) ? [largerShare([old.copies, now.copies], [moved, left])] : []
  const copyTime = ({pipes: {MTE2, MTE3}}: ModelledCost) => MTE2 + MTE3
  return [
    ...fewerStarts('copies', [old.copies, now.copies], [copyTime(before), copyTime(after)]),
    ...(isLess(old.vectorRepeats, now.vectorRepeats) || isLess(now.vectorRepeats, old.vectorRepeats)
      ? []
      : fewerStarts('instructions', [old.vectorInstructions, now.vectorInstructions], [before.pipes.V, after.pipes.V])),
  ]
}

type Two = readonly [before: number, after: number]

/** The slowest core has a smaller share. */
function lessWork([before, after]: Two): Decision {
  const ratio = arithmetic('ratio', 'before / after', [before, after], short(before / after))
  const values = {before: bytes(before), after: bytes(after)}
  return {topic: 'division', situation: 'searched-fewer-bytes', subject: 'n_cores', values, because: [ratio]}
}

/** Fewer starts are worth more than the bytes by which longer tiles make the largest share larger. */
function largerShare([before, after]: Two, shares: Two): Decision {
  const [share, larger] = shares.map(bytes) as [string, string]
  const values = {before, after, share, larger}
  return {topic: 'tile', situation: 'searched-larger-share', subject: 'tile', values, because: []}
}

/** Each copy and each instruction has a price of its own, however short it is. */
function fewerStarts(what: string, [before, after]: Two, times: Two): Decision[] {
  if (!isLess(before, after) || !isLess(...times)) return []
  const [slow, fast] = times.map(short) as [number, number]
  const price = (slow - fast) / (before - after)
  const each = arithmetic('each', '(slow - fast) / (before - after)', [slow, fast, before, after], short(price))
  const values = {before, after, slow: micros(slow), fast: micros(fast), saved: before - after}
  return [{topic: 'tile', situation: `searched-fewer-${what}`, subject: 'tile', values, because: [each]}]
}

/** With more tiles a core waits less for its first one, and for its last one to be copied out. */
function sooner(sides: Sides): Decision {
  const [before, after] = sides
  const [tiles, others] = sides.map(({cost}) => loadsOf(cost)) as [number, number]
  const values = {before: before.tile, after: after.tile, tiles, others}
  const because = sides.map(({cost}) => alone(cost))
  return {topic: 'tile', situation: 'searched-shorter', subject: 'tile', values, because}
}

const loadsOf = ({slowest, work}: ModelledCost) => slowest?.tiles ?? work.tiles

/** What one tile takes of all pipes, one after the other. */
function alone(cost: ModelledCost): Arithmetic {
  const {MTE2, V, S, MTE3} = cost.pipes
  const parts = [MTE2, V + S, MTE3].map(short)
  const sum = parts.reduce((total, one) => total + one, 0)
  const loads = loadsOf(cost)
  return arithmetic('alone', '(in + computing + out) / loads', [...parts, loads], short(sum / loads))
}

/**
 * What the model makes of second blocks: a tile that finds the pipes empty, the first one and each after a wait of the
 * scalar unit, passes all of them; each other one takes as long as the slower of copying and computing, where copies in
 * and out share the bandwidth of GM. Not told where a single block remains.
 */
function overlapped([before, after]: Sides): Decision {
  const {pipes, slowest, overlap} = after.cost
  const {MTE2, V, S, MTE3} = pipes
  const parts = [MTE2, V + S, MTE3].map(short)
  const [into, computing, out] = parts as [number, number, number]
  const sides = {
    ...{in: micros(into), computing: micros(computing), out: micros(out)},
    ...{before: before.tile, after: after.tile, shorter: after.tile < before.tile ? 'yes' : 'no'},
  }
  const decision = {topic: 'depth' as const, subject: 'depth'}
  if (!slowest || overlap !== 'full')
    return {...decision, situation: 'searched-double-in-part', values: sides, because: []}
  const copying = short(slowest.copying)
  const steady = Math.max(copying, computing)
  const {tiles} = slowest
  const fills = Math.min(tiles, slowest.drains + 1)
  const sum = short(into + computing + out)
  const time = short((fills * sum + (tiles - fills) * steady) / tiles)
  const because = [
    arithmetic('sum', 'in + computing + out', parts, sum),
    arithmetic('time', '(fills * sum + rest * steady) / loads', [fills, sum, tiles - fills, steady, tiles], time),
  ]
  const limit = () => {
    if (computing >= copying) return 'computing'
    return isLess(copying, Math.max(MTE2, MTE3)) ? 'bandwidth' : 'copying'
  }
  const values = {...sides, tiles, fills, steady: micros(steady), limit: limit()}
  return {...decision, situation: 'searched-double', values, because}
}

function coresOf(topic: 'tile' | 'cores', situation: string, [before, after]: Sides): Decision {
  const values = {
    ...{cores: before.cost.cores, more: after.cost.cores, chip: vectorCores},
    ...{before: before.tile, after: after.tile},
  }
  return {topic, situation, subject: 'n_cores', values, because: []}
}

/** Copies that gain less than this part of what their bytes would give. */
const leastShared = 0.9

/**
 * Where copies gain less than their share shrinks: there are as many of them as before, each with a start of its own,
 * or more cores share the bandwidth of GM.
 */
export function sharedBandwidth({cost: before}: FoundProgram, {cost: after}: FoundProgram): Decision[] {
  if (!before.slowest || !after.slowest || after.cores <= before.cores) return []
  const parts = [before.pipes.MTE2, after.pipes.MTE2].map(short) as [number, number]
  const share = before.slowest.readBytes / after.slowest.readBytes
  if (parts[0] / parts[1] > leastShared * share) return []
  const gained = arithmetic('gained', 'before / after', parts, short(parts[0] / parts[1]))
  const [old, now] = [before.slowest.copies, after.slowest.copies]
  const situation = old / now < leastShared * share ? 'searched-starts' : 'searched-shared'
  const values = {
    ...{cores: before.cores, more: after.cores, share: short(share), gained: gained.result},
    ...{before: old, after: now},
  }
  return [{topic: 'cores', situation, subject: 'n_cores', values, because: [gained]}]
}
