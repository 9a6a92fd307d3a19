import {expect, test} from 'vitest'
import {htmlToMarkdown} from '../../../sources/docs/html.ts'
import {cleanMarkdown} from '../../../sources/docs/markdown.ts'
import {withoutSiteWords} from '../../../sources/docs/site-words.ts'

test.each([
  '父主题： [Vector计算](a.md)',
  '**父主题：**Vector计算',
  '我要评分',
  '- 文档获取效率',
  '文档正确性',
  '文档完整性',
  '文档易理解',
  '文档获取效率 / 文档正确性 / 文档完整性 / 文档易理解',
  '## 搜索结果',
  '找到“0”个结果',
  '找到 12 个结果',
  '下载 中文 注册 开发者',
  '下载\n\n中文\n\n注册',
])('%j is the site, not the page', (line) => {
  expect(withoutSiteWords(`${line}\n\n正文。\n\n${line}`)).toBe('正文。')
})

test.each([
  '该接口的父主题是矢量计算。',
  '文档正确性由测试保证。',
  '搜索结果保存在dst中。',
  '找到结果后返回。',
  '下载',
  '- 下载\n- 安装驱动',
  '```\n父主题：x\n\n\n\n下载 中文\n```',
  '| 父主题 | 搜索结果 |\n| --- | --- |\n| 父主题： | 我要评分 |',
])('%j is the page', (text) => {
  expect(withoutSiteWords(`前文。\n\n${text}\n\n后文。`)).toBe(`前文。\n\n${text}\n\n后文。`)
})

test('both kinds of pages lose them', () => {
  const html = htmlToMarkdown(
    '<h1>X</h1><div>我要评分</div><p>正文。</p><div><strong>父主题：</strong> <a href="p">Y</a></div>',
  )
  expect(html.markdown).toBe('正文。')
  expect(cleanMarkdown('# X\n\n正文。\n\n父主题： [Y](y.md)\n', '910b').markdown).toBe('正文。')
})
