import {describe, expect, test} from 'vitest'
import {squeeze} from '../../cpp/nodes.ts'
import {syntaxOf} from '../../cpp/read-syntax.ts'

test('classes have their templates, bases, lines and the comment above them', async () => {
  const text = `// Folds rows.
template <typename T, int N = 2>
class Fold : public Base<T>, private Other {
    T a;
};
struct Plain { int b; };
class Named;
`
  const {classes, structs} = await syntaxOf(text)
  expect(classes).toEqual([
    {
      name: 'Fold',
      templates: ['typename T', 'int N = 2'],
      bases: ['Base<T>', 'Other'],
      lines: [3, 5],
      comment: 'Folds rows.',
    },
    {name: 'Plain', templates: [], bases: [], lines: [6, 6], comment: ''},
  ])
  expect(structs.map(({name}) => name)).toEqual(['Plain'])
})

describe('declarations', () => {
  test.each<[text: string, declarations: string[]]>([
    ['constexpr int A = 2, B = A * 3;', ['const int A = 2', 'const int B = A * 3']],
    ['const float C{1.0f};', ['const float C = {1.0f}']],
    ['static uint32_t d;', ['uint32_t d = ']],
    ['static volatile int e = 1;', ['int e = 1']],
    ['#define F 32\n#define G\n', ['const macro F = 32']],
    ['enum Kind { H, I = 4, J = I  + 1 };', ['const int I = 4', 'const int J = I + 1']],
    [
      'class K { enum { L = 1 }; int m_ = 3; GlobalTensor<T> n[2]; };',
      ['const K int L = 1', 'K int m_ = 3', 'K GlobalTensor<T> n = '],
    ],
    ['namespace o { int p = 1; }', ['int p = 1']],
    ['int F(int a);', []],
    ['class K { void F(); int* G(int a); };', []],
    ['void F() { int q = 1; }', []],
    ['int r(3);', ['int r = (3)']],
  ])('%s', async (text, declarations) => {
    const found = (await syntaxOf(text)).declarations
    const told = found.map(({constant, owner, type, name, value}) =>
      [constant ? 'const' : '', owner, type, name, `= ${value}`].filter((one) => one !== '').join(' '),
    )
    expect(told).toEqual(declarations)
  })

  test('of a structure are its fields, of a class they are not', async () => {
    const {structs} = await syntaxOf('struct A { int a; half b = 1; };\nclass B { int c; };\nint d;\n')
    expect(structs.map(({name, fields}) => [name, fields.map((one) => one.name)])).toEqual([['A', ['a', 'b']]])
  })
})

test('functions are those of the file and of its classes, by their owner', async () => {
  const {functions} = await syntaxOf(
    'void F() {}\nclass K { void G() {} void H(); };\nvoid K::H() {}\nnamespace n { void I() {} }\n',
  )
  expect(functions.map(({owner, name}) => `${owner}.${name}`)).toEqual(['.F', 'K.G', 'K.H', '.I'])
})

test('one line has no comments, and what a string says is none', () => {
  expect(squeeze('a /* b */ +  "http://c" // d\n  + f( g)')).toBe('a + "http://c" + f(g)')
})
