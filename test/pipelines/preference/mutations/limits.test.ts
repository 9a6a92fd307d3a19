import {expect, test} from 'vitest'
import {limitMutations} from '../../../../pipelines/preference/mutations/limits.ts'
import {madeBy} from './places.ts'

const kernelHead = 'LocalTensor<T> a;\nLocalTensor<T> b;\n'
const inKernel = madeBy(limitMutations, 'op_kernel/a.cpp', kernelHead)

test.each<[string, string, [string, string][]]>([
  [
    'repeat-form-out-of-range',
    'Exp(a, b, n);',
    [
      [
        'Exp(a, b, static_cast<uint64_t>(256), 1, {1, 1, 8, 8});',
        'Exp with mask, repeat times and strides static_cast<uint64_t>(256), 1, {1, 1, 8, 8}',
      ],
      [
        'Exp(a, b, static_cast<uint64_t>(64), 255, {1, 1, 8, 8});',
        'Exp with mask, repeat times and strides static_cast<uint64_t>(64), 255, {1, 1, 8, 8}',
      ],
      [
        'Exp(a, b, static_cast<uint64_t>(64), 4, {1, 1, 255, 255});',
        'Exp with mask, repeat times and strides static_cast<uint64_t>(64), 4, {1, 1, 255, 255}',
      ],
      [
        'Exp(a, b, static_cast<uint64_t>(0), 1, {1, 1, 8, 8});',
        'Exp with mask, repeat times and strides static_cast<uint64_t>(0), 1, {1, 1, 8, 8}',
      ],
      [
        'Exp(a, b, static_cast<uint64_t>(32), (n + 63) / 64, {1, 1, 8, 8});',
        'Exp with mask, repeat times and strides static_cast<uint64_t>(32), (n + 63) / 64, {1, 1, 8, 8}',
      ],
    ],
  ],
  [
    'repeat-form-out-of-range',
    'AscendC::Add(a, b, b, n + 1);',
    [
      [
        'AscendC::Add(a, b, b, static_cast<uint64_t>(256), 1, {1, 1, 1, 8, 8, 8});',
        'Add with mask, repeat times and strides static_cast<uint64_t>(256), 1, {1, 1, 1, 8, 8, 8}',
      ],
      [
        'AscendC::Add(a, b, b, static_cast<uint64_t>(64), 255, {1, 1, 1, 8, 8, 8});',
        'Add with mask, repeat times and strides static_cast<uint64_t>(64), 255, {1, 1, 1, 8, 8, 8}',
      ],
      [
        'AscendC::Add(a, b, b, static_cast<uint64_t>(64), 4, {1, 1, 1, 255, 255, 255});',
        'Add with mask, repeat times and strides static_cast<uint64_t>(64), 4, {1, 1, 1, 255, 255, 255}',
      ],
      [
        'AscendC::Add(a, b, b, static_cast<uint64_t>(0), 1, {1, 1, 1, 8, 8, 8});',
        'Add with mask, repeat times and strides static_cast<uint64_t>(0), 1, {1, 1, 1, 8, 8, 8}',
      ],
      [
        'AscendC::Add(a, b, b, static_cast<uint64_t>(32), (n + 1 + 63) / 64, {1, 1, 1, 8, 8, 8});',
        'Add with mask, repeat times and strides static_cast<uint64_t>(32), (n + 1 + 63) / 64, {1, 1, 1, 8, 8, 8}',
      ],
    ],
  ],
  ['repeat-form-out-of-range', 'Cast(a, b, CAST_NONE, n); Exp(a, n); Add(a, b, b); ReduceSum(a, b, b, n);', []],
  [
    'count-beyond-buffer',
    'Relu(a, b, n);',
    [
      ['Relu(a, b, n * sizeof(float));', 'Relu on n * sizeof(float) elements'],
      ['Relu(a, b, n * 2);', 'Relu on n * 2 elements'],
    ],
  ],
  [
    'count-beyond-buffer',
    'Relu(a, b, n + 1);',
    [
      ['Relu(a, b, (n + 1) * sizeof(float));', 'Relu on (n + 1) * sizeof(float) elements'],
      ['Relu(a, b, (n + 1) * 2);', 'Relu on (n + 1) * 2 elements'],
    ],
  ],
  ['count-beyond-buffer', 'DataCopy(a, b, n); Relu(a, n); Max(a, b, b); F(x, y, n);', []],
  [
    'wrong-count',
    'Relu(a, b, n);',
    [
      ['Relu(a, b, n / 2);', 'Relu on n / 2 elements, not n'],
      ['Relu(a, b, n / sizeof(float));', 'Relu on n / sizeof(float) elements, not n'],
      ['Relu(a, b, 64);', 'Relu on 64 elements, not n'],
    ],
  ],
  [
    'wrong-count',
    'Relu(a, b, 8);',
    [
      ['Relu(a, b, 8 / 2);', 'Relu on 8 / 2 elements, not 8'],
      ['Relu(a, b, 8 / sizeof(float));', 'Relu on 8 / sizeof(float) elements, not 8'],
      ['Relu(a, b, 64);', 'Relu on 64 elements, not 8'],
    ],
  ],
  [
    'unaligned-operand',
    'Abs(a, b[i], n);',
    [
      ['Abs(a[1], b[i], n);', 'Abs at a[1]: not at a multiple of 32 bytes'],
      ['Abs(a[3], b[i], n);', 'Abs at a[3]: not at a multiple of 32 bytes'],
    ],
  ],
  ['unaligned-operand', 'DataCopy(a, xGm_, n);', []],
  [
    'operand-out-of-buffer',
    'Abs(a, b[i], n);',
    [
      ['Abs(a[16384], b[i], n);', 'Abs at a[16384]: behind the end of its buffer'],
      ['Abs(a[65536], b[i], n);', 'Abs at a[65536]: behind the end of its buffer'],
    ],
  ],
  ['operands-overlap', 'Adds(a, a, v, n);', [['Adds(a[8], a, v, n);', 'Adds from a to a[8]']]],
  ['operands-overlap', 'Adds(a, b, v, n); Adds(a[i], a[i], v, n); Max(b, a, a, n); Abs(a, a);', []],
  [
    'wrong-buffer-size',
    'p.InitBuffer(q, 2, n * sizeof(T));',
    [
      ['p.InitBuffer(q, 2, 0);', 'q gets 0 bytes'],
      ['p.InitBuffer(q, 2, 32);', 'q gets 32 bytes'],
      ['p.InitBuffer(q, 2, 256 * 1024);', 'q gets 256 * 1024 bytes'],
      ['p.InitBuffer(q, 2, (n * sizeof(T)) / 4);', 'q gets (n * sizeof(T)) / 4 bytes'],
      ['p.InitBuffer(q, 2, n);', 'q gets n bytes'],
    ],
  ],
  [
    'wrong-buffer-size',
    'p.InitBuffer(q, 32);',
    [
      ['p.InitBuffer(q, 0);', 'q gets 0 bytes'],
      ['p.InitBuffer(q, 256 * 1024);', 'q gets 256 * 1024 bytes'],
      ['p.InitBuffer(q, (32) / 4);', 'q gets (32) / 4 bytes'],
    ],
  ],
  ['wrong-buffer-size', 'p.InitBuffer(q); p.SetBuffer(q, 2, n);', []],
  [
    'unaligned-comparison',
    'uint32_t count; Compare(a, b, b, CMPMODE::LT, n);',
    [
      ['uint32_t count; Compare(a, b, b, CMPMODE::LT, count);', 'Compare on count elements, no whole vector'],
      ['uint32_t count; Compare(a, b, b, CMPMODE::LT, 100);', 'Compare on 100 elements, no whole vector'],
      ['uint32_t count; Compare(a, b, b, CMPMODE::LT, 1);', 'Compare on 1 elements, no whole vector'],
    ],
  ],
  [
    'unaligned-comparison',
    'CompareScalar(a, b, v, CMPMODE::LT, 100);',
    [['CompareScalar(a, b, v, CMPMODE::LT, 1);', 'CompareScalar on 1 elements, no whole vector']],
  ],
  ['unaligned-comparison', 'Compare(a, b, b, n); Select(a, b, b, SELMODE::X, n);', []],
  [
    'no-room-for-reduction',
    'ReduceSum(a, b, b, n);',
    [
      ['ReduceSum(a, b, a, n);', 'ReduceSum with a as its work tensor'],
      ['ReduceSum(a, b, a[8], n);', 'ReduceSum with a[8] as its work tensor'],
    ],
  ],
  [
    'no-room-for-reduction',
    'ReduceMax(a, b, n); ReduceMin(a, b); WholeReduceSum(a, b, b, n); ReduceSums(a, b, b, n);',
    [],
  ],
  [
    'unsupported-round-mode',
    'Cast(a, b, RoundMode::CAST_NONE, n); f(CAST_RINT, CAST_NONES);',
    [
      [
        'Cast(a, b, RoundMode::CAST_RINT, n); f(CAST_RINT, CAST_NONES);',
        'CAST_RINT for a conversion that does not round',
      ],
      [
        'Cast(a, b, RoundMode::CAST_FLOOR, n); f(CAST_RINT, CAST_NONES);',
        'CAST_FLOOR for a conversion that does not round',
      ],
      [
        'Cast(a, b, RoundMode::CAST_ODD, n); f(CAST_RINT, CAST_NONES);',
        'CAST_ODD for a conversion that does not round',
      ],
    ],
  ],
  ['tensor-without-memory', 'LocalTensor<T> x = q.Get<T>();', [['LocalTensor<T> x;', 'x is never given memory']]],
  ['tensor-without-memory', 'LocalTensor<T> x;\nGlobalTensor<T> y = z;\nauto w = q.Get<T>();', []],
  [
    'element-never-written',
    'x = a.GetValue(0);',
    [
      ['x = a.GetValue(1);', 'a.GetValue at 1'],
      ['x = a.GetValue(7);', 'a.GetValue at 7'],
      ['x = a.GetValue(4096);', 'a.GetValue at 4096'],
      ['x = a.GetValue(-1);', 'a.GetValue at -1'],
    ],
  ],
  [
    'element-never-written',
    'a.SetValue(1, x); a.GetValue(); a.GetSize(1);',
    [
      ['a.SetValue(7, x); a.GetValue(); a.GetSize(1);', 'a.SetValue at 7'],
      ['a.SetValue(4096, x); a.GetValue(); a.GetSize(1);', 'a.SetValue at 4096'],
      ['a.SetValue(-1, x); a.GetValue(); a.GetSize(1);', 'a.SetValue at -1'],
    ],
  ],
  [
    'state-left-behind',
    'void F() { DataCopyPad(a, b, p); } void G() { f(); }',
    [
      [
        'void F() {\n        AscendC::SetAtomicAdd<float>(); DataCopyPad(a, b, p); } void G() { f(); }',
        'SetAtomicAdd<float>(); in F, never taken back',
      ],
      [
        'void F() {\n        AscendC::SetAtomicMax<half>(); DataCopyPad(a, b, p); } void G() { f(); }',
        'SetAtomicMax<half>(); in F, never taken back',
      ],
      [
        'void F() {\n        AscendC::SetAtomicMin<int32_t>(); DataCopyPad(a, b, p); } void G() { f(); }',
        'SetAtomicMin<int32_t>(); in F, never taken back',
      ],
    ],
  ],
  [
    'state-left-behind',
    'using namespace AscendC; void F() { q.EnQue(a); }',
    [
      [
        'using namespace AscendC; void F() {\n        SetAtomicAdd<float>(); q.EnQue(a); }',
        'SetAtomicAdd<float>(); in F, never taken back',
      ],
      [
        'using namespace AscendC; void F() {\n        SetAtomicMax<half>(); q.EnQue(a); }',
        'SetAtomicMax<half>(); in F, never taken back',
      ],
      [
        'using namespace AscendC; void F() {\n        SetAtomicMin<int32_t>(); q.EnQue(a); }',
        'SetAtomicMin<int32_t>(); in F, never taken back',
      ],
    ],
  ],
  // As a person would write it: all elements of the tile, one by one.
  [
    'scalar-writes-to-global',
    'DataCopy(yGm_[k], a[j], n);',
    [
      [
        'for (uint32_t i = 0; i < n; ++i) { yGm_.SetValue(k + i, a.GetValue(i)); }',
        'for (uint32_t i = 0; i < n; ++i) { yGm_.SetValue(k + i, a.GetValue(i)); } in the place of DataCopy',
      ],
    ],
  ],
  [
    'scalar-writes-to-global',
    'using namespace AscendC; DataCopy(yGm, a, p);',
    [
      [
        'using namespace AscendC; yGm.SetValue(0, a.GetValue(0));',
        'yGm.SetValue(0, a.GetValue(0)); in the place of DataCopy',
      ],
      [
        'using namespace AscendC; yGm.SetValue(GetBlockIdx(), a.GetValue(0));',
        'yGm.SetValue(GetBlockIdx(), a.GetValue(0)); in the place of DataCopy',
      ],
    ],
  ],
  ['scalar-writes-to-global', 'DataCopy(a, xGm_, n); DataCopy(yGm_); x = DataCopy(yGm_, a); Copy(yGm_, a);', []],
])('%s: %j', (name, text, expected) => {
  expect(inKernel(name, text)).toEqual(expected)
  expect(madeBy(limitMutations, 'op_host/a.cpp', kernelHead)(name, text)).toEqual([])
})
