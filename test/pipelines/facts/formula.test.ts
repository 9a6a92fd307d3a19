import {describe, expect, test} from 'vitest'
import {formulas} from '../../../pipelines/facts/formula.ts'
import {kernelOf} from '../../helpers/told-parts.ts'

const before =
  'LocalTensor<float> x = xQueue.DeQue<float>(); LocalTensor<float> w = wQueue.DeQue<float>(); ' +
  'LocalTensor<float> y = yQueue.AllocTensor<float>();'

/** A kernel that copies `x` and `w` in and `y` out, with the given statements between. */
async function formulasOf(body: string, more = '') {
  const moveIn = (name: string) =>
    `LocalTensor<float> ${name} = ${name}Queue.AllocTensor<float>(); DataCopy(${name}, ${name}Gm[at], n); ` +
    `${name}Queue.EnQue(${name});`
  return formulas(
    await kernelOf(`class Fold {
public:
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR w, GM_ADDR y) {
    xGm.SetGlobalBuffer((__gm__ float*)x); wGm.SetGlobalBuffer((__gm__ float*)w); yGm.SetGlobalBuffer((__gm__ float*)y);
  }
  __aicore__ inline void CopyIn(int at) { ${moveIn('x')} ${moveIn('w')} }
  __aicore__ inline void Compute(int n) { ${before} ${body} yQueue.EnQue(y); xQueue.FreeTensor(x); }
  __aicore__ inline void CopyOut(int at) {
    LocalTensor<float> y = yQueue.DeQue<float>(); DataCopy(yGm[at], y, n); yQueue.FreeTensor(y);
  }
  ${more}
private:
  TQue<QuePosition::VECIN, 1> xQueue, wQueue;
  TQue<QuePosition::VECOUT, 1> yQueue;
  GlobalTensor<float> xGm, wGm, yGm;
};`),
  )
}
const y = (expression: string) => [{output: 'y', expression}]

describe('the formula of an output', () => {
  test.each([
    ['of two tensors', 'Add(y, x, w, n);', 'x + w'],
    ['of a number', 'Muls(y, x, 2.0f, n);', 'x * 2.0'],
    [
      'of two calls, in brackets where more follows',
      'Exp(y, x, n); Exp(w, w, n); Sub(y, y, w, n); Muls(y, y, 0.5f, n);',
      '(exp(x) - exp(w)) * 0.5',
    ],
    ['of a cast number', 'Muls(y, x, static_cast<float>(scale), n);', 'x * scale'],
    ['of a number of a plain cast', 'Adds(y, x, (float)1, n);', 'x + 1'],
    ['of a negative number', 'Adds(y, x, -1, n);', 'x + -1'],
    ['of an expression', 'Adds(y, x, a + b, n);', 'x + (a + b)'],
    ['of several steps', 'Add(y, x, w, n); Mul(y, y, x, n);', '(x + w) * x'],
    ['of a function', 'Exp(y, x, n); Adds(y, y, 1, n);', 'exp(x) + 1'],
    ['of a name space', 'AscendC::Add(y, x, w, n);', 'x + w'],
    ['of a part of a tile', 'Add(y[0], x[8], w, n);', 'x + w'],
    ['into what is there already', 'Adds(y, x, 1, n); Axpy(y, w, 2, n);', '(x + 1) + w * 2'],
  ])('%s', async (_, body, expression) => {
    expect(await formulasOf(body)).toEqual(y(expression))
  })

  test.each([
    ['what is only copied', 'Adds(z, x, 1, n);'],
    ['a branch', 'if (n > 1) { Add(y, x, w, n); }'],
    ['a loop', 'for (int i = 0; i < n; i++) { Add(y, x, w, n); }'],
    ['a tensor of unknown content', 'Add(y, x, other, n);'],
    ['a call that is not understood', 'Change(x); Add(y, x, w, n);'],
    ['an instruction without a formula', 'Sort32(y, x, w, n);'],
  ])('is unknown of %s', async (_, body) => {
    expect(await formulasOf(body)).toEqual([])
  })

  test('is unknown where one function computes by another', async () => {
    const helper = '__aicore__ inline void ComputePart(int n) { Adds(z, z, 1, n); }'
    expect(await formulasOf('ComputePart(n); Add(y, x, w, n);', helper)).toEqual([])
    expect(await formulasOf('Add(y, x, w, n);', '__aicore__ inline void Help(int n) { Log(n); }')).toEqual(y('x + w'))
  })

  test.each([
    [120, true],
    [121, false],
  ])('has 120 characters at most: %i', async (length, isTold) => {
    const name = 's'.repeat(length - 'x * '.length)
    expect(await formulasOf(`Muls(y, x, ${name}, n);`)).toEqual(isTold ? y(`x * ${name}`) : [])
  })
})
