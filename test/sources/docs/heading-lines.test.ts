import {expect, test} from 'vitest'
import {headingLines} from '../../../sources/docs/convert.ts'

test.each([
  [
    'anchors, links and marks',
    '# T<a name="t"></a>\n\n## [Use\\_it](a(b).md)\n\ntext\n\n## **End** ##',
    '## Use_it\n\n## End',
    [3, 7],
  ],
  ['HTML', '<html>\n<h2 id="a">Use &amp; end</h2>\n<p>x</p>\n<h2>Last</h2>', '## Use & end\n\n## Last', [2, 4]],
  ['equal headings, each by its own', '## A\n\n## B\n\n## A', '## A\n\n## B\n\n## A', [1, 3, 5]],
  ['a heading that was put together', '<h2>Two\nlines</h2>\n<h2>Last</h2>', '## Two lines\n\n## Last', [null, 3]],
  ['a hash in a listing', '## A\n```\n## B\n```\n## C', '## A\n```\n## B\n```\n## C', [1, 5]],
  [
    'a hash in a table',
    '## A\n<table><td>\n## B\n</td></table>\n## C',
    '## A\n<table><td>\n## B\n</td></table>\n## C',
    [1, 5],
  ],
])('headings are found in their source: %s', (_, source, markdown, lines) => {
  expect(headingLines(source, markdown)).toEqual(lines)
})

test('ten thousand headings are found in a moment', () => {
  const text = Array.from({length: 10_000}, (_, index) => `## Part ${index}`).join('\n\n')
  expect(headingLines(text, text).at(-1)).toBe(19_999)
})
