import {expect, test} from 'vitest'
import {finder} from '../../../sources/kernels/includes.ts'

const [beside, kernel, host, top] = ['add/op_kernel/x.h', 'op_kernel/x.h', 'op_host/x.h', 'x.h']
const [deepKernel, otherKernel, deepHost] = ['op_kernel/a/x.h', 'op_kernel/b/x.h', 'op_host/c/x.h']

// What the project has, and where `#include "x.h"` of `from` leads: the nearest place that decides alone.
test.each<[about: string, paths: string[], from: string, found: string | undefined]>([
  ['beside the file before all else', [top, kernel, beside], 'add/op_kernel/add.cpp', beside],
  ['in the usual folders next', [kernel, host], 'src/add.cpp', kernel],
  ['at the only place that ends so', [deepHost], 'op_kernel/add.cpp', deepHost],
  ['at the only place of its own side', [deepKernel, deepHost], 'op_kernel/add.cpp', deepKernel],
  ['at the only place of its own side, whichever', [deepKernel, deepHost], 'op_host/add.cpp', deepHost],
  ['nowhere when its side has two', [deepKernel, otherKernel, deepHost], 'op_kernel/add.cpp', undefined],
  ['nowhere when only another side has two', [deepKernel, otherKernel], 'op_host/add.cpp', undefined],
  ['nowhere when a name only ends alike', ['op_kernel/a/max.h'], 'op_kernel/add.cpp', undefined],
  ['nowhere in an empty project', [], 'op_kernel/add.cpp', undefined],
])('an include leads %s', (_, paths, from, found) => {
  expect(finder(paths)('x.h', from)).toBe(found)
})

test('of namesakes, the one that has most of the way', () => {
  const tiles = ['tile/copy.h', '../other/tile/copy.h', '../other/deep/tile/copy.h']
  expect(finder(tiles)('lib/other/tile/copy.h', 'block.h')).toBe('../other/tile/copy.h')
  expect(finder(tiles)('lib/gemm/tile/copy.h', 'block.h')).toBe('tile/copy.h')
  expect(finder(['tile/copy.h', '../tile/copy.h'])('lib/tile/copy.h', 'block.h')).toBeUndefined()
})
