import {describe, expect, test} from 'vitest'
import {
  brokenDeviceWord,
  brokenLaunchWord,
  brokenWord,
  type WordRule,
} from '../../../../eval/bench/multikernelbench/submission/word-rules.ts'
import {tokenize} from '../../../../eval/cpp-tokens.ts'

/** Words of a text that break a rule, with the rule. */
function broken(rule: WordRule, text: string): string[] {
  const code = tokenize(text)
  return code.flatMap((token, at) => {
    const name = token.kind === 'word' ? rule(code, at) : undefined
    return name === undefined ? [] : [`${token.text}: ${name}`]
  })
}

const host = 'reads-tensors-on-the-host'
const finished = 'calls-a-finished-operator'
const python = 'reaches-into-python'
const hides = 'hides-a-finished-operator'
const keeps = 'keeps-state-between-calls'

describe('a binding that launches kernels', () => {
  test.each<[string, ...string[]]>([
    [
      'x.item<float>(); x->accessor<float, 1>(); x.packed_accessor32<float, 1>()',
      `item: ${host}`,
      `accessor: ${host}`,
      `packed_accessor32: ${host}`,
    ],
    [
      'x.storage(); x.unsafeGetTensorImpl(); x.getIntrusivePtr(); x.mutable_data<int>()',
      `storage: ${host}`,
      `unsafeGetTensorImpl: ${host}`,
      `getIntrusivePtr: ${host}`,
      `mutable_data: ${host}`,
    ],
    ['item(x); int accessor = 1; storage();'],
    // Kernels are given addresses.
    ['x.data_ptr<float>(); x.mutable_data_ptr(); x.const_data_ptr()'],
    [
      'm.attr("x"); m.import("os"); o->reload(); p.get_type(); q.ptr()',
      `attr: ${python}`,
      `import: ${python}`,
      `reload: ${python}`,
      `get_type: ${python}`,
      `ptr: ${python}`,
    ],
    ['attr(x); ptr = 1;'],
    [
      'write(1, p, 4); pread(f); vdprintf(1); readv(f); pwritev(f)',
      'write: calls-the-system',
      'pread: calls-the-system',
      'vdprintf: calls-the-system',
      'readv: calls-the-system',
      'pwritev: calls-the-system',
    ],
    ['stream.write(p, 4); int write = 1; f->read(x)'],
    ['TORCH_LIBRARY(myops, m) {}'],
    [
      'TORCH_LIBRARY(aten, m) {} TORCH_LIBRARY_IMPL(at, PrivateUse1, m) {} TORCH_SELECTIVE_NAME(x)',
      'TORCH_LIBRARY: replaces-an-operator',
      'TORCH_LIBRARY_IMPL: replaces-an-operator',
      'TORCH_SELECTIVE_NAME: replaces-an-operator',
    ],
    [
      'x.relu_(1); x.sum(0); x->matmul(y); x.index_select(0)',
      `relu_: ${finished}`,
      `sum: ${finished}`,
      `matmul: ${finished}`,
      `index_select: ${finished}`,
    ],
    [
      'x.abs(); x.clamp_min(0); x.log_softmax(1)',
      `abs: ${finished}`,
      `clamp_min: ${finished}`,
      `log_softmax: ${finished}`,
    ],
    // A name that is handed over is no call, and a function of one's own no method.
    ['f(x.sum); sum(x); float max = 1;'],
    ['at::Tensor y = at::empty({1}, torch::kFloat16); c10::optional<at::Scalar> s; at::IntArrayRef r;'],
    [
      'at::relu(x); torch::nn::Linear(1); c10::impl::G g; aten::add; caffe2::X',
      `relu: ${finished}`,
      `nn: ${finished}`,
      `impl: ${finished}`,
      `add: ${finished}`,
      `X: ${finished}`,
    ],
    ['mine::relu(x); std::sort(a);'],
    ['at::kFloat; at::kFloat8', `kFloat8: ${finished}`],
  ])('%s', (text, ...words) => {
    expect(broken(brokenLaunchWord, text)).toEqual(words)
  })
})

test('a binding whose operator runs elsewhere has no business with addresses', () => {
  const text = 'x.data_ptr<float>(); x->mutable_data_ptr(); x.const_data_ptr(); x.item()'
  expect(broken(brokenWord, text)).toEqual([
    `data_ptr: ${host}`,
    `mutable_data_ptr: ${host}`,
    `const_data_ptr: ${host}`,
    `item: ${host}`,
  ])
  expect(broken(brokenWord, 'data_ptr(x); void* data_ptr = p;')).toEqual([])
  expect(broken(brokenWord, 'at::relu(x)')).toEqual([`relu: ${finished}`])
})

describe('any host code', () => {
  test.each<[string, ...string[]]>([
    ['using namespace at;', `namespace: ${hides}`],
    ['namespace n = ::torch;', `namespace: ${hides}`],
    ['namespace c10 { int a; }', `namespace: ${hides}`],
    ['namespace mine { at::Tensor x; }'],
    ['namespace mine = other; at::Tensor x;'],
    ['namespace a::b::c::d::e::f::g { }'],
    ['namespace { }'],
    [
      'PyObject* o; _PyInterpreter(); THPVariable_Wrap(x); py::object q;',
      `PyObject: ${python}`,
      `_PyInterpreter: ${python}`,
      `THPVariable_Wrap: ${python}`,
      `py: ${python}`,
    ],
    ['m.py; x.Python; Py; PyA; python', `PyA: ${python}`],
    ['py::arg("x"), pybind11::arg("y")'],
    ['pybind11::module_ m; Python::x', `pybind11: ${python}`, `Python: ${python}`],
    ['namespace py = pybind11;'],
    ['namespace py { }', `py: ${python}`],
    ['x = pybind11 + 1', `pybind11: ${python}`],
    ['npu_call(x)', 'npu_call: touches-the-judge'],
    ['static int count = 0;', `static: ${keeps}`],
    ['static const int64_t kCores = 48;'],
    ['static const unsigned long kCores = 48;'],
    ['static constexpr int64_t kTile = 64; constexpr static float kTile = 64;'],
    ['static const int kCores = cores();', `static: ${keeps}`],
    ['static const int kCores = 48 + x;', `static: ${keeps}`],
    ['static const at::Tensor kept = 1;', `static: ${keeps}`],
    ['static int64_t CeilDiv(int64_t a) { return a; }'],
    ['static std::vector<int> kept{1};', `static: ${keeps}`],
    ['static int kept;', `static: ${keeps}`],
    ['static int kept', `static: ${keeps}`],
    // The type may stand before the word, whatever it is called.
    ['using _ = int; _ static kept = 0;', `static: ${keeps}`],
    ['int static kept = 0;', `static: ${keeps}`],
    ['py->arg("x"); py::args; pybind11::arg', `py: ${python}`, `py: ${python}`],
  ])('%s', (text, ...words) => {
    expect(broken(brokenDeviceWord, text)).toEqual(words)
  })
  test('of its own kind may do what only bindings may not', () => {
    expect(broken(brokenDeviceWord, 'at::relu(x); x.item(); write(1, p, 4); x.sum(0)')).toEqual([])
  })
})
