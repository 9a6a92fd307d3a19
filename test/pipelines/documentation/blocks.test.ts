import {describe, expect, test} from 'vitest'
import {parseBlocks, plain} from '../../../datasets/blocks.ts'
import {declaredForms, formsBeside} from '../../../pipelines/documentation/declared-forms.ts'
import {
  announcedBy,
  isAnnounced,
  isLabel,
  labelOf,
  labelsAbove,
  underLabels,
} from '../../../pipelines/documentation/labels.ts'
import {partsAt, readPrototypes, splitTop, templateHead} from '../../../pipelines/documentation/prototype.ts'
import {readTable} from '../../../datasets/tables.ts'

const block = (markdown: string) => {
  const blocks = parseBlocks(markdown)
  expect(blocks).toHaveLength(1)
  return blocks[0]!
}
const kinds = (markdown: string) =>
  parseBlocks(markdown)
    .map(({kind}) => kind)
    .join(' ')

describe('blocks of Markdown', () => {
  test('headings', () => {
    expect(block('## A `b` ##')).toEqual({kind: 'heading', level: 2, text: 'A b', source: '## A `b` ##'})
    expect(block('###### A')).toMatchObject({kind: 'heading', level: 6})
    expect(block('# A C#')).toMatchObject({text: 'A C'})
    expect(kinds('####### A')).toBe('paragraph')
    expect(kinds('#A')).toBe('paragraph')
    expect(kinds('text\n# A\n\n\ntext')).toBe('paragraph heading paragraph')
  })

  test('listings lose the indent of their fence, and end at one as long', () => {
    expect(block('  ```c++ x\n    a\n b\n  ```')).toEqual({
      kind: 'code',
      language: 'c++',
      text: '  a\nb',
      indent: 2,
      source: '  ```c++ x\n    a\n b\n  ```',
    })
    expect(block('````\na\n```\nb\n````')).toMatchObject({text: 'a\n```\nb', language: ''})
    expect(block('~~~\na\n```\n~~~~')).toMatchObject({text: 'a\n```'})
    expect(block('```\na\n``` x')).toMatchObject({text: 'a'})
    expect(block('```\na\nb')).toMatchObject({text: 'a\nb'})
    expect(block('```\na\n\n```')).toMatchObject({text: 'a'})
    expect(kinds('```\na\n```\ntext')).toBe('code paragraph')
  })

  test('tables', () => {
    expect(block('| a | b |\n| --- | --- |\n| 1 | 2 |')).toMatchObject({kind: 'table'})
    expect(block('<table>\n<tr><td>\n\n1</td></tr>\n</table>')).toMatchObject({kind: 'table'})
    expect(kinds('<TABLE><tr></tr></TABLE>\ntext')).toBe('table paragraph')
    expect(kinds('| a | b |\n| --- | --- |\n| 1 | 2 |\ntext')).toBe('table paragraph')
    expect(kinds('| a | b |\ntext')).toBe('paragraph')
    expect(kinds('text\n| a | b |\n| --- | --- |')).toBe('paragraph table')
    expect(kinds('| a | b |\n| : | : |')).toBe('paragraph paragraph')
  })

  test('quotes', () => {
    expect(block('> a\n> > b\n> - c')).toEqual({kind: 'quote', alert: '', text: 'a b • c', source: '> a\n> > b\n> - c'})
    expect(block('> [!NOTE]\n> a')).toMatchObject({alert: 'NOTE', text: 'a'})
    expect(kinds('> a\ntext')).toBe('quote paragraph')
  })

  test('items go on to the next block', () => {
    expect(block('  - a\n    b')).toEqual({kind: 'list', text: 'a b', indent: 2, source: '  - a\n    b'})
    for (const mark of ['-', '*', '+', '•', '1.', '12)', '3、']) expect(kinds(`${mark} a`)).toBe('list')
    expect(kinds('-a')).toBe('paragraph')
    expect(kinds('- a\n- b\n\nc')).toBe('list list paragraph')
    expect(kinds('- a\n# b')).toBe('list heading')
    expect(kinds('- a\n> b')).toBe('list quote')
    expect(kinds('- a\n```\nb\n```')).toBe('list code')
    expect(kinds('- a\n<table></table>')).toBe('list table')
  })

  test('paragraphs are one line of plain words', () => {
    expect(block('**a** `b`\nc')).toEqual({kind: 'paragraph', text: 'a b c', source: '**a** `b`\nc'})
    expect(plain('a<br/>b  ![x](y.png) c')).toBe('a b c')
    expect(plain('![x](y.png)表示输入')).toBe('<img>表示输入')
    expect(parseBlocks('\n \n')).toEqual([])
  })
})

describe('declarations', () => {
  const brief = (code: string) =>
    readPrototypes(code).map(({name, returns, parameters}) => {
      const list = parameters.map(
        ({type, name: own, defaultValue}) => `${type}|${own}${defaultValue === undefined ? '' : `=${defaultValue}`}`,
      )
      return `${returns} ${name}(${list.join('; ')})`.trim()
    })

  test.each([
    ['void F(int a)', ['void F(int|a)']],
    ['void F(int a);\nint G();', ['void F(int|a)', 'int G()']],
    ['void F(void) { G(1); }\nint H(int a)', ['void F()', 'int H(int|a)']],
    ['__aicore__ inline static void F(const int& a, half *b)', ['void F(const int&|a; half *|b)']],
    [
      'template <typename T, int n = 2> T F(Array<T, n> a[4], int b = G(1, 2))',
      ['T F(Array<T, n>[4]|a; int|b=G(1, 2))'],
    ],
    ['int F(const int, unsigned)', ['int F(const int|; unsigned|)']],
    ['TPipe(const int& a);', ['TPipe(const int&|a)']],
    ['~TPipe()', ['~TPipe()']],
    ['void AscendC::TPipe::Init(int a)', ['void Init(int|a)']],
    ['Add(x, y, 512);', []],
    ['F(const int&, int*)', ['F(const int&|; int*|)']],
    ['int a = F(1);', []],
    ['return F(1);', []],
    ['p->F(int a);', []],
    ['p.F(int a);', []],
    ['void F(Args... a)', ['void F(Args...|a)']],
    ['void F("x")', []],
    ['void F(int a + b)', []],
    ['struct S { int F(int a); };\nvoid G(int b)', ['void G(int|b)']],
    ['enum E { A, B };\nvoid G(int b)', ['void G(int|b)']],
    ['int n;\nvoid G(int b) const\nvoid H(int c)', ['void G(int|b)', 'void H(int|c)']],
    ['#define X(a) a\nvoid G(int b)', ['void G(int|b)']],
    ['/* void F(int a) */ // void H()\nvoid G(int b)', ['void G(int|b)']],
    ['__attribute__((always_inline, aligned(4))) void G(int b)', ['void G(int|b)']],
    ['bool operator()(int a, int b)', ['bool operator()(int|a; int|b)']],
    ['void F(int a', ['void F(int|a)']],
    ['void F(std::function<void(int, int)> f, int n)', ['void F(std::function<void(int, int)>|f; int|n)']],
    ['', []],
  ])('%s', (code, found) => {
    expect(brief(code)).toEqual(found)
  })

  test('the text of a declaration ends behind its qualifiers', () => {
    expect(readPrototypes('void F(int a) const ;\nvoid G() noexcept { }').map(({text}) => text)).toEqual([
      'void F(int a) const',
      'void G() noexcept',
    ])
  })

  test('template heads', () => {
    expect(templateHead('template <typename T, class U = Array<T, 2>> void F')).toEqual({
      templates: [
        {name: 'T', type: 'typename'},
        {name: 'U', type: 'class', defaultValue: 'Array<T, 2>'},
      ],
      rest: 'void F',
    })
    expect(templateHead('void F')).toEqual({templates: [], rest: 'void F'})
  })

  test('commas count outside of brackets', () => {
    expect(splitTop('a, f(b, c), d[1, 2], {e, g}, h<i, j>')).toEqual(['a', 'f(b, c)', 'd[1, 2]', '{e, g}', 'h<i, j>'])
    expect(splitTop('a < b, c')).toEqual(['a < b, c'])
    expect(splitTop('a << b, c')).toEqual(['a << b', 'c'])
    expect(splitTop('a <= b, c')).toEqual(['a <= b', 'c'])
    expect(splitTop('1 > 2, c')).toEqual(['1 > 2', 'c'])
    expect(splitTop('f<p->x>, c')).toEqual(['f<p->x>', 'c'])
    expect(splitTop('a <b; c, d')).toEqual(['a <b; c', 'd'])
    expect([splitTop(''), splitTop('void'), splitTop(' a ,, b ')]).toEqual([[], [], ['a', 'b']])
  })

  test('what a string holds is no bracket and no comma', () => {
    expect(partsAt('f("a, (", b) + c', 1)).toEqual(['"a, ("', 'b'])
    expect([partsAt('f(a, g(b, c)', 1), partsAt('(', 0), partsAt('()', 0)]).toEqual([['a', 'g(b, c)'], [], []])
  })

  test('a word that begins like a qualifier ends no declaration', () => {
    expect(readPrototypes('int F(int a)\nconstexpr int G(int b)').map(({text}) => text)).toEqual([
      'int F(int a)',
      'constexpr int G(int b)',
    ])
  })
})

describe('macros, types and aliases', () => {
  const names = (code: string) => {
    const {macros, types} = formsBeside(code)
    return [
      macros.map(({name, parameters}) => `${name}(${parameters.map((one) => `${one.type}|${one.name}`).join()})`),
      types.map(({name}) => name),
    ]
  }

  test('of a section on prototypes', () => {
    expect(names('#define MOVE(a, int b) body\nTASK_TYPE(key, TraceId id);\nTASK_TYPE(x) y\nABC(x)')).toEqual([
      ['MOVE(|a,int|b)', 'TASK_TYPE(|key,TraceId|id)'],
      [],
    ])
    expect(names('#define MOVE(...) body')).toEqual([['MOVE()'], []])
    expect(
      names('struct A { struct B { int x; }; };\nenum class C;\ntemplate <typename T> class D : public E { };'),
    ).toEqual([[], ['A', 'C', 'D']])
    expect(names('// struct A { };\n/* #define B */')).toEqual([[], []])
    expect(formsBeside('#define MOVE(a) body').macros[0]?.text).toBe('#define MOVE(a)')
    expect(formsBeside('TASK_TYPE(key);').macros[0]?.text).toBe('TASK_TYPE(key)')
    expect(formsBeside('template <typename T> struct A {\n  int x;\n};').types[0]).toMatchObject({
      templates: [{name: 'T'}],
      text: 'template <typename T> struct A {\n  int x;\n}',
    })
    expect(formsBeside('enum class C : int;').types[0]?.text).toBe('enum class C : int')
  })

  test('of a page: types anywhere under its title, all of the section on prototypes', () => {
    const forms = (title: string, ...markdown: string[]) =>
      declaredForms({title, markdown: markdown.join('\n\n')}).map(({name}) => name)
    const code = '```cpp\nstruct Move { };\nstruct Other { };\n#define MOVE(a)\nusing Alias = Move;\n```'
    expect(forms('Move', '## 函数原型', code)).toEqual(['MOVE', 'Move', 'Other', 'Alias'])
    expect(forms('Move结构体', '## 约束说明', code)).toEqual(['Move'])
    expect(forms('结构体', code)).toEqual([])
    expect(forms('Move', '## 函数原型', '## 约束说明', code)).toEqual(['Move'])
    expect(forms('Move', '## 函数原型', code.replace('cpp', 'python'))).toEqual([])
    expect(forms('Move', '## 函数原型', code.replace('cpp', 'text'))).toHaveLength(4)
  })
})

describe('tables', () => {
  const read = (source: string) => {
    const {header, rows} = readTable({kind: 'table', source})
    return [header, ...rows]
  }

  test('with pipes', () => {
    expect(read('| a | `b` |\n| --- | --- |\n| 1<br/>2 | x\\|y |\n|  | <pre>code</pre> |')).toEqual([
      ['a', 'b'],
      ['1\n2', 'x|y'],
      ['', '⟨listing⟩'],
    ])
    expect(read('| a |\n| --- |\n| <pre>code |')).toEqual([['a'], ['<pre>code']])
  })

  test('of HTML, whose merged cells repeat their value', () => {
    expect(
      read(
        '<table><tr><th>a</th><th>b</th><th>c</th></tr><tr><td rowspan="2">1</td><td ' +
          'colspan="2">2</td></tr><tr><td>3</td><td>4</td></tr></table>',
      ),
    ).toEqual([
      ['a', 'b', 'c'],
      ['1', '2', '2'],
      ['1', '3', '4'],
    ])
    const span = (attribute: string) => read(`<table><tr><td colspan="${attribute}">1</td></tr></table>`)[0]?.length
    expect([span('0'), span('-1'), span('1.5'), span('x'), span('1'), span('100'), span('101')]).toEqual([
      1, 1, 1, 1, 1, 100, 100,
    ])
  })

  test('of HTML: lists, paragraphs, breaks and listings of a cell', () => {
    const cell = (inner: string) => read(`<table><tr><td>${inner}</td></tr></table>`)[0]?.[0]
    expect(cell('a<ul><li>b<ul><li>c</li></ul></li></ul>')).toBe('a\n• b\n•• c')
    expect(cell('<li>a</li>')).toBe('• a')
    expect(cell('<p>a</p><p>b</p>c<br>d<pre>code</pre>')).toBe('a\nb\nc\nd\n⟨listing⟩')
  })
})

describe('labels', () => {
  test('lines that say what comes next', () => {
    expect([
      isLabel('false：'),
      isLabel('a: '),
      isLabel('a：b'),
      isAnnounced('公式如下。'),
      isAnnounced('如下所示'),
      isAnnounced('如下的公式'),
    ]).toEqual([true, true, false, true, true, false])
    expect(labelOf('• false：', 2)).toEqual({depth: 2, text: 'false'})
    expect(labelOf('- -1：', 1)).toEqual({depth: 1, text: '-1'})
    expect(labelOf('支持以下模式：', 0)).toEqual({depth: 0, text: ''})
    expect(labelOf('当开启时支持以下模式，仅一种：', 0).text).not.toBe('')
    expect(labelOf('参数eventID的取值范围如下：', 0).text).toBe('参数eventID的取值范围')
    expect(labelOf('支持三种传参形式：', 0).text).toBe('支持三种传参形式')
  })

  test('what is said before a list is announced', () => {
    expect(announcedBy('设置搬运的模式，支持以下取值：', 1)).toEqual({
      head: '设置搬运的模式',
      label: {depth: 1, text: ''},
    })
    expect(announcedBy('当count为0时，支持以下取值：', 1)).toEqual({head: '', label: {depth: 1, text: '当count为0时'}})
    expect(announcedBy('设置模式，支持以下取值：', 1)).toEqual({head: '', label: {depth: 1, text: ''}})
    expect(announcedBy('设置一模式，支持以下取值：', 1).head).toBe('设置一模式')
    expect(announcedBy('设置搬运的模式，其他的模式：', 1)).toMatchObject({head: ''})
    expect(announcedBy('Sets the mode, which is:', 0).head).toBe('Sets the mode')
  })

  test('hold for what stands deeper', () => {
    const labels = [0, 1, 2].map((depth) => ({depth, text: String(depth)}))
    expect(labelsAbove(labels, 2).map(({text}) => text)).toEqual(['0', '1'])
    expect(
      underLabels(
        [
          {depth: 0, text: 'false'},
          {depth: 1, text: ''},
        ],
        '不搬运。',
      ),
    ).toBe('false：不搬运。')
    expect(
      underLabels(
        [
          {depth: 0, text: 'a'},
          {depth: 1, text: 'b'},
        ],
        'moves.',
      ),
    ).toBe('a: b: moves.')
    expect(underLabels([{depth: 0, text: '搬运'}], '不搬运。')).toBe('不搬运。')
    expect(underLabels([], '不搬运。')).toBe('不搬运。')
    expect([
      underLabels([{depth: 0, text: 'f'}], '甲'.repeat(298))?.length,
      underLabels([{depth: 0, text: 'f'}], '甲'.repeat(299)),
    ]).toEqual([300, undefined])
  })
})
