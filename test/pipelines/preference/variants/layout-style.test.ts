import {expect, test} from 'vitest'
import {layoutRewrites} from '../../../../pipelines/preference/variants.ts'
import {rewriting} from './chance.ts'

const rewritten = rewriting(layoutRewrites)

test.each<[string, string, string | undefined]>([
  ['without-comments', 'f(); // why\n  // what\ng();\n', 'f();\ng();\n'],
  ['without-comments', '/* SPDX */\nf(); // SPDX\n', '/* SPDX */\nf();\n'],
  ['without-comments', '// Copyright\n// more\nf();\n', '// Copyright\nf();\n'],
  ['without-comments', '// first\n// Copyright\nf();\n', 'f();\n'],
  ['without-comments', 'f("x");\n// Copyright\n', 'f("x");\n'],
  ['without-comments', '} // namespace a\n#endif // A_H\n// A_HOST\n', '} // namespace a\n#endif // A_H\n'],
  ['without-comments', 'f("// x");\n', undefined],
  ['brace-on-same-line', 'void F()\n{\n    int a;\n}\n', 'void F() {\n    int a;\n}\n'],
  ['brace-on-same-line', 'int F() const\n    {\n', 'int F() const {\n'],
  ['brace-on-same-line', 'class K\n{\n', undefined],
  ['two-spaces', '    a;\n        b;\n      c;\n  d;\n    \n', '  a;\n    b;\n      c;\n  d;\n    \n'],
  ['two-spaces', '  a;\n b;\n', undefined],
  ['pointer-style', 'f(T& a, int* b, T &c);\nT* d = e;\n', 'f(T &a, int *b, T &c);\nT *d = e;\n'],
  ['pointer-style', 'a = b & c; d = e* f(g);\n', undefined],
  ['fewer-blank-lines', '    a;\n\n    b;\n    }\n\n    c;\n', '    a;\n    b;\n    }\n    c;\n'],
  ['fewer-blank-lines', 'a;\n\nb;\n    c,\n\n    d;\n', undefined],
])('%s: %j', (name, text, put) => {
  expect(rewritten(name, text)).toBe(put)
  expect(rewritten(name, text, {path: 'op_host/a.cpp'})).toBe(put)
})
