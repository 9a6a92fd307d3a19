import {describe, expect, test} from 'vitest'
import {randomFrom} from '../../../../engine/random.ts'
import type {Random} from '../../../../engine/random.ts'
import {
  type Base,
  displayName,
  mentioning,
  mostBinding,
  purposeOf,
  saysWhatItDoes,
} from '../../../../pipelines/documentation/offline/ask-base.ts'
import {asksOf, wordlessAsksOf} from '../../../../pipelines/documentation/offline/asks.ts'
import {argumentsOf, explained, hasWrittenTemplates} from '../../../../pipelines/documentation/offline/calls.ts'
import {
  constraintsAsk,
  countsIn,
  mattersOf,
  plainRules,
} from '../../../../pipelines/documentation/offline/kinds/constraints-ask.ts'
import {exampleAsks} from '../../../../pipelines/documentation/offline/kinds/example-ask.ts'
import {bound, parameterAsks} from '../../../../pipelines/documentation/offline/kinds/parameter-ask.ts'
import {plainReturns, returnsAsks} from '../../../../pipelines/documentation/offline/kinds/returns-ask.ts'
import * as text from '../../../../pipelines/documentation/offline/text.ts'
import type {ParameterFact} from '../../../../pipelines/documentation/parameter-table.ts'
import {readPrototypes} from '../../../../pipelines/documentation/prototype.ts'
import {factsOfPage, type Facts} from '../../../../pipelines/documentation/section-facts.ts'
import {docSection} from '../../../helpers/doc-section.ts'
import {cpp, parameters, prototypes} from '../../../helpers/doc-text.ts'

const base: Base = {api: 'Move', subject: {kind: 'api'}, hasNeed: true}
const none = factsOfPage('')
const first: Random = {
  unit: () => 0,
  integer: (low) => low,
  pick: (values) => values[0]!,
  shuffle: (values) => [...values],
}
const fact = (name: string, part: Partial<ParameterFact> = {}): ParameterFact => ({
  name,
  names: name.split('、'),
  direction: 'input',
  meaning: ['数据。'],
  choices: [],
  unread: [],
  structure: '',
  ...part,
})

describe('the call of a listing', () => {
  const forms =
    'void Move(const LocalTensor<T>& dst, const LocalTensor<T>& src, int32_t count);\nvoid Move(const LocalTensor<T>& dst, T value, MoveParams params, int32_t n = 1);'
  const call = (code: string, declared = forms, facts: ParameterFact[] = []) => {
    const found = argumentsOf(code, readPrototypes(declared), facts)
    return found && `${found.name}(${found.arguments.map(({name, value}) => `${name}=${value}`).join(' ')})`
  }

  test.each([
    ['Move(dstLocal, srcLocal, 128);', 'Move(dst=dstLocal src=srcLocal count=128)'],
    ['Move<half>(dstLocal, srcLocal, 128);', 'Move(dst=dstLocal src=srcLocal count=128)'],
    ['MoveParams p;\nMove(dstLocal, 1.0f, p);', 'Move(dst=dstLocal value=1.0f params=p)'],
    ['MoveParams p;\nMove(dstLocal, 1.0f, p, 2);', 'Move(dst=dstLocal value=1.0f params=p n=2)'],
    ['Move(dstLocal, srcLocal, -0x1F);', 'Move(dst=dstLocal src=srcLocal count=-0x1F)'],
    ['Move(dstUb, srcUb, sizeof(half));', 'Move(dst=dstUb src=srcUb count=sizeof(half))'],
    ['Move(dstLocal, srcLocal, static_cast<int>(a));', 'Move(dst=dstLocal src=srcLocal count=static_cast<int>(a))'],
    ['Move(dstLocal, srcLocal, (int32_t)a);', 'Move(dst=dstLocal src=srcLocal count=(int32_t)a)'],
    ['int n = 4;\nMove(dstLocal, srcLocal, n);', 'Move(dst=dstLocal src=srcLocal count=n)'],
    ['Move(dstLocal, srcLocal, 1);\nMove(a, b, 2);', 'Move(dst=dstLocal src=srcLocal count=1)'],
    ['// Move(a, 1, 2, 3);\nMove(dstLocal, srcLocal, 128);', 'Move(dst=dstLocal src=srcLocal count=128)'],
    ['Move();\nMove(dstLocal, srcLocal, 128);', 'Move(dst=dstLocal src=srcLocal count=128)'],
    ['Move(dstLocal, srcLocal, 1);\nMove(dstLocal, srcLocal);', undefined],
    ['Move(dstLocal, srcLocal);', undefined],
    ['Move(dstLocal, srcLocal, 1, 2, 3);', undefined],
    ['Move(dstGm, srcLocal, 128);', undefined],
    ['Move(dstLocal, srcLocal, MoveParams::X);', 'Move(dst=dstLocal value=srcLocal params=MoveParams::X)'],
    ['Move(a, b, c);', undefined],
    ['void Move(int a) {\n}\nMove(dstLocal, srcLocal, 128);', undefined],
    ['MyMove(dstLocal, srcLocal, 128);', undefined],
    ['Other(dstLocal, srcLocal, 128);', undefined],
    ['', undefined],
  ])('%s', (code, found) => {
    expect(call(code)).toBe(found)
  })

  test('types that a listing declares tell its form', () => {
    const two = 'void F(int32_t* array, int n);\nvoid F(Mode mode, Other o);\nvoid F(U value, Third t);'
    expect(call('int32_t a[4];\nF(a, 1);', two)).toBe('F(array=a n=1)')
    expect(call('F(Mode::FAST, x);', two)).toBe('F(mode=Mode::FAST o=x)')
    expect(call('F(AscendC::Mode::FAST, x);', two)).toBe('F(mode=AscendC::Mode::FAST o=x)')
    expect(call('Third t;\nF(2, t);', two)).toBe('F(value=2 t=t)')
    expect(call('int32_t a[4];\nThird t;\nF(a[0], t);', two)).toBe('F(value=a[0] t=t)')
    expect(call('const AscendC::Other o{};\nF(x, o);', two)).toBe('F(mode=x o=o)')
    expect(call('auto o = G();\nF(x, o);', two)).toBeUndefined()
    expect(call('F(a + b, 1);', two)).toBe('F(array=a + b n=1)')
    expect(call('F(true, t);\n', two)).toBe('F(value=true t=t)')
  })

  test('forms whose parameters have the same names are one', () => {
    expect(call('F(1);', 'void F(int a);\nvoid F(float a);')).toBe('F(a=1)')
    expect(call('F(1);', 'void F(int a);\nvoid F(float b);')).toBeUndefined()
  })

  test('an argument comes with what the page says of its parameter', () => {
    const choices = [
      {name: 'FAST', text: '快。'},
      {name: 'SLOW', text: '慢。'},
    ]
    const mode = fact('mode', {choices})
    const found = argumentsOf('F(Mode::SLOW, a  +  b);', readPrototypes('void F(Mode mode, int n);'), [mode])
    expect(found?.arguments).toEqual([
      {name: 'mode', value: 'Mode::SLOW', parameter: mode, choice: choices[1]},
      {name: 'n', value: 'a + b', parameter: undefined, choice: undefined},
    ])
    expect(explained(found)).toHaveLength(2)
    expect(explained(argumentsOf('F(x, 1);', readPrototypes('void F(Mode mode, int n);'), []))).toEqual([])
    expect(explained(undefined)).toEqual([])
    expect([
      hasWrittenTemplates('F<half>(a);', 'F'),
      hasWrittenTemplates('MyF<half>(a);', 'F'),
      hasWrittenTemplates('F(a);', 'F'),
    ]).toEqual([true, false, false])
  })
})

describe('an example', () => {
  const form = prototypes('void Move(const LocalTensor<half>& dst, const LocalTensor<half>& src, int32_t count);')
  const table = parameters('dst | 输出 | 目的操作数。', 'src | 输入 | 源操作数。', 'count | 输入 | 元素个数。')
  const code = 'uint32_t len = 128;\nMove(dstLocal, srcLocal, len);'
  const asks = (examples: Facts['examples'], rest: string[] = [], api = 'Move') => {
    const page = factsOfPage([form, table, ...rest].join('\n\n'))
    return exampleAsks({...none, examples}, page, {...base, api}, [])
  }
  const one = (listing = code, rest: string[] = [], lead = '') => asks([{lead, code: listing}], rest)[0]

  test('is asked for with its arguments, numbers and size', () => {
    expect(one(`LocalTensor<half> dstLocal;\n${code}`)).toMatchObject({
      api: 'Move',
      settings: [{name: 'count', value: '128'}],
      size: {count: 128, dtype: 'half', bytes: 256, unitBytes: undefined},
      arrays: [],
      apis: ['Move'],
      steps: [],
      purpose: '',
      bare: undefined,
      constraints: [],
      rules: [],
    })
    expect(one(`LocalTensor<half> d;\n${code}`, ['## 约束说明\n\n- 数据量必须是32字节的整数倍。'])?.size).toMatchObject(
      {unitBytes: 32},
    )
  })

  test('a size is told of one type of element, and a number that is set once', () => {
    const size = (listing: string, lead = '') => one(listing, [], lead)?.size?.bytes
    expect(size(code)).toBeUndefined()
    expect(size(code, '搬运float数据')).toBe(512)
    expect(size(`LocalTensor<half> a;\nLocalTensor<float> b;\n${code}`)).toBeUndefined()
    expect(size(`half scale = 0.1;\n${code}`)).toBeUndefined()
    expect(size(`LocalTensor<int32_t> a;\n${code}`)).toBeUndefined()
    expect(size(`LocalTensor<half> d;\n${code}\nlen = 256;`)).toBeUndefined()
    expect(size('LocalTensor<half> d;\nMove(dstLocal, srcLocal, 64);')).toBe(128)
    expect(size('LocalTensor<half> d;\nuint32_t len = a * 2;\nMove(dstLocal, srcLocal, len);')).toBeUndefined()
  })

  test('arrays of the listing that are read', () => {
    const c = 'void Move(__ubuf__ half* dst, __ubuf__ half* src, int32_t count);'
    const listing =
      'uint32_t len = 64;\n__ubuf__ half src[len];\n__ubuf__ half dst[64];\n__ubuf__ half other[64];\nMove(dst, src, len);'
    const page = factsOfPage([prototypes(c), table].join('\n\n'))
    expect(exampleAsks({...none, examples: [{lead: '', code: listing}]}, page, base, [])[0]?.arrays).toEqual([
      {name: 'src', dtype: 'half', count: 64, bytes: 128},
    ])
  })

  test('of several without words of their own the first is asked for, three at the most', () => {
    const of = (...leads: string[]) => asks(leads.map((lead) => ({lead, code}))).map(({example}) => example.lead)
    expect(of('', '', '第三个例子')).toEqual(['', '第三个例子'])
    expect(of('一', '二二二', '三三三三', '四四四四', '五五五五')).toEqual(['一', '三三三三', '四四四四'])
    expect(of('', '甲'.repeat(120), '甲'.repeat(121))).toEqual(['', '甲'.repeat(120)])
  })

  test('a listing calls the interface, not in a comment or a string', () => {
    expect(one('uint32_t len = 128; // Move(a)\nOther(len, "Move");')).toBeUndefined()
    expect(one('uint32_t len = 128;\nMove2(len);')).toBeUndefined()
    expect(asks([{lead: '', code: 'uint32_t len = 128;\nAlias(len, len);'}], [], 'Alias接口')).toHaveLength(1)
    const others = parameters('extra | 输入 | 仅支持Kirin X90。')
    expect(one(`int extra = 1;\n${code}`, [others])).toBeUndefined()
  })

  test('comments that say what is done are steps', () => {
    const steps = (...comments: string[]) =>
      one([...comments.map((comment) => `// ${comment}`), code].join('\n'))?.steps
    expect(steps('搬运数据', '1. 计算数据', '数据在此', '设置n = 1;', '获取结果如下')).toEqual([
      '搬运数据',
      '1. 计算数据',
    ])
    expect(steps(`搬运${'甲'.repeat(48)}`, `搬运${'甲'.repeat(49)}`)).toEqual([`搬运${'甲'.repeat(48)}`])
    expect(steps('设置一', '设置二', '设置三', '设置四', '设置五', '设置六', '设置七')).toHaveLength(6)
  })

  test('rules that bind what the call passes', () => {
    const rules = (...said: string[]) => {
      const found = one(code, [`## 约束说明\n\n${said.map((rule) => `- ${rule}`).join('\n')}`])
      return [found?.constraints, found?.rules]
    }
    expect(rules('count必须大于0。', '其中count较小。')).toEqual([['count必须大于0。'], []])
    expect(rules('源操作数的地址必须对齐。')).toEqual([['源操作数的地址必须对齐。'], []])
    expect(rules('源操作数在此模式下必须对齐。')).toEqual([[], []])
    expect(rules('otherCount和count必须相等。')).toEqual([[], []])
    expect(rules('count等于0时不能执行。')).toEqual([[], []])
    expect(rules('不带repeat的接口，count必须大于0。')).toEqual([['不带repeat的接口，count必须大于0。'], []])
    expect(rules('不带count的接口，src必须对齐。')).toEqual([[], []])
    expect(rules('需要先调用初始化接口。')).toEqual([['需要先调用初始化接口。'], []])
    expect(rules('workspace必须对齐。')).toEqual([[], []])
  })

  test('the form that waits is named as the listing does', () => {
    const waits = factsOfPage(
      prototypes('void asc_exp_sync(half* dst, half* src);', 'void asc_exp(half* dst, half* src, int n);'),
    )
    const examples = [{lead: '', code: 'half dst[64]; half src[64];\nasc_exp_sync(dst, src);'}]
    expect(exampleAsks({...none, examples}, waits, {...base, api: 'asc_exp'}, [])[0]?.api).toBe('asc_exp_sync')
  })

  test('without an argument, the form and the purpose are told', () => {
    const page = factsOfPage(`## 功能说明\n\n等待所有的搬运完成。\n\n${prototypes('void Move();')}`)
    const examples = [{lead: '', code: 'int a = 1;\nMove();\nint b;'}]
    expect(exampleAsks({...none, examples}, page, base, [])[0]).toMatchObject({
      bare: {name: 'Move'},
      purpose: '等待所有的搬运完成。',
      call: undefined,
    })
  })
})

describe('a parameter', () => {
  const form =
    'template <typename T, int n = 2> void Move(const LocalTensor<T>& dst, const LocalTensor<T>& src, int32_t gap, Mode mode);'
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
