import {expect, test} from 'vitest'
import {formRewrites} from '../../../../pipelines/preference/variants/forms.ts'
import {firstAndReversed, rewriting} from './chance.ts'

const rewritten = rewriting(formRewrites)
const host = {path: 'op_host/a.cpp'}

test.each<[string, string, string | undefined]>([
  ['loop-form', 'for (uint32_t i = 0; i < n; ++i) { f(i); }', 'for (uint32_t i = 0; i < n; i++) { f(i); }'],
  ['loop-form', 'for (int64_t i = a.b; i < t.n; i++) {}', 'for (int64_t i = a.b; i < t.n; i += 1) {}'],
  [
    'loop-form',
    'for (uint8_t i = 0; i < n; i += 1) {} for (uint8_t i = 0; i <= n; i++) {} for (int i = 0; i < n; i++) {}',
    undefined,
  ],
  ['loop-form', 'for (uint8_t i = 0; i < n; j++) {} for (uint8_t i = 0; j < n; i++) {}', undefined],
  [
    'loop-to-while',
    '  for (uint32_t i = 0; i < n; ++i) {\n        f(i);\n  }\n',
    '  uint32_t i = 0;\n  while (i < n) {\n        f(i);\n      ++i;\n  }\n',
  ],
  [
    'loop-to-while',
    'for (uint32_t i = m; i < n; i += step) {\n    f(i);\n}\n',
    'uint32_t i = m;\nwhile (i < n) {\n    f(i);\n    i += step;\n}\n',
  ],
  ['loop-to-while', 'for (uint32_t i = 0; i < n; ++i) {\n  if (x) { continue; }\n}\n', undefined],
  [
    'loop-to-while',
    'for (uint32_t i = 0; i < n; ++i) {\n  f(i);\n}\nfor (uint32_t i = 0; i < n; ++i) {\n  g(i);\n}\n',
    undefined,
  ],
  ['loop-to-while', 'for (uint32_t i = 0; i < n; ++i) {\n  for (;;) {}\n}\n', undefined],
  ['loop-to-while', 'for (uint32_t i = 0; i < n; ++i) { f(i); }\n', undefined],
  ['loop-to-while', 'f(); for (uint32_t i = 0; i < n; ++i) {\n}\n', undefined],
  ['loop-to-while', 'for (uint32_t i = 0; i < n; ++i) {\n', undefined],
  [
    'cast-form',
    'x = static_cast<uint32_t>(n); y = static_cast<float>(m); z = static_cast<half>(m);',
    'x = uint32_t(n); y = float(m); z = static_cast<half>(m);',
  ],
  [
    'drop-const',
    'f();\n  const uint32_t n = 1;\n  const auto m = f();\n',
    'f();\n  uint32_t n = 1;\n  auto m = f();\n',
  ],
  [
    'drop-const',
    'const uint32_t n = 1;\n  constexpr float m = 1;\n  const half k = 1;\n  const float j{1};\n',
    undefined,
  ],
  [
    'choice-to-branch',
    '  const uint32_t n = a.b < c ? d : e + 1;\n',
    '  uint32_t n = 0;\n  if (a.b < c) {\n      n = d;\n  } else {\n      n = e + 1;\n  }\n',
  ],
  [
    'choice-to-branch',
    '  n = a % 2 == 0 ? d : e;\n',
    '  if (a % 2 == 0) {\n      n = d;\n  } else {\n      n = e;\n  }\n',
  ],
  [
    'choice-to-branch',
    'n = a < b ? c : d;\n  n = a ? b : c;\n  n = a < b ? c : d ? e : f;\n  half n = a < b ? c : d;\n',
    undefined,
  ],
  ['compare-form', 'uint32_t n = 1; if (n > 0) { if (n != 0) {} }', 'uint32_t n = 1; if (n != 0) { if (n > 0) {} }'],
  ['compare-form', 'int32_t n = 1; if (n > 0) {} uint8_t m; if (m > 1) {} if (m == 0) {}', undefined],
  [
    'compound-assignment',
    'f(); n += 2; n = n * k; m = m - t.x; p -= q;',
    'f(); n = n + 2; n *= k; m -= t.x; p = p - q;',
  ],
  ['compound-assignment', 'f(); n = 2; n = m + 2; n += n + 1; n = n / 2; x.n += 1; n = n + f(1);', undefined],
  [
    'remainder-form',
    'n = a / b; r = a % b; const uint32_t q = t.x / 4;\n  const uint32_t s = t.x % 4;',
    'n = a / b; r = a - n * b; const uint32_t q = t.x / 4;\n  const uint32_t s = t.x - q * 4;',
  ],
  ['remainder-form', 'n = a / b; r = a % c; q = b / a; f(); r = b % a;', undefined],
])('on both sides, %s: %j', (name, text, expected) => {
  expect(rewritten(name, text)).toBe(expected)
  expect(rewritten(name, text, host)).toBe(expected)
})

test.each<[string, string, string | undefined]>([
  [
    'auto-type',
    'LocalTensor<T> x = q.DeQue<T>(); AscendC::LocalTensor<half> y = q.template AllocTensor<half>();',
    'auto x = q.DeQue<T>(); auto y = q.template AllocTensor<half>();',
  ],
  [
    'auto-type',
    'LocalTensor<float> x = b.Get<float>(); LocalTensor<T> y = b.Get<T>(n); LocalTensor<T> z = a[i];',
    'auto x = b.Get<float>(); LocalTensor<T> y = b.Get<T>(n); LocalTensor<T> z = a[i];',
  ],
  [
    'address-cast',
    'f((__gm__ A::B *)y + i, (__gm__ T*)x, (__gm__ T*)z(1), (T*)w);',
    'f(reinterpret_cast<__gm__ A::B *>(y) + i, reinterpret_cast<__gm__ T*>(x), (__gm__ T*)z(1), (T*)w);',
  ],
  [
    'guard-to-block',
    'void F(uint32_t n) {\n    if (n == 0) {\n        return;\n    }\n    f();\n\n    g();\n}\n',
    'void F(uint32_t n) {\n    if (n != 0) {\n        f();\n\n        g();\n    }\n}\n',
  ],
  ['guard-to-block', 'void F() {\n    if (IsNan(x)) {\n        return;\n    }\n    f();\n}\n', undefined],
  [
    'guard-to-block',
    'void F() {\n    if (x < 1.5f) { return; }\n    f();\n}\n',
    'void F() {\n    if (!(x < 1.5f)) {\n        f();\n    }\n}\n',
  ],
  ['guard-to-block', 'void F() {\n    if (a == 0 && b == 0) { return; }\n    f();\n}\n', undefined],
  ['guard-to-block', 'void F() {\n    if (a == 0) { return; }\n}\n', undefined],
  ['guard-to-block', 'void F() {\n    if (a == 0) { return; }\n#if X\n    f();\n#endif\n}\n', undefined],
  ['guard-to-block', 'void F() {\n    if (a == 0) { return; }\n    f(); }\n', undefined],
  ['guard-to-block', '    if (a == 0) { return; }\n    f();\n', undefined],
  ['guard-to-block', 'void F() {\n    if (a == 0) { return 1; }\n    f();\n}\n', undefined],
  ['swap-branches', 'int32_t n; if (n == 0) { f(); } else { g(); }', 'int32_t n; if (n != 0) { g(); } else { f(); }'],
  ['swap-branches', 'int32_t n; if (n != 0) { f(); } else { g(); }', 'int32_t n; if (n == 0) { g(); } else { f(); }'],
  ['swap-branches', 'int32_t n; if (n < 0) { f(); } else { g(); }', 'int32_t n; if (n >= 0) { g(); } else { f(); }'],
  ['swap-branches', 'int32_t n; if (n <= 0) { f(); } else { g(); }', 'int32_t n; if (n > 0) { g(); } else { f(); }'],
  ['swap-branches', 'int32_t n; if (n > 0) { f(); } else { g(); }', 'int32_t n; if (n <= 0) { g(); } else { f(); }'],
  ['swap-branches', 'int32_t n; if (n >= 0) { f(); } else { g(); }', 'int32_t n; if (n < 0) { g(); } else { f(); }'],
  [
    'swap-branches',
    'uint8_t n; int64_t m; if (n < m) { f(); } else { g(); } float x; if (x < m) { f(); } else { g(); }',
    'uint8_t n; int64_t m; if (n >= m) { g(); } else { f(); } float x; if (!(x < m)) { g(); } else { f(); }',
  ],
  [
    'swap-branches',
    'if constexpr (IsSame<T>()) { f(); } else { g(); } if (ok) { f(); } else { g(); }',
    'if constexpr (!(IsSame<T>())) { g(); } else { f(); } if (!ok) { g(); } else { f(); }',
  ],
  [
    'swap-branches',
    'if (TILING_KEY_IS(1)) { f(); } else { g(); } if (a) { f(); } if (a) { f(); } else if (b) { g(); }',
    undefined,
  ],
  [
    'commute-operands',
    'Add(a, b, c, n); AscendC::Mul(a, b[i], c, n);',
    'Add(a, c, b, n); AscendC::Mul(a, c, b[i], n);',
  ],
  ['commute-operands', 'Add(a, b, b, n); Sub(a, b, c, n); Add(a, b, c); x = Mul(a, b, c, n);', undefined],
  ['brace-initialisers', '\n  uint32_t n_ = 0;\n  int64_t m_ = x;\n', '\n  uint32_t n_{0};\n  int64_t m_{x};\n'],
  ['brace-initialisers', 'uint32_t n_ = 0;\n  float m_ = x;\n  uint8_t k = 1;\n  uint8_t j_ = -1;\n', undefined],
  [
    'hoist-bytes',
    ' p.InitBuffer(q, 2, n * sizeof(T));\n p.InitBuffer(r, n * sizeof(T));\n',
    ' const uint32_t bufferBytes = n * sizeof(T);\n p.InitBuffer(q, 2, bufferBytes);\n p.InitBuffer(r, bufferBytes);\n',
  ],
  ['hoist-bytes', ' p.InitBuffer(q, m);\n p.InitBuffer(r, n * sizeof(T));\n p.InitBuffer(s, n);\n', undefined],
  ['hoist-bytes', '  p.InitBuffer(q, 2, n * sizeof(T));\n  p.InitBuffer(r, n * sizeof(half));\n', undefined],
  ['hoist-bytes', '  p.InitBuffer(q, n * sizeof(T));\n  f();\n  p.InitBuffer(r, n * sizeof(T));\n', undefined],
  [
    'hoist-bytes',
    '  p.InitBuffer(q, n * sizeof(T));\n  p.InitBuffer(r, n * sizeof(T));\n  f(bufferBytes);\n',
    undefined,
  ],
])('in the kernel, %s: %j', (name, text, expected) => {
  expect(rewritten(name, text)).toBe(expected)
  expect(rewritten(name, text, host)).toBeUndefined()
})

test.each<[string, string, string | undefined]>([
  ['bounds-swapped', 'n = std::min(a, std::max(b, c));', 'n = std::min(std::max(b, c), a);'],
  ['bounds-swapped', 'n = std::min(a, a); m = std::max({a, b, c}); k = min(a, b, c);', undefined],
  [
    'rounding-form',
    'n = (a + b - 1) / b; m = (a + b - 1) / c; k = (a + b) / b;',
    'n = (a / b + (a % b == 0 ? 0 : 1)); m = (a + b - 1) / c; k = (a + b) / b;',
  ],
  [
    'tile-count',
    'n = CeilDiv(a, 2); m = CeilDiv(a, 4); k = CeilDiv(a, 8); j = CeilDiv(a, 3);',
    'n = CeilDiv(a, 3); m = CeilDiv(a, 2); k = CeilDiv(a, 2); j = CeilDiv(a, 3);',
  ],
])('on the host, %s: %j', (name, text, expected) => {
  expect(rewritten(name, text, host)).toBe(expected)
  expect(rewritten(name, text)).toBeUndefined()
})

const otherwise = {...firstAndReversed, pick: <T>(items: readonly T[]) => items.at(-1) as T}

test.each([
  ['loop-form', 'op_kernel/a.cpp', 'for (uint32_t i = 0; i < n; ++i) {}', 'for (uint32_t i = 0; n > i; i += 1) {}'],
  ['loop-form', 'op_kernel/a.cpp', 'for (uint32_t i = 0; i < n; i++) {}', 'for (uint32_t i = 0; n > i; ++i) {}'],
  ['cast-form', 'op_kernel/a.cpp', 'x = static_cast<uint8_t>(n);', 'x = (uint8_t)(n);'],
  ['rounding-form', 'op_host/a.cpp', 'n = (a + b - 1) / b;', 'n = (a == 0 ? 0 : (a - 1) / b + 1);'],
  ['tile-count', 'op_host/a.cpp', 'n = CeilDiv(a, 2);', 'n = CeilDiv(a, 8);'],
  ['tile-count', 'op_host/a.cpp', 'n = CeilDiv(a, 8);', 'n = CeilDiv(a, 6);'],
])('%s has another form as well, %s: %j', (name, path, text, expected) => {
  expect(rewritten(name, text, {path, random: otherwise})).toBe(expected)
})
