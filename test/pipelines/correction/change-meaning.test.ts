import {expect, test} from 'vitest'
import {meaningOf} from '../../../pipelines/correction/offline/change-meaning.ts'

const told = (removed: string, added: string) => {
  const lines = (text: string) => (text === '' ? [] : [text])
  return meaningOf({path: 'op_kernel/k.cpp', line: 1, removed: lines(removed), added: lines(added)})
}

test.each([
  ['', 'tiling.SaveToBuffer(a, b);', /SaveToBuffer writes the tiling/],
  ['', 'outQueue_.EnQue(y);', /nothing to take/],
  ['outQueue_.EnQue(y);', '', /taken by one DeQue/],
  ['inQueue_.EnQue(y);', 'outQueue_.EnQue(y);', /goes back into the queue/],
  ['', 'inQueue_.FreeTensor(x);', /none left/],
  ['inQueue_.FreeTensor(x);', '', /nothing may use it/],
  ['pipe_.InitBuffer(q, 2, n / 2);', 'pipe_.InitBuffer(q, 2, n);', /how many bytes there are/],
  ['context->SetBlockDim(1);', 'context->SetBlockDim(cores);', /number of cores/],
  ['const DataCopyExtParams p{1, n, 0, 0, 0};', 'const DataCopyExtParams p{1, n * 4, 0, 0, 0};', /counts bytes/],
  ['DataCopy(x, g, n);', 'DataCopyPad(x, g, p, q);', /whole blocks of 32 bytes only/],
  ['for (i = 0; i <= n; ++i) {', 'for (i = 0; i < n; ++i) {', /bounds of this loop/],
  ['', 'Cast(a, b, RoundMode::CAST_NONE, n);', /Without `Cast`/],
  ['Adds(a, b, c, n);', 'Muls(a, b, c, n);', /needs `Muls`, not `Adds`/],
])('%j to %j', (removed, added, expected) => {
  expect(told(removed, added)).toMatch(expected)
})

test('says nothing of lines that mean nothing by themselves', () => {
  expect(told('int a = 1;', 'int a = 2;')).toBeUndefined()
  expect(told('', '}')).toBeUndefined()
  expect(told('Adds(a, b, c, n - 1);', 'Adds(a, b, c, n);')).toBeUndefined()
})
