import {describe, expect, test} from 'vitest'
import {statementsOf} from '../../../pipelines/facts/code-statements.ts'

const told = (source: string) => statementsOf(source).map(({line, lastLine, text}) => `${line}-${lastLine} ${text}`)

describe('C++ text is cut into statements', () => {
  test.each<[string, string, string[]]>([
    ['one a semicolon', 'a = 1;\nb();', ['1-1 a = 1;', '2-2 b();']],
    ['over lines, without comments', 'f(a, // first\n  b);\n\n/* none */ g();', ['1-2 f(a, b);', '4-4 g();']],
    [
      'a block and its end',
      'void Run(int n) {\n  a();\n}\nb();',
      ['1-1 void Run(int n) {', '2-2 a();', '3-3 }', '4-4 b();'],
    ],
    [
      'the heads of a loop keep their semicolons',
      'for (i = 0; i < n; ++i) { a(); }',
      ['1-1 for (i = 0; i < n; ++i) {', '1-1 a();', '1-1 }'],
    ],
    ['a list of values is no block', 'P p{1, {2, 3}};\nq = {4};', ['1-1 P p{1, {2, 3}};', '2-2 q = {4};']],
    ['a list in brackets', 'f({a, b}, c[{0}]);', ['1-1 f({a, b}, c[{0}]);']],
    ['else', 'if (a) { b(); } else { c(); }', ['1-1 if (a) {', '1-1 b();', '1-1 }', '1-1 else {', '1-1 c();', '1-1 }']],
    ['do', 'do { a(); } while (b);', ['1-1 do {', '1-1 a();', '1-1 }', '1-1 while (b);']],
    ['a block alone', '{ a(); }', ['1-1 {', '1-1 a();', '1-1 }']],
    ['a method that changes nothing', 'int N() const { return 1; }', ['1-1 int N() const {', '1-1 return 1;', '1-1 }']],
    ['a method that overrides', 'int N() override { }', ['1-1 int N() override {', '1-1 }']],
    ['a method that does not throw', 'int N() noexcept { }', ['1-1 int N() noexcept {', '1-1 }']],
    [
      'a class and its labels',
      'class K {\npublic:\n  int a;\nprivate:\nprotected:\n};',
      ['1-1 class K {', '2-2 public:', '3-3 int a;', '4-4 private:', '5-5 protected:', '6-6 }', '6-6 ;'],
    ],
    ['two words are no label', 'public a = 1;', ['1-1 public a = 1;']],
    ['another word with a colon is no label', 'case : a();', ['1-1 case : a();']],
    ['a word before the label', 'x public: a();', ['1-1 x public: a();']],
    ['a struct among the parameters', 'f(struct S s) volatile {1};', ['1-1 f(struct S s) volatile {1};']],
    ['a block in brackets', 'f([](int a) { b(); c(); });', ['1-1 f([](int a) { b(); c(); });']],
    ['a line for the preprocessor in front', '#pragma once\na();', ['1-1 #pragma once', '2-2 a();']],
    ['an end without a beginning', 'a }\nb();', ['1-1 a', '1-1 }', '2-2 b();']],
    ['an empty first line', '\n\na();', ['3-3 a();']],
    ['a case is no label', 'case 1: a();', ['1-1 case 1: a();']],
    ['a colon in a condition', 'x = a ? b : c;', ['1-1 x = a ? b : c;']],
    [
      'a struct, a namespace, an enum, a union, names for C',
      'struct S { }\nnamespace n { }\nenum E { }\nunion U { }\nextern "C" { }',
      ['struct S', 'namespace n', 'enum E', 'union U', 'extern "C"'].flatMap((head, at) => [
        `${at + 1}-${at + 1} ${head} {`,
        `${at + 1}-${at + 1} }`,
      ]),
    ],
    ['a value of a struct in a call', 'f(struct S{1});', ['1-1 f(struct S{1});']],
    ['a name that only begins so', 'classes c{1};', ['1-1 classes c{1};']],
    [
      'a line for the preprocessor, with what goes on below it',
      'a()\n#define X(a) \\\n  f(a); \\\n  g(a)\nb();',
      ['1-1 a()', '2-2 #define X(a) \\ f(a); \\ g(a)', '5-5 b();'],
    ],
    ['a semicolon in a text', 'f("a;\\"b", \';\');', ['1-1 f("a;\\"b", \';\');']],
    ['what nothing ends', 'a = b', ['1-1 a = b']],
    ['nothing', '  // only words\n', []],
    ['a bracket too many', 'f(a));\nb();', ['1-1 f(a));', '2-2 b();']],
  ])('%s', (_, source, statements) => expect(told(source)).toEqual(statements))

  test('tokens hold their lines, and marks of two or three characters stay whole', () => {
    const [one] = statementsOf("a->b::c += 1'000.5f << 2 >>= x <<= ~y++ && --z || w\n!= 0x1F;")
    expect(one?.key).toBe("a -> b :: c += 1'000.5f < < 2 >>= x <<= ~ y ++ && -- z || w != 0x1F ;")
    expect(one?.tokens.map(({line}) => line).join('')).toBe(`${'1'.repeat(21)}222`)
  })

  test('layout changes no key', () => {
    const keys = ['f(a,b);', 'f( a ,\n  b ) ;'].map((source) => statementsOf(source).map(({key}) => key))
    expect(keys[0]).toEqual(keys[1])
  })
})
