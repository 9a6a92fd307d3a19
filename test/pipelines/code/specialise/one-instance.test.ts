import {expect, test} from 'vitest'
import {asPlainClasses} from '../../../../pipelines/code/specialise/one-instance.ts'

const squeezed = (text: string) => text.replace(/\s+/g, ' ').trim()
const use = (type: string) => `void E() { ${type} k; }`

test.each<[name: string, before: string, after: string]>([
  ['by its arguments', `template <typename T> class K { T a; };${use('K<half>')}`, `class K { half a; };${use('K')}`],
  ['by a number', `template <int N> struct K { int a[N]; };${use('K<4>')}`, `struct K { int a[4]; };${use('K')}`],
  [
    'by a default',
    `template <typename T, int N = 2> class K { T a[N]; };${use('K<half>')}`,
    `class K { half a[2]; };${use('K')}`,
  ],
  [
    'against a default',
    `template <typename T, int N = 2> class K { T a[N]; };${use('K<half, 3>')}`,
    `class K { half a[3]; };${use('K')}`,
  ],
  [
    'with members outside of it',
    `template <typename T> class K { void F(); T a; }; template <typename T> void K<T>::F() { T b; }${use('K<half>')}`,
    `class K { void F(); half a; }; void K::F() { half b; }${use('K')}`,
  ],
  [
    'with members whose parameters have other names',
    `template <typename T> class K { void F(); T a; }; template <typename U> void K<U>::F() { U b; }${use('K<half>')}`,
    `class K { void F(); half a; }; void K::F() { half b; }${use('K')}`,
  ],
  [
    'one after the other',
    `template <typename T> class A { T a; }; template <typename T> class B { A<T> a; };${use('B<half>')}`,
    `class A { half a; }; class B { A a; };${use('B')}`,
  ],
  [
    'in a namespace',
    `namespace n { template <typename T> class K { T a; }; }${use('n::K<half>')}`,
    `namespace n { class K { half a; }; }${use('n::K')}`,
  ],
  [
    'with the member that is defined for these arguments',
    'template <typename T> class K { void F(); T a; }; template <typename T> void K<T>::F() { ' +
      'g(); } template <> void K<half>::F() { h(); } template <> void K<float>::F() { i(); }' +
      `${use('K<half>')}`,
    `class K { void F(); half a; }; void K::F() { h(); } ${use('K')}`,
  ],
  [
    'without members of other arguments, and the comments above them',
    'template <typename T> class K { void F(); T a; };\ntemplate <typename T> void K<T>::F() { ' +
      'g(); }\n// apart\n\n// of floats\n// alone\ntemplate <> void K<float>::F() { i(); }\n' +
      `${use('K<half>')}`,
    `class K { void F(); half a; };\nvoid K::F() { g(); }\n// apart\n\n\n${use('K')}`,
  ],
  [
    'in its comments',
    `template <typename T> class K { /* a T of Tiles */ T a; // one T\n // none\n };${use('K<half>')}`,
    `class K { /* a half of Tiles */ half a; // one half\n // none\n };${use('K')}`,
  ],
  [
    'without the word that dependent names need',
    'template <typename T> class K { void F() { a.template Get<T>(); b->template Set<int>(1); } ' +
      `A a; };${use('K<half>')}`,
    `class K { void F() { a.Get<half>(); b->Set<int>(1); } A a; };${use('K')}`,
  ],
  [
    'but for members that are templates themselves',
    'template <typename T> class K { template <typename U> void F(U u) { u.template Get<T>(); } ' +
      `T a; };${use('K<half>')}`,
    `class K { template <typename U> void F(U u) { u.template Get<half>(); } half a; };${use('K')}`,
  ],
  [
    'between it and its members',
    'template <typename T> class K { void F(); T a; }; void E() { K<half> k; } template <typename T> void K<T>::F() {}',
    'class K { void F(); half a; }; void E() { K k; } void K::F() {}',
  ],
  [
    'beside templates of others',
    `template <typename T> class K { T a; };void G(LocalTensor<float> t) {}${use('K<half>')}`,
    `class K { half a; };void G(LocalTensor<float> t) {}${use('K')}`,
  ],
  [
    'in itself',
    `template <typename T> class K { K<T>* next; T a; };${use('K<half>')}`,
    `class K { K* next; half a; };${use('K')}`,
  ],
])('a class template with one list of arguments becomes plain %s', async (_, before, after) => {
  expect(squeezed(await asPlainClasses(before))).toBe(squeezed(after))
})

test.each<[name: string, text: string]>([
  ['is used with two lists', `template <typename T> class K { T a; };${use('K<half>')}void G() { K<float> k; }`],
  ['is used by what is generic', 'template <typename T> class K { T a; }; template <typename U> void G() { K<U> k; }'],
  ['is specialised', `template <typename T> class K { T a; }; template <> class K<float> { int b; };${use('K<half>')}`],
  ['has too few arguments', `template <typename T, typename U> class K { T a; };${use('K<half>')}`],
  ['has too many arguments', `template <typename T> class K { T a; };${use('K<half, 2>')}`],
  ['has a list of parameters', `template <typename... T> class K { int a; };${use('K<half>')}`],
  ['has a template for a parameter', `template <template <typename> class T> class K { int a; };${use('K<Other>')}`],
  [
    'is declared in two spaces',
    'namespace a { template <typename T> class K { T a; }; } ' +
      `namespace b { template <typename T> class K { T b; }; }${use('a::K<half>')}`,
  ],
  ['stands in a class', `class Outer { template <typename T> class K { T a; }; K<half> k; };`],
  ['is only declared', `template <typename T> class K;${use('K<half>*')}`],
  ['is never used', 'template <typename T> class K { T a; };'],
  ['is a function', 'template <typename T> void K(T a) {} void E() { K<half>(1); }'],
])('none does that %s', async (_, text) => expect(await asPlainClasses(text)).toBe(text))
