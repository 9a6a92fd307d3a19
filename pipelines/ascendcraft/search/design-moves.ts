import type {CraftDesign} from '../../../datasets/schema/crafted-operator.ts'
import type {Knob} from '../../../datasets/schema/searched-operator.ts'
import type {Random} from '../../../engine/random.ts'
import {families} from '../factory/families.ts'
import {tileUnit} from '../factory/frame.ts'
import {programOf} from '../factory/tile-program.ts'
import {vectorCores} from '../language/dtypes.ts'

interface Move {
  knob: Knob
  design: CraftDesign
}

type Strategy = CraftDesign['strategy']
type Bounds = NonNullable<CraftDesign['bounds']>

/** How the work of such a design can be divided. */
function strategiesOf({category, form}: CraftDesign): readonly Strategy[] {
  const own = families.filter((one) => one.category === category && one.form === form)
  return [...new Set(own.flatMap(({strategies}) => strategies))]
}

/** Without bounds that say nothing; a row that is held whole is as long as it is. */
function bounded(design: CraftDesign, {tile, cores}: Bounds): CraftDesign {
  const {bounds: _, ...rest} = design
  const bounds = {
    ...(tile !== undefined && design.strategy !== 'row-fits' && {tile}),
    ...(cores !== undefined && cores < vectorCores && {cores}),
  }
  return Object.keys(bounds).length === 0 ? rest : {...rest, bounds}
}

/** A first version of an operator: some division, tile, number of cores and copies of buffers. */
export function startOf(design: CraftDesign, random: Random): CraftDesign {
  const strategy = random.pick(strategiesOf(design))
  const [tile, cores] = [random.pick([256, 512, 1024, undefined]), random.pick([8, 12, 24, undefined])]
  return bounded({...design, strategy, depth: random.pick([1, 2] as const)}, {tile, cores})
}

/** Every program that differs from a design's in one thing. */
export function movesOf(design: CraftDesign): Move[] {
  const {depth, strategy, bounds = {}} = design
  const {tile} = programOf(design).plan
  const tiles = [tile * 4, Math.floor(tile / 2 / tileUnit) * tileUnit, Math.floor(tile / 4 / tileUnit) * tileUnit]
  const {cores = vectorCores} = bounds
  const moves: Move[] = [
    {knob: 'depth', design: {...design, depth: depth === 2 ? 1 : 2}},
    ...[...tiles, undefined].map((one): Move => ({knob: 'tile', design: bounded(design, {...bounds, tile: one})})),
    ...[cores * 2, vectorCores].map((one): Move => ({knob: 'cores', design: bounded(design, {...bounds, cores: one})})),
    ...strategiesOf(design)
      .filter((one) => one !== strategy)
      .map((one): Move => ({knob: 'division', design: bounded({...design, strategy: one}, bounds)})),
  ]
  const here = programOf(design).text
  return moves.filter(({design: one}) => (one.bounds?.tile ?? tileUnit) >= tileUnit && programOf(one).text !== here)
}
