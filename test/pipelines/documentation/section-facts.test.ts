import {describe, expect, test} from 'vitest'
import {factsOfPage, pageFacts} from '../../../pipelines/documentation/section-facts.ts'
import {docSection} from '../../helpers/doc-section.ts'
import {cpp} from '../../helpers/doc-text.ts'

const page = (...blocks: string[]) => factsOfPage(blocks.join('\n\n'))

describe('what is said, by role', () => {
  test('headings tell the role, the last of them that is one', () => {
    const said = (heading: string) => Object.keys(page(heading, '把数据搬运到另一处。').said)
    expect(said('## 功能说明')).toEqual(['function'])
    expect(said('## 约束说明 / 其他')).toEqual(['constraints'])
    expect(said('## 功能说明 / 约束说明')).toEqual(['constraints'])
    expect(said('## 其他')).toEqual(['other'])
    expect(said('把前言说在最前面。')).toEqual(['other'])
  })

  test('a section has its own role, the rest of its page that of its headings', () => {
    const section = docSection({
      page: 'Move',
      role: 'constraints',
      markdown: '数据必须对齐才可以。',
      context: '## 功能说明\n\n把数据搬运到另一处。',
    })
    expect(pageFacts(section).said).toEqual({constraints: ['数据必须对齐才可以。'], function: ['把数据搬运到另一处。']})
  })

  test('a rule in a list is one, prose goes sentence by sentence', () => {
    expect(page('## 约束说明', '- 数据必须对齐。长度必须相等。').said).toEqual({
      constraints: ['数据必须对齐。长度必须相等。'],
    })
    expect(page('## 约束说明', '数据必须对齐。长度必须相等。').said).toEqual({
      constraints: ['数据必须对齐。', '长度必须相等。'],
    })
    expect(page('## 功能说明', '- 数据必须对齐。长度必须相等。').said).toEqual({
      function: ['数据必须对齐。', '长度必须相等。'],
    })
    const long = (length: number) =>
      page('## 约束说明', `- 数据必须对齐。${'甲'.repeat(length - 8)}。`).said.constraints?.length
    expect([long(300), long(301)]).toEqual([1, 2])
    expect(page('## 约束说明', '- The data is aligned, all of it. The length is equal.').said.constraints).toHaveLength(
      1,
    )
  })

  test('what is not understood is left out', () => {
    const facts = page('## 约束说明', '数据必须对齐才可以。', '取值见下表，必须对齐。')
    expect(facts.said).toEqual({constraints: ['数据必须对齐才可以。']})
  })

  test('behind what was lost a pronoun means nothing, until something is told', () => {
    const said = (...blocks: string[]) => page(...blocks).said
    expect(
      said('取值见下表，必须对齐。', '它必须对齐才可以。', '数据搬运到另一处。', '它必须对齐才可以。').other,
    ).toEqual([...['数据搬运到另一处。', '它必须对齐才可以。']])
    expect(said('取值见下表，必须对齐。', '## 功能说明', '它必须对齐才可以。').function).toEqual(['它必须对齐才可以。'])
    expect(said('取值见下表，必须对齐。', '无', '它必须对齐才可以。').other).toEqual([])
  })

  test('items stand under what announces them, deeper ones under both', () => {
    expect(page('当数据对齐时：', '- 搬运全部的数据。', '- 计算全部的数据。').said.other).toEqual([
      '当数据对齐时：搬运全部的数据。',
      '当数据对齐时：计算全部的数据。',
    ])
    expect(page('- 当数据对齐时：', '  - 搬运全部的数据。', '- 计算全部的数据。').said.other).toEqual([
      '当数据对齐时：搬运全部的数据。',
      '计算全部的数据。',
    ])
    expect(page('支持以下模式：', '- 搬运全部的数据。').said.other).toEqual(['搬运全部的数据。'])
    expect(page('设置搬运的模式，支持以下取值：', '- 搬运全部的数据。').said.other).toEqual([
      '设置搬运的模式',
      '搬运全部的数据。',
    ])
    expect(page('当数据对齐时：', '计算全部的数据。').said.other).toEqual(['计算全部的数据。'])
    expect(page('当数据对齐时：', '**标题**', '- 计算全部的数据。').said.other).toEqual(['计算全部的数据。'])
    expect(page('当数据对齐时：', '**标题：**', '- 计算全部的数据。').said.other).toEqual(['标题：计算全部的数据。'])
    expect(page('当数据对齐时：', '## 功能说明', '- 计算全部的数据。').said).toEqual({
      other: [],
      function: ['计算全部的数据。'],
    })
    expect(page('- 对齐的数据\n  搬运全部的数据。').said.other).toEqual(['对齐的数据 搬运全部的数据。'])
    expect(page('- 对齐的数据', '', '  搬运全部的数据。').said.other).toEqual(['对齐的数据：搬运全部的数据。'])
  })

  test('what is for other products is left out, with what stands below it', () => {
    expect(page('- 对于Kirin X90：', '  - 搬运全部的数据。', '- 计算全部的数据。').said.other).toEqual([
      '计算全部的数据。',
    ])
    const only = page('- 搬运的模式', '', '  仅支持Kirin X90。', '', '  搬运全部的数据。', '- 计算全部的数据。')
    expect(only.said.other).toEqual(['计算全部的数据。'])
    expect(page('- 搬运的模式', '', '  仅支持Kirin X90。', '## 功能说明', '搬运全部的数据。').said.function).toEqual([
      '搬运全部的数据。',
    ])
    expect(page('数据必须对齐。上述说明适用于：', '- Atlas A2 训练系列产品').said.other).toEqual(['数据必须对齐。'])
    expect(page('数据必须对齐。上述说明适用于：', '- Kirin X90').said.other).not.toEqual([
      '数据必须对齐。',
      'Kirin X90',
    ])
  })

  test('the wrong way is not told, the right one behind it is', () => {
    expect(
      page('【反例】', '搬运全部的数据。', cpp('Move(a, b, c, d, e);'), '【正例】', '计算全部的数据。').said.other,
    ).toEqual(['计算全部的数据。'])
    expect(page('【反例】', cpp('Move(a, b, c, d, e);')).examples).toEqual([])
    expect(page('【反例】', '## 示例', cpp('Move(a, b, c, d, e);')).examples).toHaveLength(1)
  })
})

describe('listings', () => {
  const code = 'Move(dstLocal, srcLocal, 128);'

  test('are examples in sections of these and of their own', () => {
    const examples = (heading: string, block = cpp(code)) => page(heading, block).examples.map(({code: text}) => text)
    expect([examples('## 调用示例'), examples('## 概述')]).toEqual([[code], [code]])
    expect(examples('## 约束说明')).toEqual([])
    expect(examples('## 调用示例', cpp(code).replace('cpp', ''))).toEqual([code])
    expect(examples('## 调用示例', cpp(code).replace('cpp', 'python'))).toEqual([])
  })

  test('have a lead that tells', () => {
    const lead = (text: string) => page('## 调用示例', text, cpp(code)).examples[0]?.lead
    expect(lead('把数据搬运到片上内存：')).toBe('把数据搬运到片上内存：')
    expect(lead('把数据搬运到片上，如下所示：')).toBe('把数据搬运到片上，如下所示：')
    for (const text of [
      '示例如下：',
      '调用示例',
      '样例如下',
      '代码示例：',
      'Example:',
      '例如：',
      '错误示例如此：',
      '如下图的排布：',
      'Atlas A2 训练系列产品：',
    ])
      expect(lead(text)).toBe('')
    expect(page('## 调用示例', '把数据搬运到片上：', cpp(code), cpp(code)).examples.map((one) => one.lead)).toEqual([
      '把数据搬运到片上：',
      '',
    ])
    expect(page('把数据搬运到片上：', '## 调用示例', cpp(code)).examples[0]?.lead).toBe('')
    expect(page('## 调用示例', '该示例适用于：', cpp(code)).examples).toEqual([])
  })

  test('with results', () => {
    const result = (text: string, heading = '## 调用示例') =>
      page(heading, cpp(code), `\`\`\`\n${text}\n\`\`\``).examples
    for (const text of ['输出数据dstLocal: [1 2]', 'output: [1.0]', 'result is 2', '输入数据：[1]', 'x = [1 2]'])
      expect(result(text)).toEqual([{lead: '', code, result: text}])
    expect(result('output = Move(a);')).toHaveLength(2)
    expect(result('输出数据dstLocal: [1 2]', '## 概述')).toHaveLength(2)
    expect(page('## 调用示例', '```\noutput: [1]\n```').examples).toHaveLength(1)
    const twice = page('## 调用示例', cpp(code), '```\noutput: [1]\n```', '```\noutput: [2]\n```')
    expect(twice.examples).toEqual([{lead: '', code, result: 'output: [1]'}])
  })
})

describe('declarations', () => {
  const facts = (...blocks: string[]) => page('## 函数原型', ...blocks)

  test('of the section on prototypes, in C++ and in plain text', () => {
    expect(facts(cpp('void Move(int a);', '#define MOVE(a)', 'struct Mover { };'))).toMatchObject({
      prototypes: [{name: 'Move'}],
      macros: [{name: 'MOVE'}],
      types: [{name: 'Mover'}],
    })
    expect(facts(cpp('void Move(int a);').replace('cpp', 'text')).prototypes).toHaveLength(1)
    expect(facts(cpp('void Move(int a);').replace('cpp', 'python')).prototypes).toEqual([])
    expect(page('## 调用示例', cpp('void Move(int a);')).prototypes).toEqual([])
  })

  test('prose among them is about all of them, unless it points at one', () => {
    expect(facts('- 整数的搬运', cpp('void Move(int a);'), '  数据必须对齐才可以。').said.prototype).toEqual([
      '数据必须对齐才可以。',
    ])
    expect(facts('- 整数的搬运', cpp('void Move(int a);'), '  该形式必须对齐才可以。').said.prototype).toEqual([
      '整数的搬运：该形式必须对齐才可以。',
    ])
    expect(facts('- 整数的搬运', '  该接口必须对齐才可以。').said.prototype).toEqual(['该接口必须对齐才可以。'])
  })
})

describe('tables', () => {
  const rows = '| 参数名 | 描述 |\n| --- | --- |\n| gap | 数据的间隔。 |'

  test('have the structure that their title names', () => {
    const structure = (...blocks: string[]) => page(...blocks, rows).parameters.map((fact) => fact.structure)
    expect(structure('表1 MoveParams结构体')).toEqual(['MoveParams'])
    expect(structure('Table 1 MoveParams structure')).toEqual(['MoveParams'])
    expect(structure('MoveParams结构体的说明。')).toEqual([''])
  })
})
