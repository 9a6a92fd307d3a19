import type {HostFacts} from '../../../../datasets/schema/code-facts.ts'
import {describe, expect, test} from 'vitest'
import {hostRequest} from '../../../../pipelines/code/offline/host-request.ts'
import {both, hostOf, sourceOf} from '../../../helpers/told-parts.ts'

const unread = {inputs: {shapes: [], types: [], presence: []}, attributes: []}
const nothing = {definitions: [], registrations: [], launch: {keys: [], cores: []}, sets: [], functions: [], ...unread}

/** What is asked for behind the opening, in both languages. */
const said = (given: object) => {
  const facts = {...nothing, flows: [], structures: [], ...given} as unknown as HostFacts
  return both((voice) => hostRequest(sourceOf(''), facts, voice))
    .split('\n')
    .map((one) => one.replace(/^.*?(?:`op_kernel\/a\.cpp`|\))[^.。]*[.。] ?/, ''))
}
const set = (field: string) => ({field, operator: '=', value: '1', method: 'Tile'})
const numbered = (count: number) => Array.from({length: count}, (_, index) => `f${index}`)

test('a request opens with operator and file', () => {
  const told = both((voice) => hostRequest(sourceOf(''), {...nothing, flows: [], structures: []} as never, voice))
  expect(told).toBe(
    'I need the tiling code of the `Fold` operator (`op_kernel/a.cpp`).\n' +
      '需要 `Fold` 算子的 tiling 实现，文件为 `op_kernel/a.cpp`。',
  )
  expect(said({})).toEqual(['', ''])
})

describe('the fields of the tiling', () => {
  test.each([
    [1, '`f0`', '`f0`'],
    [16, '`f15`', '`f15`'],
    [17, '`f15` and 1 more field', '`f15` 等 17 个字段'],
    [18, '`f15` and 2 more fields', '`f15` 等 18 个字段'],
  ])('%i', (count, english, chinese) => {
    const told = said({sets: numbered(count).map(set)})
    expect(told[0]?.startsWith('The tiling function fills `f0`')).toBe(true)
    expect(told[0]?.endsWith(`${english} for the kernel.`)).toBe(true)
    expect(told[1]?.endsWith(`${chinese}。`)).toBe(true)
  })

  test('are named once, with the block dimension where it is set', () => {
    expect(said({sets: [set('a'), set('a'), set('b')], launch: {keys: [], cores: [{}]}})).toEqual([
      'The tiling function fills `a` and `b` for the kernel and sets the block dimension.',
      'tiling 函数需为核函数填好 `a`、`b`，并设置 blockDim。',
    ])
  })
})

describe('a file that sets no field', () => {
  const structure = (name: string, count: number) => ({
    name,
    fields: numbered(count).map((field) => ({type: 'int', name: field})),
  })

  test('declares structures, each with all fields: nothing else tells their names', () => {
    expect(said({structures: ['A', 'B', 'C'].map((name) => structure(name, 1))})).toEqual([
      'It declares the tiling structure `A` (`int f0`), `B` (`int f0`) and `C` (`int f0`).',
      '文件声明 tiling 结构体 `A`(`int f0`)、`B`(`int f0`)、`C`(`int f0`)。',
    ])
    const told = said({structures: [structure('A', 40)]})
    expect([told[0]?.endsWith(', `int f39`).'), told[1]?.endsWith(', `int f39`)。')]).toEqual([true, true])
  })

  test('declares arrays with how many they have', async () => {
    const fields = 'TILING_DATA_FIELD_DEF(float, scale); TILING_DATA_FIELD_DEF_ARR(int64_t, MOST, starts);'
    const facts = await hostOf(`BEGIN_TILING_DATA_DEF(A) ${fields} END_TILING_DATA_DEF;`)
    expect(said(facts)[0]).toBe('It declares the tiling structure `A` (`float scale`, `int64_t starts[MOST]`).')
  })

  test('provides free functions, five at most', async () => {
    const named = async (text: string) => said(await hostOf(text))[0]
    const body = '{ int a = Work(); Other(a); return; }'
    expect(await named(`void A() ${body} class B { void C() ${body} };`)).toBe('It provides `A`.')
    expect(await named(`Fold() ${body}`)).toBe('')
    const many = (count: number) =>
      numbered(count)
        .map((name) => `void ${name}() ${body}`)
        .join('\n')
    expect(await named(many(4))).toBe('It provides `f0`, `f1`, `f2` and `f3`.')
    expect(await named(many(5))).toBe('It provides `f0`, `f1`, `f2`, `f3` and `f4`.')
    expect(await named(many(6))).toBe('It provides `f0`, `f1`, `f2`, `f3` and `f4`.')
  })
})

test.each([
  [{registrations: ['A', 'B']}, 'Register it with `A` and `B`.', '用 `A`、`B` 完成注册。'],
  [{launch: {keys: [{}], cores: []}}, '', ''],
  [
    {launch: {keys: [{}, {}], cores: []}},
    'Choose the tiling key by the case at hand.',
    '并根据不同情况选择 tiling key。',
  ],
])('%j', (given, english, chinese) => {
  expect(said(given)).toEqual([english, chinese])
})

describe('the operator', () => {
  const x = {name: 'x', dtypes: ['float16', 'float32', 'float16'], kind: 'required'}
  const m = {name: 'm', dtypes: [], kind: 'optional'}
  const definition = (attributes: object[] = []) => ({inputs: [x, m], outputs: [x], attributes})
  const k = {name: 'k', type: 'int', default: '3'}

  test('is told by tensors and registered in the file', () => {
    expect(said({definitions: [definition()]})).toEqual([
      'The operator takes `x` (float16/float32) and `m` [optional] and gives `x` (float16/float32). ' +
        'Register the operator in the same file.',
      '算子输入为 `x` (float16/float32)、`m` [optional]，输出为 `x` (float16/float32)。同时在该文件中完成算子原型注册。',
    ])
  })

  test('has attributes, with what they are by default', () => {
    const attributes = (some: object[]) => said({definitions: [definition(some)]})[0]
    expect(attributes([k])).toContain('. Its attribute is `k: int = 3`. ')
    expect(attributes([k, {...k, name: 'e', default: ''}])).toContain(
      '. Its attributes are `k: int = 3` and `e: int`. ',
    )
  })

  test('defined in another file is told to a file that reads the call', () => {
    const source = sourceOf('', {definition: definition([k]) as never})
    const told = (given: object) =>
      both((voice) => hostRequest(source, {...nothing, flows: [], structures: [], ...given} as never, voice))
    expect(told({})).not.toContain('takes `x`')
    for (const given of [
      {registrations: ['IMPL_OP_OPTILING(Fold)']},
      {inputs: {shapes: [0], types: [], presence: []}},
      {inputs: {shapes: [], types: [0], presence: []}},
      {attributes: [{name: '', index: 0, type: 'int64_t'}]},
    ])
      expect(told(given)).toContain(
        'takes `x` (float16/float32) and `m` [optional] and gives `x` (float16/float32). Its attribute is `k: int = 3`.',
      )
    expect(told({registrations: ['IMPL_OP_OPTILING(Fold)']})).not.toContain('in the same file')
  })

  test('may infer shapes and types', () => {
    const functions = [{name: 'Fold', owner: 'Fold', calls: [{name: 'SetInferShape'}]}]
    const told = said({definitions: [definition()], functions})
    expect(told[0]?.endsWith('Register the operator with shape and type inference.')).toBe(true)
    expect(told[1]?.endsWith('同时完成算子原型注册与 shape、dtype 推导。')).toBe(true)
  })
})
