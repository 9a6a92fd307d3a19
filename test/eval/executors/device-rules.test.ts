import {describe, expect, test} from 'vitest'
import {realExecutor, usesClang} from '../../helpers/real-executor.ts'

/** A piece of kernel code and what is said of it. Pieces of a group are compiled as one file, so names are theirs. */
type Piece = [what: string, code: string, said: RegExp]

const preface = ['#include "kernel_operator.h"', 'using namespace AscendC;']

async function compile(pieces: readonly string[], before: readonly string[] = []) {
  const text = [...before, ...preface, ...pieces].join('\n')
  return (await realExecutor()).compile({side: 'kernel', text, tiling: '', dtypes: {}})
}

/** The messages about each piece, which is one line. */
async function refusals(pieces: readonly Piece[], before: readonly string[] = []): Promise<string[]> {
  const verdict = await compile(
    pieces.map(([, code]) => code),
    before,
  )
  if (verdict.outcome !== 'compile-failed') throw new Error(JSON.stringify(verdict))
  const first = before.length + preface.length + 1
  return pieces.map((_, index) =>
    verdict.diagnostics
      .filter(({severity, line, file}) => severity === 'error' && file === 'kernel.cpp' && line === first + index)
      .map(({message}) => message)
      .join('; '),
  )
}

const hostFunction = /__host__ function|^no (?:matching|viable)/
const memories = /mismatching address spaces|is not allowed|cannot initialize/
const poisoned = /poisoned identifier/
const inDouble = /cast to\/from double precision floating variable is not allowed in aicore function/
const conversion = /^cast between floating and unsigned integer variable is not allowed in aicore function$/

const library: Piece[] = [
  ['std::vector', '__aicore__ void a1() { std::vector<int> v; v.push_back(1); }', hostFunction],
  ['std::sort', '__aicore__ void a2(int* p) { std::sort(p, p + 4); }', hostFunction],
  ['std::map', '__aicore__ void a3() { std::map<int, int> m; m[1] = 2; }', hostFunction],
  ['std::string', '__aicore__ void a4() { std::string s("x"); }', hostFunction],
  ['std::function', '__aicore__ void a5() { std::function<int()> f = [] { return 1; }; f(); }', hostFunction],
  ['expf', '__aicore__ float a8(float x) { return expf(x); }', hostFunction],
  ['malloc', '__aicore__ void* a9(int n) { return malloc(n); }', hostFunction],
  ['fopen', '__aicore__ void* a10() { return fopen("x", "r"); }', hostFunction],
  [
    'immintrin',
    '__aicore__ float a11(float x) { return _mm_cvtss_f32(_mm_add_ss(_mm_set1_ps(x), _mm_set1_ps(x))); }',
    hostFunction,
  ],
]
const libraryHeaders = [
  'vector',
  'algorithm',
  'map',
  'string',
  'functional',
  'cmath',
  'cstdlib',
  'cstdio',
  'immintrin.h',
]

const language: Piece[] = [
  [
    'a helper without __aicore__',
    'int b1h(int x) { return x; } __aicore__ int b1(int x) { return b1h(x); }',
    hostFunction,
  ],
  [
    'a template helper',
    'template <typename T> T b2h(T x) { return x; } __aicore__ int b2(int x) { return b2h(x); }',
    hostFunction,
  ],
  [
    'a member function',
    'struct B3 { int get() { return 1; } }; __aicore__ int b3() { B3 b; return b.get(); }',
    hostFunction,
  ],
  ['a mutable global', 'int b4g = 0; __aicore__ int b4() { return ++b4g; }', /__host__ variable 'b4g'/],
  [
    'a global of a namespace',
    'namespace n { static float b5g[4]; } __aicore__ float b5() { return n::b5g[1]; }',
    /__host__ variable 'b5g'/,
  ],
  ['throw', '__aicore__ void b6() { throw 1; }', /cannot use 'throw'/],
  ['try', '__aicore__ void b7() { try { b6(); } catch (...) {} }', /cannot use 'try'/],
  ['typeid', '__aicore__ bool b8(int x) { return typeid(x) == typeid(float); }', /typeid/],
  ['long double', '__aicore__ float b9(float x) { long double y = x; return y * 2; }', inDouble],
]

const addresses: Piece[] = [
  ['a C cast without __gm__', '__aicore__ float c1(GM_ADDR x) { return *(float*)x; }', memories],
  ['reinterpret_cast', '__aicore__ float c2(GM_ADDR x) { return *reinterpret_cast<float*>(x); }', memories],
  ['no cast', '__aicore__ void c3(GM_ADDR x) { uint8_t* p = x; p[0] = 1; }', memories],
  ['through void', '__aicore__ float c4(GM_ADDR x) { return *(float*)(void*)x; }', memories],
  [
    'a template',
    'template <typename T> __aicore__ T c5(GM_ADDR x) { return *(T*)x; } __aicore__ float c5b(GM_ADDR x) { return c5<float>(x); }',
    memories,
  ],
  ['an alias', 'using C6 = float*; __aicore__ float c6(GM_ADDR x) { return *C6(x); }', memories],
  [
    'UB without __ubuf__',
    '__aicore__ float c7(LocalTensor<float>& t) { return *(float*)(__ubuf__ float*)t.GetPhyAddr(); }',
    memories,
  ],
  [
    'UB as GM',
    '__aicore__ float c8(LocalTensor<float>& t) { return *(__gm__ float*)(__ubuf__ float*)t.GetPhyAddr(); }',
    memories,
  ],
]

const marks = ['#ifdef __x86_64__', '#define MARK 1', '#else', '#define MARK nothing', '#endif']
const words: Piece[] = [
  ['thread_local', '__aicore__ int d1() { static thread_local int t = 0; return ++t; }', /no thread_local/],
  ['a pasted word', '__aicore__ int d2() { PASTE(thread_, local) int t = 0; return ++t; }', /no thread_local/],
  ['__int128', '__aicore__ int d3(int n) { __int128 w = n; return w * w; }', /no 128-bit integers/],
  [
    '__uint128_t of a member',
    'struct D4 { __uint128_t w; }; __aicore__ int d4(D4& d) { return d.w; }',
    /no 128-bit integers/,
  ],
  ['_Float16 by a macro', '__aicore__ float d5(float x) { QUARTER y = x; return y; }', /the device's type is half/],
  ['asm', '__aicore__ void d6() { asm volatile("nop"); }', /assembler_of_another_processor/],
  ['__asm__ in a lambda', '__aicore__ void d7() { auto f = [] { __asm__ volatile("nop"); }; f(); }', /assembler_of/],
  ['#pragma omp', '#pragma omp parallel for', poisoned],
  ['double', '__aicore__ float d9(float x) { double y = x; return y * 2; }', inDouble],
  ['a double parameter', '__aicore__ float d10(double y) { return y; }', inDouble],
  ['an alias of double', 'typedef double D11; __aicore__ float d11(float x) { D11 y = x; return y; }', inDouble],
  [
    'an array of pasted double',
    '__aicore__ float d12(float x) { PASTE(dou, ble) y[2]; y[0] = x; return y[0]; }',
    inDouble,
  ],
  [
    'a double of a template',
    'template <typename T> __aicore__ float d13f(T x) { return x; } __aicore__ double d13(float x) { return x; } __aicore__ float d13b(float x) { return d13(x); }',
    inDouble,
  ],
  ['#ifdef __x86_64__', '__aicore__ int d14() { return MARK; }', /undeclared identifier 'nothing'/],
]

// In the compiler's own words, as public reports of `double` and `__builtin_sqrt` in kernels quote it.
const doubles: Piece[] = [
  ['a cast to double', '__aicore__ float d15(float x) { return (float)((double)x * 2.0); }', inDouble],
  ['static_cast<double>', '__aicore__ float d16(int n) { return static_cast<double>(n) / 3; }', inDouble],
  ['using D = double', 'using D17 = double; __aicore__ float d17(float x) { D17 y = x; return y; }', inDouble],
  ['double(x)', '__aicore__ bool d18(float x) { return double(x) > 0.1; }', inDouble],
  [
    'a double of a template argument',
    'template <typename T> __aicore__ float d19f(float x) { T y = x; return y; } __aicore__ float d19(float x) { return d19f<double>(x); }',
    inDouble,
  ],
]

const made: Piece[] = [
  ['new', '__aicore__ int* e1() { return new int(3); }', /^undefined symbol: operator new\(unsigned long\)$/],
  ['delete', '__aicore__ void e2(int* q) { delete q; }', /^undefined symbol: operator delete/],
  ['__builtin_malloc', '__aicore__ void* e3(int n) { return __builtin_malloc(n); }', /^undefined symbol: malloc$/],
  ['__builtin_expf', '__aicore__ float e4(float x) { return __builtin_expf(x); }', /^undefined symbol: expf$/],
  [
    'a declaration of its own',
    'extern "C" __aicore__ float logf(float); __aicore__ float e5(float x) { return logf(x); }',
    /^undefined symbol: logf$/,
  ],
  [
    'a function without a body',
    '__aicore__ void e6n(int); __aicore__ void e6() { e6n(1); }',
    /^undefined symbol: e6n$/,
  ],
  ['recursion', '__aicore__ int e7(int n) { return n ? n * e7(n - 1) : 1; }', /^function 'e7' calls itself/],
  [
    'recursion of two',
    '__aicore__ int e8b(int n); __aicore__ int e8(int n) { return n ? e8b(n - 1) : 1; } __aicore__ int e8b(int n) { return e8(n); }',
    /^function 'e8b?' calls itself/,
  ],
  [
    'recursion of a static function',
    'static __aicore__ int e9(int n) { return n ? n * e9(n - 1) : 1; } __aicore__ int e9b() { return e9(3); }',
    /^function 'e9' calls itself/,
  ],
  [
    'recursion of a template',
    'template <typename T> struct E10 { __aicore__ T go10(T n) { return n ? go10(n - 1) : 0; } }; __aicore__ int e10() { E10<int> e; return e.go10(2); }',
    /^function 'E10::go10' calls itself/,
  ],
  [
    'a static local',
    '__aicore__ int e11() { static int kept11 = 0; return ++kept11; }',
    /^variable 'e11::kept11' keeps its value/,
  ],
  [
    'a device global',
    '__aicore__ float kept12[8]; __aicore__ float e12() { return kept12[1] += 1; }',
    /^variable 'kept12' keeps its value/,
  ],
  [
    'a static member',
    'struct E13 { static __aicore__ int kept13; }; __aicore__ int E13::kept13 = 3; __aicore__ int e13() { return ++E13::kept13; }',
    /^variable 'E13::kept13' keeps its value/,
  ],
  [
    'a virtual function',
    'struct E14 { __aicore__ virtual int at14() { return 1; } }; __aicore__ int e14() { E14 e; return e.at14(); }',
    /^'E14' has virtual functions/,
  ],
  [
    'a function pointer',
    '__aicore__ int e15f(int n) { return n; } __aicore__ int e15(int n) { int (*volatile p)(int) = e15f; return p(n); }',
    /^the address of function 'e15f' is taken/,
  ],
  [
    'a table of functions',
    '__aicore__ int e16f(int n) { return n; } __aicore__ int e16(int n) { static constexpr int (*table[])(int) = {e16f, e16f}; return table[n & 1](n); }',
    /^the address of function 'e16f' is taken/,
  ],
  [
    'a lambda as a pointer',
    '__aicore__ int e17(int n) { int (*p)(int) = [](int a) { return a; }; return p(n); }',
    /^the address of function 'e17.*' is taken/,
  ],
  [
    'a variable length array',
    '__aicore__ int e18(int n) { int a[n]; a[0] = n; return a[0]; }',
    /frame of function 'e18' is not constant$/,
  ],
  [
    'alloca',
    '__aicore__ int e19(int n) { int* a = (int*)__builtin_alloca(n); a[0] = n; return a[0]; }',
    /frame of function 'e19' is not constant$/,
  ],
  ['std::exp', '__aicore__ float e21(float x) { return std::exp(x); }', /__host__ function 'std::exp'/],
  [
    'std::log of a template',
    'template <typename T> __aicore__ T e22(T x) { return std::log(x); } __aicore__ float e22b(float x) { return e22(x); }',
    /__host__ function 'std::log'/,
  ],
  [
    '400 KB of stack',
    '__aicore__ int e20(int n) { int a[100000]; a[n] = n; return a[n + 1]; }',
    /^stack frame size \((?:39|40)\d{4}\) exceeds limit/,
  ],
  [
    '40 KB of stack (bisheng_intf.cmake, c220: -cce-aicore-function-stack-size=0x8000)',
    '__aicore__ int e23(int n) { int a[10000]; a[n] = n; return a[n + 1]; }',
    /^stack frame size \(\d+\) exceeds limit \(32768\) in 'e23'/,
  ],
  [
    'a builtin of this processor (clang: a target has its own builtins alone)',
    '__aicore__ void e24() { __builtin_ia32_pause(); }',
    /^use of undeclared identifier '__builtin_ia32_pause'$/,
  ],
  [
    '__atomic_fetch_add',
    '__aicore__ int e26(int n) { return __atomic_fetch_add(&n, 1, __ATOMIC_RELAXED); }',
    /^undefined symbol: __atomic_fetch_add$/,
  ],
  ['__sync_synchronize', '__aicore__ void e27() { __sync_synchronize(); }', /^undefined symbol: __sync_synchronize$/],
  ['__builtin_sqrt, which is of double', '__aicore__ float e28(float x) { return __builtin_sqrt(x); }', inDouble],
]

const conversions: Piece[] = [
  ['static_cast of uint32_t', '__aicore__ float f1(uint32_t n) { return static_cast<float>(n); }', conversion],
  ['a C cast of uint64_t', '__aicore__ float f2(uint64_t n) { return (float)n; }', conversion],
  ['a functional cast of uint8_t', '__aicore__ float f3(uint8_t n) { return float(n); }', conversion],
  [
    'a template',
    'template <typename T> __aicore__ float f4(T n) { return static_cast<float>(n); } __aicore__ float f4b(uint16_t n) { return f4(n); }',
    conversion,
  ],
  [
    'of a member',
    'struct F8 { uint32_t n; }; __aicore__ float f8(F8* a) { return 1.0f / static_cast<float>(a->n); }',
    conversion,
  ],
  [
    'of what a function gives',
    '__aicore__ uint32_t f9n() { return 1; } __aicore__ float f9(F8& a) { return (float)a.n + (float)(f9n() * 2); }',
    conversion,
  ],
  ['float to uint32_t', '__aicore__ uint32_t f5(float x) { return static_cast<uint32_t>(x); }', conversion],
  ['float to uint64_t', '__aicore__ uint64_t f6(float x) { return (uint64_t)x; }', conversion],
  ['float to uint32_t without a cast', '__aicore__ uint32_t f7(float x) { uint32_t n = x * 2; return n; }', conversion],
]

const accepted = [
  // "支持数据类型为：…double" for Atlas A2 (DataCopy（GM与UB连续数据搬运）.md).
  '__aicore__ void g21(LocalTensor<double> a, GlobalTensor<double> b) { DataCopy(a, b, 8); DataCopy(b, a, 8); }',
  'constexpr double g22k = 1e-5; constexpr double g22m = 1; __aicore__ int g22() { return sizeof(double); }',
  // "When not supported by the target, the return value is always zero" (clang, Language Extensions).
  '__aicore__ bool g23() { return __builtin_readcyclecounter() == 0; }',
  // The header of the device's compiler stores so (__clang_cce_aicore_functions.h, st_atomic).
  '__aicore__ void g24(__gm__ int32_t* p) { __atomic_store_n(p, 1, __ATOMIC_RELAXED); }',
  '__aicore__ void g25(__ubuf__ half* p, __gm__ half* q, half h) { p[0] = h; q[3] = 2.5f; *p = h; p[1] += h; q[0] = p[2]; }',
  'template <typename T> __aicore__ void g26f(__gm__ T* p, T h) { p[0] = h; p[1] = p[0]; } __aicore__ void g26(__gm__ half* p, __gm__ float* q, __gm__ bfloat16_t* r) { g26f<half>(p, 1); g26f<float>(q, 1); r[0] = bfloat16_t(1.0f); }',
  '__aicore__ void g27(LocalTensor<half>& t) { auto p = (__ubuf__ half*)t.GetPhyAddr(); p[0] = half(1); half h = p[0]; p[1] = h; }',
  '__aicore__ int g28(int n) { int sum = 0; { int a[5000]; a[n] = 1; sum += a[n + 1]; } { int b[5000]; b[n] = 1; sum += b[n + 1]; } return sum; }',
  '__aicore__ half g29(half x) { return sqrt(x); }',
  'extern "C" __global__ __aicore__ void g1(GM_ADDR x, GM_ADDR z) { auto a = (__gm__ float*)x; auto b = (__gm__ float*)z; for (int i = 0; i < 8; ++i) b[i] = a[i] * 0.5 + 1.0; }',
  '__aicore__ void g2(int n, half h) { printf("%d %f\\n", n, h); PRINTF("%d", n); AscendC::printf("x"); }',
  'constexpr float g3t[4] = {1, 2, 3, 4}; __aicore__ float g3(int n) { static constexpr int k[2] = {1, 2}; const float c[2] = {0.1, 0.2}; return g3t[n] + k[n & 1] + c[n & 1]; }',
  'static const int32_t g4t[3] = {1, 2, 3}; __aicore__ int g4(int n) { return g4t[n]; }',
  '__aicore__ float g5(float x) { auto f = [&](float y) { return x * y; }; return f(2.5); }',
  'template <int N> __aicore__ constexpr int g6f() { if constexpr (N > 0) return N * g6f<N - 1>(); else return 1; } __aicore__ int g6() { static_assert(g6f<4>() == 24); return g6f<5>(); }',
  'struct G7 { __aicore__ void one() {} }; template <typename C, void (C::*f)()> __aicore__ void g7f(C* c) { (c->*f)(); } __aicore__ void g7() { G7 g; g7f<G7, &G7::one>(&g); }',
  '__aicore__ float g8(uint32_t columns) { return (columns != 0) ? 1.0f / columns : 0; }',
  '__aicore__ float g9(int32_t n, uint32_t m) { return static_cast<float>(n) + (float)static_cast<int32_t>(m) + static_cast<float>(3u) + uint32_t(2.5f); }',
  '__aicore__ half g10(__gm__ half* x, __ubuf__ half* y) { half h = *x; h = y[1]; return h; }',
  'struct G11 { int32_t a; float b[4]; }; __aicore__ float g11(const G11& s) { G11 t = s; t.b[1] = s.a; return t.b[1]; }',
  '__BLOCK_LOCAL__ inline struct { int n; bool first; } g11b; __aicore__ int g11c() { g11b.first = true; return ++g11b.n; }',
  '__aicore__ int g12(int n) { switch (n) { case 0: return 5; case 1: return 7; case 2: return 9; case 3: return 1; default: return 2; } }',
  'static volatile __gm__ uint32_t g13f[16] = {0}; __aicore__ uint32_t g13() { g13f[0] = 1; return g13f[0]; }',
  '__aicore__ bool g14() { return std::is_same_v<double, float> || sizeof(double) == 4; }',
  'int g15h(int x) { return x; }',
  '__forceinline__[aicore]int g16(int n) { return n; } [aicore] int g16b() { return g16(1); }',
  '__aicore__ float g17(bool b) { return b; }',
  '__aicore__ void g18(LocalTensor<float>& d, LocalTensor<float>& a) { Compare(d, a, a, CMPMODE::LT, 64); }',
  'template <typename T> __aicore__ float g19f(int n) { return n; } __aicore__ float g19(int n) { float (*volatile f)(int) = g19f<int>; return f(n); }',
]

describe.skipIf(!usesClang)('what the device compiler refuses', () => {
  test('a builtin that a macro pastes together has no place, and is refused', async () => {
    const piece = '__aicore__ void e25() { PASTE(__builtin_ia32, _lfence)(); }'
    const verdict = await compile([piece], ['#define PASTE(a, b) a##b'])
    const log = expect.stringContaining("use of undeclared identifier '__builtin_ia32_lfence'") as string
    expect(verdict).toMatchObject({outcome: 'compile-failed', log})
  })

  const includes = libraryHeaders.map((name) => `#include <${name}>`)
  const groups: [string, Piece[], string[]][] = [
    ['of the library', library, includes],
    ['of the language', language, []],
    ['between memories', addresses, []],
    ['of double', doubles, []],
    // Each half stays below the number of errors at which the compiler gives up.
    ['by its words', words.slice(0, 8), ['#define PASTE(a, b) a##b', '#define QUARTER _Float16']],
    ['by further words', words.slice(8), ['#define PASTE(a, b) a##b', '#define QUARTER _Float16', ...marks]],
    ['by what it makes of it', made, ['#include <cmath>']],
    ['of conversions', conversions, []],
  ]
  for (const [name, pieces, before] of groups) {
    test(`${name}: ${pieces.length} pieces`, async () => {
      const said = await refusals(pieces, before)
      const seen = pieces.map(([what], index) => [what, said[index]])
      expect(seen).toEqual(pieces.map(([what, , wanted]) => [what, expect.stringMatching(wanted)]))
    })
  }

  test('does not depend on the file that standard headers come from', async () => {
    const names = [
      'cmath',
      'tuple',
      'limits',
      'iostream',
      'sstream',
      'cstring',
      'climits',
      'cfloat',
      'typeinfo',
      'array',
    ]
    expect(
      await compile(
        [],
        names.map((name) => `#include <${name}>`),
      ),
    ).toMatchObject({outcome: 'compiled'})
    const after = [...names, ...libraryHeaders].map((name) => `#include <${name}>`)
    expect(await compile(after)).toMatchObject({outcome: 'compiled'})
  })
})

test.skipIf(!usesClang)('what an object or a remark shows is seen again in an object that was kept', async () => {
  const casting = '__aicore__ float a(uint32_t x) { return (float)x; }'
  const recursive = '__aicore__ int a(int x) { return x > 0 ? a(x - 1) : 0; }'
  for (const code of [casting, recursive]) {
    const first = await compile([code])
    expect(first).toMatchObject({outcome: 'compile-failed', diagnostics: [{severity: 'error', file: 'kernel.cpp'}]})
    expect(await compile([code])).toEqual(first)
  }
})

test('constants of numeric_limits are no functions of the host', async () => {
  const code = '__aicore__ float a() { return std::numeric_limits<float>::infinity(); }'
  expect(await compile([code], ['#include <limits>'])).toMatchObject({outcome: 'compiled'})
})

// Only clang is given the folder with these headers' stand-ins.
test.skipIf(!usesClang)('headers of the host side do not meet the macros of the build', async () => {
  const before = ['#include "register/op_impl_registry.h"', '#include "tiling/tiling_api.h"']
  const code = '#if DT_FLOAT16 != 1 || FORMAT_NCHW != 0\n#error "the macros are gone"\n#endif'
  expect(await compile([code], before)).toMatchObject({outcome: 'compiled'})
})

test(`the device compiler accepts ${accepted.length} neighbours`, async () => {
  // g++ has no such builtin.
  const known = accepted.filter((code) => usesClang || !code.includes('__builtin_readcyclecounter'))
  expect(await compile(known)).toMatchObject({outcome: 'compiled'})
})
