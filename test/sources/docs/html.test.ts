import {readFileSync} from 'node:fs'
import {describe, expect, test} from 'vitest'
import {htmlToMarkdown} from '../../../sources/docs/html.ts'

const body = (inner: string) =>
  htmlToMarkdown(
    '<html><head><title>T</title></head><body><h1 class="topictitle1">Abs</h1>' +
      `<div class="topicbody">${inner}</div></body></html>`,
  ).markdown
const starter = (name: string) => htmlToMarkdown(readFileSync(`sources/starter/docs/${name}.html`, 'utf8'))

describe('htmlToMarkdown', () => {
  test('takes the title from the heading, else from the head', () => {
    expect(starter('add').title).toBe('Add')
    expect(htmlToMarkdown('<html><head><title> Only\n title </title></head><body><p>x</p></body></html>').title).toBe(
      'Only title',
    )
  })

  test('writes a DITA table as a pipe table and keeps lists in its cells', () => {
    const markdown = starter('cast').markdown
    expect(markdown).toContain('| dst | 输出 | 目的操作数。')
    expect(markdown).toMatch(/\| roundMode \| 输入 \| 舍入模式.*<br>• CAST_RINT：.*<br>• CAST_TRUNC：/)
    expect(markdown).not.toMatch(/cellrowborder|mcps1|width=/)
  })

  test('keeps a table with merged cells as bare HTML', () => {
    expect(starter('cast').markdown).toContain('<tr><td rowspan="3">half</td><td>float</td><td>CAST_NONE</td></tr>')
  })

  test.each([1, 2, 3].flatMap((rows) => [1, 2, 3].map((columns) => [rows, columns] as const)))(
    'a cell over %i rows and %i columns is merged when either is more than one',
    (rows, columns) => {
      const merged = `<td rowspan="${rows}" colspan="${columns}">one</td>`
      const table = `<table><tr>${merged}<td>two</td></tr><tr><td>three</td><td>four</td></tr></table>`
      const {markdown} = htmlToMarkdown(`<h1>T</h1>${table}`)
      expect(markdown.includes('<table>')).toBe(rows > 1 || columns > 1)
      expect(markdown).toContain('four')
    },
  )

  test('keeps a table with code in its cells as HTML, the code unbroken', () => {
    expect(starter('datacopypad').markdown).toContain(
      '<pre><code class="language-cpp">struct DataCopyExtParams {\n    uint16_t blockCount;',
    )
  })

  test('takes line numbers away from two-column listings', () => {
    expect(starter('initbuffer').markdown).toContain('```cpp\nAscendC::TPipe pipe;\nAscendC::TQue')
  })

  test('leaves a table of numbers and text alone', () => {
    expect(body('<table><tr><th>n</th><th>text</th></tr><tr><td>1</td><td>one</td></tr></table>')).toContain(
      '| 1 | one |',
    )
  })

  test('escapes a bar inside a cell', () => {
    expect(body('<table><tr><th>a</th><th>b</th></tr><tr><td>x|y</td><td>z</td></tr></table>')).toContain(
      '| x\\|y | z |',
    )
  })

  test('keeps identifiers, templates and formulas as they are', () => {
    expect(body('<p>dst_rep_stride of LocalTensor&lt;T&gt; is a*b*c, $dst_i = \\sqrt{x_i}$</p>')).toBe(
      'dst_rep_stride of LocalTensor<T> is a*b*c, $dst_i = \\sqrt{x_i}$',
    )
  })

  test('turns notes into alerts', () => {
    expect(
      body(
        '<div class="note"><img src="n.png"><span class="notetitle"> 说明： </span>' +
          '<div class="notebody"><p>甲</p></div></div>',
      ),
    ).toBe('> [!NOTE]\n> 甲')
    expect(body('<div class="caution"><div class="notebody"><p>乙</p></div></div>')).toContain('> [!CAUTION]\n> 乙')
  })

  test('keeps figures with their alternative text and links as text', () => {
    expect(starter('reducesum').markdown).toContain('](figure/zh-cn_formulaimage_reducesum.png)')
    expect(body('<p>see <a href="x.html">Muls</a></p>')).toBe('see Muls')
  })

  test('strips navigation and forms', () => {
    const page = htmlToMarkdown(
      [
        '<body><nav>下载</nav><div class="document-main"><h1>X</h1><p>正文</p>',
        '<div class="familylinks">父主题：<a href="p.html">Y</a></div></div><form>我要评分</form></body>',
      ].join(''),
    )
    expect(page).toEqual({title: 'X', markdown: '正文', linkShare: 0})
  })

  test('closes gaps between heading levels', () => {
    expect(body('<h4 class="sectiontitle">A</h4><p>a</p><h6>B</h6><p>b</p>')).toBe('## A\n\na\n\n### B\n\nb')
  })

  test.each([
    '',
    '<',
    '<table><tr><td rowspan="x">',
    '<pre>',
    '<div class="note">',
    '<table><tr><td><table>',
    '\u0000',
  ])('survives broken mark-up %j', (html) => {
    expect(htmlToMarkdown(html).markdown).toBeTypeOf('string')
  })
})
