import {describe, expect, test} from 'vitest'
import {cleanTitle, htmlToMarkdown} from '../../../sources/docs/html.ts'

const body = (html: string) => htmlToMarkdown(`<h1>T</h1>${html}`).markdown

describe('a page', () => {
  test('is its content, without what stands around', () => {
    const page = (html: string) => htmlToMarkdown(html)
    expect(page('<title>A</title><nav>n</nav><main><h1> B  c </h1><p>d</p></main><footer>f</footer>')).toEqual({
      title: 'B c',
      markdown: 'd',
      linkShare: 0,
    })
    expect(page('<title> A  b </title><p>d</p>').title).toBe('A b')
    expect(page('<main>m</main><article>a</article><div class="document-main">d</div>').markdown).toBe('d')
    expect(page('<main>m</main><article>a</article>').markdown).toBe('a')
    expect(page('<div><h1>T</h1><div class="topicbody">b</div></div><p>o</p>')).toMatchObject({
      title: 'T',
      markdown: 'b',
    })
    expect(page('<p>a</p><div class="feedback">f</div><p hidden>h</p><form>g</form>').markdown).toBe('a')
    expect(page('')).toEqual({title: '', markdown: '', linkShare: 0})
    expect(cleanTitle(' a\n b ')).toBe('a b')
  })

  test('is links by so much of its text', () => {
    const share = (html: string) => htmlToMarkdown(html).linkShare
    expect([
      share('<p><a href="x">ab</a> cd</p>'),
      share('<p><a href="x">ab</a></p>'),
      share('<p><a name="x">ab</a></p>'),
    ]).toEqual([0.5, 1, 0])
    expect(body('<p>a <a href="x">b</a></p>')).toBe('a b')
  })
})

test('headings begin at the second level, without gaps', () => {
  expect(body('<h4>a</h4><h2>b</h2><h6>c</h6><h4>d</h4>')).toBe('### a\n\n## b\n\n#### c\n\n### d')
  expect(body('<h3>a</h3>')).toBe('## a')
})

describe('listings', () => {
  test('have a language and their lines', () => {
    expect(body('<pre class="language-py">a\u00A0=<br>1\n\n</pre>')).toBe('```python\na =\n1\n```')
    expect(body('<pre codetype="Cpp"><code class="lang-py">int a;</code></pre>')).toBe('```cpp\nint a;\n```')
    expect(body('<pre><code class="lang-py">a</code></pre>')).toBe('```python\na\n```')
    expect(body('<pre>\n\n  int a;</pre>')).toBe('```cpp\n  int a;\n```')
  })

  test('lose the numbers of their lines', () => {
    const table = (numbers: string, code: string) => `<table><tr><td>${numbers}</td><td>${code}</td></tr></table>`
    expect(body(table('<pre>1\n2</pre>', '<pre>int a;\nint b;</pre>'))).toBe('```cpp\nint a;\nint b;\n```')
    expect(body(table('<pre>1\n3</pre>', '<pre>int a;\nint b;</pre>'))).toContain('<table>')
    expect(body(table('1', 'b'))).toContain('| b |')
  })
})

test('notes are quotes of their kind', () => {
  expect(body('<div class="note"><img class="notetitle" src="x"><div class="notebody"><p>a</p></div></div>')).toBe(
    '> [!NOTE]\n> a',
  )
  expect(body('<div class="caution"><p>a</p></div>')).toBe('> [!CAUTION]\n> a')
  expect(body('<div class="note danger"><p>a</p></div>')).toBe('> [!WARNING]\n> a')
  expect(body('<div class="notice"><p>a</p></div>')).toBe('> [!IMPORTANT]\n> a')
})

describe('tables', () => {
  const row = (...cells: string[]) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`
  const head = '<tr><th>a</th><th>b</th></tr>'

  test('that Markdown can express lose their mark-up', () => {
    expect(body(`<table>${head}${row('<p>1</p><p>2</p>', '<ul><li>x</li><li>y</li></ul>')}</table>`)).toBe(
      '| a | b |\n| --- | --- |\n| 1<br>2 | • x<br>• y |',
    )
    expect(body(`<table><caption> c  d </caption>${head}${row('<pre>int e;</pre>', '2')}</table>`)).toBe(
      '**c d**\n\n| a | b |\n| --- | --- |\n| `int e;` | 2 |',
    )
    expect(body(`<table>${head}${row('1<p>2</p>', '<br>3')}</table>`)).toContain('| 1')
  })

  test('that it cannot are bare HTML', () => {
    const kept = body(
      `<table id="x" class="y"><colgroup><col></colgroup>${head}<tr><td colspan="2" ` +
        'width="9"><span>1</span></td></tr></table>',
    )
    expect(kept).toBe('<table><tbody><tr><th>a</th><th>b</th></tr><tr><td colspan="2">1</td></tr></tbody></table>')
    expect(body(`<table>${head}<tr><td rowspan="1" colspan="1">1</td><td>2</td></tr></table>`)).toContain('| 1 | 2 |')
    expect(body(`<table>${head}${row('<pre>int a;\nint b;</pre>', '2')}</table>`)).toContain(
      '<pre><code class="language-cpp">int a;\nint b;</code></pre>',
    )
    expect(body(`<table>${head}${row('<table><tr><td>in</td></tr></table>', '2')}</table>`)).toMatch(
      /^<table>.*<table>.*in.*<\/table>.*<\/table>$/s,
    )
  })
})

test('signs and figures of a text', () => {
  expect(body('<p>x<sub>1</sub>y<sup>12</sup> <em>e</em> <i>f</i> <strong>s</strong> a_b &lt;T&gt; *</p>')).toBe(
    'x_1y^{12} e f **s** a_b <T> *',
  )
  expect(body('<p><img src="a.png" alt=" x [y] " title="t"><img alt="z"></p>')).toBe('![x \\[y\\]](a.png)')
  expect(body('<ul><li>a</li><li>b</li></ul><p>c   d</p>')).toBe('- a\n- b\n\nc d')
})
