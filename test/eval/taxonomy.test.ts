import {describe, expect, test} from 'vitest'
import type {Verdict} from '../../datasets/schema/verdict.ts'
import {classifyCandidate, classifyVerdict} from '../../eval/taxonomy.ts'
import {realExecutor} from '../helpers/real-executor.ts'
import {scriptedIdentity as executor} from '../helpers/scripted-executor.ts'

/**
 * Faults that the AscendKernelGen paper reports (Table 7 and Appendix C), in code of our own: what it says went wrong →
 * the class it gives.
 */
const faults: [operator: string, fault: string, code: string, name: string][] = [
  [
    'Equal',
    'Muls with a tensor for its scalar, then three more wrong calls',
    'void f(LocalTensor<float> y, LocalTensor<float> x, GlobalTensor<half> g) { Muls(y, x, x, 8); Greater(y, x, y, 8); Mins(y, x, x, 8); DataCopy(x, g, 16); }',
    'api-signature-and-overload',
  ],
  [
    'Equal',
    'Mins with a tensor for its scalar',
    'void f(LocalTensor<float> y, LocalTensor<float> x) { Mins(y, x, y, 8); }',
    'api-signature-and-overload',
  ],
  [
    'Equal',
    'DataCopy between float and half',
    'void f(LocalTensor<float> y, GlobalTensor<half> x) { DataCopy(y, x, 16); }',
    'api-signature-and-overload',
  ],
  [
    'Equal',
    'ReduceSum with one argument too many',
    'void f(LocalTensor<float> y, LocalTensor<float> x) { ReduceSum(y, x, y, 4, 8); }',
    'api-signature-and-overload',
  ],
  [
    'Arange',
    'Add of a scalar',
    'void f(LocalTensor<half> y, LocalTensor<half> x, half s) { Add(y, x, s, 16); }',
    'api-signature-and-overload',
  ],
  [
    'Arange',
    'Duplicate of an int into float',
    'void f(LocalTensor<float> y) { Duplicate(y, 1, 8); }',
    'api-signature-and-overload',
  ],
  [
    '-',
    'a function that AscendC does not have',
    'void f(LocalTensor<float> y, LocalTensor<float> x) { AscendC::Softmaxed(y, x, 8); }',
    'api-signature-and-overload',
  ],
  [
    'Equal',
    'Cast from float to bool',
    'void f(LocalTensor<bool> y, LocalTensor<float> x) { Cast(y, x, RoundMode::CAST_NONE, 64); }',
    'data-type-and-conversion',
  ],
  [
    'Equal',
    'Duplicate of float into a tensor of bool',
    'void f(LocalTensor<bool> y) { Duplicate<float>(y, 1.0f, 64); }',
    'data-type-and-conversion',
  ],
  [
    'Equal',
    'Sub of bool and float',
    'void f(LocalTensor<float> z, LocalTensor<bool> x, LocalTensor<float> y) { Sub(z, x, y, 64); }',
    'data-type-and-conversion',
  ],
  [
    'Less',
    'Duplicate of uint8_t',
    'void f(LocalTensor<uint8_t> y, uint8_t one) { Duplicate(y, one, 64); }',
    'data-type-and-conversion',
  ],
  [
    'Less',
    'Cast from int16_t to bool',
    'void f(LocalTensor<bool> y, LocalTensor<int16_t> x) { Cast(y, x, RoundMode::CAST_NONE, 64); }',
    'data-type-and-conversion',
  ],
  [
    '-',
    'a template of AscendC that is misspelt',
    'void f() { AscendC::LocalTensr<float> x; }',
    'api-signature-and-overload',
  ],
  ['-', 'a template that nobody declared', 'void f() { LocalTensr<float> x; }', 'variable-scope-and-lifetime'],
  ['-', 'a type that a structure lacks', 'struct A {}; void f() { A::T x; }', 'variable-scope-and-lifetime'],
  ['-', 'a type that does not exist', 'void f(int n) { bool_t b = n > 0; }', 'data-type-and-conversion'],
  [
    'Icamax',
    'a queue asked for its size, then undefined names',
    'void f(TQue<QuePosition::VECIN, 1>& q) { auto n = q.GetSize(); float a = FLT_MAX; }',
    'memory-and-object-usage',
  ],
  [
    'Isamax',
    'an address as an integer, dereferenced',
    'void f(LocalTensor<float> x) { float v = *(uint64_t)x.GetPhyAddr(); }',
    'memory-and-object-usage',
  ],
  [
    'Isamax',
    'a pointer of another type as global memory',
    'void f(GlobalTensor<int32_t> g, int64_t* p) { g.SetGlobalBuffer(p); }',
    'memory-and-object-usage',
  ],
  [
    'Sasum',
    'a buffer asked to set a flag',
    'void f(TBuf<QuePosition::VECCALC>& b) { b.SetFlag(1); }',
    'memory-and-object-usage',
  ],
  [
    'IsInf',
    'a name that was never declared, used in And',
    'void f(LocalTensor<int16_t> y, LocalTensor<int16_t> x) { And(y, x, ToLocalTensor<int16_t>(x), 8); }',
    'variable-scope-and-lifetime',
  ],
  [
    'Ccopy',
    'complex64 that was never declared',
    'void f() { GlobalTensor<complex64> g; int n = sizeof(complex64); }',
    'variable-scope-and-lifetime',
  ],
  [
    'Ccopy',
    'c10 that was never declared',
    'void f() { LocalTensor<c10::complex<float>> g; }',
    'variable-scope-and-lifetime',
  ],
  [
    '-',
    'M_PIX, a constant of no header',
    'void f(LocalTensor<float> y) { Duplicate(y, M_PIX, 8); }',
    'variable-scope-and-lifetime',
  ],
  [
    'Snrm2',
    'SyncAll without parameters, called as a template',
    'struct KernelSnrm2 { void SyncAll() {} void f() { SyncAll<true>(); } };',
    'syntax-and-structure',
  ],
  [
    'Snrm2',
    'a member that the kernel class lacks',
    'struct KernelSnrm2 { int tail; void f() { this->tailBlock = 3; } };',
    'syntax-and-structure',
  ],
  ['FastGeluGrad', 'a name that starts with a digit', 'void f() { float 1_702_x = 1.702f; }', 'syntax-and-structure'],
  ['-', 'a missing brace', 'void f(int n) { if (n > 0) { n = 1; ', 'syntax-and-structure'],
  ['-', 'a function without its type', 'Init(int n) {}', 'syntax-and-structure'],
  [
    '-',
    'a structure that is only declared',
    'struct TilingDataDef; void f() { TilingDataDef tiling; }',
    'syntax-and-structure',
  ],
  ['-', 'a value returned from a function that has none', 'void f(int n) { return n; }', 'syntax-and-structure'],
  ['-', 'a break outside of loops', 'void f(int n) { if (n > 0) break; }', 'syntax-and-structure'],
  [
    '-',
    'a variable that a lambda does not capture',
    'void f() { int n = 1; auto add = [](int m) { return m + n; }; }',
    'variable-scope-and-lifetime',
  ],
  ['-', 'an assignment to a number', 'void f(int n) { 8 = n; }', 'data-type-and-conversion'],
  [
    '-',
    'more values than the array has places',
    'void f() { int shape[2] = {8, 16, 32}; }',
    'data-type-and-conversion',
  ],
  [
    '-',
    'a dot behind a pointer',
    'struct TilingDataDef { int n; }; int f(TilingDataDef* tiling) { return tiling.n; }',
    'memory-and-object-usage',
  ],
  [
    'ClipByValue',
    'TILING_KEY_IS as a statement',
    'void f() { TILING_KEY_IS(1) { int a = 1; } }',
    'macro-and-preprocessing',
  ],
  [
    'Sasum',
    'a constant that AscendC has too',
    'constexpr int ONE_BLK_SIZE = 8;\nint f() { return ONE_BLK_SIZE; }',
    'macro-and-preprocessing',
  ],
  [
    '-',
    'GET_TILING_DATA with one argument',
    'void f(GM_ADDR tiling) { GET_TILING_DATA(tiling); }',
    'macro-and-preprocessing',
  ],
  ['-', '#if without #endif', '#if defined(__CCE_AICORE__)\nvoid f() {}', 'macro-and-preprocessing'],
]

/** The same of the host side, where a macro declares the setters of a tiling structure. */
const hostFaults: [fault: string, code: string, name: string][] = [
  ['a setter with too many arguments', 'tiling.set_n(1, 2);', 'api-signature-and-overload'],
  ['a setter without its argument', 'tiling.set_n();', 'api-signature-and-overload'],
  ['a setter of a field that is not there', 'tiling.set_nn(1);', 'syntax-and-structure'],
  ['a setter that is given a pointer', 'tiling.set_n(context);', 'memory-and-object-usage'],
  ['a setter that is given a structure', 'tiling.set_n(tiling);', 'data-type-and-conversion'],
  ['a type that gert lacks', 'gert::TilingContex* c = nullptr;', 'api-signature-and-overload'],
  ['a type that ge lacks', 'ge::Nothing c;', 'api-signature-and-overload'],
  ['a type that a namespace of its own lacks', 'optiling::Nothing c;', 'variable-scope-and-lifetime'],
  ['a pointer compared with a number', 'if (context->GetInputShape(0) > 3) { return 1; }', 'memory-and-object-usage'],
  ['a member of a number', 'uint32_t n = 3; n.GetDim(0);', 'memory-and-object-usage'],
]
const tilingStruct = (fields: string) =>
  `#include "register/tilingdata_base.h"
#include "register/op_def_registry.h"
namespace optiling {
BEGIN_TILING_DATA_DEF(Tiling)
${fields}
END_TILING_DATA_DEF;
`

test.each([
  ['of the first error decide', 0, 'data-type-and-conversion'],
  ['of a later error say nothing of the first', 1, 'api-signature-and-overload'],
])('notes %s', (_, errors, name) => {
  const place = {file: 'a.cpp', line: 3, column: 1}
  const first = {...place, severity: 'error' as const, message: "no matching function for call to 'Adds'"}
  const later = Array.from({length: errors}, () => ({...first, line: 9}))
  const note = {
    ...place,
    severity: 'note' as const,
    message: "candidate template ignored: deduced conflicting types for parameter 'T' ('float' vs. 'bool')",
  }
  const diagnostics = [first, ...later, note]
  expect(classifyVerdict({outcome: 'compile-failed', executor, diagnostics, log: ''} as never)?.class).toBe(name)
})

// What g++ says of them, `.ci/run` tests with ASCEND_COT_TEST_COMPILER.
describe('faults that were compiled', () => {
  test.each(faults)('%s: %s', async (_operator, _fault, code, name) => {
    const real = await realExecutor()
    const verdict = await real.compile({
      side: 'kernel',
      text: `#include "kernel_operator.h"\nusing namespace AscendC;\n${code}\n`,
      tiling: '',
      dtypes: {},
    })
    expect(verdict.outcome).toBe('compile-failed')
    expect([
      classifyVerdict(verdict)?.class,
      verdict.outcome === 'compile-failed' && verdict.diagnostics.slice(0, 3).map(({message}) => message),
    ]).toEqual([name, expect.anything()])
  })
})

describe('faults of the host side that were compiled', () => {
  const classOf = async (text: string) => {
    const real = await realExecutor()
    return classifyVerdict(await real.compile({side: 'host', text, tiling: '', dtypes: {}}))?.class
  }

  test.each(hostFaults)('%s', async (_, code, name) => {
    const body = `uint32_t F(gert::TilingContext* context) { Tiling tiling; ${code} return 0; } }`
    expect(await classOf(tilingStruct('TILING_DATA_FIELD_DEF(uint32_t, n);') + body)).toBe(name)
  })

  test.each([
    ['a field of a type that is none', 'TILING_DATA_FIELD_DEF(uint99, n);'],
    ['a field twice', 'TILING_DATA_FIELD_DEF(int, n);\nTILING_DATA_FIELD_DEF(int, n);'],
  ])('%s is a matter of the macro', async (_, fields) => {
    expect(await classOf(`${tilingStruct(fields)}}`)).toBe('macro-and-preprocessing')
  })
})

describe('other verdicts', () => {
  const classOf = (verdict: Verdict) => {
    const failure = classifyVerdict(verdict)
    return failure && `${failure.class} ${failure.rule}`.trim()
  }
  const at = {case: '0', executor}
  const violation = {rule: 'unaligned-address', block: 0, api: 'DataCopy', tensor: 'x', message: '', fix: ''}

  test.each<[string | undefined, Verdict]>([
    [undefined, {outcome: 'correct', cases: [], executor}],
    [undefined, {outcome: 'compiled', executor}],
    [undefined, {outcome: 'not-covered', missing: ['Digamma'], executor}],
    ['link', {outcome: 'link-failed', log: '', executor}],
    ['launch', {outcome: 'launch-failed', message: '', ...at}],
    ['crash', {outcome: 'crashed', cause: '', log: '', ...at}],
    ['timeout', {outcome: 'timed-out', limitSeconds: 20, ...at}],
    ['rule-violation unaligned-address', {outcome: 'violated', violation, ...at}],
    ['accuracy', {outcome: 'mismatched', cases: [], executor}],
    [
      'cheat forbidden-include',
      {outcome: 'cheated', rule: 'forbidden-include', detail: 'line 1: #include <fstream>', literal: false, executor},
    ],
    [
      'cheat not-computed',
      {outcome: 'cheated', rule: 'not-computed', detail: 'the output is a copy of input 0', literal: true, executor},
    ],
  ])('%s', (expected, verdict) => {
    expect(classOf(verdict)).toBe(expected)
  })

  const compileFailed = (...messages: string[]): Verdict => ({
    outcome: 'compile-failed',
    log: '',
    executor,
    diagnostics: messages.map((message) => ({severity: 'error', file: 'k.cpp', line: 1, column: 1, message})),
  })
  test('a reply without code is told from bad code', () => {
    const verdict = compileFailed('"no readable answer: no banner for op_kernel/a.cpp"')
    expect(classifyCandidate({verdict, unreadable: 'no banner for op_kernel/a.cpp'})?.class).toBe('no-answer')
    expect(classifyCandidate({verdict})?.class).toBe('unclassified')
  })
  test.each(['time', 'memory', 'file size'])('a compilation without end is a timeout: %s', (limit) => {
    expect(classOf(compileFailed(`compilation ran past its ${limit} limit`))).toBe('timeout')
  })
  test('a message that no rule knows is unclassified, and so is a failure without any', () => {
    expect(classOf(compileFailed('the moon is full'))).toBe('unclassified')
    expect(classOf(compileFailed())).toBe('unclassified')
  })
  test('the first error decides', () => {
    expect(classOf(compileFailed("use of undeclared identifier 'x'", "expected ';' after expression"))).toBe(
      'variable-scope-and-lifetime',
    )
  })
})
