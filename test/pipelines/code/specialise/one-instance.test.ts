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
  ['stands in a class', `class Outer { template <typename T> class K { T a; }; K<half> k; };`],
  ['is only declared', `template <typename T> class K;${use('K<half>*')}`],
  ['is never used', 'template <typename T> class K { T a; };'],
  ['is a function', 'template <typename T> void K(T a) {} void E() { K<half>(1); }'],
])('none does that %s', async (_, text) => expect(await asPlainClasses(text)).toBe(text))
