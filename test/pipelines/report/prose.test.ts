import {expect, test} from 'vitest'
import {highlighted, readable} from '../../../pipelines/report/prose.ts'

const span = (kind: string, text: string) => `<span class="${kind}">${text}</span>`

test.each([
  ['int32_t a = 0x1F; // why < b', `${span('k', 'int32_t')} a = ${span('d', '0x1F')}; ${span('c', '// why &lt; b')}`],
  [
    '/* a\nb */ f("x\\"y", \'c\');',
    `${span('c', '/* a\nb */')} f(${span('s', '&quot;x\\&quot;y&quot;')}, ${span('s', "'c'")});`,
  ],
  ['/* open', span('c', '/* open')],
  ['  # include <a.h>', `${span('k', '  # include')} &lt;a.h&gt;`],
  [
    'DataCopy (x); Get<T>(); abc(); AB();',
    `${span('a', 'DataCopy')} (x); ${span('a', 'Get')}&lt;T&gt;(); abc(); AB();`,
  ],
  ['', ''],
])('code has a few colours: %j', (code, html) => expect(highlighted(code).html).toBe(html))

const text = (inner: string) => `<div class="text">${inner}</div>`
test.each([
  ['\n\na `b` **c** <d>\n\n', text('a <code>b</code> <b>c</b> &lt;d&gt;')],
  ['', ''],
  ['a\n```cpp\nint b;\n```\nc', `${text('a')}<pre><code>${span('k', 'int')} b;</code></pre>${text('c')}`],
  ['```\nint b;\n```', `<pre><code>${span('k', 'int')} b;</code></pre>`],
  ['```C++ x\nint b;\n```', `<pre><code>${span('k', 'int')} b;</code></pre>`],
  ['```python\nint(b)\n```', '<pre><code>int(b)</code></pre>'],
  ['```cppx\nint b\n```', '<pre><code>int b</code></pre>'],
  ['```text\nopen <', '<pre><code>open &lt;</code></pre>'],
  ['````text\n```\na\n````\nb', `<pre><code>\`\`\`\na</code></pre>${text('b')}`],
])('prose is read with its fences: %j', (written, html) => expect(readable(written).html).toBe(html))

const table = (...rows: string[]) => `<table>${rows.map((row) => `<tr>${row}</tr>`).join('')}</table>`
test.each([
  ['| a | `b` |\n|:--|--:|\n| 1 | 2 |\n', table('<th>a</th><th><code>b</code></th>', '<td>1</td><td>2</td>')],
  ['| a |\n|---|\n| x \\| y |\n| z |', table('<th>a</th>', '<td>x \\| y</td>', '<td>z</td>')],
  ['| a |\n| b |\n| c |', '| a |\n| b |\n| c |'],
  ['| a |\n|---|', '| a |\n|---|'],
])('a table of pipes is a table: %j', (written, html) => expect(readable(written).html).toBe(text(html)))
