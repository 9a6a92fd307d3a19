import {describe, expect, test} from 'vitest'
import {realExecutor, usesClang} from '../helpers/real-executor.ts'

/**
 * The wrong calls that the AscendKernelGen paper reports (Table 7, Table 15), in code of our own, and what clang says
 * of them. The device's compiler is a clang, so its users meet these very sentences, as long as our templates deduce as
 * the vendor's do.
 */
const calls: [operator: string, code: string, errors: string[], note?: string][] = [
  [
    'Table 15',
    'void f(LocalTensor<int32_t> zLocal, LocalTensor<float> workLocal) { AscendC::Add(zLocal, zLocal, workLocal, 1); }',
    ["no matching function for call to 'Add'"],
    "candidate template ignored: deduced conflicting types for parameter 'T' ('int' vs. 'float')",
  ],
  [
    'Equal',
    'void f(LocalTensor<float> y, LocalTensor<float> x, LocalTensor<float> minValLocal) { Muls(y, x, x, 8); Greater(y, x, y, 8); Mins(y, x, minValLocal, 8); }',
    [
      "no matching function for call to 'Muls'",
      "use of undeclared identifier 'Greater'",
      "no matching function for call to 'Mins'",
    ],
    "candidate template ignored: deduced conflicting types for parameter 'T' ('float' vs. 'LocalTensor<float>')",
  ],
  [
    'Equal',
    'void f(LocalTensor<float> y, GlobalTensor<half> x) { DataCopy(y, x, 16); }',
    ["no matching function for call to 'DataCopy'"],
    "candidate template ignored: deduced conflicting types for parameter 'T' ('float' vs. 'half')",
  ],
  [
    'Equal',
    'void f(LocalTensor<float> z, LocalTensor<bool> x, LocalTensor<float> y) { Sub(z, x, y, 64); }',
    ["no matching function for call to 'Sub'"],
    "candidate template ignored: deduced conflicting types for parameter 'T' ('float' vs. 'bool')",
  ],
  [
    'Equal',
    'void f(LocalTensor<bool> yLocal) { Duplicate<float>(yLocal, 1.0f, 64); }',
    ["no matching function for call to 'Duplicate'"],
    "candidate function template not viable: no known conversion from 'LocalTensor<bool>' to 'const LocalTensor<float>' for 1st argument",
  ],
  [
    'Arange',
    'void f(LocalTensor<half> y, LocalTensor<half> x, half s) { Add(y, x, s, 16); }',
    ["no matching function for call to 'Add'"],
    'candidate function template not viable: requires 6 arguments, but 4 were provided',
  ],
  [
    'Arange',
    'void f(LocalTensor<uint32_t> y) { Duplicate(y, 0, 8); }',
    ["no matching function for call to 'Duplicate'"],
    "candidate template ignored: deduced conflicting types for parameter 'T' ('unsigned int' vs. 'int')",
  ],
  [
    'Icamax',
    'void f(TQue<QuePosition::VECIN, 1>& q, float v) { auto n = q.GetSize(); float a = FLT_MAX; float b = fabs(v); }',
    [
      "no member named 'GetSize' in 'AscendC::TQue<AscendC::TPosition::VECIN, 1, 0>'",
      "use of undeclared identifier 'FLT_MAX'",
      // The device's own compiler has abs as well, and suggests nothing.
      "use of undeclared identifier 'fabs'; did you mean 'abs'?",
    ],
  ],
  [
    'Icamax',
    'struct KernelIcamax { void Init(GM_ADDR x, GM_ADDR y, int n, int m, int k) {} };\nvoid f(KernelIcamax& op, GM_ADDR x) { op.Init(x, x, 1, 2); }',
    ['too few arguments to function call, expected 5, have 4'],
  ],
  [
    'Isamax',
    'void f(LocalTensor<float> x) { float v = *(uint64_t)x.GetPhyAddr(); }',
    ["indirection requires pointer operand ('uint64_t' (aka 'unsigned long') invalid)"],
  ],
  [
    'IsInf',
    'void f(LocalTensor<float> y, LocalTensor<float> x) { IsInf(y, x, 8); }',
    ["use of undeclared identifier 'IsInf'"],
  ],
  [
    'IsInf',
    'void f(LocalTensor<int16_t> y, LocalTensor<int16_t> x) { And(y, x, ToLocalTensor<int16_t>(x), 8); }',
    ["use of undeclared identifier 'ToLocalTensor'; did you mean 'LocalTensor'?"],
  ],
  ['Ccopy', 'void f() { GlobalTensor<complex64> g; }', ["use of undeclared identifier 'complex64'"]],
  ['Ccopy', 'void f() { LocalTensor<c10::complex<float>> g; }', ["use of undeclared identifier 'c10'"]],
  [
    'Snrm2',
    'struct KernelSnrm2 { int tail; void f() { this->tailBlock = 3; } };',
    ["no member named 'tailBlock' in 'KernelSnrm2'"],
  ],
  ['FastGeluGrad', 'void f() { float 1_702_x = 1.702f; }', ['expected unqualified-id']],
  ['ClipByValue', 'void f() { TILING_KEY_IS(1) { int a = 1; } }', ["expected ';' after expression"]],
  [
    'Sasum',
    'constexpr int ONE_BLK_SIZE = 8;\nint f() { return ONE_BLK_SIZE; }',
    ["reference to 'ONE_BLK_SIZE' is ambiguous"],
    "candidate found by name lookup is 'AscendC::ONE_BLK_SIZE'",
  ],
  [
    'Sasum',
    'void f(TBuf<QuePosition::VECCALC>& b) { b.SetFlag(1); }',
    ["no member named 'SetFlag' in 'AscendC::TBuf<AscendC::TPosition::VECCALC>'"],
  ],
]

describe.skipIf(!usesClang)('clang says (skipped where the compiler is g++)', () => {
  test.each(calls)('%s: %s', async (_operator, code, errors, note) => {
    const verdict = await (await realExecutor()).compile({
      side: 'kernel',
      text: `#include "kernel_operator.h"\nusing namespace AscendC;\n${code}\n`,
      tiling: '',
      dtypes: {},
    })
    if (verdict.outcome !== 'compile-failed') throw new Error(verdict.outcome)
    const said = (kind: string) =>
      verdict.diagnostics.filter(({severity}) => severity === kind).map(({message}) => message)
    expect(said('error').slice(0, errors.length)).toEqual(errors)
    if (note !== undefined) expect(said('note')).toContain(note)
  })
})
