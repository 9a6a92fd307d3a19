import {describe, expect, test} from 'vitest'
import {apisIn, definedIn, isWholeCode} from '../../../../pipelines/documentation/offline/listing.ts'
import {subjectOf} from '../../../../pipelines/documentation/offline/page-subject.ts'
import {silenceOf} from '../../../../pipelines/documentation/offline/silence.ts'
import {readPrototypes} from '../../../../pipelines/documentation/prototype.ts'
import type {Facts} from '../../../../pipelines/documentation/section-facts.ts'
import {docSection} from '../../../helpers/doc-section.ts'
import {parameters} from '../../../helpers/doc-text.ts'
import {fact, none} from '../../../helpers/page-facts.ts'

describe('what a page is about', () => {
  const subject = (page: string, code: string, part: Partial<Facts> = {}) =>
    subjectOf({page}, {...none, prototypes: readPrototypes(code), ...part})
  const form = (name: string) => ({name, returns: '', templates: [], parameters: [], text: name})

  test('an interface that its title names', () => {
    expect(subject('Move', 'void Move(int a);')).toEqual({kind: 'api'})
    expect(subject('Move（ISASI）', 'void Move(int a);\nvoid Copy(int a);')).toEqual({kind: 'api'})
    expect(subject('Move和Copy', 'void Copy(int a);')).toEqual({kind: 'api'})
    expect(subject('MOVE_ALL', '', {macros: [form('MOVE_ALL')]})).toEqual({kind: 'api'})
    expect(subject('MoveParams', '', {types: [form('MoveParams')]})).toEqual({kind: 'api', isType: true})
    expect(subject('MoveParams', '', {types: [form('Other')], macros: [form('Else')]})).toEqual({kind: 'guide'})
  })

  test('a class by its members', () => {
    const members = (...names: string[]) => ({kind: 'class', name: 'Queue', members: names})
    expect(subject('Queue', 'void Init(int a);\nvoid Free();\n~Queue();')).toEqual(members('Init', 'Free'))
    expect(subject('Queue', 'Queue();\nvoid Init(int a);')).toEqual(members('Init'))
    expect(subject('Queue', 'Queue();')).toEqual({kind: 'api'})
    expect(subject('Queue', 'void Queue(int a);\nvoid Init(int a);')).toEqual({kind: 'api'})
    expect(subject('Queue的成员', 'void Init(int a);')).toEqual({kind: 'guide'})
    expect(subject('queue', 'void Init(int a);')).toEqual({kind: 'guide'})
  })

  test('a family whose members begin with its title', () => {
    expect(subject('asc_float2int', 'void asc_float2int_rn(int a);\nvoid asc_float2int_rz(int a);')).toEqual({
      ...{kind: 'api', first: 'asc_float2int_rn'},
    })
    expect(subject('asc_float2int', 'void asc_float2integer(int a);')).toEqual({kind: 'guide'})
    expect(subject('asc', 'void asc_exp(int a);')).toEqual({kind: 'guide'})
  })

  test('functions for several purposes under a title of their own', () => {
    const told = {parameters: [fact('a')], said: {function: ['搬运数据。']}}
    const two = 'void move(int a);\nvoid copy(int a);'
    expect(subject('搬运', two, told)).toEqual({kind: 'api', first: 'move', areSeveral: true})
    expect(subject('搬运', 'void move(int a);\nvoid move(float a);', told)).toEqual({kind: 'guide'})
    const beside = (name: string, returns: string) => ({
      ...told,
      prototypes: [...readPrototypes(two), {...form(name), returns}],
    })
    expect(subject('搬运', '', beside('run', 'int'))).toMatchObject({areSeveral: true})
    expect(subject('搬运', '', beside('Mover', ''))).toEqual({kind: 'guide'})
    expect(subject('搬运', '', beside('operator', 'bool'))).toEqual({kind: 'guide'})
    expect(subject('搬运', two, {...told, parameters: []})).toEqual({kind: 'guide'})
    expect(subject('搬运', two, {...told, said: {}})).toEqual({kind: 'guide'})
    expect(subject('搬运', '', told)).toEqual({kind: 'guide'})
  })
})

describe('a listing', () => {
  test.each([
    ['a'.repeat(19), false],
    ['a'.repeat(20), true],
    ['a'.repeat(6000), true],
    ['a'.repeat(6001), false],
    ['Move(dst, src, count);\n...', false],
    ['Move(dst, src, count);\n// …', false],
    ['Move(dst, src, count); // 省略部分代码', false],
    ['kernel<<<8, nullptr, stream>>>(a);', false],
    ['Move(dst, ..., count);', false],
    ['Move(dst, src, count); ...;', false],
    ['Move(dst, src, count); // a...b', true],
  ])('is whole or not: %j', (code, isWhole) => {
    expect(isWholeCode(code)).toBe(isWhole)
  })

  test('defines some names, and calls others', () => {
    const code =
      'class Kernel {\nvoid Compute(int a) {\nAscendC::Add(a);\n}\n};\nstruct Data;\nint Run() const {\nCompute(1); }'
    expect([...definedIn(code)]).toEqual(['Compute', 'Run', 'Kernel', 'Data'])
    expect(apisIn(`${code}\n// Never(a)\nq.DeQue<half>(); Abs(a); Add(b); If(a); ab(c); Kernel(a);`)).toEqual([
      ...['Add', 'DeQue', 'Abs'],
    ])
  })
})

describe('a section is silent', () => {
  const silence = (part: Parameters<typeof docSection>[0]) => silenceOf(docSection(part))
  const page = 'Move'

  test.each(['support', 'headers', 'pipe'] as const)('where other answers tell it: %s', (role) => {
    expect(silence({page, role, markdown: '见下图。'})).toBe('not-asked-by-role')
  })

  test('where some of it is not understood, or it says too little', () => {
    expect(silence({page, role: 'constraints', markdown: '- 具体限制的内容见下图的灰色部分。'})).toBe('not-read-whole')
    expect(silence({page, role: 'constraints', markdown: '- 不能嵌套调用。'})).toBe('nothing-to-ask')
  })

  test('where a parameter of its page is not understood', () => {
    const unread = parameters('count | 输入 | 元素个数，具体内容见下图的灰色部分。')
    const markdown = '```cpp\nvoid Move(int count);\n```'
    expect(silence({page, role: 'prototype', markdown, context: unread})).toBe('not-read-whole')
    expect(silence({page, role: 'constraints', markdown: '- 不能嵌套调用。', context: unread})).toBe('nothing-to-ask')
    expect(silence({page, role: 'parameters', markdown: unread.replace(/^.*\n\n/, '')})).toBe('not-read-whole')
  })
})
