import {expect, test} from 'vitest'
import {namesOf} from '../../cpp/names-used.ts'

const undeclared = async (text: string) => {
  const {declared, used} = await namesOf(text)
  return used.filter((name) => !declared.has(name))
}

test.each<[what: string, text: string, names: string[]]>([
  ['a variable', 'void f() { int a = b + 1; }', ['b']],
  ['several in one declaration', 'void f() { int a, *p = q, x[N]; a = x[0]; }', ['q', 'N']],
  ['parameters with defaults', 'void f(T a, U& b = c) {}', ['T', 'U', 'c']],
  ['template parameters', 'template <typename T, int N, class U = V> T f() { return U(N); }', ['V']],
  [
    'classes, their members and bases',
    'class A : public B { void m(); int x_; }; void A::m() { x_ = y_; }',
    ['B', 'y_'],
  ],
  [
    'structures, enumerators and aliases',
    'enum class E { A, B }; struct S {}; using X = Y; typedef Z W; E e = E::A; X x; W w;',
    ['Y', 'Z'],
  ],
  ['macros with parameters', '#define SUM(a, b) ((a) + (b))\nint x = SUM(1, c);', ['c']],
  [
    'a range, a binding and a lambda',
    'void f() { for (auto one : all) g(one); auto [k, v] = p; auto h = [&](int z) { return z; }; h(k + v); }',
    ['all', 'g', 'p'],
  ],
  ['functions that are called before', 'void f() { g(); } void g() {}', []],
  ['a label', 'void f() { goto end; end: return; }', []],
  ['qualified names', 'AscendC::LocalTensor<half> t = AscendC::X::y;', ['AscendC', 'LocalTensor', 'half', 'X', 'y']],
  [
    'not what is behind std',
    'std::vector<int> v; auto m = std::max<T>(v.size(), std::numeric_limits<U>::max());',
    ['T', 'U'],
  ],
  ['not methods of the library', 'void f(A a) { a.push_back(b.str()); a.GetSize(); }', ['A', 'b', 'GetSize']],
  [
    'tiling data',
    'void f() { GET_TILING_DATA(data, t); GET_TILING_DATA_WITH_STRUCT(S, more, t); g(data.n, more.n); }',
    ['GET_TILING_DATA', 't', 'GET_TILING_DATA_WITH_STRUCT', 'S', 'g', 'n'],
  ],
  ['not what a condition asks for', '#if defined(A) && B == 1\nint x = c;\n#endif\n#ifdef D\n#endif', ['c']],
  [
    'a declaration that a macro with statements breaks the tree before',
    'void f() { CHECK(x != 1, LOG("a"), return ge::FAILED); const int64_t y = z(); }',
    ['CHECK', 'x', 'LOG', 'ge', 'FAILED', 'z'],
  ],
  ['no argument that is left out', 'SELECT(LIST(MODE), );', ['SELECT', 'LIST', 'MODE']],
  [
    'parameters that a macro gives a template',
    'ASCENDC_TPL_ARGS_DECL(Name, ASCENDC_TPL_UINT_DECL(m, 1, B)); int x = m;',
    [...['ASCENDC_TPL_ARGS_DECL', 'ASCENDC_TPL_UINT_DECL', 'B']],
  ],
  [
    'what the body of a macro declares',
    '#define BEGIN \\\n  TQue<P, 1> a, b; \\\n  Lost(a)\nvoid f() { BEGIN; b.x = Lost(c); }',
    ['x', 'Lost', 'c'],
  ],
  [
    'no part of a name that a macro pastes together',
    '#define SYNC(a, b) Wait(E::a##_##b)\n#define CALL(a) F(a)\nvoid f() { SYNC(V, MTE3); CALL(d); }',
    ['d'],
  ],
])('%s', async (_, text, names) => {
  expect((await undeclared(text)).filter((name) => name !== 'int64_t')).toEqual(names)
})
