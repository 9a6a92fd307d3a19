import {describe, expect, test} from 'vitest'
import {firstSyntaxError, isTooDeep, readCpp} from '../../cpp/parse.ts'

const inF = (body: string) => `void F() {\n${body}\n}\n`

describe('what compilers take is no error', () => {
  test.each([
    'CHECK(x, LOG("a"); y = 0, return false);',
    'CHECK(x, return -1;);',
    'CHECK(x, y = 0; *z = 1, return);',
    'CHECK(x, return false);',
    'CHECK(return, a);',
    'if ASCEND_IS_AIC { a(); }',
    'if constexpr ASCEND_IS_AIV { a(); }',
    'auto f = [](T b = {}, int c = 0) { return c; };',
    'a.operator[](1);',
    'MACRO_OF_OURS(a, b)\nc();',
    'a.template Get<T>();',
    '__gm__ uint8_t* p = nullptr;',
    'L2_DFX_PHASE_1(a, DFX_IN(b)) c();',
  ])('%j', async (body) => expect(await firstSyntaxError(inF(body))).toBeUndefined())

  test.each([
    '#define CHECK(name, args...) f(args)\n',
    'class K : public MATMUL_IMPORT_MODULE(Copy) { int a; };\n',
    '#ifdef __cplusplus\nextern "C" {\n#endif\nint a;\n#ifdef __cplusplus\n}\n#endif\n',
    'BEGIN_TILING_DATA_DEF(T)\nTILING_DATA_FIELD_DEF(int, a);\nEND_TILING_DATA_DEF;\n',
    'REGISTER_TILING_DATA_CLASS(Fold, T)\nint a;\n',
    'extern "C" __global__ __aicore__ void f(GM_ADDR x) {}\n',
    'void F() __attribute__((noinline(1)));\n',
    'struct A {\n  MY_DEVICE\n  A(B::C<D> const& c);\n  HOST_DEVICE constexpr A() {}\n  MY_DEVICE ~A();\n};\n',
  ])('%j', async (text) => expect(await firstSyntaxError(text)).toBeUndefined())
})

test.each<[text: string, line: number]>([
  ['void F() {\n  a( ;\n}\n', 2],
  ['int a;\nint b;\nvoid F() {\n', 3],
  ['int a\nint b;\n', 2],
])('the first error of %j is on line %i', async (text, line) => expect(await firstSyntaxError(text)).toBe(line))

describe('brackets that open under one condition and close under another', () => {
  test.each<[name: string, text: string, line: number | undefined]>([
    ['one choice is without error', 'void F() {\n#if A\nif (a) {\n#else\nif (b) {\n#endif\nc();\n}\n}\n', undefined],
    [
      'a macro of several lines stays one',
      '#define B(x) \\\n  do { \\\n    c(x##x);\nvoid F() {\n#if A\nif (a) {\n#else\nif (b) {\n#endif\nc();\n}\n}\n',
      undefined,
    ],
    ['the last choice is', 'void F() {\n#if A\nif (a) {{\n#else\nif (b) {\n#endif\nc();\n}\n}\n', undefined],
    ['the empty choice is', 'void F() {\n#if A\nif (a) {\n#endif\nc();\n}\n', undefined],
    ['the empty choice of several is', 'void F() {\n#if A\n{\n#elif B\n{\n#endif\nc();\n}\n', undefined],
    ['the first of several is', 'void F() {\n#if A\nif (a) {\n#elif B\n#else\n{{\n#endif\nc();\n}\n}\n', undefined],
    ['in another condition', 'void F() {\n#if A\n#ifndef B\n{\n#else\n{\n#endif\n#endif\nc();\n}\n}\n', undefined],
    ['over two lines', '#if A && \\\n  B\nvoid F() {\n#else\nvoid F(int a) {\n#endif\n}\n', undefined],
    ['a guard has no empty choice', '#ifndef A_H\nvoid F() {\n#endif\n', 1],
    ['neither is', 'void F() {\n#if A\n{\n#else\n{\n#endif\nc();\n}\n', 1],
  ])('%s', async (_, text, line) => {
    const found = await firstSyntaxError(text)
    expect(line === undefined ? found : found !== undefined).toBe(line === undefined ? undefined : true)
  })
})

test('what is blanked keeps its place', async () => {
  const text = 'extern "C" __global__ __aicore__ void f(__gm__ half* x) {}\n'
  const [start, row] = await readCpp(text, (root) => {
    const name = root.descendantsOfType('identifier').find((node) => node?.text === 'f')
    return [name?.startIndex, name?.startPosition.row] as const
  })
  expect([start, row]).toEqual([text.indexOf('f('), 0])
})

test('only an exhausted stack is code that is nested too deeply', () => {
  expect(isTooDeep(new RangeError('Maximum call stack size exceeded'))).toBe(true)
  expect(isTooDeep(new RangeError('Invalid array length'))).toBe(false)
  expect(isTooDeep(new Error('Maximum call stack size exceeded'))).toBe(false)
})
