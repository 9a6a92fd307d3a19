import {describe, expect, test} from 'vitest'
import {kernelOf} from '../../helpers/told-parts.ts'

const kernelWith = (methods: string) => `#include "kernel_operator.h"
using namespace AscendC;
class Fold {
public:
    ${methods}
private:
    TPipe pipe;
    TQue<QuePosition::VECIN, 1> in;
    TQue<QuePosition::VECOUT, 1> out;
    GlobalTensor<float> xGm;
    GlobalTensor<float> yGm;
};
extern "C" __global__ __aicore__ void fold(GM_ADDR x, GM_ADDR y) { Fold op; }
`
const bodies = {
  nothing: 'int a = 0;',
  in: 'LocalTensor<float> x = in.AllocTensor<float>(); DataCopy(x, xGm[at], 64); in.EnQue(x);',
  out: 'LocalTensor<float> y = out.DeQue<float>(); DataCopy(yGm[at], y, 64); out.FreeTensor(y);',
  adds: [
    'LocalTensor<float> x = in.DeQue<float>();',
    'LocalTensor<float> y = out.AllocTensor<float>();',
    'Adds(y, x, 1.0f, 64);',
  ].join(' '),
}

async function roleOf(name: string, ...parts: (keyof typeof bodies)[]): Promise<string | undefined> {
  const method = `__aicore__ inline void ${name}(uint32_t at) { ${parts.map((part) => bodies[part]).join('\n')} }`
  const {methods} = await kernelOf(kernelWith(method))
  return methods.find(({syntax}) => syntax.name === name)?.role
}

describe('the role of a method', () => {
  test.each([
    ['Init', ['nothing'], 'init'],
    ['InitValue', ['nothing'], 'other'],
    ['Process', ['adds'], 'process'],
    ['CopyIn', ['nothing'], 'copy-in'],
    ['copy_in', ['nothing'], 'copy-in'],
    ['LoadTile', ['nothing'], 'copy-in'],
    ['Fetch', ['in'], 'copy-in'],
    ['CopyOut', ['out'], 'copy-out'],
    ['StoreTile', ['nothing'], 'other'],
    ['StoreTile', ['in', 'out'], 'copy-out'],
    ['Finish', ['out'], 'copy-out'],
    ['Finish', ['in', 'out'], 'other'],
    ['Compute', ['nothing'], 'compute'],
    ['CalcSum', ['nothing'], 'compute'],
    ['Step', ['adds'], 'compute'],
    ['Step', ['nothing'], 'other'],
  ] as const)('%s that does %j is %s', async (name, parts, role) => {
    expect(await roleOf(name, ...parts)).toBe(role)
  })

  test('of a function that is launched is the entry', async () => {
    const {methods} = await kernelOf(kernelWith(''))
    expect(methods.find(({syntax}) => syntax.name === 'fold')?.role).toBe('entry')
  })
})
