import type {SourceFile} from '../../../../datasets/schema/operator.ts'
import {expandSources, isInclude} from '../../../cpp-macros.ts'
import {literalValue} from '../../../cpp-tokens.ts'
import type {Token} from '../../../cpp-tokens.ts'
import {inspectSources} from '../../../integrity.ts'

/** A rule of the sources that a submission breaks, and where. */
interface BrokenSource {
  rule: string
  where: string
  seen: string
}

const kernelHeaders =
  /^(?:kernel_operator\.h|kernel_tiling\/kernel_tiling\.h|lib\/[\w/]+\.h|\w+_tiling\.h|cstdint|stdint\.h|limits)$/
const plainHeaders =
  'vector|tuple|string|array|algorithm|utility|optional|limits|cstdint|stdint\\.h|cstddef|cmath|numeric'
const bindingHeaders = new RegExp(
  `^(?:torch/(?:extension|library|torch|all)\\.h|ATen/(?:ATen|Operators)\\.h|` +
    `pytorch_npu_helper\\.hpp|${plainHeaders}|` +
    'torch/csrc/autograd/custom_function\\.h)$',
)

/** What a binding may name of PyTorch: types and memory. Anything else computes, or reaches further. */
const torchNames = new RegExp(
  `^(?:${[
    'Tensor|TensorList|TensorOptions|IntArrayRef|ArrayRef|Scalar|ScalarType',
    'optional|nullopt|Device|Library|MemoryFormat',
    'empty|empty_like|empty_strided|zeros|zeros_like|ones|ones_like|full|full_like|dtype|device|SmallVector|DimVector',
    'k(?:Float|Float32|Half|Float16|BFloat16|Double|Int|Int32|Long|Int64|Bool|Byte|Char|Short)',
  ].join('|')})$`,
)
const torchSpace = /^(?:at|torch|c10|aten|caffe2)$/

/** Methods by which a host reads what a tensor holds, or computes with it. */
const tensorMethods = new RegExp(
  `^(?:${[
    '(?:mutable_|const_)?data_ptr|accessor|packed_accessor\\w*|item|storage|unsafe\\w*',
    'toDouble|equal|allclose|copy_|set_',
    'relu_?|sigmoid_?|tanh_?|abs_?|exp_?|log_?|sqrt_?|rsqrt_?|pow_?|neg_?|add_?|sub_?|mul_?|div_?|clamp\\w*|softmax',
    'log_softmax|sum|mean|max|min|amax|amin|prod|norm|var|std|cumsum|cumprod',
    'matmul|mm|bmm|flip|where|sort|gather|index\\w*',
  ].join('|')})$`,
)
const foreignWords = /^(?:PyRun_\w+|PyImport_\w+|PyEval_\w+|PyObject_\w+|py|pybind11|Python)$/

/** The first rule that the C++ of a submission breaks: of the operator's files, then of its binding. */
export function brokenSource(project: readonly SourceFile[], binding: string): BrokenSource | undefined {
  const inspected = inspectSources(project)[0]
  if (inspected) return {rule: inspected.rule, where: `${inspected.path}:${inspected.line}`, seen: inspected.seen}
  const kernel = project.filter(({path}) => path.startsWith('op_kernel/'))
  for (const {path, text} of kernel) {
    const header = foreignHeader(text, kernelHeaders)
    if (header !== undefined) return {rule: 'forbidden-include', where: path, seen: `#include <${header}>`}
  }
  return brokenBinding(binding)
}

function foreignHeader(text: string, allowed: RegExp): string | undefined {
  const [expanded] = expandSources([text])
  const headers = (expanded?.directives ?? []).filter(isInclude).map(({tokens}) => {
    const [first] = tokens
    return first?.kind === 'header' || first?.kind === 'string'
      ? literalValue(first)
      : tokens.map(({text: said}) => said).join('')
  })
  return headers.find((header) => !allowed.test(header))
}

function brokenBinding(text: string): BrokenSource | undefined {
  const broken = (rule: string, seen: string, start = 0): BrokenSource => {
    return {rule, where: `python_bind_src:${text.slice(0, start).split('\n').length}`, seen: seen.slice(0, 80)}
  }
  const header = foreignHeader(text, bindingHeaders)
  if (header !== undefined) return broken('forbidden-include', `#include <${header}>`)
  const code = expandSources([text])[0]?.code ?? []
  for (const [at, token] of code.entries()) {
    const seen = token.kind === 'word' ? brokenWord(code, at) : undefined
    if (seen) return broken(seen, `${code[at - 2]?.text ?? ''}${code[at - 1]?.text ?? ''}${token.text}`, token.start)
  }
  // What the rules of an operator's files say of the system, threads, assembly and the judge holds here as well.
  const inspected = inspectSources([{path: 'op_host/binding.cpp', text}]).find(({rule}) => !ofTorch.has(rule))
  return inspected && {rule: inspected.rule, where: `python_bind_src:${inspected.line}`, seen: inspected.seen}
}

/** Rules that refuse PyTorch's headers and names as such; the whitelist above is about those. */
const ofTorch = new Set(['forbidden-include', 'calls-a-finished-operator'])

function brokenWord(code: readonly Token[], at: number): string | undefined {
  const word = code[at]?.text ?? ''
  const [before, space] = [code[at - 1]?.text, code[at - 2]?.text ?? '']
  if (before === '::' && torchSpace.test(space) && !torchNames.test(word)) return 'calls-a-finished-operator'
  if (word === 'namespace' && code.slice(at, at + 4).some(({text}) => torchSpace.test(text)))
    return 'hides-a-finished-operator'
  if ((before === '.' || before === '->') && tensorMethods.test(word) && code[at + 1]?.text !== ')')
    return /data_ptr|accessor|item|storage/.test(word) ? 'reads-tensors-on-the-host' : 'calls-a-finished-operator'
  if (foreignWords.test(word) && before !== '.') return 'reaches-into-python'
  if (word === 'npu_call') return 'touches-the-judge'
  if (word === 'static' && code[at - 1]?.text !== '_' && !isFunction(code, at)) return 'keeps-state-between-calls'
  return undefined
}

/** `static T f(…)`, not `static T x`. */
function isFunction(code: readonly Token[], at: number): boolean {
  const end = code.slice(at, at + 40).find(({text}) => ['(', ';', '=', '{'].includes(text))
  return end?.text === '('
}
