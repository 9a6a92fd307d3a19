import {describe, expect, test} from 'vitest'
import {productSupport, products} from '../../../sources/docs/support.ts'
import {withoutUnsupportedForms} from '../../../sources/docs/convert.ts'

const product = products['910b']!

describe('forms that a page denies to the product under a heading of their own', () => {
  const support = (config: string) =>
    `# Div\n\n## 产品支持情况\n\n### 不传入config的原型\n\n- Atlas A2 训练系列产品：支持\n\n### 传入config的原型\n\n- Atlas A2 训练系列产品：${config}\n`
  const forms =
    '## 函数原型\n\n- 不传入config的原型\n\n  `void Div();`\n\n- 传入config的原型\n\n  ```cpp\n  void Div(int config);\n  ```\n\n## 约束说明\n\n无'

  test('are left out with all that stands under them, up to the next item or heading', () => {
    const left = withoutUnsupportedForms(`${support('不支持')}\n${forms}`, product)
    expect(left).toContain('void Div();')
    expect(left).not.toContain('int config')
    expect(left).toContain('## 约束说明')
  })

  test('stay where nothing is said of the product', () => {
    const silent = support('不支持').replace('- Atlas A2 训练系列产品：不支持', '- Atlas A3 训练系列产品：不支持')
    expect(withoutUnsupportedForms(`${silent}\n${forms}`, product)).toBe(`${silent}\n${forms}`)
  })

  test('stay where the page grants them, or says nothing of forms', () => {
    for (const page of [`${support('支持')}\n${forms}`, forms])
      expect(withoutUnsupportedForms(page, product)).toBe(page)
  })
})

test('an interface without effect on the product is not supported by it', () => {
  const page = (said: string) => `# Next\n\n## 产品支持情况\n\n- Atlas A2 训练系列产品/Atlas A2 推理系列产品：${said}\n`
  expect(productSupport(page('支持'), product)).toBe('supported')
  expect(productSupport(page('支持，但不生效'), product)).toBe('unsupported')
})
