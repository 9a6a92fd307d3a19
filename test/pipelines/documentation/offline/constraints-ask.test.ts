import {describe, expect, test} from 'vitest'
import {
  constraintsAsk,
  countsIn,
  mattersOf,
  plainRules,
  type Rule,
} from '../../../../pipelines/documentation/offline/kinds/constraints-ask.ts'
import {plainReturns, returnsAsks} from '../../../../pipelines/documentation/offline/kinds/returns-ask.ts'
import {readPrototypes} from '../../../../pipelines/documentation/prototype.ts'
import type {Facts} from '../../../../pipelines/documentation/section-facts.ts'
import {base, fact, none} from '../../../helpers/page-facts.ts'

describe('the rules of an interface', () => {
  const page = (rules: string[], part: Partial<Facts> = {}): Facts => ({
    ...none,
    said: {constraints: rules},
    parameters: [fact('count'), fact('n')],
    ...part,
  })
  const asked = (rules: string[], part: Partial<Facts> = {}, of: Partial<typeof base> = {}) =>
    constraintsAsk(page(rules, part), page(rules, part), {...base, ...of})
  const isAsked = (...args: Parameters<typeof asked>) => asked(...args).length > 0

  test.each([
    ['count为0时不执行。', 'behaviour'],
    ['This is a no operation.', 'behaviour'],
    ['源和目的的地址可以重叠，需要对齐。', 'overlap'],
    ['源和目的的空间可以复用。', 'overlap'],
    ['地址需要32字节对齐，在调用之前。', 'alignment'],
    ['The size is a multiple of 32 bytes.', 'alignment'],
    ['需要在搬运之前，不超过64。', 'order'],
    ['Init must be followed by this call.', 'order'],
    ['同步接口。', 'other'],
    ['count不超过64，支持half。', 'range'],
    ['count∈{1, 2}', 'range'],
    ['count在[ -1, 2]内。', 'range'],
    ['at least two', 'range'],
    ['只支持half，不支持别的。', 'type'],
    ['不支持在核函数中调用。', 'refusal'],
    ['在核函数中调用。', 'place'],
    ['Host侧接口。', 'place'],
    ['需要小心。', 'other'],
  ])('%s is on %s', (text, matter) => {
    expect(asked([text, '又一条'], {}, {hasNeed: false})[0]!.items[0]).toMatchObject({text, matter})
  })

  test('name parameters, and count elements of the types of the page', () => {
    const parameters = [fact('count'), fact('n'), fact('T', {meaning: ['支持half、float。']})]
    expect(asked(['count对应的地址需要32字节对齐。'], {parameters})).toEqual([
      {
        ...{kind: 'constraints', api: 'Move', isCall: true},
        items: [
          {
            ...{text: 'count对应的地址需要32字节对齐。', matter: 'alignment', about: ['count']},
            counts: [
              {bytes: 32, dtype: 'half', elements: 16},
              {bytes: 32, dtype: 'float', elements: 8},
            ],
          },
        ],
      },
    ])
  })

  test('are asked for where there is something to think of, or nowhere else to tell them', () => {
    expect(isAsked(['不能嵌套调用。'])).toBe(false)
    expect(isAsked(['不能嵌套调用。'], {}, {hasNeed: false})).toBe(true)
    expect(isAsked(['不能嵌套调用。', '不能在别处调用。'])).toBe(false)
    expect(isAsked(['count不能太大。'])).toBe(false)
    expect(isAsked(['count不能太大。', '不能嵌套调用。'])).toBe(true)
    expect(isAsked(['最多64个。', '不能嵌套调用。'])).toBe(true)
    expect(isAsked(['由MTE2搬运。', '不能嵌套调用。'])).toBe(false)
    expect(isAsked([], {}, {hasNeed: false})).toBe(false)
  })

  test('are left where they are too long, or not all understood', () => {
    const long = (length: number) => ['count不能太大。', '长'.repeat(length - 'count不能太大。'.length)]
    expect(isAsked(long(1600))).toBe(true)
    expect(isAsked(long(1601))).toBe(false)
    expect(isAsked(['count不能太大。', '不能嵌套调用。'], {unread: {constraints: ['见下表。']}})).toBe(false)
    expect(plainRules(page(['不能嵌套调用。'], {unread: {constraints: ['见下表。']}}))).toEqual([])
  })

  test('that make no question of their own are told elsewhere', () => {
    expect(plainRules(page(['不能嵌套调用。']))).toEqual(['不能嵌套调用。'])
    expect(plainRules(page(['count不能太大。', '不能嵌套调用。']))).toEqual([])
    expect(plainRules(none)).toEqual([])
  })

  test('of what is no call are rules of its use', () => {
    const isCall = (subject: (typeof base)['subject']) => asked(['x'], {}, {hasNeed: false, subject})[0]!.isCall
    expect(isCall({kind: 'api'})).toBe(true)
    expect(isCall({kind: 'api', isType: true})).toBe(false)
    expect(isCall({kind: 'guide'})).toBe(false)
  })

  test('are told by matter, the commonest first, what is on nothing in particular last', () => {
    const rule = (text: string, matter: Rule['matter']): Rule => ({text, matter, about: [], counts: []})
    const rules = [rule('a', 'other'), rule('b', 'range'), rule('c', 'type'), rule('d', 'type'), rule('e', 'other')]
    const told = mattersOf([...rules, rule('f', 'other')])
    expect(told.map(({matter, items}) => `${matter} ${items.map(({text}) => text).join('')}`)).toEqual([
      'type cd',
      'range b',
      'other aef',
    ])
  })

  test('count each amount once', () => {
    const counts = [
      {bytes: 32, dtype: 'half', elements: 16},
      {bytes: 64, dtype: 'half', elements: 32},
      {bytes: 32, dtype: 'float', elements: 8},
    ]
    const rule: Rule = {text: '', matter: 'other', about: [], counts}
    expect(countsIn([rule, rule])).toEqual(counts)
  })
})

describe('what an interface returns', () => {
  const said = (returns: string[], part: Partial<Facts> = {}): Facts => ({...none, said: {returns}, ...part})
  const asks = (returns: string[], part: Partial<Facts> = {}, of: Partial<typeof base> = {}) =>
    returnsAsks(said(returns, part), said(returns, part), {...base, ...of})
  const values = ['true：成功。', 'false：失败。']

  test('is asked for where values are told apart', () => {
    const prototypes = readPrototypes('bool Move(int a);')
    expect(asks(['返回结果。', ...values], {prototypes})).toEqual([
      {kind: 'returns', api: 'Move', sentences: ['返回结果。', ...values], values: ['true', 'false'], prototypes},
    ])
    expect(asks(values.slice(1))).toEqual([])
    expect(asks(['-1, error', 'ge::GRAPH_SUCCESS，成功'])[0]!.values).toEqual(['-1', 'ge::GRAPH_SUCCESS'])
    expect(asks(['a::b', 'c::d'])).toEqual([])
    expect(asks(values, {unread: {returns: ['见下表。']}})).toEqual([])
    expect(asks(['Move：个数。', 'Copy：个数。'], {prototypes})).toEqual([])
  })

  test('is told with three declarations at most', () => {
    const prototypes = readPrototypes(
      ['int', 'float', 'half', 'bool'].map((type) => `bool Move(${type} a);`).join('\n'),
    )
    expect(asks(values, {prototypes})[0]!.prototypes).toEqual(prototypes.slice(0, 3))
  })

  test('of members is asked for one by one', () => {
    const prototypes = readPrototypes('bool Init(int a);\nvoid Free();')
    const subject = {kind: 'class' as const, name: 'Queue', members: ['Init', 'Free']}
    const ofInit = ['true：Init成功。', 'false：Init失败。']
    expect(asks([...ofInit, '1：Free'], {prototypes}, {subject})).toEqual([
      {
        ...{kind: 'returns', api: 'Queue::Init', sentences: ofInit, values: ['true', 'false']},
        prototypes: prototypes.slice(0, 1),
      },
    ])
  })

  test('is a part of what it does otherwise', () => {
    expect(plainReturns(said(['个数。']))).toEqual(['个数。'])
    expect(plainReturns(said(values.slice(1)))).toEqual(values.slice(1))
    expect(plainReturns(said(values))).toEqual([])
    expect(plainReturns(said(['个数。'], {unread: {returns: ['见下表。']}}))).toEqual([])
    expect(plainReturns(none)).toEqual([])
  })
})
