import {expect, test} from 'vitest'
import {realExecutor, usesClang} from '../../helpers/real-executor.ts'

async function compile(pieces: readonly string[], before: readonly string[] = []) {
  const text = [...before, '#include "kernel_operator.h"', 'using namespace AscendC;', ...pieces].join('\n')
  return (await realExecutor()).compile({side: 'kernel', text, tiling: '', dtypes: {}})
}

test.each(['math.h', 'stdlib.h', 'cmath', 'cstdlib'])(
  'sqrt, abs, min and max are the device’s own behind %s',
  async (name) => {
    const code = '__aicore__ float a(float x, int n) { return sqrt(x) + abs(x) + abs(n) + min(n, 2) + max(x, 2.0f); }'
    expect(await compile([code], [`#include "${name}"`])).toMatchObject({outcome: 'compiled'})
  },
)

test('InitBuffer of a TBuf with a number fails in the words of the SDK (kernel_tpipe_impl.h:249)', async () => {
  const code = '__aicore__ void a(TPipe& p, TBuf<TPosition::VECCALC>& b) { p.InitBuffer(b, 2, 64); }'
  const sentence = 'TPipe::InitBuffer(T& que, uint8_t num, uint32_t len) not supports T as TBuf'
  const verdict = await compile([code])
  if (verdict.outcome !== 'compile-failed') throw new Error(verdict.outcome)
  expect(verdict.diagnostics[0]).toMatchObject({file: 'kernel_tpipe.h', message: expect.stringContaining(sentence)})
})

const misspelled: [string, string, RegExp][] = [
  ['a member', 'void a(LocalTensor<float>& t) { t.GetPhysicalAddr(); }', /did you mean 'GetPhyAddr'\?$/],
  [
    'a function',
    'void a(LocalTensor<float>& t) { AscendC::Fill(t, 0.0f, 8); }',
    /^no matching function for call to 'Fill'/,
  ],
]
test.skipIf(!usesClang).each(misspelled)(
  '%s that is misspelled gets the hint of a build without precompiled headers',
  async (_, code, hint) => {
    const verdict = await compile([`__aicore__ ${code}`])
    if (verdict.outcome !== 'compile-failed') throw new Error(verdict.outcome)
    expect(verdict.diagnostics[0]?.message).toMatch(hint)
  },
)

test('no name of the twin is in what the compiler says', async () => {
  const codes = [
    '__aicore__ void a(GlobalTensor<float>& t, LocalTensor<float> u) { t = u + u; }',
    '__aicore__ void a(LocalTensor<float> u) { half* h = u(0); }',
    '__aicore__ void a(LocalTensor<int8_t> u) { Add(u, u, u, 8); Exp(u, u, 8); LogSoftMax(u, u, u, u); }',
    '__aicore__ void a(GM_ADDR t) { GET_TILING_DATA(d, t); }',
    '__aicore__ void a(__ubuf__ half* p, LocalTensor<half> u) { p[0] = u; }',
    '__aicore__ void a(TPipe& p) { p = 3; p.InitBuffer(p, 1, 2); DataCopy(p, p, 3); }',
  ]
  for (const code of codes) {
    const verdict = await compile([code])
    if (verdict.outcome !== 'compile-failed') throw new Error(`${code}: ${verdict.outcome}`)
    expect(JSON.stringify([verdict.diagnostics, verdict.log])).not.toMatch(/twin/i)
  }
})
