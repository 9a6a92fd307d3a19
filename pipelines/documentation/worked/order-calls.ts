import type {Random} from '../../../engine/random.ts'
import {type Derived, type DerivedCalls, derivedFrom, num, places} from './derived-draft.ts'

/** Different values, so that every place in the order is one element's. */
const scores = (n: number, random: Random) =>
  random.shuffle(places(n, (at) => at - Math.floor(n / 2))).map((value) => value / 2)

/** Places of some elements, largest first. */
const order = (x: number[], from = 0, to = x.length) =>
  places(to - from, (at) => from + at).sort((a, b) => x[b]! - x[a]!)

/** The same in each block of 32. */
const inBlocks = (x: number[]) => places(x.length / 32, (at) => order(x, at * 32, at * 32 + 32)).flat()

/** Elements of an order, as steps. */
const told = (x: number[], sorted: number[], from = 0, most = 3) =>
  places(most, (k) => from + k).flatMap((k) => [
    `z[${k}] = x[${sorted[k]}] = ${num(x[sorted[k]!]!)}`,
    `i[${k}] = ${sorted[k]}`,
  ])

const taken = (n: number, name = 'sorted') => `Extract(zLocal, iLocal, ${name}, ${n / 32});`

/** A kernel that numbers elements, sorts, and takes values and indices apart. */
const sorting = (x: number[], sorted: number[], lines: string[], names: string[]) => ({
  ins: {x: ['float32', x] as const},
  outs: {z: ['float32', sorted.map((at) => x[at]!)] as const, i: ['uint32', sorted] as const},
  rooms: {
    index: ['uint32', x.length * 4] as const,
    ...Object.fromEntries(names.map((name) => [name, ['float32', x.length * 8] as const])),
  },
  lines: [`CreateVecIndex(index.ReinterpretCast<int32_t>(), 0, ${x.length});`, ...lines],
  facts: [`n = ${x.length}`, ...greatest(x, sorted)],
})

/** What the first places of an order rest on: of a whole one, or of each block of 32. */
function greatest(x: number[], sorted: number[]): string[] {
  const chain = (from: number) =>
    sorted
      .slice(from, from + 3)
      .map((at) => `x[${at}] = ${num(x[at]!)}`)
      .join(' >= ')
  const isWhole = sorted.every((at, k) => k === 0 || x[at]! <= x[sorted[k - 1]!]!)
  if (sorted.length === 0) return []
  if (isWhole) return [`${chain(0)} >= ...`]
  return places(2, (block) => `x[${block * 32}..${block * 32 + 31}]: ${chain(block * 32)} >= ...`)
}

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
    const x = scores(n, random)
    return {
      ...sorting(x, inBlocks(x), [inPieces(n), taken(n)], ['sorted']),
      law: 'sorted[k] = (score, index), 4 B + 4 B = 8 B',
      steps: [`${n} / 32 = ${n / 32}`, ...told(x, inBlocks(x), 0, 2), ...told(x, inBlocks(x), 32, 1)],
      wrong: {
        room: ['sorted', n * 4],
        slip: [`${n} * 4 = ${n * 4} < ${n} * 8 = ${n * 8}`],
        shows: {refused: 'out-of-buffer'},
      },
    }
  },
  Sort: (random) => {
    const n = 32 * random.integer(2, 4)
    const x = scores(n, random)
    const pieces = inBlocks(x)
    const line = `Sort<float, true>(sorted, concat, index, work, ${n / 32});`
    return {
      ...sorting(x, order(x), [...concat(n), line, taken(n)], ['sorted', 'work']),
      law: 'z[0] >= z[1] >= ... >= z[n - 1], z[k] = x[i[k]]',
      steps: [`${n} / 32 = ${n / 32}`, ...told(x, order(x))],
      wrong: {
        line: [line, line.replace('true', 'false')],
        slip: [
          `z[31] = min(x[0..31]) = ${num(x[pieces[31]!]!)}`,
          `z[32] = max(x[32..63]) = ${num(x[pieces[32]!]!)} > z[31]`,
        ],
      },
    }
  },
  Concat: (random) => {
    const n = 32 * random.integer(2, 4)
    const x = scores(n, random)
    const lines = [...concat(n), `Sort<float, true>(sorted, concat, index, work, ${n / 32});`, taken(n)]
    return {
      ...sorting(x, order(x), lines, ['sorted', 'work']),
      law:
        'concat[k] = x[k] (repeatTime = n / 16), Sort: all[0].score >= all[1].score >= ..., ' +
        'Extract: z[k] = all[k].score, i[k] = all[k].index',
      steps: [`${n} / 16 = ${n / 16}`, `Sort: ${n} / 32 = ${n / 32}`, ...told(x, order(x), 0, 2)],
    }
  },
  Extract: (random) => {
    const n = 64 * random.integer(1, 2)
    const x = scores(n, random)
    return {
      ...sorting(x, inBlocks(x), [inPieces(n), taken(n)], ['sorted']),
      law: 'z[k] = sorted[k].score, i[k] = sorted[k].index, repeatTime = n / 32',
      steps: [`${n} / 32 = ${n / 32}`, `${n} * 8 / 4 = ${2 * n}`, ...told(x, inBlocks(x), 0, 2)],
      wrong: {
        line: [taken(n), taken(n / 2)],
        slip: [`${n / 64} * 32 = ${n / 2} < ${n}`],
        shows: {refused: 'read-unwritten'},
      },
    }
  },
  GetSortLen: (random) => {
    const n = 32 * random.integer(2, 6)
    const x = scores(n, random)
    const line = `pipe.InitBuffer(buffer, GetSortLen<float>(${n}) * sizeof(float));`
    const own = ['TBuf<TPosition::VECCALC> buffer;', line, 'LocalTensor<float> sorted = buffer.Get<float>();']
    return {
      ...sorting(x, inBlocks(x), [...own, inPieces(n), taken(n)], []),
      law: 'GetSortLen<T>(n) * sizeof(T) = n * 8 B',
      steps: ['8 / 4 = 2', `GetSortLen<float>(${n}) = ${n} * 2 = ${n * 2}`, `${n * 2} * 4 = ${n * 8}`],
      wrong: {
        line: [line, line.replace(' * sizeof(float)', '')],
        slip: [`${n * 2} < ${n * 8}`, `${n * 2} / 8 = ${n / 4} < ${n}`],
        shows: {refused: 'out-of-buffer'},
      },
    }
  },
  GetSortOffset: (random) => {
    const x = scores(64, random)
    const line = 'uint32_t second = GetSortOffset<float>(32);'
    const lines = [inPieces(64), line, ...merged(['sorted', 'sorted[second]']), taken(64, 'all')]
    return {
      ...sorting(x, order(x), lines, ['sorted', 'all']),
      law: 'GetSortOffset<T>(k) = k * 8 / sizeof(T)',
      steps: ['8 / 4 = 2', '32 * 2 = 64', '64 * 4 = 32 * 8 = 256', ...told(x, order(x), 0, 2)],
      wrong: {line: [line, 'uint32_t second = 32;'], slip: ['32 * 4 = 128', '128 / 8 = 16 < 32']},
    }
  },
  MrgSort: (random) => {
    const queues = random.integer(2, 4)
    const n = 32 * queues
    const x = scores(n, random)
    const lines = merged(places(queues, (at) => (at === 0 ? 'sorted' : `sorted[${at * 64}]`)))
    return {
      ...sorting(x, order(x), [inPieces(n), ...lines, taken(n, 'all')], ['sorted', 'all']),
      facts: [`${n} = ${places(queues, () => 32).join(' + ')}`, ...greatest(x, order(x))],
      law: 'all[0].score >= all[1].score >= ...',
      steps: [
        ...[`${n} / 32 = ${queues}`, `32 * 8 / 4 = 64`],
        ...places(queues, (at) => `max(x[${at * 32}..${at * 32 + 31}]) = ${most(x, at)}`),
        ...told(x, order(x), 0, 2),
      ],
      limits: [`validBit = 0b${'1'.repeat(queues)} = ${2 ** queues - 1}`],
      wrong: {
        line: [lines[0]!, lines[0]!.replaceAll('32', '64')],
        slip: ['64 * 8 = 512', `${queues} * 512 = ${queues * 512} > ${n * 8}`],
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
      ...sorting(x, [], [], ['sorted', 'all']),
      outs: {z: ['int32', places(8, () => 32)], i: ['int32', places(8, () => above)]},
      lines: [
        ...['CreateVecIndex(index.ReinterpretCast<int32_t>(), 0, 64);', inPieces(64)],
        ...merged(['sorted', 'sorted[64]'], true),
        'uint16_t taken[4] = {0, 0, 0, 0};',
        'GetMrgSortResult(taken[0], taken[1], taken[2], taken[3]);',
        'Duplicate(zLocal, static_cast<int32_t>(taken[0]), 8);',
        'Duplicate(iLocal, static_cast<int32_t>(taken[1]), 8);',
      ],
      facts: [
        `0 <= x[0..31] <= ${most(x, 0)}`,
        `x[32..63] > ${most(x, 0)}: ${above}`,
        `x[32..63] < 0: ${32 - above}`,
        'ifExhaustedSuspension = true',
      ],
      law: 'taken[0] == 32 || taken[1] == 32',
      steps: [
        `32 + ${above} = ${32 + above}`,
        `64 - ${32 + above} = ${32 - above}`,
        'taken[0] = 32',
        `taken[1] = ${above}`,
      ],
    }
  },
  TopK: (random) => topK(random, random.pick([true, false])),
}

/** The largest or smallest of two rows. */
function topK(random: Random, isLargest: boolean): Derived {
  const [inner, k] = [32 * random.integer(1, 2), random.pick([8, 16])]
  const x = [...scores(inner, random), ...scores(inner, random)]
  const found = places(2, (row) => {
    const all = order(x, row * inner, (row + 1) * inner)
    return (isLargest ? all : all.reverse()).slice(0, k)
  })
  const [sign, last] = isLargest ? ['>=', Math.min(...x.slice(0, inner))] : ['<=', Math.max(...x.slice(0, inner))]
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
    facts: [`k = ${k}`, `isLargest = ${isLargest}`],
    law: `isLargest = ${isLargest}: z[r][0] ${sign} z[r][1] ${sign} ... ${sign} z[r][k - 1], z[r][j] = x[r][i[r][j]]`,
    steps: places(2, (row) =>
      places(2, (at) => {
        const place = found[row]![at]! - row * inner
        return [`z[${row}][${at}] = x[${row}][${place}] = ${num(x[found[row]![at]!]!)}`, `i[${row}][${at}] = ${place}`]
      }),
    ).flat(2),
    limits: [`${inner} % 32 = 0`, `${k} <= ${inner}`],
    wrong: {
      line: [line, line.replace(`info, ${isLargest}`, `info, ${!isLargest}`)],
      slip: [`z[0][0] = ${num(last as number)}`],
    },
  }
}

export const orderDrafts = [derivedFrom(calls)]
