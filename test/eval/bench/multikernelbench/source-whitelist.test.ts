import {expect, test} from 'vitest'
import {brokenModule, brokenSource} from '../../../../eval/bench/multikernelbench/submission/source-whitelist.ts'

const includes = '#include <torch/extension.h>\n'
const strings = (code: string, header = '#include "pytorch_npu_helper.hpp"\n') =>
  brokenSource([], includes + header + code)
const module = (code: string) => brokenModule([{path: 'pybind11.cpp', text: includes + code}], ['pybind11.cpp'])

const right = `
static int64_t CeilDiv(int64_t value, int64_t unit) { return (value + unit - 1) / unit; }
static constexpr int64_t kTile = 64;
constexpr static int64_t kDepth = 2;
static const int64_t kCores = 48;
namespace scaling {
at::Tensor Run(const at::Tensor& x, double factor) {
  const c10::OptionalDeviceGuard guard(x.device());
  at::Tensor y = at::empty({x.size(0), CeilDiv(x.size(1), kTile)}, x.options().dtype(at::kFloat));
  return y;
}
}
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("run", &scaling::Run, pybind11::arg("x"), pybind11::arg("factor")); }
`

test('types, memory, constants, functions and names of arguments are what a binding consists of', () => {
  expect([strings(right), module(right)]).toEqual([undefined, undefined])
  expect(strings(`namespace py = pybind11;\nvoid f() { g(py::arg("x")); }`)).toBeUndefined()
  expect(strings('TORCH_LIBRARY_IMPL(myops, PrivateUse1, m) { m.impl("run", &Run); }')).toBeUndefined()
})

test.each([
  ['calls an operator', 'auto f(at::Tensor x) { return at::relu(x); }', 'calls-a-finished-operator'],
  ['calls its kernel', 'auto f(at::Tensor x) { return at::native::relu(x); }', 'calls-a-finished-operator'],
  ['calls a layer', 'auto f(at::Tensor x) { return torch::nn::functional::relu(x); }', 'calls-a-finished-operator'],
  ['calls a method', 'auto f(at::Tensor x) { return x.sigmoid_(1); }', 'calls-a-finished-operator'],
  ['renames the space', 'namespace t = at;', 'hides-a-finished-operator'],
  ['takes the space in', 'using namespace torch;', 'hides-a-finished-operator'],
  ['opens the space', 'namespace at { Tensor relu(const Tensor&); }', 'hides-a-finished-operator'],
  [
    'hides the space in a macro',
    '#define A at\nauto f(at::Tensor x) { return A::relu(x); }',
    'calls-a-finished-operator',
  ],
  ['turns the watch off', 'c10::impl::ExcludeDispatchKeyGuard g(k);', 'calls-a-finished-operator'],
  [
    'makes a tensor of foreign memory',
    'auto f(void* p) { return torch::from_blob(p, {1}); }',
    'calls-a-finished-operator',
  ],
  ['reads a value', 'float f(at::Tensor x) { return x.item<float>(); }', 'reads-tensors-on-the-host'],
  ['reads through an accessor', 'auto f(at::Tensor x) { return x.accessor<float, 1>(); }', 'reads-tensors-on-the-host'],
  ['reads the storage', 'auto f(at::Tensor x) { return x.storage().data(); }', 'reads-tensors-on-the-host'],
  ['takes the tensor apart', 'auto f(at::Tensor x) { return x.getIntrusivePtr(); }', 'reads-tensors-on-the-host'],
  ['replaces an operator', 'TORCH_LIBRARY_IMPL(aten, CPU, m) { m.impl("view", &View); }', 'replaces-an-operator'],
  ['replaces all operators', 'TORCH_LIBRARY_IMPL(_, PrivateUse1, m) { m.fallback(f); }', 'replaces-an-operator'],
  ['makes a library by hand', 'torch::Library l(torch::Library::IMPL, "aten", k, f, 1);', 'calls-a-finished-operator'],
  ['runs Python', 'void f() { PyRun_SimpleString("1"); }', 'reaches-into-python'],
  ['asks Python for its modules', 'void f() { PySys_GetObject("modules"); }', 'reaches-into-python'],
  ['imports', 'void f() { pybind11::module_::import("torch"); }', 'reaches-into-python'],
  ['imports by its own module', 'PYBIND11_MODULE(a, m) { m.import("torch"); }', 'reaches-into-python'],
  ['goes to Python by its own module', 'PYBIND11_MODULE(a, m) { m.attr("__loader__"); }', 'reaches-into-python'],
  ['takes objects of Python', 'void f(py::object o) {}', 'reaches-into-python'],
  [
    'keeps a tensor',
    'at::Tensor f(at::Tensor x) { static at::Tensor kept = x; return kept; }',
    'keeps-state-between-calls',
  ],
  [
    'keeps what it is given first',
    'int64_t f(int64_t n) { static const int64_t first = n; return first; }',
    'keeps-state-between-calls',
  ],
  ['writes to open files', 'void f() { write(3, "x", 1); }', 'calls-the-system'],
  ['prints to open files', 'void f() { dprintf(3, "x"); }', 'calls-the-system'],
  ['opens files', '#include <fstream>\n', 'forbidden-include'],
  ['changes what memory may be reached', 'void f(void* p) { mprotect(p, 1, 3); }', 'calls-the-system'],
  ['catches signals', 'void f() { std::signal(11, h); }', 'calls-the-system'],
  ['starts threads', 'void f() { std::thread t(g); }', 'runs-outside-the-kernel'],
  ['opens the memory of the device', 'extern "C" void twin_open();\nvoid f() { twin_open(); }', 'touches-the-judge'],
  ['uses the runtime of the device', 'void f() { twin::direct::OpenMemory open; }', 'touches-the-judge'],
  ['asks how it is compiled', '#ifdef __CUDA__\n#endif\n', 'touches-the-judge'],
])('a binding that %s is refused, in either language', (_, code, rule) => {
  expect(strings(code)?.rule).toBe(rule)
  expect(module(code)?.rule).toBe(rule)
})

test('addresses of tensors are for launches alone', () => {
  const code = 'void f(at::Tensor x) { Launch(x.data_ptr()); }'
  expect(strings(code)?.rule).toBe('reads-tensors-on-the-host')
  expect(module(code)).toBeUndefined()
})

test('what is broken is told by file and line', () => {
  const files = [
    {path: 'ModelNew.py', text: 'import torch'},
    {path: 'k.cpp', text: '#include "kernel_operator.h"\n#include "k.h"\n'},
    {path: 'k.h', text: '#include <torch/extension.h>\n\nauto f(at::Tensor x) { return at::relu(x); }'},
    {path: 'b.cpp', text: '#include "k.h"\n'},
  ]
  expect(brokenModule(files, ['b.cpp'])).toEqual({
    rule: 'calls-a-finished-operator',
    where: 'k.h:3',
    seen: 'at::relu',
  })
})

test('a kernel has no headers of PyTorch, nor any that is nowhere', () => {
  const kernel = (header: string) => brokenModule([{path: 'k.cpp', text: `#include <${header}>\n`}], [])
  for (const header of ['torch/extension.h', 'ATen/ATen.h', 'aclnnop/aclnn_relu.h', 'pytorch_npu_helper.hpp', 'none.h'])
    expect(kernel(header), header).toMatchObject({rule: 'forbidden-include', seen: `#include <${header}>`})
  for (const header of ['kernel_operator.h', 'tiling/platform/platform_ascendc.h', 'acl/acl.h', 'algorithm', 'tuple'])
    expect(kernel(header), header).toBeUndefined()
})

test('a binding that launches has no other operator to call', () => {
  expect(module('#include "pytorch_npu_helper.hpp"\n')?.rule).toBe('forbidden-include')
  expect(module('#include "aclnnop/aclnn_relu.h"\n')?.rule).toBe('forbidden-include')
})
