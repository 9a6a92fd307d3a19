import {expect, test} from 'vitest'
import {copyMutations} from '../../../../pipelines/preference/mutations/copy-parameters.ts'
import {madeBy} from './places.ts'

const inKernel = madeBy(copyMutations, 'op_kernel/a.cpp')

test.each<[string, string, [string, string][]]>([
  [
    'copy-offset-off-by-one',
    'DataCopy(a, xGm_[i], n);',
    [
      ['DataCopy(a, xGm_[i + 1], n);', 'the copy starts at i + 1 of xGm_'],
      ['DataCopy(a, xGm_[i + 32], n);', 'the copy starts at i + 32 of xGm_'],
      ['DataCopy(a, xGm_[i - 1], n);', 'the copy starts at i - 1 of xGm_'],
    ],
  ],
  [
    'copy-offset-off-by-one',
    'DataCopyPad(this->yGm[i * n], a, p);',
    [
      ['DataCopyPad(this->yGm[i * n + 1], a, p);', 'the copy starts at i * n + 1 of this->yGm'],
      ['DataCopyPad(this->yGm[i * n + 32], a, p);', 'the copy starts at i * n + 32 of this->yGm'],
      ['DataCopyPad(this->yGm[i * n - 1], a, p);', 'the copy starts at i * n - 1 of this->yGm'],
    ],
  ],
  [
    'copy-offset-off-by-one',
    'DataCopy(a, xGm_); DataCopy(a, x[i], n); DataCopy(a, b, xGm_[i]); Copy(a, xGm_[i], n);',
    [],
  ],
  ['copy-offset-off-by-one', 'DataCopyParams(a, xGm_[i]); DataCopy(xGm_[i]); y = DataCopy(a, xGm_[i], n);', []],
  [
    'copy-offset-in-bytes',
    'DataCopy(a, xGm_[i], n);',
    [
      ['DataCopy(a, xGm_[(i) * sizeof(float)], n);', 'the place in xGm_ is counted in bytes'],
      ['DataCopy(a, xGm_[(i) * 2], n);', 'the place in xGm_ is counted in bytes'],
    ],
  ],
  [
    'wrong-global-tensor',
    'GlobalTensor<T> xGm; GlobalTensor<T> yGm; GlobalTensor<U> uGm; DataCopy(a, xGm[i], n);',
    [['GlobalTensor<T> xGm; GlobalTensor<T> yGm; GlobalTensor<U> uGm; DataCopy(a, yGm[i], n);', 'yGm for xGm']],
  ],
  ['wrong-global-tensor', 'GlobalTensor<T> xGm; GlobalTensor<U> uGm; DataCopy(a, xGm[i], n);', []],
  [
    'wrong-global-tensor',
    'GlobalTensor<T> x; GlobalTensor<T> xs; DataCopy(xs, x, n);',
    [
      ['GlobalTensor<T> x; GlobalTensor<T> xs; DataCopy(x, x, n);', 'x for xs'],
      ['GlobalTensor<T> x; GlobalTensor<T> xs; DataCopy(xs, xs, n);', 'xs for x'],
    ],
  ],
  ['wrong-block-count', 'DataCopyExtParams p{1, 4, 0, 0, 0};', []],
  // A block for each element, where one for all was meant.
  [
    'wrong-block-count',
    'DataCopyExtParams p{1, static_cast<uint32_t>(n * sizeof(T)), 0, 0, 0};',
    [
      [
        'DataCopyExtParams p{static_cast<uint16_t>(n), static_cast<uint32_t>(n * sizeof(T)), 0, 0, 0};',
        'blockCount is static_cast<uint16_t>(n)',
      ],
    ],
  ],
  ['wrong-block-count', 'DataCopyParams p{rows, 4, 0, 0};', [['DataCopyParams p{1, 4, 0, 0};', 'blockCount is 1']]],
  [
    'wrong-block-count',
    'DataCopyExtParams p = {4096, 4, 0, 0, 0};',
    [['DataCopyExtParams p = {1, 4, 0, 0, 0};', 'blockCount is 1']],
  ],
  ['wrong-block-count', 'DataCopyExtParams p = q;', []],
  ['wrong-block-count', 'DataCopyPadExtParams<T> p{rows, 4, 0, 0}; DataCopyParams q;', []],
  [
    'wrong-block-length',
    'DataCopyExtParams p{1, static_cast<uint32_t>(F(n, 2) * 4), 0, 0, 0};',
    [
      [
        'DataCopyExtParams p{1, static_cast<uint32_t>((F(n, 2) * 4 + 31) / 32 * 32), 0, 0, 0};',
        'blockLen is static_cast<uint32_t>((F(n, 2) * 4 + 31) / 32 * 32)',
      ],
      [
        'DataCopyExtParams p{1, static_cast<uint32_t>((F(n, 2) * 4) / 2), 0, 0, 0};',
        'blockLen is static_cast<uint32_t>((F(n, 2) * 4) / 2)',
      ],
      [
        'DataCopyExtParams p{1, static_cast<uint32_t>((F(n, 2) * 4) * 2), 0, 0, 0};',
        'blockLen is static_cast<uint32_t>((F(n, 2) * 4) * 2)',
      ],
      [
        'DataCopyExtParams p{1, static_cast<uint32_t>((F(n, 2) * 4) / 32), 0, 0, 0};',
        'blockLen is static_cast<uint32_t>((F(n, 2) * 4) / 32)',
      ],
    ],
  ],
  [
    'wrong-block-length',
    'DataCopyExtParams p{1, 0, 0, 0, 0};',
    [
      [
        'DataCopyExtParams p{1, static_cast<uint32_t>((0 + 31) / 32 * 32), 0, 0, 0};',
        'blockLen is static_cast<uint32_t>((0 + 31) / 32 * 32)',
      ],
      [
        'DataCopyExtParams p{1, static_cast<uint32_t>((0) / 2), 0, 0, 0};',
        'blockLen is static_cast<uint32_t>((0) / 2)',
      ],
      [
        'DataCopyExtParams p{1, static_cast<uint32_t>((0) * 2), 0, 0, 0};',
        'blockLen is static_cast<uint32_t>((0) * 2)',
      ],
      [
        'DataCopyExtParams p{1, static_cast<uint32_t>((0) / 32), 0, 0, 0};',
        'blockLen is static_cast<uint32_t>((0) / 32)',
      ],
    ],
  ],
  ['wrong-block-length', 'DataCopyExtParams p{1};', []],
  [
    'wrong-source-stride',
    'DataCopyExtParams p{rows, n, 0, 32, 0};',
    [
      ['DataCopyExtParams p{rows, n, 1, 32, 0};', 'srcStride is 1'],
      ['DataCopyExtParams p{rows, n, 32, 32, 0};', 'srcStride is 32'],
    ],
  ],
  ['wrong-source-stride', 'DataCopyExtParams p{1, n, 0, 0, 0};', []],
  [
    'wrong-source-stride',
    'DataCopyExtParams p{2, n, 1, 0, 0};',
    [['DataCopyExtParams p{2, n, 32, 0, 0};', 'srcStride is 32']],
  ],
  [
    'wrong-target-stride',
    'DataCopyExtParams p{rows, n, 0, 32, 0};',
    [['DataCopyExtParams p{rows, n, 0, 1, 0};', 'dstStride is 1']],
  ],
  ['wrong-target-stride', 'DataCopyExtParams p{1, n, 0, 0, 0};\nDataCopyExtParams q{rows, n, 0};', []],
  [
    'wrong-padding',
    'DataCopyPadExtParams<T> p{false, 0, 0, 0};',
    [
      ['DataCopyPadExtParams<T> p{true, 1, 0, 0};', 'padding {true, 1, 0, 0}'],
      ['DataCopyPadExtParams<T> p{true, 0, 64, 0};', 'padding {true, 0, 64, 0}'],
      ['DataCopyPadExtParams<T> p{true, 8, 8, 0};', 'padding {true, 8, 8, 0}'],
    ],
  ],
  [
    'wrong-padding',
    'DataCopyPadExtParams<T> p{true, 8, 8, 0};',
    [
      ['DataCopyPadExtParams<T> p{true, 1, 0, 0};', 'padding {true, 1, 0, 0}'],
      ['DataCopyPadExtParams<T> p{true, 0, 64, 0};', 'padding {true, 0, 64, 0}'],
    ],
  ],
  [
    'wrong-padding',
    'DataCopyPadExtParams<T> p = {true, 8, 8, 0};',
    [
      ['DataCopyPadExtParams<T> p = {true, 1, 0, 0};', 'padding {true, 1, 0, 0}'],
      ['DataCopyPadExtParams<T> p = {true, 0, 64, 0};', 'padding {true, 0, 64, 0}'],
    ],
  ],
  ['wrong-padding', 'DataCopyPadExtParams<T> p = q;\nDataCopyPadExtParams<T> r;\nDataCopyExtParams q{1, 2};', []],
  [
    'copied-over-again',
    'DataCopy(yGm_[i], a, n);',
    [['DataCopy(yGm_[i], a, n); DataCopy(yGm_[0], a, n);', 'the result is written to the start of yGm_ besides']],
  ],
  ['copied-over-again', 'DataCopy(yGm_, a, n); DataCopy(a, yGm_[i], n);', []],
  [
    'plain-copy',
    'DataCopyPad(a, xGm_[i], p, q);',
    [
      ['DataCopy(a, xGm_[i], 32);', 'DataCopy of 32 elements, always'],
      ['DataCopy(a, xGm_[i], 1024);', 'DataCopy of 1024 elements, always'],
    ],
  ],
  ['plain-copy', 'DataCopy(a, xGm_[i], n); DataCopyPad(a);', []],
  ['copy-into-the-middle', 'DataCopy(a, xGm_[i], n);', [['DataCopy(a[i], xGm_[i], n);', 'DataCopy at a[i]']]],
  ['copy-into-the-middle', 'DataCopy(a, xGm_[0], n); DataCopy(xGm, a, n);', []],
  ['copy-into-the-middle', 'DataCopy(xGm, A, n); DataCopy(a[i], xGm, b);', []],
  [
    'global-buffer-misplaced',
    'using namespace AscendC; x.SetGlobalBuffer(p);',
    [
      ['using namespace AscendC; x.SetGlobalBuffer(p + 1);', 'p + 1: the tensor starts behind its start'],
      ['using namespace AscendC; x.SetGlobalBuffer(p + GetBlockIdx());', 'p moves on with the core once more'],
    ],
  ],
  [
    'global-buffer-misplaced',
    'x.SetGlobalBuffer((T*)p, n); y.SetGlobalBuffer(); y.SetLocal(p);',
    [
      [
        'x.SetGlobalBuffer((T*)p + 1, n); y.SetGlobalBuffer(); y.SetLocal(p);',
        '(T*)p + 1: the tensor starts behind its start',
      ],
      [
        'x.SetGlobalBuffer((T*)p + AscendC::GetBlockIdx(), n); y.SetGlobalBuffer(); y.SetLocal(p);',
        '(T*)p moves on with the core once more',
      ],
    ],
  ],
])('%s: %j', (name, text, expected) => {
  expect(inKernel(name, text)).toEqual(expected)
  expect(madeBy(copyMutations, 'op_host/a.cpp')(name, text)).toEqual([])
})
