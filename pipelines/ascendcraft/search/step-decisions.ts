import type {Arithmetic, Decision} from '../../../datasets/schema/decision.ts'
import type {ModelledCost} from '../../../datasets/schema/optimisation.ts'
import type {FoundProgram, Knob} from '../../../datasets/schema/searched-operator.ts'
import {bytes, micros} from '../../telling/figures.ts'
import {divisions} from '../factory/design-decisions.ts'
import {programOf} from '../factory/tile-program.ts'
import {vectorCores} from '../language/dtypes.ts'

/** Before a step and after it. */
type Sides = readonly [before: FoundProgram, after: FoundProgram]

/** Why the program after a step is faster: from the plans of both, and from what their runs counted. */
export function stepDecisions(knob: Knob, before: FoundProgram, after: FoundProgram): Decision[] {
  return [decisionsOf[knob]([before, after])]
}

const decisionsOf: Readonly<Record<Knob, (sides: Sides) => Decision>> = {
  tile: (sides) => {
    const [before, after] = sides
    if (after.tile > before.tile) return fewerCopies('tile', 'searched-longer', sides)
    return after.cost.cores > before.cost.cores ? moreCores('tile', 'searched-narrower', sides) : sooner(sides)
  },
  depth: (sides) => (sides[1].design.depth === 2 ? overlapped(sides) : fewerCopies('depth', 'searched-single', sides)),
  cores: (sides) => moreCores('cores', 'searched-more', sides),
  division: (sides) => {
    const [, {design, tile}] = sides
    const situation = `searched-${divisions[design.strategy]}`
    const values = {...copiesOf(sides), tile, ...tilesOf(sides)}
    return {topic: 'division', situation, subject: 'n_cores', values, because: sides.map(burst)}
  },
}

const arithmetic = (name: string, expression: string, parts: readonly number[], result: number): Arithmetic => {
  const names = expression.match(/[a-z]+(?!\w*\()/g) ?? []
  const values = names.map((one, at): [string, number] => [one, parts[at]!])
  const worked = values.reduce((text, [one, value]) => text.replace(one, () => String(value)), expression)
  return {kind: 'arithmetic', name, expression, values, worked: worked.replaceAll('*', '×'), result}
}

function floored(name: string, expression: string, dividend: number, divisor: number): Arithmetic {
  const one = arithmetic(name, expression, [dividend, divisor], Math.floor(dividend / divisor))
  return {...one, worked: `⌊${one.worked}⌋`}
}

const short = (value: number) => Number(value.toPrecision(3))

/** What one copy from GM moves on average. */
const burst = ({cost: {readBytes, work}}: FoundProgram): Arithmetic =>
  floored('burst', 'read / copies', readBytes, work.copiesIn)

const allCopies = ({work}: ModelledCost) => work.copiesIn + work.copiesOut

function copiesOf([before, after]: Sides) {
  return {
    read: bytes(before.cost.readBytes),
    needed: bytes(after.cost.readBytes),
    copies: allCopies(before.cost),
    fewer: allCopies(after.cost),
    instructions: before.cost.work.vectorInstructions,
    fewerInstructions: after.cost.work.vectorInstructions,
    cores: before.cost.cores,
    more: after.cost.cores,
  }
}

const tilesOf = ([before, after]: Sides) => ({
  tiles: before.cost.work.tiles,
  others: after.cost.work.tiles,
})

/** Each copy and each instruction has a price of its own, however short it is. */
function fewerCopies(topic: 'tile' | 'depth', situation: string, sides: Sides): Decision {
  const [before, after] = sides
  const {fixed, perElement, room, taken} = programOf(after.design).plan
  const fits = arithmetic('taken', 'fixed + bytes * tile', [fixed, perElement, after.tile], taken)
  const values = {before: before.tile, after: after.tile, ...copiesOf(sides), taken, room}
  return {topic, situation, subject: 'tile', values, because: [burst(before), burst(after), fits]}
}

/** With more tiles a core waits less for its first one, and for its last one to be copied out. */
function sooner(sides: Sides): Decision {
  const [before, after] = sides
  const values = {before: before.tile, after: after.tile, ...tilesOf(sides)}
  const because = sides.map(({cost}) => alone(cost))
  return {topic: 'tile', situation: 'searched-shorter', subject: 'tile', values, because}
}

/** What one tile takes of all pipes, one after the other. */
function alone({pipes: {MTE2, V, S, MTE3}, work: {tiles}}: ModelledCost): Arithmetic {
  const parts = [MTE2, V + S, MTE3].map(short)
  const sum = parts.reduce((total, one) => total + one, 0)
  return arithmetic('alone', '(in + computing + out) / tiles', [...parts, tiles], short(sum / tiles))
}

function overlapped(sides: Sides): Decision {
  const [before, after] = sides
  const {MTE2, V, S, MTE3} = after.cost.pipes
  const parts = [MTE2, V + S, MTE3].map(short)
  const [into, computing, out] = parts as [number, number, number]
  const sum = arithmetic('turns', 'in + computing + out', parts, short(into + computing + out))
  const most = arithmetic('together', 'max(in, computing, out)', parts, Math.max(...parts))
  const values = {
    ...{in: micros(into), computing: micros(computing), out: micros(out), ...tilesOf(sides)},
    ...{before: before.tile, after: after.tile, shorter: after.tile < before.tile ? 'yes' : 'no'},
  }
  return {topic: 'depth', situation: 'searched-double', subject: 'depth', values, because: [sum, most]}
}

/** Copies that gain less than what is computed: all cores share the bandwidth of GM. */
const leastShared = 0.9

function moreCores(topic: 'tile' | 'cores', situation: string, sides: Sides): Decision {
  const [before, after] = sides
  const ratio = (pipe: 'MTE2' | 'V') => before.cost.pipes[pipe] / after.cost.pipes[pipe]
  const isLimited = after.cost.pipes.V > 0 && ratio('MTE2') < leastShared * ratio('V')
  const shares = sides.map(({cost: {readBytes, cores}}) => floored('share', 'read / cores', readBytes, cores))
  const values = {
    ...{cores: before.cost.cores, more: after.cost.cores, chip: vectorCores, limited: isLimited ? 'yes' : 'no'},
    ...{before: before.tile, after: after.tile},
  }
  return {topic, situation, subject: 'n_cores', values, because: shares}
}
