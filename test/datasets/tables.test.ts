import {describe, expect, test} from 'vitest'
import {parseBlocks} from '../../datasets/blocks.ts'
import {listingMark, readTable, type Table} from '../../datasets/tables.ts'

function read(markdown: string): Table {
  const block = parseBlocks(markdown).find((each) => each.kind === 'table')
  if (block?.kind !== 'table') throw new Error('no table')
  return readTable(block)
}

describe('readTable', () => {
  test('reads pipe tables with escaped bars and breaks', () => {
    expect(read('| 名 | 值 |\n| --- | :-: |\n| `a\\|b` | x<br>• y |')).toEqual({
      header: ['名', '值'],
      rows: [['a|b', 'x\n• y']],
    })
  })

  test('repeats merged cells of an HTML table', () => {
    expect(
      read(
        '<table><tr><th>s</th><th>d</th></tr><tr><td rowspan="2">half</td><td>float</td></tr><tr><td>int8_t</td></tr><tr><td colspan="2">无</td></tr></table>',
      ).rows,
    ).toEqual([
      ['half', 'float'],
      ['half', 'int8_t'],
      ['无', '无'],
    ])
  })

  test('leaves code out of cells and separates list items', () => {
    expect(
      read(
        '<table><tr><td>p</td><td>甲<pre><code>enum {\n}</code></pre><ul><li>乙</li><li>丙</li></ul></td></tr></table>',
      ).header,
    ).toEqual(['p', `甲\n${listingMark}\n• 乙\n• 丙`])
  })

  test('leaves code out of cells of a pipe table, and an open one where it is', () => {
    const rows = ['| 甲 <pre>enum {<br>A<br>};</pre> 乙 | z |', '| <pre>x | y |', '| a</pre> | b |']
    expect(read(`| p | q |\n|---|---|\n${rows.join('\n')}`).rows).toEqual([
      [`甲\n${listingMark}\n乙`, 'z'],
      ['<pre>x', 'y'],
      ['a</pre>', 'b'],
    ])
  })

  test('is not blown up by a hostile span', () => {
    expect(
      read('<table><tr><td rowspan="999999999" colspan="999999999">x</td></tr></table>').rows.length,
    ).toBeLessThanOrEqual(100)
  })
})
