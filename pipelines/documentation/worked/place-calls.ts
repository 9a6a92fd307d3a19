import {type DerivedCalls, derivedFrom, is, list, num, places, rowsOf, term} from './derived-draft.ts'
import {scalarOf, smallValues} from './worked-draft.ts'

/** Elements moved, chosen or spread, and what says from where and to where. */
const calls: DerivedCalls = {
  Copy: (random) => {
    const [rows, blocks] = [random.integer(3, 12), random.integer(2, 6)]
    const cols = blocks * 8
    const x = smallValues(rows * cols, 'float32', random)
    const line = `Copy(zLocal, xLocal, 8, ${rows}, {1, 1, 1, ${blocks}});`
    const end = (rows - 1) * blocks * 32 + 32
    return {
      ins: {x: ['float32', x]},
      outs: {z: ['float32', rowsOf(x, cols).flatMap((row) => row.slice(0, 8))]},
      lines: [line],
      facts: [`x: [${rows}, ${cols}]`, `x[${cols}] = ${num(x[cols]!)}`, 'z[r] = x[r][0..7]'],
      beyond: [`z[8] = ${num(x[cols]!)}`],
      law: 'z[8 * dstRepeatSize * r + i] = x[8 * srcRepeatSize * r + i], i < mask',
      steps: [
        `srcRepeatSize = ${cols} * 4 / 32 = ${blocks}`,
        'dstRepeatSize = 8 * 4 / 32 = 1',
        `z[8] = x[8 * ${blocks}] = ${num(x[cols]!)}`,
      ],
      wrong: {
        line: [line, `Copy(zLocal, xLocal, 8, ${rows}, {1, 1, ${blocks}, 1});`],
        slip: [`z: (${rows} - 1) * ${blocks} * 32 + 32 = ${end} > ${rows} * 32 = ${rows * 32}`],
        shows: {refused: 'out-of-buffer'},
      },
    }
  },
  SetPadValue: (random) => {
    const [spare, value] = [random.integer(1, 7), random.integer(-9, -1)]
    const n = 8 * random.integer(2, 4) - spare
    const [x, line] = [smallValues(n, 'float32', random), 'pad.isPad = false;']
    return {
      ins: {x: ['float32', x]},
      outs: {z: ['float32', [...x, ...places(spare, () => value)]]},
      form: {
        copies: {
          x: [
            ...[`SetPadValue(${value}.0f);`, `DataCopyExtParams params{1, ${n * 4}, 0, 0, 0};`],
            ...['DataCopyPadExtParams<float> pad;', line, `pad.rightPadding = ${spare};`, 'pad.paddingValue = 0;'],
            'DataCopyPad(xLocal, xGm, params, pad);',
          ],
        },
      },
      lines: [`Adds(zLocal, xLocal, 0.0f, ${n + spare});`],
      facts: [`n = ${n}`, `SetPadValue(${value})`, 'paddingValue = 0', `z: [${n + spare}]`],
      law: 'DataCopyPad, k >= n: z[k] = isPad ? paddingValue : SetPadValue',
      steps: [
        `${n + spare} * 4 = ${n * 4 + spare * 4} = ${(n + spare) / 8} * 32`,
        `rightPadding = ${n + spare} - ${n} = ${spare}`,
        `${spare === 1 ? '' : `z[${n}] = ... = `}z[${n + spare - 1}] = ${value}`,
      ],
      beyond: [`z[${n}] = ${value}`],
      wrong: {line: [line, line.replace('false', 'true')], slip: [`z[${n}] = paddingValue = 0`]},
    }
  },
  GatherMask: (random) => {
    const repeats = random.integer(1, 3)
    const n = 64 * repeats
    const patterns = [
      [1, 2, 0, 2, 1] as const,
      [2, 2, 1, 1, 0] as const,
      [3, 4, 0, 4, 1] as const,
      [5, 4, 2, 6, 3] as const,
    ]
    const [pattern, step, start, otherPattern, otherStart] = random.pick(patterns)
    const x = smallValues(n, 'float32', random)
    const line = `GatherMask(zLocal, xLocal, ${pattern}, false, 0, {1, ${repeats}, 8, 0}, kept);`
    const at = (from: number, k: number) => `z[${k}] = x[${from + step * k}] = ${num(x[from + step * k]!)}`
    return {
      ins: {x: ['float32', x]},
      outs: {z: ['float32', places(n / step, (k) => x[start + step * k]!)]},
      lines: ['uint64_t kept = 0;', line],
      facts: [
        `x[8..11] = ${list(x.slice(8, 12))}`,
        `n = ${n}`,
        `z = [x[${start}], x[${start + step}], x[${start + 2 * step}], ...]`,
      ],
      law: `src1Pattern = ${pattern}: z[k] = x[${step} * k${start === 0 ? '' : ` + ${start}`}]`,
      steps: [
        `repeatTimes = ${n} * 4 / 256 = ${repeats}`,
        ...places(3, (k) => at(start, k)),
        `kept = ${n} / ${step} = ${n / step}`,
      ],
      wrong: {
        line: [line, line.replace(`xLocal, ${pattern},`, `xLocal, ${otherPattern},`)],
        slip: places(2, (k) => at(otherStart, k)),
      },
    }
  },
  Gatherb: (random) => {
    const [dtype, per] = random.pick([['uint16', 16] as const, ['uint32', 8] as const])
    const x = places(per * 8, (at) => at)
    const blocks = random.shuffle(places(8, (at) => at))
    const odd = blocks.find((block) => block > 0)
    const line = 'Muls(offset, blocksLocal, static_cast<int32_t>(32), 8);'
    return {
      ins: {x: [dtype, x], blocks: ['int32', blocks]},
      outs: {z: [dtype, blocks.flatMap((block) => x.slice(block * per, (block + 1) * per))]},
      rooms: {offset: ['int32', 32]},
      lines: [line, 'Gatherb(zLocal, xLocal, offset.ReinterpretCast<uint32_t>(), 1, {1, 8});'],
      facts: ['x[i] = i', 'z.block[k] = x.block[blocks[k]]'],
      law: `z[${per} * k + i] = x[offset[k] / ${32 / per} + i], i < ${per}`,
      steps: [
        `32 / sizeof(${dtype}_t) = 32 / ${32 / per} = ${per}`,
        ...places(2, (k) => `offset[${k}] = ${blocks[k]} * 32 = ${blocks[k]! * 32}`),
        ...places(2, (k) => `z[${k * per}] = x[${blocks[k]! * 32} / ${32 / per}] = ${blocks[k]! * per}`),
      ],
      limits: ['offset[k] % 32 = 0'],
      wrong: {
        line: [line, line.replace('(32)', '(1)')],
        slip: [`offset = ${list(blocks, 4)}`, `${odd} % 32 = ${odd} != 0`],
        shows: {refused: 'gather-offset'},
      },
    }
  },
  GetCmpMask: (random) => {
    const period = random.pick([3, 5, 7])
    const bound = random.integer(1, period - 1)
    const [x, y] = [places(64, (at) => at % period), places(64, () => bound)]
    const bits = x.map((one) => (one < bound ? 1 : 0))
    const bytes = rowsOf(bits, 8).map((eight) => eight.reduce((sum, bit, at) => sum + bit * 2 ** at, 0))
    const line = 'Compare(xLocal, yLocal, CMPMODE::LT, 64, {1, 1, 1, 8, 8, 8});'
    return {
      ins: {x: ['float32', x], y: ['float32', y]},
      outs: {z: ['uint8', bytes, 128]},
      lines: [line, 'GetCmpMask(zLocal);'],
      facts: [`x[i] = i % ${period}`, `y[i] = ${bound}`, 'z.bit[i] = (x[i] < y[i])'],
      law: 'z[i / 8].bit[i % 8] = (x[i] < y[i])',
      steps: [
        ...places(8, (at) => `${num(x[at]!)} ${bits[at] ? '<' : '>='} ${num(y[at]!)}: bit[${at}] = ${bits[at]}`),
        `z[0] = 0b${bits.slice(0, 8).reverse().join('')} = ${bytes[0]}`,
      ],
      sizes: ['z: 64 / 8 = 8 -> 128'],
      wrong: {
        line: [line, line.replace('LT', 'GE')],
        slip: [`z[0] = 255 - ${bytes[0]} = 0b${(255 - bytes[0]!).toString(2).padStart(8, '0')} = ${255 - bytes[0]!}`],
      },
    }
  },
  SetCmpMask: (random) => {
    const rows = random.integer(2, 4)
    const n = rows * 64
    const [x, y] = [smallValues(n, 'float32', random), smallValues(n, 'float32', random).map((one) => one + 20)]
    const mask = places(16, () => random.integer(0, 255))
    const bit = (at: number) => (mask[Math.floor((at % 64) / 8)]! >> (at % 8)) & 1
    const z = x.map((one, at) => (bit(at) ? one : y[at]!))
    return {
      ins: {x: ['float32', x], y: ['float32', y], mask: ['uint8', mask]},
      outs: {z: ['float32', z]},
      lines: [
        ...['SetCmpMask(maskLocal);', 'PipeBarrier<PIPE_V>();', 'SetVectorMask<float>(64);'],
        `Select<float, SELMODE::VSEL_CMPMASK_SPR>(zLocal, xLocal, yLocal, ${rows}, {1, 1, 1, 8, 8, 8});`,
      ],
      facts: [`x[64] = ${num(x[64]!)}`, `y[64] = ${num(y[64]!)}`, `n = ${n}`],
      beyond: [`z[64] = ${num(z[64]!)}`],
      law: 'Select: z[i] = mask.bit[i % 64] ? x[i] : y[i]',
      steps: [
        `${mask[0]} = 0b${mask[0]!.toString(2).padStart(8, '0')}`,
        ...places(3, (at) => `mask.bit[${at}] = ${bit(at)}: z[${at}] = ${bit(at) ? 'x' : 'y'}[${at}] = ${num(z[at]!)}`),
        `repeatTime = ${n} / 64 = ${rows}`,
        `mask.bit[64 % 64] = mask.bit[0] = ${bit(0)}: z[64] = ${bit(0) ? 'x' : 'y'}[64] = ${num(z[64]!)}`,
      ],
    }
  },
  TransDataTo5HD: (random) => {
    const x = places(256, (at) => at)
    const [row, column] = [random.integer(1, 15), random.integer(1, 15)]
    const line = 'params.srcRepStride = 0;'
    const list_ = (name: string, of: string) => `    ${name}[row] = ${of}Local[row * 16];`
    return {
      ins: {x: ['float16', x]},
      outs: {z: ['float16', x.map((_, at) => (at % 16) * 16 + Math.floor(at / 16))]},
      lines: [
        ...['LocalTensor<half> from[16];', 'LocalTensor<half> to[16];', 'for (int32_t row = 0; row < 16; ++row) {'],
        ...[list_('from', 'x'), list_('to', 'z'), '}', 'TransDataTo5HDParams params;', 'params.repeatTimes = 1;'],
        ...['params.dstRepStride = 0;', line, 'TransDataTo5HD<half>(to, from, params);'],
      ],
      facts: ['x: [16, 16]', 'x[i] = i', 'z[c][r] = x[r][c]', `r = ${row}`, `c = ${column}`],
      law: 'from[r] = x[16 * r], to[c] = z[16 * c], to[c][r] = from[r][c]',
      steps: [
        '32 / sizeof(half) = 16',
        `x[${row} * 16 + ${column}] = ${16 * row + column}`,
        `z[${column} * 16 + ${row}] = z[${column * 16 + row}] = ${16 * row + column}`,
      ],
      beyond: [`z[${column * 16 + row}] = ${16 * row + column}`],
      wrong: {
        line: [line, line.replace('0', '1')],
        slip: ['srcList[15] + 1 * 16 = x[15 * 16 + 1 * 16] = x[256]', '256 >= 16 * 16 = 256'],
        shows: {refused: 'read-unwritten'},
      },
    }
  },
  BilinearInterpolation: (random) => {
    const [x, w] = [smallValues(256, 'float16', random), smallValues(16, 'float16', random).map(Math.abs)]
    const z = places(128, (at) => x[at]! * w[0]! + x[at + 128]! * w[1]!)
    const line = 'BilinearInterpolation(zLocal, xLocal, offsetLocal, wLocal, 128, 2, false, 1, 128, 1, work);'
    const told = (i: number) =>
      `z[${i}] = ${term(x[i])} * ${num(w[0]!)} + ${term(x[i + 128])} * ${num(w[1]!)} ${is(z[i]!)}`
    return {
      ins: {x: ['float16', x], offset: ['uint32', places(16, (at) => at * 32)], w: ['float16', w]},
      outs: {z: ['float16', z]},
      rooms: {work: ['uint8', (256 + 16) * 32]},
      lines: [line],
      facts: [
        `x[128..135] = ${list(x.slice(128, 136))}`,
        `w[8] = ${num(w[8]!)}`,
        'hRepeat = 2',
        'vRepeat = 1',
        'z[i] = x[i] * w[0] + x[i + 128] * w[1]',
      ],
      law: 'repeatMode = false: z[i] = x[i] * w[0] + x[i + 128] * w[1]',
      steps: ['8 * 32 / sizeof(half) = 128', ...places(3, told)],
      sizes: ['work: (256 + 16) * 32 = 8704'],
      wrong: {
        line: [line, line.replace('false', 'true')],
        slip: [
          `z[0] = x[0] * w[0] + x[128] * w[8] = ${term(x[0])} * ${num(w[0]!)} + ${term(x[128])} * ${num(w[8]!)} ` +
            is(x[0]! * w[0]! + x[128]! * w[8]!),
        ],
      },
    }
  },
  Arange: (random) => {
    const dtype = random.pick(['float32', 'int32'] as const)
    const [from, by, n] = [random.integer(-5, 9), random.integer(2, 5), random.integer(10, 90)]
    const line = `Arange(zLocal, ${scalarOf(String(from), dtype)}, ${scalarOf(String(by), dtype)}, ${n});`
    return {
      outs: {z: [dtype, places(n, (at) => from + at * by)]},
      lines: [line],
      facts: [`z[0] = ${from}`, `z[1] = ${from + by}`, `n = ${n}`],
      law: 'z[i] = firstValue + i * diffValue',
      steps: [
        `diffValue = ${from + by} - ${term(from)} = ${by}`,
        `z[2] = ${from} + 2 * ${by} = ${from + 2 * by}`,
        `z[${n - 1}] = ${from} + ${n - 1} * ${by} = ${from + (n - 1) * by}`,
      ],
      wrong: {
        line: [line, `CreateVecIndex(zLocal, ${scalarOf(String(from), dtype)}, ${n});`],
        slip: [`z[1] = ${from} + 1 = ${from + 1}`, `z[${n - 1}] = ${from} + ${n - 1} = ${from + n - 1}`],
      },
    }
  },
  Fill: (random, {entry}) => {
    const [n, value] = [random.integer(20, 400), random.integer(1, 9)]
    const line = `Fill(zGm, ${n}, ${value}.0f);`
    // A page of the same name is about the cube core's memories.
    if (/矩阵/.test(entry.origin.path)) return undefined
    return {
      outs: {z: ['float32', places(n, () => value)]},
      form: {isWhole: true},
      lines: [line],
      facts: [`n = ${n}`, `z[i] = ${value}`],
      law: 'zGm[i] = value, i < size',
      steps: [`size = ${n}`, `zGm[0] = zGm[${n - 1}] = ${value}`],
      wrong: {
        line: [line, `Fill(zGm, ${n} * sizeof(float), ${value}.0f);`],
        slip: [`size = ${n} * 4 = ${n * 4}`, `zGm: ${n * 4} * 4 = ${n * 16} > ${n} * 4 = ${n * 4}`],
        shows: {refused: 'gm-out-of-range'},
      },
    }
  },
  BinaryRepeatParams: (random) => {
    const rows = random.integer(2, 9)
    const [x, y] = [smallValues(rows * 64, 'float32', random), smallValues(64, 'float32', random)]
    const line = 'BinaryRepeatParams params{1, 1, 1, 8, 8, 0};'
    return {
      ins: {x: ['float32', x], y: ['float32', y]},
      outs: {z: ['float32', x.map((one, at) => one + y[at % 64]!)]},
      lines: [line, `Add(zLocal, xLocal, yLocal, 64, ${rows}, params);`],
      facts: [`x: [${rows}, 64]`, 'y: [1, 64]', `x[64] = ${num(x[64]!)}`, 'z[r] = x[r] + y'],
      beyond: [`z[64] = ${num(x[64]! + y[0]!)}`],
      law: 'Add: z[64 * r + i] = x[8 * src0RepStride * r + i] + y[8 * src1RepStride * r + i]',
      steps: [
        ...['src0RepStride = 64 * 4 / 32 = 8', 'src1RepStride = 0'],
        `z[64] = x[64] + y[0] = ${term(x[64])} + ${term(y[0])} ${is(x[64]! + y[0]!)}`,
      ],
      wrong: {
        line: [line, line.replace('8, 0}', '8, 8}')],
        slip: [`y: ${rows} * 256 = ${rows * 256} > 64 * 4 = 256`],
        shows: {refused: 'out-of-buffer'},
      },
    }
  },
  UnaryRepeatParams: (random) => {
    const [rows, apart] = [random.integer(2, 6), random.integer(2, 3)]
    const x = smallValues(rows * apart * 64, 'float32', random)
    const line = `UnaryRepeatParams params{1, 1, 8, ${8 * apart}};`
    const from = 64 * apart
    return {
      ins: {x: ['float32', x]},
      outs: {z: ['float32', rowsOf(x, from).flatMap((row) => row.slice(0, 64).map(Math.abs))]},
      lines: [line, `Abs(zLocal, xLocal, 64, ${rows}, params);`],
      facts: [
        `x: [${rows * apart}, 64]`,
        `z[r] = |x[${apart} * r]|`,
        `x[64] = ${num(x[64]!)}`,
        `x[${from}] = ${num(x[from]!)}`,
      ],
      beyond: [`z[64] = ${num(Math.abs(x[from]!))}`],
      law: 'Abs: z[8 * dstRepStride * r + i] = |x[8 * srcRepStride * r + i]|',
      steps: [
        'dstRepStride = 64 * 4 / 32 = 8',
        `srcRepStride = ${apart} * 8 = ${8 * apart}`,
        `z[64] = |x[8 * ${8 * apart}]| = |${num(x[from]!)}| = ${num(Math.abs(x[from]!))}`,
      ],
      wrong: {line: [line, line.replace(`${8 * apart}}`, '8}')], slip: [`z[64] = |x[64]| = ${num(Math.abs(x[64]!))}`]},
    }
  },
  ShapeInfo: (random) => {
    const [rows, cols] = [random.integer(3, 8), random.integer(9, 15)]
    const x = smallValues(rows * 16, 'float32', random)
    const line = '    uint32_t start = row * info.shape[1];'
    return {
      ins: {x: ['float32', x]},
      outs: {z: ['float32', x.map((one, at) => (at % 16 < cols ? one + 1 : 0))]},
      lines: [
        ...[`uint32_t shape[2] = {${rows}, 16};`, `uint32_t original[2] = {${rows}, ${cols}};`],
        'xLocal.SetShapeInfo(ShapeInfo(2, shape, 2, original, DataFormat::ND));',
        ...['ShapeInfo info = xLocal.GetShapeInfo();', `Duplicate(zLocal, 0.0f, ${rows * 16});`],
        ...['for (uint32_t row = 0; row < info.shape[0]; ++row) {', line],
        ...['    Adds(zLocal[start], xLocal[start], 1.0f, info.originalShape[1]);', '}'],
      ],
      facts: [
        `originalShape = [${rows}, ${cols}]`,
        `shape = [${rows}, 16]`,
        'z = x + 1 (c < originalShape[1]), z = 0 (c >= originalShape[1])',
        `x[16] = ${num(x[16]!)}`,
      ],
      law: 'start(r) = r * shape[1], c < originalShape[1]',
      steps: [
        ...['start(1) = 1 * 16 = 16', `z[16] = ${term(x[16])} + 1 ${is(x[16]! + 1)}`],
        `16 - ${cols} = ${16 - cols}: z[${cols}..15] = 0`,
      ],
      wrong: {
        line: [line, line.replace('shape[1]', 'originalShape[1]')],
        slip: [`start(1) = 1 * ${cols} = ${cols}`, `${cols} * 4 = ${cols * 4} = 32 + ${cols * 4 - 32}`],
        shows: {refused: 'unaligned-ub'},
      },
    }
  },
}

export const placeDrafts = [derivedFrom(calls)]
