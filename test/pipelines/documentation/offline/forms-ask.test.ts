import {describe, expect, test} from 'vitest'
import type {Base} from '../../../../pipelines/documentation/offline/ask-base.ts'
import {
  factOf,
  formsAsk,
  isPlain,
  isReserved,
  membersOf,
  saysReserved,
  variedIn,
} from '../../../../pipelines/documentation/offline/kinds/forms-ask.ts'
import {
  alikeElements,
  operandsOf,
  requiredCount,
  takesAnyNumber,
  templateUses,
} from '../../../../pipelines/documentation/offline/kinds/operands.ts'
import type {ParameterFact} from '../../../../pipelines/documentation/parameter-table.ts'
import {readPrototypes} from '../../../../pipelines/documentation/prototype.ts'
import {factsOfPage, type Facts} from '../../../../pipelines/documentation/section-facts.ts'
import {base, fact, none} from '../../../helpers/page-facts.ts'

const _pageOf = (...sections: string[]) => factsOfPage(sections.join('\n\n'))
const declared = (code: string) => readPrototypes(code)
const only = (code: string) => declared(code)[0]!

describe('how an interface is called', () => {
  const asked = (code: string, facts: ParameterFact[] = [], part: Partial<Facts> = {}, of: Partial<Base> = {}) => {
    const own: Facts = {...none, prototypes: declared(code), uses: declared(code).map(() => ''), ...part}
    return formsAsk(own, {...own, parameters: facts}, {...base, ...of})
  }
  const forms = (...args: Parameters<typeof asked>) => asked(...args).flatMap((ask) => ask.forms)

  test('one form with a parameter or none, and nothing to choose, is a part of what it does', () => {
    expect(isPlain(declared('void F(int a);'))).toBe(true)
    expect(isPlain(declared('void F();'))).toBe(true)
    expect(isPlain(declared('void F(int a, int b);'))).toBe(false)
    expect(isPlain(declared('void F(int a = 1);'))).toBe(false)
    expect(isPlain(declared('template <int n> void F(int a);'))).toBe(false)
    expect(isPlain(declared('void F(int a);\nvoid F(float a);'))).toBe(false)
    expect(isPlain([])).toBe(false)
    expect(asked('void Move(int a);')).toEqual([])
    expect(asked('void Move(int a);', [], {}, {hasNeed: false})).toHaveLength(1)
    expect(asked('void Move(int a, int b);')).toHaveLength(1)
    expect(asked('void Move();', [], {}, {hasNeed: false})).toEqual([])
    expect(asked('void Move();\nvoid Copy();', [], {}, {hasNeed: false})).toEqual([])
    expect(asked('template <int n> void Move();', [], {}, {hasNeed: false})).toHaveLength(1)
    expect(asked('')).toEqual([])
  })

  test('each parameter is told, all of it, or nothing is', () => {
    const code = 'template <typename T> void Move(MoveParams a, int b);'
    expect(asked(code, [fact('a', {meaning: []}), fact('x', {meaning: []})])).toHaveLength(1)
    expect(asked(code, [fact('a'), fact('b')])).toHaveLength(1)
    expect(asked(code, [fact('a')])).toEqual([])
    expect(asked(code, [fact('a'), fact('b', {meaning: []})])).toEqual([])
    expect(asked(code, [fact('a'), fact('b', {unread: ['见下表。']})])).toEqual([])
    expect(asked(code, [fact('a'), fact('b'), fact('T', {unread: ['见下表。']})])).toEqual([])
    expect(asked(code, [fact('a'), fact('b'), fact('T')])).toHaveLength(1)
    const member = (part: Partial<ParameterFact>) => fact('m', {structure: 'MoveParams', ...part})
    expect(asked(code, [fact('a'), fact('b'), member({unread: ['见下表。']})])).toEqual([])
    expect(asked(code, [fact('a'), fact('b'), member({})])).toHaveLength(1)
    expect(asked(code, [fact('a'), fact('b'), fact('m', {structure: 'Params', unread: ['见下表。']})])).toHaveLength(1)
  })

  test('forms of other chips, packs and very long ones are none', () => {
    expect(asked('void Move(int a, Arch3510 b);')).toEqual([])
    expect(asked('void Move(int a, Arch2201 b);')).toHaveLength(1)
    expect(asked('void Move(int a, Args... b);')).toEqual([])
    expect(asked('void Move(int a, int);')).toEqual([])
    const long = (length: number) => {
      const text = 'void Move(int a, int );'
      return asked(text.replace('int )', `int ${'b'.repeat(length - text.length + 1)})`)).length
    }
    expect([long(899), long(901)]).toEqual([1, 0])
  })

  test('six forms are told, or none', () => {
    const many = (count: number) => Array.from({length: count}, (_, at) => `void Move(int a, int b${at});`).join('\n')
    expect([forms(many(6)).length, forms(many(7)).length]).toEqual([6, 0])
    expect(asked(many(2), [], {unread: {prototype: ['见下表。']}})).toEqual([])
    expect(asked(many(1), [], {unread: {prototype: ['见下表。']}})).toHaveLength(1)
  })

  test('what sets forms apart: parameters, names, templates, uses', () => {
    const code = 'void Move(int a, int b);\ntemplate <int n> void Move(int a, int c);'
    expect(asked(code)[0]).toMatchObject({
      shared: ['a'],
      forms: [
        {own: ['b'], name: '', templates: []},
        {own: ['c'], templates: ['n']},
      ],
    })
    expect(forms('void Move(int a, int b);\nvoid Move(int a);').map(({own}) => own)).toEqual([['b'], []])
    expect(forms('void Move(int a, int b);\nvoid Copy(int a, int b);').map(({name}) => name)).toEqual(['Move', 'Copy'])
    expect(
      forms('template <int n> void Move(int a, int b);\ntemplate <int n> void Move(int a);').map(
        ({templates}) => templates,
      ),
    ).toEqual([[], []])
    const two = 'void Move(int a, int b);\nvoid Move(float a, int b);'
    expect(forms(two)).toHaveLength(1)
    expect(forms(two, [], {uses: ['整数', '浮点数']}).map(({use, variants}) => [use, variants])).toEqual([
      ['整数', [{name: 'a', types: ['int']}]],
      ['浮点数', [{name: 'a', types: ['float']}]],
    ])
  })

  test('types that vary, and those that go together', () => {
    const [varied] = forms('void Move(int a, int b);\nvoid Move(float a, int b);')
    expect(varied).toMatchObject({variants: [{name: 'a', types: ['int', 'float']}], together: undefined})
    const [both] = forms('void Move(int a, int b, int c);\nvoid Move(float a, float b, int c);')
    expect(both).toMatchObject({
      variants: [
        {name: 'a', types: ['int', 'float']},
        {name: 'b', types: ['int', 'float']},
      ],
      together: {
        names: ['a', 'b'],
        types: [
          ['int', 'int'],
          ['float', 'float'],
        ],
      },
    })
    expect(variedIn(forms('void Move(int a, int b);\nvoid Move(float a, int b);'))).toEqual([
      {name: 'a', types: ['int', 'float']},
    ])
  })

  test('notes are what no form is said to be for, 900 characters at the most', () => {
    const notes = (...said: string[]) =>
      asked('void Move(int a, int b);\nvoid Move(int a);', [], {uses: ['整数搬运', ''], said: {prototype: said}})[0]
        ?.notes
    expect(notes('整数搬运的接口。', '其他说明。')).toEqual(['其他说明。'])
    expect([notes('甲'.repeat(900)), notes('甲'.repeat(901))]).toEqual([['甲'.repeat(900)], []])
  })

  test('what the tables say of a parameter', () => {
    expect(factOf('count', [fact('count')])).toEqual(fact('count'))
    expect(factOf('count', [fact('Count')])).toEqual(fact('Count'))
    expect(factOf('cnt', [fact('Cnt')])).toBeUndefined()
    expect(factOf('count', [fact('count', {structure: 'S'})])).toBeUndefined()
    expect(factOf('count', [fact('count'), fact('count', {meaning: ['别的。']})])).toBeUndefined()
    expect(factOf('count', [fact('count'), fact('count', {meaning: ['别的。'], structure: 'S'})])).toEqual(
      fact('count'),
    )
    expect(
      membersOf('const MoveParams&', [
        fact('a', {structure: 'MoveParams'}),
        fact('b'),
        fact('c', {structure: 'Params'}),
      ]),
    ).toEqual([fact('a', {structure: 'MoveParams'})])
    expect([
      saysReserved('预留。'),
      saysReserved('保留位'),
      saysReserved('保留小数'),
      saysReserved('Reserved.'),
    ]).toEqual([true, true, false, true])
    expect([
      isReserved('a', [fact('a', {meaning: ['预留。']})]),
      isReserved('b', [fact('a', {meaning: ['预留。']})]),
      isReserved('a', [fact('a')]),
    ]).toEqual([true, false, false])
  })
})

describe('operands', () => {
  test('are what the table gives a direction, by where they lie', () => {
    const form = 'void Move(const LocalTensor<T>& dst, const GlobalTensor<T>& src, int n, int m);'
    const page = {
      ...none,
      prototypes: declared(form),
      parameters: [
        fact('dst', {direction: 'output'}),
        fact('src'),
        fact('n'),
        fact('m', {direction: ''}),
        fact('other'),
        fact('k', {structure: 'S'}),
      ],
    }
    expect(operandsOf(page)).toEqual([
      {name: 'dst', direction: 'output', memory: 'local'},
      {name: 'src', direction: 'input', memory: 'global'},
      {name: 'n', direction: 'input', memory: ''},
    ])
    expect(operandsOf({...page, parameters: [fact('n、src')]}).map(({name}) => name)).toEqual(['n', 'src'])
  })

  test('template parameters are deduced, have a default, or are written, with those before', () => {
    const uses = (code: string) =>
      templateUses(only(code)).map(({name, how, defaultValue}) => `${name} ${how} ${defaultValue}`.trim())
    expect(uses('template <typename T, int n, bool b = true> void F(const LocalTensor<T>& a);')).toEqual([
      'T before',
      'n written',
      'b default true',
    ])
    expect(uses('template <typename T, bool b = true> void F(const LocalTensor<T>& a);')).toEqual([
      'T deduced',
      'b default true',
    ])
    expect(uses('template <class T> void F(T a);')).toEqual(['T deduced'])
    expect(uses('template <int n> void F(Array<n> a);')).toEqual(['n written'])
    expect(uses('template <typename T> void F(int a);')).toEqual(['T written'])
    expect(uses('template <typename T> void F(AscendC::T a, TT b);')).toEqual(['T written'])
    expect(uses('template <typename, int n = 1> void F(int a);')).toEqual(['n default 1'])
  })

  test('tensors share an element type', () => {
    const form = only('template <typename T, typename U> void F(LocalTensor<T> a, LocalTensor<T> b, LocalTensor<U> c);')
    expect(alikeElements(form, [])).toEqual([{template: 'T', names: ['a', 'b']}])
    expect(alikeElements(form, [{name: 'b', types: ['LocalTensor<T>', 'LocalTensor<half>']}])).toEqual([])
    expect(alikeElements(form, [{name: 'b', types: ['LocalTensor<T>', 'GlobalTensor<T>']}])).toHaveLength(1)
  })

  test('arguments that a call must give, and macros that take any number', () => {
    expect(requiredCount(only('void F(int a, int b = 1, int c = 2);'))).toBe(1)
    const macro = (text: string) => takesAnyNumber({...only('void F(int a);'), text})
    expect([macro('F(...)'), macro('F( ... )'), macro('F(a, ...)')]).toEqual([true, true, false])
  })
})
