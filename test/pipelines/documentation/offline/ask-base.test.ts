import {describe, expect, test} from 'vitest'
import {randomFrom} from '../../../../engine/random.ts'
import {
  displayName,
  mentioning,
  isToldBy,
  mostBinding,
  purposeOf,
  saysWhatItDoes,
} from '../../../../pipelines/documentation/offline/ask-base.ts'
import {asksOf, wordlessAsksOf} from '../../../../pipelines/documentation/offline/asks.ts'
import * as text from '../../../../pipelines/documentation/offline/text.ts'
import {docSection} from '../../../helpers/doc-section.ts'
import {cpp, parameters, prototypes} from '../../../helpers/doc-text.ts'
import {first, none} from '../../../helpers/page-facts.ts'

describe('what an interface is called and does', () => {
  test('a title stands with its class or family where it is common to several', () => {
    const name = (page: string, path: string, language: 'zh' | 'en' = 'zh') =>
      displayName(docSection({page, path, language}))
    expect(name('Init', 'api/TQueBind/Init.md')).toBe('Init（TQueBind）')
    expect(name('Init', 'api/TQueBind/Init.md', 'en')).toBe('Init (TQueBind)')
    expect(name('Init', 'api/Host侧接口/Init.md')).toBe('Init（Host侧接口）')
    expect(name('Init', 'api/vector/Init.md')).toBe('Init')
    expect(name('TQueBind', 'api/TQueBind/TQueBind.md')).toBe('TQueBind')
    expect(name('Init说明', 'api/TQueBind/Init.md')).toBe('Init说明')
    expect(name('Init', 'Init.md')).toBe('Init')
  })

  test.each([
    '当数据对齐时搬运。',
    '此外把数据搬运。',
    '$a$为数据。',
    'y = x + 1',
    'k表示数据的个数。',
    '称为搬运的数据。',
    '该参数表示搬运。',
    '普通模式：搬运数据。',
    '接口功能与该接口相同。',
    '规则：搬运数据。',
    '为保证数据搬运完成，等待。',
  ])('%s does not say what an interface does', (sentence) => {
    expect(saysWhatItDoes(sentence)).toBe(false)
    expect(saysWhatItDoes('把数据搬运到另一处。')).toBe(true)
  })

  test('the purpose is what the interface is said to be for, in 160 characters', () => {
    const purpose = (...said: string[]) => purposeOf({...none, said: {function: said}})
    expect(purpose('把数据搬运到片上。', '本接口用于搬运数据。')).toBe('本接口用于搬运数据。')
    expect(purpose('当对齐时搬运。', '把数据搬运到片上。')).toBe('把数据搬运到片上。')
    expect([purpose('甲'.repeat(160)), purpose('甲'.repeat(161)), purpose()]).toEqual(['甲'.repeat(160), '', ''])
  })

  test('names are words of their own, of two letters', () => {
    expect(mentioning(['count为1', 'counter为1', 'n为1'], ['count', 'n'])).toEqual(['count为1'])
    expect(mostBinding(['搬运。', '必须对齐。', '计算。', '不能重叠。'], 2)).toEqual(['必须对齐。', '不能重叠。'])
    expect(mostBinding(['搬运。', '计算。', '不能重叠。'], 2)).toEqual(['搬运。', '不能重叠。'])
  })
})

describe('words of a text', () => {
  test('stops, lists and blocks', () => {
    expect([text.trimStop(' 搬运。！ '), text.closed('搬运'), text.closed('搬运；'), text.closed('$a$')]).toEqual([
      '搬运',
      '搬运。',
      '搬运。',
      '$a$',
    ])
    expect([text.lines('a', '', 'b'), text.blocks('a', '', 'b'), text.bulletList(['a', 'b'])]).toEqual([
      'a\nb',
      'a\n\nb',
      '- a\n- b',
    ])
    expect([text.ifAny([1], (items) => String(items)), text.ifAny([], () => 'x'), text.inOneLine(' a\n  b ')]).toEqual([
      '1',
      '',
      'a b',
    ])
    expect([text.codeBlock('a'), text.ticked('a')]).toEqual(['```cpp\na\n```', '`a`'])
    expect([
      text.prose(['a', 'b'], ' '),
      text.prose(['a$', 'b'], ' '),
      text.prose(['a', '$$b$$'], ' '),
      text.prose(['a', '$b$'], ' '),
    ]).toEqual(['a b', 'a$\n\nb', 'a\n\n$$b$$', 'a $b$'])
    expect(text.wholeMeaning(['甲'.repeat(100), '乙'.repeat(100), '丙'], '，')).toBe(
      `${'甲'.repeat(100)}，${'乙'.repeat(100)}`,
    )
    expect(text.wholeMeaning(['甲'.repeat(101), '乙'.repeat(100), '丙。'], '，')).toBe(`${'甲'.repeat(101)}，丙`)
    expect([3, 4, 5, 6].map((length) => text.isLeadOfLength('甲'.repeat(length), 4, 5))).toEqual([
      false,
      true,
      true,
      false,
    ])
  })

  test('types: what they hold, return and where they lie', () => {
    expect(text.typeLimit(['uint8_t'])).toEqual({bits: 8, max: 255})
    expect(text.typeLimit(['const uint16_t&', 'uint16_t'])).toEqual({bits: 16, max: 65_535})
    expect([text.typeLimit(['uint8_t', 'uint16_t']), text.typeLimit(['uint32_t']), text.typeLimit([])]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
    expect([
      text.memoryOf(['LocalTensor<T>']),
      text.memoryOf(['GlobalTensor<T>']),
      text.memoryOf(['LocalTensor<T>', 'GlobalTensor<T>']),
      text.memoryOf(['LocalTensor<T>', 'int']),
      text.memoryOf([]),
    ]).toEqual(['local', 'global', 'either', '', ''])
    expect(text.distinctTypes([{type: 'int'}, {type: 'int'}, {type: 'half'}])).toEqual(['int', 'half'])
    expect(text.returnedTypes([{returns: 'void'}, {returns: ''}, {returns: 'int'}, {returns: 'int'}])).toEqual(['int'])
  })

  test('element counts of an alignment, of two types of different size', () => {
    const aligned = (sentence: string, ...types: string[]) =>
      text.alignedElements(sentence, types).map(({dtype, elements}) => `${dtype} ${elements}`)
    expect(aligned('地址32字节对齐', 'half', 'int16_t', 'float', 'int8_t')).toEqual(['half 16', 'float 8'])
    expect(aligned('地址32B对齐', 'bool', 'half')).toEqual(['half 16'])
    expect(aligned('占用32字节', 'half')).toEqual([])
    expect(aligned('对齐到32字节或64字节', 'half')).toEqual([])
    expect(aligned('必须对齐', 'half')).toEqual([])
    expect(aligned('地址2字节对齐', 'half', 'float')).toEqual(['half 1'])
  })
})

describe('the questions of a section', () => {
  const form = prototypes('template <typename T> void Move(const LocalTensor<T>& dst, uint8_t repeat);')
  const table = parameters('dst | 输出 | 目的操作数。', 'repeat | 输入 | 次数，取值范围是[0, 15]。').replace(
    '## 参数说明\n\n',
    '',
  )
  const kinds = (part: Parameters<typeof docSection>[0], of: typeof asksOf = asksOf) =>
    Array.from({length: 12}, (_, at) => of(docSection(part), randomFrom(at)).map(({kind}) => kind)).find(
      (all) => all.length > 0,
    ) ?? []

  test('go by its role', () => {
    const page = 'Move'
    expect(kinds({page, role: 'parameters', markdown: table, context: form})).toEqual(['check'])
    expect(
      kinds({
        page,
        role: 'function',
        markdown: '把一段数据搬运到另一处。',
        context: `${form}\n\n## 流水类型\n\nPIPE_V`,
      }),
    ).toEqual(['need'])
    expect(kinds({page, role: 'prototype', markdown: form.replace('## 函数原型\n\n', '')})).toEqual(['forms'])
    expect(
      kinds({
        page,
        role: 'constraints',
        markdown: '- repeat不能为0。\n- 只能在核函数中调用。',
        context: `${form}\n\n## 参数说明\n\n${table}`,
      }),
    ).toEqual(['constraints'])
    expect(kinds({page, role: 'example', markdown: cpp('Move(dstLocal, 8);', 'int a = 1;'), context: form})).toEqual([
      'example',
    ])
    expect(kinds({page, role: 'returns', markdown: '- true：成功。\n- false：失败。', context: form})).toEqual([
      'returns',
    ])
    expect(kinds({page, role: 'data-types', markdown: 'T支持half、float。', context: form})).toEqual(['check'])
    expect(
      kinds({page, role: 'data-types', markdown: 'T支持half、float。', context: `${form}\n\n## 参数说明\n\n${table}`}),
    ).toEqual([])
    for (const role of ['pipe', 'support', 'headers'] as const)
      expect(kinds({page, role, markdown: 'PIPE_V', context: form})).toEqual([])
  })

  test('in another language tell numbers, types and code alone', () => {
    const page = 'Move'
    const listing = cpp('// 搬运数据', 'Move(dstLocal, 8);', '/* 结束 */ int a = 1; // end')
    const [ask] = wordlessAsksOf(docSection({page, role: 'example', markdown: listing, context: form}), first)
    expect(ask).toMatchObject({kind: 'example', example: {lead: '', code: '\nMove(dstLocal, 8);\n int a = 1; // end'}})
    expect(kinds({page, role: 'parameters', markdown: table, context: form}, wordlessAsksOf)).toEqual(['check'])
    expect(kinds({page, role: 'prototype', markdown: form.replace('## 函数原型\n\n', '')}, wordlessAsksOf)).toEqual([
      'forms',
    ])
    expect(kinds({page, role: 'constraints', markdown: '- repeat不能为0。', context: form}, wordlessAsksOf)).toEqual([])
    expect(
      kinds({page: 'Move接口', role: 'prototype', markdown: form.replace('## 函数原型\n\n', '')}, wordlessAsksOf),
    ).toEqual([])
    expect(kinds({page: 'mo', role: 'prototype', markdown: cpp('void mo_ve(int a, int b);')}, wordlessAsksOf)).toEqual(
      [],
    )
    expect(
      kinds({page: 'mo_ve', role: 'prototype', markdown: cpp('void mo_ve_rn(int a, int b);')}, wordlessAsksOf),
    ).toEqual([])
  })

  test('name a family by its first function', () => {
    const [ask] = asksOf(
      docSection({page: 'asc_move', role: 'prototype', markdown: cpp('void asc_move_rn(int a, int b);')}),
      first,
    )
    expect(ask).toMatchObject({api: 'asc_move_rn等接口'})
    const [english] = asksOf(
      docSection({
        page: 'asc_move',
        language: 'en',
        role: 'prototype',
        markdown: cpp('void asc_move_rn(int a, int b);'),
      }),
      first,
    )
    expect(english).toMatchObject({api: 'asc_move_rn and its family'})
  })
})

test.each([
  ['src和dst的起始地址必须32字节对齐。', '类型为LocalTensor，起始地址需要32字节对齐', true],
  ['src和dst的起始地址必须32字节对齐。', '类型为LocalTensor，起始地址需要64字节对齐', false],
  ['src和dst的起始地址必须32字节对齐，不能重叠。', '起始地址需要32字节对齐', false],
  ['The start address of dst must be 32-byte aligned.', 'A tensor. Its start address must be 32-byte aligned', true],
  ['The start address of dst must be 32-byte aligned.', 'A tensor.', false],
  ['调用Move时，n必须为512的倍数。', '个数，n必须为512的倍数', true],
])('%s is told by %s: %s', (rule, meaning, isTold) => expect(isToldBy(rule, [meaning])).toBe(isTold))
