import {describe, expect, test} from 'vitest'
import type {DocPage} from '../../../datasets/schema/document.ts'
import segment, {roleOf} from '../../../pipelines/documentation/segment.ts'
import {runStage} from '../../helpers/run-stage.ts'

const page = (markdown: string): DocPage => ({
  origin: {repository: 'r', revision: 'v', path: 'p.md', licence: 'Apache-2.0'},
  title: 'Add',
  language: 'zh',
  markdown,
})
const long = '这句话足够长，可以成为一个独立的小节。'

describe('segment', () => {
  test('cuts at headings and names the role', async () => {
    const {outputs} = await runStage(segment(), [
      page(`${long}\n\n## 功能说明\n\n${long}\n\n### 实现原理\n\n${long}\n\n## 约束说明\n\n${long}`),
    ])
    expect(outputs.map(({headings, role}) => [headings.join('/'), role])).toEqual([
      ['Add', 'other'],
      ['Add/功能说明', 'function'],
      ['Add/功能说明/实现原理', 'function'],
      ['Add/约束说明', 'constraints'],
    ])
  })

  test.each([
    ['产品支持情况', 'support'],
    ['Function', 'function'],
    ['函数原型', 'prototype'],
    ['Prototype', 'prototype'],
    ['参数说明', 'parameters'],
    ['Parameters', 'parameters'],
    ['数据类型', 'data-types'],
    ['返回值说明', 'returns'],
    ['Return Value', 'returns'],
    ['约束说明', 'constraints'],
    ['Restrictions', 'constraints'],
    ['调用示例', 'example'],
    ['Example', 'example'],
    ['需要包含的头文件', 'headers'],
    ['流水类型', 'pipe'],
    ['Functional safety', 'other'],
    ['背景', 'other'],
  ])('reads the heading %s as %s', (heading, role) => {
    expect(roleOf(heading)).toBe(role)
  })

  test('gives each section the rest of its page in its order, the most useful and nearest first', async () => {
    const titles = ['背景', '产品支持情况', '调用示例', '功能说明', '原理', '函数原型']
    const parts = titles.map((title) => `## ${title}\n\n${long}`)
    const contexts = async (contextCharacters: number) => {
      const {outputs} = await runStage(segment({contextCharacters}), [page(parts.join('\n\n'))])
      return outputs.map(({context}) => [...context.matchAll(/^## (.*)$/gm)].map(([, title]) => title).join(' '))
    }
    const sizes = parts.map(({length}) => length)
    const all = sizes.reduce((sum, size) => sum + size, 0)
    const rest = titles.map((title) => titles.filter((other) => other !== title).join(' '))
    expect(await contexts(all)).toEqual(rest)
    const two = sizes[3]! + sizes[5]!
    expect((await contexts(two))[0]).toBe('功能说明 函数原型')
    expect((await contexts(two - 1))[0], 'a shorter one may fit where a longer does not').toBe('原理 函数原型')
    expect((await contexts(sizes[0]!)).slice(0, 4)).toEqual(['原理', '背景', '背景', '原理'])
  })

  test('drops sections that say too little, a purpose of a few characters not', async () => {
    const body = (heading: string, characters: number) => `## ${heading}\n\n${'甲'.repeat(characters)}`
    const parts = [body('功能说明', 4), body('功能介绍', 5), body('约束说明', 11), body('注意事项', 12)]
    const {outputs, dropped} = await runStage(segment(), [page(parts.join('\n\n'))])
    expect(outputs.map(({headings}) => headings.at(-1))).toEqual(['功能介绍', '注意事项'])
    expect(dropped).toEqual([
      {reason: 'section-too-short', detail: '4 characters'},
      {reason: 'section-too-short', detail: '11 characters'},
    ])
  })

  test('does not cut at a hash in a listing', async () => {
    const {outputs} = await runStage(segment(), [
      page(`## 调用示例\n\n\`\`\`bash\n# 编译\ncmake -S . -B build && cmake --build build\n\`\`\``),
    ])
    expect(outputs.map(({markdown}) => markdown)).toEqual([expect.stringContaining('# 编译\ncmake')])
  })

  test('says where in its file a section stands, as far as that is known', async () => {
    const markdown = `${long}\n\n## 功能说明\n\n${long}\n\n## 参数说明\n\n${long}\n\n## 约束说明\n\n${long}`
    const linesOf = async (known: Partial<DocPage>) => {
      const {outputs} = await runStage(segment(), [{...page(markdown), ...known}])
      return outputs.map(({origin}) => origin.lines)
    }
    expect(await linesOf({headingLines: [4, null, 9], lineCount: 12})).toEqual([[1, 3], undefined, undefined, [9, 12]])
    expect(await linesOf({headingLines: [4, 6, 9], lineCount: 12})).toEqual([
      [1, 3],
      [4, 5],
      [6, 8],
      [9, 12],
    ])
    expect(await linesOf({})).toEqual([undefined, undefined, undefined, undefined])
  })

  test('keeps tables and listings whole', async () => {
    const table = '| 参数名 | 描述 |\n| --- | --- |\n| count | 元素个数 |'
    const html = '<table><tr><td>\n\n## 不是标题\n\n</td></tr></table>'
    const code = '    ```cpp\n    AscendC::Add(a, b, c, 8);\n\n    ```'
    const {outputs} = await runStage(segment(), [page(`## 参数说明\n\n${table}\n\n${html}\n\n- 示例\n\n${code}`)])
    expect(outputs).toHaveLength(1)
    for (const part of [table, html, code]) expect(outputs[0]!.markdown).toContain(part)
  })

  test('gives every section the rest of its page and nothing of itself', async () => {
    const {outputs} = await runStage(segment(), [
      page(`## 功能说明\n\n甲甲甲甲甲甲甲甲甲甲甲甲甲\n\n## 约束说明\n\n乙乙乙乙乙乙乙乙乙乙乙乙乙`),
    ])
    expect(outputs[0]!.context).toBe('## 约束说明\n\n乙乙乙乙乙乙乙乙乙乙乙乙乙')
    expect(outputs[1]!.context).toContain('甲甲甲')
  })

  test('leaves out whole sections when the context grows too long, the least useful first', async () => {
    const other = (name: string) => `## ${name}\n\n${name.repeat(200)}`
    const {outputs} = await runStage(segment({contextCharacters: 700}), [
      page(
        `## 功能说明\n\n${long}\n\n${other('背景')}\n\n## 函数原型\n\n\`\`\`cpp\nvoid F(int a);\n\`\`\`\n\n${other('历史')}`,
      ),
    ])
    expect(outputs[0]!.context).toContain('void F(int a);')
    expect(outputs[0]!.context).not.toContain('历史')
    expect(outputs[0]!.context.length).toBeLessThanOrEqual(720)
  })

  test('drops what is too short, and a page of headings', async () => {
    const {outputs, dropped} = await runStage(segment(), [
      page('## 返回值说明\n\n无'),
      page('## 功能说明\n\n## 约束说明'),
    ])
    expect(outputs).toEqual([])
    expect(dropped.map(({reason}) => reason)).toEqual(['section-too-short', 'page-without-sections'])
  })

  test.each([
    '```cpp\nint a;',
    '| a | b |\n| --- |',
    '> [!NOTE]',
    '<table><tr><td>',
    '#',
    '- ',
    '####### x',
    '|||',
    '\u0000',
  ])('survives the malformed page %j', async (markdown) => {
    await expect(runStage(segment({minCharacters: 0}), [page(markdown)])).resolves.toBeDefined()
  })
})
