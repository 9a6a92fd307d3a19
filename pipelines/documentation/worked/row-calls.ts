import type {Random} from '../../../engine/random.ts'
import {
  type Derived,
  type DerivedCalls,
  derivedFrom,
  is,
  list,
  num,
  places,
  rowsOf,
  summed,
  swapped,
  term,
  total,
  wholeRow,
} from './derived-draft.ts'
import {roundings} from './real-value.ts'
import {smallValues} from './worked-draft.ts'

const floats = (n: number, random: Random) => smallValues(n, 'float32', random)
const held = (one: number) => Math.min(Math.max(roundings.CAST_RINT(one), -128), 127) + 0
/** A float as C++ writes it. */
const literal = (value: number) => (Number.isInteger(value) ? `${value}.0f` : `${value}f`)

/** Rows and columns, their sums and products, and numbers in other types. */
const calls: DerivedCalls = {
  Broadcast: (random) => {
    const [rows, cols] = [8 * random.integer(1, 3), 8 * random.integer(1, 4)]
    const [x, row] = [floats(rows, random), random.integer(1, rows - 1)]
    return {
      ins: {x: ['float32', x]},
      outs: {z: ['float32', x.flatMap((one) => places(cols, () => one))]},
      lines: [
        ...[`const uint32_t from[2] = {${rows}, 1};`, `const uint32_t to[2] = {${rows}, ${cols}};`],
        'Broadcast<float, 2, 1>(zLocal, xLocal, to, from);',
      ],
      facts: [`x: [${rows}, 1]`, `z: [${rows}, ${cols}]`, `x[${row}] = ${num(x[row]!)}`],
      beyond: [`z[${row * cols}] = ${num(x[row]!)}`],
      law: 'dim = 2, axis = 1: z[r][c] = x[r]',
      steps: [
        `z[0][${cols - 1}] = z[${cols - 1}] = x[0] = ${num(x[0]!)}`,
        `z[${row}][0] = z[${row} * ${cols}] = z[${row * cols}] = x[${row}] = ${num(x[row]!)}`,
      ],
    }
  },
  Pad: (random) => {
    const [rows, cols, left] = [8 * random.integer(1, 2), random.integer(9, 14), random.integer(0, 1)]
    const [right, value] = [16 - cols - left, random.integer(-9, -1)]
    const x = floats(rows * cols, random)
    const shape = `ge::Shape({${rows}, ${cols}})`
    const line = `PadParams params{${left}, ${right}, ${value}};`
    const pad = (count: number) => places(count, () => value)
    return {
      ins: {x: ['float32', x]},
      outs: {z: ['float32', rowsOf(x, cols).flatMap((row) => [...pad(left), ...row, ...pad(right)])]},
      form: {
        tiling: {
          type: 'PadTiling',
          fill: [`AscendC::PadTilingFunc(${shape}, ${shape}, 8192, 4, tiling.part);`],
        },
      },
      lines: [line, 'Pad(zLocal, xLocal, params, tilingData.part);'],
      facts: [`x: [${rows}, ${cols}]`, `z: [${rows}, 16]`, `leftPad = ${left}`, `padValue = ${value}`],
      law: 'leftPad + width + rightPad = 16, z[r][leftPad + c] = x[r][c]',
      steps: [
        `${cols} * 4 B = ${cols * 4} B -> 64 B = 16 * 4 B`,
        `rightPad = 16 - ${cols} - ${left} = ${right}`,
        `z[0][${left}] = x[0][0] = ${num(x[0]!)}`,
        `z[0][15] = ${value}`,
      ],
      limits: [`${rows} * ${cols} * 4 % 32 = ${rows * cols * 4} % 32 = 0`],
      wrong: {
        line: [line, line.replace(`, ${right},`, `, ${right + 1},`)],
        slip: [`leftPad + width + rightPad = ${left} + ${cols} + ${right + 1} = 17 > 16`],
        shows: {refused: 'operand-shape'},
      },
    }
  },
  UnPad: (random) => {
    const [rows, spare] = [8 * random.integer(1, 2), random.integer(1, 7)]
    const [x, kept, line] = [floats(rows * 16, random), 16 - spare, `UnPadParams params{0, ${spare}};`]
    return {
      ins: {x: ['float32', x]},
      outs: {z: ['float32', rowsOf(x, 16).flatMap((row) => row.slice(0, kept))]},
      form: {
        tiling: {
          type: 'UnPadTiling',
          fill: [`AscendC::UnPadTilingFunc(ge::Shape({${rows}, 16}), 8192, 4, tiling.part);`],
        },
      },
      lines: [line, 'UnPad(zLocal, xLocal, params, tilingData.part);'],
      facts: [`x: [${rows}, 16]`, `z: [${rows}, ${kept}]`, `x[1][0] = ${num(x[16]!)}`],
      law: 'z[r][c] = x[r][c], c < 16 - rightPad, 0 < rightPad * 4 < 32',
      steps: [
        `rightPad = 16 - ${kept} = ${spare}`,
        `rightPad * 4 = ${spare} * 4 = ${spare * 4} < 32`,
        `z[1][0] = z[${kept}] = x[1][0] = x[16] = ${num(x[16]!)}`,
      ],
      wrong: {
        line: [line, 'UnPadParams params{0, 8};'],
        slip: ['rightPad * 4 = 8 * 4 = 32 >= 32'],
        shows: {refused: 'operand-shape'},
      },
    }
  },
  TransData: (random) => {
    const [channels, height] = [16 * random.integer(1, 2), random.integer(1, 2)]
    const plane = 16 * height
    const x = places(channels * plane, (at) => at)
    const [c, p] = [random.integer(1, channels - 1), random.integer(1, plane - 1)]
    const place = (channel: number, point: number) => (Math.floor(channel / 16) * plane + point) * 16 + (channel % 16)
    const z = [...x]
    for (const at of x) z[place(Math.floor(at / plane), at % plane)] = at
    return {
      ins: {x: ['float16', x]},
      outs: {z: ['float16', z]},
      lines: [
        'static constexpr TransDataConfig config = {DataFormat::NCDHW, DataFormat::NDC1HWC0};',
        `auto plain = MakeLayout(MakeShape(1, ${channels}, 1, ${height}, 16), MakeStride());`,
        `auto blocks = MakeLayout(MakeShape(1, 1, ${channels / 16}, ${height}, 16, 16), MakeStride());`,
        'TransDataParams<decltype(plain), decltype(blocks)> params{plain, blocks};',
        'TransData<config>(zLocal, xLocal, params);',
      ],
      facts: ['x[i] = i', `NCDHW = [1, ${channels}, 1, ${height}, 16]`, `p = h * 16 + w`, `c = ${c}`, `p = ${p}`],
      law: `z[(c / 16) * ${plane} * 16 + p * 16 + c % 16] = x[c * ${plane} + p]`,
      steps: [
        `C1 = ${channels} / 16 = ${channels / 16}, C0 = 16`,
        `x[${c} * ${plane} + ${p}] = x[${c * plane + p}] = ${c * plane + p}`,
        `${Math.floor(c / 16)} * ${plane * 16} + ${p} * 16 + ${c % 16} = ${place(c, p)}`,
        `z[${place(c, p)}] = ${c * plane + p}`,
      ],
      beyond: [`z[${place(c, p)}] = ${c * plane + p}`],
      limits: [`H * W * 2 % 32 = ${height} * 16 * 2 % 32 = 0`],
    }
  },
  Mean: (random) => folded(random, 'Mean'),
  Sum: (random) => folded(random, 'Sum'),
  ReduceMean: (random) => along(random, 'ReduceMean'),
  ReduceProd: (random) => along(random, 'ReduceProd'),
  ReduceAll: (random) => along(random, 'ReduceAll'),
  ReduceAny: (random) => along(random, 'ReduceAny'),
  ReduceXorSum: (random) => {
    const n = random.integer(4, 8)
    const [x, y] = [places(n, () => random.integer(0, 63)), places(n, () => random.integer(0, 63))]
    const each = x.map((one, at) => one ^ y[at]!)
    return {
      ins: {x: ['int16', x], y: ['int16', y]},
      outs: {z: ['int16', [total(each)]]},
      lines: [`ReduceXorSum(zLocal, xLocal, yLocal, ${n});`],
      facts: [`n = ${n}`],
      law: 'z = (x[0] ^ y[0]) + (x[1] ^ y[1]) + ... + (x[n - 1] ^ y[n - 1]), -32768 <= z <= 32767',
      steps: [...places(3, (at) => `${x[at]} ^ ${y[at]} = ${each[at]}`), `z = ${summed(each)} = ${total(each)}`],
    }
  },
  CumSum: (random) => {
    const rows = random.integer(2, 6)
    const x = floats(rows * 8, random)
    const [first, second] = rowsOf(x, 8) as [number[], number[]]
    const line = 'constexpr bool isLastAxis = true;'
    const told = (row: number, terms: number[]) =>
      `z[${row}][${terms.length - 1}] = ${summed(terms)} ${is(total(terms))}`
    return {
      ins: {x: ['float32', x]},
      outs: {z: ['float32', rowsOf(x, 8).flatMap((row) => row.map((_, at) => total(row.slice(0, at + 1))))]},
      lines: [
        line,
        'static constexpr CumSumConfig config{isLastAxis, false, false, CumSumAlgorithm::CUMSUM_ALGORITHM_LINEBYLINE};',
        'LocalTensor<float> none;',
        `CumSum<float, config>(zLocal, none, xLocal, CumSumInfo{${rows}, 8});`,
      ],
      cols: 8,
      facts: [`x[1] = ${list(second, 3)}`, 'z[0][1] = x[0][0] + x[0][1]'],
      law: 'z[r][c] = x[r][0] + x[r][1] + ... + x[r][c]',
      steps: [told(0, first.slice(0, 2)), told(0, first.slice(0, 3)), told(0, first), told(1, second.slice(0, 2))],
      limits: [wholeRow('inner')],
      wrong: {
        line: [line, line.replace('true', 'false')],
        slip: [
          `z[0][1] = x[0][1] = ${num(first[1]!)}`,
          `z[1][1] = x[0][1] + x[1][1] = ${summed([first[1]!, second[1]!])} ${is(first[1]! + second[1]!)}`,
        ],
      },
    }
  },
  DropOut: (random) => {
    const [rows, keep] = [random.integer(1, 3), random.pick([0.5, 0.25])]
    const x = floats(rows * 32, random)
    const mask = x.map((_, at) => (at === 1 ? 1 : random.integer(0, 1)))
    const z = x.map((one, at) => (mask[at] ? one / keep : 0))
    const line = 'info.maskLastAxis = 32;'
    const told = (at: number) =>
      mask[at] ? `z[${at}] = ${term(x[at])} * ${1 / keep} ${is(z[at]!)}` : `mask[${at}] = 0: z[${at}] = 0`
    return {
      ins: {x: ['float32', x], mask: ['uint8', mask]},
      outs: {z: ['float32', z]},
      lines: [
        ...['DropOutShapeInfo info;', `info.firstAxis = ${rows};`, 'info.srcLastAxis = 32;', line],
        `DropOut(zLocal, xLocal, maskLocal, ${keep}f, info);`,
      ],
      facts: [`x, mask: [${rows}, 32]`, `keepProb = ${keep}`],
      law: 'z[i] = mask[i] ? x[i] / keepProb : 0',
      steps: [`1 / ${keep} = ${1 / keep}`, ...places(4, told)],
      wrong: {
        line: [line, 'info.maskLastAxis = 32 / 8;'],
        slip: [`mask[0] = 0b0000000${mask[0]}: z[1] = z[2] = ... = z[7] = 0`],
      },
    }
  },
  SwiGLU: (random) => {
    const [n, beta] = [random.integer(10, 60), random.pick([1, 1.5, 2])]
    const [x, y] = [floats(n, random), floats(n, random)]
    const swish = (one: number) => one / (1 + Math.exp(-beta * one))
    const told = (at: number, one: number, gate: number) => [
      `swish(${num(gate)}) ${is(gate)} / (1 + exp(${num(-beta * gate)})) ${is(swish(gate))}`,
      `z[${at}] = ${term(one)} * ${term(swish(gate))} ${is(one * swish(gate))}`,
    ]
    const line = `SwiGLU(zLocal, xLocal, yLocal, ${literal(beta)}, ${n});`
    return {
      ins: {x: ['float32', x], y: ['float32', y]},
      outs: {z: ['float32', x.map((one, at) => one * swish(y[at]!))]},
      lines: [line],
      facts: [`beta = ${beta}`, 'z = x * swish(y)'],
      law: 'z[i] = x[i] * swish(y[i]), swish(a) = a / (1 + exp(-beta * a))',
      steps: places(2, (at) => told(at, x[at]!, y[at]!)).flat(),
      ...swapped(line, ['xLocal, yLocal', 'yLocal, xLocal'], told(0, y[0]!, x[0]!)),
    }
  },
  AscendQuant: (random) => {
    const [n, scale, offset] = [32 * random.integer(1, 3), random.pick([2, 4, 8, 16]), random.integer(-5, 5)]
    const x = floats(n, random).map((one, at) => (at === 2 ? one + 80 : one))
    const of = (one: number, by = scale) => one * by + offset
    const told = (one: number, by = scale) => (held(of(one, by)) === of(one, by) ? '' : ` -> ${held(of(one, by))}`)
    const line = `AscendQuant<float>(zLocal, xLocal, ${scale}.0f, ${offset}.0f, ${n});`
    const wrong = of(x[0]!, 1 / scale)
    return {
      ins: {x: ['float32', x]},
      outs: {z: ['int8', x.map((one) => held(of(one)))]},
      lines: [line],
      facts: [`scale = ${scale}`, `offset = ${offset}`, `n = ${n}`],
      law: 'z[i] = round(x[i] * scale + offset), -128 <= z[i] <= 127',
      steps: places(
        3,
        (at) => `z[${at}]: ${term(x[at])} * ${scale} + ${term(offset)} ${is(of(x[at]!))}${told(x[at]!)}`,
      ),
      wrong: {
        line: [line, line.replace(`${scale}.0f`, `1.0f / ${scale}`)],
        slip: [`z[0]: ${term(x[0])} / ${scale} + ${term(offset)} ${is(wrong)}${told(x[0]!, 1 / scale)}`],
      },
    }
  },
  AscendDequant: (random) => {
    const rows = random.integer(2, 6)
    const x = places(rows * 8, () => random.integer(-200, 200))
    const scale = places(8, () => random.pick([0.5, 0.25, 2, -1, 0.125]))
    const told = (at: number) =>
      `z[${Math.floor(at / 8)}][${at % 8}] = ${term(x[at])} * ${term(scale[at % 8])} ${is(x[at]! * scale[at % 8]!)}`
    return {
      ins: {x: ['int32', x], scale: ['float32', scale]},
      outs: {z: ['float32', x.map((one, at) => one * scale[at % 8]!)]},
      lines: [`AscendDequant(zLocal, xLocal, scaleLocal, DequantParams{${rows}, 8, 8});`],
      cols: 8,
      facts: [`x[1] = ${list(x.slice(8, 16), 2)}`],
      law: 'z[r][c] = x[r][c] * scale[c], c < calCount',
      steps: [0, 1, 8, 9].map(told),
      limits: [wholeRow('n'), 'calCount = 8 <= 8'],
    }
  },
  AscendAntiQuant: (random) => {
    const [n, offset, scale] = [32 * random.integer(2, 4), random.integer(-8, 8), random.pick([0.5, 0.25, 2])]
    const x = places(n, () => random.integer(-100, 100))
    const line = `AscendAntiQuant<int8_t, half, false>(zLocal, xLocal, offset, scale, ${n / 32});`
    return {
      ins: {x: ['int8', x]},
      outs: {z: ['float16', x.map((one) => scale * (one + offset))]},
      lines: [`half offset = ${literal(offset)};`, `half scale = ${literal(scale)};`, line],
      facts: [`offset = ${offset}`, `scale = ${scale}`, `src: [K, N] = [${n / 32}, 32]`],
      law: 'z[i] = scale * (x[i] + offset)',
      steps: places(
        3,
        (at) => `z[${at}] = ${scale} * (${term(x[at])} + ${term(offset)}) ${is(scale * (x[at]! + offset))}`,
      ),
      ...swapped(
        line,
        ['offset, scale', 'scale, offset'],
        [`z[0] = ${offset} * (${term(x[0])} + ${scale}) ${is(offset * (x[0]! + scale))}`],
      ),
    }
  },
}

/** Sums and means of rows whose ends do not count. */
function folded(random: Random, name: 'Mean' | 'Sum'): Derived {
  const [rows, n, isMean] = [random.integer(2, 3), random.integer(4, 7), name === 'Mean']
  const x = floats(rows * 8, random).map((one, at) => (at % 8 < n ? one : 50))
  const own = rowsOf(x, 8)
  const line = `${name}Params params{${rows}, 8, ${n}};`
  const of = (row: number[], count: number) => total(row.slice(0, count)) / (isMean ? count : 1)
  const told = (at: number, count: number) => {
    const terms = summed(own[at]!.slice(0, count))
    return `z[${at}] = ${isMean ? `(${terms}) / ${count}` : terms} ${is(of(own[at]!, count))}`
  }
  return {
    ins: {x: ['float32', x]},
    outs: {z: ['float32', own.map((row) => of(row, n))]},
    lines: [line, `${name}(zLocal, xLocal, params);`],
    cols: 8,
    facts: [...places(rows - 1, (at) => `x[${at + 1}] = ${list(own[at + 1]!)}`), `n = ${n}`],
    law: isMean ? 'z[r] = (x[r][0] + ... + x[r][n - 1]) / n' : 'z[r] = x[r][0] + ... + x[r][n - 1]',
    steps: [`outter = ${rows}`, `inner * 4 = 32 >= ${n} * 4 = ${n * 4}`, told(0, n), told(1, n)],
    limits: [wholeRow('inner')],
    wrong: {line: [line, line.replace(`${n}}`, '8}')], slip: [told(0, 8)]},
  }
}

/** What a reduction makes of eight numbers, the sign between them, and the numbers. */
const folds: Record<string, readonly [of: (values: number[]) => number, sign: string, numbers: number[]]> = {
  ReduceMean: [(values) => total(values) / 8, '+', [-6, -4, -2, 0, 2, 4, 6, 8]],
  ReduceProd: [(values) => values.reduce((all, one) => all * one, 1), '*', [1, 2, -1, 0.5, 1, 2]],
  ReduceAll: [(values) => Number(values.every((one) => one !== 0)), '&&', [1, 1, 1, 1, 1, 1, 0]],
  ReduceAny: [(values) => Number(values.some((one) => one !== 0)), '||', [0, 0, 0, 0, 0, 0, 1]],
}

/** A square of eight by eight along one of its axes. */
function along(random: Random, name: string): Derived {
  const [of, sign, numbers] = folds[name]!
  const isRows = random.pick([true, false])
  const x = places(64, () => random.pick(numbers))
  const rows = rowsOf(x, 8)
  const columns = places(8, (at) => rows.map((row) => row[at]!))
  const [own, other] = isRows ? [rows, columns] : [columns, rows]
  const apart = own.findIndex((one, at) => of(one) !== of(other[at]!))
  if (apart < 0) return along(random, name)
  const between = (all: string) => (name === 'ReduceMean' ? `(${all}) / 8` : all)
  const told = (one: number[], at: number) => `z[${at}] = ${between(one.map(term).join(` ${sign} `))} ${is(of(one))}`
  const all = isRows ? `x[i][0] ${sign} ... ${sign} x[i][7]` : `x[0][i] ${sign} ... ${sign} x[7][i]`
  const line = `${name}<float, Pattern::Reduce::${isRows ? 'AR' : 'RA'}>(zLocal, xLocal, shape, true);`
  return {
    ins: {x: ['float32', x]},
    outs: {z: ['float32', own.map(of)]},
    lines: ['uint32_t shape[2] = {8, 8};', line],
    cols: 8,
    facts: [...rows.slice(1).map((row, at) => `x[${at + 1}] = ${list(row)}`), `z[i] = ${between(all)}`],
    law: `${isRows ? 'AR' : 'RA'}: z[i] = ${between(all)}`,
    steps: [...[0, 1].filter((at) => at !== apart), apart].map((at) => told(own[at]!, at)),
    limits: [wholeRow('shape[1]')],
    wrong: {
      line: [line, isRows ? line.replace('AR>', 'RA>') : line.replace('RA>', 'AR>')],
      slip: [told(other[apart]!, apart)],
    },
  }
}

export const rowDrafts = [derivedFrom(calls)]
