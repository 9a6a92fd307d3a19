import {describe, expect, test} from 'vitest'
import {briefOf, purposeOf} from '../../../sources/kernels/documented.ts'

const readme = (section: string) =>
  `# Twice\n\n## 产品支持情况\n\n| A2 | √ |\n\n## 功能说明\n\n${section}\n\n## 参数说明\n\n无关。\n`

test('function and formula stand in the section on the function', () => {
  const section = '- 算子功能：把输入加倍。\n- 计算公式：\n\n  $$\n  y_i =\n  2 x_i\n  $$\n\n- 示例：\n  $x=1$ 得 2。'
  expect(purposeOf(readme(section))).toEqual({text: '把输入加倍。', formulas: ['y_i = 2 x_i']})
})

test('links into the repository leave their words', () => {
  const section = '[Twice](../twice/README.md)的反向计算，见[说明](https://host/a)。'
  expect(purposeOf(readme(section))?.text).toBe('Twice的反向计算，见[说明](https://host/a)。')
})

test('a label may stand alone, and a title in English', () => {
  expect(purposeOf(readme('- 功能描述\n\n  把输入加倍。'))?.text).toBe('把输入加倍。')
  expect(purposeOf('# Twice\n## Description\n\nDoubles its input.\n\nMore about it.\n')).toEqual({
    text: 'Doubles its input.',
    formulas: [],
  })
})

test('where one value has several formulas, each is given with the words before it', () => {
  const when = (mode: boolean, formula: string) => `  - 当exact_mode=${mode}时：\n\n    $$\n    ${formula}\n    $$\n\n`
  const page = readme(`取最近的点。\n\n- 计算公式：\n\n${when(true, 'h = d + 1')}${when(false, 'h = d')}`)
  expect(purposeOf(page)?.formulas).toEqual([
    String.raw`\text{当exact\_mode=true时：} h = d + 1`,
    String.raw`\text{当exact\_mode=false时：} h = d`,
  ])
  const steps = '取最近的点。\n\n其中：\n\n$$h = d + 1$$\n\n各点的宽度为：\n\n$$w = e$$'
  expect(purposeOf(readme(steps))?.formulas).toEqual(['h = d + 1', 'w = e'])
})

test('the parameters have their meaning from the table of the page, without links', () => {
  const table =
    '| 参数名 | 输入/输出/属性 | 描述 |\n|---|---|---|\n| eps | 属性 | 长和宽都会加上eps，见[接口](a.md)。 |\n'
  expect(purposeOf(`${readme('求交并比。').replace('无关。', table)}`)?.parameters).toEqual([
    {name: 'eps', meaning: '长和宽都会加上eps，见接口。'},
  ])
})

test('of a list that is announced nothing is left', () => {
  const text = '做routing处理。本接口针对V2接口做了如下功能变更，请根据情况选择：'
  expect(purposeOf(readme(text))?.text).toBe('做routing处理')
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

test('prose may begin with a name, and titles may say overview or formula', () => {
  expect(purposeOf(readme('- 功能描述\n\n  `Twice`算子把输入加倍。'))?.text).toBe('`Twice`算子把输入加倍。')
  expect(purposeOf(readme('```cpp\nTwice(x);\n```'))).toBeUndefined()
  for (const title of ['功能概述', '算子概述', '算子简介', '数学公式'])
    expect(purposeOf(`# Twice\n## ${title}\n\n把输入加倍。\n`)?.text).toBe('把输入加倍。')
})

test('a matrix of digits is an example', () => {
  const example = String.raw`$$y = \begin{bmatrix} 1 & 2 \\ 0 & 4 \end{bmatrix}$$`
  expect(purposeOf(readme(`累加。\n\n$$y_i = 2 x_i$$\n\n${example}`))?.formulas).toEqual(['y_i = 2 x_i'])
})

test('a formula of one line in a fence belongs to the sentence that announces it, or is the whole of it', () => {
  expect(purposeOf(readme('把输入加倍：\n\n```bash\ny = 2 * x\n```\n\n其他。'))?.text).toBe('把输入加倍： `y = 2 * x`')
  expect(purposeOf(readme('```bash\ny = 2 * x\n```'))?.text).toBe('`y = 2 * x`')
  expect(purposeOf(readme('用法：\n\n```cpp\nint y = Twice(x);\n```'))).toBeUndefined()
})

test('a section that says nothing leaves the word to the next', () => {
  expect(purposeOf('# Twice\n\n## 算子说明\n\n### 数学公式\n\n$$y = 2x$$\n')?.formulas).toEqual(['y = 2x'])
})

describe('what a registration for graphs says', () => {
  const header = (comment: string) =>
    `/** @brief Of another. */\nREG_OP(Once)\n\n${comment}\nREG_OP(Twice)\n  .INPUT(x)\n`
  test.each([
    ['/**\n*@brief Returns x\n* and x. \\n\n\n*@par Inputs:\n* x\n*/', 'Returns x and x.'],
    ['/**\n * @brief Doubles its input.\n *\n * It needs an input.\n */', 'Doubles its input.'],
  ])('%j', (comment, text) => {
    expect(briefOf(header(comment), 'Twice')).toEqual({text, formulas: []})
  })
  test.each([
    ['no comment', ''],
    ['a comment without a brief', '/** Doubles. */'],
    ['a brief of one word', '/** @brief Doubles */'],
  ])('%s says nothing', (_, comment) => {
    expect(briefOf(header(comment), 'Twice')).toBeUndefined()
  })
  test('another operator is not told of', () => {
    expect(briefOf(header('/** @brief Doubles its input. */'), 'Thrice')).toBeUndefined()
  })
})
