import {expect, test} from 'vitest'
import {scopeMutations} from '../../../../pipelines/preference/mutations/scopes.ts'
import {madeBy} from './places.ts'

const inKernel = madeBy(scopeMutations, 'op_kernel/a.cpp')

test.each<[string, string, [string, string][]]>([
  [
    'undeclared-api',
    'Exp(a, b, n);',
    [
      ['Expf(a, b, n);', 'Expf does not exist; Exp was meant'],
      ['VecExp(a, b, n);', 'VecExp does not exist; Exp was meant'],
      ['Exponential(a, b, n);', 'Exponential does not exist; Exp was meant'],
    ],
  ],
  ['undeclared-api', 'q.Exp(a); x = Exp(a); Power(a, b); AscendC::Exp(a, b);', []],
  [
    'undeclared-name',
    'void F(LocalTensor<T> xLocal, LocalTensor<T> y) { Add(xLocal, y, y, n); f(xLocal); }',
    [
      [
        'void F(LocalTensor<T> xLocal, LocalTensor<T> y) { Add(xTensor, y, y, n); f(xLocal); }',
        'xTensor is not declared; xLocal was meant',
      ],
    ],
  ],
  [
    'misspelt-name',
    'int tileLength_ = 1;\nint b = tileLength_;\n',
    [
      ['int tileLength_ = 1;\nint b = tileLength;\n', 'tileLength is not declared; tileLength_ was meant'],
      ['int tileLength_ = 1;\nint b = tile_length_;\n', 'tile_length_ is not declared; tileLength_ was meant'],
      ['int tileLength_ = 1;\nint b = tileLen_;\n', 'tileLen_ is not declared; tileLength_ was meant'],
    ],
  ],
  ['misspelt-name', 'int n = 1;\nint n_ = n;\n', []],
  ['misspelt-name', 'int x = 1;\nint y = a.x + p->x;\n', []],
  [
    'undeclared-local',
    'int m = 1;\nvoid F() {\n  int n = m;\n  int k = n;\n}\n',
    [['int m = 1;\nvoid F() {\n  int k = n;\n}\n', 'n is not declared']],
  ],
  [
    'declared-in-inner-block',
    'void F() {\n  int n = 1;\n  f(n);\n  int k = 1;\n}',
    [
      [
        'void F() {\n  if (AscendC::GetBlockIdx() == 0) { int n = 1; }\n  f(n);\n  int k = 1;\n}',
        'n is declared in a block of its own and used after it',
      ],
      [
        'void F() {\n  for (uint32_t once = 0; once < 1; ++once) { int n = 1; }\n  f(n);\n  int k = 1;\n}',
        'n is declared in a block of its own and used after it',
      ],
      [
        'void F() {\n  { int n = 1; }\n  f(n);\n  int k = 1;\n}',
        'n is declared in a block of its own and used after it',
      ],
    ],
  ],
  [
    'used-after-its-loop',
    'void F() { for (int32_t i = m; i < n; ++i) {} }',
    [
      ['void F() { for (int32_t i = m; i < n; ++i) {}     i += 1;\n    }', 'i is used behind its loop'],
      ['void F() { i = m;\n        for (int32_t i = m; i < n; ++i) {} }', 'i is used before its loop'],
    ],
  ],
  [
    'used-after-its-loop',
    'void F() { for (auto i = 0; i < n; ++i) {} for (int j = 0;;) {} for (i = 0;;) {} }',
    [
      [
        'void F() { for (auto i = 0; i < n; ++i) {} for (int j = 0;;) {} for (i = 0;;) {}     i += 1;\n    }',
        'i is used behind its loop',
      ],
      [
        'void F() { i = 0;\n        for (auto i = 0; i < n; ++i) {} for (int j = 0;;) {} for (i = 0;;) {} }',
        'i is used before its loop',
      ],
    ],
  ],
  ['used-after-its-loop', 'for (int32_t i = m; i < n; ++i) {}', []],
  [
    'declared-twice',
    'int m;\nconst int k = 1;\nvoid F() {\n  int n;\n}',
    [
      ['int m;\nconst int k = 1; const int k = 1;\nvoid F() {\n  int n;\n}', 'k is declared twice'],
      ['int m;\nconst int k = 1;\nvoid F() {\n  int n; int n;\n}', 'n is declared twice'],
    ],
  ],
  [
    'undeclared-constant',
    'f(1, 12, 1.5f, x1, 1u, 1.5, a.0);',
    [
      ['f(ALIGN_NUM, 12, 1.5f, x1, 1u, 1.5, a.0);', 'ALIGN_NUM is not declared, for 1'],
      ['f(1, MAX_TILE_SIZE, 1.5f, x1, 1u, 1.5, a.0);', 'MAX_TILE_SIZE is not declared, for 12'],
      ['f(1, 12, ALIGN_NUM, x1, 1u, 1.5, a.0);', 'ALIGN_NUM is not declared, for 1.5f'],
    ],
  ],
  [
    'missing-function',
    'int F() { return 1; }\nint G() { return F(); }\nint H() { return H(); }\n',
    [['int G() { return F(); }\nint H() { return H(); }\n', 'F is called but not written']],
  ],
  ['missing-function', 'int F() { return 1; }\nint G() { return o.F(); }\n', []],
  [
    'parameter-not-passed',
    'void F(int x, int y, int z) { f(x + z); }',
    [
      ['void F(int y, int z) { f(x + z); }', 'the parameter x is missing'],
      ['void F(int x, int y) { f(x + z); }', 'the parameter z is missing'],
    ],
  ],
  [
    'parameter-not-passed',
    'void F(int x) { f(x); } void G(GM_ADDR tiling) { f(tiling); }',
    [['void F() { f(x); } void G(GM_ADDR tiling) { f(tiling); }', 'the parameter x is missing']],
  ],
  [
    'missing-using-namespace',
    'a;\nusing namespace AscendC;\nb;\n',
    [['a;\nb;\n', 'the names of AscendC are used without it']],
  ],
  ['missing-using-namespace', 'using namespace ge;\nusing AscendC;\n', []],
  [
    'missing-template-line',
    'template <typename T>\nclass K {};\n',
    [['class K {};\n', 'template <typename T> is missing']],
  ],
  [
    'missing-template-line',
    'template<typename T>\nclass K {};\ntemplate <int n> class L {};\n',
    [['class K {};\ntemplate <int n> class L {};\n', 'template<typename T> is missing']],
  ],
  [
    'unknown-element-name',
    'K<DTYPE_X> k;',
    [
      ['K<T> k;', 'T is not declared; DTYPE_X was meant'],
      ['K<DTYPE_INPUT> k;', 'DTYPE_INPUT is not declared; DTYPE_X was meant'],
      ['K<DTYPE_X0> k;', 'DTYPE_X0 is not declared; DTYPE_X was meant'],
      ['K<dtype> k;', 'dtype is not declared; DTYPE_X was meant'],
    ],
  ],
  [
    'function-of-the-host',
    'void F(LocalTensor<T> a) { Exp(a, b, n); }',
    [['void F(LocalTensor<T> a) { a.SetValue(0, expf(b.GetValue(0))); }', "expf of the host's library"]],
  ],
  ['function-of-the-host', 'void F(LocalTensor<T> a) { Add(a, b, c, n); Sqrt(a); f(a); x = Exp(a, b); }', []],
  [
    'function-of-the-host',
    'void F(LocalTensor<T> a) { Ln(b[i], a); }',
    [['void F(LocalTensor<T> a) { b[i].SetValue(0, logf(a.GetValue(0))); }', "logf of the host's library"]],
  ],
  [
    'enumerator-without-its-type',
    'f(RoundMode::CAST_NONE, AscendC::HardEvent::V_S, TPosition::VECIN, CMPMODE::LT);',
    [
      ['f(CAST_NONE, AscendC::HardEvent::V_S, TPosition::VECIN, CMPMODE::LT);', 'CAST_NONE without RoundMode'],
      ['f(RoundMode::CAST_NONE, AscendC::V_S, TPosition::VECIN, CMPMODE::LT);', 'V_S without HardEvent'],
      ['f(RoundMode::CAST_NONE, AscendC::HardEvent::V_S, TPosition::VECIN, LT);', 'LT without CMPMODE'],
    ],
  ],
  [
    'enumerator-without-its-type',
    'f(QuePosition::VECIN, SELMODE::X);',
    [
      ['f(VECIN, SELMODE::X);', 'VECIN without QuePosition'],
      ['f(QuePosition::VECIN, X);', 'X without SELMODE'],
    ],
  ],
])('%s: %j', (name, text, expected) => {
  expect(inKernel(name, text)).toEqual(expected)
  expect(madeBy(scopeMutations, 'op_host/a.cpp')(name, text)).toEqual([])
})

const inHost = madeBy(scopeMutations, 'op_host/a.cpp')

test.each<[string, string, [string, string][]]>([
  [
    'host-undeclared-constant',
    'f(1, 32); x = 8;',
    [
      ['f(ALIGN_SIZE, 32); x = 8;', 'ALIGN_SIZE is not declared, for 1'],
      ['f(1, CORE_NUM); x = 8;', 'CORE_NUM is not declared, for 32'],
      ['f(1, 32); x = ALIGN_SIZE;', 'ALIGN_SIZE is not declared, for 8'],
    ],
  ],
  [
    'host-undeclared-constant',
    'f(1u, x2, -3); a[4]; f(5 + 6, 7-8);',
    [['f(1u, x2, -3); a[4]; f(5 + BUFFER_NUM, 7-8);', 'BUFFER_NUM is not declared, for 6']],
  ],
  ['host-undeclared-local', '\nint n = 1;\nint k = n;\n', [['\nint k = n;\n', 'n is not declared']]],
  ['host-undeclared-local', 'int n = 1;\nint k = n;\n', []],
  [
    'host-missing-function',
    'int F() { return 1; }\nint G() { return F(); }\n',
    [['int G() { return F(); }\n', 'F is called but not written']],
  ],
])('host, %s: %j', (name, text, expected) => {
  expect(inHost(name, text)).toEqual(expected)
  expect(madeBy(scopeMutations, 'op_kernel/a.cpp')(name, text)).toEqual([])
})

test.each([
  [100, 0],
  [101, 1],
])('a member is used elsewhere behind a hundred characters: %i', (distance, places) => {
  const member = 'int m = 1;\n'
  const use = `${' '.repeat(distance - `${member}f(`.length)}f(m);`
  expect(inKernel('missing-member', member + use)).toEqual(Array(places).fill([use, 'm is not declared']))
  expect(inKernel('missing-member', `void F() {\n${member + use} }`)).toEqual([])
})
