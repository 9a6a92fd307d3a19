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
    samePage: (id: number) => links.samePage(id).map((link) => `${link.id} ${link.role} ${link.why}`),
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

  test('in the example of the page, where the interface is of one kind', () => {
    const sections = [
      ...api('a/WaitCopy.md'),
      part('a/WaitCopy.md', 'example', cpp('IterateAll(a, b);\nFetchCopy(a, b);\nWaitSignal(a, b);')),
    ]
    const others = [...api('a/IterateAll.md'), ...api('a/FetchCopy.md'), ...api('a/WaitSignal.md')]
    const found = linked(...sections, ...others).others(0)
    expect(found.filter((one) => one.endsWith('#prototype'))).toEqual(['calls WaitSignal a/WaitSignal.md#prototype'])
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

  test('pages of the same name are linked by it', () => {
    const found = linked(
      ...api('a/b/Move.md'),
      ...api('a/b/c/Move.md'),
      ...api('z/Move.md'),
      ...api('a/Move.md'),
    ).others(0)
    expect(found).toEqual(['same-name Move a/b/c/Move.md#function', 'same-name Move a/Move.md#function'])
    expect(linked(part('a/Move.md', 'function', '搬运。'), ...api('b/Move.md')).others(0)).toEqual([])
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
  })
})
