import {expect, test} from 'vitest'
import {purposeOf} from '../../../sources/kernels/purpose.ts'

const readme = (section: string) =>
  `# Twice\n\n## 产品支持情况\n\n| A2 | √ |\n\n## 功能说明\n\n${section}\n\n## 参数说明\n\n无关。\n`

test('function and formula stand in the section on the function', () => {
  const section = '- 算子功能：把输入加倍。\n- 计算公式：\n\n  $$\n  y_i =\n  2 x_i\n  $$\n\n- 示例：\n  $x=1$ 得 2。'
  expect(purposeOf(readme(section))).toEqual({text: '把输入加倍。', formulas: ['y_i = 2 x_i']})
})

test('a label may stand alone, and a title in English', () => {
  expect(purposeOf(readme('- 功能描述\n\n  把输入加倍。'))?.text).toBe('把输入加倍。')
  expect(purposeOf('# Twice\n## Description\n\nDoubles its input.\n\nMore about it.\n')).toEqual({
    text: 'Doubles its input.',
    formulas: [],
  })
})

test('what announces something is nothing without it', () => {
  expect(purposeOf(readme('把输入加倍，计算公式为：\n\n$$y = 2x$$'))).toEqual({
    text: '把输入加倍',
    formulas: ['y = 2x'],
  })
})

test('steps are told all or none, and the length of an axis is no value', () => {
  const steps = Array.from({length: 40}, (_, index) => `$$ a_{${index}} = b_{${index}} + c_{${index}} $$`).join('\n\n')
  expect(purposeOf(readme(`加。\n\n${steps}`))?.formulas).toEqual([])
  expect(purposeOf(readme('池化。\n\n$$H_{out} = H_{in} / 2$$\n\n$$y = max(x)$$'))?.formulas).toEqual(['y = max(x)'])
})

test('tables, and a README without such a section, say nothing', () => {
  expect(purposeOf(readme('| a | b |\n|---|---|'))).toBeUndefined()
  expect(purposeOf('# Twice\n\n本目录仅包含接口。\n')).toBeUndefined()
})
