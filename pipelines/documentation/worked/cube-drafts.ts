import {begins, term} from './core-drafts.ts'
import type {Form} from './small-kernel.ts'
import type {Draft, Drafting} from './worked-draft.ts'
import type {Random} from '../../../engine/random.ts'

/** A kernel with a TPipe gets its event ids from it. Source: the page of SetFlag and WaitFlag (ISASI). */
export function ordered(event: string): string[] {
  const id = `id${event
    .replaceAll('_', 'To')
    .replaceAll(/MTE(\d)/g, 'Mte$1')
    .replace('FIX', 'Fix')}`
  return [
    `const TEventID ${id} = pipe.FetchEventID(HardEvent::${event});`,
    `SetFlag<HardEvent::${event}>(${id});`,
    `WaitFlag<HardEvent::${event}>(${id});`,
  ]
}

export const buffer = (name: string, position: string, type: string, bytes: number): string[] => [
  `TBuf<TPosition::${position}> ${name}Buffer;`,
  `pipe.InitBuffer(${name}Buffer, ${bytes});`,
  `LocalTensor<${type}> ${name} = ${name}Buffer.Get<${type}>();`,
]

/** Sizes of a product, and what of it one question looks at. */
interface Product {
  m: number
  k: number
  n: number
  loadA?: readonly string[]
  loadB?: readonly string[]
  multiply?: readonly string[]
  leave?: readonly string[]
}

/** Loads of fractals of 16 by 16 halves out of columns of them in L1. */
const loadAOf = ({m, k}: Product, stride = m / 16): string[] => [
  `for (int32_t row = 0; row < ${m / 16}; ++row) {`,
  `    LoadData(a2[row * ${k * 16}], a1[row * 256], LoadData2DParams(0, ${k / 16}, ${stride}, 0, 0, false, 0));`,
  '}',
]
const loadBOf = ({k, n}: Product): string[] => [
  `for (int32_t row = 0; row < ${k / 16}; ++row) {`,
  `    LoadData(b2[row * ${n * 16}], b1[row * 256], LoadData2DParams(0, ${n / 16}, ${k / 16}, 0, 0, true, 0));`,
  '}',
]
export const mmad = (m: number, n: number, k: number, isFirst: boolean, a2 = 'a2', b2 = 'b2'): string =>
  `Mmad(c, ${a2}, ${b2}, MmadParams(${m}, ${n}, ${k}, 0, false, ${isFirst}));`

export const rowsOut = (n: number, m: number, stride: number): string[] => [
  `Fixpipe<float, float, CFG_ROW_MAJOR>(zGm, c, FixpipeParamsV220(${n}, ${m}, ${stride}, ${n}, false));`,
]

/** z = x · y on one cube core: x is m by k, y is k by n. */
function productForm(p: Product): Form {
  const {m, k, n} = p
  return {
    inputs: [
      {name: 'x', dtype: 'float16', count: m * k},
      {name: 'y', dtype: 'float16', count: k * n},
    ],
    outputs: [{name: 'z', dtype: 'float32', count: m * n}],
    isWhole: true,
    cores: 'AIC_ONLY',
    compute: [
      ...buffer('a1', 'A1', 'half', m * k * 2),
      ...buffer('b1', 'B1', 'half', k * n * 2),
      ...buffer('a2', 'A2', 'half', m * k * 2),
      ...buffer('b2', 'B2', 'half', k * n * 2),
      ...buffer('c', 'CO1', 'float', m * n * 4),
      `DataCopy(a1, xGm, Nd2NzParams(1, ${m}, ${k}, 0, ${k}, ${m}, 1, 0));`,
      `DataCopy(b1, yGm, Nd2NzParams(1, ${k}, ${n}, 0, ${n}, ${k}, 1, 0));`,
      ...ordered('MTE2_MTE1'),
      ...(p.loadA ?? loadAOf(p)),
      ...(p.loadB ?? loadBOf(p)),
      ...ordered('MTE1_M'),
      ...(p.multiply ?? [mmad(m, n, k, true)]),
      ...ordered('M_FIX'),
      ...(p.leave ?? rowsOut(n, m, m)),
    ],
  }
}

/** Halves that every question can write down: rows of the left matrix differ, and none is like its neighbour. */
export const leftMatrix = (m: number, k: number) =>
  Array.from({length: m * k}, (_, at) => ((3 * Math.floor(at / k) + (at % k)) % 11) - 5)
export const leftText = 'x[i][j] = (3 × i + j) % 11 − 5'

/** A right matrix that takes columns of the left one, from one on, repeatedly. */
export const rightMatrix = (k: number, n: number, from: number, factor: number) =>
  Array.from({length: k * n}, (_, at) => (Math.floor(at / n) === (at % n) + from ? factor : 0))
export function rightText(from: number, factor: number): string {
  const place = from === 0 ? 'j' : `j + ${from}`
  return `y[i][j] = ${factor} (i = ${place}), 0 (i ≠ ${place})`
}

export const productOf = (x: readonly number[], y: readonly number[], {m, k, n}: Product): number[] =>
  Array.from({length: m * n}, (_, at) => {
    const [row, column] = [Math.floor(at / n), at % n]
    return Array.from({length: k}, (_, i) => (x[row * k + i] ?? 0) * (y[i * n + column] ?? 0)).reduce(
      (sum, one) => sum + one,
      0,
    )
  })

const sizes = (random: Random) => ({
  m: 16 * random.integer(2, 3),
  k: 16 * random.integer(2, 4),
  n: 16 * random.integer(2, 3),
})

interface Asked {
  situation: string
  values: Draft['values'] & {steps: string[]}
  /** Of the operands, where the question does not say them otherwise. */
  shapes?: string[]
  /** Default `z = x · y`. */
  result?: string
}

/** A product in which one part is written in another way than it should be. */
function product(asked: Asked, p: Product, wrong: Product, random: Random): Draft {
  const {situation, values, shapes = [], result = 'z = x · y'} = asked
  const [from, factor] = [random.pick([1, 2, 3, 4, 6, 7, 8, 9]), random.integer(2, 5)]
  const {m, k, n} = p
  const [x, y] = [leftMatrix(m, k), rightMatrix(k, n, from, factor)]
  const first = x[from] ?? 0
  const last = `z[0] = ${factor} × x[0][${from}] = ${factor} × ${term(first)} = ${factor * first}`
  return {
    situation,
    values: {
      m,
      k,
      n,
      ...values,
      steps: [...values.steps, last],
      data: [...shapes, leftText, rightText(from, factor), result],
    },
    form: productForm(p),
    other: {form: productForm(wrong), shows: 'wrong'},
    given: {x, y},
    expected: {z: productOf(x, y, p)},
  }
}

/** A sum over k in two pieces. */
const multiplied: Drafting = ({name}, random) => {
  if (name !== 'Mmad') return undefined
  const [m, n, half] = [16, 16, 16 * random.integer(1, 4)]
  const p = {m, n, k: 2 * half}
  const [a, b] = [random.integer(1, 4), random.integer(2, 5)]
  const rest = [`a2[${half * 16}]`, `b2[${half * n}]`] as const
  const by = (isFirst: boolean): Form =>
    productForm({
      ...p,
      multiply: [mmad(m, n, half, true), 'PipeBarrier<PIPE_M>();', mmad(m, n, half, isFirst, ...rest)],
    })
  const x = leftMatrix(m, p.k)
  const y = rightMatrix(p.k, n, 0, a).map((value, at) => value + (rightMatrix(p.k, n, half, b)[at] ?? 0))
  const [first, second] = [a * (x[0] ?? 0), b * (x[half] ?? 0)]
  if (first === 0 || second === 0) return undefined
  return {
    situation: 'multiplied',
    values: {
      ...{m, n, k: p.k, half, first, second, sum: first + second, call: mmad(m, n, half, false, ...rest).slice(0, -1)},
      data: [leftText, `y[i][j] = ${a} (i = j), ${b} (i = j + ${half}), 0 (i ≠ j, i ≠ j + ${half})`, 'z = x · y'],
      steps: [
        `k = ${2 * half} = ${half} + ${half}`,
        `Mmad 1: ${a} × x[0][0] = ${a} × ${term(x[0] ?? 0)} = ${first}`,
        `Mmad 2: ${b} × x[0][${half}] = ${b} × ${term(x[half] ?? 0)} = ${second}`,
        `z[0] = ${first} + ${term(second)} = ${first + second}`,
      ],
    },
    form: by(false),
    other: {form: by(true), shows: 'wrong'},
    given: {x, y},
    expected: {z: productOf(x, y, p)},
  }
}

/** Fractals of one row of A, which are a column of them apart in L1. */
const loaded: Drafting = ({name, entry}, random) => {
  if (name !== 'LoadData' || !/2D矩阵搬运|LoadData$/.test(entry.page)) return undefined
  const p = sizes(random)
  const stride = p.m / 16
  const values = {
    ...{stride, times: p.k / 16, distance: stride * 512},
    ...{call: `LoadData2DParams(0, ${p.k / 16}, ${stride}, 0, 0, false, 0)`},
    steps: [
      `fractal: 16 × 16 × 2 = 512`,
      `repeatTimes = ${p.k} / 16 = ${p.k / 16}`,
      `srcStride = ${p.m} / 16 = ${stride}`,
    ],
  }
  return product({situation: 'loaded', values}, p, {...p, loadA: loadAOf(p, 1)}, random)
}

/** B is turned on its way to L0B. */
const turned: Drafting = ({name}, random) => {
  if (name !== 'LoadDataWithTranspose') return undefined
  const p = sizes(random)
  const by = (call: string) => [`for (int32_t row = 0; row < ${p.k / 16}; ++row) {`, `    ${call}`, '}']
  const place = `b2[row * ${p.n * 16}], b1[row * 256]`
  const right = `LoadDataWithTranspose(${place}, LoadData2dTransposeParams(0, ${p.n / 16}, ${p.k / 16}, 0, 0));`
  const wrong = `LoadData(${place}, LoadData2DParams(0, ${p.n / 16}, ${p.k / 16}, 0, 0, false, 0));`
  const values = {
    ...{times: p.n / 16, stride: p.k / 16, call: `LoadData2dTransposeParams(0, ${p.n / 16}, ${p.k / 16}, 0, 0)`},
    steps: [`repeatTimes = ${p.n} / 16 = ${p.n / 16}`, `srcStride = ${p.k} / 16 = ${p.k / 16}`],
  }
  return product({situation: 'turned', values}, {...p, loadB: by(right)}, {...p, loadB: by(wrong)}, random)
}

/** Columns of 16 of the result, which are m rows apart in L0C. */
const left: Drafting = ({name, entry}, random) => {
  if (name !== 'Fixpipe' || /L1/.test(entry.page)) return undefined
  const p = sizes(random)
  const values = {
    ...{columns: p.n / 16, call: `FixpipeParamsV220(${p.n}, ${p.m}, ${p.m}, ${p.n}, false)`},
    steps: [
      `columns of 16: ${p.n} / 16 = ${p.n / 16}`,
      `block: ${p.m} × 16 × 4 = ${p.m * 16 * 4}`,
      `srcStride = ${p.m}`,
      `dstStride = ${p.n}`,
    ],
  }
  return product({situation: 'left', values}, p, {...p, leave: rowsOut(p.n, p.m, 16)}, random)
}

/** Two results of 16 by 16 that leave L0C in one copy. */
const twoResults: Drafting = ({name}, random) => {
  if (name !== 'SetFixpipeNz2ndFlag') return undefined
  const m = 16 * random.integer(1, 4)
  const p = {m, k: 16 * random.integer(2, 4), n: 32}
  const by = (far: number): Product => ({
    ...p,
    leave: [
      `SetFixpipeNz2ndFlag(2, ${m / 16}, ${far});`,
      `DataCopyCO12DstParams rows(16, ${m}, 16, ${m}, QuantMode_t::NoQuant, 0, false, true);`,
      'DataCopy(zGm, c, rows);',
    ],
  })
  const values = {
    ...{m, call: `SetFixpipeNz2ndFlag(2, ${m / 16}, ${m * 16})`, src: m / 16, dst: m * 16, bytes: m * 64},
    steps: [
      `bytes: ${m} × 16 × 4 = ${m * 64}`,
      `srcNdStride = ${m * 64} / 1024 = ${m / 16}`,
      `dstNdStride = ${m} × 16 = ${m * 16}`,
    ],
  }
  const shapes = [`x: [${m}, ${p.k}]`, `y: [${p.k}, 32]`]
  const result = 'z = [(x · y)[:, 0..15], (x · y)[:, 16..31]]'
  const draft = product({situation: 'two-results', values, shapes, result}, by(m * 16), by(16), random)
  const z = draft.expected?.['z'] ?? []
  const at = (column: number) =>
    Array.from({length: m * 16}, (_, i) => z[Math.floor(i / 16) * 32 + column + (i % 16)] ?? 0)
  return {...draft, expected: {z: [...at(0), ...at(16)]}}
}

const clipped = (value: number) => Math.min(Math.max(value, -128), 127)

/** A result that becomes int8_t on its way out: by one scale, or by one for each column. */
const scaled: Drafting = ({name}, random) => {
  if (!/^(?:SetFixpipePreQuantFlag|SetFixPipeConfig)$/.test(name)) return undefined
  const p = {m: 16 * random.integer(1, 4), k: 16 * random.integer(1, 2), n: 16}
  const isEach = name === 'SetFixPipeConfig'
  const factor = 2 * random.integer(2, 7)
  const [x, y] = [leftMatrix(p.m, p.k), rightMatrix(p.k, 16, 0, factor)]
  // Powers of two of which every product with an even sum is whole.
  const scales = Array.from({length: 16}, () => (isEach ? random.pick([0.5, 1, 2]) : 0.5))
  // Bit 46 of a scale says that results are signed.
  const bits = (scale: number) => new Uint32Array(new Float32Array([scale]).buffer)[0] ?? 0
  const signed = (scale: number) => bits(scale) + 2 ** 46
  const mode = isEach ? 'VQF322B8_PRE' : 'QF322B8_PRE'
  const by = (word: number): Form => {
    const form = productForm({
      ...p,
      leave: [
        isEach ? 'SetFixPipeConfig(scales);' : `SetFixpipePreQuantFlag(0x${word.toString(16)});`,
        'SetFixpipeNz2ndFlag(1, 1, 1);',
        'PipeBarrier<PIPE_FIX>();',
        `DataCopyCO12DstParams rows(16, ${p.m}, 16, ${p.m}, QuantMode_t::${mode}, 0, false, true);`,
        'DataCopy(zGm, c, rows);',
      ],
    })
    const from = form.compute.findIndex((line) => line.startsWith('const TEventID'))
    const table = [
      ...buffer('s1', 'A1', 'uint64_t', 128),
      ...buffer('scales', 'C2PIPE2GM', 'uint64_t', 128),
      'DataCopy(s1, sGm, 16);',
      ...ordered('MTE2_FIX'),
      'DataCopy(scales, s1, DataCopyParams(1, 1, 0, 0));',
    ]
    return {
      ...form,
      inputs: [...form.inputs, ...(isEach ? [{name: 's', dtype: 'uint64' as const, count: 16}] : [])],
      outputs: [{name: 'z', dtype: 'int8', count: p.m * 16}],
      compute: [...form.compute.slice(0, from), ...(isEach ? table : []), ...form.compute.slice(from)],
    }
  }
  const sums = productOf(x, y, p)
  const z = sums.map((value, at) => clipped(value * (scales[at % 16] ?? 1)))
  const first = sums[0] ?? 0
  if (first === 0) return undefined
  const product = first * (scales[0] ?? 0)
  return {
    situation: 'scaled',
    values: {
      ...{api: name, mode, product, result: z[0] ?? 0, word: `0x${signed(scales[0] ?? 0).toString(16)}`},
      ...{scale: scales[0] ?? 0, bits: `0x${bits(scales[0] ?? 0).toString(16)}`, first},
      call: isEach ? 'SetFixPipeConfig(scales)' : `SetFixpipePreQuantFlag(0x${signed(0.5).toString(16)})`,
      steps: [
        ...(isEach
          ? ['table: 16 × 8 = 128']
          : [
              `bits: ${scales[0]} → 0x${bits(0.5).toString(16)}`,
              `argument: 0x${bits(0.5).toString(16)} | 1 << 46 = 0x${signed(0.5).toString(16)}`,
            ]),
        `sum: ${factor} × x[0][0] = ${factor} × ${term(x[0] ?? 0)} = ${first}`,
        `z[0] = ${first} × ${scales[0]} = ${product}${product === z[0] ? '' : ` → ${z[0]}`}`,
      ],
      data: [leftText, rightText(0, factor), 'z = scale × (x · y)', ...(isEach ? [begins('scale', scales)] : [])],
    },
    form: by(signed(0.5)),
    ...(!isEach && {other: {form: by(bits(0.5)), shows: 'wrong' as const}}),
    given: {x, y, ...(isEach && {s: scales.map(signed)})},
    expected: {z},
  }
}

export const cubeDrafts: readonly Drafting[] = [multiplied, loaded, turned, left, twoResults, scaled]
