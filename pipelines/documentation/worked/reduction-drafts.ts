import {dtypeBytes, type Dtype} from '../../../datasets/schema/tensor.ts'
import {floats, type Drafting, perBlock, perRepeat, smallValues} from './worked-draft.ts'
import {wholeBlocks} from '../../facts/memory-plan.ts'
import {type Form, typeOf} from './small-kernel.ts'

const folds: Readonly<Record<string, (values: readonly number[]) => number>> = {
  Sum: (values) => values.reduce((sum, one) => sum + one, 0),
  Max: (values) => Math.max(...values),
  Min: (values) => Math.min(...values),
}

const foldOf = (name: string) => folds[/(Sum|Max|Min)$/.exec(name)?.[1] ?? '']

/** How a reduction within repeats or blocks is called, and what it folds by; the newer names say that in a template. */
function foldedBy(name: string, older: string, newer: string, random: Parameters<Drafting>[1]) {
  const kind = name === newer ? random.pick(['Sum', 'Max', 'Min']) : name.slice(older.length)
  const fold = name === newer || name.startsWith(older) ? folds[kind] : undefined
  return fold && {fold, kind, call: name === newer ? `${name}<ReduceType::${kind.toUpperCase()}>` : name}
}

/** Values of which every partial sum is held exactly. */
const wholeValues = (count: number, dtype: Dtype, random: Parameters<Drafting>[1]) =>
  smallValues(count, dtype, random).map(Math.trunc)

function reduced(name: string, dtype: Dtype, n: number, work: number): Form {
  return {
    inputs: [{name: 'x', dtype, count: n}],
    outputs: [{name: 'z', dtype, count: 1}],
    scratch: [{name: 'work', dtype, bytes: work}],
    compute: [`${name}(zLocal, xLocal, work, ${n});`],
  }
}

/** Scratch of a reduction by count: what each repeat leaves. Source: the pages of ReduceMax and ReduceMin. */
const workMemory: Drafting = ({name}, random) => {
  if (!/^Reduce(?:Max|Min)$/.test(name)) return undefined
  const dtype = random.pick(floats)
  const n = random.pick([700, 1000, 1500, 2000, 3000, 4000])
  const size = dtypeBytes[dtype]
  const repeats = Math.ceil(n / perRepeat(dtype))
  const elements = Math.ceil((repeats * 2) / perBlock(dtype)) * perBlock(dtype)
  if (elements * size <= 32) return undefined
  const x = wholeValues(n, dtype, random)
  return {
    situation: 'work-memory',
    values: {
      ...{api: name, type: typeOf(dtype), n, per: perRepeat(dtype), repeats, pairs: repeats * 2, elements},
      ...{bytes: elements * size, size, fit: 32 / size},
    },
    form: reduced(name, dtype, n, elements * size),
    other: {form: reduced(name, dtype, n, 32), shows: {refused: 'reduce-work'}},
    given: {x},
    expected: {z: [foldOf(name)!(x)]},
  }
}

/** Rows with gaps, each reduced to one value. */
const rowByRow: Drafting = ({name}, random) => {
  const by = foldedBy(name, 'WholeReduce', 'ReduceRepeat', random)
  if (!by) return undefined
  const {fold, kind, call} = by
  const dtype = random.pick(floats)
  const [per, block] = [perRepeat(dtype), perBlock(dtype)]
  const rows = random.integer(3, 12)
  const blocks = random.integer(2, 6)
  const cols = Math.min(blocks * block - random.integer(1, block - 1), per)
  const width = blocks * block
  const x = wholeValues(rows * width, dtype, random)
  const order = kind === 'Sum' ? '' : ', ReduceOrder::ORDER_ONLY_VALUE'
  const stepping = (stride: number): Form => ({
    inputs: [{name: 'x', dtype, count: rows * width}],
    outputs: [{name: 'z', dtype, count: rows}],
    compute: [`${call}(zLocal, xLocal, ${cols}, ${rows}, 1, 1, ${stride}${order});`],
  })
  return {
    situation: 'row-by-row',
    values: {
      order: kind === 'Sum' ? 'no' : 'yes',
      ...{api: call, type: typeOf(dtype), rows, cols, width, blocks, per, rowBytes: width * dtypeBytes[dtype]},
      fold: kind.toLowerCase(),
    },
    form: stepping(blocks),
    other: {form: stepping(1), shows: 'wrong'},
    given: {x},
    expected: {
      z: Array.from({length: rows}, (_, row) => fold(x.slice(row * width, row * width + cols))),
    },
  }
}

/** What a block of eight (or sixteen) elements leaves. */
const blockwise: Drafting = ({name}, random) => {
  const by = foldedBy(name, 'BlockReduce', 'ReduceDataBlock', random)
  if (!by) return undefined
  const {fold, kind, call} = by
  const dtype = random.pick(floats)
  const [per, block] = [perRepeat(dtype), perBlock(dtype)]
  const repeats = random.integer(1, 4)
  const n = repeats * per
  // The newer form has the mask first.
  const steps = name === 'ReduceDataBlock' ? [per, repeats] : [repeats, per]
  const x = wholeValues(n, dtype, random)
  const form: Form = {
    inputs: [{name: 'x', dtype, count: n}],
    outputs: [{name: 'z', dtype, count: n / block}],
    compute: [`${call}(zLocal, xLocal, ${steps.join(', ')}, 1, 1, 8);`],
  }
  const short = wholeBlocks((n / block) * dtypeBytes[dtype])
  return {
    situation: 'blockwise',
    values: {
      ...{api: call, type: typeOf(dtype), n, per, block, repeats, results: n / block, bytes: short},
      ...{
        fold: kind.toLowerCase(),
        first: fold(x.slice(0, block)),
        list: x.slice(0, block).map(String),
      },
    },
    form,
    given: {x},
    expected: {z: Array.from({length: n / block}, (_, at) => fold(x.slice(at * block, (at + 1) * block)))},
  }
}

/** A sum that half cannot hold. */
const sumOfHalves: Drafting = ({name}, random) => {
  if (name !== 'ReduceSum') return undefined
  const dtype = random.pick(floats)
  const n = random.pick([64, 128, 200, 256])
  const x = wholeValues(n, dtype, random)
  const sum = folds['Sum']!(x)
  return {
    situation: 'sum',
    values: {api: name, type: typeOf(dtype), n, size: dtypeBytes[dtype], per: perRepeat(dtype)},
    form: reduced(name, dtype, n, wholeBlocks(Math.ceil(n / perRepeat(dtype)) * dtypeBytes[dtype])),
    given: {x},
    expected: {z: [sum]},
  }
}

export const reductionDrafts: readonly Drafting[] = [workMemory, rowByRow, blockwise, sumOfHalves]
