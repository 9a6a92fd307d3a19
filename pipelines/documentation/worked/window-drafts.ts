import {term} from './core-drafts.ts'
import {buffer, mmad, ordered, rowsOut} from './cube-drafts.ts'
import type {Form} from './small-kernel.ts'
import type {Drafting} from './worked-draft.ts'

/** A feature map of 16 channels of which the first alone is not 0, and the filter that sums up each window of it. */
interface Windows {
  h: number
  w: number
  /** Rows and columns of the filter; pixels of padding on each side. */
  filter: number
  pad: number
  /** Windows loaded at once, and lines before the load. */
  m: number
  set: readonly string[]
  /** Of L1 before the map, and of the map at its start again. */
  from?: number
}

/** Sums of windows, as a product of the unfolded map and a filter of ones. */
function windowForm({h, w, filter, pad, m, set, from = 0}: Windows, count: number): Form {
  const k = filter * filter * 16
  const pixels = h * w * 16
  return {
    inputs: [
      {name: 'x', dtype: 'float16', count: pixels},
      {name: 'y', dtype: 'float16', count: k * 16},
    ],
    outputs: [{name: 'z', dtype: 'float32', count: count * 16}],
    isWhole: true,
    cores: 'AIC_ONLY',
    before: ['constexpr IsResetLoad3dConfig SET_BEFORE = {false, false};', ''],
    compute: [
      ...buffer('a1', 'A1', 'half', pixels * 2),
      ...buffer('b1', 'B1', 'half', k * 32),
      ...buffer('a2', 'A2', 'half', count * k * 2),
      ...buffer('b2', 'B2', 'half', k * 32),
      ...buffer('c', 'CO1', 'float', count * 64),
      `DataCopy(a1, xGm, ${pixels});`,
      `DataCopy(b1, yGm, Nd2NzParams(1, ${k}, 16, 0, 16, ${k}, 1, 0));`,
      ...ordered('MTE2_MTE1'),
      `uint8_t pads[4] = {${Array.from({length: 4}, () => pad).join(', ')}};`,
      ...set,
      `LoadData3DParamsV2<half> windows(pads, ${h}, ${w}, 16, ${k}, ${m}, 0, 0, 1, 1, ${filter}, ${filter}, 1, 1,`,
      '                                 false, false, static_cast<half>(0));',
      `LoadData<half, SET_BEFORE>(a2, a1${from === 0 ? '' : `[${from * 16}]`}, windows);`,
      `LoadData(b2, b1, LoadData2DParams(0, ${k / 16}, 1, 0, 0, true, 0));`,
      ...ordered('MTE1_M'),
      mmad(count, 16, k, true),
      ...ordered('M_FIX'),
      ...rowsOut(16, count, count),
    ],
  }
}

/** Sums of the windows of a map in padding of one value. */
function sums(map: readonly number[], {h, w, filter, pad}: Windows, padding: number): number[] {
  const [rows, columns] = [h + 2 * pad - filter + 1, w + 2 * pad - filter + 1]
  const pixel = (row: number, column: number) =>
    row < 0 || column < 0 || row >= h || column >= w ? padding : (map[row * w + column] ?? 0)
  return Array.from({length: rows * columns}, (_, window) => {
    const [top, left] = [Math.floor(window / columns) - pad, (window % columns) - pad]
    return Array.from({length: filter * filter}, (_, at) =>
      pixel(top + Math.floor(at / filter), left + (at % filter)),
    ).reduce((sum, one) => sum + one, 0)
  })
}

const names = /^(?:SetFmatrix|SetLoadDataPaddingValue|SetLoadDataRepeat)$/

const unfolded: Drafting = ({name}, random) => {
  if (!names.test(name)) return undefined
  const [filter, pad] = [3, 1]
  const isTwice = name === 'SetLoadDataRepeat'
  const [h, w] = random.pick(
    isTwice
      ? [[4, 8] as const, [8, 4] as const, [2, 16] as const]
      : [
          [2, 8],
          [8, 2],
        ],
  )
  const padding = random.integer(1, 4)
  const count = h * w
  const matrix = [`SetFmatrix(${h}, ${w}, pads, FmatrixMode::FMATRIX_LEFT);`]
  const value = (bits: number) => [`SetLoadDataPaddingValue(static_cast<half>(${bits}));`]
  const repeat = (times: number) => [`SetLoadDataRepeat({${times === 1 ? 0 : 1}, ${times}, 0});`]
  const by = (set: readonly string[]): Windows => ({h, w, filter, pad, m: 16, set})
  const right = [...matrix, ...value(padding), ...repeat(isTwice ? 2 : 1)]
  const wrong =
    {
      SetFmatrix: [`SetFmatrix(${w}, ${h}, pads, FmatrixMode::FMATRIX_LEFT);`, ...value(padding), ...repeat(1)],
      SetLoadDataPaddingValue: [...matrix, ...value(0), ...repeat(1)],
      SetLoadDataRepeat: [...matrix, ...value(padding), ...repeat(1)],
    }[name] ?? []
  const map = Array.from({length: count}, () => random.integer(1, 6))
  const z = sums(map, by([]), padding)
  const corner = [map[0], map[1], map[w], map[w + 1]] as [number, number, number, number]
  const lines = {SetFmatrix: right[0], SetLoadDataPaddingValue: right[1], SetLoadDataRepeat: right[2]}
  return {
    situation: 'unfolded',
    values: {
      ...{api: name, h, w, pad, padding, windows: count, end: count - 1},
      corner: corner.map(String),
      data: [
        `map = [${map.join(', ')}] (${h} × ${w})`,
        ...['x[i] = [map[i], 0, …, 0]', 'y[i][0] = 1 (i % 16 = 0)', 'y[i][j] = 0 (i % 16 ≠ 0 ∨ j ≠ 0)'],
      ],
      ...{dry: z[0]! - 5 * padding, first: z[0] ?? 0, call: (lines[name as keyof typeof lines] ?? '').slice(0, -1)},
      steps: [
        `windows = (${h} + 2 − 3 + 1) × (${w} + 2 − 3 + 1) = ${h} × ${w} = ${count}`,
        ...(isTwice ? [`repeatTime = ${count} / 16 = 2`] : []),
        `padding in window 0: 9 − 4 = 5`,
        `z[0] = ${corner.join(' + ')} + 5 × ${padding} = ${z[0]}`,
      ],
    },
    form: windowForm(by(right), count),
    other: {
      form: windowForm(by(wrong), count),
      shows: isTwice ? {refused: 'read-unwritten'} : 'wrong',
    },
    given: {
      x: map.flatMap((one) => [one, ...Array.from({length: 15}, () => 0)]),
      y: Array.from({length: filter * filter * 256}, (_, at) => (at % 256 === 0 ? 1 : 0)),
    },
    expected: {z: z.flatMap((one) => [one, ...Array.from({length: 15}, () => 0)])},
  }
}

/** A map that wraps around to the start of L1. */
const ring: Drafting = ({name}, random) => {
  if (name !== 'SetLoadDataBoundary') return undefined
  const pixels = 16 * random.integer(2, 6)
  const from = random.integer(1, pixels - 1)
  const by = (boundary: number): Windows => ({
    ...{h: 1, w: pixels, filter: 1, pad: 0, m: pixels, from},
    set: [
      `SetFmatrix(1, ${pixels}, pads, FmatrixMode::FMATRIX_LEFT);`,
      'SetLoadDataPaddingValue(static_cast<half>(0));',
      `SetLoadDataRepeat({0, 1, 0});`,
      `SetLoadDataBoundary(${boundary});`,
    ],
  })
  const map = Array.from({length: pixels}, (_, at) => (at % 31) + 1)
  return {
    situation: 'ring',
    values: {
      ...{pixels, from, offset: from * 32, boundary: pixels * 32, last: pixels - from, first: map[from] ?? 0},
      data: [`x[i][0] = i % 31 + 1`, 'x[i][1…15] = 0', `z[i][0] = x[(i + ${from}) % ${pixels}][0]`],
      call: `SetLoadDataBoundary(${pixels * 32})`,
      steps: [
        'pixel: 16 × 2 = 32',
        `boundary = ${pixels} × 32 = ${pixels * 32}`,
        `start: ${from} × 32 = ${from * 32}`,
        `pixels before the end: ${pixels} − ${from} = ${pixels - from}`,
        `z[0] = ${from} % 31 + 1 = ${map[from]}`,
      ],
    },
    form: windowForm(by(pixels * 32), pixels),
    other: {form: windowForm(by(0), pixels), shows: {refused: 'out-of-buffer'}},
    given: {
      x: map.flatMap((one) => [one, ...Array.from({length: 15}, () => 0)]),
      y: Array.from({length: 256}, (_, at) => (at === 0 ? 1 : 0)),
    },
    expected: {
      z: Array.from({length: pixels}, (_, at) => map[(from + at) % pixels] ?? 0).flatMap((one) => [
        one,
        ...Array.from({length: 15}, () => 0),
      ]),
    },
  }
}

/** Two of every four elements along k, chosen by indices of two bits. */
const sparse: Drafting = ({name}, random) => {
  if (!/^(?:MmadWithSparse|LoadDataWithSparse)$/.test(name)) return undefined
  const [m, n, k] = [16 * random.integer(1, 3), 16, 64]
  const first = random.integer(0, 2)
  const second = random.integer(first, 2)
  const x = Array.from({length: m * k}, () => random.integer(1, 8))
  const weights = [random.integer(1, 5), random.integer(1, 5)]
  const y = Array.from({length: 512}, (_, at) => weights[at % 32] ?? 0)
  const byte = 17 * (first + 4 * second)
  const value = (row: number) =>
    (x[row * k + first] ?? 0) * (weights[0] ?? 0) + (x[row * k + 1 + second] ?? 0) * (weights[1] ?? 0)
  const by = (load: string): Form => ({
    inputs: [
      {name: 'x', dtype: 'int8', count: m * k},
      {name: 'y', dtype: 'int8', count: 512},
      {name: 'i', dtype: 'uint8', count: 128},
    ],
    outputs: [{name: 'z', dtype: 'int32', count: m * n}],
    isWhole: true,
    cores: 'AIC_ONLY',
    compute: [
      ...buffer('a1', 'A1', 'int8_t', m * k),
      ...buffer('b1', 'B1', 'int8_t', 512),
      ...buffer('i1', 'B1', 'uint8_t', 128),
      ...buffer('a2', 'A2', 'int8_t', m * k),
      ...buffer('b2', 'B2', 'int8_t', 512),
      ...buffer('c', 'CO1', 'int32_t', m * n * 4),
      `DataCopy(a1, xGm, Nd2NzParams(1, ${m}, ${k}, 0, ${k}, ${m}, 1, 0));`,
      'DataCopy(b1, yGm, 512);',
      'DataCopy(i1, iGm, 128);',
      ...ordered('MTE2_MTE1'),
      `for (int32_t row = 0; row < ${m / 16}; ++row) {`,
      `    LoadData(a2[row * 1024], a1[row * 512], LoadData2DParams(0, 2, ${m / 16}, 0, 0, false, 0));`,
      '}',
      load,
      ...ordered('MTE1_M'),
      `MmadWithSparse(c, a2, b2, MmadParams(${m}, ${n}, ${k}, 0, false, true));`,
      ...ordered('M_FIX'),
      `Fixpipe<int32_t, int32_t, CFG_ROW_MAJOR>(zGm, c, FixpipeParamsV220(${n}, ${m}, ${m}, ${n}, false));`,
    ],
  })
  const right = 'LoadDataWithSparse(b2, b1, i1, LoadData2dParams(0, 1, 0, 0, 0, false, 0));'
  const [left, next] = [x[first] ?? 0, x[1 + second] ?? 0]
  return {
    situation: 'sparse',
    values: {
      ...{api: name, m, k, half: k / 2, first, second, next: 1 + second, bytes: 128, sum: value(0)},
      x: x.slice(0, 4).map(String),
      y: y.slice(0, 2).map(String),
      call:
        name === 'MmadWithSparse'
          ? `MmadWithSparse(c, a2, b2, MmadParams(${m}, ${n}, ${k}, 0, false, true))`
          : right.slice(0, -1),
      steps: [
        `rows of B: ${k} / 2 = ${k / 2}`,
        `index bytes: ${k / 2} × 16 / 4 = 128`,
        `x[0][${first}] = ${left}`,
        `x[0][1 + ${second}] = x[0][${1 + second}] = ${next}`,
        `z[0] = ${y[0]} × ${term(left)} + ${y[1]} × ${term(next)} = ${value(0)}`,
      ],
      data: [
        `x[0] = [${x.slice(0, 4).join(', ')}, …]`,
        `B[0][n] = ${weights[0]}`,
        `B[1][n] = ${weights[1]}`,
        'B[2..31][n] = 0',
        'y[32 * n + k] = B[k][n]',
        `index pairs = (${first}, ${second})`,
      ],
    },
    form: by(right),
    other: {
      form: by('LoadData(b2, b1, LoadData2DParams(0, 1, 1, 0, 0, false, 0));'),
      shows: {refused: 'read-unwritten'},
    },
    given: {x, y, i: Array.from({length: 128}, () => byte)},
    expected: {z: Array.from({length: m * n}, (_, at) => value(Math.floor(at / n)))},
  }
}

export const windowDrafts: readonly Drafting[] = [unfolded, ring, sparse]
