import {describe, expect, test} from 'vitest'
import {argumentsOf, explained, hasWrittenTemplates} from '../../../../pipelines/documentation/offline/calls.ts'
import {exampleAsks} from '../../../../pipelines/documentation/offline/kinds/example-ask.ts'
import type {ParameterFact} from '../../../../pipelines/documentation/parameter-table.ts'
import {readPrototypes} from '../../../../pipelines/documentation/prototype.ts'
import {factsOfPage, type Facts} from '../../../../pipelines/documentation/section-facts.ts'
import {parameters, prototypes} from '../../../helpers/doc-text.ts'
import {base, fact, none} from '../../../helpers/page-facts.ts'

describe('the call of a listing', () => {
  const forms =
    'void Move(const LocalTensor<T>& dst, const LocalTensor<T>& src, int32_t count);\nvoid ' +
    'Move(const LocalTensor<T>& dst, T value, MoveParams params, int32_t n = 1);'
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
      'uint32_t len = 64;\n__ubuf__ half src[len];\n__ubuf__ half dst[64];\n__ubuf__ half other[64];' +
      '\nMove(dst, src, len);'
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
