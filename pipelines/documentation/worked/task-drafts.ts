import {roundTo} from '../../../datasets/dtype.ts'
import {begins, term} from './core-drafts.ts'
import {num, places} from './derived-draft.ts'
import type {Form} from './small-kernel.ts'
import {type Drafting, smallValues} from './worked-draft.ts'

// Tasks over two or three interfaces: no page of one of them answers these.

/** The largest finite values, and half of the smallest positive one, below which a result is rounded to zero. */
const largest = {float32: 3.4028235e38, float16: 65504}
const vanishes = 2 ** -25

const asHalf = (value: number) => roundTo([value], 'float16')[0] ?? NaN

/** exp of a row whose elements are beyond what exp can give: the greatest is taken off first. */
const shiftedExp: Drafting = ({name}, random) => {
  if (name !== 'Exp' && name !== 'ReduceMax') return undefined
  const n = 64
  const most = random.integer(92, 120)
  const x = places(n, () => most - random.integer(0, 40) / 4)
  x[random.integer(1, n - 1)] = most
  const by = (shift: string): Form => ({
    inputs: [{name: 'x', dtype: 'float32', count: n}],
    outputs: [{name: 'z', dtype: 'float32', count: n}],
    scratch: [
      {name: 'most', dtype: 'float32', bytes: 32},
      {name: 'work', dtype: 'float32', bytes: 256},
    ],
    compute: [
      `ReduceMax(most, xLocal, work, ${n});`,
      'event_t found = static_cast<event_t>(pipe.FetchEventID(HardEvent::V_S));',
      'SetFlag<HardEvent::V_S>(found);',
      'WaitFlag<HardEvent::V_S>(found);',
      'const float top = most.GetValue(0);',
      `Adds(zLocal, xLocal, ${shift}, ${n});`,
      `Exp(zLocal, zLocal, ${n});`,
    ],
  })
  const first = (x[0] ?? 0) - most
  return {
    situation: 'shifted-exp',
    values: {
      ...{n, most, limit: 88.72, data: [begins('x', x), `max(x) = ${most}`]},
      steps: [`x[0] − ${most} = ${first}`, `z[0] = exp(${first}) = ${num(Math.exp(first))}`],
    },
    form: by('-top'),
    other: {form: by('0.0f'), shows: 'wrong'},
    given: {x},
    expected: {z: x.map((value) => Math.exp(value - most))},
  }
}

/** Squares of half beyond its range, added up. */
const squares: Drafting = ({name}, random) => {
  if (name !== 'Mul' && name !== 'ReduceSum') return undefined
  const n = 64
  const x = places(n, (at) => (at === 0 ? random.integer(260, 400) : random.integer(1, 60) - 30))
  const by = (first: readonly string[]): Form => ({
    inputs: [{name: 'x', dtype: 'float16', count: n}],
    outputs: [{name: 'z', dtype: 'float32', count: 1}],
    scratch: [
      {name: 'wide', dtype: 'float32', bytes: n * 4},
      {name: 'work', dtype: 'float32', bytes: 256},
    ],
    compute: [...first, `ReduceSum(zLocal, wide, work, ${n});`],
  })
  const cast = `Cast(wide, xLocal, RoundMode::CAST_NONE, ${n});`
  const [one = 0, two = 0] = x
  const sum = x.reduce((all, value) => all + value * value, 0)
  return {
    situation: 'half-squares',
    values: {
      ...{n, one, square: one * one, sum, most: largest.float16, root: 255},
      ...{data: [begins('x', x), `max(|x|) = ${one}`, `Σ x² = ${sum}`], bytes: n * 4},
      steps: [`${one}² = ${one * one}`, `z = ${one * one} + ${two * two} + … = ${sum}`],
    },
    form: by([cast, `Mul(wide, wide, wide, ${n});`]),
    other: {form: by([`Mul(xLocal, xLocal, xLocal, ${n});`, cast]), shows: 'wrong'},
    given: {x},
    expected: {z: [sum]},
  }
}

/** Rows of half added up, in half and in float. */
const heldSums: Drafting = ({name}, random) => {
  if (name !== 'Add' && name !== 'Cast') return undefined
  const [m, rows] = [64, random.integer(10, 16)]
  const x = places(rows * m, () => 2 * random.integer(100, 180) + 1)
  const column = places(rows, (row) => x[row * m] ?? 0)
  const sums = places(rows, (row) => column.slice(0, row + 1).reduce((all, one) => all + one, 0))
  const held: number[] = []
  for (const one of column) held.push(asHalf((held.at(-1) ?? 0) + one))
  const [exact, kept] = [sums.at(-1) ?? 0, held.at(-1) ?? 0]
  const lost = held.findIndex((value, at) => value !== sums[at])
  if (kept === asHalf(exact) || lost < 1) return undefined
  const loop = (lines: readonly string[]) => [
    `for (int32_t row = 1; row < ${rows}; ++row) {`,
    ...lines.map((line) => `    ${line}`),
    '}',
  ]
  const by = (compute: readonly string[]): Form => ({
    inputs: [{name: 'x', dtype: 'float16', count: rows * m}],
    outputs: [{name: 'z', dtype: 'float16', count: m}],
    scratch: [
      {name: 'total', dtype: 'float32', bytes: m * 4},
      {name: 'part', dtype: 'float32', bytes: m * 4},
    ],
    compute,
  })
  return {
    situation: 'held-sums',
    values: {
      ...{m, rows, exact, result: asHalf(exact), kept, bytes: m * 4},
      ...{data: [`x[0 … ${rows - 1}][0] = [${column.join(', ')}]`]},
      steps: [`${column.slice(0, 3).join(' + ')} + … = ${exact}`, `${exact} → ${asHalf(exact)}`],
      slip: [`${held[lost - 1]} + ${column[lost]} = ${(held[lost - 1] ?? 0) + (column[lost] ?? 0)} → ${held[lost]}`],
    },
    form: by([
      `Cast(total, xLocal, RoundMode::CAST_NONE, ${m});`,
      ...loop([`Cast(part, xLocal[row * ${m}], RoundMode::CAST_NONE, ${m});`, `Add(total, total, part, ${m});`]),
      `Cast(zLocal, total, RoundMode::CAST_RINT, ${m});`,
    ]),
    other: {
      form: by([
        `Adds(zLocal, xLocal, static_cast<half>(0), ${m});`,
        ...loop([`Add(zLocal, zLocal, xLocal[row * ${m}], ${m});`]),
      ]),
      shows: 'wrong',
    },
    given: {x},
    expected: {
      z: places(m, (at) => asHalf(places(rows, (row) => x[row * m + at] ?? 0).reduce((all, one) => all + one, 0))),
    },
  }
}

/** Each row of a tile times a factor of its own. */
const scaledRows: Drafting = ({name}, random) => {
  if (name !== 'Brcb' && name !== 'Mul') return undefined
  const [cols, rows] = [64, 8 * random.integer(1, 4)]
  const [x, y] = [smallValues(rows * cols, 'float32', random), smallValues(rows, 'float32', random)]
  const row = random.integer(1, Math.min(rows, 12) - 1)
  const from = row * cols
  const [one, own, other] = [x[from] ?? 0, y[row] ?? 0, y[0] ?? 0]
  if (own === other) return undefined
  const by = (stride: number): Form => ({
    inputs: [
      {name: 'x', dtype: 'float32', count: rows * cols},
      {name: 'y', dtype: 'float32', count: rows},
    ],
    outputs: [{name: 'z', dtype: 'float32', count: rows * cols}],
    scratch: [{name: 'wide', dtype: 'float32', bytes: rows * 32}],
    compute: [
      `Brcb(wide, yLocal, ${rows / 8}, {1, 8});`,
      `Mul(zLocal, xLocal, wide, ${cols}, ${rows}, {1, 1, 0, 8, 8, ${stride}});`,
    ],
  })
  return {
    situation: 'scaled-rows',
    values: {
      ...{
        strides: '{1, 1, 0, 8, 8, 1}',
        rows,
        cols,
        row,
        times: rows / 8,
        bytes: rows * 32,
        bytesOfRow: cols * 4,
        count: rows * cols,
      },
      data: [begins('y', y), `x[${row}][0] = ${one}`],
      steps: [`z[${row}][0] = ${term(one)} × ${term(own)} = ${one * own}`],
      slip: [`z[${row}][0] = ${term(one)} × ${term(other)} = ${one * other}`],
    },
    form: by(1),
    other: {form: by(0), shows: 'wrong'},
    given: {x, y},
    expected: {z: x.map((value, at) => value * (y[Math.floor(at / cols)] ?? 0))},
  }
}

/** A square out of a wider matrix, turned. */
const turnedTile: Drafting = ({name}, random) => {
  if (name !== 'Transpose' && name !== 'DataCopy') return undefined
  const blocks = random.integer(3, 9)
  const [cols, at] = [blocks * 16, random.integer(0, blocks - 1)]
  const x = smallValues(16 * cols, 'float16', random)
  const [row, column] = [random.integer(1, 15), random.integer(1, 15)]
  const place = row * cols + at * 16 + column
  const by = (gap: number): Form => ({
    inputs: [{name: 'x', dtype: 'float16', count: 16 * cols, bytes: 512}],
    outputs: [{name: 'z', dtype: 'float16', count: 256}],
    compute: ['Transpose(zLocal, xLocal);'],
    copies: {x: [`DataCopy(xLocal, xGm[${at * 16}], DataCopyParams{16, 1, ${gap}, 0});`]},
  })
  const last = 15 * (blocks + 1) * 16 + at * 16 + 15
  return {
    situation: 'turned-tile',
    values: {
      ...{blocks, cols, at: at * 16, end: at * 16 + 15, gap: blocks - 1, row, column, last, count: 16 * cols},
      ...{params: `{16, 1, ${blocks - 1}, 0}`, stop: at * 16 + 16, value: x[place] ?? 0},
      data: [`x[${row}][${at * 16 + column}] = ${x[place]}`],
      steps: [
        `${cols} × 2 / 32 = ${blocks}`,
        `srcStride = ${blocks} − 1 = ${blocks - 1}`,
        `z[${column}][${row}] = x[${row}][${at * 16 + column}] = ${x[place]}`,
      ],
    },
    form: by(blocks - 1),
    other: {form: by(blocks), shows: {refused: 'gm-out-of-range'}},
    given: {x},
    expected: {
      z: places(256, (to) => x[(to % 16) * cols + at * 16 + Math.floor(to / 16)] ?? 0),
    },
  }
}

/** A table of exp at both ends of half. */
const expRange: Drafting = ({name}, random) => {
  if (name !== 'Exp') return undefined
  const n = 16
  const high = 11 + random.integer(1, 8) / 8
  const low = -17 - random.integer(3, 12) / 8
  const middle = random.integer(-24, 24) / 8
  const x = places(n, (at) => [high, low, middle, 11, -16][at] ?? random.integer(-24, 24) / 8)
  const by = (isWide: boolean): Form => ({
    inputs: [{name: 'x', dtype: 'float16', count: n}],
    outputs: [{name: 'z', dtype: 'float32', count: n}],
    compute: isWide
      ? [`Cast(zLocal, xLocal, RoundMode::CAST_NONE, ${n});`, `Exp(zLocal, zLocal, ${n});`]
      : [`Exp(xLocal, xLocal, ${n});`, `Cast(zLocal, xLocal, RoundMode::CAST_NONE, ${n});`],
  })
  const told = (value: number) => `exp(${value}) = ${num(Math.exp(value))}`
  return {
    situation: 'exp-range',
    values: {
      ...{n, high, low, middle, most: largest.float16, bytes: n * 4},
      data: [begins('x', x)],
      steps: [
        `${told(high)} > ${largest.float16}`,
        `${told(low)} < 2^-25 = ${num(vanishes)}`,
        `${told(11)} → ${asHalf(Math.exp(11))}`,
        `${told(-16)} → ${num(asHalf(Math.exp(-16)))}`,
      ],
    },
    form: by(true),
    other: {form: by(false), shows: 'wrong'},
    given: {x},
    expected: {z: x.map((value) => Math.exp(value))},
  }
}

export const taskDrafts: readonly Drafting[] = [shiftedExp, squares, heldSums, scaledRows, turnedTile, expRange]
