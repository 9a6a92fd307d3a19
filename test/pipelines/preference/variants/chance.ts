import {randomFrom, type Random} from '../../../../engine/random.ts'
import type {Rewrite} from '../../../../pipelines/preference/variants/rewrite.ts'

/** Chance that always takes the first of several, and turns every order round: what it gives can be told by hand. */
export const firstAndReversed: Random = {
  ...randomFrom('x'),
  unit: () => 0,
  integer: (from) => from,
  pick: (items) => items[0] as never,
  shuffle: (items) => [...items].reverse(),
}

/** The text of one kernel file after a rewrite; undefined where it finds no place. */
export function rewriting(rewrites: readonly Rewrite[]) {
  return (name: string, text: string, {path = 'op_kernel/a.cpp', random = firstAndReversed} = {}) => {
    const rewrite = rewrites.find((one) => one.name === name)
    if (!rewrite) throw new Error(`no rewrite is called ${name}`)
    return rewrite.apply([{path, text}], random)?.[0]?.text
  }
}
