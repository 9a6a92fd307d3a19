import {describe, expect, test} from 'vitest'
import type {ErrorClass} from '../../datasets/schema/error-class.ts'
import {classifyVerdict} from '../../eval/taxonomy.ts'
import {realExecutor} from '../helpers/real-executor.ts'

interface Sentence {
  operator: string
  said: string
  code: string
  /** The class that the table puts the operator's kernel in. */
  paper: ErrorClass
  /** Where the sentence alone is in another class: which, and why. */
  alone?: {class: ErrorClass; why: string}
  side?: 'host'
}

const api = 'api-signature-and-overload'
const dtype = 'data-type-and-conversion'
const scope = 'variable-scope-and-lifetime'
const memory = 'memory-and-object-usage'
const syntax = 'syntax-and-structure'
const macro = 'macro-and-preprocessing'

const tensors = 'LocalTensor<float> y, LocalTensor<float> x'
// The table has one row for a kernel and puts all that was said of it there; the kernel's class is its first error's.
const notFirst = 'a later error of a kernel whose first one gave the class'

/** Every sentence of Table 7 of the AscendKernelGen paper, alone, in code of our own. */
const sentences: readonly Sentence[] = [
  {
    operator: 'Equal',
    said: 'Muls: third argument LocalTensor<float> instead of scalar',
    code: `void f(${tensors}) { Muls(y, x, x, 8); }`,
    paper: api,
  },
  {
    operator: 'Equal',
    said: 'Greater: function not declared',
    code: `void f(${tensors}) { Greater(y, x, y, 8); }`,
    paper: api,
    alone: {class: scope, why: 'the table itself puts an undeclared IsInf under scope'},
  },
  {
    operator: 'Equal',
    said: 'Mins: third argument minValLocal LocalTensor<float> instead of float',
    code: `void f(${tensors}, LocalTensor<float> minValLocal) { Mins(y, x, minValLocal, 8); }`,
    paper: api,
  },
  {
    operator: 'Equal',
    said: 'DataCopy: LocalTensor<float> vs GlobalTensor<half> type conflict',
    code: 'void f(LocalTensor<float> y, GlobalTensor<half> x) { DataCopy(y, x, 16); }',
    paper: api,
  },
  {
    operator: 'Equal',
    said: 'ReduceSum: missing required template parameter pattern',
    code: `void f(${tensors}, LocalTensor<uint8_t> t, const uint32_t shape[2]) { ReduceSum<float>(y, x, t, shape, true); }`,
    paper: api,
  },
  {
    operator: 'Arange',
    said: 'Add: 4 arguments including float16 scalar, but all overloads require LocalTensor and more parameters',
    code: 'void f(LocalTensor<half> y, LocalTensor<half> x, half s) { Add(y, x, s, 16); }',
    paper: api,
  },
  {
    operator: 'Arange',
    said: 'Duplicate: 3 arguments (LocalTensor, int, int), type conflicts (unsigned int vs int)',
    code: 'void f(LocalTensor<uint32_t> y) { Duplicate(y, 0, 8); }',
    paper: api,
  },
  {
    operator: 'Equal',
    said: 'float to bool conversion unsupported by CastIntrinsicsImpl',
    code: 'void f(LocalTensor<bool> y, LocalTensor<float> x) { Cast(y, x, RoundMode::CAST_NONE, 64); }',
    paper: dtype,
  },
  {
    operator: 'Equal',
    said: 'Duplicate: target yLocal type LocalTensor<bool> conflicts with template float',
    code: 'void f(LocalTensor<bool> yLocal) { Duplicate<float>(yLocal, 1.0f, 64); }',
    paper: dtype,
  },
  {
    operator: 'Equal',
    said: 'Sub: input tensors type inference conflict (bool vs float)',
    code: 'void f(LocalTensor<float> z, LocalTensor<bool> x, LocalTensor<float> y) { Sub(z, x, y, 64); }',
    paper: dtype,
  },
  {
    operator: 'Less',
    said: 'Duplicate used with uint8_t, unsupported type',
    code: 'void f(LocalTensor<uint8_t> y) { Duplicate(y, static_cast<uint8_t>(1), 64); }',
    paper: dtype,
  },
  {
    operator: 'Less',
    said: 'Duplicate used with bool, unsupported type',
    code: 'void f(LocalTensor<bool> y) { Duplicate(y, true, 64); }',
    paper: dtype,
  },
  {
    operator: 'Less',
    said: 'int16_t to bool conversion missing CastIntrinsicsImpl overload',
    code: 'void f(LocalTensor<bool> y, LocalTensor<int16_t> x) { Cast(y, x, RoundMode::CAST_NONE, 64); }',
    paper: dtype,
  },
  {
    operator: 'Icamax',
    said: 'TQue missing GetSize',
    code: 'void f(TQue<QuePosition::VECIN, 1>& q) { auto n = q.GetSize(); }',
    paper: memory,
  },
  {
    operator: 'Icamax',
    said: 'undefined FLT_MAX',
    code: 'void f() { float a = FLT_MAX; }',
    paper: memory,
    alone: {class: scope, why: notFirst},
  },
  {
    operator: 'Icamax',
    said: 'undefined fabs',
    code: 'void f(float v) { float a = fabs(v); }',
    paper: memory,
    alone: {class: scope, why: notFirst},
  },
  {
    operator: 'Icamax',
    said: 'another TQue missing GetSize',
    code: 'void f(TQue<QuePosition::VECOUT, 2>& outQueue) { uint32_t n = outQueue.GetSize() / 2; }',
    paper: memory,
  },
  {
    operator: 'Icamax',
    said: 'DataCopy: parameter mismatch, expected (GlobalTensor, LocalTensor, int)',
    code: 'void f(GlobalTensor<float> g, float v) { DataCopy(g, v, 8); }',
    paper: memory,
    alone: {class: api, why: notFirst},
  },
  {
    operator: 'Icamax',
    said: 'Init: 4 arguments provided, 5 expected',
    code: 'struct K { void Init(GM_ADDR x, GM_ADDR y, int n, int m, int k) {} };\nvoid f(K& op, GM_ADDR x) { op.Init(x, x, 1, 2); }',
    paper: memory,
    alone: {class: api, why: notFirst},
  },
  {
    operator: 'Isamax',
    said: 'Dereferencing uint64_t from LocalTensor::GetPhyAddr()',
    code: 'void f(LocalTensor<float> x) { float v = *(uint64_t)x.GetPhyAddr(); }',
    paper: memory,
  },
  {
    operator: 'Isamax',
    said: 'DataCopy: reinterpret_cast int32_t* to __gm__ int32_t* invalid',
    code: 'void f(GlobalTensor<int32_t> g, int32_t* p) { g.SetGlobalBuffer(reinterpret_cast<__gm__ int32_t*>(p)); }',
    paper: memory,
  },
  {
    operator: 'IsInf',
    said: "Undeclared identifier 'IsInf'",
    code: `void f(${tensors}) { IsInf(y, x, 8); }`,
    paper: scope,
  },
  {
    operator: 'IsInf',
    said: "Undeclared 'ToLocalTensor', likely meant 'LocalTensor', used in And function",
    code: 'void f(LocalTensor<int16_t> y, LocalTensor<int16_t> x) { And(y, x, ToLocalTensor<int16_t>(x), 8); }',
    paper: scope,
  },
  {
    operator: 'Ccopy',
    said: "Undeclared 'complex64' in GlobalTensor/LocalTensor templates and sizeof",
    code: 'void f() { GlobalTensor<complex64> g; LocalTensor<complex64> x; int n = sizeof(complex64); }',
    paper: scope,
  },
  {
    operator: 'Ccopy',
    said: "Undeclared 'c10', causing template instantiation and sizeof errors",
    code: 'void f() { LocalTensor<c10::complex<float>> g; int n = sizeof(c10::complex<float>); }',
    paper: scope,
  },
  {
    operator: 'Snrm2',
    said: 'SyncAll() defined without parameters, called as template SyncAll<true>()',
    code: 'struct KernelSnrm2 { void SyncAll() {} void f() { SyncAll<true>(); } };',
    paper: syntax,
  },
  {
    operator: 'Snrm2',
    said: "KernelSnrm2 missing member 'tailBlock'",
    code: 'struct KernelSnrm2 { int tail; void f() { this->tailBlock = 3; } };',
    paper: syntax,
  },
  {
    operator: 'Snrm2',
    said: 'tiling struct registration fails',
    code: 'namespace optiling { REGISTER_TILING_DATA_CLASS(Snrm2, Snrm2TilingData) }',
    side: 'host',
    paper: syntax,
    alone: {class: scope, why: 'the table does not say how; here the structure was never declared'},
  },
  {
    operator: 'FastGeluGrad',
    said: "Variable name starting with digit ('1_702_x'), invalid in C++",
    code: 'void f() { float 1_702_x = 1.702f; }',
    paper: syntax,
  },
  {
    operator: 'ClipByValue',
    said: 'TILING_KEY_IS macro misused; macro expansion may lack semicolon',
    code: 'void f() { TILING_KEY_IS(1) { int a = 1; } }',
    paper: macro,
  },
  {
    operator: 'Sasum',
    said: "'ALIGN_SIZE' ambiguous (user-defined 8 vs AscendC 32)",
    code: 'constexpr int ONE_BLK_SIZE = 8;\nint f() { return ONE_BLK_SIZE; }',
    paper: macro,
  },
  {
    operator: 'Sasum',
    said: 'DataCopyPad parameter mismatch',
    code: 'void f(GlobalTensor<float> g, LocalTensor<float> x) { DataCopyPad(g, x, 8); }',
    paper: macro,
    alone: {class: api, why: notFirst},
  },
  {
    operator: 'Sasum',
    said: 'TBuf missing SetFlag member function',
    code: 'void f(TBuf<QuePosition::VECCALC>& b) { b.SetFlag(1); }',
    paper: macro,
    alone: {class: memory, why: notFirst},
  },
]

describe('Table 7 of the paper, sentence by sentence', () => {
  test.each(sentences)('$operator: $said', async ({code, paper, alone, side}) => {
    const header = side === 'host' ? 'register/tilingdata_base.h' : 'kernel_operator.h'
    const verdict = await (await realExecutor()).compile({
      side: side ?? 'kernel',
      text: `#include "${header}"\n${side === 'host' ? '' : 'using namespace AscendC;\n'}${code}\n`,
      tiling: '',
      dtypes: {},
    })
    if (verdict.outcome !== 'compile-failed') throw new Error(verdict.outcome)
    const messages = verdict.diagnostics.slice(0, 3).map(({message}) => message)
    expect([classifyVerdict(verdict)?.class, messages]).toEqual([alone?.class ?? paper, messages])
  })

  test('where a sentence alone is in another class than its kernel, it says why', () => {
    const differing = sentences.filter(({alone}) => alone !== undefined)
    expect(differing.every(({alone, paper}) => alone?.class !== paper && alone?.why !== '')).toBe(true)
    expect(`${sentences.length - differing.length} of ${sentences.length}`).toBe('25 of 33')
  })
})
