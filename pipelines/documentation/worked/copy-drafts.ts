import {dtypeBytes, type Dtype} from '../../../datasets/schema/tensor.ts'
import {type Documented, type Drafting, perBlock, smallValues} from './worked-draft.ts'
import {wholeBlocks} from '../../facts/memory-plan.ts'
import {copyIn, copyOut, type Form, typeOf} from './small-kernel.ts'

const copied: readonly Dtype[] = ['float32', 'float16', 'int32', 'int16']

/** Pages of one direction have it in their title. */
const isOut = ({page}: Documented['entry']) => /UBToGM/.test(page)

/** From a queue of inputs to one of outputs, which the page of `DataCopy` does not list. */
const handed = (dtype: Dtype, count: number) => `Adds(zLocal, xLocal, static_cast<${typeOf(dtype)}>(0), ${count});`

/** What comes in goes out again: copies are all that these kernels are about. */
function passed(dtype: Dtype, n: number, copies: NonNullable<Form['copies']>, held = n): Form {
  return {
    inputs: [{name: 'x', dtype, count: held}],
    outputs: [{name: 'z', dtype, count: n}],
    compute: [handed(dtype, wholeBlocks(n * dtypeBytes[dtype]) / dtypeBytes[dtype])],
    copies,
  }
}

/** A length in bytes that no block divides, from an element of global memory on. */
const length: Drafting = ({name, entry}, random) => {
  if (!/^DataCopy(?:Pad)?$/.test(name) || isOut(entry)) return undefined
  const dtype = random.pick(copied)
  const size = dtypeBytes[dtype]
  const n = random.integer(3, 40) * perBlock(dtype) + random.integer(1, perBlock(dtype) - 1)
  const from = random.integer(1, 60)
  const x = smallValues(from + n, dtype, random).map(Math.trunc)
  const padded = wholeBlocks(n * size)
  const local = (form: Form): Form => ({...form, inputs: form.inputs.map((one) => ({...one, bytes: padded}))})
  return {
    situation: 'copy-length',
    values: {
      ...{type: typeOf(dtype), n, from, size, bytes: n * size, rest: (n * size) % 32, whole: padded / 32 - 1},
      ...{offset: from * size, lost: ((n * size) % 32) / size, padded},
    },
    form: local(passed(dtype, n, {x: copyIn('x', dtype, n, from)}, from + n)),
    other: {
      form: local(passed(dtype, n, {x: [`DataCopy(xLocal, xGm[${from}], ${n});`]}, from + n)),
      shows: {refused: 'unaligned-copy'},
    },
    given: {x},
    expected: {z: x.slice(from)},
  }
}

/** A result that ends inside of a block of global memory. */
const end: Drafting = ({name, entry}, random) => {
  if (!/^DataCopy(?:Pad)?$/.test(name) || /GMToUB/.test(entry.page)) return undefined
  const dtype = random.pick(copied)
  const size = dtypeBytes[dtype]
  const per = perBlock(dtype)
  const n = random.integer(1, 30) * per + random.integer(1, per - 1)
  const up = Math.ceil(n / per) * per
  const x = smallValues(n, dtype, random).map(Math.trunc)
  return {
    situation: 'copy-end',
    values: {type: typeOf(dtype), n, size, bytes: n * size, up, upBytes: up * size, beyond: up - n, per},
    form: passed(dtype, n, {z: copyOut('z', dtype, n)}),
    other: {
      form: passed(dtype, n, {z: [`DataCopy(zGm, zLocal, ${up});`]}),
      shows: {refused: 'gm-out-of-range'},
    },
    given: {x},
    expected: {z: x},
  }
}

/** A part of every row of a matrix, in one copy with a gap. */
const columns: Drafting = ({name, entry}, random) => {
  if (name !== 'DataCopyPad' || isOut(entry)) return undefined
  const dtype = random.pick(['float32', 'float16', 'int32'] as const)
  const size = dtypeBytes[dtype]
  const per = perBlock(dtype)
  const rows = random.integer(3, 9)
  const cols = random.integer(1, 4) * per
  const gap = random.integer(1, 20)
  const width = cols + gap
  const from = random.integer(0, gap)
  const x = smallValues(rows * width, dtype, random).map(Math.trunc)
  const by = (stride: number): Form => ({
    inputs: [{name: 'x', dtype, count: rows * width, bytes: rows * cols * size}],
    outputs: [{name: 'z', dtype, count: rows * cols}],
    compute: [handed(dtype, rows * cols)],
    copies: {
      x: [
        `DataCopyExtParams xParams{${rows}, ${cols * size}, ${stride}, 0, 0};`,
        `DataCopyPadExtParams<${typeOf(dtype)}> xPad{false, 0, 0, 0};`,
        `DataCopyPad(xLocal, xGm${from === 0 ? '' : `[${from}]`}, xParams, xPad);`,
      ],
    },
  })
  return {
    situation: 'columns',
    values: {
      ...{type: typeOf(dtype), size, rows, cols, width, from, gap, last: from + cols - 1},
      ...{length: cols * size, stride: gap * size, total: rows * width},
    },
    form: by(gap * size),
    // A gap of a fractional element makes the second row start inside one.
    other: {form: by(gap), shows: gap % size === 0 ? 'wrong' : {refused: 'unaligned-gm'}},
    given: {x},
    expected: {
      z: Array.from({length: rows}, (_, row) => x.slice(row * width + from, row * width + from + cols)).flat(),
    },
  }
}

/** Rows that are not a multiple of a block occupy separate blocks in the unified buffer. */
const paddedRows: Drafting = ({name, entry}, random) => {
  if (name !== 'DataCopyPad' || isOut(entry)) return undefined
  const dtype = random.pick(['float32', 'float16'] as const)
  const size = dtypeBytes[dtype]
  const per = perBlock(dtype)
  const rows = random.integer(2, 8)
  const cols = random.integer(0, 3) * per + random.integer(1, per - 1)
  const width = Math.ceil(cols / per) * per
  const x = smallValues(rows * cols, dtype, random)
  const row = random.integer(1, rows - 1)
  const by = (pitch: number): Form => ({
    inputs: [{name: 'x', dtype, count: rows * cols, bytes: rows * width * size}],
    outputs: [{name: 'z', dtype, count: rows * cols, bytes: rows * width * size}],
    compute: Array.from({length: rows}, (_, at) =>
      at === 0
        ? `Adds(zLocal, xLocal, static_cast<${typeOf(dtype)}>(1), ${cols});`
        : `Adds(zLocal[${at * pitch}], xLocal[${at * pitch}], static_cast<${typeOf(dtype)}>(1), ${cols});`,
    ),
    copies: {
      x: [
        `DataCopyExtParams xParams{${rows}, ${cols * size}, 0, 0, 0};`,
        `DataCopyPadExtParams<${typeOf(dtype)}> xPad{false, 0, 0, 0};`,
        'DataCopyPad(xLocal, xGm, xParams, xPad);',
      ],
      z: [`DataCopyExtParams zParams{${rows}, ${cols * size}, 0, 0, 0};`, 'DataCopyPad(zGm, zLocal, zParams);'],
    },
  })
  return {
    situation: 'padded-rows',
    values: {
      ...{type: typeOf(dtype), size, rows, cols, width, row, length: cols * size, pitch: width * size, per},
      ...{at: row * width, dense: row * cols, spare: width - cols},
    },
    form: by(width),
    other: {form: by(cols), shows: {refused: 'unaligned-ub'}},
    given: {x},
    expected: {z: x.map((value) => value + 1)},
  }
}

/** The content of the padding, if a value is requested. */
const paddingValue: Drafting = ({name, entry}, random) => {
  if (name !== 'DataCopyPad' || isOut(entry)) return undefined
  const dtype = random.pick(['float32', 'float16', 'int32', 'int16'] as const)
  const size = dtypeBytes[dtype]
  const per = perBlock(dtype)
  const n = random.integer(1, per - 1)
  const value = random.integer(2, 9)
  const right = per - n
  const x = smallValues(n, dtype, random).map(Math.trunc)
  const by = (padding: number): Form => ({
    inputs: [{name: 'x', dtype, count: n, bytes: wholeBlocks((n + padding) * size)}],
    outputs: [{name: 'z', dtype, count: per}],
    compute: [handed(dtype, per)],
    copies: {
      x: [
        `DataCopyExtParams xParams{1, ${n * size}, 0, 0, 0};`,
        `DataCopyPadExtParams<${typeOf(dtype)}> xPad{true, 0, ${padding}, ${value}};`,
        'DataCopyPad(xLocal, xGm, xParams, xPad);',
      ],
    },
  })
  const tooMuch = Math.floor(32 / size) + random.integer(1, per)
  return {
    situation: 'padding-value',
    values: {
      ...{type: typeOf(dtype), size, n, per, right, value, length: n * size, x: x.map(String)},
      ...{tooMuch, tooBytes: tooMuch * size},
    },
    form: by(right),
    other: {form: by(tooMuch), shows: {refused: 'copy-params'}},
    given: {x},
    expected: {z: [...x, ...Array.from({length: right}, () => value)]},
  }
}

export const copyDrafts: readonly Drafting[] = [length, end, columns, paddedRows, paddingValue]
