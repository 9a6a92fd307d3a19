import {expect, test} from 'vitest'
import {foldBranches} from '../../../../pipelines/code/specialise/fold-branches.ts'

/** Each text as it is left, to the blank: what remains is read by people. */
test.each<[name: string, before: string, after: string]>([
  [
    'the taken arm takes its place, with the indentation of the whole',
    'void F()\n{\n    if (true) {\n        a();\n        if (b) {\n            c();\n        }\n    ' +
      '} else {\n        d();\n    }\n    e();\n}\n',
    'void F()\n{\n    a();\n    if (b) {\n        c();\n    }\n    e();\n}\n',
  ],
  [
    'what is never taken goes with its lines',
    'void F()\n{\n    a();\n    if (false) {\n        b();\n    }\n    c();\n}\n',
    'void F()\n{\n    a();\n    c();\n}\n',
  ],
  [
    'what is never taken goes alone where others share its line',
    'void F() { a(); if (false) { b(); } c(); }\n',
    'void F() { a();  c(); }\n',
  ],
  [
    'a single statement stays one',
    'void F()\n{\n    if (true)\n        a();\n    else\n        b();\n}\n',
    'void F()\n{\n    a();\n}\n',
  ],
  [
    'outside of a block brackets stay',
    'void F()\n{\n    for (;;)\n        if (true) {\n            a();\n            b();\n        }\n}\n',
    'void F()\n{\n    for (;;)\n        {\n            a();\n            b();\n        }\n}\n',
  ],
  [
    'outside of a block nothing is an empty block',
    'void F()\n{\n    for (;;)\n        if (false) {\n            a();\n        }\n}\n',
    'void F()\n{\n    for (;;)\n        {}\n}\n',
  ],
  [
    'an else before it keeps it',
    'void F() { if (a) { b(); } else if (true) { c(); } else { d(); } }\n',
    'void F() { if (a) { b(); } else { c(); } }\n',
  ],
  ['a comment is no arm', 'void F() { if (false) { a(); } else /* then */ { b(); } }\n', 'void F() { b(); }\n'],
  [
    'a name that stands beside it keeps its brackets',
    'void F() { int k = 0; if (true) { int k = 1; f(k); } }\n',
    'void F() { int k = 0; { int k = 1; f(k); } }\n',
  ],
  [
    'a type that stands beside it does, too',
    'void F() { K k; if (true) { using K = int; K m; } }\n',
    'void F() { K k; { using K = int; K m; } }\n',
  ],
  [
    'a name of its own frees it',
    'void F() { int k = 0; if (true) { int m = 1; f(m); } }\n',
    'void F() { int k = 0; int m = 1; f(m); }\n',
  ],
  [
    'one that goes frees the name of another',
    'void F() { if (true) { int k = 1; f(k); } if (false) { int k = 2; g(k); } }\n',
    'void F() { int k = 1; f(k);  }\n',
  ],
  [
    'inner ones follow outer ones',
    'void F() { if (true) { if (false) { a(); } else { b(); } } }\n',
    'void F() { b(); }\n',
  ],
  [
    'a constant settles what the compiler asks for',
    'constexpr int M = 1;\nvoid F() { if constexpr (M == 1) { a(); } if (M == 1) { b(); } }\n',
    'constexpr int M = 1;\nvoid F() { a(); if (M == 1) { b(); } }\n',
  ],
  [
    'a constant of a class settles nothing',
    'class C { static constexpr int M = 1; };\nvoid F() { if constexpr (M == 1) { a(); } }\n',
    'class C { static constexpr int M = 1; };\nvoid F() { if constexpr (M == 1) { a(); } }\n',
  ],
  [
    'at the start of a line, too',
    'void F()\n{\nif (true) {\n    a();\n}\nif (false) {\n    b();\n}\n}\n',
    'void F()\n{\na();\n}\n',
  ],
  [
    'what is less indented than the whole stays so',
    'void F()\n{\n        if (true) {\n    a();\n        b();\n        }\n}\n',
    'void F()\n{\n        a();\n        b();\n}\n',
  ],
  [
    'what is never taken stands on lines of its own only where nothing follows',
    'void F()\n{\n    if (false) {\n        a();\n    } b();\n}\n',
    'void F()\n{\n     b();\n}\n',
  ],
  [
    'nor where something stands before',
    'void F()\n{\n    a(); if (false) {\n        b();\n    }\n}\n',
    'void F()\n{\n    a(); \n}\n',
  ],
  ['what ends the text has no line to take', 'void F()\n{\n    if (false) { a(); }}', 'void F()\n{\n    }'],
  [
    'one that is not read stays',
    'void F() { if (true) { a( } else { b(); } }\n',
    'void F() { if (true) { a( } else { b(); } }\n',
  ],
  [
    'an else of which nothing is left goes with its word',
    'void F()\n{\n    if (a) {\n        b();\n    } else if (false) {\n        c();\n    }\n    d();\n}\n',
    'void F()\n{\n    if (a) {\n        b();\n    }\n    d();\n}\n',
  ],
  [
    'one that was empty does, after others',
    'void F() { if (a) { b(); } else if (c) { d(); } else {} }\n',
    'void F() { if (a) { b(); } else if (c) { d(); } }\n',
  ],
  [
    'one that keeps the next from another if stays',
    'void F() { if (a) if (b) { c(); } else if (false) { d(); } else {} else { e(); } }\n',
    'void F() { if (a) if (b) { c(); } else {} else { e(); } }\n',
  ],
  [
    'one that says why it is empty stays',
    'void F() { if (a) { b(); } else { /* why */ } }\n',
    'void F() { if (a) { b(); } else { /* why */ } }\n',
  ],
  [
    'what the compiler asks goes where nothing depends on it',
    'void F()\n{\n    a();\n    if constexpr (kind) {\n        if (false) {\n            b();\n        }\n    }\n}\n',
    'void F()\n{\n    a();\n}\n',
  ],
  [
    'what runs stays for what its condition does',
    'void F() { if (next()) { } if constexpr (kind) { } else { a(); } }\n',
    'void F() { if (next()) { } if constexpr (kind) { } else { a(); } }\n',
  ],
  [
    'a choice is what it takes, in brackets where a neighbour could take it apart',
    'int n = 1 ? 2 : 1;\nint m = 3 * (false ? 1 : a + b) - (0 ? x : y);\nint k = c ? 1 : true ? a, b : 2;\n',
    'int n = 2;\nint m = 3 * (a + b) - (y);\nint k = c ? 1 : (a, b);\n',
  ],
  [
    'with the words that the grammar does not know',
    'void F()\n{\n    auto t = false ? 0 : q.template Get<half>();\n    if (true)\n        q.template Put<half>();\n}\n',
    'void F()\n{\n    auto t = q.template Get<half>();\n    q.template Put<half>();\n}\n',
  ],
  [
    'one of types as well',
    'using T = std::conditional_t<std::is_same_v<half, bool>, int8_t, half>;\n' +
      'using C = typename std::conditional<std::is_same<float, float32_t>::value, A<int>, B>::type;\n' +
      'using D = std::conditional<true, A, B>;\n',
    'using T = half;\nusing C = A<int>;\nusing D = std::conditional<true, A, B>;\n',
  ],
  [
    'one that a name settles stays, for the name may be a variable',
    'constexpr int M = 1;\nint F(int M) { return M == 1 ? 2 : std::is_same_v<T, half> ? 3 : 4; }\n',
    'constexpr int M = 1;\nint F(int M) { return M == 1 ? 2 : std::is_same_v<T, half> ? 3 : 4; }\n',
  ],
  ['what is not known stays', 'void F() { if (a) { b(); } }\n', 'void F() { if (a) { b(); } }\n'],
])('%s', async (_, before, after) => expect(await foldBranches(before)).toBe(after))

test('an answer settles what the text does not', async () => {
  const answer = {name: (name: string) => (name === 'known' ? true : undefined)}
  expect(await foldBranches('void F() { if (known && !other) { a(); } if (!known) { b(); } }\n', answer)).toBe(
    'void F() { if (known && !other) { a(); }  }\n',
  )
})
