import {describe, expect, test} from 'vitest'
import type {DocSection} from '../../../datasets/schema/document.ts'
import {draftsOf} from '../../../pipelines/documentation/offline/compose.ts'
import {sectionFacts} from '../../../pipelines/documentation/section-facts.ts'
import {docSection} from '../../helpers/doc-section.ts'
import {prototypes} from '../../helpers/doc-text.ts'

const pageOf = (section: Partial<DocSection>) => docSection({page: 'Move', path: 'p.html', markdown: '无', ...section})
const drafts = (section: DocSection, seed = 'seed') => draftsOf(section, seed)
const first = (section: DocSection) => drafts(section)[0]!.draft

describe('a rule behind a condition', () => {
  const said = (markdown: string) => sectionFacts(pageOf({role: 'constraints', markdown})).said.constraints

  test('is said under it, and the condition is no rule by itself', () => {
    expect(said('- 当参数count取值为0时，该接口的行为如下：\n  - 不会执行计算操作。\n- 地址要对齐。')).toEqual([
      '当参数count取值为0时：不会执行计算操作。',
      '地址要对齐。',
    ])
  })

  test('is not cut from the half of a sentence that announces a formula', () => {
    expect(said('利用两个接口的输出值以及现有的空间，推导元素数量为：\n\n- n = a / b 向下取整。')).toEqual([
      'n = a / b 向下取整。',
    ])
  })

  test('does not repeat the condition that it stands under', () => {
    expect(said('- 当参数count取值为0时，该接口的行为如下：\n  - 当参数count取值为0时，不会执行计算操作。')).toEqual([
      '当参数count取值为0时，不会执行计算操作。',
    ])
  })
})

describe('a sign and a dash', () => {
  test.each([
    ['- -1表示设置失败。\n- 0表示设置成功。', ['-1表示设置失败。', '0表示设置成功。']],
    ['- 返回元素个数。', ['返回元素个数。']],
  ])('are told apart: %j', (markdown, said) => {
    expect(sectionFacts(pageOf({role: 'returns', markdown})).said.returns).toEqual(said)
  })
})

describe('what is shown as the wrong way', () => {
  test('is neither told nor given as code, up to the right way', () => {
    const wrong = '【反例】\n\n数据逐个搬运，效率很低。\n\n```cpp\nAscendC::Move(bad, 1);\n```'
    const right = '【正例】\n\n数据成批搬运。\n\n```cpp\nAscendC::Move(good, 64);\n```'
    const {said, examples} = sectionFacts(pageOf({role: 'other', markdown: `${wrong}\n\n${right}`}))
    expect(said.other).toEqual(['数据成批搬运。'])
    expect(examples.map(({code}) => code)).toEqual(['AscendC::Move(good, 64);'])
  })
})

describe('a comment above a declaration', () => {
  test('says what the form is for, where there are several', () => {
    const forms = [
      '// 结果存入寄存器',
      'void Move(int a);',
      '// 结果存入dst',
      'void Move(int dst, int a);',
      'void Move();',
    ]
    const uses = (...lines: string[]) => sectionFacts(pageOf({role: 'prototype', markdown: prototypes(...lines)})).uses
    expect(uses(...forms)).toEqual(['结果存入寄存器', '结果存入dst', ''])
    expect(uses(...forms.slice(0, 2))).toEqual([''])
  })
})

describe('words before a listing', () => {
  test.each([
    ['Atlas A2 训练系列产品：', ''],
    ['取最大值的用法：', '取最大值的用法：'],
  ])('are what it is for unless they name a product: %s', (lead, told) => {
    const {examples} = sectionFacts(pageOf({role: 'example', markdown: `${lead}\n\n\`\`\`cpp\nMove(1);\n\`\`\``}))
    expect(examples.map((one) => one.lead)).toEqual([told])
  })
})

describe('what a page leaves open', () => {
  test('is no rule to mind where its quantity is never told', () => {
    const context = (rule: string) => `${prototypes('uint32_t Move(uint32_t count);')}\n\n## 约束说明\n\n${rule}`
    const told = (rule: string) =>
      first(pageOf({markdown: '查询还有多少元素没有搬运完。', context: context(rule)})).answer
    expect(told('反推出的currentShapeSize要向上取整。')).not.toContain('currentShapeSize')
    expect(told('只能在核函数中调用。')).toContain('只能在核函数中调用')
  })

  test('is no limit where the page says that the field has no effect', () => {
    const form = prototypes('void Move(const LocalTensor<half>& dst, uint8_t repeatTime);')
    const asked = (rule: string) =>
      Array.from({length: 20}, (_, seed) =>
        drafts(
          pageOf({
            role: 'parameters',
            markdown: '| 参数名 | 描述 |\n| --- | --- |\n| repeatTime | 次数。 |',
            context: `${form}\n\n## 数据类型\n\n支持的数据类型为：half。\n\n## 约束说明\n\n${rule}`,
          }),
          String(seed),
        ),
      )
        .flat()
        .filter(({draft}) => draft.question.includes('repeatTime取'))
    expect(asked('- 此形式下repeatTime不生效。')).toEqual([])
    expect(asked('- 地址不能重叠。').length).toBeGreaterThan(0)
  })
})

describe('a page of a family of functions', () => {
  test('is asked by the first of them, since none has the title alone', () => {
    const declared = ['void move_to_rn(int n);', 'void move_to_rd(int n);']
    const page = (title: string) =>
      drafts(
        pageOf({
          page: title,
          markdown: '把数据按给定的方式取整后写回。数据可以很长。',
          context: prototypes(...declared),
        }),
      )
    expect(page('move_to')[0]!.draft.answer).toContain('用move_to_rn等接口：把数据按给定的方式取整后写回')
    expect(page('mov')).toEqual([])
  })

  test('is asked about a parameter by a function that has it', () => {
    const declared = ['void move_to_rn(int repeat);', 'void move_to_rd(int repeat, bool high);']
    const rows =
      '| repeat | 次数，取值范围：[1, 255]。 |\n| high | 写到哪一半。<br>true：写到高半部。<br>false：写到低半部。 |'
    const asked = drafts(
      pageOf({
        page: 'move_to',
        role: 'parameters',
        markdown: `| 参数名 | 描述 |\n| --- | --- |\n${rows}`,
        context: prototypes(...declared),
      }),
    ).map(({draft}) => draft.question)
    const about = asked.filter((question) => question.includes('参数high'))
    expect(about).toHaveLength(1)
    expect(about[0]).toContain('move_to_rd的参数high')
  })
})
