import {describe, expect, test} from 'vitest'
import {codeLanguage} from '../../../sources/docs/code-language.ts'
import {headingLines} from '../../../sources/docs/convert.ts'
import {cleanMarkdown, selectProduct} from '../../../sources/docs/markdown.ts'
import {nestingDepth} from '../../../sources/docs/nesting.ts'

test.each([
  ['anything', 'C++', 'cpp'],
  ['anything', 'sh', 'bash'],
  ['anything', 'Rust', 'rust'],
  ['int a;', 'plain', 'text'],
  ['int a;', '', 'cpp'],
  ['a = b; // c', undefined, 'cpp'],
  ['#include <a.h>', undefined, 'cpp'],
  ['template <typename T>', undefined, 'cpp'],
  ['enum class A', undefined, 'cpp'],
  ['$ echo a;', undefined, 'bash'],
  ['project(a)', undefined, 'cmake'],
  ['set(A b)', undefined, 'cmake'],
  ['cd build', undefined, 'bash'],
  ['npu-smi info', undefined, 'bash'],
  ['output: 1', undefined, 'text'],
])('a listing %j that says %s is %s', (code, declared, language) => {
  expect(codeLanguage(code, declared)).toBe(language)
})

test.each([
  ['<div><div></div></div>', 'html', 2],
  ['<div></div><div></div>', 'html', 1],
  ['<p><p><p><li><td>', 'html', 0],
  ['<my-tag><my-tag>', 'html', 2],
  ['</div></div><div>', 'html', 1],
  ['<!-- <div><div> --><div>', 'html', 1],
  ['<div><!-- <div><div>', 'html', 1],
  ['LocalTensor<half> a<float>', 'markdown', 0],
  ['<ul><LI><UL>', 'markdown', 2],
  ['<half><half>', 'html', 2],
] as const)('%j as %s is nested %s deep', (text, format, depth) => {
  expect(nestingDepth(text, format)).toBe(depth)
})

test('headings are found in the source, in order', () => {
  const lines = (source: string, markdown: string) => headingLines(source, markdown)
  expect(lines('# A\n\ntext\n## [B](b.md)\n<h3>C&amp;D</h3>\n## B', '## B\n\n### C&D\n\n## B\n\n## E')).toEqual([
    4,
    5,
    6,
    null,
  ])
  expect(lines('B\nA\nB', '## A\n\n## B')).toEqual([2, 3])
  expect(lines('A\nB', '```\n# A\n```\n# B\n~~~\n# B\n```\n~~~\n#A')).toEqual([2])
  expect(lines('A\nB', '<table>\n# A\n</table>\n# B')).toEqual([2])
  expect(lines('A', '<table></table>\n# A')).toEqual([1])
  expect(lines('A', '# **!**\n\n# A')).toEqual([null, 1])
  expect(lines('A', '```\n<table>\n```\n# A')).toEqual([1])
})

describe('blocks of a page that are for products', () => {
  const select = (source: string) => selectProduct(source, '910b')

  test.each([
    ['a\n<!-- npu="A3,910b" id1 -->\nb\n<!-- end id1 -->\nc', 'a\nb\nc'],
    ['a\n<!-- npu="A3" id1 -->\nb\n<!-- end id1 -->\nc', 'a\nc'],
    ['a\n  <!-- npu="A3" id1 -->\nb\n  <!-- end id1 -->\nc', 'a\nc'],
    ['<!-- npu="910b" id1 -->\na\n<!-- npu="A3" id2 -->\nb\n<!-- end id2 -->\nc\n<!-- end id1 -->\nd', 'a\nc\nd'],
    ['<!-- npu="A3" id1 -->\na\n<!-- npu="910b" id2 -->\nb\n<!-- end id2 -->\nc\n<!-- end id1 -->\nd', 'd'],
    ['<!-- npu="A3" id1 -->\na\n<!-- npu="A3" id2 -->\nb\n<!-- end id1 -->\nc', 'c'],
    ['a\n<!-- end id9 -->\nb', 'a\nb'],
    ['a\n<!-- npu="A3" id1 -->\nb', 'a\n'],
    ['<!-- npu="A3" id1 -->\n仅支持Atlas A3\n<!-- end id1 -->\nb', '仅支持Atlas A3\nb'],
    ['<!-- npu="A3" id1 -->\n仅支持Atlas A3：\n<!-- end id1 -->\nb', 'b'],
    ['<!-- npu="910" id1 -->\na\n<!-- end id1 -->\n', ''],
  ])('%j', (source, kept) => {
    expect(select(source)).toBe(kept)
  })
})

describe('a page of Markdown', () => {
  const clean = (...lines: string[]) => cleanMarkdown(lines.join('\n'), '910b')

  test('has the title of its first heading, or of its front matter', () => {
    expect(clean('# The `a`\\_b', '', 'text')).toEqual({title: 'The a_b', markdown: 'text', linkShare: 0})
    expect(clean('---', 'title: "A"', '---', 'text')).toMatchObject({title: 'A', markdown: 'text'})
    expect(clean('---', 'title: A', '---', '# B', 'text').title).toBe('B')
    expect(clean('```', '# A', '```', 'text').title).toBe('')
    expect(clean('\uFEFF# A\r', 'text\r').title).toBe('A')
  })

  test('loses anchors, links, comments and escapes, not images', () => {
    expect(clean('<a name="x"></a>a [b](c.md) ![d](e.png) <a href="f">g</a> <!-- h --> i\\_j \\* &amp;').markdown).toBe(
      'a b ![d](e.png) g  i_j * &',
    )
    expect(clean('![](a.png "b") ![c](a.png "b") ![](a.png)').markdown).toBe('![b](a.png) ![c](a.png) ![](a.png)')
    expect(clean('x<sub>1</sub> y<sup>12</sup> <SUP>n</SUP>').markdown).toBe('x_1 y^{12} ^n')
    expect(clean('$a\\_b$ c\\_d').markdown).toBe('$a\\_b$ c_d')
    expect(clean('-   a', '', '', '', 'b').markdown).toBe('- a\n\nb')
    expect(clean('> [!NOTE] 说明：', '> a').markdown).toBe('> [!NOTE]\n> a')
  })

  test('keeps listings as they are, and tells their language', () => {
    expect(clean('```', 'int a; // [b](c)', '```').markdown).toBe('```cpp\nint a; // [b](c)\n```')
    expect(clean('  ~~~ py', '  a', '  ~~~').markdown).toBe('```python\n  a\n  ```')
    expect(clean('````', '```', 'a', '````', '[b](c)').markdown).toBe('```text\n```\na\n```\nb')
    expect(clean('```', '[b](c)').markdown).toBe('b')
  })

  test('tables lose what the authoring tool left', () => {
    expect(
      clean(
        '<table id="a"><thead><tr class="x"><TD width="5" rowspan="2" colspan=3><p>a</p> <b>b</b> &lt;' +
          '</TD></tr></thead></table>',
      ).markdown,
    ).toContain('<td rowspan="2" colspan=3>')
    expect(clean('<table id="a"><tr><td>&lt;</td></tr></table> &lt;').markdown).toBe(
      '<table><tr><td>&lt;</td></tr></table> <',
    )
  })

  test('is links by so much', () => {
    expect([
      clean('[ab](c) cd').linkShare,
      clean('[ab](c)').linkShare,
      clean('![ab](c) cd').linkShare,
      clean('').linkShare,
    ]).toEqual([0.5, 1, 0, 0])
  })
})
