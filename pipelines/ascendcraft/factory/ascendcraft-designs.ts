import {CraftOrder, type CraftDesign, DrawnDesign} from '../../../datasets/schema/crafted-operator.ts'
import {contentId} from '../../../engine/ids.ts'
import {randomFrom} from '../../../engine/random.ts'
import type {Stage} from '../../../engine/stage.ts'
import {drawDesign} from './draw-design.ts'
import {expressionsOf, structureOf} from './math-expression.ts'
import {benchmarkFormula} from './benchmark-formulas.ts'
import {nameOf} from './name-design.ts'

/** Draws for each design that is asked for, after which there are no more. */
const mostDraws = 50

/**
 * Order → designs of operators, all different in structure. Drops `near-duplicate` for one that differs from an
 * earlier one in numbers, names or the order of operands only, and `benchmark-formula` for what a benchmark asks for.
 */
export default function ascendcraftDesigns(): Stage<CraftOrder, DrawnDesign> {
  return {
    name: 'ascendcraft-designs',
    version: 1,
    input: CraftOrder,
    output: DrawnDesign,
    tally: ({design}) => design.category,
    async *run(orders, {seed, drop, expect, signal}) {
      const structures = new Set<string>()
      const names = new Map<string, number>()
      for await (const {designs} of orders) {
        expect?.(designs)
        for (let made = 0, draw = 0; made < designs && draw < mostDraws * designs; draw += 1) {
          signal.throwIfAborted()
          const drawn = drawDesign(randomFrom(seed, 'ascendcraft', draw))
          if (!drawn) continue
          const structure = structureOfDesign(drawn)
          const known = benchmarkFormula(drawn)
          if (known !== undefined) drop({draw, structure}, 'benchmark-formula', known)
          else if (structures.has(structure)) drop({draw, structure}, 'near-duplicate', structure)
          else {
            structures.add(structure)
            made += 1
            yield {design: {name: numbered(nameOf(drawn), names), ...drawn}, structure}
          }
        }
      }
    },
  }
}

/** Names of different operators may be equal: the second one has a number. */
function numbered(name: string, taken: Map<string, number>): string {
  const count = (taken.get(name) ?? 0) + 1
  taken.set(name, count)
  return count === 1 ? name : `${name}No${count}`
}

/** What is computed in which types, and how the work is divided; without names and numbers. */
export function structureOfDesign(design: Omit<CraftDesign, 'name'>): string {
  const {form, inputs, stages, outputs, window, strategy, depth, compute} = design
  const kinds = new Map(inputs.map(({name, layout, type}) => [name, `${layout}:${type}`]))
  const roots = expressionsOf(design)
  return contentId([
    form,
    structureOf(roots, (name) => kinds.get(name) ?? (/^s\d$|^found$|^n$|^before$|^state$/.test(name) ? name : '#')),
    stages.map(({reduce}) => reduce),
    outputs.map(({layout, type}) => `${layout}:${type}`),
    window ? [window.size, window.step] : [],
    strategy,
    depth,
    compute,
  ])
}
