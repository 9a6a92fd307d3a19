import {describe, expect, test} from 'vitest'
import {isEmpty} from '../../../pipelines/facts/source-facts.ts'
import {toldOf} from '../../helpers/told-file.ts'

describe('library files', () => {
  const library = (text: string, path = 'impl/adv_api/detail/math/twice/a.h', file = 'a.h') =>
    toldOf({
      role: 'library',
      side: 'kernel',
      operator: 'Layernormgrad',
      origin: {repository: 'r', revision: 'a', path, licence: 'MIT'},
      target: {path: file, text},
    })

  test('are named after what they belong to', async () => {
    const text = '__aicore__ inline void LayerNormGradImpl() { LayerNormGrad(); }\nvoid LayerNormGrad();'
    expect((await library(text)).request).toContain('the high-level Ascend C API `LayerNormGrad`')
    expect((await library(text, 'impl/adv_api/detail/api_check/a.h')).request).toContain('argument checks of')
    const sine = '__aicore__ inline void Sin() { SinImpl(); }'
    expect((await library(sine, 'include/adv_api/math/sin.h', 'sin_common.h')).request).toContain('API `Sin`')
    expect((await library(text, 'impl/adv_api/detail/matmul/stage/a.h')).request).toContain('API `Matmul`')
  })

  test('of which every function is empty tell nothing', async () => {
    const empty = 'class Check { public: __aicore__ inline Check() {}; __aicore__ inline void Verify(int n) {}; };'
    expect(isEmpty((await library(empty)).described)).toBe(true)
    expect(isEmpty((await library(empty.replace('(int n) {}', '(int n) { Assert(n); }'))).described)).toBe(false)
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
})
