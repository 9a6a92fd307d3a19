import {expect, test} from 'vitest'
import {escape, html, raw} from '../../../eval/scores/markup.ts'

test('what is put into markup is text, unless it is markup already', () => {
  expect(html`<p>${'a < b & "c" > d'}</p>`.html).toBe('<p>a &lt; b &amp; &quot;c&quot; &gt; d</p>')
  expect(html`${raw('<b>')}${html`<i>${'<'}</i>`}`.html).toBe('<b><i>&lt;</i>')
  expect(escape('&lt;')).toBe('&amp;lt;')
})

test('lists are joined, numbers are said, and what is not there vanishes', () => {
  const rows = ['a', html`<br>`, 3]
  expect(html`[${rows}][${0}][${true}]`.html).toBe('[a<br>3][0][true]')
  expect(html`[${undefined}${null}${false}]`.html).toBe('[]')
  expect(html`${['x', [undefined, 'y']]}`.html).toBe('xy')
  expect(html`${{toString: () => '<own>'}}`.html).toBe('&lt;own&gt;')
})
