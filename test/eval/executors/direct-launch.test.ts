import {expect, test} from 'vitest'
import {kernelFacts, launchText} from '../../../eval/executors/direct-launch.ts'

test('a launch becomes a call that takes no more room', () => {
  const text =
    '  k<half, 3><<<n * (2 + 1), nullptr, stream>>>(x, y);\n  ns::k <<<f(a >> 1), 0, s>>>  (x); k2<<<1, 0, s>>>();\n'
  const called = launchText(text)
  expect(called).toBe(
    '$(k<half, 3> )(n * (2 + 1), nullptr, stream)  (x, y);\n$(ns::k  )(f(a >> 1), 0, s)    (x);$(k2 )(1, 0, s)  ();\n'.replace(
      '(x);$(k2',
      '(x); $(k2',
    ),
  )
})

test('a launch without room in front moves what comes behind it only', () => {
  expect(launchText('{k<<<1, 0, s>>>(x);}\n  int y;')).toBe('{$(k )(1, 0, s)  (x);}\n  int y;')
})

test('shifts, comments and strings are no launches', () => {
  const text = 'auto a = b << (c << 3); // k<<<1, 0, s>>>(x)\nputs("k<<<1, 0, s>>>(x)"); a <<= 2; a >>= 1;\n'
  expect(launchText(text)).toBe(text)
})

test('a launch in the body of a macro and one over lines are calls', () => {
  expect(launchText('#define GO(k) \\\n    k<<<1, 0, s>>>(x)\n')).toBe('#define GO(k) \\\n  $(k )(1, 0, s)  (x)\n')
  expect(launchText('  k<<<\n    n,\n    0, s>>>(\n    x);')).toBe('$(k )(\n    n,\n    0, s)  (\n    x);')
})

test('what a kernel says of its cores and parameters is read off its definition', () => {
  const facts = kernelFacts([
    'template <typename T> __global__ __vector__ void a(__gm__ T* x, GM_ADDR y = nullptr) {}',
    '__mix__(1, 2) __global__ __aicore__ void b(std::array<int, 2> t) {}\n__global__ __cube__ void c() {}',
    'extern "C" __global__ __mix__(1, 0) __aicore__ void d(int n[4]);\n__global__ __mix__(0, 1) void e(int) {}',
  ])
  expect(facts).toEqual([
    {name: 'a', cores: 'vector', parameters: ['x', 'y']},
    {name: 'b', cores: 'mix12', parameters: ['t']},
    {name: 'c', cores: 'cube', parameters: []},
    {name: 'd', cores: 'cube', parameters: ['n']},
    {name: 'e', cores: 'vector', parameters: ['int']},
  ])
})

test('a kernel that says nothing of its cores has those that a build would infer', () => {
  const matmul = 'extern "C" __global__ __aicore__ void m(GM_ADDR a) { REGIST_MATMUL_OBJ(&pipe, w, mm, &t); }'
  expect(kernelFacts([matmul])).toMatchObject([{cores: 'mix12'}])
  expect(kernelFacts(['extern "C" __global__ __aicore__ void v(GM_ADDR a) {}'])).toMatchObject([{cores: 'vector'}])
})

test('parameters of host functions have no memory, those of device functions keep theirs', () => {
  const blank = '      '
  const host = 'void go(uint32_t n, __gm__ uint8_t* a, __gm__ uint8_t* b)'
  expect(launchText(`#include "x.h"\n${host};\nint y;\n${host} { k<<<n, 0, s>>>(a); }`)).toBe(
    `#include "x.h"\n${host};\nint y;\n${host} { $(k )(n, 0, s)  (a); }`.replaceAll('__gm__', blank),
  )
  const device = [
    '__global__ __aicore__ void k(__gm__ uint8_t* a) {}',
    'AICORE\nvoid f(__gm__ uint8_t* a) {}',
    'struct S { __aicore__ inline void Init(__gm__ float* x) {} };',
    'template <typename T> __aicore__ void g(__gm__ T* x);',
    '#if N == 0\n__global__ __mix__(1, 1)\n#else\n__global__ __mix__(1, 2)\n#endif\n    void h(__gm__ uint8_t* a) {}',
  ].join('\n')
  expect(launchText(device)).toBe(device)
})
