import {randomFrom} from '../../engine/random.ts'
import type {EffectItem, ItemBits, Measure} from './effect-item.ts'
import {grouped} from './grouped.ts'

/** What one unit adds: readings are sums of `value` over sums of `weight`. */
interface UnitReading {
  unit: string
  value: number
  weight: number
}

/** A measure as a column of the table. */
export interface Reading {
  measure: Measure
  name: string
  better: 'lower' | 'higher'
  /** `bits per byte`, or a percentage of correct answers. */
  unit: 'bits per byte' | '%'
  units: UnitReading[]
}

interface Scored extends EffectItem {
  scored: ItemBits['parts']
}

/** Readings of a model from items and their bits. */
export function readingsOf(items: readonly EffectItem[], bits: readonly ItemBits[]): Reading[] {
  const byId = new Map(bits.map((one) => [one.id, one.parts]))
  const scored = items.flatMap((item) => {
    const parts = byId.get(item.id)
    return parts ? [{...item, scored: parts}] : []
  })
  const of = (measure: Measure) => scored.filter((item) => item.measure === measure)
  return [
    ...byGroup(of('code'), (group) => ({measure: 'code', name: `${group} code`, ...perByte})),
    ...byGroup(of('reasoning'), (_, variant) => ({measure: 'reasoning', name: `code after ${variant}`, ...perByte})),
    ...ranking(of('ranking')),
    ...interfaces(of('interfaces')),
    ...byGroup(of('forgetting'), (group) => ({measure: 'forgetting', name: `${group} text`, ...perByte})),
  ]
}

const perByte = {better: 'lower', unit: 'bits per byte'} as const
const share = {better: 'higher', unit: '%'} as const

/** One reading of every group and variant. */
function byGroup(
  scored: readonly Scored[],
  head: (group: string, variant: string) => Omit<Reading, 'units'>,
): Reading[] {
  const groups = grouped(scored, ({group, variant}) => `${group} ${variant}`)
  return groups.flatMap((of) => {
    const [first] = of
    const units = of.map(({unit, scored: parts}) => ({
      unit,
      value: sumOf(parts.map(({bits}) => bits)),
      weight: sumOf(parts.map(({bytes}) => bytes)),
    }))
    return first ? [{...head(first.group, first.variant), units}] : []
  })
}

/** Only pairs of equal length: a shorter text is always likelier. */
function ranking(scored: readonly Scored[]): Reading[] {
  const pairs = grouped(scored, ({unit}) => unit).flatMap((pair) => {
    const [right, wrong] = ['right', 'wrong'].map((variant) => pair.find((one) => one.variant === variant))
    return right && wrong && equalLength(right, wrong) ? [{right, wrong}] : []
  })
  const by = (name: string, bitsOf: (one: Scored) => number): Reading => ({
    measure: 'ranking',
    name,
    ...share,
    units: pairs.map(({right, wrong}) => ({
      unit: right.unit,
      value: Number(bitsOf(right) < bitsOf(wrong)),
      weight: 1,
    })),
  })
  if (pairs.length === 0) return []
  return [
    by('correct code preferred, at the edit', ({scored: [edit]}) => edit?.bits ?? 0),
    by('correct code preferred, in total', ({scored: parts}) => sumOf(parts.map(({bits}) => bits))),
  ]
}

const equalLength = (a: Scored, b: Scored) =>
  (a.scored[0]?.tokens ?? 0) > 0 && String(a.scored.map(tokensOf)) === String(b.scored.map(tokensOf))

const tokensOf = ({tokens}: ItemBits['parts'][number]) => tokens

/** Which units have pairs of equal length, by counts of tokens. */
export function equalPairs(pairs: readonly EffectItem[][], counts: ReadonlyMap<string, readonly number[]>) {
  const lengths = ({id}: EffectItem) => counts.get(id) ?? []
  return pairs.filter(([right, wrong]) => {
    const [a, b] = [right, wrong].map((one) => (one ? lengths(one) : []))
    return (a?.[0] ?? 0) > 0 && String(a) === String(b)
  })
}

/** The correct option is the most likely one. */
function interfaces(scored: readonly Scored[]): Reading[] {
  const questions = grouped(scored, ({unit}) => unit)
  const units = questions.flatMap((options) => {
    const bitsOf = ({scored: [option]}: Scored) => (option?.bits ?? Infinity) / (option?.tokens || 1)
    const right = options.find(({variant}) => variant === 'right')
    if (!right) return []
    const isAhead = options.every((one) => one === right || bitsOf(right) < bitsOf(one))
    return [{unit: right.unit, value: Number(isAhead), weight: 1}]
  })
  return units.length === 0 ? [] : [{measure: 'interfaces', name: 'questions answered correctly', ...share, units}]
}

const sumOf = (values: readonly number[]) => values.reduce((total, one) => total + one, 0)

const scaleOf = ({unit}: Pick<Reading, 'unit'>) => (unit === '%' ? 100 : 1)

/** A reading as one number, in its unit. */
export const valueOf = (reading: Reading): number => scaleOf(reading) * ratio(reading.units)

const ratio = (units: readonly UnitReading[]) =>
  sumOf(units.map(({value}) => value)) / sumOf(units.map(({weight}) => weight))

export interface Difference {
  value: number
  low: number
  high: number
}

/** Bootstrap draws: enough to fix the ends of a 95 % interval to two digits. */
const draws = 2000

/**
 * The difference between two readings, in their unit, with a 95 % interval: a paired bootstrap over common units (Efron
 * and Tibshirani 1993, chapter 13). Several readings per arm are those of its orders.
 */
export function differenceOf(first: readonly Reading[], second: readonly Reading[], seed: string): Difference {
  const [a, b] = [first, second].map(pooled) as [Pooled, Pooled]
  const units = [...a.keys()].filter((unit) => b.has(unit))
  const at = (chosen: readonly string[]) => pooledRatio(a, chosen) - pooledRatio(b, chosen)
  const random = randomFrom(seed, 'effect')
  const scale = scaleOf(first[0] as Reading)
  const drawn = Array.from({length: draws}, () => at(units.map(() => random.pick(units)))).sort((x, y) => x - y)
  const end = (share: number) => scale * (drawn[Math.min(draws - 1, Math.floor(share * draws))] as number)
  return {value: scale * at(units), low: end(0.025), high: end(0.975)}
}

type Pooled = ReadonlyMap<string, {value: number; weight: number}>

/** Means over the orders of an arm, unit by unit. */
function pooled(readings: readonly Reading[]): Pooled {
  const units = readings.flatMap(({units: all}) => all)
  return new Map(
    grouped(units, ({unit}) => unit).map((all) => {
      const meanOf = (of: (one: UnitReading) => number) => sumOf(all.map(of)) / all.length
      return [(all[0] as UnitReading).unit, {value: meanOf(({value}) => value), weight: meanOf(({weight}) => weight)}]
    }),
  )
}

function pooledRatio(all: Pooled, chosen: readonly string[]): number {
  let [value, weight] = [0, 0]
  for (const unit of chosen) {
    const one = all.get(unit)
    value += one?.value ?? 0
    weight += one?.weight ?? 0
  }
  return value / weight
}
