import {describe, expect, test} from 'vitest'
import {operatorIdentity, type OperatorTrait} from '../../datasets/contamination/operator-identity.ts'

const references = ['LayerNormGrad', 'Softplus', 'Exp', 'mean_reduction_over_a_dimension'].map((operator) => ({
  name: operator,
  operator,
  texts: [],
}))
const entry = (name: string) => `extern "C" __global__ __aicore__ void ${name}(GM_ADDR x) { Mine(x); }`
const identify = operatorIdentity(references, ['request'], ['Exp', 'DataCopy'])
const asked = (prompt: string, reply = entry('run_it')) => identify({prompt, replies: [reply], files: []})?.reference

describe('a prompt asks for an operator', () => {
  test.each([
    ['Write the LayerNormGrad operator.', 'LayerNormGrad'],
    ['Please code LayerNormGrad by hand, with TPipe and TQue.', 'LayerNormGrad'],
    ['We need a fast layer_norm_grad.', 'LayerNormGrad'],
    ['Give us a complete layer norm grad implementation for AI Core.', 'LayerNormGrad'],
    ['LAYER_NORM_GRAD: op_host and op_kernel, please.', 'LayerNormGrad'],
    ['请用 Ascend C 实现 LayerNormGrad，支持动态 shape。', 'LayerNormGrad'],
    ['帮我写一个layer_norm_grad的昇腾算子', 'LayerNormGrad'],
    ['算子名为 LayerNormGradCustom，输入两个张量。', 'LayerNormGrad'],
    ['Implement aclnnLayerNormGrad.', 'LayerNormGrad'],
    ['Our model spends its time in layer norm grad. Give me a fused kernel.', 'LayerNormGrad'],
    ["Port torch's softplus to the NPU.", 'Softplus'],
    ['Port torch.nn.functional.softplus to the NPU.', 'Softplus'],
    ['softplus: op_host and op_kernel.', 'Softplus'],
    ['Write a kernel for `Softplus`.', 'Softplus'],
    ['编写 Softplus 算子', 'Softplus'],
    ['Write the kernel of the Exp operator.', 'Exp'],
    ['I want mean reduction over a dimension on an Ascend 910B.', 'mean_reduction_over_a_dimension'],
  ])('%s', (prompt, operator) => {
    expect(asked(prompt)).toBe(operator)
  })

  test.each([
    ['names it for comparison', 'Write the GeluMul operator, which is smoother than softplus and cheaper.'],
    ['names it in another sentence', 'It follows a softplus layer. Write the kernel of GeluMul.'],
    ['asks for an interface', 'Write the Exp interface call for a tile of 256 elements.'],
    ['asks for an interface in Chinese', '写Exp接口的调用示例。'],
    ['has a longer name', 'Write the LayerNormGradV2Fused operator.'],
    ['has a name in its code alone', 'Write this:\n```cpp\nvoid f() { Softplus(a); }\n```\n'],
  ])('not where it %s', (_, prompt) => {
    expect(asked(prompt)).toBeUndefined()
  })

  test('anywhere, where the code bears its name', () => {
    const prompt = 'It follows a softplus layer. Write its kernel.'
    expect(asked(prompt, entry('softplus_custom'))).toBe('Softplus')
    expect(asked(prompt, entry('gelu_custom'))).toBeUndefined()
    expect(asked('Write the kernel.', entry('softplus_custom'))).toBeUndefined()
  })

  test('and the reply is code of one', () => {
    const prompt = 'Write the Softplus operator.'
    for (const reply of [
      'class K { __aicore__ inline void Process() {} };',
      'OP_ADD(Other);',
      'IMPL_OP_INFERSHAPE(Other);',
      'BEGIN_TILING_DATA_DEF(T)',
      'aclnnStatus aclnnOther(int x);',
    ])
      expect(asked(prompt, reply), reply).toBe('Softplus')
    expect(asked(prompt, 'It is $\\ln(1 + e^x)$, smooth everywhere.')).toBeUndefined()
    expect(identify({prompt, replies: [], files: [{path: 'a.cpp', text: entry('f')}]})?.by).toBe('request')
  })
})

describe('a word that may be any word', () => {
  const softplus = (prompt: string) => asked(prompt) === 'Softplus'

  test.each([
    ['It follows a softplus operator.', true],
    ['It follows a softplus for the kernel.', true],
    ['It follows a softplus (for the kernel).', true],
    ['It follows a softplus for my custom kernel.', false],
    ['It follows a softplus layer of kernel code.', false],
    ['It follows softplus kernels.', true],
    // Beside the word for one; a verb is looked for further off where the name is no plain word.
    ['Write softplus.', true],
    ['Write the fast custom softplus.', true],
    ['Write what smooth layers of softplus do.', false],
    ['Write what smooth layers of SOFTPLUS do.', true],
    ['Write what smooth layers of soft_plus do.', true],
    ['Write what smooth layers of soft plus do.', true],
    ['Write what smooth layers of Softplus do.', false],
  ])('%s %s', (prompt, is) => {
    expect(softplus(prompt)).toBe(is)
  })

  test('five words between a verb and a name are too many, and forty are a short request', () => {
    const with_ = (between: string, more: number) =>
      softplus(`Write ${between} soft_plus ${Array.from({length: more}, () => 'word').join(' ')}`)
    expect(with_('one two three', 60)).toBe(true)
    expect(with_('one two three four', 60)).toBe(false)
    expect(with_('one two three four', 34)).toBe(true)
    expect(with_('one two three four', 35)).toBe(false)
  })
})

describe('a formula', () => {
  const found = (traits: OperatorTrait[], texts: string[], prompt: string) =>
    operatorIdentity([{name: 'r', texts}], traits)({prompt, replies: [], files: []}) !== undefined

  test.each([
    ['of six characters tells', '$y = a+bcde$', '$z = a + bcde$', true],
    ['of five does not', '$y = a+bcd$', '$z = a + bcd$', false],
    ['is told by its right side', '$y = a+bcde$', '$y = a-bcde$', false],
    ['may have other signs for times', '$y = a\\cdot bcde$', '\\[y = a \\times bcde\\]', true],
    ['may stand in letters of another kind', '$$y = \\mathrm{exp}(abc)$$', '\\(q=exp(abc)\\)', true],
  ])('%s', (_, own, asks, isFound) => {
    expect(found(['formula'], [own], asks)).toBe(isFound)
  })

  test.each([
    ['DT_FLOAT', 'float32', true],
    ['DT_BF16', 'bfloat16', true],
    ['DT_INT32', 'int32', true],
    ['DT_UINT8', 'int8', false],
    ['DT_FLOAT16', 'float32', false],
  ])('of %s and one of %s are one operator: %s', (own, asks, isFound) => {
    expect(found(['formula', 'dtype'], ['$y = a+bcde$', own], `$y = a+bcde$ for ${asks}`)).toBe(isFound)
  })
})
