import {describe, expect, test} from 'vitest'
import type {Sketch} from '../../../helpers/interpreting.ts'
import {buffers, copied, one, ran, shape16, stages, valuesOf} from '../../../helpers/interpreted-sketch.ts'

describe('copies between GM and UB', () => {
  test('a run tells what it moved and computed, and what its buffers take', () => {
    expect(ran({kernel: buffers + copied, outputShape: '[x.shape[0], x.numel() // x.shape[0]]'})).toEqual({
      values: Array.from({length: 16}, (_, i) => i),
      shape: [4, 4],
      cores: [{loadedBytes: 64, storedBytes: 64}],
      operations: {copy: {calls: 1, elements: 16}},
      ubPeakBytes: 256,
    })
  })

  test('buffers of a loop exist twice, in whole blocks', () => {
    const kernel = `
x_ub = tl.alloc_ub(9, dtype=tl.float32)
y_ub = tl.alloc_ub(9, dtype=tl.float32, depth=1)
s_ub = tl.alloc_ub(3, dtype=tl.uint8)
for i in range(0, 2, 1):
    with tl.copyin():
        tl.load(x_ptr + i * 8, x_ub, count=8)
    with tl.compute():
        tl.exp(y_ub, x_ub, count=8)
        tl.muls(y_ub, x_ub, 2, count=8)
        tl.duplicate(y_ub, 1, count=3)
        tl.set(y_ub, 7, 0)
    with tl.copyout():
        tl.store(y_ptr + i * 8, y_ub, count=8)
`
    const result = ran({kernel: kernel.replace(/s_ub = .*\n/, ''), ...shape16})
    expect(result).toMatchObject({
      values: [1, 1, 1, 6, 8, 10, 12, 0, 1, 1, 1, 22, 24, 26, 28, 0],
      cores: [{loadedBytes: 64, storedBytes: 64}],
      operations: {
        exp: {calls: 2, elements: 16},
        muls: {calls: 2, elements: 16},
        duplicate: {calls: 2, elements: 6},
        set: {calls: 2, elements: 2},
      },
      // 36 bytes are two blocks: twice for x_ub, once for y_ub.
      ubPeakBytes: 192,
    })
  })

  const whole = 'tl.store(y_ptr, y_ub, count=16)'
  const all = 'tl.copy(y_ub, x_ub, count=16)'
  test.each<[string, Sketch, number[] | string]>([
    [
      'rows lie one behind the other, from block to block',
      one('tl.load(x_ptr, x_ub, count=8, rows=2)', all, whole),
      Array.from({length: 16}, (_, i) => i),
    ],
    [
      'a stride in GM',
      one('tl.load(x_ptr + 2, x_ub, count=4, rows=2, stride=5, pad=9)', all, whole),
      [2, 3, 4, 5, 9, 9, 9, 9, 7, 8, 9, 10, 9, 9, 9, 9],
    ],
    [
      'a pitch in UB',
      one(
        'tl.load(x_ptr, x_ub, count=4, rows=2, pitch=16, pad=0.5)',
        'tl.copy(y_ub, x_ub[16], count=8)',
        'tl.store(y_ptr, y_ub, count=8)',
        {outputShape: '[8]'},
      ),
      [4, 5, 6, 7, 0.5, 0.5, 0.5, 0.5],
    ],
    [
      'without padding the rest of a block is not there',
      one('tl.load(x_ptr, x_ub, count=4)', 'tl.copy(y_ub, x_ub, count=8)', 'tl.store(y_ptr, y_ub, count=8)', {
        outputShape: '[8]',
      }),
      'unwritten-ub on core 0: tl.copy reads element 4 of x_ub, which nobody wrote. Write it before, ' +
        'or count fewer elements.',
    ],
    [
      'rows are stored with a stride and a pitch',
      {
        kernel: [
          buffers,
          stages(
            'tl.load(x_ptr, x_ub, count=16)',
            'tl.copy(y_ub, x_ub, count=16)\n    tl.duplicate(y_ub[16], 0, count=16)',
            'tl.store(y_ptr, y_ub[16], count=16)',
          ),
          stages(
            'tl.load(x_ptr, x_ub, count=16)',
            'tl.copy(y_ub, x_ub, count=16)',
            'tl.store(y_ptr + 1, y_ub, count=3, rows=2, stride=5, pitch=8)',
          ),
        ].join(''),
        ...shape16,
      },
      [0, 0, 1, 2, 0, 0, 8, 9, 10, 0, 0, 0, 0, 0, 0, 0],
    ],
    [
      'a row more than there is',
      one('tl.load(x_ptr, x_ub, count=8, rows=k)', all, whole, {scalars: {k: 'x.numel() // 4 - 1'}}),
      'gm-bounds on core 0: A load touches elements 16 to 23 of x, which has 16. Let the last tile ' +
        'count only what is left.',
    ],
    [
      'no row',
      one('tl.load(x_ptr, x_ub, count=8, rows=k)', all, whole, {scalars: {k: 'x.numel() - 16'}}),
      'count on core 0: tl.load moves 0 rows of 8 elements. Move at least 1 row of 1 element.',
    ],
    [
      'no element',
      one('tl.load(x_ptr, x_ub, count=k, rows=2)', all, whole, {scalars: {k: 'x.numel() - 16'}}),
      'count on core 0: tl.load moves 2 rows of 0 elements. Move at least 1 row of 1 element.',
    ],
    [
      'a pitch that is no block',
      one('tl.load(x_ptr, x_ub, count=8, rows=2, pitch=k)', all, whole, {scalars: {k: 'x.numel() - 4'}}),
      'ub-alignment on core 0: tl.load has a pitch of 12 elements. Use a multiple of 8.',
    ],
    [
      'a pitch below the count',
      one('tl.load(x_ptr, x_ub, count=9, rows=k - 6, pitch=k)', all, whole, {scalars: {k: 'x.numel() - 8'}}),
      'pitch on core 0: tl.load has a pitch of 8 elements for rows of 9. Rows in UB may not overlap.',
    ],
    [
      'a pitch below the count of the only row',
      one('tl.load(x_ptr, x_ub, count=16, rows=k - 7, pitch=k)', all, whole, {scalars: {k: 'x.numel() - 8'}}),
      Array.from({length: 16}, (_, i) => i),
    ],
    [
      'a pitch that is the count',
      one('tl.load(x_ptr, x_ub, count=8, rows=k - 6, pitch=k)', all, whole, {scalars: {k: 'x.numel() - 8'}}),
      Array.from({length: 16}, (_, i) => i),
    ],
    [
      'rows that leave the buffer',
      one('tl.load(x_ptr, x_ub, count=1, rows=k, stride=1)', all, whole, {scalars: {k: 'x.numel() - 11'}}),
      'ub-bounds on core 0: tl.load touches elements 0 to 32 of x_ub, which has 32. Count fewer ' +
        'elements, or make the buffer larger.',
    ],
    [
      'a sum in GM',
      {
        kernel:
          buffers +
          copied +
          copied
            .replace('count=16)\n', 'count=16)\ntl.sync_all()\n')
            .replace(/tl.sync_all\(\)\n/, '')
            .replace('y_ub, count=16)', 'y_ub, count=16, atomic="add")')
            .replace(/^/, 'tl.sync_all()\n'),
        ...shape16,
      },
      Array.from({length: 16}, (_, i) => 2 * i),
    ],
    [
      'a pointer is moved from both sides',
      one('tl.load(x_ptr - k + 6, x_ub, count=8)', 'tl.copy(y_ub, x_ub, count=8)', 'tl.store(y_ptr, y_ub, count=8)', {
        outputShape: '[8]',
        scalars: {k: 'x.shape[1]'},
      }),
      [2, 3, 4, 5, 6, 7, 8, 9],
    ],
  ])('%s', (_, sketch, expected) => expect(valuesOf(sketch)).toEqual(expected))
})
