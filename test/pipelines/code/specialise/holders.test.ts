import {expect, test} from 'vitest'
import {holdersGone} from '../../../../pipelines/code/specialise/holders.ts'

const kept = 'another use of the object'

test.each<[name: string, before: string, after: string]>([
  [
    'a field of a local object',
    'void E() {\n  TilingDataDef t;\n  int n = t.rows;\n}\n',
    'void E() {\n  int n = TilingDataDef::rows;\n}\n',
  ],
  [
    'a parameter and the argument that is passed',
    'void F(TilingDataDef t) { n = t.rows; }\nvoid E() {\n  TilingDataDef data;\n  F(data);\n}\n',
    'void F() { n = TilingDataDef::rows; }\nvoid E() {\n  F();\n}\n',
  ],
  [
    'the first of a list',
    'void F(const TilingDataDef& t, int n) { n = t.rows; }\n',
    'void F(int n) { n = TilingDataDef::rows; }\n',
  ],
  [
    'one behind others',
    'void F(int n, const TilingDataDef *t, int m) { n = t->rows; }\nvoid E(TilingDataDef* t) { F(1, t, 2); }\n',
    'void F(int n, int m) { n = TilingDataDef::rows; }\nvoid E() { F(1, 2); }\n',
  ],
  [
    'through a pointer in brackets',
    'void F(TilingDataDef* t) { n = (*t).rows; m = (t)->cols; }\n',
    'void F() { n = TilingDataDef::rows; m = TilingDataDef::cols; }\n',
  ],
  [
    'an address that is handed on',
    'void F(TilingDataDef* t) { n = t->a; }\nvoid E() {\n  TilingDataDef d;\n  F(&d);\n}\n',
    'void F() { n = TilingDataDef::a; }\nvoid E() {\n  F();\n}\n',
  ],
  ['a parameter that nobody uses', 'void F(TilingDataDef, int n) { m = n; }\n', 'void F(int n) { m = n; }\n'],
  [
    'a function that is declared before',
    'void F(int n, const TilingDataDef& t);\nclass K { void G(TilingDataDef* t); };\n' +
      'void F(int n, const TilingDataDef& t) { n = t.a; }\n',
    'void F(int n);\nclass K { void G(); };\nvoid F(int n) { n = TilingDataDef::a; }\n',
  ],
  [
    'a member that is defined outside of its class',
    'void K::Init(TilingDataDef& t) { n = t.a; }\nvoid E() {\n  TilingDataDef t;\n  op.Init(t);\n}\n',
    'void K::Init() { n = TilingDataDef::a; }\nvoid E() {\n  op.Init();\n}\n',
  ],
  [
    'a call with arguments of a template',
    'template <typename T> void F(TilingDataDef& t, int n) { n = t.a; }\nvoid E(TilingDataDef& t) { F<half>(t, 2); }\n',
    'template <typename T> void F(int n) { n = TilingDataDef::a; }\nvoid E() { F<half>(2); }\n',
  ],
  [
    'of two functions of one name, the call of each',
    'void F(TilingDataDef& t, int n) { n = t.a; }\nvoid F(int n, int m, TilingDataDef& t) { n = t.b; }\n' +
      'void E(TilingDataDef& t) { F(t, 1); F(1, 2, t); F(3); G(4, 5); }\n',
    'void F(int n) { n = TilingDataDef::a; }\nvoid F(int n, int m) { n = TilingDataDef::b; }\n' +
      'void E() { F(1); F(1, 2); F(3); G(4, 5); }\n',
  ],
  [
    'a comment among the arguments',
    'void F(int n, TilingDataDef& t) { n = t.a; }\nvoid E(TilingDataDef& t) { F(1 /* rows */, t); }\n',
    'void F(int n) { n = TilingDataDef::a; }\nvoid E() { F(1 /* rows */); }\n',
  ],
  [
    'an object of another structure',
    'void F(OtherDef& t, TilingDataDef& u) { n = t.a + u.b; }\n',
    'void F(OtherDef& t) { n = t.a + TilingDataDef::b; }\n',
  ],
  [
    'a field that is set to itself',
    'class K {\n  TilingDataDef own;\n  void Init(TilingDataDef& t) {\n' +
      '    TilingDataDef::a = t.a; // kept\n    this->own.b = t.b;\n    TilingDataDef::c = t.d;\n  }\n};\n',
    'class K {\n  TilingDataDef own;\n  void Init() {\n    TilingDataDef::b = TilingDataDef::b;\n' +
      '    TilingDataDef::c = TilingDataDef::d;\n  }\n};\n',
  ],
  [
    'a member of the class that holds it',
    'class K {\n  const TilingDataDef own;\n  void F() { n = own.a + this->own.b + x.own.c + p->own.d + own; }\n};\n',
    'class K {\n  const TilingDataDef own;\n' +
      '  void F() { n = TilingDataDef::a + TilingDataDef::b + x.own.c + p->own.d + own; }\n};\n',
  ],
  [
    'a call of a namesake with as many arguments',
    'void F(int a, int b) { n = a; }\nvoid F(TilingDataDef& t,int n) { n = t.a; }\n' +
      'void E(TilingDataDef& t) { F(t, 1); }\n',
    'void F(int a, int b) { n = a; }\nvoid F(int n) { n = TilingDataDef::a; }\nvoid E() { F(1); }\n',
  ],
  [
    'a function whose list has no space behind a comma',
    'void F(int n,TilingDataDef& t) { n = t.a; }\n',
    'void F(int n) { n = TilingDataDef::a; }\n',
  ],
  ['nothing of the kind', 'void F(int n) { m = n; }\n', 'void F(int n) { m = n; }\n'],
  ['an object that is copied', 'void F(TilingDataDef& t) { own = t; }\n', kept],
  ['an object that is given back', 'TilingDataDef F(TilingDataDef& t) { return t; }\n', kept],
])('%s', async (_, before, after) => {
  expect((await holdersGone(before)) ?? kept).toBe(after)
})
