import {describe, expect, test} from 'vitest'
import type {DocSection, SectionRole} from '../../../datasets/schema/document.ts'
import {SectionSearch} from '../../../pipelines/documentation/section-search.ts'
import {docSection} from '../../helpers/doc-section.ts'

function searchOf(sections: readonly DocSection[]): SectionSearch {
  const search = new SectionSearch()
  for (const one of sections) search.add(one)
  return search
}

/** The best answer, as `page/role`. */
function best(sections: readonly DocSection[], question: string): string {
  const found = sections[searchOf(sections).answering(question, 1)[0]!]!
  return `${found.page}/${found.role}`
}

const texts: Partial<Record<SectionRole, string>> = {
  support: '- Atlas A2：支持',
  function: '把数据搬运到另一处。',
  prototype: '```cpp\nvoid F(int32_t count)\n```',
  parameters: '| 参数名 | 描述 |\n| --- | --- |\n| count | 元素个数 |',
  'data-types': 'half、float。',
  returns: '无返回值以外的情形：搬运的个数。',
  constraints: '- 起始地址32字节对齐。',
  example: '```cpp\nF(8);\n```',
}
const pageOf = (page: string, roles: readonly SectionRole[], folder = '搬运') =>
  roles.map((role) => docSection({page, role, heading: role, markdown: texts[role]!, path: `api/${folder}/${page}.md`}))
const whole = Object.keys(texts) as SectionRole[]

describe('the page', () => {
  const guide = docSection({page: '概述', markdown: '本页多次提到Move：先调用Move，再调用Move。', role: 'other'})

  test('a title answers a question better than a mention', () => {
    const sections = [guide, ...pageOf('Move', ['function'])]
    expect(searchOf(sections).answering('Move有什么作用', 2)).toEqual([1, 0])
    expect(searchOf(sections).answering('Move有什么作用', 1)).toEqual([1])
  })

  test('a name is a whole word: MovePad is not Move', () => {
    const sections = [...pageOf('MovePad', whole), ...pageOf('Move', whole), ...pageOf('MoveAll', whole)]
    expect(best(sections, 'Move有哪些约束')).toBe('Move/constraints')
  })

  test('the class tells pages of one name apart', () => {
    const sections = [...pageOf('EnQue', whole, 'TQueBind'), ...pageOf('EnQue', whole, 'TQue')]
    const [first] = searchOf(sections).answering('TQue的EnQue返回什么', 1)
    expect(sections[first!]!.origin.path).toBe('api/TQue/EnQue.md')
    const [other] = searchOf(sections).answering('what does TQueBind::EnQue return', 1)
    expect(sections[other!]!.origin.path).toBe('api/TQueBind/EnQue.md')
  })

  test('the page of a name comes before a guide that says more of the rest', () => {
    const rest = docSection({page: '矩阵', role: 'other', markdown: '分形由Move搬运。'})
    const sections = [rest, ...['Move', 'Copy', 'Fill'].flatMap((page) => pageOf(page, ['function', 'prototype']))]
    expect(searchOf(sections).answering('Move搬运分形', 1)).toEqual([1])
  })

  test('its class counts more than mentions of the class', () => {
    const mention = '与TQue的EnQue相同，见TQue。'
    const sections = [
      docSection({
        page: 'EnQue',
        path: 'api/TQueBind/EnQue.md',
        role: 'returns',
        heading: '返回值',
        markdown: mention,
      }),
      docSection({page: 'EnQue', path: 'api/TQue/EnQue.md', role: 'returns', heading: '返回值', markdown: '真或假。'}),
    ]
    expect(searchOf(sections).answering('TQue的EnQue返回什么', 1)).toEqual([1])
  })

  test('a whole title counts more than its words', () => {
    const sections = [
      docSection({page: '策略与多核', role: 'other', markdown: '多核切分的策略很多，切分怎么选要看多核。'}),
      docSection({page: '多核切分策略', role: 'other', markdown: '最后一块较小。'}),
    ]
    expect(searchOf(sections).answering('多核切分策略怎么选', 1)).toEqual([1])
  })

  test('a title counts as quoted where the question has it as it is, and it is no short word', () => {
    const titled = (...pages: string[]) =>
      pages.map((page) => docSection({page, role: 'other', markdown: '最后一块较小。'}))
    const found = (question: string, ...pages: string[]) => searchOf(titled(...pages)).answering(question, 1)
    expect(found('多核切分策略怎么选', '策略切分多核', '多核切分策略')).toEqual([1])
    expect(found('多核切分策略怎么选', '多核切分策略', '策略切分多核')).toEqual([0])
  })

  test('a name is found by its parts', () => {
    const sections = [...pageOf('Relu', ['function']), ...pageOf('SoftmaxFlashV2', ['function'])]
    expect(best(sections, 'flash attention用的softmax')).toBe('SoftmaxFlashV2/function')
  })

  test('a guide whose title and heading are quoted comes before interfaces that it names', () => {
    const sections = [
      ...pageOf('Move', whole),
      docSection({page: '多核切分策略', heading: '尾块处理', role: 'other', markdown: '最后一块较小。'}),
      docSection({page: '多核切分策略', heading: '均匀切分', role: 'other', markdown: '用Move搬运最后一块。'}),
    ]
    expect(searchOf(sections).answering('多核切分策略里的尾块处理用Move怎么做', 1)).toEqual([8])
  })

  test('English words of the field find Chinese pages', () => {
    const sections = [
      docSection({page: '调试方法', role: 'other', markdown: '断点与单步。'}),
      docSection({page: '地址对齐要求', role: 'other', markdown: '各存储单元不同。'}),
    ]
    expect(searchOf(sections).answering('why does alignment of an address matter', 1)).toEqual([1])
  })
})

describe('the role', () => {
  const sections = [...pageOf('Copy', whole), ...pageOf('Move', whole)]

  test.each([
    ['Move返回什么', 'returns'],
    ['what does Move return?', 'returns'],
    ['Move支持half类型吗', 'data-types'],
    ['which dtypes does Move accept', 'data-types'],
    ['用Move有什么限制', 'constraints'],
    ['restrictions of Move', 'constraints'],
    ['Move的参数count怎么填', 'parameters'],
    ['which arguments does Move have', 'parameters'],
    ['Move的函数原型', 'prototype'],
    ['signature of Move', 'prototype'],
    ['给个Move的例子', 'example'],
    ['show sample code for Move', 'example'],
    ['Move是干嘛的', 'function'],
    ['what is Move for', 'function'],
    ['哪些产品支持Move', 'support'],
  ] as const)('%s', (question, role) => {
    expect(best(sections, question)).toBe(`Move/${role}`)
  })

  test('a product named in passing does not ask for the supported ones', () => {
    expect(best(sections, '在Atlas A2上Move怎么写')).toBe('Move/example')
  })

  test('what is asked first counts most', () => {
    expect(best(sections, 'Move的原型是什么，参数有哪些')).toBe('Move/prototype')
    expect(best(sections, 'Move的参数有哪些，原型是什么')).toBe('Move/parameters')
  })

  test('a page without the section that is asked for answers from the next best one', () => {
    const without = pageOf('Move', ['support', 'function', 'prototype', 'parameters', 'constraints', 'example'])
    expect(best(without, 'Move支持哪些数据类型')).toBe('Move/parameters')
    expect(best(without, 'Move返回什么')).toBe('Move/prototype')
  })
})

describe('similar sections', () => {
  const move = docSection({page: 'Move', markdown: '把分形矩阵搬运到缓冲。'})
  const carry = docSection({page: 'Carry', markdown: '把分形矩阵搬运到缓冲，随路转换。'})
  const far = docSection({page: 'Far', markdown: '分形以外的另一件事。'})
  const search = searchOf([
    docSection({page: 'Move', heading: '约束', markdown: '分形矩阵搬运缓冲。'}),
    move,
    carry,
    far,
  ])

  test('are of other pages, have most of the rare words, and fit', () => {
    expect(search.similar(move, 3, () => true)).toEqual([2])
    expect(search.similar(move, 3, (id) => id !== 2)).toEqual([])
  })
})

describe('sections like another', () => {
  const words = ['alpha', 'bravo', 'charlie', 'delta', 'echo', 'foxtrot', 'golf', 'hotel']
  const of = (page: string, own: readonly string[]) =>
    docSection({page, role: 'function', headings: [page], markdown: own.join(' ')})
  const similar = (...sections: DocSection[]) => searchOf(sections).similar(sections[0]!, 10, () => true)

  test.each([
    [5, []],
    [6, [1]],
    [7, [1]],
    [8, [1]],
  ])('share %i of the eight words: three quarters are enough', (count, found) => {
    const rest = of('rest', [...words.slice(count), '其余'])
    expect(similar(of('own', words), of('other', words.slice(0, count)), rest, rest)).toEqual(found)
  })

  test('words that no other section has tell nothing', () => {
    const alone = Array.from({length: 20}, (_, at) => `unheard${String.fromCharCode(97 + at)}`)
    expect(similar(of('own', [...words.slice(0, 4), ...alone]), of('other', words.slice(0, 4)))).toEqual([1])
  })

  test('a section of the same page is not another', () => {
    const own = of('own', words)
    expect(similar(own, {...own, origin: own.origin, headings: ['own', 'more']})).toEqual([])
  })
})
