import {describe, expect, test} from 'vitest'
import {describingUnit, kernelFacts, launchText} from '../../../eval/executors/direct-launch.ts'

describe('a launch', () => {
  test.each([
    ['add<<<8, nullptr, stream>>>(x, y);', '$(add )(8, nullptr, stream)  (x, y);'],
    ['  add<<<8, nullptr, stream>>>(x);', '$(add )(8, nullptr, stream)  (x);'],
    ['\tadd<<<n>>>(x);', '\t$(add )(n)  (x);'],
    [' add<<<n>>>(x);', ' $(add )(n)  (x);'],
    ['{  ns::add<half, 3><<<n, l2, s>>>(x); }', '{$(ns::add<half, 3> )(n, l2, s)  (x); }'],
    ['  ::add <<<n>>> (x);', '$(::add  )(n)   (x);'],
    ['  ns :: add<<<n>>>(x);', '$(ns :: add )(n)  (x);'],
    ['  add<f(a->b)><<<n>>>(x);', '$(add<f(a->b)> )(n)  (x);'],
    ['  add<A<B<int>>><<<n>>>(x);', '$(add<A<B<int>>> )(n)  (x);'],
    ['  add<<<f(a, b), {1}, c[2]>>>(x);', '$(add )(f(a, b), {1}, c[2])  (x);'],
    ['  a<<<1>>>(x);  b<<<2>>>(y);', '$(a )(1)  (x);$(b )(2)  (y);'],
    ['  add<<<\n  n>>>(\n x);', '$(add )(\n  n)  (\n x);'],
    // Neither launches: shifts, comments, texts, what does not end.
    ['x = a << 3; y = b >> 2;', 'x = a << 3; y = b >> 2;'],
    ['// add<<<1>>>(x)', '// add<<<1>>>(x)'],
    ['s = "add<<<1>>>(x)";', 's = "add<<<1>>>(x)";'],
    ['  add<<<1;', '  add<<<1;'],
    ['  add<<<1)>>>(x);', '  add<<<1)>>>(x);'],
    ['  add<<<(1>>>(x);', '  add<<<(1>>>(x);'],
    ['<<<1>>>(x);', '<<<1>>>(x);'],
    ['<<<1>>>(x);  a<<<2>>>(y);', '<<<1>>>(x);$(a )(2)  (y);'],
    ['a;  b><<<1>>>(x);', 'a;  b><<<1>>>(x);'],
  ])('%j', (text, written) => {
    expect(launchText(text)).toBe(written)
  })
})

describe('parameters of host functions', () => {
  test.each([
    ['void f(__gm__ int* p) {}', 'void f(       int* p) {}'],
    ['int a; void f(__gm__ int* p);', 'int a; void f(       int* p);'],
    ['} static inline void f(int n, __gm__ int* p) {}', '} static inline void f(int n,        int* p) {}'],
    ['extern "C" void f(__gm__ int* p, __gm__ int* q) {}', 'extern "C" void f(       int* p,        int* q) {}'],
    ['#define A\nvoid f(__gm__ int* p) {}', '#define A\nvoid f(       int* p) {}'],
    ['int b;\n#if A\n#endif\nvoid f(__gm__ int* p) {}', 'int b;\n#if A\n#endif\nvoid f(       int* p) {}'],
    // A word in front may stand for device code; a value is no host function's.
    ['__aicore__ void f(__gm__ int* p) {}', '__aicore__ void f(__gm__ int* p) {}'],
    ['MINE void f(__gm__ int* p) {}', 'MINE void f(__gm__ int* p) {}'],
    ['int f(__gm__ int* p) {}', 'int f(__gm__ int* p) {}'],
    ['void f(int* p) { g(__gm__ x); }', 'void f(int* p) { g(__gm__ x); }'],
    ['// void f(__gm__ int* p) {}', '// void f(__gm__ int* p) {}'],
  ])('%j', (text, written) => {
    expect(launchText(text)).toBe(written)
  })
})

describe('what a kernel says of itself', () => {
  const facts = (...texts: string[]) =>
    kernelFacts(texts).map(({name, cores, parameters}) => `${name} ${cores} ${parameters.join(',')}`)
  test.each<[string, string[]]>([
    ['__global__ __vector__ void a(GM_ADDR x, GM_ADDR y) {}', ['a vector x,y']],
    ['__global__ __cube__ void a(GM_ADDR x) {}', ['a cube x']],
    ['__global__ __mix__(1, 0) void a() {}', ['a cube ']],
    ['__global__ __mix__(1, 1) void a() {}', ['a mix11 ']],
    ['__global__ __mix__( 1 , 2 ) void a() {}', ['a mix12 ']],
    ['__global__ __mix__(0, 1) void a() {}', ['a vector ']],
    ['__global__ __mix__(0, 2) void a() {}', ['a vector ']],
    ['__global__ __aicore__ void a(GM_ADDR x) {}', ['a vector x']],
    ['extern "C" __vector__ __global__ void a(int n = 3, float v[2], std::pair<int, int> p) {}', ['a vector n,v,p']],
    ['__global__ __vector__ void a(GM_ADDR x);\n__global__ __cube__ void a(GM_ADDR z) {}', ['a vector x']],
    ['__global__ __cube__ void a() {}\n__global__ __vector__ void b(half c) {}', ['a cube ', 'b vector c']],
    ['// __global__ void a() {}', []],
    ['__global__ int a;', []],
    ['__global__ void a(', []],
  ])('%j', (text, expected) => {
    expect(facts(text)).toEqual(expected)
  })

  test('is handed to the runtime by a unit of its own', () => {
    expect(
      describingUnit(
        [
          {name: 'a', cores: 'vector', parameters: ['x', 'y']},
          {name: 'b', cores: 'cube', parameters: []},
          {name: 'c', cores: 'mix11', parameters: ['z']},
          {name: 'd', cores: 'mix12', parameters: ['z']},
        ],
        'Ascend910B1',
      ),
    ).toBe(
      [
        '#include "twin/direct_facts.h"',
        'static const twin::direct::KernelFact facts[] = {',
        '    {"a", 0, "x,y"},',
        '    {"b", 1, ""},',
        '    {"c", 2, "z"},',
        '    {"d", 3, "z"},',
        '    {"", 0, ""}};',
        'static const bool described = twin::direct::Describe(facts, 4, "Ascend910B1");',
        '',
      ].join('\n'),
    )
  })
})
