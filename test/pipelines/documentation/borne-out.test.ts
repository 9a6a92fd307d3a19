import {describe, expect, test} from 'vitest'
import {findUngrounded} from '../../../pipelines/documentation/ground.ts'
import segment, {roleOf} from '../../../pipelines/documentation/segment.ts'
import {runStage} from '../../helpers/run-stage.ts'

describe('a number of an answer', () => {
  const missing = (answer: string, reference: string, question = '') =>
    findUngrounded(question, answer, reference)?.detail

  test.each([
    ['占用32字节。', '占用32字节。', undefined],
    ['占用32字节。', '占用64字节。', '32 bytes'],
    ['占用32字节。', '占用32个元素。', undefined],
    ['占用32字节。', '占用16个元素。', undefined],
    ['占用32字节。', '占用8个元素。', undefined],
    ['占用32字节。', '占用4个元素。', undefined],
    ['占用32字节。', '占用2个元素。', '32 bytes'],
    ['占用8个元素。', '占用32字节。', undefined],
    ['占用64个元素。', '占用32字节。', '64 elements'],
    ['占用2KB。', '占用2048字节。', undefined],
    ['占用2KB。', '占用2000字节。', '2 KB'],
    ['占用2MB。', '占用2048KB。', undefined],
    ['占用1GB。', '占用1024MB。', undefined],
    ['占用1.5KB。', '占用1536字节。', undefined],
    ['共16位。', '类型int16_t。', undefined],
    ['共16位。', '类型int32_t。', '16 bits'],
    ['共16位置。', '类型int32_t。', undefined],
    ['共8个DataBlock。', '共8个核。', '8 blocks'],
    ['共8个核。', '共8个核。', undefined],
    ['重复3次。', '重复2次。', '3 times'],
    ['共32米。', '', undefined],
    ['占用32字节。', '| 大小 |\n| 32 |', undefined],
    ['占用32字节。', '取值[0, 32]。', undefined],
    ['占用32字节。', '单位为字节，取32。', undefined],
    ['占用32字节。', '取32。', '32 bytes'],
    ['占用32字节，重复7次。', '', '32 bytes, 7 times'],
    ['1字节、2字节、3字节、4字节、5字节、6字节。', '', '1 bytes, 2 bytes, 3 bytes, 4 bytes, 5 bytes'],
  ])('%s beside %s: %s', (answer, reference, detail) => {
    expect(missing(answer, reference)).toBe(detail)
  })

  test('may follow from a number that is asked about', () => {
    expect(missing('占用64字节。', '', '处理32个half？')).toBeUndefined()
    expect(missing('占用60字节。', '', '处理32个half？')).toBe('60 bytes')
    expect(missing('要分成2次调用。', '', 'repeatTime取300？')).toBeUndefined()
    expect(missing('要分成3次调用。', '', 'repeatTime取300？')).toBe('3 times')
    expect(missing('要分成1次调用。', '', 'repeatTime取200？')).toBe('1 times')
    expect(missing('要分成2次调用。', '', 'count取65536？')).toBeUndefined()
    expect(missing('要分成2次调用。', '', 'repeatTime取510？')).toBeUndefined()
    expect(missing('要分成2次调用。', '', 'repeatTime取511？')).toBe('2 times')
  })
})

describe('a name of an answer', () => {
  const missing = (answer: string, reference = '', question = '') => findUngrounded(question, answer, reference)?.detail

  test.each([
    ['用DataCopy搬运。', 'DataCopy'],
    ['用dataCopy搬运。', 'dataCopy'],
    ['用data_copy搬运。', 'data_copy'],
    ['用__gm__搬运。', '__gm__'],
    ['用Copy搬运。', undefined],
    ['用`Copy`搬运。', 'Copy'],
    ['用`copy`搬运。', undefined],
    ['用`Ab`搬运。', undefined],
    ['用LocalTensor和int32_t搬运。', undefined],
    ['见a/DataCopy.md。', undefined],
    ['```cpp\nMove(a);\n```', 'Move'],
    ['```cpp\nAscendC::move(a);\n```', 'move'],
    ['```cpp\nMove<half> a;\n```', 'Move'],
    ['```cpp\nMove{1};\n```', 'Move'],
    ['```cpp\nclass Move {};\nMove(a);\n```', undefined],
    ['```cpp\nint Move(int a);\nMove(a);\n```', undefined],
    ['```cpp\nBEGIN_TILING_DATA_DEF(Move)\nMove(a);\n```', 'BEGIN_TILING_DATA_DEF'],
    ['```cpp\n// Move(a);\n/* Move(a) */ int b = f("Move(a)");\n#define X Move(a)\n```', undefined],
    ['用DataCopy、VecAdd、MulAdd、SubAdd、DivAdd、AbsAdd。', 'DataCopy, VecAdd, MulAdd, SubAdd, DivAdd'],
  ])('%s: %s', (answer, detail) => {
    expect(missing(answer)).toBe(detail)
  })

  test('stands in the reference, however that is escaped, or in the question', () => {
    expect(missing('用data_copy搬运。', 'data\\_copy')).toBeUndefined()
    expect(missing('用DataCopy搬运。', '', 'DataCopy？')).toBeUndefined()
    expect(findUngrounded('', '用DataCopy搬运32字节。', '')?.reason).toBe('name-not-in-page')
    expect(findUngrounded('', '搬运32字节。', '')?.reason).toBe('number-not-in-page')
    expect(findUngrounded('', '搬运它。', '')).toBeUndefined()
  })
})

describe('sections of a page', () => {
  const origin = {repository: 'r', revision: '1', path: 'a.md', licence: 'Apache-2.0'}
  const cut = async (markdown: string, options: Parameters<typeof segment>[0] = {}, more: object = {}) => {
    const {outputs, dropped} = await runStage(segment(options), [
      {origin, title: 'Move', language: 'zh' as const, markdown, ...more},
    ])
    return {sections: outputs, dropped}
  }
  const long = '把所有的数据搬运到另外一处。'

  test('are cut at headings, with those above, their role and lines', async () => {
    const {sections} = await cut(
      `${long}\n\n## 约束说明\n\n${long}\n\n### 其他\n\n- 把所有的数据\n- 搬运到另外一处\n\n## 功能说明\n\n${long}`,
      {},
      {headingLines: [3, 7, 12], lineCount: 14},
    )
    expect(sections.map(({headings, role, origin: {lines}}) => [headings, role, lines])).toEqual([
      [['Move'], 'other', [1, 2]],
      [['Move', '约束说明'], 'constraints', [3, 6]],
      [['Move', '约束说明', '其他'], 'constraints', [7, 11]],
      [['Move', '功能说明'], 'function', [12, 14]],
    ])
    expect(sections[2]?.markdown).toBe('- 把所有的数据\n- 搬运到另外一处')
    expect((await cut(long)).sections[0]?.origin).toEqual(origin)
    expect((await cut(`## 约束说明\n\n${long}`, {}, {headingLines: [5], lineCount: 4})).sections[0]?.origin).toEqual(
      origin,
    )
  })

  test('have twelve characters, a purpose five', async () => {
    const lengths = async (heading: string, count: number) =>
      (await cut(`## ${heading}\n\n${'甲'.repeat(count)}\n- > `)).sections.length
    expect([
      await lengths('约束说明', 11),
      await lengths('约束说明', 12),
      await lengths('功能说明', 4),
      await lengths('功能说明', 5),
    ]).toEqual([0, 1, 0, 1])
    expect(await cut('## 约束说明\n\n甲')).toMatchObject({
      dropped: [{reason: 'section-too-short', detail: '1 characters'}],
    })
    expect(await cut('## 约束说明')).toMatchObject({dropped: [{reason: 'page-without-sections'}]})
    expect((await cut('## 约束说明\n\n甲乙丙', {minCharacters: 3})).sections).toHaveLength(1)
  })

  test('carry the others of the page, in its order, those first that tell most', async () => {
    const page = ['产品支持情况', '函数原型', '约束说明', '功能说明']
      .map((heading) => `## ${heading}\n\n${long}`)
      .join('\n\n')
    const contextOf = async (characters?: number) =>
      (await cut(page, characters === undefined ? {} : {contextCharacters: characters})).sections[3]?.context.match(
        /^## .*$/gm,
      )
    expect(await contextOf()).toEqual(['## 产品支持情况', '## 函数原型', '## 约束说明'])
    const one = `## 函数原型\n\n${long}`.length
    expect(await contextOf(one * 2)).toEqual(['## 函数原型', '## 约束说明'])
    expect(await contextOf(one * 2 - 1)).toEqual(['## 函数原型'])
    expect(await contextOf(one - 1)).toBeNull()
    expect((await cut(`${long}\n\n## 约束说明\n\n${long}`)).sections[1]?.context).toBe(`## Move\n\n${long}`)
    const twice = ['其他一', '其他二', '约束说明', '其他三'].map((heading) => `## ${heading}\n\n${long}`).join('\n\n')
    const near = (await cut(twice, {contextCharacters: `## 其他二\n\n${long}`.length})).sections[2]?.context
    expect(near).toBe(`## 其他二\n\n${long}`)
  })

  test.each([
    ['产品支持情况', 'support'],
    ['功能', 'function'],
    ['Function', 'function'],
    ['Functions of it', 'other'],
    ['原型定义', 'prototype'],
    ['模板参数', 'parameters'],
    ['支持的数据类型', 'data-types'],
    ['返回值', 'returns'],
    ['注意事项', 'constraints'],
    ['示例代码', 'example'],
    ['头文件', 'headers'],
    ['流水类型', 'pipe'],
    ['概述', 'other'],
  ])('%s announces %s', (heading, role) => {
    expect(roleOf(heading)).toBe(role)
  })
})
