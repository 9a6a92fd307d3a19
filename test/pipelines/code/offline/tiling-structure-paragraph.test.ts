import type {HostFacts} from '../../../../datasets/schema/code-facts.ts'
import {describe, expect, test} from 'vitest'
import {structureParagraph} from '../../../../pipelines/code/offline/tiling-structure-paragraph.ts'
import {functionFlows} from '../../../../cpp/statements.ts'
import {both} from '../../../helpers/told-parts.ts'

const said = (given: object) => {
  const facts = {structures: [], sets: [], flows: [], bindings: [], ...given}
  return both((voice) => structureParagraph(facts as unknown as HostFacts, voice)).split('\n')
}
const structure = (name: string, ...fields: string[]) => ({
  name,
  fields: fields.map((one) => ({type: one.split(' ')[0], name: one.split(' ')[1]})),
})
const set = (field: string, value: string, operator = '=') => ({field, value, operator, method: 'Tile'})
const numbered = (count: number) => Array.from({length: count}, (_, index) => `f${index}`)

describe('a structure', () => {
  test('carries fields, or the values of those that are set', () => {
    expect(said({})).toEqual(['', ''])
    expect(said({structures: [structure('Data', 'int a', 'int b')]})).toEqual([
      '`Data` carries the fields `a` and `b` from the host to the kernel.',
      '`Data` 把 `a`、`b` 字段从 Host 侧传给 Kernel。',
    ])
    expect(said({structures: [structure('Data', 'int a')], sets: [set('a', 'n / 2')]})).toEqual([
      'The values travel in `Data`, whose fields are `a`. They are set as `a = n / 2`.',
      '这些数值通过 `Data` 传递,字段有 `a`。赋值为 `a = n / 2`。',
    ])
  })

  test.each([
    [16, '`f15` from', '`f15` 字段'],
    [17, '`f15`, and 1 more from', '`f15` 等 17 个字段'],
    [18, '`f15`, and 2 more from', '`f15` 等 18 个字段'],
  ])('of %i fields names 16', (count, en, zh) => {
    const [english, chinese] = said({structures: [structure('Data', ...numbered(count).map((one) => `int ${one}`))]})
    expect(english?.endsWith(` and ${en} the host to the kernel.`)).toBe(true)
    expect(chinese?.endsWith(`、${zh}从 Host 侧传给 Kernel。`)).toBe(true)
  })

  test('is told of three at most', () => {
    const structures = ['A', 'B', 'C', 'D'].map((name) => structure(name, 'int a'))
    expect(said({structures})[0]?.match(/`[A-D]` carries/g)).toEqual(['`A` carries', '`B` carries', '`C` carries'])
  })

  test.each([
    [['uint64_t a', 'uint32_t b'], true],
    [['int64_t a', 'int8_t b'], true],
    [['int64_t a', 'uint16_t b'], true],
    [['int64_t a', 'uint64_t b'], false],
    [['int32_t a', 'int8_t b'], false],
    [['int64_t a', 'float b'], false],
  ])('of fields %j', (fields, isMixed) => {
    const [en, zh] = said({structures: [structure('Data', ...fields)]})
    const layout =
      ' The structure mixes 64-bit and narrower fields, ' +
      'so host and kernel must share one declaration to agree on the layout.'
    expect(en?.endsWith(layout)).toBe(isMixed)
    expect(zh?.endsWith('字段混用,Host 与 Kernel 必须共用同一份声明以保证布局一致。')).toBe(isMixed)
  })
})

describe('values', () => {
  test('are told of fields that are given one value once', () => {
    const sets = [set('a', 'n / 2'), set('b', '1'), set('b', '2'), set('c', '1', '+='), set('d', '3'), set('d', '3')]
    expect(said({sets})).toEqual(['Some are set as `a = n / 2` and `d = 3`.', '部分字段赋值为 `a = n / 2`、`d = 3`。'])
  })

  test('are not told again where the arithmetic told them', async () => {
    const flows = await functionFlows('void Tile() { tiling.a = n / 2; }')
    expect(said({sets: [set('a', 'n / 2'), set('b', '1')], flows})[0]).toBe('Some are set as `b = 1`.')
  })

  test.each([
    [80, true],
    [81, false],
  ])('of %i characters', (length, isTold) => {
    expect(said({sets: [set('a', '1'.repeat(length))]})[0] !== '').toBe(isTold)
  })

  test.each([
    [12, '`f11 = 1`.', '`f11 = 1`。', 'They'],
    [13, '`f11 = 1` and 1 more.', '`f11 = 1` 等。', 'Some'],
  ])('of %i twelve are told', (count, en, zh, subject) => {
    const [english, chinese] = said({sets: numbered(count).map((one) => set(one, '1'))})
    expect(english?.startsWith(`${subject} are set as \`f0 = 1\``)).toBe(true)
    expect(english?.endsWith(en)).toBe(true)
    expect(chinese?.endsWith(zh)).toBe(true)
  })

  test.each([
    'a',
    'a_',
    'this->a',
    'info.a',
    'Info::a',
    '(a)',
    'static_cast<uint32_t>(a)',
    '(uint32_t)a',
    '(uint32_t) a',
  ])('of the same name say nothing: %s', (value) => {
    expect(said({sets: [set('a', value)]})).toEqual(['', ''])
  })

  test.each(['ba', 'a + 1', 'a.b', 'a()', 'Get(a)'])('of another name do: %s', (value) => {
    expect(said({sets: [set('a', value)]})[0]).toBe(`They are set as \`a = ${value}\`.`)
  })

  test('of the same name are counted up from three', () => {
    const own = (count: number) => ({sets: numbered(count).map((one) => set(one, one))})
    expect(said(own(2))).toEqual(['', ''])
    expect(said(own(3))).toEqual([
      '`f0`, `f1` and `f2` take the variables of the same name.',
      '`f0`、`f1`、`f2` 取同名变量的值。',
    ])
    expect(said(own(12))[0]).toMatch(/ and `f11` take the variables of the same name\.$/)
    expect(said(own(13))[0]).toMatch(/ and `f11`, and 1 more, take the variables of the same name\.$/)
    expect(said(own(13))[1]).toMatch(/、`f11` 等 13 个字段 取同名变量的值。$/)
  })
})

describe('a binding', () => {
  const bind = (...operators: string[]) => operators.map((operator) => ({operator, structure: 'Data'}))
  test('tells which structure is read', () => {
    expect(said({bindings: bind('Fold')})).toEqual([
      '`REGISTER_TILING_DATA_CLASS(Fold, Data)` tells which structure the kernel reads its tiling from.',
      '`REGISTER_TILING_DATA_CLASS(Fold, Data)` 指明核函数按哪个结构体读取 tiling。',
    ])
  })

  test('of a number is for a key; four are told', () => {
    const [en, zh] = said({bindings: bind('Fold_1', 'B', 'C', 'D', 'E')})
    expect(en).toBe(
      '`REGISTER_TILING_DATA_CLASS(Fold_1, Data)`, `REGISTER_TILING_DATA_CLASS(B, Data)`, ' +
        '`REGISTER_TILING_DATA_CLASS(C, Data)` and `REGISTER_TILING_DATA_CLASS(D, Data)` ' +
        'tell which structure the kernel reads its tiling from. ' +
        'A number behind the operator stands for a tiling key with a structure of its own.',
    )
    expect(zh?.endsWith('算子名后的数字是 tiling key,表示该分支使用单独的结构体。')).toBe(true)
    expect(said({bindings: bind('Fold2', 'Fold_V2')})[0]).not.toContain('A number behind')
  })
})
