import {expect, test} from 'vitest'
import {valueMutations} from '../../../../pipelines/preference/mutations/values.ts'
import {madeBy} from './places.ts'

const kernelHead = 'float sum_;\nLocalTensor<T> a;\nLocalTensor<T> b;\nLocalTensor<int32_t> c;\n'
const inKernel = madeBy(valueMutations, 'op_kernel/a.cpp', kernelHead)

test.each<[string, string, [string, string][]]>([
  ['missing-cast', 'f();\nCast(a, b, CAST_NONE, n);\ng();', [['f();\ng();', 'Cast(a, b) left out']]],
  ['missing-cast', 'x = Cast(a, b); Castle(a, b);', []],
  [
    'wrong-rounding',
    'Cast(c, a, CAST_RINT, n); f(CAST_ROUND, CAST_FLOOR, CAST_NONE);',
    [
      [
        'Cast(c, a, CAST_FLOOR, n); f(CAST_ROUND, CAST_FLOOR, CAST_NONE);',
        'CAST_FLOOR where CAST_RINT rounds to nearest',
      ],
      [
        'Cast(c, a, CAST_RINT, n); f(CAST_FLOOR, CAST_FLOOR, CAST_NONE);',
        'CAST_FLOOR where CAST_ROUND rounds to nearest',
      ],
    ],
  ],
  [
    'wrong-constant',
    'Adds(a, b, 1.5f, n);',
    [
      ['Adds(a, b, 2.5f, n);', 'Adds with 2.5 for 1.5f'],
      ['Adds(a, b, -1.5f, n);', 'Adds with -1.5 for 1.5f'],
      ['Adds(a, b, 3.0f, n);', 'Adds with 3 for 1.5f'],
    ],
  ],
  [
    'wrong-constant',
    'Muls(a, b, -2, n);',
    [
      ['Muls(a, b, -1, n);', 'Muls with -1 for -2'],
      ['Muls(a, b, 2, n);', 'Muls with 2 for -2'],
      ['Muls(a, b, -4, n);', 'Muls with -4 for -2'],
    ],
  ],
  [
    'wrong-constant',
    'Muls(a, b, 2.0f, n);',
    [
      ['Muls(a, b, 3.0f, n);', 'Muls with 3 for 2.0f'],
      ['Muls(a, b, -2.0f, n);', 'Muls with -2 for 2.0f'],
      ['Muls(a, b, 4.0f, n);', 'Muls with 4 for 2.0f'],
    ],
  ],
  ['wrong-constant', 'Maxs(a, b, 0.0f, n);', [['Maxs(a, b, 1.0f, n);', 'Maxs with 1 for 0.0f']]],
  ['wrong-constant', 'DataCopy(a, b, 32); Adds(a, b, x, 1u); Adds(a, b, 1.f, 1e3f); f(a, 2);', []],
  [
    'wrong-named-constant',
    'constexpr float one = 1.0f;',
    [
      ['constexpr float one = 1.5f;', 'one is 1.5f'],
      ['constexpr float one = -2.0f;', 'one is -2.0f'],
    ],
  ],
  ['wrong-named-constant', 'float x = 1.0f; const double y = 1.0f; const float z = 1; const float u{-0.5f};', []],
  [
    'wrong-named-constant',
    'const float z = 1;\nconst float u{-0.5f};',
    [
      ['const float z = 1;\nconst float u{1.5f};', 'u is 1.5f'],
      ['const float z = 1;\nconst float u{-2.0f};', 'u is -2.0f'],
    ],
  ],
  [
    'member-not-set',
    'f();\n  n_ = 1;\ng_ = h(x);\nm = 1;\n',
    [
      ['f();\ng_ = h(x);\nm = 1;\n', 'n_ is never set'],
      ['f();\n  n_ = 1;\nm = 1;\n', 'g_ is never set'],
    ],
  ],
  ['member-not-set', 'n_ == 1;\na.n_ = 1;\nN_ = 1;\nn_ = m_ = 1;\nn_ = 1; f();\n', []],
  [
    'shadowed-member',
    '  sum_ = 1;',
    [['  float sum_ = 1;', 'sum_ is a new variable here, and the member keeps its value']],
  ],
  ['shadowed-member', '  other_ = 1;\nx.sum_ = 1;\nsum_ == 1;\nsum_ += 1;', []],
  [
    'wrong-tiling-field',
    'n = tiling.n; m = tilingData.m;',
    [
      ['n = tiling.m; m = tilingData.m;', 'the field m is read for n'],
      ['n = tiling.n; m = tilingData.n;', 'the field n is read for m'],
    ],
  ],
  ['wrong-tiling-field', 'n = tiling.n; x = tiling.n; y = tiling.get(); z = plan.m;', []],
  [
    'wrong-operand',
    'Add(a, b, c, n); Add(x, y, z, n); DataCopy(a, b, n);',
    [
      ['Add(b, b, c, n); Add(x, y, z, n); DataCopy(a, b, n);', 'Add to b, not a'],
      ['Add(a, a, c, n); Add(x, y, z, n); DataCopy(a, b, n);', 'Add of a, not b'],
    ],
  ],
  [
    'wrong-operand',
    'void F() {\nLocalTensor<T> d = q;\nLocalTensor<T> e = q;\nAbs(d, e, n); }',
    [
      ['void F() {\nLocalTensor<T> d = q;\nLocalTensor<T> e = q;\nAbs(e, e, n); }', 'Abs to e, not d'],
      ['void F() {\nLocalTensor<T> d = q;\nLocalTensor<T> e = q;\nAbs(d, d, n); }', 'Abs of d, not e'],
    ],
  ],
  [
    'step-taken-twice',
    'Adds(a, a, v, n); Adds(a, b, v, n); Relu(a, a, n); DataCopy(a, a, n);',
    [
      [
        'Adds(a, a, v, n); Adds(a, a, v, n); Adds(a, b, v, n); Relu(a, a, n); DataCopy(a, a, n);',
        'Adds on a is done twice',
      ],
    ],
  ],
  [
    'steps-in-wrong-order',
    'Exp(a, b, n);\n  Adds(b, a, v, n);',
    [['Adds(b, a, v, n);\n  Exp(a, b, n);', 'Adds before Exp, whose result it takes']],
  ],
  ['steps-in-wrong-order', 'Exp(a, b, n); Abs(b, b, n); f(); Abs(a, b, n);', []],
  [
    'steps-left-out',
    'void F() {\n  f();\n  Exp(a, b, n);\n  g();\n  Abs(b, a, n);\n  h();\n}\n',
    [['void F() {\n  f();\n  h();\n}\n', 'the steps of F are left out']],
  ],
  ['steps-left-out', 'void F() { Exp(a, b, n); } void G() { Exp(a, b, n); if (x) { Abs(b, a, n); } }', []],
  ['accumulator-not-kept', 'f();\n  sum += x * y;\n', [['f();\n  sum = x * y;\n', 'sum is set where it adds up']]],
  ['accumulator-not-kept', 'for (i = 0; i < n; i += 2) {}\na.sum += x;\nsum -= x;', []],
  [
    'wrong-sign',
    'f(-x, -1, - y, a - b); g(a, -(b));',
    [
      ['f(x, -1, - y, a - b); g(a, -(b));', 'a minus is missing'],
      ['f(-x, -1, - y, a - b); g(a, (b));', 'a minus is missing'],
    ],
  ],
  [
    'wrong-sign',
    'Muls(a, b, scale, n); Muls(a, b, tiling.x, n); Adds(a, b, c, n); Power(a, b, scale, n); Maxs(a, b, Zero, n);',
    [
      [
        'Muls(a, b, -scale, n); Muls(a, b, tiling.x, n); Adds(a, b, c, n); Power(a, b, scale, n); Maxs(a, b, Zero, n);',
        'Muls with -scale',
      ],
    ],
  ],
  [
    'returns-too-early',
    'if (n == 0) { return; }',
    [['if (n == 0 || AscendC::GetBlockIdx() == 0) { return; }', 'the first core returns without doing anything']],
  ],
  [
    'returns-too-early',
    'if (F() >= n) {\n  return;\n}',
    [['if (F() >= n || AscendC::GetBlockIdx() == 0) {\n  return;\n}', 'the first core returns without doing anything']],
  ],
  [
    'returns-too-early',
    'using namespace AscendC; if (f) { return; }',
    [
      [
        'using namespace AscendC; if (f || GetBlockIdx() == 0) { return; }',
        'the first core returns without doing anything',
      ],
    ],
  ],
  ['returns-too-early', 'if (n == 0) return; if (n == 0) { return 1; } if (n) { f(); return; }', []],
  [
    'wrong-comparison',
    'f(CMPMODE::LT, CMPMODE::GE); if (x >= y) g(x == y);',
    [
      ['f(CMPMODE::GT, CMPMODE::GE); if (x >= y) g(x == y);', 'GT for LT'],
      ['f(CMPMODE::LT, CMPMODE::LT); if (x >= y) g(x == y);', 'LT for GE'],
      ['f(CMPMODE::LT, CMPMODE::GE); if (x < y) g(x == y);', '>= the wrong way round'],
      ['f(CMPMODE::LT, CMPMODE::GE); if (x >= y) g(x != y);', '== the wrong way round'],
    ],
  ],
  ['wrong-comparison', 'if (x > y || x <= y || f() >= y || x == -y) {}', []],
  [
    'branch-left-empty',
    'if (x) { f(); } else { g(); }',
    [['if (x) { f(); } else {\n        }', 'the other branch does nothing']],
  ],
  ['branch-left-empty', 'if (x) { f(); } else { } if (x) {} else if (y) { g(); } else { if (z) {} }', []],
])('%s: %j', (name, text, expected) => {
  expect(inKernel(name, text)).toEqual(expected)
  expect(madeBy(valueMutations, 'op_host/a.cpp', kernelHead)(name, text)).toEqual([])
})
