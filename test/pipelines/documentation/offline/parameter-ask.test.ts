import {describe, expect, test} from 'vitest'
import type {Random} from '../../../../engine/random.ts'
import type {Base} from '../../../../pipelines/documentation/offline/ask-base.ts'
import {
  constraintsAsk,
  countsIn,
  mattersOf,
  plainRules,
} from '../../../../pipelines/documentation/offline/kinds/constraints-ask.ts'
import {bound, parameterAsks} from '../../../../pipelines/documentation/offline/kinds/parameter-ask.ts'
import {plainReturns, returnsAsks} from '../../../../pipelines/documentation/offline/kinds/returns-ask.ts'
import type {ParameterFact} from '../../../../pipelines/documentation/parameter-table.ts'
import {readPrototypes} from '../../../../pipelines/documentation/prototype.ts'
import type {Facts} from '../../../../pipelines/documentation/section-facts.ts'
import {base, fact, first, none} from '../../../helpers/page-facts.ts'

describe('a parameter', () => {
  const form =
    'template <typename T, int n = 2> void Move(const LocalTensor<T>& dst, const LocalTensor<T>& src,' +
    ' int32_t gap, Mode mode);'
  const pageOf = (facts: ParameterFact[], part: Partial<Facts> = {}): Facts => ({
    ...none,
    prototypes: readPrototypes(form),
    parameters: facts,
    ...part,
  })
  const asks = (facts: ParameterFact[], part: Partial<Facts> = {}, random: Random = first, of: Partial<Base> = {}) => {
    const page = pageOf(facts, part)
    return parameterAsks(page, page, {...base, ...of}, random)
  }
  const modes = [
    {name: 'FAST', text: '快速模式。'},
    {name: 'SLOW', text: '慢速模式。'},
  ]
  const telling = {meaning: ['间隔必须是8的倍数。', '间隔不能超过64。']}

  test('with values is asked for one of them, with two rules for these', () => {
    expect(asks([fact('mode', {choices: modes}), fact('gap', telling)])).toMatchObject([
      {api: 'Move', parameter: {name: 'gap'}, choice: undefined, uses: [{position: 3, of: 4, type: 'int32_t'}]},
      {api: 'Move', parameter: {name: 'mode'}, choice: modes[0], uses: [{position: 4, of: 4, type: 'Mode'}]},
    ])
    expect(asks([fact('gap', {meaning: ['间隔必须是8的倍数。']})])).toEqual([])
    expect(asks([fact('mode', {choices: modes.slice(1)})])).toEqual([])
    expect(
      asks([
        fact('mode', {
          choices: [
            {name: 'small', text: '小。'},
            {name: 'FAST', text: '快。'},
          ],
        }),
      ]),
    ).toEqual([])
    expect(asks([fact('mode', {choices: [{name: 'FAST', text: '预留。'}, modes[1]!]})])).toMatchObject([
      {choice: modes[1]},
    ])
    expect(asks([fact('mode', {choices: modes, unread: ['见下表。']})])).toEqual([])
    expect(asks([fact('mode', {choices: modes, meaning: []})])).toEqual([])
    expect(asks([fact('mode', {choices: modes, meaning: ['预留参数。']})])).toEqual([])
  })

  test('two are asked for at the most, those of which most is said', () => {
    const facts = [
      fact('src', telling),
      fact('mode', {choices: modes}),
      fact('gap', {meaning: ['间隔必须是8字节的倍数。', '不能超过[0, 64]的范围。']}),
    ]
    expect(asks(facts).map(({parameter}) => parameter.name)).toEqual(['gap', 'src'])
  })

  test('is said once, and is no structure', () => {
    expect(asks([fact('gap', telling), fact('gap', telling)])).toEqual([])
    expect(asks([fact('gap', telling), fact('gap', {...telling, structure: 'S'})])).toHaveLength(2)
    const structure = {prototypes: readPrototypes('void Move(const MoveParams& gap);')}
    expect(asks([fact('gap', telling)], structure)).toEqual([])
    expect(asks([fact('gap', {...telling, structure: 'S'})], structure)).toHaveLength(1)
  })

  test('a template parameter has its kind and default', () => {
    expect(asks([fact('n', telling)])).toMatchObject([{template: {type: 'int', defaultValue: '2'}, uses: []}])
    expect(asks([fact('gap', telling)])[0]?.template).toBeUndefined()
  })

  test('rules that name it, and those that bind what it is', () => {
    const rules = (name: string, direction: ParameterFact['direction'], ...said: string[]) =>
      asks([fact(name, {...telling, direction})], {said: {constraints: said}})[0]?.constraints
    expect(rules('gap', 'input', 'gap不支持负数。', '源操作数必须对齐。', '所有参数必须有效。')).toEqual([
      'gap不支持负数。',
      '所有参数必须有效。',
    ])
    expect(rules('src', 'input', '源操作数必须对齐。', '目的操作数必须对齐。', '操作数必须对齐。')).toEqual([
      '源操作数必须对齐。',
      '操作数必须对齐。',
    ])
    expect(rules('dst', 'output', '源操作数必须对齐。', '目的操作数必须对齐。')).toEqual(['目的操作数必须对齐。'])
    expect(rules('dst', 'both', '源操作数必须对齐。', '目的操作数必须对齐。')).toHaveLength(2)
    expect(rules('dst', '', '源操作数必须对齐。', '目的操作数必须对齐。')).toEqual(['源操作数必须对齐。'])
    expect(rules('gap', 'input', '调用时，间隔必须是8的倍数。')).toEqual([])
    expect(rules('gap', 'input', 'gap不支持负数。')).toHaveLength(1)
    expect(
      asks([fact('gap', telling)], {said: {constraints: ['gap不支持负数。']}, unread: {constraints: ['见下表。']}}),
    ).toEqual([])
    expect(asks([fact('gap', telling)], {unread: {constraints: ['见下表。']}})).toHaveLength(1)
    expect(
      asks([fact('mode', {choices: modes})], {
        said: {constraints: ['FAST不支持负数。']},
        unread: {constraints: ['见下表。']},
      }),
    ).toHaveLength(1)
    expect(bound([...modes, {name: 'true', text: ''}], ['FAST和true不支持负数。'])).toEqual(['FAST'])
  })

  test('of a class, the member that has it; of a family, the function that has it', () => {
    const members = {prototypes: readPrototypes('void Init(int gap);\nvoid Run(int other, int gap);')}
    const subject = {kind: 'class', name: 'Mover', members: ['Run', 'Init']} as const
    expect(
      asks([fact('gap', telling)], members, first, {subject: {...subject, members: [...subject.members]}}),
    ).toMatchObject([{api: 'Mover::Run', uses: [{position: 2, of: 2}]}])
    expect(
      asks([fact('gone', telling)], members, first, {subject: {...subject, members: [...subject.members]}}),
    ).toEqual([])
    const family = (of: string) =>
      asks([fact('gap', telling)], members, first, {subject: {kind: 'api', first: of}})[0]?.api
    expect([family('Init'), family('Zero')]).toEqual(['Move', 'Init'])
    expect(asks([fact('other、gap', telling)], members, first)[0]?.uses).toEqual([])
  })
})

describe('constraints', () => {
  const asked = (said: string[], part: Partial<Facts> = {}, of: Partial<Base> = {}) => {
    const own: Facts = {...none, parameters: [fact('count'), fact('n')], said: {constraints: said}, ...part}
    return constraintsAsk(own, own, {...base, ...of})
  }

  test.each([
    ['count为0时不会执行。', 'behaviour'],
    ['源和目的不能重叠。', 'overlap'],
    ['地址必须32字节对齐。', 'alignment'],
    ['必须在初始化之后调用。', 'order'],
    ['count不能超过64。', 'range'],
    ['数据类型要一致。', 'type'],
    ['不支持负数。', 'refusal'],
    ['只能在核函数中调用。', 'place'],
    ['其他说明。', 'other'],
  ])('%s is about %s', (rule, matter) => {
    expect(asked([rule], {}, {hasNeed: false})[0]?.items.map((item) => item.matter)).toEqual([matter])
  })

  test('are asked for where they name parameters or amounts, all of them', () => {
    expect(asked(['count不能为空。', '只能在核函数中调用。'])).toMatchObject([
      {isCall: true, items: [{about: ['count']}, {about: []}]},
    ])
    expect(asked(['count不能为空。'])).toEqual([])
    expect(asked(['count不能为空。'], {}, {hasNeed: false})).toHaveLength(1)
    expect(asked(['不能为空。', '只能在核函数中调用。'])).toEqual([])
    expect(asked(['MTE2不能为空。', '只能在核函数中调用。'])).toEqual([])
    expect(asked(['不能为0。', '只能在核函数中调用。'])).toHaveLength(1)
    expect(asked(['n不能为空。', '只能在核函数中调用。'])).toEqual([])
    expect(asked(['count不能为空。', '只能在核函数中调用。'], {unread: {constraints: ['见下表。']}})).toEqual([])
    expect(asked([])).toEqual([])
    const types = {parameters: [fact('T', {meaning: ['支持half。']})]}
    expect(asked(['地址必须32字节对齐。'], types)).toMatchObject([
      {items: [{counts: [{bytes: 32, dtype: 'half', elements: 16}]}]},
    ])
    expect([asked(['甲'.repeat(1595), 'count'])[0]?.items.length, asked(['甲'.repeat(1596), 'count'])]).toEqual([2, []])
    expect(asked(['count不能为空。', '只能在核函数中调用。'], {}, {subject: {kind: 'guide'}})[0]?.isCall).toBe(false)
    expect(
      asked(['count不能为空。', '只能在核函数中调用。'], {}, {subject: {kind: 'api', isType: true}})[0]?.isCall,
    ).toBe(false)
  })

  test('that make no question are told with what the interface does', () => {
    const rules = (said: string[], part: Partial<Facts> = {}) =>
      plainRules({...none, said: {constraints: said}, ...part})
    expect(rules(['只能在核函数中调用。'])).toEqual(['只能在核函数中调用。'])
    expect(rules(['不能超过64。', '只能在核函数中调用。'])).toEqual([])
    expect(rules(['只能在核函数中调用。'], {unread: {constraints: ['见下表。']}})).toEqual([])
  })

  test('stand by what they are about, the commonest first, others last', () => {
    const rule = (matter: 'order' | 'range' | 'other', bytes = 32) => ({
      text: matter,
      matter,
      about: [],
      counts: [{bytes, dtype: 'half', elements: bytes / 2}],
    })
    const rules = [rule('other'), rule('other'), rule('order'), rule('range'), rule('range', 64)]
    expect(mattersOf(rules).map(({matter, items}) => [matter, items.length])).toEqual([
      ['range', 2],
      ['order', 1],
      ['other', 2],
    ])
    expect(countsIn(rules)).toEqual([
      {bytes: 32, dtype: 'half', elements: 16},
      {bytes: 64, dtype: 'half', elements: 32},
    ])
  })
})

describe('returns', () => {
  const page = (said: string[], part: Partial<Facts> = {}): Facts => ({
    ...none,
    prototypes: readPrototypes('bool Move(int a);\nbool Copy(int a);'),
    said: {returns: said},
    ...part,
  })
  const asks = (said: string[], part: Partial<Facts> = {}, of: Partial<Base> = {}) =>
    returnsAsks(page(said, part), page(said, part), {...base, ...of})

  test('are asked for where two values are told apart', () => {
    expect(asks(['true：成功。', 'false，失败。'])).toMatchObject([
      {api: 'Move', values: ['true', 'false'], sentences: ['true：成功。', 'false，失败。']},
    ])
    expect(asks(['true：成功。', '其余失败。'])).toEqual([])
    expect(asks(['Move：成功。', 'Copy：失败。'])).toEqual([])
    expect(asks(['true：成功。', 'false：失败。'], {unread: {returns: ['见下表。']}})).toEqual([])
    expect(asks(['ge::OK：成功。', '-1：失败。'])[0]?.values).toEqual(['ge::OK', '-1'])
    expect(plainReturns(page(['true：成功。']))).toEqual(['true：成功。'])
    expect(plainReturns(page(['true：成功。', 'false：失败。']))).toEqual([])
    expect(plainReturns(page(['true：成功。'], {unread: {returns: ['见下表。']}}))).toEqual([])
  })

  test('of a class, member by member', () => {
    const subject = {kind: 'class' as const, name: 'Mover', members: ['Move', 'Copy']}
    const said = ['true：Move成功。', 'false：Move失败。', '1：Copy成功。']
    expect(asks(said, {}, {subject})).toMatchObject([
      {api: 'Mover::Move', values: ['true', 'false'], prototypes: [{name: 'Move'}]},
    ])
  })
})
