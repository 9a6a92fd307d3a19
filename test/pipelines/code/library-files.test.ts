import {describe, expect, test} from 'vitest'
import {isEmpty} from '../../../pipelines/facts/source-facts.ts'
import {told, toldOf} from '../../helpers/told-file.ts'

describe('library files', () => {
  const device = `
    template <typename T>
    __aicore__ inline void TwiceImpl(const LocalTensor<T>& dst, const LocalTensor<T>& src,
                                     const LocalTensor<uint8_t>& sharedTmpBuffer, uint32_t count) {
      if ASCEND_IS_AIC {
        return;
      }
      LocalTensor<float> tmp = sharedTmpBuffer.ReinterpretCast<float>();
      LocalTensor<float> half1 = tmp[count];
      uint32_t rows = Ceil(count, 8);
      SetMaskCount();
      Adds(half1, src, 1.0f, count);
      PipeBarrier<PIPE_V>();
      Muls(dst, half1, 2.0f, count);
      SetMaskNorm();
    }
    __aicore__ inline void Guard() { if ASCEND_IS_AIC { return; } first = 1; }`

  test('of the device tell contract, working memory, instructions, masks', async () => {
    const {reasoning} = await toldOf({role: 'library', side: 'kernel', target: {path: 'a.h', text: device}})
    expect(reasoning).toContain(
      'the result goes to `dst`; the operands are `src`; working memory comes from the caller',
    )
    expect(reasoning).toContain('`half1 = tmp[count]`')
    expect(reasoning).toContain('(src + 1) * 2')
    expect(reasoning).toContain('`PipeBarrier<PIPE_V>`')
    expect(reasoning).not.toContain('rounds up')
    expect(reasoning).toContain('`SetMaskCount` and `SetMaskNorm`')
    expect(reasoning).toContain('where `ASCEND_IS_AIC` holds: it returns; after that: `first = 1`')
  })

  const library = (text: string, path = 'impl/adv_api/detail/math/twice/a.h', file = 'a.h') =>
    toldOf({
      role: 'library',
      side: 'kernel',
      operator: 'Layernormgrad',
      origin: {repository: 'r', revision: 'a', path, licence: 'MIT'},
      target: {path: file, text},
    })

  test('tell of a constant reference that is written, and of tensors of unknown use no more than that', async () => {
    const {reasoning} = await library(`template <typename T, bool isReuse = false>
      __aicore__ inline void Poly(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<T>& sums,
                                  const uint32_t shape[]) {
        Mul(src, src, sums, 64);
        Adds(dst, src, 1.0f, 64);
      }`)
    expect(reasoning).toContain('the result goes to `dst`; `src` is overwritten on the way')
    expect(reasoning).toContain('it also takes `sums`')
    expect(reasoning).not.toContain('operands')
    expect(reasoning).toContain('const uint32_t shape[])')
    expect(reasoning).toContain('by template parameters: `typename T` and `bool isReuse = false` of `Poly`')
  })

  test('tell of what is copied over, of the forms that take the stack, and nothing of unknown tensors', async () => {
    const tensors = 'const LocalTensor<T>& dst, const LocalTensor<T>& src'
    const copied = await library(`template <typename T>
      __aicore__ inline void Poly(${tensors}) { DataCopy(src, dst, 64); Adds(dst, src, 1.0f, 64); }`)
    expect(copied.reasoning).toContain('the result goes to `dst`; `src` is overwritten on the way')
    const forms = await library(`template <typename T>
      __aicore__ inline void Poly(${tensors}, uint32_t count) { Adds(dst, src, 1.0f, count); }
      template <typename T>
      __aicore__ inline void Poly(${tensors}) { LocalTensor<T> tmp; PopStackBuffer<T>(tmp); Poly(dst, src, 64); }`)
    expect(forms.reasoning).toContain('Of the 2 forms of `Poly`, 1 gets working memory from the stack')
    const unknown = await library(`template <typename T>
      __aicore__ inline void Poly(const LocalTensor<T>& a, const LocalTensor<T>& b) { Adds(a, b, 1.0f, 64); }`)
    expect(unknown.reasoning).not.toContain('it also takes')
  })

  test('are told once where functions share a name, and matrix code not as vector code', async () => {
    const form = (type: string) =>
      `__aicore__ inline void Half(const LocalTensor<${type}>& dst) { if (ready) { first = 1; } Adds(dst, dst, 1, 8); }`
    const {reasoning} = await library(`${form('half')}\n${form('float')}`)
    expect(reasoning).not.toContain('The control flow')
    const matrix = await library('__aicore__ inline void All() { while (Iterate()) { GetTensorC(gm); } }')
    expect(matrix.reasoning).not.toMatch(/vector unit|tile/)
    expect(matrix.reasoning).toContain('`GetTensorC(gm)`')
  })

  test('are named after what they belong to', async () => {
    const text = '__aicore__ inline void LayerNormGradImpl() { LayerNormGrad(); }\nvoid LayerNormGrad();'
    expect((await library(text)).request).toContain('the high-level Ascend C API `LayerNormGrad`')
    expect((await library(text, 'impl/adv_api/detail/api_check/a.h')).request).toContain('argument checks of')
    const sine = '__aicore__ inline void Sin() { SinImpl(); }'
    expect((await library(sine, 'include/adv_api/math/sin.h', 'sin_common.h')).request).toContain('API `Sin`')
    expect((await library(text, 'impl/adv_api/detail/matmul/stage/a.h')).request).toContain('API `Matmul`')
  })

  test('that check arguments are not told to compute a result', async () => {
    const text = '__aicore__ inline void Verify(const LocalTensor<half>& dstTensor) { Check(dstTensor); }'
    const {reasoning} = await library(text, 'impl/adv_api/detail/api_check/a.h')
    expect(reasoning).toContain('It computes nothing')
    expect(reasoning).not.toMatch(/the result goes to|already lie on the core/)
  })

  test('of which every function is empty tell nothing', async () => {
    const empty = 'class Check { public: __aicore__ inline Check() {}; __aicore__ inline void Verify(int n) {}; };'
    expect(isEmpty((await library(empty)).described)).toBe(true)
    expect(isEmpty((await library(empty.replace('(int n) {}', '(int n) { Assert(n); }'))).described)).toBe(false)
  })

  test('of the host tell how sizes are computed', async () => {
    const {reasoning} = await told(
      'library',
      'uint32_t GetTwiceMaxTmpSize(uint32_t n, uint32_t typeSize) {\n  ASCENDC_HOST_ASSERT(n > 0, ' +
        'return 0, "n");\n  uint32_t maxSize = n * typeSize * 2;\n  return maxSize;\n}',
    )
    expect(reasoning).toContain('`GetTwiceMaxTmpSize` computes `maxSize = n * typeSize * 2`')
    expect(reasoning).toContain('unless `n > 0` holds, it returns `0`')
  })

  test('keep calls of member templates, and returns of checks as they are', async () => {
    const {reasoning} = await library(`
      // Rounds up; if y is 0, return x itself
      __aicore__ inline void Load(int position, int y) {
        auto l1 = MODULE(Buffer)->AllocTensor(position);
        MODULE(Copy)->template CopyTile<false>(l1, y);
        MODULE(Buffer)->EnQue(l1);
        MODULE(Buffer)->FreeTensor(l1);
      }
      inline void Sizes(int size) {
        ASCENDC_HOST_ASSERT(size > 0, return, "no size");
        total = size * 2;
      }`)
    expect(reasoning).toMatch(/AllocTensor\(position\)`, then `MODULE\(Copy\)->CopyTile<false>\(l1, y\)`, then/)
    expect(reasoning).toContain('unless `size > 0` holds, it returns, then `total = size * 2`')
    expect(reasoning).not.toContain('the queue runs out')
  })

  test('ask for a function as its comment says', async () => {
    const {request} = await library(`// Gives the quotient; if y is 0, return x itself
      inline int Divide(int x, int y) { return y == 0 ? x : x / y; }`)
    expect(request).toContain('if y is 0, return x itself')
  })

  test('ask for what nobody in the file calls, also where a class has a detail of the same name', async () => {
    const {request} = await library(`
      class Base { __aicore__ inline void Verify(int inner) { if (inner) { Print(inner); } }
        __aicore__ inline void Print(int inner) { count = inner; }
        public: __aicore__ inline void CheckAll(int inner) { Verify(inner); } };
      class Top : public Base { public: __aicore__ inline void Verify(int outer) { Base::CheckAll(outer); } };`)
    expect(request).toContain('It provides `Verify(int outer)`.')
  })

  test('tell forms of one name by their parameters', async () => {
    const {reasoning} = await library(`inline int Least(int a, long b) { return a; }
      inline int Least(long a, int b) { return b; }`)
    expect(reasoning).toContain('In `Least(int a, long b)`: it returns `a`. In `Least(long a, int b)`: it returns `b`.')
  })
})
