import type {CraftDesign, Expression} from '../../../datasets/schema/crafted-operator.ts'
import {valueOf} from './math-expression.ts'
import {startOf} from './loops.ts'

/** Values of the inputs along the axis that is reduced, or that a scan goes along. */
type Lane = ReadonlyMap<string, readonly number[]>

/**
 * What a design gives for one lane, the whole of its grid: a list for each output, of one value where it is reduced to
 * one. Attributes have their default values.
 */
export function evaluateLane(design: Omit<CraftDesign, 'name'>, lane: Lane): number[][] {
  const {stages, scan, window, attributes, outputs} = design
  const length = [...lane.values()][0]!.length
  const known = new Map<string, number>(attributes.map(({name, value}) => [name, value]))
  known.set('n', length)
  const at = (place: number) => (name: string) => known.get(name) ?? lane.get(name)?.[place] ?? Number.NaN
  const reduced = ({reduce, of, made, name}: CraftDesign['stages'][number], places: readonly number[]): void => {
    const join = {sum: (a: number, b: number) => a + b, max: Math.max, min: Math.min}[reduce]
    known.set(
      'found',
      places.reduce((sum, place) => join(sum, valueOf(of, at(place))), startOf(reduce)),
    )
    known.set(name, valueOf(made, at(0)))
  }
  const places = Array.from({length}, (_, place) => place)
  if (window) {
    const {size, step} = window
    const count = Math.floor((length - size) / step) + 1
    const results = Array.from({length: count}, (_, item) => {
      for (const stage of stages) reduced(stage, places.slice(item * step, item * step + size))
      return outputs.map(({value}) => valueOf(value, at(0)))
    })
    return outputs.map((_, index) => results.map((values) => values[index]!))
  }
  for (const stage of stages) reduced(stage, places)
  const states = scan && scanned(scan.start, scan.next, places, at)
  return outputs.map(({layout, value}) => {
    const wanted = layout === 'full' ? places : [0]
    return wanted.map((place) => valueOf(value, (name) => (name === 'state' ? states![place]! : at(place)(name))))
  })
}

function scanned(
  start: number,
  next: Expression,
  places: readonly number[],
  at: (place: number) => (name: string) => number,
): number[] {
  let before = start
  return places.map((place) => (before = valueOf(next, (name) => (name === 'before' ? before : at(place)(name)))))
}
