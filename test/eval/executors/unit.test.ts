import {describe, expect, test} from 'vitest'
import {fixtureProgram} from '../../helpers/operators.ts'
import {realExecutor, usesClang} from '../../helpers/real-executor.ts'

describe('a unit', () => {
  const unit = async (text: string, tiling = '') =>
    (await realExecutor()).compile({side: 'kernel', text, tiling, dtypes: {}})

  test('compiles with its tiling blocks and without a definition', async () => {
    const text =
      '#include "kernel_operator.h"\nextern "C" __global__ __aicore__ void k(GM_ADDR x, GM_ADDR t) { GET_TILING_DATA(d, t); DTYPE_X v = 0; uint32_t n = d.inner.n; }'
    const tiling =
      'BEGIN_TILING_DATA_DEF(Inner)\nTILING_DATA_FIELD_DEF(uint32_t, n);\nEND_TILING_DATA_DEF;\nBEGIN_TILING_DATA_DEF(Outer)\nTILING_DATA_FIELD_DEF_STRUCT(Inner, inner);\nEND_TILING_DATA_DEF;'
    expect((await unit(text, tiling)).outcome).toBe('compiled')
    expect((await unit(text)).outcome).toBe('compile-failed')
  })

  test('of the host side compiles against the host API', async () => {
    const {files} = fixtureProgram('add', 'AddDemo', {x: 'float32', y: 'float32', z: 'float32'})
    const text = files
      .filter(({path}) => path.startsWith('op_host/'))
      .map(({text}) => text)
      .reverse()
      .join('\n')
      .replace('#include "add_demo_tiling.h"', '')
    expect((await (await realExecutor()).compile({side: 'host', text, tiling: '', dtypes: {}})).outcome).toBe(
      'compiled',
    )
  })

  test('with the wrong dtype overload gives the sentences of the device compiler', async () => {
    const verdict = await unit(
      '#include "kernel_operator.h"\nusing namespace AscendC;\nvoid f(LocalTensor<int32_t> zLocal, LocalTensor<float> workLocal)\n{\n  AscendC::Add(zLocal, zLocal, workLocal, 1);\n}\n',
    )
    if (verdict.outcome !== 'compile-failed') throw new Error(verdict.outcome)
    expect(verdict.diagnostics[0]).toMatchObject({
      severity: 'error',
      file: 'kernel.cpp',
      line: 5,
      message: expect.stringMatching(/^no matching function for call to 'Add/),
    })
    expect(
      verdict.diagnostics.some(
        ({severity, message}) => severity === 'note' && /deduced conflicting types/.test(message),
      ),
    ).toBe(true)
  })

  test('with communication between devices compiles, and not with arguments that it does not take', async () => {
    const kernel = (call: string) =>
      `#include "kernel_operator.h"\nusing namespace AscendC;\n__aicore__ inline void f(GM_ADDR x, const void* t) {\n  Hccl<HCCL_SERVER_TYPE_AICPU> hccl;\n  hccl.InitV2(GetHcclContext<HCCL_GROUP_ID_0>(), t);\n  HcclHandle one = hccl.${call};\n  hccl.Wait(one);\n}\n`
    expect((await unit(kernel('AllReduce<true>(x, x, 8, HCCL_DATA_TYPE_FP16, HCCL_REDUCE_SUM)'))).outcome).toBe(
      'compiled',
    )
    expect((await unit(kernel('AllReduce<true>(x, x, 8, HCCL_REDUCE_SUM)'))).outcome).toBe('compile-failed')
  })

  test('leaves a structure out that the kernel defines itself, with what holds it', async () => {
    const block = (name: string, field: string) => `BEGIN_TILING_DATA_DEF(${name})\n${field};\nEND_TILING_DATA_DEF;\n`
    const tiling =
      block('Inner', 'TILING_DATA_FIELD_DEF(uint32_t, n)') +
      block('Outer', 'TILING_DATA_FIELD_DEF_STRUCT(Inner, inner)')
    const own =
      'class Inner {\n public:\n  uint32_t n;\n  __aicore__ void reset() {}\n};\nstruct Outer { Inner inner; };\n'
    const use = '__aicore__ inline void f(Outer& o) { o.inner.reset(); }\n'
    expect((await unit(`#include "kernel_operator.h"\n${own}${use}`, tiling)).outcome).toBe('compiled')
    expect((await unit(`#include "kernel_operator.h"\n${use}`, tiling)).outcome).toBe('compile-failed')
  })

  test('may keep the compiler from moving code, and has no instructions of other processors', async () => {
    const withStatement = (statement: string) =>
      unit(`__aicore__ inline void f(int& x) { x = 1; ${statement} x = 2; }\n`)
    for (const barrier of ['__asm__ __volatile__("");', 'asm volatile("" ::: "memory");'])
      expect((await withStatement(barrier)).outcome, barrier).toBe('compiled')
    // Only a clang compiles kernels as code of a device.
    for (const other of usesClang ? ['__asm__("NOP");', 'asm volatile("" : "+r"(x));'] : [])
      expect((await withStatement(other)).outcome, other).toBe('compile-failed')
  })

  test('of the host side finds functions of <cmath> behind that header alone, as with the headers of the SDK', async () => {
    const host = async (before: string) => {
      const text = `#include "register/op_def_registry.h"\n#include "tiling/tiling_api.h"\n${before}\nfloat f(float x) { return sqrt(x) + std::ceil(x); }\n`
      return (await realExecutor()).compile({side: 'host', text, tiling: '', dtypes: {}})
    }
    expect(await host('#include <cmath>')).toMatchObject({outcome: 'compiled'})
    expect(await host('')).toMatchObject({outcome: 'compile-failed'})
  })

  test('of the host side needs the namespace of a tiling structure, and is told it', async () => {
    const text = '#include "tiling/tiling_api.h"\nLogSoftMaxTiling t;\n'
    const verdict = await (await realExecutor()).compile({side: 'host', text, tiling: '', dtypes: {}})
    expect(verdict).toMatchObject({outcome: 'compile-failed'})
    if (usesClang) expect(JSON.stringify(verdict)).toContain("did you mean 'optiling::LogSoftMaxTiling'?")
  })

  test('that includes a header from outside of the twin is not covered, one with an absolute path has failed', async () => {
    expect(await unit('#include "op_common/vec.h"\n')).toMatchObject({
      outcome: 'not-covered',
      missing: ['op_common/vec.h'],
    })
    expect(await unit('#include "/etc/passwd"\n')).toMatchObject({outcome: 'compile-failed'})
  })
})
