import {describe, expect, test} from 'vitest'
import {cleanMarkdown, selectProduct} from '../../../sources/docs/markdown.ts'

const clean = (text: string) => cleanMarkdown(text, '910b').markdown

describe('selectProduct', () => {
  test('keeps what limits the text behind it to other products', () => {
    const limit = '<!-- npu="950" id1 -->该参数仅支持Ascend 950PR。<!-- end id1 -->'
    expect(selectProduct(`${limit}取值有两种。`, '910b')).toBe('该参数仅支持Ascend 950PR。取值有两种。')
    expect(selectProduct('<!-- npu="950" id1 -->仅支持传入false。<!-- end id1 -->取值有两种。', '910b')).toBe(
      '取值有两种。',
    )
    expect(selectProduct('<!-- npu="950" id1 -->该接口仅支持Ascend 950PR：\n- a\n<!-- end id1 -->b', '910b')).toBe('b')
  })

  test('keeps a block whose list names the product', () => {
    expect(
      selectProduct(
        'a\n<!-- npu="A3,910b" id1 -->\nb\n<!-- end id1 -->\n<!-- npu="950" id2 -->\nc\n<!-- end id2 -->\nd\n',
        '910b',
      ),
    ).toBe('a\nb\nd\n')
  })

  test('does not take 910 or 910b for one another', () => {
    expect(selectProduct('<!-- npu="910" id1 -->\nb\n<!-- end id1 -->\n', '910b')).toBe('')
    expect(selectProduct('<!-- npu="910b" id1 -->\nb\n<!-- end id1 -->\n', '910')).toBe('')
  })

  test('keeps a nested block only inside kept blocks', () => {
    const nested = (outer: string) =>
      `<!-- npu="${outer}" id1 -->\no\n  <!-- npu="910b" id2 -->\n  i\n  <!-- end id2 -->\np\n<!-- end id1 -->\nq\n`
    expect(selectProduct(nested('A3,910b'), '910b')).toBe('o\n  i\np\nq\n')
    expect(selectProduct(nested('950'), '910b')).toBe('q\n')
  })

  test('goes on after an end without a begin and after a begin without an end', () => {
    expect(selectProduct('a\n<!-- end id9 -->\nb\n', '910b')).toBe('a\nb\n')
    expect(selectProduct('<!-- npu="950" id1 -->\nx\n<!-- npu="910b" id2 -->\ny\n<!-- end id1 -->\nz\n', '910b')).toBe(
      'z\n',
    )
  })
})

describe('cleanMarkdown', () => {
  test('takes the title without anchors and marks', () => {
    expect(cleanMarkdown('# Add\\_Cast<a name="ZH-CN_TOPIC_1"></a>\n\ntext', '910b')).toMatchObject({
      title: 'Add_Cast',
      markdown: 'text',
    })
  })

  test('does not take a comment in a listing for the title', () => {
    expect(cleanMarkdown('```bash\n# not a title\n```\n\n# Title\n\ntext', '910b').title).toBe('Title')
  })

  test('reads the title of front matter', () => {
    expect(cleanMarkdown('---\ntitle: "Exp"\nurl: x\n---\n\n#### 功能\n\ntext', '910b').title).toBe('Exp')
  })

  test('makes links text, with parentheses in their targets', () => {
    expect(clean('见[Pad](../x/DataCopyPad(ISASI).md#a)和[表1](#t)。')).toBe('见Pad和表1。')
  })

  test('keeps images', () => {
    expect(clean('![公式](figures/a.png "标题") 与 ![](b.png)')).toBe('![公式](figures/a.png) 与 ![](b.png)')
  })

  test('decodes entities outside of code only', () => {
    expect(clean('LocalTensor&lt;T&gt;&nbsp;&bull;\n\n```cpp\nstd::string s = "&lt;";\n```')).toBe(
      'LocalTensor<T> •\n\n```cpp\nstd::string s = "&lt;";\n```',
    )
  })

  test('gives an untagged listing a language by its looks', () => {
    expect(clean('```\n__aicore__ inline void F();\n```')).toContain('```cpp\n')
    expect(clean('```\n$ cmake -S .\n```')).toContain('```bash\n')
  })

  test('bares HTML tables but keeps merged cells', () => {
    expect(
      clean(
        '<table id="t"><tr id="r"><td class="cellrowborder" rowspan="2" width="3%">' +
          '<p id="p"><a name="p"></a>x</p></td></tr></table>',
      ),
    ).toBe('<table><tr><td rowspan="2">x</td></tr></table>')
  })

  test('keeps a fence that is never closed', () => {
    expect(clean('# T\n\n```cpp\nint a;')).toContain('int a;')
  })
})

test('escapes within LaTeX are not those of Markdown', () => {
  expect(clean('# a\n\nb\\_c 与 $d\\_e$、$$f \\\\[4pt] g\\_h$$ i\\_j')).toBe(
    'b_c 与 $d\\_e$、$$f \\\\[4pt] g\\_h$$ i_j',
  )
})
