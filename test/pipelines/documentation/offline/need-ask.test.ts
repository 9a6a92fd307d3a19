import {describe, expect, test} from 'vitest'
import type {Base} from '../../../../pipelines/documentation/offline/ask-base.ts'
import {needAsk} from '../../../../pipelines/documentation/offline/kinds/need-ask.ts'
import {subjectOf} from '../../../../pipelines/documentation/offline/page-subject.ts'
import {readPrototypes} from '../../../../pipelines/documentation/prototype.ts'
import {factsOfPage, type Facts} from '../../../../pipelines/documentation/section-facts.ts'
import {docSection} from '../../../helpers/doc-section.ts'
import {parameters, prototypes} from '../../../helpers/doc-text.ts'
import {base, fact, none} from '../../../helpers/page-facts.ts'

const _pageOf = (...sections: string[]) => factsOfPage(sections.join('\n\n'))
const declared = (code: string) => readPrototypes(code)
const _only = (code: string) => declared(code)[0]!

describe('what a page is about', () => {
  const subject = (page: string, code: string, part: Partial<Facts> = {}) =>
    subjectOf({page}, {...none, prototypes: declared(code), ...part})

  test('an interface by the name of its title', () => {
    expect(subject('Move', 'void Move(int a);')).toEqual({kind: 'api'})
    expect(subject('Move和Copy', 'void Copy(int a);')).toEqual({kind: 'api'})
    expect(subject('Move', '', {macros: declared('void Move(int a);')})).toEqual({kind: 'api'})
    expect(subject('Move', '', {types: declared('void Move(int a);')})).toEqual({kind: 'api', isType: true})
    expect(subject('Move', '')).toEqual({kind: 'guide'})
    expect(subject('搬运', 'void Move(int a);')).toEqual({kind: 'guide'})
  })

  test('a class by its members', () => {
    expect(subject('TPipe', 'void Init(int a);\nvoid Reset();')).toEqual({
      kind: 'class',
      name: 'TPipe',
      members: ['Init', 'Reset'],
    })
    expect(subject('TPipe', 'TPipe(int a);\nvoid Init(int a);')).toEqual({
      kind: 'class',
      name: 'TPipe',
      members: ['Init'],
    })
    expect(subject('TPipe', 'TPipe(int a);\n~TPipe();')).toEqual({kind: 'api'})
    expect(subject('Move', 'void Move(int a);\nvoid Copy(int a);')).toEqual({kind: 'api'})
    expect(subject('tPipe', 'void Init(int a);')).toEqual({kind: 'guide'})
  })

  test('a family by its first', () => {
    expect(subject('asc_move', 'void asc_move_rn(int a);\nvoid asc_move_rz(int a);')).toEqual({
      kind: 'api',
      first: 'asc_move_rn',
    })
    expect(subject('asc_mov', 'void asc_move(int a);')).toEqual({kind: 'guide'})
    const several = {parameters: [fact('a')], said: {function: ['搬运。']}}
    expect(subject('搬运', 'void Move(int a);\nvoid Copy(int a);', several)).toEqual({
      kind: 'api',
      first: 'Move',
      areSeveral: true,
    })
    expect(subject('搬运', 'void Move(int a);\nvoid Copy(int a);', {...several, parameters: []})).toEqual({
      kind: 'guide',
    })
    expect(subject('搬运', 'void Move(int a);\nvoid Copy(int a);', {...several, said: {}})).toEqual({kind: 'guide'})
    expect(subject('搬运', 'void Move(int a);\nvoid Move(float a);', several)).toEqual({kind: 'guide'})
    expect(subject('搬运', 'Move(int a);\nvoid Copy(int a);', several)).toEqual({kind: 'guide'})
  })
})

describe('what is needed', () => {
  const form = prototypes('template <typename T> void Move(const LocalTensor<T>& dst, const LocalTensor<T>& src);')
  const table = parameters('dst | 输出 | 目的操作数。', 'src | 输入 | 源操作数。')
  const asked = (
    markdown: string,
    rest: readonly string[] = [form, table],
    part: Partial<Facts> = {},
    of: Partial<Base> = {},
  ) => {
    const page = factsOfPage([`## 功能说明\n\n${markdown}`, ...rest].join('\n\n'))
    const section = docSection({page: 'Move', markdown})
    return needAsk({...factsOfPage(`## 功能说明\n\n${markdown}`), ...part}, page, {...base, ...of}, section)[0]
  }
  const purpose = '把一段数据按元素取反后写到另一处。'

  test('is asked by the task, with what the page tells', () => {
    expect(
      asked(`${purpose}两段数据不能互相重叠。`, [
        form,
        table,
        '## 流水类型\n\nPIPE_V',
        '## 约束说明\n\n- 只能在核函数中调用。',
        '## 返回值说明\n\n剩余的元素个数。',
        '## 数据类型\n\n支持half、float。',
      ]),
    ).toMatchObject({
      kind: 'need',
      api: 'Move',
      need: '把一段数据按元素取反后写到另一处',
      sentences: [purpose, '两段数据不能互相重叠。'],
      operands: [{name: 'dst'}, {name: 'src'}],
      plain: undefined,
      dtypes: ['half', 'float'],
      pipe: 'PIPE_V',
      returns: ['剩余的元素个数。'],
      limits: ['只能在核函数中调用。'],
    })
  })

  test('one sentence alone is told where there is something beside it', () => {
    expect(asked(purpose)).toBeUndefined()
    expect(asked(purpose, [form, table, '## 流水类型\n\nPIPE_V'])).toMatchObject({pipe: 'PIPE_V'})
    expect(asked(purpose, [form, table, '## 数据类型\n\n支持half。'])).toMatchObject({dtypes: ['half']})
    expect(asked(purpose, [prototypes('void Move(int a);')])).toMatchObject({plain: {prototype: {name: 'Move'}}})
    expect(asked('本接口与另一个接口配合使用完成搬运。')).toMatchObject({need: ''})
  })

  test('a task has ten characters and 120 at the most, and does not name the interface', () => {
    const need = (text: string) => asked(`${text}。两段数据的长度相等。`)?.need
    expect(need('把数据搬运到另一处')).toBe('')
    expect(need('把数据搬运到另外一处')).toBe('把数据搬运到另外一处')
    expect(need(`把数据${'甲'.repeat(117)}`)).toHaveLength(120)
    expect(need(`把数据${'甲'.repeat(118)}`)).toBe('')
    expect(need('用move把数据搬运到另一处')).toBe('')
    expect(need('主要用于把数据搬运到另外一处')).toBe('把数据搬运到另外一处')
  })

  test('functions for several purposes, and a title alone, have no need', () => {
    expect(
      asked(`${purpose}两段数据的长度相等。`, undefined, {}, {subject: {kind: 'api', areSeveral: true}}),
    ).toBeUndefined()
    const section = docSection({page: '把一段数据按元素取反', markdown: '把一段数据按元素取反。'})
    expect(
      needAsk(
        factsOfPage('## 功能说明\n\n把一段数据按元素取反。'),
        factsOfPage('## 流水类型\n\nPIPE_V'),
        base,
        section,
      ),
    ).toEqual([])
  })

  test('what is left of lists, formulas and paths is not told', () => {
    const last = '两段数据的长度相等。'
    const kept = (said: string[], part: Partial<Facts> = {}) =>
      asked(purpose, undefined, {said: {function: [purpose, ...said, last]}, ...part})?.sentences.slice(1, -1)
    expect(kept(['数据经过GM->UB的搬运。'])).toEqual([])
    expect(kept(['其中k表示数据的个数。'])).toEqual([])
    expect(kept(['其中$k$表示数据的个数。'])).toEqual([])
    expect(kept(['R(z) = z + 1'])).toEqual([])
    expect(kept(['其中数据的个数相等。'])).toEqual(['其中数据的个数相等。'])
    const both = ['数据共有k个元素。', '其中k表示数据的个数。']
    expect(kept(both)).toEqual(both)
    expect([kept([`$${'a'.repeat(119)}$`]), kept([`$${'a'.repeat(118)}$`])]).toEqual([[], [`$${'a'.repeat(118)}$`]])
    const cut = (isCut: boolean, ...said: string[]) => ({passages: {function: [{said, isCut}]}})
    expect(kept(['第一种是整数。'], cut(true, '第一种是整数。', '第二种是浮点数。'))).toEqual([])
    expect(kept(['第一种是整数。'], cut(false, '第一种是整数。', '第二种是浮点数。'))).toEqual(['第一种是整数。'])
    expect(kept(['第一种是整数。'], cut(true, '第一种是整数。'))).toEqual(['第一种是整数。'])
    expect(kept(['k表示数据的个数。'], {unread: {function: ['见下图。']}})).toEqual([])
    expect(kept(['k表示数据的个数。'])).toEqual(['k表示数据的个数。'])
  })

  test('a long text is cut to its purpose', () => {
    const text = (length: number) =>
      asked(`${purpose}${'甲'.repeat(length - purpose.length - 1)}。`, [form, table, '## 流水类型\n\nPIPE_V'])
        ?.sentences.length
    expect([text(1200), text(1201)]).toEqual([2, 1])
  })

  test('types are those of T, plain and without exceptions', () => {
    const types = (words: string, code = form) =>
      asked(purpose, [code, `## 数据类型\n\n${words}`, '## 流水类型\n\nPIPE_V'])?.dtypes
    expect(types('支持half、float。')).toEqual(['half', 'float'])
    expect(types('仅在模式一时支持half。')).toEqual([])
    expect(types('src支持half，dst支持float。')).toEqual([])
    expect(types('输入支持half。输出支持float。')).toEqual([])
    expect(types('支持half。', prototypes('void Move(int a, int b);'))).toEqual([])
    expect(types('支持half。', prototypes('void Move(__ubuf__ half* a, int b);'))).toEqual(['half'])
  })

  test('rules name what was told', () => {
    const limits = (rule: string) =>
      asked(purpose, [form, table, `## 约束说明\n\n- ${rule}`, '## 流水类型\n\nPIPE_V'])?.limits
    expect(limits('只能在核函数中调用。')).toEqual(['只能在核函数中调用。'])
    expect(limits('这些数据不能互相重叠。')).toEqual([])
    expect(limits('otherCount不能为空。')).toEqual([])
    expect(limits(purpose)).toEqual([])
  })

  test('declarations of other interfaces on the page are not its own', () => {
    const names = (code: string, rest: readonly string[] = []) =>
      asked(`${purpose}两段数据的长度相等。`, [prototypes(code), ...rest])?.prototypes.map(({name, returns}) =>
        `${returns} ${name}`.trim(),
      )
    expect(names('void Move(int a, int b);\nvoid Other(int a, int b);')).toEqual(['void Move'])
    expect(names('void Other(int a, int b);')).toEqual(['void Other'])
    expect(names('int Move(int a, int b);', ['## 返回值说明\n\n无'])).toEqual(['Move'])
    expect(names('int Move(int a, int b);')).toEqual(['int Move'])
    expect(names('void Move(int a, int b);', ['## 返回值说明\n\n无'])).toEqual(['void Move'])
  })
})
