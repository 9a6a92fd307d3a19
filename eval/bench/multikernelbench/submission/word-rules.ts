import type {Token} from '../../../cpp-tokens.ts'

/** The rule that the word at a place breaks. */
export type WordRule = (code: readonly Token[], at: number) => string | undefined

const words = (...names: string[]) => new RegExp(`^(?:${names.join('|')})$`)

/** What a binding may name of PyTorch: types and memory. Anything else computes, or reaches further. */
const torchNames = words(
  'Tensor|TensorList|TensorOptions|IntArrayRef|ArrayRef|Scalar|ScalarType',
  'optional|nullopt|Device|DeviceType|DeviceGuard|OptionalDeviceGuard|MemoryFormat',
  'empty|empty_like|empty_strided|zeros|zeros_like|ones|ones_like|full|full_like|dtype|device|SmallVector|DimVector',
  'k(?:Float|Float32|Half|Float16|BFloat16|Double|Int|Int32|Long|Int64|Bool|Byte|Char|Short|PrivateUse1)',
)
const torchSpace = words('at|torch|c10|aten|caffe2')

/** Methods by which a host gets at what a tensor holds. */
const readingMethods = words('accessor|packed_accessor\\w*|item|storage|unsafe\\w*|getIntrusivePtr|mutable_data')
const addressMethods = words('(?:mutable_|const_)?data_ptr')
const computingMethods = words(
  'toDouble|equal|allclose|copy_|set_',
  'relu_?|sigmoid_?|tanh_?|abs_?|exp_?|log_?|sqrt_?|rsqrt_?|pow_?|neg_?|add_?|sub_?|mul_?|div_?|clamp\\w*|softmax',
  'log_softmax|sum|mean|max|min|amax|amin|prod|norm|var|std|cumsum|cumprod',
  'matmul|mm|bmm|flip|where|sort|gather|index\\w*',
)
const pythonWords = words('_?Py[A-Z]\\w*|THP\\w+|py|pybind11|Python')
/** By which `m` of PYBIND11_MODULE, and whatever else is Python's, leads to the rest of it. */
const pythonMethods = words('attr|import|import_|reload|get_type|ptr')
/** Functions of the system that move bytes between memory and open files. */
const systemWords = words('p?writev?|p?readv?|v?dprintf')
/** Where a binding may register its functions: PyTorch's own operators are not its to replace. */
const ownLibraries = words('myops')

/** Of bindings whose operator runs elsewhere: their tensors are memory of the host, and none of their business. */
export function brokenWord(code: readonly Token[], at: number): string | undefined {
  const isAddress = isMember(code, at) && addressMethods.test(code[at]?.text ?? '')
  return isAddress ? 'reads-tensors-on-the-host' : brokenLaunchWord(code, at)
}

/** Of bindings that launch kernels, which are given the addresses of tensors. */
export function brokenLaunchWord(code: readonly Token[], at: number): string | undefined {
  const word = code[at]?.text ?? ''
  const [before, space] = [code[at - 1]?.text, code[at - 2]?.text ?? '']
  if (isMember(code, at) && readingMethods.test(word)) return 'reads-tensors-on-the-host'
  if (isMember(code, at) && pythonMethods.test(word)) return 'reaches-into-python'
  if (!isMember(code, at) && systemWords.test(word) && code[at + 1]?.text === '(') return 'calls-the-system'
  if (/^TORCH_(?:LIBRARY|SELECTIVE)\w*$/.test(word) && !ownLibraries.test(code[at + 2]?.text ?? ''))
    return 'replaces-an-operator'
  if (isMember(code, at) && computingMethods.test(word) && code[at + 1]?.text !== ')')
    return 'calls-a-finished-operator'
  if (before === '::' && torchSpace.test(space) && !torchNames.test(word)) return 'calls-a-finished-operator'
  return brokenDeviceWord(code, at)
}

/** Of all that has host code. */
export function brokenDeviceWord(code: readonly Token[], at: number): string | undefined {
  const word = code[at]?.text ?? ''
  if (word === 'namespace' && renamesTorch(code, at)) return 'hides-a-finished-operator'
  if (pythonWords.test(word) && code[at - 1]?.text !== '.' && !namesArgument(code, at)) return 'reaches-into-python'
  if (word === 'npu_call') return 'touches-the-judge'
  if (word === 'static' && keepsState(code, at)) return 'keeps-state-between-calls'
  return undefined
}

/** `using namespace at;`, `namespace n = ::at;` and `namespace at {`, not what a namespace of its own holds. */
function renamesTorch(code: readonly Token[], at: number): boolean {
  const statement = code.slice(at, at + 8)
  const end = statement.findIndex(({text}) => text === '{' || text === ';')
  return statement.slice(0, end < 0 ? undefined : end).some(({text}) => torchSpace.test(text))
}

function isMember(code: readonly Token[], at: number): boolean {
  return ['.', '->'].includes(code[at - 1]?.text ?? '')
}

/** `py::arg("x")`, and `namespace py = pybind11;` for it. */
function namesArgument(code: readonly Token[], at: number): boolean {
  const [before, word, next, second] = [-1, 0, 1, 2].map((step) => code[at + step]?.text)
  if (next === '::' && second === 'arg') return true
  return word === 'py' ? before === 'namespace' && next === '=' : before === '=' && next === ';'
}

const number = /^(?:const|unsigned|signed|int|long|short|char|float|double|bool|size_t|u?int\d+_t|half)$/

/** Not `static T f(…)`, nor a constant that is told once and for all. */
function keepsState(code: readonly Token[], at: number): boolean {
  const statement = code.slice(at + 1, at + 40)
  const end = statement.findIndex(({text}) => ['(', ';', '=', '{'].includes(text))
  const said = statement.slice(0, Math.max(0, end))
  if (statement[end]?.text === '(') return false
  if ([code[at - 1], ...said].some((one) => one?.text === 'constexpr')) return false
  const isConstant = said.some(({text}) => text === 'const') && said.slice(0, -1).every(({text}) => number.test(text))
  return !(isConstant && statement[end + 1]?.kind === 'number' && statement[end + 2]?.text === ';')
}
