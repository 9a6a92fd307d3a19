import {expect, test} from 'vitest'
import {brokenKernels, brokenProject} from '../../../../eval/bench/submission/source-whitelist.ts'

const kernel = (code: string) => brokenKernels([{path: 'k.cpp', text: code}], [])

test.each([
  ['opens files', '#include <fstream>\n', 'forbidden-include'],
  ['changes what memory may be reached', 'void f(void* p) { mprotect(p, 1, 3); }', 'calls-the-system'],
  ['catches signals', 'void f() { std::signal(11, h); }', 'calls-the-system'],
  ['starts threads', 'void f() { std::thread t(g); }', 'runs-outside-the-kernel'],
  ['opens the memory of the device', 'extern "C" void twin_open();\nvoid f() { twin_open(); }', 'touches-the-judge'],
  ['uses the runtime of the device', 'void f() { twin::direct::OpenMemory open; }', 'touches-the-judge'],
  ['asks how it is compiled', '#ifdef __CUDA__\n#endif\n', 'touches-the-judge'],
])('a text with kernels that %s is refused, where it may run beside the values', (_, code, rule) => {
  expect(kernel(code)?.rule).toBe(rule)
})

test('what binds kernels to Python has no values, and may do as it likes', () => {
  const text =
    '#include <fstream>\n#include <torch/extension.h>\nvoid f() { PyRun_SimpleString("1"); std::thread t(g); }'
  expect(brokenKernels([{path: 'pybind11.cpp', text}], ['pybind11.cpp'])).toBeUndefined()
  expect(brokenKernels([{path: 'pybind11.cpp', text}], [])?.rule).toBe('forbidden-include')
})

test('what is broken is told by file and line', () => {
  const files = [
    {path: 'ModelNew.py', text: 'import torch'},
    {path: 'k.cpp', text: '#include "kernel_operator.h"\n#include "k.h"\n'},
    {path: 'k.h', text: '#include <torch/extension.h>\n\nvoid f(void* p) { mprotect(p, 1, 3); }'},
    {path: 'b.cpp', text: '#include "k.h"\n'},
  ]
  expect(brokenKernels(files, ['b.cpp'])).toEqual({rule: 'calls-the-system', where: 'k.h:3', seen: 'mprotect('})
})

test('a kernel has no headers of PyTorch, nor any that is nowhere', () => {
  const including = (header: string) => kernel(`#include <${header}>\n`)
  for (const header of ['torch/extension.h', 'ATen/ATen.h', 'aclnnop/aclnn_relu.h', 'pytorch_npu_helper.hpp', 'none.h'])
    expect(including(header), header).toMatchObject({rule: 'forbidden-include', seen: `#include <${header}>`})
  for (const header of ['kernel_operator.h', 'tiling/platform/platform_ascendc.h', 'acl/acl.h', 'algorithm', 'tuple'])
    expect(including(header), header).toBeUndefined()
})

test('a project is looked at in all of its files, and its kernel for headers as well', () => {
  const project = (path: string, text: string) => brokenProject([{path, text}])
  expect(project('op_host/a.cpp', 'void f() { system("x"); }')).toMatchObject({
    rule: 'calls-the-system',
    where: 'op_host/a.cpp:1',
  })
  expect(project('op_kernel/a.cpp', '#include <vector>\n')).toMatchObject({rule: 'forbidden-include'})
  expect(project('op_kernel/a.cpp', '#include "kernel_operator.h"\n#include "a_tiling.h"\n')).toBeUndefined()
  expect(project('op_host/a.cpp', '#include <vector>\n')).toBeUndefined()
})
