import {dtypeBytes} from '../../../datasets/schema/tensor.ts'
import {floats, type Drafting, perRepeat, scalarOf, smallValues} from './worked-draft.ts'
import {reportedUbBytes, wholeBlocks} from '../../facts/memory-plan.ts'
import {type Form, typeOf} from './small-kernel.ts'

const comparisons: Readonly<Record<string, (left: number, right: number) => boolean>> = {
  LT: (left, right) => left < right,
  GT: (left, right) => left > right,
  EQ: (left, right) => left === right,
  LE: (left, right) => left <= right,
  GE: (left, right) => left >= right,
  NE: (left, right) => left !== right,
}

/** Bits of eight elements, the first in the lowest place. */
const byteOf = (bits: readonly boolean[]) => bits.reduce((sum, bit, at) => sum + (bit ? 2 ** at : 0), 0)

/** What a comparison writes, and how many elements it takes. */
const comparison: Drafting = ({name}, random) => {
  if (!/^Compare(?:Scalar|s)?$/.test(name)) return undefined
  const dtype = random.pick(floats)
  const per = perRepeat(dtype)
  const size = dtypeBytes[dtype]
  const short = random.pick([40, 72, 88, 100, 120].filter((one) => one % per !== 0))
  const padded = Math.ceil(short / per) * per
  const mode = random.pick(Object.keys(comparisons))
  const holds = comparisons[mode]!
  const isScalar = name !== 'Compare'
  const x = smallValues(padded, dtype, random)
  const y = smallValues(padded, dtype, random)
  const threshold = 1
  const against = isScalar ? scalarOf(String(threshold), dtype) : 'yLocal'
  const by = (count: number): Form => ({
    inputs: [{name: 'x', dtype, count: padded}, ...(isScalar ? [] : [{name: 'y', dtype, count: padded}])],
    outputs: [{name: 'z', dtype: 'uint8', count: padded / 8, bytes: wholeBlocks(padded / 8)}],
    compute: [`${name}(zLocal, xLocal, ${against}, CMPMODE::${mode}, ${count});`],
  })
  const bits = x.map((value, at) => holds(value, isScalar ? threshold : (y[at] ?? 0)))
  return {
    situation: isScalar ? 'compare-scalar' : 'compare',
    values: {
      ...{
        api: name,
        type: typeOf(dtype),
        mode,
        n: short,
        padded,
        per,
        bytes: padded / 8,
        short: short * size,
      },
      ...{size, whole: Math.floor((short * size) / 256), over: (short * size) % 256, rest: short % per},
      ...{groups: padded / per, paddedBytes: padded * size},
      ...{threshold, x: x.slice(0, 8).map(String), y: y.slice(0, 8).map(String)},
      ...{bits: bits.slice(0, 8).map((bit) => (bit ? '1' : '0')), byte: byteOf(bits.slice(0, 8))},
    },
    form: by(padded),
    other: {form: by(short), shows: {refused: 'compare-count'}},
    given: {x, ...(!isScalar && {y})},
    expected: {z: Array.from({length: padded / 8}, (_, at) => byteOf(bits.slice(at * 8, at * 8 + 8)))},
  }
}

/** A tile as long as the buffer allows, with and without what Select takes. */
const selectReserve: Drafting = ({name, api: {ubTaken: reserved = 0}}, random) => {
  if (name !== 'Select') return undefined
  const dtype = random.pick(floats)
  const size = dtypeBytes[dtype]
  const per = perRepeat(dtype)
  const unit = 2 * size + 1 / 8
  const most = (bytes: number) => Math.floor(bytes / unit / per) * per
  const [right, greedy] = [most(reportedUbBytes - reserved), most(reportedUbBytes)]
  const n = 2 * per
  const holding = (count: number): Form => ({
    inputs: [
      {name: 'x', dtype, count: n, bytes: count * size},
      {name: 'm', dtype: 'uint8', count: n / 8, bytes: wholeBlocks(count / 8)},
    ],
    outputs: [{name: 'z', dtype, count: n, bytes: count * size}],
    compute: [`Select(zLocal, mLocal, xLocal, ${scalarOf('0', dtype)}, SELMODE::VSEL_TENSOR_SCALAR_MODE, ${n});`],
  })
  const x = smallValues(n, dtype, random)
  const bytes = Array.from({length: n / 8}, () => random.integer(0, 255))
  return {
    situation: 'select-reserve',
    values: {
      ...{
        type: typeOf(dtype),
        size,
        per,
        unit,
        most: right,
        greedy,
        reserved,
        left: reportedUbBytes - reserved,
      },
      ...{total: reportedUbBytes, used: greedy * unit},
    },
    form: holding(right),
    other: {form: holding(greedy), shows: {refused: 'ub-overflow'}},
    given: {x, m: bytes},
    expected: {z: x.map((value, at) => (((bytes[at >> 3] ?? 0) >> (at % 8)) % 2 === 1 ? value : 0))},
  }
}

/** The value where no bit is set. */
const selected: Drafting = ({name}, random) => {
  if (name !== 'Select') return undefined
  const dtype = random.pick(floats)
  const n = perRepeat(dtype)
  const x = smallValues(n, dtype, random)
  const y = smallValues(n, dtype, random)
  const bytes = Array.from({length: n / 8}, () => random.integer(1, 254))
  const isSet = (at: number) => ((bytes[at >> 3] ?? 0) >> (at % 8)) % 2 === 1
  return {
    situation: 'select',
    values: {
      ...{
        type: typeOf(dtype),
        n,
        byte: bytes[0] ?? 0,
        bits: Array.from({length: 8}, (_, at) => (isSet(at) ? '1' : '0')),
      },
      ...{x: x.slice(0, 8).map(String), y: y.slice(0, 8).map(String)},
      out: Array.from({length: 8}, (_, at) => String(isSet(at) ? x[at] : y[at])),
    },
    form: {
      inputs: [
        {name: 'x', dtype, count: n},
        {name: 'y', dtype, count: n},
        {name: 'm', dtype: 'uint8', count: n / 8},
      ],
      outputs: [{name: 'z', dtype, count: n}],
      compute: [`Select(zLocal, mLocal, xLocal, yLocal, SELMODE::VSEL_TENSOR_TENSOR_MODE, ${n});`],
    },
    given: {x, y, m: bytes},
    expected: {z: x.map((value, at) => (isSet(at) ? value : (y[at] ?? 0)))},
  }
}

export const maskDrafts: readonly Drafting[] = [comparison, selectReserve, selected]
