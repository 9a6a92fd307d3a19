import type {CraftDesign} from '../../../datasets/schema/crafted-operator.ts'
import type {Arithmetic, Decision} from '../../../datasets/schema/decision.ts'
import {tileUnit} from './frame.ts'
import {vectorCores} from '../language/dtypes.ts'
import {programOf, type Crafted} from './tile-program.ts'

/** Why the program of a design is as it is. Each follows from the design and the bytes of its buffers. */
export function designDecisions(design: CraftDesign, crafted: Crafted): Decision[] {
  return [
    typeDecision(design),
    divisionDecision(design, crafted),
    ...coresDecision(design),
    tileDecision(crafted),
    depthDecision(design, crafted),
  ]
}

const ubRule = {kind: 'rule', api: 'GetCoreMemSize', rule: 'unified-buffer'} as const

function tileDecision({plan, buffers}: Crafted): Decision {
  const {perElement: bytes, fixed, room, tile, taken, longest} = plan
  if (tile < longest) return boundedTile(plan)
  const worked = `(${room} - ${fixed}) / ${bytes} / ${tileUnit}`
  const arithmetic: Arithmetic = {
    kind: 'arithmetic',
    name: 'units',
    expression: '(room - fixed) / bytes / unit',
    values: [
      ['room', room],
      ['fixed', fixed],
      ['bytes', bytes],
      ['unit', tileUnit],
    ],
    worked: `⌊${worked}⌋`,
    result: tile / tileUnit,
  }
  const names = buffers.filter(({elements}) => elements === undefined).map(({name}) => name)
  const values = {tile, bytes, fixed, room, taken, unit: tileUnit, next: taken + bytes * tileUnit, buffers: names}
  return {topic: 'tile', situation: 'crafted-counted', subject: 'tile', values, because: [arithmetic, ubRule]}
}

/** One that the design keeps shorter than the unified buffer would allow. */
function boundedTile({perElement: bytes, fixed, room, tile, taken, longest}: Crafted['plan']): Decision {
  const arithmetic: Arithmetic = {
    kind: 'arithmetic',
    name: 'taken',
    expression: 'fixed + bytes * tile',
    values: [
      ['fixed', fixed],
      ['bytes', bytes],
      ['tile', tile],
    ],
    worked: `${fixed} + ${bytes} × ${tile}`,
    result: taken,
  }
  const values = {tile, taken, room, longest}
  return {topic: 'tile', situation: 'crafted-bounded', subject: 'tile', values, because: [arithmetic, ubRule]}
}

function coresDecision({bounds}: CraftDesign): Decision[] {
  if (bounds?.cores === undefined) return []
  const values = {cores: bounds.cores, chip: vectorCores}
  return [{topic: 'cores', situation: 'crafted-bounded', subject: 'n_cores', values, because: []}]
}

function depthDecision(design: CraftDesign, {plan}: Crafted): Decision {
  const isDouble = design.depth === 2
  const other = programOf({...design, depth: isDouble ? 1 : 2}).plan
  const values = {depth: design.depth, tile: plan.tile, other: other.tile}
  const situation = isDouble ? 'crafted-overlapped' : 'crafted-single'
  if (other.tile < other.longest)
    return {topic: 'depth', situation: `${situation}-bounded`, subject: 'depth', values, because: []}
  const arithmetic: Arithmetic = {
    kind: 'arithmetic',
    name: 'other',
    expression: '(room - fixed) / bytes',
    values: [
      ['room', other.room],
      ['fixed', other.fixed],
      ['bytes', other.perElement],
    ],
    worked: `⌊(${other.room} - ${other.fixed}) / ${other.perElement} / ${tileUnit}⌋ × ${tileUnit}`,
    result: other.tile,
  }
  return {
    topic: 'depth',
    situation,
    subject: 'depth',
    values,
    because: [arithmetic],
  }
}

export const divisions: Readonly<Record<CraftDesign['strategy'], string>> = {
  runs: 'runs',
  turns: 'turns',
  'row-fits': 'row-whole',
  'row-split': 'row-parts',
  strips: 'strips',
  meeting: 'meeting',
}

function divisionDecision(design: CraftDesign, {plan}: Crafted): Decision {
  const {form, strategy, window, stages, outputs} = design
  const own = form === 'windows' || form === 'lookup' ? form : divisions[strategy]
  const passes = stages.length + (outputs.some(({layout}) => layout === 'full') ? 1 : 0)
  const values = {tile: plan.tile, passes, size: window?.size ?? 0}
  return {
    topic: 'division',
    situation: `crafted-${own}`,
    subject: 'n_cores',
    values,
    because: [{kind: 'fact', code: strategy}],
  }
}

/** How types pass through the kernel. */
function typeDecision({inputs, outputs, compute}: CraftDesign): Decision {
  const types = (all: readonly {type: string}[]) =>
    [...new Set(all.map(({type}) => type))].filter((one) => one !== compute)
  const read = types(inputs.filter(({name, layout}) => name !== 'index' && layout !== 'rows'))
  const given = types(outputs)
  const narrow = [...new Set([...read, ...given])].filter((one) => one !== 'int32')
  const situation = (): string => {
    if (compute === 'int32') return 'whole'
    if (read.includes('int32')) return 'counted'
    if (narrow.length === 0) return 'same'
    if (read.length > 0 && given.length > 0) return 'widened'
    return read.length > 0 ? 'raised' : 'narrowed'
  }
  const casts = [...read.map((type) => `${type} → ${compute}`), ...given.map((type) => `${compute} → ${type}`)]
  const because = casts.map((code) => ({kind: 'fact', code}) as const)
  return {
    topic: 'element-type',
    situation: `crafted-${situation()}`,
    subject: compute,
    values: {types: narrow},
    because,
  }
}
