import {describe, expect, test} from 'vitest'
import {reachableFrom} from '../../../../pipelines/code/specialise/reachable.ts'

const main = 'void Main() { Used(); }\n'
const left = async (before: string, entry = main, ...roots: string[]) =>
  (await reachableFrom(`${before}${entry}`, 'Main', new Set(roots))).replace(entry, '')

describe('what nothing mentions on the way from the entry goes', () => {
  test.each<[name: string, before: string, after: string]>([
    [
      'functions',
      'void Used() { Inner(); }\nvoid Inner() {}\nvoid Idle() { Used(); }\n',
      'void Used() { Inner(); }\nvoid Inner() {}\n',
    ],
    ['what only idle code mentions', 'void Idle() { Deep(); }\nvoid Deep() {}\n', ''],
    ['two of one name stay both', 'void Used() {}\nvoid Used(int a) {}\n', 'void Used() {}\nvoid Used(int a) {}\n'],
    [
      'templates',
      'template <typename T>\nvoid Used() {}\ntemplate <typename T> void Idle() {}\n',
      'template <typename T>\nvoid Used() {}\n',
    ],
    [
      'constants and macros',
      '#define IDLE 1\n#define TWICE(a) a\nconstexpr int N = 1;\nconst int M = 2, K = 3;\nvoid Used() { M; }\n',
      'const int M = 2, K = 3;\nvoid Used() { M; }\n',
    ],
    [
      'types',
      'using A = int;\ntypedef int B;\nenum C { D, E };\nenum class F { G };\nstruct H;\nclass I;' +
        '\nvoid Used() { A a; E; I* i; }\n',
      'using A = int;\nenum C { D, E };\nclass I;\nvoid Used() { A a; E; I* i; }\n',
    ],
    ['their comments go along', '// idle\nvoid Idle() {}\n\n// used\nvoid Used() {}\n', '\n// used\nvoid Used() {}\n'],
    [
      'a comment that stands apart stays',
      '// of all\n\nvoid Idle() {}\nvoid Used() {}\n',
      '// of all\n\nvoid Used() {}\n',
    ],
    [
      'words of the device go along',
      'class Used {\n    __aicore__ inline void Idle() {}\n    __aicore__ inline Used() {}\n};\n' +
        '__aicore__ void Idle() {}\n',
      'class Used {\n    __aicore__ inline Used() {}\n};\n',
    ],
    ['a comment behind it goes', 'void Idle() {} // behind\nvoid Used() {}\n', 'void Used() {}\n'],
    [
      'words in comments and texts mention nothing',
      'void Idle() {}\nvoid Used() { /* Idle */ f("Idle"); }\n',
      'void Used() { /* Idle */ f("Idle"); }\n',
    ],
    [
      'includes and the like stay',
      '#include "a.h"\n#pragma once\nusing namespace a;\nstatic_assert(true);\nvoid Used() {}\n',
      '#include "a.h"\n#pragma once\nusing namespace a;\nstatic_assert(true);\nvoid Used() {}\n',
    ],
    ['what shares a line goes alone', 'void Used() {} void Idle() {}\n', 'void Used() {} \n'],
  ])('%s', async (_, before, after) => expect(await left(before)).toBe(after))
})

describe('classes', () => {
  const entry = 'void Main() { C c; c.Used(); }\n'
  test.each<[name: string, before: string, after: string]>([
    [
      'go where nothing names them',
      'class C {\n    void Used() {}\n};\nclass D {\n};\n',
      'class C {\n    void Used() {}\n};\n',
    ],
    [
      'lose members that nothing names',
      'class C {\npublic:\n    void Used() { Inner(); }\n    void Inner() {}\n    void Idle() {}\n    ' +
        'int idle;\n    int kept_;\n};\n',
      'class C {\npublic:\n    void Used() { Inner(); }\n    void Inner() {}\n};\n',
    ],
    [
      'keep what makes and ends them',
      'class C {\n    C() {}\n    ~C() {}\n    C& operator=(const C& c) { return *this; }\n    virtual ' +
        'void V() {}\n    void O() override {}\n    void Used() {}\n};\n',
      'class C {\n    C() {}\n    ~C() {}\n    C& operator=(const C& c) { return *this; }\n    virtual ' +
        'void V() {}\n    void O() override {}\n    void Used() {}\n};\n',
    ],
    [
      'of plain data keep it, but for their functions',
      'struct C {\n    int data;\n    void Idle();\n    void Used();\n};\n',
      'struct C {\n    int data;\n    void Used();\n};\n',
    ],
    [
      'keep members that are defined outside',
      'class C {\n    void Used();\n    void Idle();\n};\nvoid C::Used() {}\nvoid C::Idle() {}\n',
      'class C {\n    void Used();\n};\nvoid C::Used() {}\n',
    ],
    [
      'of templates, too',
      'template <typename T> class C {\n    void Used();\n};\ntemplate <typename T> void C<T>::Used() ' +
        '{}\ntemplate <typename T> void D<T>::Used() {}\n',
      'template <typename T> class C {\n    void Used();\n};\ntemplate <typename T> void C<T>::Used() {}\n',
    ],
  ])('%s', async (_, before, after) => expect(await left(before, entry)).toBe(after))
})

describe('namespaces', () => {
  test.each<[name: string, before: string, after: string]>([
    [
      'that are never named keep nothing',
      'namespace a {\nvoid Used() {}\n}\nvoid Used() {}\n',
      'namespace a {\n}\nvoid Used() {}\n',
    ],
    [
      'that are named keep what is used',
      'namespace a {\nvoid Deep() {}\nvoid Idle() {}\n}\nvoid Used() { a::Deep(); }\n',
      'namespace a {\nvoid Deep() {}\n}\nvoid Used() { a::Deep(); }\n',
    ],
    [
      'may be opened',
      'namespace a {\nvoid Used() {}\n}\nusing namespace a;\n',
      'namespace a {\nvoid Used() {}\n}\nusing namespace a;\n',
    ],
    [
      'without a name hide nothing',
      'namespace {\nvoid Used() {}\nvoid Idle() {}\n}\n',
      'namespace {\nvoid Used() {}\n}\n',
    ],
    [
      'of a language hide nothing',
      'extern "C" {\nvoid Used() {}\nvoid Idle() {}\n}\n',
      'extern "C" {\nvoid Used() {}\n}\n',
    ],
    [
      'keep what only opens another',
      'namespace a {\nusing b::c;\nvoid Idle() {}\n}\nvoid Used() {}\n',
      'namespace a {\nusing b::c;\n}\nvoid Used() {}\n',
    ],
  ])('%s', async (_, before, after) => expect(await left(before)).toBe(after))
})

test('other entries go, and names that are asked for stay', async () => {
  const other = 'extern "C" __global__ void Main2() { Idle(); }\n'
  expect(await left(`${other}void Idle() {}\nvoid Used() {}\n`)).toBe('void Used() {}\n')
  expect(await left('void Idle() {}\nvoid Asked() {}\nvoid Used() {}\n', main, 'Asked')).toBe(
    'void Asked() {}\nvoid Used() {}\n',
  )
  expect(await left('namespace a {\nvoid Asked() {}\n}\nvoid Used() {}\n', main, 'Asked')).toBe(
    'namespace a {\nvoid Asked() {}\n}\nvoid Used() {}\n',
  )
})
