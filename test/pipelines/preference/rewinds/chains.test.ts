import {expect, test} from 'vitest'
import {rewindsOf} from '../../../../pipelines/preference/rewinds.ts'
import {firstAndReversed} from '../variants/chance.ts'

const host = `uint32_t coreNum = platform.GetCoreNumAiv();
tiling.set_tileLength(length);
`
const kernel = `TQue<TPosition::VECIN, 2> in_;
TQue<TPosition::VECOUT, 2> out_;
void Init() {
    pipe.InitBuffer(in_, 2, n);
    pipe.InitBuffer(out_, 2, n);
}
void CopyIn() {
    DataCopyExtParams p{static_cast<uint16_t>(rows), static_cast<uint32_t>(n * sizeof(T)), 0, 0, 0};
    DataCopyPad(x, xGm_, p);
    DataCopy(y, yGm_, n);
}
`
const files = [
  {path: 'op_host/a.cpp', text: host},
  {path: 'op_kernel/a.cpp', text: kernel},
]

const first = [
  ['copies-row-by-row'],
  ['copies-row-by-row', 'copied-in-twice'],
  ['copies-row-by-row', 'copied-in-twice', 'smaller-tiles'],
  ['copies-row-by-row', 'copied-in-twice', 'smaller-tiles', 'one-core'],
]
const second = [
  ['single-buffer-out'],
  ['single-buffer-out', 'split-copies'],
  ['single-buffer-out', 'split-copies', 'copies-row-by-row'],
  ['single-buffer-out', 'split-copies', 'copies-row-by-row', 'copied-in-twice'],
]
const third = [
  ['single-buffer-in'],
  ['single-buffer-in', 'single-buffer-out'],
  ['single-buffer-in', 'single-buffer-out', 'smaller-tiles'],
  ['single-buffer-in', 'single-buffer-out', 'smaller-tiles', 'one-core'],
]

const stepsOf = (count: number, of = files) => rewindsOf(of, count, firstAndReversed).map(({steps}) => steps)

test('chains of four from light to heavy, a new one with every fourth step in turn', () => {
  expect(stepsOf(99)).toEqual([...first, ...second, ...third])
})

test.each([0, 1, 4, 5, 8])('%i are asked for', (count) => {
  expect(stepsOf(count)).toEqual([...first, ...second].slice(0, count))
})

test('a version that came before is not given again', () => {
  const copy = [{path: 'op_kernel/a.cpp', text: 'DataCopy(y, yGm_, n);'}]
  expect(stepsOf(99, copy)).toEqual([['split-copies'], ['split-copies', 'copied-in-twice']])
})

test('each step is taken of what those before it made', () => {
  const made = rewindsOf([{path: 'op_host/a.cpp', text: host}], 99, firstAndReversed)
  const tiles = 'tiling.set_tileLength(length < 256 ? length : 256);\n'
  expect(made.map(({files: [file]}) => file?.text)).toEqual([
    `uint32_t coreNum = platform.GetCoreNumAiv();\n${tiles}`,
    `uint32_t coreNum = 1;\n${tiles}`,
  ])
})
