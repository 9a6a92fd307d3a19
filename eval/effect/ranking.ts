import type {Random} from '../../engine/random.ts'
import type {EffectItem} from './effect-item.ts'
import type {EffectRow} from './effect-rows.ts'
import {grouped} from './grouped.ts'

/** A fault that can be planted in code: `text.slice(start, end)` is correct, `replacement` is wrong. */
export interface Fault {
  class: string
  strategy: string
  start: number
  end: number
  replacement: string
}

type FaultsOf = (text: string, path: string) => Fault[]

/** Tokens of context before the edit, and scored tokens after it. */
const [context, following] = [96, 24]

/**
 * Pairs of correct and wrong code, balanced over strategies as far as the code allows: the next of every strategy in
 * turn.
 */
export function rankingPairs(
  rows: readonly EffectRow[],
  {faultsOf, most, random}: {faultsOf: FaultsOf; most: number; random: Random},
): EffectItem[][] {
  const pairs = rows.flatMap((row) =>
    row.code.flatMap(({path, text}) =>
      faultsOf(text, path).map((fault, at) => ({fault, items: pairOf(`${row.id} ${at}`, text, fault)})),
    ),
  )
  const queues = grouped(random.shuffle(pairs), ({fault}) => fault.strategy)
  const taken: EffectItem[][] = []
  for (let round = 0; taken.length < most; round += 1) {
    const next = queues.flatMap((queue) => queue[round] ?? [])
    if (next.length === 0) break
    taken.push(...next.slice(0, most - taken.length).map(({items}) => items))
  }
  return taken
}

function pairOf(unit: string, text: string, {class: group, start, end, replacement}: Fault): EffectItem[] {
  const parts = {right: text.slice(start, end), wrong: replacement}
  return Object.entries(parts).map(([variant, edited]) => ({
    id: `ranking ${variant} ${unit}`,
    measure: 'ranking',
    unit,
    variant,
    group,
    before: text.slice(0, start),
    // Enough text follows for the scored tokens.
    parts: [edited, text.slice(end, end + following * 12)],
    most: {before: context, last: following},
  }))
}
