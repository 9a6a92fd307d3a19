import {describe, expect, test} from 'vitest'
import {cppForm, looksLikePython, pythonForm} from '../../../datasets/contamination/normalize-statements.ts'

interface Told {
  statements: readonly {tokens: number; isCalling: boolean}[]
}

/** Statements by the number of their tokens, `!` behind those that call the API. */
const sizes = ({statements}: Told) =>
  statements.map(({tokens, isCalling}) => `${tokens}${isCalling ? '!' : ''}`).join(' ')

describe('C++ as statements', () => {
  test.each<[string, string, string?]>([
    ['x = a + b;', '5'],
    ['x = a', '3'],
    ['const int a = 1; static b = 2;', '4 3'],
    // A loop's head holds two semicolons, and is one statement.
    ['for (int i = 0; i < n; i++) { x = i; }', '14 3'],
    ['f(a; b); c;', '6 1'],
    ['for (x = (a); b; c) d; e;', '13 1'],
    ['f((a); (b; c)); d;', '12 1'],
    [')); x;', '2 1'],
    [')) f(a; b); c;', '8 1'],
    ['{ a; } { b; }', '1 1'],
    ['int a[] = {1, 2};', '5 3'],
    ['#define N 4\nint a = N;', '4 4'],
    ['#define N \\\n 4\nint a;', '4 2'],
    ['#define N 4 // four\nint a;', '4 2'],
    ['#define F(x) y; \\\n if (x) { y; }', '7 4 1'],
    ['AscendC::DataCopy(this->x, y);', '6!', 'DataCopy'],
    ['a(b); A(b); Ab(b); Ab<c>(d); x.GetValue(1);', '4 4 4! 7! 6!', 'Ab Ab GetValue'],
  ])('%j: %s', (text, statements, calls = '') => {
    const form = cppForm(text)
    expect([sizes(form), form.calls.join(' '), form.functions]).toEqual([statements, calls, []])
  })

  test.each<[string, string, ...string[]]>([
    [
      '__aicore__ inline void Copy(int n) { DataCopy(x, y, n); int z = n; use(z, n); }\nvoid host() { run(); }',
      '8! 4 6 3',
      'device 8! 4 6 DataCopy links 3',
      'host 3  links 0',
    ],
    // An entry hands over to others: its own body is not told as a device function.
    ['extern "C" __global__ __aicore__ void k(int n) { Op op; op.Process(); }', '2 5!', 'host 2 5! Process links 1'],
    ['__aicore__ void A() { if (x) { Add(a, b); } Mul(c, d); } int y;', '4 6! 6! 2', 'device 4 6! 6! Add,Mul links 0'],
    ['class K { public: __aicore__ K() {} int n = 1; };', '2 4', 'device   links 0'],
    ['int a; } int b; }', '2 2'],
    ['void f() { x = y;', '3', 'host 3  links 0'],
    ['auto f = [](int a) { return a; };', '8 2'],
    ['if (a) { b(); }', '4 3'],
    ['while (a) { b(); }', '4 3'],
    ['namespace n { int f(int a) { return a; } }', '2 2', 'host 2  links 0'],
    ['struct S { int a; };', '2 2'],
    ['__aicore__ int a; void f() { b; }', '2 1', 'host 1  links 0'],
  ])('%j has the functions that it has', (text, statements, ...functions) => {
    const form = cppForm(text)
    const told = form.functions.map(
      (one) => `${one.isDevice ? 'device' : 'host'} ${sizes(one)} ${one.calls.join(',')} links ${one.links.length}`,
    )
    expect([sizes(form), ...told]).toEqual([statements, ...functions])
  })

  test('names, qualifiers, namespaces and comments change no statement; API names, numbers and order do', () => {
    const hashes = (text: string) => cppForm(text).statements.map(({hash}) => hash)
    const same = hashes('y = DataCopy(a, b, 8);')
    for (const text of [
      'const z = DataCopy(x, w, 8);',
      'this->y = AscendC::DataCopy(a, b, 8); // c',
      'auto y = n::DataCopy(a, b, 8);',
    ])
      expect(hashes(text), text).toEqual(same)
    for (const text of [
      'y = DataCopyPad(a, b, 8);',
      'y = DataCopy(a, b, 16);',
      'y = DataCopy(a, 8, b);',
      'DataCopy(a, b, 8);',
    ])
      expect(hashes(text), text).not.toEqual(same)
  })
})

describe('Python as statements', () => {
  test.each<[string, string, string?]>([
    [
      'import torch\n\nclass M(nn.Module):\n    def forward(self, x):\n        """doc"""\n' +
        '        return torch.relu(self.w * x, dim=1)  # c\n',
      '2 8 8 15',
      'relu',
    ],
    ['x = f(a,\n  b)\ny = 1', '8 3'],
    ['x = [1,\n2]\n', '7'],
    ['x = {"a": 1,\n}\n) \ny(', '8 1 2'],
    ['a.B(c)\nB(c)\nself.g(self)\n', '6 4 6', 'B'],
    ["x = '''a\nb''' + 1\n", '4'],
    ['from x import y', '4'],
    ['x = nn.Linear(1)\n', '8!', 'Linear'],
  ])('%j: %s', (text, statements, calls = '') => {
    const form = pythonForm(text)
    expect([sizes(form), form.calls.join(' '), form.functions]).toEqual([statements, calls, []])
  })

  test('the names of a library and of keyword arguments stay, all others are alike', () => {
    const hashes = (text: string) => pythonForm(text).statements.map(({hash}) => hash)
    const same = hashes('y = torch.sum(x, dim=1)')
    expect(hashes('z = torch.sum(w, dim=1)')).toEqual(same)
    for (const text of [
      'y = np.sum(x, dim=1)',
      'y = torch.mean(x, dim=1)',
      'y = torch.sum(x, axis=1)',
      'y = torch.sum(x, dim=2)',
    ])
      expect(hashes(text), text).not.toEqual(same)
    expect(hashes('self.a = self.b')).toEqual(hashes('self.c = self.d'))
    expect(hashes('a.b')).not.toEqual(hashes('a.c'))
    expect(hashes('dim = 1')).toEqual(hashes('axis = 1'))
  })

  test.each<[string, boolean]>([
    ['import torch', false],
    ['import torch\nx:', true],
    ['from a import b\ny:\n', true],
    ['class A(B):\n', true],
    ['  def f(x):\n', true],
    ['text def f(x):', false],
    ['import a and b:', true],
    ['class A\nx:', false],
    ['def f(x)', false],
    ['def f(x)\nif y:  ', true],
  ])('%j looks like it: %s', (text, looks) => {
    expect(looksLikePython(text)).toBe(looks)
  })
})
