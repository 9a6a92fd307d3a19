import type {Random} from '../../../engine/random.ts'
import {type Derived, type DerivedCalls, derivedFrom, num, places, vectorDone} from './derived-draft.ts'

/** None divides a power of two, 3 or 5, so that every place in the order is one element's. */
const factors = [7, 11, 13, 17, 19, 23, 29]

/** Different values in no order, and how they are made. */
interface Scores {
  x: number[]
  made: string
  /** The integer that a score comes from, as an equation. */
  whole: (at: number) => string
}

function scores(n: number, random: Random, name = 'x[i]'): Scores {
  const [factor, offset] = [random.pick(factors), random.integer(0, n - 1)]
  const whole = (at: number) => (factor * at + offset) % n
  return {
    x: places(n, (at) => whole(at) / 2 - n / 4),
    made: `${name} = (${factor} * i + ${offset}) % ${n} / 2 - ${n / 4}`,
    whole: (at) => `(${factor} * ${at} + ${offset}) % ${n} = ${whole(at)}`,
  }
}

/** Places of some elements, largest first. */
const order = (x: number[], from = 0, to = x.length) =>
  places(to - from, (at) => from + at).sort((a, b) => x[b]! - x[a]!)

/** The same in each block of 32. */
const inBlocks = (x: number[]) => places(x.length / 32, (at) => order(x, at * 32, at * 32 + 32)).flat()

/** Elements of an order, as steps. */
const told = ({x, whole}: Scores, sorted: number[], from = 0, most = 3) =>
  places(most, (k) => from + k).flatMap((k) => [
    `${whole(sorted[k]!)}: z[${k}] = x[${sorted[k]}] = ${num(x[sorted[k]!]!)}`,
    `i[${k}] = ${sorted[k]}`,
  ])

const taken = (n: number, name = 'sorted') => `Extract(zLocal, iLocal, ${name}, ${n / 32});`

/** A kernel that numbers elements, sorts, and takes values and indices apart. */
const sorting = ({x, made}: Pick<Scores, 'x' | 'made'>, sorted: number[], lines: string[], names: string[]) => ({
  ins: {x: ['float32', x] as const},
  outs: {z: ['float32', sorted.map((at) => x[at]!)] as const, i: ['uint32', sorted] as const},
  rooms: {
    index: ['uint32', x.length * 4] as const,
    ...Object.fromEntries(names.map((name) => [name, ['float32', x.length * 8] as const])),
  },
  lines: [`CreateVecIndex(index.ReinterpretCast<int32_t>(), 0, ${x.length});`, ...lines],
  facts: [`n = ${x.length}`, made, 'index[i] = i', '(z[k], i[k]) = (score, index)'],
})

const inPieces = (n: number) => `Sort32(sorted, xLocal, index, ${n / 32});`
const concat = (n: number) => ['LocalTensor<float> concat;', `Concat(concat, xLocal, work, ${n / 16});`]
const most = (x: number[], block: number) => num(Math.max(...x.slice(block * 32, block * 32 + 32)))

/** Queues of records into one; those that are missing have a length of 0. */
function merged(starts: string[], stops = false): string[] {
  const four = (values: string[], none: string) => [...values, ...places(4 - values.length, () => none)].join(', ')
  return [
    `uint16_t lengths[4] = {${four(
      starts.map(() => '32'),
      '0',
    )}};`,
    `MrgSortSrcList<float> queues(${four(starts, 'sorted')});`,
    `MrgSort4Info params(lengths, ${stops}, 0b${'1'.repeat(starts.length)}, 1);`,
    'MrgSort(all, queues, params);',
  ]
}

/** Sorting with indices, in pieces and as a whole. */
const calls: DerivedCalls = {
  Sort32: (random) => {
    const n = 32 * random.integer(2, 4)
    const all = scores(n, random)
    const {x} = all
    return {
      ...sorting(all, inBlocks(x), [inPieces(n), taken(n)], ['sorted']),
      law: 'sorted[k] = (score, index): 4 B + 4 B = 8 B, sorted[32 * g].score >= ... >= sorted[32 * g + 31].score',
      steps: [`repeatTime = ${n} / 32 = ${n / 32}`, ...told(all, inBlocks(x), 0, 2), ...told(all, inBlocks(x), 32, 1)],
      wrong: {
        room: ['sorted', n * 4],
        slip: [`sorted: ${n} * 8 = ${n * 8} > ${n * 4}`],
        shows: {refused: 'out-of-buffer'},
      },
    }
  },
  Sort: (random) => {
    const n = 32 * random.integer(2, 4)
    const all = scores(n, random)
    const {x} = all
    const pieces = inBlocks(x)
    const line = `Sort<float, true>(sorted, concat, index, work, ${n / 32});`
    return {
      ...sorting(all, order(x), [...concat(n), line, taken(n)], ['sorted', 'work']),
      law: 'z[0] >= z[1] >= ... >= z[n - 1], z[k] = x[i[k]]',
      steps: [`repeatTime = ${n} / 32 = ${n / 32}`, ...told(all, order(x))],
      wrong: {
        line: [line, line.replace('true', 'false')],
        slip: [
          `z[31] = min(x[0..31]) = x[${pieces[31]}] = ${num(x[pieces[31]!]!)}`,
          `z[32] = max(x[32..63]) = x[${pieces[32]}] = ${num(x[pieces[32]!]!)} > z[31]`,
        ],
      },
    }
  },
  Concat: (random) => {
    const n = 32 * random.integer(2, 4)
    const all = scores(n, random)
    const {x} = all
    const lines = [...concat(n), `Sort<float, true>(sorted, concat, index, work, ${n / 32});`, taken(n)]
    return {
      ...sorting(all, order(x), lines, ['sorted', 'work']),
      facts: [`n = ${n}`, all.made, 'index[i] = i', '(z, i) = Extract(Sort(Concat(x), index))'],
      law:
        'concat[k] = x[k] (repeatTime = n / 16), Sort: all[0].score >= all[1].score >= ..., ' +
        'Extract: z[k] = all[k].score, i[k] = all[k].index',
      steps: [
        `Concat: repeatTime = ${n} / 16 = ${n / 16}`,
        `Sort: repeatTime = ${n} / 32 = ${n / 32}`,
        ...told(all, order(x), 0, 2),
      ],
    }
  },
  Extract: (random) => {
    const n = 64 * random.integer(1, 2)
    const all = scores(n, random)
    const {x} = all
    return {
      ...sorting(all, inBlocks(x), [inPieces(n), taken(n)], ['sorted']),
      law: 'z[k] = sorted[k].score, i[k] = sorted[k].index, repeatTime = n / 32',
      steps: [`repeatTime = ${n} / 32 = ${n / 32}`, ...told(all, inBlocks(x), 0, 2)],
      wrong: {
        line: [taken(n), taken(n / 2)],
        slip: [`repeatTime = ${n / 64}: ${n / 64} * 32 = ${n / 2} < ${n}`],
        shows: {refused: 'read-unwritten'},
      },
    }
  },
  GetSortLen: (random) => {
    const n = 32 * random.integer(2, 6)
    const all = scores(n, random)
    const {x} = all
    const line = `pipe.InitBuffer(buffer, GetSortLen<float>(${n}) * sizeof(float));`
    const own = ['TBuf<TPosition::VECCALC> buffer;', line, 'LocalTensor<float> sorted = buffer.Get<float>();']
    return {
      ...sorting(all, inBlocks(x), [...own, inPieces(n), taken(n)], []),
      sizes: [`sorted: ${n * 2} * 4 = ${n * 8}`],
      law: 'GetSortLen<T>(n) = n * 8 / sizeof(T)',
      steps: [
        `GetSortLen<float>(${n}) = ${n} * 8 / 4 = ${n * 2}`,
        `sorted: ${n * 2} * 4 = ${n * 8}`,
        ...told(all, inBlocks(x), 0, 1),
      ],
      wrong: {
        line: [line, line.replace(' * sizeof(float)', '')],
        slip: [`sorted: ${n} * 8 = ${n * 8} > ${n * 2}`],
        shows: {refused: 'out-of-buffer'},
      },
    }
  },
  GetSortOffset: (random) => {
    const all = scores(64, random)
    const {x} = all
    const line = 'uint32_t second = GetSortOffset<float>(32);'
    const lines = [inPieces(64), line, ...merged(['sorted', 'sorted[second]']), taken(64, 'all')]
    return {
      ...sorting(all, order(x), lines, ['sorted', 'all']),
      law: 'GetSortOffset<T>(k) = k * 8 / sizeof(T)',
      steps: ['second = 32 * 8 / 4 = 64', '64 * 4 = 32 * 8 = 256', ...told(all, order(x), 0, 2)],
      wrong: {line: [line, 'uint32_t second = 32;'], slip: ['second * 4 / 8 = 32 * 4 / 8 = 16 != 32']},
    }
  },
  MrgSort: (random) => {
    const queues = random.integer(2, 4)
    const n = 32 * queues
    const all = scores(n, random)
    const {x} = all
    const lines = merged(places(queues, (at) => (at === 0 ? 'sorted' : `sorted[${at * 64}]`)))
    return {
      ...sorting(all, order(x), [inPieces(n), ...lines, taken(n, 'all')], ['sorted', 'all']),
      facts: [`n = ${n}`, `lengths = [${places(queues, () => 32).join(', ')}]`, all.made],
      law: 'all[0].score >= all[1].score >= ...',
      steps: [
        `Sort32: repeatTime = ${n} / 32 = ${queues}`,
        ...places(queues - 1, (at) => `sorted[${at + 1} * 32 * 8 / 4] = sorted[${64 * (at + 1)}]`),
        ...places(queues, (at) => `max(x[${at * 32}..${at * 32 + 31}]) = ${most(x, at)}`),
        ...told(all, order(x), 0, 2),
      ],
      limits: [`validBit = 0b${'1'.repeat(queues)} = ${2 ** queues - 1}`],
      wrong: {
        line: [lines[0]!, lines[0]!.replaceAll('32', '64')],
        slip: [
          `sorted[${64 * (queues - 1)}]: ${256 * (queues - 1)} + 64 * 8 = ${256 * (queues + 1)} > ${n} * 8 = ${n * 8}`,
        ],
        shows: {refused: 'partial-overlap'},
      },
    }
  },
  GetMrgSortResult: (random) => {
    // The first queue ends after `above` of the second.
    const above = random.integer(1, 30)
    const second = places(32, (at) => (at < above ? 40 + at / 2 : -20 - at / 2))
    const x = [...random.shuffle(places(32, (at) => at / 2)), ...random.shuffle(second)]
    return {
      ...sorting({x, made: ''}, [], [], ['sorted', 'all']),
      outs: {z: ['int32', places(8, () => 32)], i: ['int32', places(8, () => above)]},
      lines: [
        ...['CreateVecIndex(index.ReinterpretCast<int32_t>(), 0, 64);', inPieces(64)],
        ...merged(['sorted', 'sorted[64]'], true),
        'uint16_t taken[4] = {0, 0, 0, 0};',
        ...vectorDone,
        'GetMrgSortResult(taken[0], taken[1], taken[2], taken[3]);',
        'Duplicate(zLocal, static_cast<int32_t>(taken[0]), 8);',
        'Duplicate(iLocal, static_cast<int32_t>(taken[1]), 8);',
      ],
      facts: [
        `0 <= x[0..31] <= ${most(x, 0)}`,
        `count(x[32..63] > ${most(x, 0)}) = ${above}`,
        `count(x[32..63] < 0) = ${32 - above}`,
        ...['lengths = [32, 32]', 'z[k] = taken[0]', 'i[k] = taken[1]'],
        'ifExhaustedSuspension = true',
      ],
      law: 'ifExhaustedSuspension = true: taken[0] == lengths[0] || taken[1] == lengths[1]',
      steps: [
        `taken[1] = ${above}`,
        'taken[0] = 32 = lengths[0]',
        `taken[0] + taken[1] = 32 + ${above} = ${32 + above}`,
        `64 - ${32 + above} = ${32 - above}`,
      ],
    }
  },
  TopK: (random) => topK(random, random.pick([true, false])),
}

/** The largest or smallest of two rows. */
function topK(random: Random, isLargest: boolean): Derived {
  const [inner, k] = [32 * random.integer(1, 2), random.pick([8, 16])]
  const rows = places(2, (row) => scores(inner, random, `x[${row}][i]`))
  const x = rows.flatMap((one) => one.x)
  const found = places(2, (row) => {
    const all = order(x, row * inner, (row + 1) * inner)
    return (isLargest ? all : all.reverse()).slice(0, k)
  })
  const sign = isLargest ? '>=' : '<='
  const other = order(x, 0, inner).at(isLargest ? -1 : 0)!
  const line = `TopK<float, true>(zLocal, iLocal, xLocal, index, finished, ${k}, tilingData.part, info, ${isLargest});`
  return {
    ins: {x: ['float32', x]},
    outs: {
      z: ['float32', found.flat().map((at) => x[at]!)],
      i: ['int32', found.flatMap((all, row) => all.map((at) => at - row * inner))],
    },
    rooms: {index: ['int32', inner * 4]},
    form: {
      tiling: {
        type: 'TopkTiling',
        fill: [
          'auto platform = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());',
          `AscendC::TopKTilingFunc(platform, ${inner}, 2, ${k}, 4, true, AscendC::TopKMode::TOPK_NORMAL, ` +
            `${isLargest}, tiling.part);`,
        ],
      },
    },
    lines: [
      ...[`CreateVecIndex(index, 0, ${inner});`, 'LocalTensor<bool> finished;'],
      ...[`TopKInfo info{2, ${inner}, ${inner}};`, line],
    ],
    cols: inner,
    facts: [...rows.map(({made}) => made), `k = ${k}`, `isLargest = ${isLargest}`],
    law: `isLargest = ${isLargest}: z[r][0] ${sign} z[r][1] ${sign} ... ${sign} z[r][k - 1], z[r][j] = x[r][i[r][j]]`,
    steps: places(2, (row) =>
      places(2, (at) => {
        const place = found[row]![at]! - row * inner
        return [
          `${rows[row]!.whole(place)}: z[${row}][${at}] = x[${row}][${place}] = ${num(x[found[row]![at]!]!)}`,
          `i[${row}][${at}] = ${place}`,
        ]
      }),
    ).flat(2),
    limits: [`inner % 32 = ${inner} % 32 = 0`, `k = ${k} <= ${inner}`],
    wrong: {
      line: [line, line.replace(`info, ${isLargest}`, `info, ${!isLargest}`)],
      slip: [`z[0][0] = ${isLargest ? 'min' : 'max'}(x[0]) = x[0][${other}] = ${num(x[other]!)}`],
    },
  }
}

export const orderDrafts = [derivedFrom(calls)]
