import {expect, test} from 'vitest'
import {movementMutations} from '../../../../pipelines/preference/mutations/data-copies.ts'
import {madeBy} from './places.ts'

const kernelHead = 'DataCopyExtParams p{1, static_cast<uint32_t>(n * sizeof(T)), 0, 0, 0};\n'
const inKernel = madeBy(movementMutations, 'op_kernel/a.cpp', kernelHead)

test.each<[string, string, [string, string][]]>([
  [
    'unaligned-data-copy',
    'DataCopyPad(a, xGm_, p, q);',
    [['DataCopy(a, xGm_, n);', 'DataCopy for a length that need not be a multiple of 32 bytes']],
  ],
  [
    'unaligned-data-copy',
    'DataCopyExtParams p{1, static_cast<uint32_t>(t.m * sizeof(T)), 0, 0, 0};\nDataCopyPad(a, xGm_, p);',
    [
      [
        'DataCopyExtParams p{1, static_cast<uint32_t>(t.m * sizeof(T)), 0, 0, 0};\nDataCopy(a, xGm_, t.m);',
        'DataCopy for a length that need not be a multiple of 32 bytes',
      ],
    ],
  ],
  [
    'unaligned-data-copy',
    'DataCopyPad(a, xGm_, q);\nDataCopyExtParams q{1, static_cast<uint32_t>(n * sizeof(T)), 0, 0, 0};\n',
    [],
  ],
  [
    'unaligned-data-copy',
    'DataCopyPad(a, xGm_); DataCopy(a, xGm_, p); x = DataCopyPad(a, xGm_, p); DataCopyPad(a, xGm_, pp);',
    [],
  ],
  [
    'unaligned-data-copy',
    'DataCopyExtParams p{2, static_cast<uint32_t>(n * sizeof(T)), 0, 0, 0};\nDataCopyPad(a, xGm_, p);',
    [],
  ],
  ['unaligned-data-copy', 'DataCopyExtParams p;\nDataCopyPad(a, xGm_, p);', []],
  [
    'tile-offset-missing',
    'DataCopy(a, xGm_[i * n], n);',
    [['DataCopy(a, xGm_[0], n);', 'every tile uses the start of xGm_']],
  ],
  [
    'tile-offset-missing',
    'DataCopyPad(this->out_global[i], a[i], n); DataCopyCustom(yGM[f(i)], a);',
    [
      [
        'DataCopyPad(this->out_global[0], a[i], n); DataCopyCustom(yGM[f(i)], a);',
        'every tile uses the start of this->out_global',
      ],
      ['DataCopyPad(this->out_global[i], a[i], n); DataCopyCustom(yGM[0], a);', 'every tile uses the start of yGM'],
    ],
  ],
  [
    'tile-offset-missing',
    'DataCopy(a, xGm_[0], n); DataCopy(x[i], a, n); DataCopy(a, b, xGm_[i]); Copy(a, xGm_[i]);',
    [],
  ],
  [
    'elements-for-bytes',
    'DataCopyExtParams p{1, static_cast<uint32_t>(n * sizeof(T)), 0, 0, 0};\n',
    [['DataCopyExtParams p{1, static_cast<uint32_t>(n), 0, 0, 0};\n', 'blockLen in elements where bytes are meant']],
  ],
  ['elements-for-bytes', 'DataCopyExtParams p{1, static_cast<uint32_t>(n * sizeof(uint8_t)), 0, 0, 0};\n', []],
  ['elements-for-bytes', 'DataCopyExtParams p{1, static_cast<uint32_t>(n * sizeof(int8_t)), 0, 0, 0};\n', []],
  ['elements-for-bytes', 'DataCopyExtParams p{1, static_cast<uint32_t>(n * sizeof(bool)), 0, 0, 0};\n', []],
  ['elements-for-bytes', 'DataCopyExtParams p{1, static_cast<uint32_t>((n + 1) * sizeof(T)), 0, 0, 0};\n', []],
  [
    'elements-for-bytes',
    'DataCopyExtParams p{1, static_cast<uint32_t>(n * sizeof(int16_t)), 0, 0, 0};\n',
    [['DataCopyExtParams p{1, static_cast<uint32_t>(n), 0, 0, 0};\n', 'blockLen in elements where bytes are meant']],
  ],
  [
    'swapped-copy-direction',
    'DataCopy(a, xGm_[i], n); DataCopyCustom(yGm_, a, n);',
    [
      ['DataCopy(xGm_[i], a, n); DataCopyCustom(yGm_, a, n);', 'source xGm_[i] and destination a change places'],
      ['DataCopy(a, xGm_[i], n); DataCopyCustom(a, yGm_, n);', 'source a and destination yGm_ change places'],
    ],
  ],
  [
    'swapped-copy-direction',
    'DataCopyPad(a, xGm_, p); DataCopy(a, xGm_); x = DataCopy(a, xGm_, n); DataCopyParams(a, b, c);',
    [],
  ],
  ['missing-copy-in', 'f();\n  DataCopy(a, xGm_[i], n);\ng();', [['f();\ng();', 'the copy from xGm_[i] is left out']]],
  ['missing-copy-in', 'DataCopyPad(a, inputGlobal, n);', [['', 'the copy from inputGlobal is left out']]],
  ['missing-copy-in', 'DataCopy(yGm_, a, n); DataCopy(yGm_, xGm_, n); DataCopy(a, b, n); DataCopy(a);', []],
])('%s: %j', (name, text, expected) => {
  expect(inKernel(name, text)).toEqual(expected)
  expect(madeBy(movementMutations, 'op_host/a.cpp', kernelHead)(name, text)).toEqual([])
})
