import {describe, expect, test} from 'vitest'
import type {DocSection, SectionRole} from '../../../datasets/schema/document.ts'
import {SectionLinks} from '../../../pipelines/documentation/section-links.ts'
import {docSection} from '../../helpers/doc-section.ts'
import {cpp} from '../../helpers/doc-text.ts'

const headings: Partial<Record<SectionRole, string>> = {
  function: '功能说明',
  prototype: '函数原型',
  constraints: '约束说明',
  example: '调用示例',
}

/** Sections by number, and what links them. */
function linked(...sections: DocSection[]) {
  const links = new SectionLinks()
  for (const [id, one] of sections.entries()) links.add(one, id)
  const named = (id: number) => `${sections[id]!.origin.path}#${sections[id]!.role}`
  return {
    samePage: (id: number) => links.samePage(id).map((link) => `${link.id} ${link.role} ${link.why}${link.about}`),
    others: (id: number) =>
      links.otherPages(sections[id]!, id).map(({id: to, why, about, role}) => {
        expect(links.roleAt(to)).toBe(role)
        return `${why} ${about} ${named(to)}`
      }),
  }
}

const part = (path: string, role: SectionRole, markdown: string, more: {page?: string; heading?: string} = {}) =>
  docSection({
    page: more.page ?? path.replace(/.*\//, '').replace('.md', ''),
    path,
    role,
    heading: more.heading ?? headings[role] ?? role,
    markdown,
  })

/** An interface with a purpose and a prototype. */
const api = (path: string, form = '') => {
  const name = path.replace(/.*\//, '').replace('.md', '')
  return [
    part(path, 'function', '把所有的数据都写出。'),
    part(path, 'prototype', cpp(form === '' ? `void ${name}(int a, int b, int c = 1)` : form)),
  ]
}

describe('the own page', () => {
  test('by what tells most, of one kind the nearest first', () => {
    const roles: SectionRole[] = [
      'other',
      'constraints',
      'example',
      'constraints',
      'function',
      'constraints',
      'prototype',
      'other',
      'support',
    ]
    const page = linked(...roles.map((role) => part('a/Move.md', role, cpp('Move(a);'))))
    expect(page.samePage(4)).toEqual([
      '6 prototype same-page',
      '3 constraints same-page',
      '5 constraints same-page',
      '1 constraints same-page',
      '2 example same-page',
      '7 other same-page',
      '0 other same-page',
    ])
    expect(page.samePage(3).slice(0, 3)).toEqual([
      '6 prototype same-page',
      '1 constraints same-page',
      '5 constraints same-page',
    ])
    expect(page.samePage(0)).toHaveLength(7)
    expect(page.samePage(8).at(-1)).toBe('0 other same-page')
  })

  test('by kind: forms, limits, examples, parameters, purpose, types, returns, pipe, others', () => {
    const roles: SectionRole[] = [
      ...(['headers', 'other', 'pipe', 'returns', 'data-types', 'function', 'parameters'] as const),
      ...(['example', 'constraints', 'prototype', 'support'] as const),
    ]
    const page = linked(...roles.map((role) => part('a/Move.md', role, cpp('Move(a);'))))
    expect(page.samePage(10).map((one) => one.split(' ')[1])).toEqual(
      roles.filter((role) => role !== 'headers' && role !== 'support').reverse(),
    )
  })

  test('an example that only sends to a sample elsewhere shows nothing', () => {
    const example = (markdown: string) =>
      linked(part('a/Move.md', 'function', '搬运。'), part('a/Move.md', 'example', markdown)).samePage(0).length
    expect([
      example('样例请见仓库。'),
      example(cpp('Move(a);')),
      example('甲'.repeat(200)),
      example('甲'.repeat(201)),
    ]).toEqual([0, 1, 0, 1])
  })
})

describe('interfaces that code calls', () => {
  const caller = (code: string, role: SectionRole = 'example') => part('a/Sum.md', role, cpp(code))

  test('with prototype, purpose, constraints and example', () => {
    const all = linked(
      caller('DataCopy(a, b);'),
      ...api('a/DataCopy.md'),
      part('a/DataCopy.md', 'constraints', '必须对齐。'),
      part('a/DataCopy.md', 'example', cpp('DataCopy(a, b);')),
      part('a/DataCopy.md', 'parameters', '数据。'),
    )
    expect(all.others(0)).toEqual([
      'calls DataCopy a/DataCopy.md#prototype',
      'calls DataCopy a/DataCopy.md#function',
      'calls DataCopy a/DataCopy.md#constraints',
      'calls DataCopy a/DataCopy.md#example',
    ])
  })

  test('are three at the most, the least common first, then by name', () => {
    const names = ['Alpha', 'Beta', 'Gamma', 'Delta']
    const pages = names.flatMap((name) => api(`a/${name}.md`))
    const uses = ['Alpha(a, b);', 'Alpha(a, b);', 'Beta(a, b);'].map((code, at) =>
      part(`u/Use${at}.md`, 'example', cpp(code)),
    )
    const found = linked(caller(names.map((name) => `${name}(a, b);`).join('\n')), ...pages, ...uses).others(0)
    expect(found.filter((one) => one.endsWith('#prototype'))).toEqual(
      ['Delta', 'Gamma', 'Beta'].map((name) => `calls ${name} a/${name}.md#prototype`),
    )
  })

  test('are pages with a prototype, and not the own', () => {
    expect(linked(caller('DataCopy(a, b);'), part('a/DataCopy.md', 'function', '搬运。')).others(0)).toEqual([])
    expect(linked(...api('a/Sum.md'), caller('Sum(a, b);')).others(2)).toEqual([])
    expect(linked(caller('DataCopy(a, b);', 'support'), ...api('a/DataCopy.md')).others(0)).toEqual([])
    expect(linked(caller('DataCopy(a, b);', 'headers'), ...api('a/DataCopy.md')).others(0)).toEqual([])
    const deprecated = api('a/DataCopy.md').map((one) => ({...one, page: 'DataCopy（废弃）'}))
    expect(linked(caller('DataCopy(a, b);'), ...deprecated).others(0)).toEqual([])
  })

  test('of several pages of one name, the one with as many arguments, of the class at hand, or near', () => {
    const two = [...api('a/x/Init.md', 'void Init(int a)'), ...api('a/y/Init.md', 'void Init(int a, int b, int c = 1)')]
    const first = (code: string) => linked(caller(code), ...two).others(0)[0]
    expect(first('Init(a);')).toBe('calls Init a/x/Init.md#prototype')
    expect(first('Init(a, b);')).toBe('calls Init a/y/Init.md#prototype')
    expect(first('Init(a, b, c);')).toBe('calls Init a/y/Init.md#prototype')
    expect(first('Init(a, b, c, d);')).toBeUndefined()
    const near = [...api('a/b/Init.md', 'void Init(int a)'), ...api('c/d/Init.md', 'void Init(int a)')]
    expect(linked(part('a/b/Sum.md', 'example', cpp('Init(a);')), ...near).others(0)[0]).toBe(
      'calls Init a/b/Init.md#prototype',
    )
    const classes = [...api('a/TQue/Init.md', 'void Init(int a)'), ...api('a/TPipe/Init.md', 'void Init(int a)')]
    expect(linked(part('a/z/Sum.md', 'example', cpp('TPipe pipe;\npipe.Init(a);')), ...classes).others(0)[0]).toBe(
      'calls Init a/TPipe/Init.md#prototype',
    )
    expect(
      linked(part('z/z/Sum.md', 'example', cpp('pipe.Init(a);')), ...api('a/TQue/Init.md', 'void Init(int a)')).others(
        0,
      ),
    ).toEqual([])
  })

  test('count with what else leads there once, and with a name in brackets or several names as well', () => {
    const all = linked(
      part('a/Sum.md', 'example', `先用DataCopy搬运。\n\n${cpp('DataCopy(a, b);')}`),
      ...api('a/DataCopy.md').map((one) => ({...one, page: 'DataCopy（ISASI）'})),
    )
    expect(all.others(0)).toEqual(['calls DataCopy a/DataCopy.md#prototype', 'calls DataCopy a/DataCopy.md#function'])
    const flags = api('a/flags.md').map((one) => ({...one, page: 'SetFlag/WaitFlag'}))
    expect(linked(caller('WaitFlag(a);\nSetFlag(a);'), ...flags).others(0)).toEqual([
      'calls SetFlag a/flags.md#prototype',
      'calls SetFlag a/flags.md#function',
    ])
  })

  /** The page that a call of Init is taken for; pages by their paths, with the form of each. */
  const taken = (from: string, code: string, pages: Record<string, string>, ...more: DocSection[]) =>
    linked(
      part(from, 'example', cpp(code)),
      ...Object.entries(pages).flatMap(([path, form]) => api(path, form)),
      ...more,
    )
      .others(0)
      .find((one) => one.endsWith('#prototype'))
      ?.replace(/^calls Init (.*)#prototype$/, '$1')
  const [one, two] = ['void Init(int a)', 'void Init(int a, int b)']

  test.each([
    ['a/b/c/Sum.md', 'a/b/TQue/Init.md', true],
    ['a/b/c/Sum.md', 'a/z/TQue/Init.md', false],
    ['a/b/c/Sum.md', 'z/z/z/Init.md', true],
    ['a/Sum.md', 'a/TQue/Init.md', true],
    ['a/Sum.md', 'z/TQue/Init.md', false],
    ['Sum.md', 'TQue/Init.md', false],
  ])('for %s a member function at %s is at hand without its class: %s', (from, path, isTaken) => {
    expect(taken(from, 'x.Init(a);', {[path]: one})).toBe(isTaken ? path : undefined)
    expect(taken(from, 'TQue x;\nx.Init(a);', {[path]: one})).toBe(path)
  })

  test('go by the number of arguments before the class, and by the class before nearness', () => {
    const far = {'z/Init.md': two, 'a/TQue/Init.md': one}
    expect(taken('a/b/Sum.md', 'TQue x;\nx.Init(a, b);', far)).toBe('z/Init.md')
    expect(taken('a/b/Sum.md', 'TQue x;\nx.Init(a);', {'z/TQue/Init.md': one, 'a/b/Init.md': one})).toBe(
      'z/TQue/Init.md',
    )
    const declared = part('a/x/Init.md', 'example', cpp('void Init(int a, int b)'))
    expect(taken('a/Sum.md', 'Init(a, b);', {'a/x/Init.md': one, 'a/y/Init.md': one}, declared)).toBeUndefined()
  })

  test('in the example of the page, where the interface is of one kind', () => {
    const sections = [
      ...api('a/WaitCopy.md'),
      part('a/WaitCopy.md', 'example', cpp('IterateAll(a, b);\nFetchCopy(a, b);\nWaitSignal(a, b);')),
    ]
    const others = [...api('a/IterateAll.md'), ...api('a/FetchCopy.md'), ...api('a/WaitSignal.md')]
    const found = linked(...sections, ...others).others(0)
    expect(found.filter((one) => one.endsWith('#prototype'))).toEqual(['calls WaitSignal a/WaitSignal.md#prototype'])
  })

  test.each([
    ['WaitCopy', 'CopyAll', false],
    ['WaitData', 'DataSum', false],
    ['WaitType', 'TypeSum', false],
    ['WaitTensor', 'TensorSum', false],
    ['WaitBuffer', 'BufferSum', false],
    ['WaitTiling', 'TilingSum', false],
    ['WaitAll', 'SumAll', false],
    ['WaitNext', 'NextSum', true],
  ])('in the example of %s %s is of its kind: %s', (own, name, isAkin) => {
    const page = [...api(`a/${own}.md`), part(`a/${own}.md`, 'example', cpp(`${name}(a, b);`))]
    expect(linked(...page, ...api(`b/${name}.md`)).others(0)).toHaveLength(isAkin ? 2 : 0)
  })

  test.each([
    ['Get', 'TBuf::Get', true],
    ['TBuf', 'TBuf::Get', false],
    ['asc_add', 'asc_add', true],
    ['min', 'min', false],
  ])('%s is a call of the page %s: %s', (name, page, isCall) => {
    const pages = api('a/page.md', `void ${name}(int a)`).map((one) => ({...one, page}))
    expect(linked(caller(`${name}(a);`), ...pages).others(0)).toHaveLength(isCall ? 2 : 0)
  })

  describe('in the example of the page', () => {
    const others = [...api('a/WaitSignal.md'), ...api('a/WaitEvent.md')]
    const example = part('a/WaitCopy.md', 'example', cpp('WaitSignal(a, b);\nWaitEvent(a, b);'))
    const calls = (...sections: DocSection[]) =>
      linked(...sections, ...others)
        .others(0)
        .filter((one) => one.startsWith('calls') && one.endsWith('#prototype'))

    test.each<[SectionRole, number]>([
      ['function', 1],
      ['prototype', 1],
      ['parameters', 1],
      ['constraints', 1],
      ['returns', 0],
      ['data-types', 0],
      ['other', 0],
    ])('are shown to a section of kind %s: %d', (role, times) => {
      const form = part('a/WaitCopy.md', 'prototype', cpp('void WaitCopy(int a)'))
      expect(calls(part('a/WaitCopy.md', role, '等待搬运。'), form, example)).toEqual(
        Array.from({length: times}, () => 'calls WaitEvent a/WaitEvent.md#prototype'),
      )
    })

    test("are the example's alone, of an interface, and for a section that calls nothing itself", () => {
      const [purpose, form] = api('a/WaitCopy.md') as [DocSection, DocSection]
      expect(calls(purpose, example)).toEqual([])
      expect(calls(purpose, form, {...example, role: 'constraints'})).toEqual([])
      expect(calls(part('a/WaitCopy.md', 'function', cpp('Other(a);')), form, example)).toEqual([])
    })
  })
})

describe('interfaces that prose names', () => {
  test('are two at the most, and compound names alone', () => {
    const names = ['DataCopy', 'VecAdd', 'MulAll', 'Sync']
    const pages = names.flatMap((name) => api(`a/${name}.md`))
    const found = linked(
      part('a/guide.md', 'other', '先用DataCopy，再用VecAdd、MulAll和Sync。', {page: '指南'}),
      ...pages,
    ).others(0)
    expect(found).toEqual(['names DataCopy a/DataCopy.md#function', 'names MulAll a/MulAll.md#function'])
  })

  test('are shown with their limits', () => {
    const limits = part('a/DataCopy.md', 'constraints', '必须先写出。')
    const guide = part('a/guide.md', 'other', '先用DataCopy。', {page: '指南'})
    expect(linked(guide, ...api('a/DataCopy.md'), limits).others(0)).toEqual([
      'names DataCopy a/DataCopy.md#function',
      'names DataCopy a/DataCopy.md#constraints',
    ])
  })

  test('pages of the same name are linked by it', () => {
    const found = linked(
      ...api('a/b/Move.md'),
      ...api('a/b/c/Move.md'),
      ...api('z/Move.md'),
      ...api('a/Move.md'),
    ).others(0)
    expect(found).toEqual(['same-name Move a/b/c/Move.md#function', 'same-name Move a/Move.md#function'])
    expect(linked(part('a/Move.md', 'function', '搬运。'), ...api('b/Move.md')).others(0)).toEqual([])
    expect(linked(...api('b/Move.md'), part('a/Move.md', 'function', '搬运。')).others(0)).toEqual([])
    const both = api('a/both.md').map((one) => ({...one, page: 'MoveIn/MoveOut'}))
    expect(linked(...both, ...api('a/MoveIn.md')).others(0)).toEqual([])
  })
})

describe('sections that the text sends to', () => {
  const rule = (path: string, heading: string) => part(path, 'other', '数据必须对齐才可以。', {page: '说明', heading})

  test.each([
    ['请参见通用地址对齐约束。', 'names 通用地址对齐约束 a/rules.md#other'],
    ['详见通用地址对齐约束的说明。', 'names 通用地址对齐约束 a/rules.md#other'],
    ['参考：通用地址对齐约束。', undefined],
    ['通用地址对齐约束。', undefined],
  ])('%s', (text, found) => {
    expect(
      linked(part('a/Move.md', 'other', text), rule('a/rules.md', '通用地址对齐约束'))
        .others(0)
        .find((one) => one.startsWith('names')),
    ).toBe(found)
  })

  test('by headings of four characters, of their own kind, in no list of interfaces', () => {
    const found = (heading: string, page = '说明') =>
      linked(
        part('a/Move.md', 'other', `请参见${heading}。`),
        part('a/rules.md', 'other', '数据必须先写出。', {page, heading}),
      ).others(0).length
    expect([found('搬运流程'), found('流程甲'), found('约束说明'), found('搬运流程', '接口列表')]).toEqual([1, 0, 0, 0])
  })

  test('of several, the one in the same folder or above', () => {
    const text = part('a/b/Move.md', 'other', '请参见搬运流程。')
    const flow = (path: string) => rule(path, '搬运流程')
    expect(linked(text, flow('c/rules.md'), flow('a/rules.md')).others(0)).toEqual(['names 搬运流程 a/rules.md#other'])
    expect(linked(text, flow('a/rules.md'), flow('a/b/rules.md')).others(0)).toEqual([
      'names 搬运流程 a/b/rules.md#other',
    ])
    expect(linked(text, flow('c/rules.md'), flow('d/rules.md')).others(0)).toEqual([])
    expect(linked(text, flow('c/rules.md')).others(0)).toHaveLength(1)
    expect(linked(text, flow('a/b/Move.md')).others(0)).toEqual([])
  })

  test('rules that it leans on, by the guide that is nearest and holds', () => {
    const asks = part('a/b/c/d/Move.md', 'other', '地址重叠时结果不定。')
    const guide = (path: string) => rule(path, '地址重叠约束')
    expect(linked(asks, guide('a/rules.md')).others(0)).toEqual(['constraint 地址重叠 a/rules.md#other'])
    expect(linked(asks, guide('a/rules.md'), guide('a/b/rules.md')).others(0)).toEqual([
      'constraint 地址重叠 a/b/rules.md#other',
    ])
    expect(linked(asks, guide('z/rules.md')).others(0)).toHaveLength(1)
    expect(linked(asks, guide('a/z/rules.md')).others(0)).toEqual([])
    expect(linked(asks, guide('a/b/c/z/rules.md')).others(0)).toHaveLength(1)
    expect(linked(asks, guide('a/b/z/rules.md')).others(0)).toEqual([])
    expect(linked(asks, guide('z/one.md'), guide('y/two.md')).others(0)).toEqual(['constraint 地址重叠 z/one.md#other'])
    expect(linked(asks, guide('a/b/c/d/Move.md')).others(0)).toEqual([])
    // What lies above holds for all below, however much further another one goes along.
    for (const both of [
      [guide('a/rules.md'), guide('a/b/c/z/rules.md')],
      [guide('a/b/c/z/rules.md'), guide('a/rules.md')],
    ])
      expect(linked(asks, ...both).others(0)).toEqual(['constraint 地址重叠 a/rules.md#other'])
  })

  test('rules are explained by guides, under a heading of their kind, to those that lean on them', () => {
    const asks = part('a/b/Move.md', 'other', '地址重叠时结果不定。')
    const guide = (heading: string, role: SectionRole = 'other') =>
      part('a/rules.md', role, '数据必须先写出。', {page: '说明', heading})
    expect(linked(asks, guide('地址重叠约束')).others(0)).toHaveLength(1)
    expect(linked(asks, guide('其他的约束')).others(0)).toEqual([])
    expect(linked(asks, guide('地址重叠约束', 'constraints')).others(0)).toEqual([])
    expect(linked(part('a/b/Move.md', 'other', '结果不定。'), guide('地址重叠约束')).others(0)).toEqual([])
    const form = part('a/rules.md', 'prototype', cpp('void Rules(int a)'), {page: '说明'})
    expect(linked(asks, guide('地址重叠约束'), form).others(0)).toEqual([])
  })
})
