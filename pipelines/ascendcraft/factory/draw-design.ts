import type {CraftDesign} from '../../../datasets/schema/crafted-operator.ts'
import type {Random} from '../../../engine/random.ts'
import {Draft} from './design-draft.ts'
import {drawings} from './drawings.ts'
import {expressionsOf, namesIn} from './math-expression.ts'
import {families, routes, weighted} from './families.ts'

/** Draws a design without its name; undefined where the draw came to nothing. */
export function drawDesign(random: Random): Omit<CraftDesign, 'name'> | undefined {
  const family = weighted(random, families)
  const route = weighted(
    random,
    routes.filter(({compute}) => compute === 'float32' || family.integers),
  )
  const draft = new Draft(random, route)
  const given = random.pick(family.inputs).map((layout) => draft.input(layout))
  if (family.draw === 'plain' && !draft.isInteger && random.unit() < 0.4) given.push(draft.attribute())
  const parts = drawings[family.draw](draft, family, given)
  if (!parts || !draft.isSound()) return undefined
  const {stages, scan} = parts
  const used = new Set(expressionsOf(parts).flatMap((one) => [...namesIn(one)]))
  const wanted = [
    ...[...draft.inputs, ...draft.attributes, ...stages].map(({name}) => name),
    ...(scan ? ['state'] : []),
  ]
  if (!wanted.every((name) => used.has(name))) return undefined
  const {category, form} = family
  const index: CraftDesign['inputs'] =
    form === 'lookup' ? [{name: 'index', layout: 'rows', type: 'int32', domain: [-3, 70]}] : []
  return {
    category,
    form,
    inputs: [...draft.inputs, ...index],
    attributes: draft.attributes,
    ...parts,
    compute: route.compute,
    strategy: random.pick(family.strategies),
    depth: random.unit() < 0.75 ? 2 : 1,
  }
}
