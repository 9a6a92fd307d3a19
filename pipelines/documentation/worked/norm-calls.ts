import type {Dtype} from '../../../datasets/schema/tensor.ts'
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
import {smallValues} from './worked-draft.ts'

const mean = (values: number[]) => total(values) / values.length
const squares = (values: number[]) => values.map((one) => (one - mean(values)) ** 2)
const variance = (values: number[]) => mean(squares(values))
const root = (values: number[], epsilon: number) => Math.sqrt(variance(values) + epsilon)
const floats = (n: number, random: Random) => smallValues(n, 'float32', random)

const float = (values: Readonly<Record<string, number[]>>) =>
  Object.fromEntries(Object.entries(values).map(([name, all]) => [name, ['float32', all] as [Dtype, number[]]]))

/** A float of each of eight rows, or fewer, in a block of 32 bytes. */
const block = (names: string[], bytes = 32) =>
  Object.fromEntries(names.map((name) => [name, ['float32', bytes] as [Dtype, number]]))

/** Eight in a row, of which no two are alike, so that none has a variance of 0. */
const numbers = [-3.5, -2, -1.25, 0.5, 1, 2.25, 3, 4.5, 5.75]

const drawn = (random: Random, rows = random.integer(2, 4)) => ({
  rows,
  x: places(rows, () => random.shuffle(numbers).slice(0, 8)).flat(),
  gamma: places(8, () => random.pick([0.5, 1, 1.5, 2])),
  // Large enough that no sum comes near 0, where a rounding weighs more.
  beta: places(8, () => random.pick([6, 8, 10])),
  epsilon: random.pick([0.001, 0.01]),
})

/** What is normalised together: how its statistics come about, and each element of it. */
const normal = (own: number[], epsilon: number) => ({
  told: [
    `mean = (${summed(own)}) / ${own.length} ${is(mean(own))}`,
    `var = (${summed(squares(own))}) / ${own.length} ${is(variance(own))}`,
    `sqrt(${num(variance(own))} + ${epsilon}) ${is(root(own, epsilon))}`,
  ],
  of: (x: number, gamma: number, beta: number) => ((x - mean(own)) / root(own, epsilon)) * gamma + beta,
  step: (x: number, gamma: number, beta: number) =>
    `(${term(x)} - ${term(mean(own))}) / ${num(root(own, epsilon))} * ${term(gamma)} + ${term(beta)} ` +
    is(((x - mean(own)) / root(own, epsilon)) * gamma + beta),
})

/** Every row of eight by its own mean and variance. */
const byRows = ({x, gamma, beta, epsilon}: Omit<ReturnType<typeof drawn>, 'rows'>) =>
  rowsOf(x, 8).flatMap((row) => row.map((one, at) => normal(row, epsilon).of(one, gamma[at]!, beta[at]!)))

const tiled = (type: string, call: string) => ({tiling: {type, fill: [`AscendC::${call}, tiling.part);`]}})

const law = 'z = (x - mean) / sqrt(var + epsilon) * gamma + beta'
/** One number for each row. */
const eachRow = (names: string, rows: number) => [`${names}: ${rows} * 4 = ${rows * 4} -> 32`]

/** Normalisations, their gradients, and means and variances in pieces. */
const calls: DerivedCalls = {
  LayerNorm: (random) => {
    const one = drawn(random)
    const {rows, x, gamma, beta, epsilon} = one
    const {told, step} = normal(x.slice(0, 8), epsilon)
    const operands = 'zLocal, mean, variance, xLocal, gammaLocal, betaLocal'
    const line = `LayerNorm<float>(${operands}, ${epsilon}f, tilingData.part);`
    return {
      ins: float({x, gamma, beta}),
      outs: float({z: byRows(one)}),
      rooms: block(['mean', 'variance']),
      form: tiled('LayerNormTiling', `GetLayerNormNDTilingInfo(ge::Shape({1, ${rows}, 8, 8}), 8192, 4, false`),
      lines: [line],
      cols: 8,
      facts: [`epsilon = ${epsilon}`],
      law,
      steps: [...told, `z[0][0] = ${step(x[0]!, gamma[0]!, beta[0]!)}`],
      sizes: eachRow('mean, variance', rows),
      limits: [wholeRow('H')],
      ...swapped(
        line,
        ['gammaLocal, betaLocal', 'betaLocal, gammaLocal'],
        [`z[0][0] = ${step(x[0]!, beta[0]!, gamma[0]!)}`],
      ),
    }
  },
  RmsNorm: (random) => {
    const {rows, x, gamma, epsilon} = drawn(random)
    const power = (row: number[]) => mean(row.map((one) => one ** 2))
    const by = (row: number[]) => Math.sqrt(power(row) + epsilon)
    const own = x.slice(0, 8)
    const shape = `ge::Shape({1, ${rows}, 8})`
    return {
      ins: float({x, gamma}),
      outs: float({z: rowsOf(x, 8).flatMap((row) => row.map((one, at) => (one / by(row)) * gamma[at]!))}),
      form: {
        tiling: {
          type: 'RmsNormTiling',
          fill: [`AscendC::GetRmsNormTilingInfo(${shape}, ${shape}, 8192, 4, tiling.part, false);`],
        },
      },
      lines: [`RmsNorm<float>(zLocal, xLocal, gammaLocal, ${epsilon}f, tilingData.part);`],
      cols: 8,
      facts: [`epsilon = ${epsilon}`],
      law: 'z = x / sqrt((x[0]^2 + ... + x[7]^2) / 8 + epsilon) * gamma',
      steps: [
        `(x[0][0]^2 + ... + x[0][7]^2) / 8 = (${summed(own.map((one) => one ** 2))}) / 8 ${is(power(own))}`,
        `sqrt(${num(power(own))} + ${epsilon}) ${is(by(own))}`,
        ...places(2, (at) => {
          const value = (own[at]! / by(own)) * gamma[at]!
          return `z[0][${at}] = ${term(own[at])} / ${num(by(own))} * ${gamma[at]} ${is(value)}`
        }),
      ],
      limits: [wholeRow('H')],
    }
  },
  DeepNorm: (random) => {
    const one = drawn(random)
    const {rows, x, gamma, beta, epsilon} = one
    const [alpha, gx] = [random.pick([0.5, 1.5]), floats(x.length, random)]
    const both = x.map((value, at) => alpha * value + gx[at]!)
    const {told, step} = normal(both.slice(0, 8), epsilon)
    const shape = `ge::Shape({1, ${rows}, 8})`
    const line =
      `DeepNorm<float>(zLocal, mean, rstd, xLocal, gxLocal, betaLocal, gammaLocal, ${alpha}f, ${epsilon}f, ` +
      'tilingData.part);'
    return {
      ins: float({x, gx, beta, gamma}),
      outs: float({z: byRows({...one, x: both})}),
      rooms: block(['mean', 'rstd']),
      form: tiled('DeepNormTiling', `GetDeepNormTilingInfo(${shape}, ${shape}, 8192, 4, false, false`),
      lines: [line],
      cols: 8,
      facts: [`alpha = ${alpha}`, `epsilon = ${epsilon}`],
      law: "x' = alpha * x + gx, z = (x' - mean) / sqrt(var + epsilon) * gamma + beta",
      steps: [
        `x'[0][0] = ${alpha} * ${term(x[0])} + ${term(gx[0])} ${is(both[0]!)}`,
        ...told,
        `z[0][0] = ${step(both[0]!, gamma[0]!, beta[0]!)}`,
      ],
      limits: [wholeRow('H'), 'H = 8 <= 2040'],
      ...swapped(
        line,
        ['betaLocal, gammaLocal', 'gammaLocal, betaLocal'],
        [`z[0][0] = ${step(both[0]!, beta[0]!, gamma[0]!)}`],
      ),
    }
  },
  BatchNorm: (random) => {
    const {x: own, gamma, beta, epsilon} = drawn(random, 8)
    const x = own.map((_, at) => own[at - (at % 8)]!)
    const column = (at: number) => rowsOf(x, 8).map((row) => row[at]!)
    const z = x.map((one, at) =>
      normal(column(at % 8), epsilon).of(one, gamma[Math.floor(at / 8)]!, beta[Math.floor(at / 8)]!),
    )
    const {told, step} = normal(column(0), epsilon)
    const shape = 'ge::Shape({8, 1, 8})'
    const operands = 'zLocal, mean, variance, xLocal, gammaLocal, betaLocal'
    const line = `BatchNorm<float>(${operands}, ${epsilon}f, tilingData.part);`
    return {
      ins: float({x, gamma, beta}),
      outs: float({z}),
      rooms: block(['mean', 'variance']),
      form: tiled('BatchNormTiling', `GetBatchNormNDTilingInfo(${shape}, ${shape}, 8192, 4, false`),
      lines: [line],
      facts: [
        '[B, S, H] = [8, 1, 8]',
        `x[b][0][0] = ${list(column(0))}`,
        'x[b][0][i] = x[b][0][0]',
        `epsilon = ${epsilon}`,
      ],
      law: 'z[b][i] = (x[b][i] - mean[i]) / sqrt(var[i] + epsilon) * gamma[b] + beta[b]',
      steps: [...told, ...places(2, (b) => `z[${b}][0] = ${step(column(0)[b]!, gamma[b]!, beta[b]!)}`)],
      limits: [wholeRow('S * H')],
      ...swapped(
        line,
        ['gammaLocal, betaLocal', 'betaLocal, gammaLocal'],
        [`z[0][0] = ${step(x[0]!, beta[0]!, gamma[0]!)}`],
      ),
    }
  },
  GroupNorm: (random) => {
    const {x, gamma, beta, epsilon} = drawn(random, 8)
    const groups = random.pick([2, 4])
    const size = 64 / groups
    const own = rowsOf(x, size)
    const z = x.map((one, at) =>
      normal(own[Math.floor(at / size)]!, epsilon).of(one, gamma[Math.floor(at / 8)]!, beta[Math.floor(at / 8)]!),
    )
    const {told, step} = normal(own[0]!, epsilon)
    return {
      ins: float({x, gamma, beta}),
      outs: float({z}),
      rooms: block(['mean', 'variance']),
      form: tiled('GroupNormTiling', `GetGroupNormNDTilingInfo(ge::Shape({1, 8, 2, 4}), 8192, 4, false, ${groups}`),
      lines: [`GroupNorm<float>(zLocal, mean, variance, xLocal, gammaLocal, betaLocal, ${epsilon}f, tilingData.part);`],
      cols: 8,
      facts: [
        ...places(8 / groups - 1, (at) => `x[${at + 1}] = ${list(x.slice(8 * at + 8, 8 * at + 16))}`),
        ...['[N, C, H, W] = [1, 8, 2, 4]', `groupNum = ${groups}`, `epsilon = ${epsilon}`],
      ],
      law: 'z[c] = (x[c] - mean[g]) / sqrt(var[g] + epsilon) * gamma[c] + beta[c], g = c / (C / groupNum)',
      steps: [
        `C / groupNum = 8 / ${groups} = ${8 / groups}`,
        `${8 / groups} * H * W = ${8 / groups} * 2 * 4 = ${size}`,
        ...told,
        `z[0][0] = ${step(x[0]!, gamma[0]!, beta[0]!)}`,
      ],
      sizes: [`mean, variance: 1 * ${groups} * 4 = ${groups * 4} -> 32`],
    }
  },
  Normalize: (random) => {
    const one = drawn(random)
    const {rows, x, gamma, beta, epsilon} = one
    const [means, variances] = [rowsOf(x, 8).map(mean), rowsOf(x, 8).map(variance)]
    const [from, by] = [x[0]! - means[0]!, 1 / Math.sqrt(variances[0]! + epsilon)]
    const step = (scale: number, shift: number) =>
      `z[0][0] = ${term(from)} * ${num(by)} * ${scale} + ${shift} ${is(from * by * scale + shift)}`
    const line =
      `Normalize<float, float>(zLocal, rstd, meanLocal, varianceLocal, xLocal, gammaLocal, betaLocal, ${epsilon}f, ` +
      `NormalizePara{${rows}, 8, 8});`
    return {
      ins: float({x, mean: means, variance: variances, gamma, beta}),
      outs: float({z: byRows(one)}),
      rooms: block(['rstd']),
      lines: [line],
      cols: 8,
      facts: [`epsilon = ${epsilon}`],
      law: 'rstd = 1 / sqrt(variance + epsilon), z = (x - mean) * rstd * gamma + beta',
      steps: [
        `rstd = 1 / sqrt(${num(variances[0]!)} + ${epsilon}) ${is(by)}`,
        `x[0][0] - mean[0] = ${term(x[0])} - ${term(means[0])} ${is(from)}`,
        step(gamma[0]!, beta[0]!),
      ],
      sizes: eachRow('rstd', rows),
      limits: [wholeRow('rLengthWithPadding')],
      ...swapped(line, ['gammaLocal, betaLocal', 'betaLocal, gammaLocal'], [step(beta[0]!, gamma[0]!)]),
    }
  },
  LayerNormGrad: (random) => layerNormGrad(random),
  LayerNormGradBeta: (random) => {
    const rows = random.integer(2, 3)
    const [res, dy] = [floats(rows * 8, random), floats(rows * 8, random)]
    const column = (values: number[], at: number) => rowsOf(values, 8).map((row) => row[at]!)
    const products = (at: number) => column(res, at).map((one, row) => one * column(dy, at)[row]!)
    // Exchanged, it has to differ.
    const at = Math.max(0, places(8, (one) => total(products(one)) !== total(column(dy, one))).indexOf(true))
    const terms = column(res, at).map((one, row) => `${term(one)} * ${term(column(dy, at)[row])}`)
    const beta = `${summed(column(dy, at))} ${is(total(column(dy, at)))}`
    const line = 'LayerNormGradBeta<float>(dGammaLocal, dBetaLocal, resLocal, dyLocal, tilingData.part);'
    return {
      ins: float({res, dy}),
      outs: float({
        dGamma: places(8, (at) => total(products(at))),
        dBeta: places(8, (at) => total(column(dy, at))),
      }),
      form: tiled(
        'LayerNormGradBetaTiling',
        `GetLayerNormGradBetaNDTilingInfo(ge::Shape({1, ${rows}, 8, 8}), 8192, 4, false`,
      ),
      lines: [line],
      cols: 8,
      facts: places(rows - 1, (at) => [
        `res[${at + 1}] = [${rowsOf(res, 8)[at + 1]!.map(num).join(', ')}]`,
        `dy[${at + 1}] = [${rowsOf(dy, 8)[at + 1]!.map(num).join(', ')}]`,
      ]).flat(),
      law: 'dGamma[c] = res[0][c] * dy[0][c] + res[1][c] * dy[1][c] + ..., dBeta[c] = dy[0][c] + dy[1][c] + ...',
      steps: [`dGamma[${at}] = ${terms.join(' + ')} ${is(total(products(at)))}`, `dBeta[${at}] = ${beta}`],
      limits: [wholeRow('H')],
      ...swapped(line, ['dGammaLocal, dBetaLocal', 'dBetaLocal, dGammaLocal'], [`dGamma[${at}] = ${beta}`]),
    }
  },
  WelfordUpdate: (random) => {
    const n = random.integer(2, 6)
    const [x, old, sums] = [floats(8, random), floats(8, random), floats(8, random).map((one) => one ** 2)]
    const after = (at: number, count: number) => old[at]! + (x[at]! - old[at]!) / count
    const moved = (at: number) => sums[at]! + (x[at]! - old[at]!) * (x[at]! - after(at, n))
    const line = `WelfordUpdateParam para{1, 8, 8, 1.0f / ${n}};`
    const [from, to] = [x[0]! - old[0]!, x[0]! - after(0, n)]
    return {
      ins: float({x, mean: old, M: sums}),
      outs: float({newMean: places(8, (at) => after(at, n)), newM: places(8, moved)}),
      lines: [line, 'WelfordUpdate<float, float>(newMeanLocal, newMLocal, meanLocal, MLocal, xLocal, para);'],
      facts: [`previousCalls = ${n - 1}`],
      law: 'newMean = mean + (x - mean) * nRec, nRec = 1 / i, newM = M + (x - mean) * (x - newMean)',
      steps: [
        `i = ${n - 1} + 1 = ${n}`,
        `nRec = 1 / ${n} ${is(1 / n)}`,
        `x[0] - mean[0] = ${term(x[0])} - ${term(old[0])} ${is(from)}`,
        `newMean[0] = ${term(old[0])} + ${term(from)} / ${n} ${is(after(0, n))}`,
        `x[0] - newMean[0] = ${term(x[0])} - ${term(after(0, n))} ${is(to)}`,
        `newM[0] ${is(sums[0]!)} + ${term(from)} * ${term(to)} ${is(moved(0))}`,
      ],
      limits: [wholeRow('abLength'), 'rnLength = 1'],
      wrong: {
        line: [line, line.replace(`/ ${n}}`, `/ ${n - 1}}`)],
        slip: [`nRec = 1 / ${n - 1}`, `newMean[0] = ${term(old[0])} + ${term(from)} / ${n - 1} ${is(after(0, n - 1))}`],
      },
    }
  },
  WelfordFinalize: (random) => {
    const steps = random.integer(2, 6)
    const [count, means, sums] = [steps * 8, floats(8, random), floats(8, random).map((one) => one ** 2)]
    const between = total(squares(means))
    const of = (all: number) => (total(sums) + steps * between) / all
    const line = `WelfordFinalizePara para{${steps}, 8, ${steps}, 8, 0, 0, 1.0f / 8, 1.0f / ${count}};`
    return {
      ins: float({mean: means, M: sums}),
      outs: float({outMean: [mean(means)], outVar: [of(count)]}),
      lines: [line, 'WelfordFinalize(outMeanLocal, outVarLocal, meanLocal, MLocal, para);'],
      facts: [`Rn = ${steps}`, 'Ab = 8'],
      law:
        'outMean = (mean[0] + ... + mean[7]) * abRec, outVar = (M[0] + ... + M[7] + Rn * D) * rRec, ' +
        'D = (mean[0] - outMean)^2 + ... + (mean[7] - outMean)^2, abRec = 1 / Ab, rRec = 1 / (Rn * Ab)',
      steps: [
        `outMean = (${summed(means)}) / 8 ${is(mean(means))}`,
        `D = ${summed(squares(means))} ${is(between)}`,
        `M[0] + ... + M[7] = ${summed(sums)} ${is(total(sums))}`,
        `Rn * Ab = ${steps} * 8 = ${count}`,
        `outVar = (${num(total(sums))} + ${steps} * ${num(between)}) / ${count} ${is(of(count))}`,
      ],
      limits: [wholeRow('abLength'), 'headCountLength + tailCountLength = 8 + 0 = abLength'],
      wrong: {
        line: [line, line.replace(`1.0f / ${count}`, `1.0f / ${steps}`)],
        slip: [
          `rRec = 1 / ${steps}`,
          `outVar = (${num(total(sums))} + ${steps} * ${num(between)}) / ${steps} ${is(of(steps))}`,
        ],
      },
    }
  },
}

function layerNormGrad(random: Random): Derived {
  // Means and variances are rows of [B, S], which are whole blocks: eight equal rows.
  const {x: row, gamma, epsilon} = drawn(random, 1)
  const [rows, own] = [8, floats(8, random)]
  const [x, dy] = [places(rows, () => row).flat(), places(rows, () => own).flat()]
  const parts = rowsOf(x, 8).map((own, row) => {
    const s = root(own, epsilon)
    const p = places(8, (at) => dy[row * 8 + at]! * gamma[at]!)
    const d = own.map((one) => one - mean(own))
    const byVariance = (-0.5 * total(p.map((one, at) => one * d[at]!))) / s ** 3
    return {s, p, d, byVariance, byMean: -total(p) / s}
  })
  const z = parts.flatMap(({s, p, d, byVariance, byMean}) =>
    p.map((one, at) => one / s + (byVariance * 2 * d[at]!) / 8 + byMean / 8),
  )
  if (z.some((one) => Math.abs(one) < 0.1)) return layerNormGrad(random)
  const [means, variances] = [rowsOf(x, 8).map(mean), rowsOf(x, 8).map(variance)]
  const {s, p, d, byVariance, byMean} = parts[0]!
  const line =
    `LayerNormGrad<float>(zLocal, res, dyLocal, xLocal, varianceLocal, meanLocal, gammaLocal, ${epsilon}f, ` +
    'tilingData.part);'
  return {
    ins: float({x, dy, variance: variances, mean: means, gamma}),
    outs: float({z}),
    rooms: block(['res'], rows * 32),
    form: tiled('LayerNormGradTiling', `GetLayerNormGradNDTilingInfo(ge::Shape({1, ${rows}, 8, 8}), 8192, 4, false`),
    lines: [line],
    cols: 8,
    facts: [`epsilon = ${epsilon}`, 'x[r] = x[0], dy[r] = dy[0]'],
    law:
      'p = dy * gamma, s = sqrt(variance + epsilon), ' +
      'dVar = -0.5 * (p[0] * (x[0] - mean) + ... + p[7] * (x[7] - mean)) / s^3, ' +
      'dMean = -(p[0] + ... + p[7]) / s - dVar * 2 * ((x[0] - mean) + ... + (x[7] - mean)) / 8, ' +
      'z = p / s + dVar * 2 * (x - mean) / 8 + dMean / 8',
    steps: [
      `s = sqrt(${num(variances[0]!)} + ${epsilon}) ${is(s)}`,
      `s^3 ${is(s ** 3)}`,
      `p[0] = ${term(dy[0])} * ${gamma[0]} ${is(p[0]!)}`,
      `dVar = -0.5 * (${summed(p.map((one, at) => one * d[at]!))}) / ${num(s ** 3)} ${is(byVariance)}`,
      '(x[0] - mean) + ... + (x[7] - mean) = 0',
      `dMean = -(${summed(p)}) / ${num(s)} - 0 ${is(byMean)}`,
      `z[0][0] = ${term(p[0])} / ${num(s)} + ${term(byVariance)} * 2 * ${term(d[0])} / 8 + ${term(byMean)} / 8 ` +
        is(z[0]!),
    ],
    limits: [wholeRow('H'), wholeRow('B * S')],
    ...swapped(
      line,
      ['varianceLocal, meanLocal', 'meanLocal, varianceLocal'],
      [
        `s = sqrt(${num(means[0]!)} + ${epsilon}) ${is(Math.sqrt(means[0]! + epsilon))}`,
        `x[0] - mean = ${term(x[0])} - ${num(variances[0]!)} ${is(x[0]! - variances[0]!)}`,
      ],
    ),
  }
}

export const normDrafts = [derivedFrom(calls)]
