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
  swapped,
  term,
  total,
  wholeRow,
} from './derived-draft.ts'

/** Rows of eight, each with its own largest element. */
const matrix = (rows: number, random: Random) =>
  places(rows, () => random.shuffle([-2, -1, -0.5, 0, 0.5, 1, 1.5, random.integer(4, 8) / 2])).flat()

/** One number for each row, eight times: what a block of 32 bytes holds. */
const spread = (values: number[]) => values.flatMap((one) => places(8, () => one))

/** Rooms of a block for each row. */
const blocks = (rows: number, names: string[]) =>
  Object.fromEntries(names.map((name) => [name, ['float32', rows * 32] as const]))

const tilingOf = (name: string, rows: number, more = '', sizes = '4', type = 'SoftMaxTiling') => ({
  tiling: {type, fill: [`AscendC::${name}(ge::Shape({${rows}, 8}), ${sizes}, 8192, tiling.part${more});`]},
})

const most = (row: number[]) => Math.max(...row)
const powers = (row: number[], shift = most(row)) => row.map((one) => Math.exp(one - shift))

/** Of a row: the largest, a power, and the sum of all powers. */
const told = (row: number[], shift = most(row)) => [
  `max ${is(shift)}`,
  `exp(${term(row[0])} - ${term(shift)}) ${is(powers(row, shift)[0]!)}`,
  `sum = ${powers(row, shift).slice(0, 3).map(num).join(' + ')} + ... ${is(total(powers(row, shift)))}`,
]

/** Four bytes for the sum of a row, where each takes a block. */
const tooSmall = (rows: number) => ({
  wrong: {
    room: ['sum', 32] as const,
    slip: [`sum: ${rows} * 32 = ${rows * 32} > 32`],
    shows: {refused: 'out-of-buffer'},
  },
})

/** Without it the library reads the shape that the source tensor was given, and small kernels give it none. */
const shapeOf = (rows: number) => `SoftMaxShapeInfo{${rows}, 8, ${rows}, 8}`

/** Softmax, whole and in parts, its logarithm and its gradient. */
const calls: DerivedCalls = {
  SoftMax: (random) => {
    const rows = random.integer(2, 5)
    const x = matrix(rows, random)
    const row = x.slice(0, 8)
    const [power, sum] = [powers(row)[0]!, total(powers(row))]
    return {
      ins: {x: ['float32', x]},
      outs: {z: ['float32', rowsOf(x, 8).flatMap((own) => powers(own).map((one) => one / total(powers(own))))]},
      rooms: blocks(rows, ['sum', 'max']),
      form: tilingOf('SoftMaxTilingFunc', rows),
      lines: [`SoftMax<float>(zLocal, sum, max, xLocal, tilingData.part, ${shapeOf(rows)});`],
      cols: 8,
      law: 'max = max(x[r]), sum = exp(x[r][0] - max) + ... + exp(x[r][7] - max), z[r][c] = exp(x[r][c] - max) / sum',
      steps: [...told(row), `z[0][0] ${is(power)} / ${num(sum)} ${is(power / sum)}`],
      sizes: [`sum, max: ${rows} * 32 = ${rows * 32}`],
      limits: [wholeRow('srcK')],
      ...tooSmall(rows),
    }
  },
  LogSoftMax: (random) => {
    const rows = random.integer(2, 5)
    const x = matrix(rows, random)
    const row = x.slice(0, 8)
    const log = (own: number[]) => powers(own).map((one) => Math.log10(one / total(powers(own))))
    const [share, first] = [powers(row)[0]! / total(powers(row)), log(row)[0]!]
    return {
      ins: {x: ['float32', x]},
      outs: {z: ['float32', rowsOf(x, 8).flatMap(log)]},
      rooms: {...blocks(rows, ['sum', 'max']), work: ['uint8', 8192]},
      form: tilingOf('LogSoftMaxTilingFunc', rows, '', '4', 'LogSoftMaxTiling'),
      lines: [`LogSoftMax<float>(zLocal, sum, max, xLocal, work, tilingData.part, ${shapeOf(rows)});`],
      cols: 8,
      law: 'z[r][c] = log10(exp(x[r][c] - max) / sum), sum = exp(x[r][0] - max) + ... + exp(x[r][7] - max)',
      steps: [
        ...told(row),
        `${num(powers(row)[0]!)} / ${num(total(powers(row)))} ${is(share)}`,
        `z[0][0] = log10(${num(share)}) ${is(first)}`,
      ],
      sizes: [`sum, max: ${rows} * 32 = ${rows * 32}`],
      ...tooSmall(rows),
    }
  },
  SimpleSoftMax: (random) => {
    const rows = random.integer(2, 5)
    const x = matrix(rows, random)
    const own = rowsOf(x, 8)
    const [tops, sums] = [own.map(most), own.map((row) => Number(num(total(powers(row)))))]
    const line = `SimpleSoftMax<float>(zLocal, sumLocal, maxLocal, xLocal, tilingData.part, ${shapeOf(rows)});`
    const by = (top: number, sum: number) => {
      const power = Math.exp(x[0]! - top)
      const exponential = `exp(${term(x[0])} - ${term(top)}) ${is(power)}`
      return [exponential, `z[0][0] ${is(power)} / ${num(sum)} ${is(power / sum)}`]
    }
    return {
      ins: {x: ['float32', x], sum: ['float32', spread(sums)], max: ['float32', spread(tops)]},
      outs: {z: ['float32', own.flatMap((row, at) => powers(row).map((one) => one / sums[at]!))]},
      form: tilingOf('SoftMaxTilingFunc', rows),
      lines: [line],
      cols: 8,
      law: 'z[r][c] = exp(x[r][c] - max[r]) / sum[r]',
      steps: by(tops[0]!, sums[0]!),
      limits: ['sum[r], max[r]: 8 * 4 B = 32 B'],
      ...swapped(line, ['sumLocal, maxLocal', 'maxLocal, sumLocal'], by(sums[0]!, tops[0]!)),
    }
  },
  SoftmaxFlash: (random) => flash(random, 'SoftmaxFlash'),
  SoftmaxFlashV2: (random) => flash(random, 'SoftmaxFlashV2'),
  SoftmaxFlashV3: (random) => {
    const [high, part] = [random.pick([1, 2]), random.integer(0, 7)]
    const row = places(512, (at) => (Math.floor(at / 64) === part ? high : 0))
    const own = high / 8
    const [top, rest] = [high - (own - high), -own]
    const share = Math.exp(rest - top)
    const eight = (values: number[]) => places(8, () => values).flat()
    return {
      ins: {x: ['float16', eight(row)]},
      outs: {z: ['float16', eight(row.map((one) => (one === high ? 1 : share)))]},
      rooms: {...blocks(8, ['mean', 'sum', 'max', 'before']), expMax: ['float16', 256]},
      form: {
        tiling: {
          type: 'SoftMaxTiling',
          fill: ['AscendC::SoftMaxFlashV3TilingFunc(ge::Shape({8, 512}), 2, 4, 16384, tiling.part, false);'],
        },
      },
      lines: [
        ...['Duplicate(before, 0.0f, 64);', 'SoftMaxParams params{8, 512, 8, 512, 1, 8, 0.5f};'],
        'SoftmaxFlashV3<half, float>(zLocal, mean, sum, max, xLocal, expMax, before, before, before, ' +
          'tilingData.part, params);',
      ],
      facts: [
        ...['x: [8, 512]', `x[r][${64 * part}..${64 * part + 63}] = ${high}`, `x[r][c] = 0 (c / 64 != ${part})`],
        ...['alpha = 0.5', 'splitMeanCnt = 8', 'isUpdate = false'],
      ],
      law: "s = alpha / (1 - alpha), x'[c] = x[c] - (mean - mean[c / 64]) * s, z = exp(x' - max(x'))",
      steps: [
        ...['s = 0.5 / (1 - 0.5) = 1', `mean[${part}] = ${high}`, `mean = ${high} / 8 ${is(own)}`],
        ...[
          `x[r][c] = ${high}: x' = ${high} - (${num(own)} - ${high}) * 1 ${is(top)}`,
          `x[r][c] = 0: x' = 0 - (${num(own)} - 0) * 1 ${is(rest)}`,
        ],
        `x[r][c] = ${high}: z = exp(${num(top)} - ${num(top)}) = 1`,
        `x[r][c] = 0: z = exp(${num(rest)} - ${num(top)}) ${is(share)}`,
        `sum = 64 * 1 + 448 * ${num(share)} ${is(64 + 448 * share)}`,
      ],
      beyond: [part === 0 ? `z[0][64] ≈ ${num(share)}` : `z[0][${64 * part}] = 1`],
      limits: ['n % 64 = 512 % 64 = 0', 'n = 512 >= 512', 'm % 8 = 8 % 8 = 0'],
    }
  },
  SoftmaxGrad: (random) => gradient(random, false),
  SoftmaxGradFront: (random) => gradient(random, true),
  AdjustSoftMaxRes: (random) => {
    const rows = random.integer(3, 5)
    // The first row is the one whose results are stated.
    const row = 0
    const exponents = [
      [1, 127, '0x3f800000'] as const,
      [2, 128, '0x40000000'] as const,
      [0.5, 126, '0x3f000000'] as const,
    ]
    const [from, exponent, bits] = random.pick(exponents)
    const x = places(rows * 8, () => random.pick([0.25, 0.125, 0.0625]))
    const maxima = places(rows, (at) => (at === row ? from : 3 + at))
    const line = `AdjustSoftMaxRes<float, float>(zLocal, maxLocal, ${bits}, 0.0f, shape);`
    const plain = Math.max(1, Math.trunc(from))
    return {
      ins: {x: ['float32', x], max: ['float32', spread(maxima)]},
      outs: {z: ['float32', x.map((one, at) => (Math.floor(at / 8) === row ? 0 : one))]},
      lines: [
        ...[`Adds(zLocal, xLocal, 0.0f, ${rows * 8});`, 'PipeBarrier<PIPE_V>();'],
        ...[`SoftMaxShapeInfo shape{${rows}, 8, ${rows}, 8};`, line],
      ],
      cols: 8,
      facts: [
        `max[1] = ${list(maxima.slice(1, 2).flatMap((one) => places(8, () => one)))}`,
        `max[r] == ${from}: z[r] = [0, ..., 0]`,
      ],
      law: 'z[r] = (bits(max[r][0]) == from) ? [to, ..., to] : x[r], to = 0',
      steps: [
        `bits(${from}) = (${exponent - 127} + 127) << 23 = ${bits}`,
        `max[0][0] = ${from}: z[0] = [0, 0, ..., 0]`,
        `max[1][0] = ${maxima[1]} != ${from}: z[1] = x[1]`,
      ],
      sizes: [`max: ${rows} * 32 = ${rows * 32}`],
      wrong: {
        line: [line, line.replace(bits, String(plain))],
        slip: [`from = 0x0000000${plain}: ${plain} * 2^-149 != ${from}`, `z[0] = x[0] = ${list(x.slice(0, 8))}`],
      },
    }
  },
}

/** A part of each row, with the maximum and the sum of what came before. */
function flash(random: Random, name: 'SoftmaxFlash' | 'SoftmaxFlashV2'): Derived {
  const [rows, isOld] = [random.integer(2, 5), name === 'SoftmaxFlash']
  const x = matrix(rows, random)
  const [maxima, sums] = [places(rows, () => random.integer(0, 8) / 2), places(rows, () => random.integer(2, 8) / 2)]
  const of = (row: number[], at: number) => {
    const top = Math.max(most(row), maxima[at]!)
    const factor = Math.exp(maxima[at]! - top)
    const sum = factor * sums[at]! + total(powers(row, top))
    return {top, factor, sum, z: powers(row, top).map((one) => (isOld ? one / sum : one))}
  }
  const row = x.slice(0, 8)
  const {top, factor, sum, z} = of(row, 0)
  const operands = 'zLocal, sum, max, xLocal, expMax, inSumLocal, inMaxLocal, tilingData.part'
  const [power, shape] = [`exp(${term(row[0])} - ${num(top)})`, shapeOf(rows)]
  return {
    ins: {x: ['float32', x], inSum: ['float32', spread(sums)], inMax: ['float32', spread(maxima)]},
    outs: {z: ['float32', rowsOf(x, 8).flatMap((own, at) => of(own, at).z)]},
    rooms: blocks(rows, ['sum', 'max', 'expMax']),
    form: isOld
      ? tilingOf('SoftMaxFlashTilingFunc', rows, ', true')
      : tilingOf('SoftMaxFlashV2TilingFunc', rows, ', true', '4, 4'),
    lines: [isOld ? `${name}<float>(${operands}, true, ${shape});` : `${name}<float, true>(${operands}, ${shape});`],
    cols: 8,
    law:
      'max = max(inMax, x[r]), sum = exp(inMax - max) * inSum + exp(x[r][0] - max) + ... + exp(x[r][7] - max), ' +
      `z[r][c] = exp(x[r][c] - max)${isOld ? ' / sum' : ''}`,
    steps: [
      `max = max(${num(maxima[0]!)}, ${num(most(row))}) ${is(top)}`,
      `exp(${num(maxima[0]!)} - ${num(top)}) ${is(factor)}`,
      `exp(x[0][0] - ${num(top)}) + ... + exp(x[0][7] - ${num(top)}) ${is(total(powers(row, top)))}`,
      `sum ${is(factor)} * ${num(sums[0]!)} + ${num(total(powers(row, top)))} ${is(sum)}`,
      isOld ? `z[0][0] = ${power} / ${num(sum)} ${is(z[0]!)}` : `z[0][0] = ${power} ${is(z[0]!)}`,
    ],
    sizes: [`sum, max, expMax: ${rows} * 32 = ${rows * 32}`],
    ...tooSmall(rows),
  }
}

function gradient(random: Random, isFront: boolean): Derived {
  const rows = random.integer(2, 5)
  const [x, dy] = [places(rows * 8, () => random.pick([0.5, 0.25, 0.125, 0.0625])), matrix(rows, random)]
  const products = rowsOf(
    x.map((one, at) => one * dy[at]!),
    8,
  )
  const dots = products.map(total)
  const both = (at: number) => {
    const [first, second] = [dy.slice(8 * at, 8 * at + 8), x.slice(8 * at, 8 * at + 8)]
    return first.map((one, c) => `${term(one)} * ${num(second[c]!)}`).join(' + ')
  }
  const dot = dots[0]!
  const operands = 'zLocal, dyLocal, xLocal, tilingData.part'
  const shape = shapeOf(rows)
  const line = isFront
    ? `SoftmaxGradFront<float>(${operands}, ${shape});`
    : `SoftmaxGrad<float>(${operands}, false, ${shape});`
  const back = x.map((one, at) => (dy[at]! - dots[Math.floor(at / 8)]!) * one)
  const slip = `z[0][0] = (${num(x[0]!)} - ${term(dot)}) * ${term(dy[0])} ${is((x[0]! - dot) * dy[0]!)}`
  const law = 'd = dy[r][0] * x[r][0] + ... + dy[r][7] * x[r][7]'
  return {
    ...(isFront && {beyond: [`z[1] = [${num(dots[1]!)}, ..., ${num(dots[1]!)}]`]}),
    ins: {x: ['float32', x], dy: ['float32', dy]},
    outs: {z: ['float32', isFront ? spread(dots) : back]},
    form: tilingOf('SoftMaxGradTilingFunc', rows, `, ${isFront}`),
    lines: [line],
    cols: 8,
    ...(isFront && {facts: [`x[1] = ${list(x.slice(8, 16))}`, `dy[1] = ${list(dy.slice(8, 16))}`]}),
    law: isFront ? `${law}, z[r][0] = ... = z[r][7] = d` : `${law}, z = (dy - d) * x`,
    steps: [
      `d = ${both(0)} ${is(dot)}`,
      ...(isFront
        ? [`z[0][0] = ... = z[0][7] ${is(dot)}`, `z[1][0] = ${both(1)} ${is(dots[1]!)}`]
        : places(2, (at) => `z[0][${at}] = (${term(dy[at])} - ${term(dot)}) * ${num(x[at]!)} ${is(back[at]!)}`)),
    ],
    ...(isFront && {sizes: [`z: ${rows} * 32 = ${rows * 32}`]}),
    limits: [wholeRow('srcK')],
    ...(!isFront && swapped(line, ['dyLocal, xLocal', 'xLocal, dyLocal'], [slip])),
  }
}

export const softmaxDrafts = [derivedFrom(calls)]
