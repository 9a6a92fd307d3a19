import {createHash} from 'node:crypto'
import {uniformFloat64} from 'pure-rand/distribution/uniformFloat64'
import {uniformInt} from 'pure-rand/distribution/uniformInt'
import {xoroshiro128plus} from 'pure-rand/generator/xoroshiro128plus'

/** A stream of random choices that depends on nothing but its seed. */
export interface Random {
  /** A double in [0, 1). */
  unit(): number
  /** An integer in [low, high], both included. */
  integer(low: number, high: number): number
  /** One of the values; `values` must not be empty. */
  pick<T>(values: readonly T[]): T
  /** A new array with the values in random order (Fisher–Yates). */
  shuffle<T>(values: readonly T[]): T[]
}

/**
 * A generator seeded by several parts, e.g. the run's seed, the stage's name and the record's id: the same parts give
 * the same choices on every machine, and no record's choices depend on which records came before it.
 */
export function randomFrom(...parts: readonly (string | number)[]): Random {
  const seed = createHash('sha256').update(JSON.stringify(parts)).digest().readInt32LE(0)
  const generator = xoroshiro128plus(seed)
  const integer = (low: number, high: number) => uniformInt(generator, low, high)
  return {
    unit: () => uniformFloat64(generator),
    integer,
    pick: <T>(values: readonly T[]) => values[integer(0, values.length - 1)] as T,
    shuffle: <T>(values: readonly T[]) => {
      const shuffled = [...values]
      for (let last = shuffled.length - 1; last > 0; last -= 1) {
        const other = integer(0, last)
        const value = shuffled[last] as T
        shuffled[last] = shuffled[other] as T
        shuffled[other] = value
      }
      return shuffled
    },
  }
}
