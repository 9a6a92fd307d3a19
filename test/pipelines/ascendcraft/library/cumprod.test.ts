import {readFileSync} from 'node:fs'
import {expect, test} from 'vitest'
import {decode, encode} from '../../../../datasets/dtype.ts'
import {randomFrom, type Random} from '../../../../engine/random.ts'
import {interpret} from '../../../../pipelines/ascendcraft/interpret/interpret.ts'
import {readProgram} from '../../../../pipelines/ascendcraft/language/check.ts'

// A product of a row has one order; whatever is multiplied apart from it may leave the range of float32 alone.

const program = readFileSync('pipelines/ascendcraft/library/solutions/math/cumprod.py', 'utf8')

const sign = (random: Random) => (random.unit() < 0.5 ? -1 : 1)

const kinds: Record<string, (random: Random, at: number) => number> = {
  'signed, growing': (random) => sign(random) * (0.5 + 2 * random.unit()),
  'below one, vanishing soon': (random) => random.unit(),
  'up to 50, infinite soon': (random) => 100 * random.unit() - 50,
  'a zero at 700': (random, at) => (at === 700 ? 0 : sign(random) * (0.9 + 0.2 * random.unit())),
  'large, with a zero at 15': (_, at) => (at === 15 ? 0 : 40),
  'large until infinite, then zero': (_, at) => (at === 100 ? 0 : 40),
  'zero, then infinity in a later tile': (_, at) => ({700: 0, 5000: Infinity})[at] ?? 1.01,
  'zero, then no number in a later tile': (_, at) => ({700: 0, 8999: NaN})[at] ?? 1.01,
  'large after tiny': (_, at) => (at < 100 ? 0.5 : 2) * (at < 200 ? 1 : 0.999),
  'segments that vanish alone': (_, at) => (Math.floor(at / 40) % 2 === 0 ? 10 : 0.1),
  'tiles that vanish alone': (_, at) => (at % 4096 < 70 ? 3 : 1) * (at % 4096 > 4020 ? 0.32 : 1),
  'infinite within segments alone': (_, at) => 400 ** (at % 8 < 4 ? 1 : -1) * (at < 29 ? 10 : 1),
  'infinite by what came before': (_, at) => {
    if (at < 4096) return at < 29 ? 10 : 1
    return at % 8 < 4 ? 400 : 0.0025
  },
  'vanished by what came before': (_, at) => {
    if (at < 4096) return at < 29 ? 0.1 : 1
    return at < 4696 ? 0.9 : 1.01
  },
  'signed, three apart': (random) => 6 * random.unit() - 3,
  'around one': (random) => sign(random) * (0.999 + 0.002 * random.unit()),
}

function product(row: Float64Array): number[] {
  let carry = 1
  return Array.from(row, (value) => (carry = Math.fround(carry * value)))
}

test.each(Object.keys(kinds).flatMap((kind) => [1, 3].map((rows) => ({kind, rows}))))(
  '$rows rows of factors: $kind',
  ({kind, rows}) => {
    const read = readProgram(program)
    if (!read.ok) throw new Error(JSON.stringify(read.faults))
    const columns = 9001
    const random = randomFrom('cumprod', kind, String(rows))
    const drawn = Float64Array.from({length: rows * columns}, (_, at) => kinds[kind]!(random, at % columns))
    const data = encode(drawn, 'float32')
    const factors = decode(data, 'float32')
    const result = interpret(read.checked, {
      inputs: [{name: 'x', dtype: 'float32', shape: [rows, columns], data}],
      attributes: {dim: 1},
    })
    if (!result.ok) throw new Error(JSON.stringify(result.fault))
    const seen = decode(result.outputs[0]!.data, 'float32')
    const expected = Array.from({length: rows}, (_, row) =>
      product(factors.subarray(row * columns, (row + 1) * columns)),
    ).flat()
    const wrong = expected.findIndex((right, at) => {
      const value = seen[at]!
      if (!Number.isFinite(right)) return !Object.is(value, right)
      // Products in another order: as many roundings, and what is below the smallest normal number may vanish.
      return !(Math.abs(value - right) <= 1e-37 + 1e-3 * Math.abs(right))
    })
    expect([wrong, seen[wrong], expected[wrong]]).toEqual([-1, undefined, undefined])
  },
)
