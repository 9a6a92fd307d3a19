import {describe, expect, test} from 'vitest'
import type {Evidence} from '../../../../datasets/schema/document.ts'
import {calledIn} from '../../../../pipelines/documentation/offline/kinds/called.ts'
import {exampleAsks} from '../../../../pipelines/documentation/offline/kinds/example-ask.ts'
import {readPrototypes} from '../../../../pipelines/documentation/prototype.ts'
import type {Facts} from '../../../../pipelines/documentation/section-facts.ts'
import {base, fact, none} from '../../../helpers/page-facts.ts'

const form = 'template <typename T> void Move(const LocalTensor<T>& dst, const LocalTensor<T>& src, int32_t count);'
const listing = 'Move(dstLocal, srcLocal, 128);'

function asked(codes: string | {code: string; lead: string}[], part: Partial<Facts> = {}, evidence: Evidence[] = []) {
  const examples = typeof codes === 'string' ? [{code: codes, lead: ''}] : codes
  const page: Facts = {...none, prototypes: readPrototypes(form), parameters: [fact('count')], examples, ...part}
  return exampleAsks(page, page, base, evidence)
}
const only = (...args: Parameters<typeof asked>) => asked(...args)[0]!

const passage = (about: string, markdown: string, part: Partial<Evidence> = {}): Evidence =>
  ({why: 'calls', about, role: 'function', markdown, page: about, headings: [], origin: {}, ...part}) as Evidence

describe('a listing is asked for', () => {
  test('with all that the page tells of its call', () => {
    const {call, ...ask} = only(listing)
    expect(ask).toEqual({
      ...{kind: 'example', api: 'Move', example: {code: listing, lead: ''}, bare: undefined, size: undefined},
      settings: [{name: 'count', value: '128'}],
      ...{arrays: [], apis: ['Move'], steps: [], purpose: '', called: [], constraints: [], rules: []},
    })
    expect(call!.arguments.map(({name, value}) => `${name}=${value}`)).toEqual([
      'dst=dstLocal',
      'src=srcLocal',
      'count=128',
    ])
  })

  test.each([
    [listing, true],
    ['Copy(dstLocal, srcLocal, 128);', false],
    ['// Move(dstLocal, srcLocal, 128);\nint a = 1;', false],
    ['Print("Move(dstLocal) %d", 1, 2);', false],
    ['Move(a, b, 1);', false],
    ['Move(dstLocal, srcLocal, 128);\n...', false],
  ])('where it is whole and calls the interface: %j', (code, isOne) => {
    expect(asked(code)).toHaveLength(isOne ? 1 : 0)
  })

  test('by its title too, where the page declares another name', () => {
    expect(asked(listing, {prototypes: readPrototypes('void Carry(int a);')})).toHaveLength(1)
    expect(asked('Carry(dstLocal, srcLocal);', {prototypes: readPrototypes('void Carry(int a, int b);')})).toHaveLength(
      1,
    )
  })

  test('unless it passes what only other products have', () => {
    const parameters = [fact('count'), fact('srcLocal', {unread: ['该参数仅支持Kirin X90。']})]
    expect(asked(listing, {parameters})).toEqual([])
    const others = [fact('count'), fact('other', {unread: ['该参数仅支持Kirin X90。']})]
    expect(asked(listing, {parameters: others})).toHaveLength(1)
  })

  test('the first of those that say nothing about themselves, and three at most', () => {
    const of = (...leads: string[]) =>
      asked(leads.map((lead) => ({code: listing, lead}))).map(({example}) => example.lead)
    expect(of('', '')).toEqual([''])
    expect(of('', '一二三', '一二三四')).toEqual(['', '一二三四'])
    expect(of('', 'a'.repeat(120), 'b'.repeat(121))).toEqual(['', 'a'.repeat(120)])
    expect(of('搬运甲的', '搬运乙的', '搬运丙的', '搬运丁的')).toHaveLength(3)
  })

  test('by the form that it calls', () => {
    const prototypes = readPrototypes(`${form}\n${form.replace('Move(', 'Move_sync(')}`)
    expect(only('Move_sync(dstLocal, srcLocal, 128);', {prototypes}).api).toBe('Move_sync')
    expect(only('Move(dstLocal, srcLocal, 128);', {prototypes}).api).toBe('Move')
  })

  test('that takes no argument has one bare form', () => {
    const prototypes = readPrototypes('void Move();')
    expect(only('while (a) { Move(); }', {prototypes, parameters: []}).bare).toEqual(prototypes[0])
    expect(only(listing).bare).toBeUndefined()
  })
})

describe('numbers among its arguments', () => {
  const settings = (code: string, declared = form) =>
    only(code, {prototypes: readPrototypes(declared)}).settings.map(({name, value}) => `${name}=${value}`)
  const six = 'void Move(int a, int b, int c, int d, int e, int f);'

  test.each<[string, string[]]>([
    ['int n = 64;\nMove(dstLocal, srcLocal, n);', ['count=64']],
    ['int n = 64;\nn += 8;\nMove(dstLocal, srcLocal, n);', []],
    ['int n = 64;\nn++;\nMove(dstLocal, srcLocal, n);', []],
    ['int n = m * 2;\nMove(dstLocal, srcLocal, n);', []],
    ['if (n == 3) { n = 64; }\nMove(dstLocal, srcLocal, n);', ['count=64']],
    ['Move(dstLocal, srcLocal, n + 1);', []],
    ['a.n = 64;\nMove(dstLocal, srcLocal, n);', []],
  ])('are written there or as a constant: %j', (code, found) => {
    expect(settings(code)).toEqual(found)
  })

  test('are four at most, and go in', () => {
    expect(settings('Move(1, 2, 3, 4, 5, 6);', six)).toEqual(['a=1', 'b=2', 'c=3', 'd=4'])
    const out = 'void Move(int& left, const int& right, int last);'
    expect(settings('int n = 1;\nMove(n, n, n);', out)).toEqual(['right=1', 'last=1'])
  })
})

describe('the amount of data', () => {
  const size = (code: string, part: Partial<Facts> = {}, lead = '') => only([{code, lead}], part).size
  const typed = 'LocalTensor<half> dstLocal;\nMove(dstLocal, srcLocal, 128);'

  test('follows from a count and one type', () => {
    expect(size(typed)).toEqual({count: 128, dtype: 'half', bytes: 256, unitBytes: undefined})
    expect(size(listing, {}, '搬运float类型的数据')).toMatchObject({dtype: 'float', bytes: 512})
    expect(size(listing)).toBeUndefined()
    expect(size(`${typed}\nLocalTensor<float> a;`)).toBeUndefined()
    expect(size(`${typed}\nint32_t a; bool b;`)).toMatchObject({dtype: 'half'})
    expect(size(`half scale = 0.5;\n${listing}`)).toBeUndefined()
    expect(size(typed.replace('128', 'n'))).toBeUndefined()
    const named = {prototypes: readPrototypes(form.replace('count', 'length'))}
    expect(size(typed, named)).toBeUndefined()
    expect(size(typed, {prototypes: readPrototypes(form.replace('count', 'calCount'))})).toMatchObject({count: 128})
  })
})

describe('arrays of the listing', () => {
  const declared = 'void Move(__ubuf__ half* dst, __ubuf__ half* src, int count);'
  const arrays = (code: string, part: Partial<Facts> = {}) =>
    only(code, {prototypes: readPrototypes(declared), ...part}).arrays

  test('have a length that it gives', () => {
    const call = 'Move(dst, src, 8);'
    expect(arrays(`__ubuf__ half src[64];\n${call}`)).toEqual([{name: 'src', dtype: 'half', count: 64, bytes: 128}])
    expect(arrays(`int total = 32;\n__gm__ float src[ total ];\n${call}`)).toEqual([
      {name: 'src', dtype: 'float', count: 32, bytes: 128},
    ])
    expect(arrays(`__ubuf__ half src[n];\n${call}`)).toEqual([])
    expect(arrays(`__ubuf__ thing src[64];\n${call}`)).toEqual([])
    expect(arrays(`__ubuf__ half other[64];\n${call}`)).toEqual([])
    const output = {parameters: [fact('dst', {direction: 'output'})]}
    expect(arrays(`__ubuf__ half dst[64];\n${call}`, output)).toEqual([])
  })
})

describe('what its comments say is done', () => {
  const steps = (...comments: string[]) => only(`${comments.join('\n')}\n${listing}`).steps

  test('are steps where they begin with a verb, in order, once', () => {
    expect(steps('// 搬运数据', '  // 1. 计算结果值', '// copyin data', '// 搬运数据')).toEqual([
      '搬运数据',
      'copyin data',
    ])
    expect(steps('// 数据已经搬运', '// 搬运如下', '// 计算a=b', 'int a; // 搬运数据')).toEqual([])
    expect(steps(`// 搬运${'数'.repeat(48)}`, `// 搬运${'据'.repeat(49)}`)).toEqual([`搬运${'数'.repeat(48)}`])
    expect(steps(...Array.from({length: 7}, (_, at) => `// 搬运第${at}块`))).toHaveLength(6)
  })
})

describe('rules that bind the call', () => {
  const rules = (said: string[], code = listing, part: Partial<Facts> = {}) => {
    const {constraints, rules: named} = only(code, {said: {constraints: said}, ...part})
    return [...constraints.map((text) => `call: ${text}`), ...named.map((text) => `choice: ${text}`)]
  }

  test.each([
    ['count必须是8的倍数。', true],
    ['count为0时，必须返回。', false],
    ['count是元素的个数。', false],
    ['源操作数需要32字节对齐。', true],
    ['某模式下源操作数需要32字节对齐。', false],
    ['dst与otherLength之和不能超过64。', false],
    ['dst与srcLocal不能重叠。', true],
    ['地址需要对齐。', false],
    ['需要先调用初始化的接口。', true],
    ['不传入mask时，count必须是8的倍数。', true],
    ['不传入count时，dst必须对齐。', false],
  ])('%s: %s', (rule, binds) => {
    expect(rules([rule])).toEqual(binds ? [`call: ${rule}`] : [])
  })

  test('do not name what the page has and the call has not', () => {
    const parameters = [fact('count'), fact('gap')]
    expect(rules(['count和gap必须是8的倍数。'], listing, {parameters})).toEqual([])
  })

  test('on the value that is chosen come first', () => {
    const choices = [
      {name: 'FAST', text: '快。'},
      {name: 'SLOW', text: '慢。'},
    ]
    const prototypes = readPrototypes(form.replace('int32_t', 'Count'))
    const part = {prototypes, parameters: [fact('count', {choices})]}
    const said = ['选FAST时count不能太大。', 'count必须为正。']
    expect(rules(said, 'Move(dstLocal, srcLocal, Count::FAST);', part)).toEqual([
      'call: count必须为正。',
      'choice: 选FAST时count不能太大。',
    ])
  })

  test('may stand in what is said of the interface, as what is to be done before', () => {
    const said = {function: ['必须先调用do_init。', 'count必须为正。']}
    expect(only(listing, {said}).constraints).toEqual([])
    expect(only(`do_init();\n${listing}`, {said}).constraints).toEqual(['必须先调用do_init。'])
  })
})

describe('purposes', () => {
  test('are told where no argument is explained, unless they only repeat the name', () => {
    const said = {function: ['把数据搬运到片上内存。']}
    expect(only(listing, {said}).purpose).toBe('')
    expect(only(listing, {said, parameters: []}).purpose).toBe('把数据搬运到片上内存。')
    expect(only(listing, {said: {function: ['Move。']}, parameters: []}).purpose).toBe('')
  })

  test('of interfaces beside it come from their pages', () => {
    const code = `${listing}\nWait(a);\nFree(b);`
    const wait = passage('Wait', '等待搬运完成。')
    const evidence = [wait, passage('Move', '搬运数据到片上。'), passage('Other', '做别的事情。')]
    expect(only(code, {}, evidence).called).toEqual([{name: 'Wait', purpose: '等待搬运完成。', source: wait}])
    const names = (...passages: Evidence[]) =>
      calledIn('Wait(); Free(); Sync(); Init();', passages).map(({name}) => name)
    expect(names(wait, wait)).toEqual(['Wait'])
    expect(names(...['Wait', 'Free', 'Sync', 'Init'].map((name) => passage(name, '做一些事情。')))).toHaveLength(3)
    expect(names(passage('Wait', '等待搬运完成。', {why: 'links' as never}))).toEqual([])
    expect(names(passage('Wait', '等待搬运完成。', {role: 'constraints'}))).toEqual([])
    expect(names(passage('Wait', '其中a是输入。'))).toEqual([])
    expect(names(passage('Wait', `${'等'.repeat(79)}。`), passage('Free', `${'放'.repeat(80)}。`))).toEqual(['Wait'])
  })
})
