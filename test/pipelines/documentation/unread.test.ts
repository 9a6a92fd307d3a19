import {describe, expect, test} from 'vitest'
import type {DocSection} from '../../../datasets/schema/document.ts'
import {announcedBy, labelOf} from '../../../pipelines/documentation/labels.ts'
import {pageFacts} from '../../../pipelines/documentation/section-facts.ts'
import {fateOf, withoutPointers} from '../../../pipelines/documentation/sentence-fate.ts'
import {readText} from '../../../pipelines/documentation/sentences.ts'
import {docSection} from '../../helpers/doc-section.ts'
import {cpp} from '../../helpers/doc-text.ts'

const pageOf = (section: Partial<DocSection>) => docSection({page: 'Move', path: 'p.html', markdown: '无', ...section})

describe('a sentence away from its page', () => {
  test.each([
    ['count必须是8的倍数。', 'told'],
    ['设置时可以参考值域。', 'told'],
    ['无', 'nothing'],
    ['不涉及。', 'nothing'],
    ['Ascend 950PR/Ascend 950DT，支持的数据类型为：half。', 'foreign'],
    ['针对Atlas 训练系列产品，事件的数量为4。', 'foreign'],
    ['Atlas A2 训练系列产品和Ascend 950PR都支持half。', 'told'],
    ['该参数仅支持Ascend 950PR/Ascend 950DT。', 'lost'],
    ['图1 搬运示意图', 'elsewhere'],
    ['完整的调用样例请参考更多样例。', 'elsewhere'],
    ['数据类型的组合可参考表一；在其他场景，组合可参考表二。', 'elsewhere'],
    ['具体定义请参考${INSTALL_DIR}/a.h，${INSTALL_DIR}请替换为安装后的路径。', 'elsewhere'],
    ['参数的值必须在范围内，请参考表4。', 'lost'],
    ['取值如下图所示，灰色为无效元素。', 'lost'],
    ['否则搬运4字节。', 'lost'],
    ['队列的数量最大也分别为8个或4个。', 'lost'],
    ['A和B的数量分别为8和4。', 'told'],
    ['详情请参考关键特性说明。', 'lost'],
  ])('%s is %s', (sentence, fate) => {
    expect(fateOf(sentence)).toBe(fate)
  })

  test('names the rule that it sends to, and loses a clause that only sends to another page', () => {
    expect(withoutPointers('操作数地址对齐要求请参见通用地址对齐约束。')).toBe(
      '操作数地址对齐要求以“通用地址对齐约束”为准。',
    )
    expect(withoutPointers('搬运的长度和间隔由它给出，详细说明请参考别的页面。')).toBe('搬运的长度和间隔由它给出。')
    expect(withoutPointers('空间要足够大，详情请参考关键特性说明。')).toBe('空间要足够大，详情请参考关键特性说明。')
  })
})

describe('sentences that lean on each other', () => {
  test('are one as far as they are understood', () => {
    expect(readText('单位为字节。比如数据类型为half，此处应传入2。')).toEqual({
      told: ['单位为字节。比如数据类型为half，此处应传入2。'],
      lost: [],
    })
    expect(readText('这是搬运的长度。其取值如表4所示。它不能为0。')).toEqual({
      told: ['这是搬运的长度。'],
      lost: ['其取值如表4所示。它不能为0。'],
    })
  })

  test('are lost with what they lean on, and are for the product that it is for', () => {
    expect(readText('其宽度为8。', true)).toEqual({told: [], lost: ['其宽度为8。']})
    expect(readText('其宽度为8。')).toEqual({told: ['其宽度为8。'], lost: []})
    expect(readText('Ascend 950PR上搬运8字节。否则搬运4字节。')).toEqual({told: [], lost: []})
  })
})

describe('words before a list', () => {
  test.each([
    ['eventID的取值范围如下：', 'eventID的取值范围'],
    ['两种取值都支持：', '两种取值都支持'],
    ['支持如下取值：', ''],
    ['具体支持的数据通路为：', '具体支持的数据通路为'],
    ['型号请通过如下方式获取：', '型号请通过如下方式获取'],
  ])('%s leave the label "%s"', (line, text) => {
    expect(labelOf(line, 0).text).toBe(text)
  })

  test('are told where they say something before they announce', () => {
    expect(announcedBy('按元素求最小值，计算公式如下。', 0)).toEqual({
      head: '按元素求最小值',
      label: {depth: 0, text: ''},
    })
    expect(announcedBy('当count为0时，该接口的行为如下：', 1)).toEqual({
      head: '',
      label: {depth: 1, text: '当count为0时'},
    })
    expect(announcedBy('当repeat大于1时，地址由服务端算出，计算公式如下：', 0).head).toBe(
      '当repeat大于1时，地址由服务端算出',
    )
  })
})

describe('words on a picture', () => {
  const said = (markdown: string) => pageFacts(pageOf({role: 'function', markdown})).said.function

  test('are lost with it, and a picture beside words takes none of them', () => {
    expect(said('Rn代表拆分的次数，![](a.png)代表方差系数。')).toEqual([])
    expect(said('按元素取反，结果写回。![图](b.png)')).toEqual(['按元素取反，结果写回。'])
  })

  test('lose the list that they lead', () => {
    expect(said('请看下图的两种排布：\n\n- 行优先是先行后列的排布。')).toEqual([])
  })
})

describe('what is not understood of a section is left out', () => {
  const said = (markdown: string) => pageFacts(pageOf({role: 'constraints', markdown})).said.constraints

  test('a sentence, and what stands under too long a label', () => {
    expect(said('- 地址要对齐。\n- 取值如表4所示，必须满足。')).toEqual(['地址要对齐。'])
    expect(said(`- 在${'很'.repeat(300)}长的场景下：\n  - 地址要对齐。`)).toEqual([])
    expect(said('- 地址要对齐。\n- 无\n\n图1 示意图')).toEqual(['地址要对齐。'])
  })
})

describe('a cell', () => {
  const row = (cell: string) => {
    const markdown = `| 参数名 | 描述 |\n|---|---|\n| mode | ${cell} |`
    return pageFacts(pageOf({role: 'parameters', markdown})).parameters[0]
  }

  test('keeps what it says and what is not understood apart', () => {
    expect(row('工作的方式。取值如表3所示，必须一致。')).toMatchObject({
      meaning: ['工作的方式。'],
      unread: ['取值如表3所示，必须一致。'],
    })
    expect(row('工作的方式。<pre>enum M {A}</pre>')?.unread).toHaveLength(1)
    expect(row('工作的方式：<br>• A：从头开始。<br>接着写的话。')?.unread).toEqual(['接着写的话。'])
    expect(row('工作的方式：<br>• A：从头开始。<br>注：默认从头开始。')).toMatchObject({unread: []})
  })

  test('of one word is told, and of nothing is not', () => {
    expect(row('均值。')).toMatchObject({meaning: ['均值。'], unread: []})
    expect(row('无')).toBeUndefined()
  })

  test('says before a formula when it holds', () => {
    expect(row('任务个数。当mode大于1时，地址由服务端算出，计算公式如下：<br>a[i] = a + i * count')?.meaning).toContain(
      '当mode大于1时，地址由服务端算出',
    )
  })
})

test('a remark below a form of a call is about all, unless it points at the one above', () => {
  const {said} = pageFacts(
    pageOf({
      role: 'prototype',
      markdown: `- 接口框架申请临时空间\n\n    ${cpp('void Move(int n);').replaceAll('\n', '\n    ')}\n\n    计算要用额外的空间。\n\n    该方式下要预留空间。`,
    }),
  )
  expect(said.prototype).toEqual(['计算要用额外的空间。', '接口框架申请临时空间：该方式下要预留空间。'])
})
