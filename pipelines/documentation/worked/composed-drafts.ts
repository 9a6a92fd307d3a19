import {dtypeBytes, type Dtype} from '../../../datasets/schema/tensor.ts'
import {roundTo} from '../../../datasets/dtype.ts'
import {roundings} from './real-value.ts'
import {wholeBlocks} from '../../facts/memory-plan.ts'
import {type Form, typeOf} from './small-kernel.ts'
import {floats, type Drafting, perBlock, perRepeat, scalarOf, smallValues} from './worked-draft.ts'

/** Scaled, rounded and held in eight bits: over half, since float has no direct conversion to int8. */
const quantised: Drafting = ({name}, random) => {
  if (name !== 'Cast') return undefined
  const n = 32
  const scale = random.pick([8, 16, 32])
  const x = smallValues(n, 'float32', random).map((value, at) => (at % 8 === 3 ? value * 8 : value))
  const over = (first: readonly string[]): Form => ({
    inputs: [{name: 'x', dtype: 'float32', count: n}],
    outputs: [{name: 'z', dtype: 'int8', count: n}],
    scratch: [{name: 'between', dtype: 'float16', bytes: n * 2}],
    compute: [...first, `Cast(zLocal, between, RoundMode::CAST_RINT, ${n});`],
  })
  const down = `Cast(between, xLocal, RoundMode::CAST_RINT, ${n});`
  const held = (value: number) => Math.min(Math.max(roundings.CAST_RINT(value), -128), 127) + 0
  const products = roundTo(
    x.map((value) => value * scale),
    'float16',
  )
  return {
    situation: 'quantised',
    values: {n, scale, bytes: n * 2},
    form: over([`Muls(xLocal, xLocal, ${scale}.0f, ${n});`, down]),
    // Rounded to integers first, the scale has nothing left to keep.
    other: {
      form: {
        ...over([]),
        scratch: [
          {name: 'between', dtype: 'float16', bytes: n * 2},
          {name: 'whole', dtype: 'int32', bytes: n * 4},
        ],
        compute: [
          `Cast(whole, xLocal, RoundMode::CAST_RINT, ${n});`,
          `Cast(xLocal, whole, RoundMode::CAST_RINT, ${n});`,
          `Muls(xLocal, xLocal, ${scale}.0f, ${n});`,
          down,
          `Cast(zLocal, between, RoundMode::CAST_RINT, ${n});`,
        ],
      },
      shows: 'wrong',
    },
    given: {x},
    expected: {z: [...products].map(held)},
  }
}

/** Values below a threshold are replaced: a mask first, then a choice by it. */
const replaced: Drafting = ({name}, random) => {
  if (name !== 'Select' && name !== 'CompareScalar') return undefined
  const dtype = random.pick(floats)
  const per = perRepeat(dtype)
  const n = per * random.integer(1, 2)
  const short = n - perBlock(dtype) * random.integer(1, 3)
  const [threshold, value] = [random.integer(-2, 2), random.integer(5, 9)]
  const x = smallValues(n, dtype, random)
  const by = (count: number): Form => ({
    inputs: [{name: 'x', dtype, count: n}],
    outputs: [{name: 'z', dtype, count: n}],
    scratch: [{name: 'mask', dtype: 'uint8', bytes: wholeBlocks(n / 8)}],
    compute: [
      `CompareScalar(mask, xLocal, ${scalarOf(String(threshold), dtype)}, CMPMODE::GE, ${count});`,
      `Select(zLocal, mask, xLocal, ${scalarOf(String(value), dtype)}, SELMODE::VSEL_TENSOR_SCALAR_MODE, ${n});`,
    ],
  })
  return {
    situation: 'replaced',
    values: {type: typeOf(dtype), n, short, per, threshold, value, bytes: n / 8, shortBytes: short * dtypeBytes[dtype]},
    form: by(n),
    other: {form: by(short), shows: {refused: 'compare-count'}},
    given: {x},
    expected: {z: x.map((one) => (one >= threshold ? one : value))},
  }
}

/** The mean of each row, whose end is padding. */
const rowMean: Drafting = ({name}, random) => {
  if (name !== 'WholeReduceSum' && name !== 'ReduceRepeat') return undefined
  const call = name === 'ReduceRepeat' ? 'ReduceRepeat<ReduceType::SUM>' : name
  const dtype: Dtype = 'float32'
  const block = perBlock(dtype)
  const rows = random.integer(8, 16)
  const cols = random.pick([3, 5, 10, 12, 20, 25, 44])
  const width = Math.ceil(cols / block) * block
  const x = smallValues(rows * cols, dtype, random).map((value) => Math.trunc(value) * cols)
  const by = (share: number): Form => ({
    inputs: [{name: 'x', dtype, count: rows * cols, bytes: rows * width * 4}],
    outputs: [{name: 'z', dtype, count: rows}],
    compute: [
      `${call}(zLocal, xLocal, ${cols}, ${rows}, 1, 1, ${width / block});`,
      `Muls(zLocal, zLocal, 1.0f / ${share}, ${rows});`,
    ],
    copies: {
      x: [
        `DataCopyExtParams xParams{${rows}, ${cols * 4}, 0, 0, 0};`,
        'DataCopyPadExtParams<float> xPad{false, 0, 0, 0};',
        'DataCopyPad(xLocal, xGm, xParams, xPad);',
      ],
    },
  })
  return {
    situation: 'row-mean',
    values: {
      api: call,
      rows,
      cols,
      width,
      blocks: width / block,
      bytes: cols * 4,
      pitch: width * 4,
      spare: width - cols,
    },
    form: by(cols),
    other: {form: by(width), shows: 'wrong'},
    given: {x},
    expected: {
      z: Array.from({length: rows}, (_, row) =>
        x.slice(row * cols, (row + 1) * cols).reduce((sum, one) => sum + one / cols, 0),
      ),
    },
  }
}

/** One row that is added to every row of a tile. */
const bias: Drafting = ({name}, random) => {
  if (name !== 'Add') return undefined
  const dtype = random.pick(floats)
  const rows = random.integer(3, 8)
  const cols = perBlock(dtype) * random.integer(1, 5)
  const [x, y] = [smallValues(rows * cols, dtype, random), smallValues(cols, dtype, random)]
  const by = (compute: readonly string[]): Form => ({
    inputs: [
      {name: 'x', dtype, count: rows * cols},
      {name: 'y', dtype, count: cols},
    ],
    outputs: [{name: 'z', dtype, count: rows * cols}],
    compute,
  })
  return {
    situation: 'bias',
    values: {type: typeOf(dtype), rows, cols, total: rows * cols, bytes: cols * dtypeBytes[dtype]},
    form: by([
      `for (int32_t row = 0; row < ${rows}; ++row) {`,
      `    Add(zLocal[row * ${cols}], xLocal[row * ${cols}], yLocal, ${cols});`,
      '}',
    ]),
    other: {form: by([`Add(zLocal, xLocal, yLocal, ${rows * cols});`]), shows: {refused: 'out-of-buffer'}},
    given: {x, y},
    expected: {z: x.map((value, at) => value + (y[at % cols] ?? 0))},
  }
}

/** A tensor in tiles, of which the last is shorter. */
const tiles: Drafting = ({name}, random) => {
  if (name !== 'DataCopyPad' && name !== 'Muls') return undefined
  const dtype = random.pick(floats)
  const [type, size] = [typeOf(dtype), dtypeBytes[dtype]]
  const tile = random.pick([64, 128, 192])
  const whole = random.integer(1, 4)
  const rest = random.integer(1, tile - 1)
  const n = whole * tile + rest
  const x = smallValues(n, dtype, random)
  const by = (count: string): Form => ({
    inputs: [{name: 'x', dtype, count: n}],
    outputs: [{name: 'z', dtype, count: n}],
    isWhole: true,
    compute: [
      'TQue<TPosition::VECIN, 2> xQueue;',
      `pipe.InitBuffer(xQueue, 2, ${tile * size});`,
      'TQue<TPosition::VECOUT, 2> zQueue;',
      `pipe.InitBuffer(zQueue, 2, ${tile * size});`,
      `for (uint32_t start = 0; start < ${n}; start += ${tile}) {`,
      `    uint32_t count = ${count};`,
      `    LocalTensor<${type}> xLocal = xQueue.AllocTensor<${type}>();`,
      `    DataCopyExtParams params{1, static_cast<uint32_t>(count * sizeof(${type})), 0, 0, 0};`,
      `    DataCopyPadExtParams<${type}> pad{false, 0, 0, 0};`,
      '    DataCopyPad(xLocal, xGm[start], params, pad);',
      '    xQueue.EnQue(xLocal);',
      `    xLocal = xQueue.DeQue<${type}>();`,
      `    LocalTensor<${type}> zLocal = zQueue.AllocTensor<${type}>();`,
      `    Muls(zLocal, xLocal, ${scalarOf('2', dtype)}, count);`,
      '    xQueue.FreeTensor(xLocal);',
      '    zQueue.EnQue(zLocal);',
      `    zLocal = zQueue.DeQue<${type}>();`,
      '    DataCopyPad(zGm[start], zLocal, params);',
      '    zQueue.FreeTensor(zLocal);',
      '}',
    ],
  })
  return {
    situation: 'tiles',
    values: {type, size, n, tile, whole, rest, passes: whole + 1, bytes: tile * size, beyond: tile - rest},
    form: by(`${n} - start < ${tile} ? ${n} - start : ${tile}`),
    other: {form: by(String(tile)), shows: {refused: 'gm-out-of-range'}},
    given: {x},
    expected: {z: x.map((value) => 2 * value)},
  }
}

export const composedDrafts: readonly Drafting[] = [quantised, replaced, rowMean, bias, tiles]
