import {describe, expect, test} from 'vitest'
import {subjectOf} from '../../../pipelines/documentation/page-subject.ts'
import {readPrototypes} from '../../../pipelines/documentation/prototype.ts'
import type {Facts} from '../../../pipelines/documentation/section-facts.ts'
import {fact, none} from '../../helpers/page-facts.ts'

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
